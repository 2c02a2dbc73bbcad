//! A simulated year of players who write mails: `cargo bench --bench year`, or with other numbers
//! `cargo bench --bench year -- PLAYERS MATCHES DAYS TURNS SEED`.

use std::error::Error;

#[path = "../tests/simulation/mod.rs"]
mod simulation;

use simulation::Plan;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let number = |index: usize, default: u64| numbers.get(index).copied().unwrap_or(default);
    let plan = Plan {
        players: number(0, 200) as usize,
        matches: number(1, 2000) as u32,
        days: number(2, 365) as i64,
        turns: number(3, 90) as u32,
        seed: number(4, 1),
    };
    let place = tempfile::tempdir_in(".")?;
    println!("{plan:?}");
    println!("{}", simulation::run(&plan, place.path()));
    Ok(())
}
