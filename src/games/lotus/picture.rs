//! The drawing of the board in plain ASCII.

use crate::games::Cell;

/// The empty board. In a line that begins with a letter the dots are the points of that row, from the left.
const PICTURE: &str = r"
p                   .1----.2        .3----.4                   p
                  /  \   /  \     /  \   /  \
o              .1     \ /      .2     \ /      .3              o
n             / \      .1     / \      .2     / \              n
             /   \   /   \   /   \   /   \   /   \
m           .1----.2        .3----.4        .5----.6           m
            |     |         |     |         |     |
l           .1----.2        .3----.4        .5----.6           l
          /  \   /  \     /  \   /  \     /  \   /  \
k      .1     \ /      .2     \ /      .3     \ /      .4      k
j     / \      .1     / \      .2     / \      .3     / \      j
     /   \   /   \   /   \   /   \   /   \   /   \   /   \
i   .1----.2        .3----.4        .5----.6        .7----.8   i
    |     |         |     |         |     |         |     |
h   .1----.2        .3----.4        .5----.6        .7----.8   h
     \   /   \   /   \   /   \   /   \   /   \   /   \   /
g     \ /      .1     \ /      .2     \ /      .3     \ /      g
f      .1     / \      .2     / \      .3     / \      .4      f
          \  /   \  /     \  /   \  /     \  /   \  /
e           .1----.2        .3----.4        .5----.6           e
            |     |         |     |         |     |
d           .1----.2        .3----.4        .5----.6           d
             \   /   \   /   \   /   \   /   \   /
c             \ /      .1     \ /      .2     \ /              c
b              .1     / \      .2     / \      .3              b
                  \  /   \  /     \  /   \  /
a                   .1----.2        .3----.4                   a
";

/// Draws the board: a stone takes the place of the dot, and parentheses around a point that the last turn filled take
/// the place of what is beside it.
pub(in crate::games) fn draw(cells: &[Cell]) -> Vec<String> {
    PICTURE
        .trim_matches('\n')
        .lines()
        .map(|line| draw_line(line, cells))
        .collect()
}

fn draw_line(line: &str, cells: &[Cell]) -> String {
    let row = line
        .bytes()
        .next()
        .filter(u8::is_ascii_lowercase)
        .map(|letter| letter - b'a' + 1);
    let mut in_row = cells.iter().filter(|cell| Some(cell.y) == row);
    let mut drawn: Vec<char> = line.chars().collect();
    for place in 1..drawn.len().saturating_sub(2) {
        if drawn[place] != '.' {
            continue;
        }
        let Some(cell) = in_row.next() else { break };
        drawn[place] = cell.letter();
        if cell.filled {
            // The number of the point stands between its mark and the closing parenthesis.
            drawn[place - 1] = '(';
            drawn[place + 2] = ')';
        }
    }
    drawn.into_iter().collect()
}
