//! A board as a PNG picture, for mails that carry one (`set picture on`). The SVG is drawn without fonts.

use super::board::BoardView;
use super::picture::{self, Lettering, Look, Theme};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::panic::catch_unwind;

/// The width of a picture, in pixels; its height follows.
const WIDTH: f32 = 720.0;

/// Why there is no picture. A mail goes out without it.
#[derive(Debug, thiserror::Error)]
pub(super) enum PictureError {
    #[error("the board's SVG cannot be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the board cannot be drawn")]
    Drawing,
}

/// The board as the bytes of a PNG.
///
/// # Errors
///
/// Whatever keeps the picture from being made, a panic of the library included.
pub(super) fn png(view: &BoardView) -> Result<Vec<u8>, PictureError> {
    let look = Look {
        label: "",
        theme: Theme::Light,
        lettering: Lettering::Strokes,
        live: None,
    };
    let svg = picture::svg(&view.diagram, &look);
    catch_unwind(|| draw(&svg)).unwrap_or(Err(PictureError::Drawing))
}

fn draw(svg: &str) -> Result<Vec<u8>, PictureError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let scale = WIDTH / tree.size().width();
    let height = (tree.size().height() * scale).ceil();
    let mut paper = Pixmap::new(WIDTH as u32, height as u32).ok_or(PictureError::Drawing)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut paper.as_mut());
    paper.encode_png().map_err(|_| PictureError::Drawing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;
    use crate::letters::{Reader, Templates, board};

    #[test]
    fn every_game_has_its_picture() {
        let templates = Templates::new(None).unwrap();
        for game in GAMES {
            let table = (game.start)(&[]).unwrap();
            let view = board(table.as_ref(), None, &Reader::default(), &templates).unwrap();
            let png = png(&view).unwrap();
            let paper = Pixmap::decode_png(&png).unwrap();
            assert_eq!(paper.width(), WIDTH as u32, "{}", game.info.name);
            let first = paper.pixel(0, 0);
            let drawn = paper.pixels().iter().filter(|pixel| Some(**pixel) != first).count();
            assert!(drawn > 10_000, "{}: an empty picture", game.info.name);
            if let Some(tray) = std::env::var_os("PLAYPOST_PICTURES") {
                std::fs::write(
                    std::path::Path::new(&tray).join(game.info.name).with_extension("png"),
                    &png,
                )
                .unwrap();
            }
            assert!(png.len() < 100_000, "{}: {} bytes", game.info.name, png.len());
        }
    }

    #[test]
    fn what_is_no_svg_is_an_error() {
        assert!(draw("<svg").is_err());
        assert!(draw("").is_err());
    }
}
