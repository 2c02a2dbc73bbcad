//! The worked positions of the rules page, and a few more of the kind.

use super::tests::{refusal, table};
use crate::games::Kind;

struct Worked {
    board: &'static str,
    /// Seat, rights and hands.
    rest: &'static str,
    legal: &'static str,
    mates: &'static str,
    illegal: &'static str,
}

const fn worked(
    board: &'static str,
    rest: &'static str,
    legal: &'static str,
    mates: &'static str,
    illegal: &'static str,
) -> Worked {
    Worked {
        board,
        rest,
        legal,
        mates,
        illegal,
    }
}

/// The worked positions of the rules page in its order; turns are separated by semicolons.
const WORKED: [Worked; 36] = [
    worked(
        "10k/11/11/11/11/4m6/4R6/11/11/11/K10",
        "w - -",
        "a1-a2",
        "",
        "e5-e4;e5-h5;e5xe6",
    ),
    worked(
        "r9k/1M9/11/11/11/11/11/11/11/11/K10",
        "w - -",
        "b10-b11;b10-a10;a1-b1",
        "",
        "b10-b9;b10-c11",
    ),
    worked(
        "r9k/2M8/11/11/11/11/11/11/11/11/K10",
        "w - -",
        "c10-b10;c10-b11;a1-b1;a1-b2",
        "",
        "c10-c9;c10-d10;a1-a2",
    ),
    worked(
        "10k/11/11/11/11/11/11/11/11/4m6/4K6",
        "w - N",
        "N@e5;N@d2",
        "",
        "e1-d1;e1xe2",
    ),
    worked(
        "10k/11/11/11/11/3pm6/4M6/11/11/11/K10",
        "w - -",
        "e5-d5;e5-f6;e5-f4",
        "",
        "e5xd6;e5xe6;e5-e7",
    ),
    worked(
        "10k/11/11/11/11/5m5/11/11/11/4R6/K10",
        "w - -",
        "e2-e9;e2-e6;e2-e5",
        "",
        "",
    ),
    worked(
        "10k/11/11/11/5M5/4n6/3K1P5/11/11/11/4R6",
        "w - -",
        "d5xe6;f5xe6;e1xe6",
        "",
        "f7xe6",
    ),
    worked(
        "10k/11/4R6/11/11/11/6B4/2N8/3Pm6/3K7/11",
        "w - -",
        "c4xe3;g5xe3;e9xe3",
        "",
        "d2xe3;d3-d4",
    ),
    worked(
        "11/11/11/5M5/4k6/11/4K6/11/11/11/R10",
        "w - -",
        "a1-a7;e5-e6;e5-d6",
        "a1-a7;e5-e6;e5-d6",
        "",
    ),
    worked("11/11/11/5M5/4k6/4p6/4K6/11/11/11/11", "w - -", "e5xe6", "e5xe6", ""),
    worked("10k/11/1M9/2b8/11/4p6/4K6/11/11/11/11", "w - -", "e5xe6", "", ""),
    worked("1M8k/11/11/2b8/11/4p6/4K6/11/11/11/11", "w - -", "", "", "e5xe6"),
    worked(
        "10k/11/4r6/11/11/11/11/4L6/11/11/4K6",
        "w - -",
        "e4-e5;e4xe9",
        "",
        "e4-d6;e4-a4",
    ),
    worked("10k/3M7/4r6/11/11/11/11/4L6/11/11/4K6", "w - -", "e4-d6;e4-a4", "", ""),
    worked(
        "10k/11/11/11/7q3/11/11/4+B6/11/11/K10",
        "w - -",
        "e4xh7;e4xh7=Q;e4-g6;e4xh7=B",
        "",
        "e4xh7=R;e4-g6=Q;e4xh7=M",
    ),
    worked("10k/11/11/11/7q3/11/11/4B6/11/11/K10", "w - -", "e4xh7", "", "e4xh7=Q"),
    worked(
        "4p6/11/3+N6k/11/11/11/11/11/11/11/K10",
        "w - -",
        "d9xe11",
        "",
        "d9xe11=P",
    ),
    worked(
        "11/4p6/11/3+N7/11/11/11/11/11/11/K9k",
        "w - -",
        "d8xe10;d8xe10=P",
        "",
        "d8xe10=M",
    ),
    worked(
        "10k/2P8/9P1/3p1n1P3/4P6/11/11/11/11/11/K10",
        "w - -",
        "e7-e8;e7xd8;e7xf8;h8-h9;h8-h9=M;j9-j10;j9-j10=M;c10-c11=M",
        "",
        "e7-e8=M;e7-e9;c10-c11;h8-h10;h8-g9;e7-e6",
    ),
    worked(
        "K10/11/11/11/11/11/4p6/3P3p3/1p9/2p8/10k",
        "b - -",
        "e5-e4;e5xd4;h4-h3;h4-h3=M;b3-b2=M;c2-c1=M",
        "",
        "e5-e6;c2-c1;e5-e4=M",
    ),
    worked(
        "3q6k/4+P1l4/7+P3/11/11/11/11/11/11/11/K10",
        "w - -",
        "e10-e11=M;e10xd11=M;e10xd11=Q;h9xg10;h9xg10=M;h9xg10=L",
        "",
        "e10xd11;e10xd11=P;h9xg10=Q",
    ),
    worked(
        "10k/11/11/11/11/4q6/11/11/11/11/K10",
        "w - NP+P",
        "P@e4;+P@e10;N@e11;P@a2;+P@e1",
        "",
        "P@e11;+P@e11;P@e6;B@e4;+N@e4;P@a1",
    ),
    worked(
        "11/11/11/11/k1K8/11/11/11/11/11/11",
        "w - QR",
        "R@a9;Q@a8;R@a3",
        "R@a9;R@a3",
        "",
    ),
    worked(
        "r9k/11/11/11/11/11/11/11/11/11/K10",
        "w - N",
        "N@a5;N@a2;a1-b1",
        "",
        "N@b5;a1-a2",
    ),
    worked(
        "5k5/11/11/11/11/11/11/11/11/11/R4K4R",
        "w AK -",
        "castle e1;castle d1;castle c1;castle b1;castle g1;castle h1;castle i1;castle j1;f1-e1",
        "",
        "castle a1;castle k1;castle f1;castle f2;f1-d1",
    ),
    worked(
        "5k5/11/11/3r7/11/11/11/11/11/11/R4K4R",
        "w AK -",
        "castle e1;castle j1;castle g1",
        "",
        "castle d1;castle c1;castle b1",
    ),
    worked(
        "5k5/11/2M8/3r7/11/11/11/11/11/11/R4K4R",
        "w AK -",
        "castle d1;castle b1",
        "",
        "",
    ),
    worked(
        "5k5/11/11/5r5/11/11/11/11/11/11/R4K4R",
        "w AK -",
        "f1-e1",
        "",
        "castle e1;castle h1",
    ),
    worked(
        "5k5/11/11/11/11/11/11/11/11/11/RN3K2n1R",
        "w AK -",
        "f1-e1",
        "",
        "castle e1;castle g1",
    ),
    worked(
        "k10/11/11/11/11/11/11/11/11/7m3/5K4R",
        "w K -",
        "castle h1;castle i1;castle j1",
        "",
        "",
    ),
    worked(
        "3k7/11/11/11/11/11/11/11/11/9m1/R4K4R",
        "w AK -",
        "castle e1",
        "",
        "castle g1;castle i1",
    ),
    worked(
        "3k7/11/11/11/11/11/11/11/11/4m6/R4K4R",
        "w AK -",
        "a1-b1",
        "",
        "castle g1;castle e1",
    ),
    worked(
        "5k5/11/11/11/11/11/11/11/11/11/R4K4R",
        "w - -",
        "f1-e1",
        "",
        "castle e1;castle g1",
    ),
    // A check is parried by a change to Medusa beside the checking man, and by a promotion there.
    worked("1r8k/3m7/11/1+R9/11/11/11/11/11/11/1K9", "w - -", "b8xb11", "", ""),
    worked(
        "8rk1/7P3/11/11/11/11/11/11/11/11/8K2",
        "w - -",
        "h10-h11=M;h10xi11=M",
        "",
        "h10-h11",
    ),
    // A pinned Pawn may leave the line where it petrifies the man that pins it.
    worked(
        "4r5k/11/3n7/4P6/11/11/11/11/11/11/4K6",
        "w - -",
        "e8-e9;e8-e9=M",
        "",
        "e8xd9;e8xd9=M",
    ),
];

fn list(turns: &str) -> impl Iterator<Item = &str> {
    turns.split(';').filter(|turn| !turn.is_empty())
}

#[test]
fn worked_positions() {
    for Worked {
        board,
        rest,
        legal,
        mates,
        illegal,
    } in &WORKED
    {
        let listed = table(board, rest).legal().unwrap();
        for turn in list(legal) {
            let mut table = table(board, rest);
            let played = table.play(None, turn);
            assert!(played.is_ok(), "{board} {turn}: {played:?}");
            assert!(listed.contains(&played.unwrap().text), "{board} {turn}");
            let mated = table.outcome().is_some_and(|outcome| outcome.reason == "checkmate");
            assert_eq!(mated, list(mates).any(|mate| mate == turn), "{board} {turn}");
        }
        for turn in list(illegal) {
            assert_eq!(refusal(board, rest, turn).0, Kind::Illegal, "{board} {turn}");
            assert!(!listed.iter().any(|listed| listed == turn), "{board} {turn}");
        }
    }
}
