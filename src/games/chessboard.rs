//! Drawing of square boards in plain ASCII.

use super::diagram::Cell;

/// Draws a board, the highest rank first, with the files above and below and the ranks at both sides. A square takes
/// four columns: `>` if the last turn ended there, `+` for a Morph, the letter or `.`, `*` for stone.
/// `cells` stand by rank from the bottom, then by file.
pub fn draw(files: u8, ranks: u8, cells: &[Cell]) -> Vec<String> {
    let names: String = (b'a'..)
        .take(files.into())
        .map(|file| format!("  {} ", char::from(file)))
        .collect();
    let names = format!("   {}", names.trim_end());
    let mut lines = vec![names.clone()];
    let rows = cells.chunks(usize::from(files).max(1));
    let mut rows: Vec<String> = (1..=ranks)
        .zip(rows)
        .map(|(rank, row)| {
            let squares: String = row.iter().map(draw_square).collect();
            format!("{rank:>2} {squares}  {rank}")
        })
        .collect();
    rows.reverse();
    lines.append(&mut rows);
    lines.push(names);
    lines
}

fn draw_square(cell: &Cell) -> String {
    let or_blank = |shown: bool, sign: char| if shown { sign } else { ' ' };
    let last_turn = or_blank(cell.filled, '>');
    let morph = or_blank(cell.mark.is_some_and(|mark| mark.morph), '+');
    let stone = or_blank(cell.mark.is_some_and(|mark| mark.stone), '*');
    format!("{last_turn}{morph}{}{stone}", cell.letter())
}
