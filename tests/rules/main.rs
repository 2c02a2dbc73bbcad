//! The rules of every game: the given cases, the perft tables, laws that hold for all games alike, golden playthroughs,
//! and the contract of `playpost rules`.

mod cases;
mod command;
mod laws;
mod perft;
mod playthroughs;
mod support;
