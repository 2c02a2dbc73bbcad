//! A month of twelve players who write mails as people do, with everything that must hold; `benches/year.rs` is the
//! same for a year and 200 players.

#[path = "../simulation/mod.rs"]
pub mod simulation;

use simulation::Plan;

#[test]
fn a_month_of_mails_keeps_the_laws() {
    let plan = Plan {
        players: 12,
        matches: 60,
        days: 30,
        turns: 24,
        seed: 1,
    };
    let place = crate::harness::scratch();
    let report = simulation::run(&plan, place.path());
    assert!(report.matches >= plan.matches, "{report}");
    assert!(
        report.letters > 500 && report.copies > 0 && report.robots > 0,
        "{report}"
    );
    assert!(
        report.ends.contains_key("time") && report.ends.contains_key("resigned"),
        "{report}"
    );
}
