//! The whole system: mails in with their times, mails out and what is stored.

mod harness;
mod laws;

mod batch;
#[cfg(unix)]
mod crash;
mod examples;
mod game;
mod html;
mod identity;
mod korean;
mod life;
mod machines;
mod model;
mod month;
mod pipe;
mod refusals;
mod time;
mod walk;
