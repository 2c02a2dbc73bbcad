//! Mails in HTML, and boards in all their forms: of every game, as they go out.

mod boards;
mod links;
mod markup;
#[path = "../parts/program.rs"]
mod program;
mod scenes;
mod screens;
mod text;
