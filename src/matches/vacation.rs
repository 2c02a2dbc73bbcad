//! Vacations as players write them: days, both inclusive, in the player's time zone, and at most 30 in a year.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeZone};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::clock::Window;

/// The days of vacation that a player has in a calendar year.
pub const DAYS_A_YEAR: u32 = 30;

/// How far ahead a vacation may be entered, in years: later dates are slips of the keyboard.
const YEARS_AHEAD: i32 = 2;

/// Days in a player's calendar, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Vacation {
    pub first: NaiveDate,
    pub last: NaiveDate,
}

/// Why a vacation was refused, whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VacationError {
    /// No date, or one that the calendar does not have (`2027-02-29`).
    #[error("{0:?} is no date (write 2026-12-20)")]
    NoSuchDate(String),
    #[error("{first} is in the past: today is {today}")]
    Past { first: NaiveDate, today: NaiveDate },
    #[error("{last} is before {first}")]
    Backwards { first: NaiveDate, last: NaiveDate },
    #[error("{0} is too far ahead")]
    TooFar(NaiveDate),
    /// The year, the days of it that are taken already, and those that this vacation would take.
    #[error("{taken} days of {year} are taken, and {wanted} more would be over {DAYS_A_YEAR}")]
    OverBudget { year: i32, taken: u32, wanted: u32 },
}

impl Vacation {
    /// Reads the two dates of a `vacation` command at `now` (Unix seconds). `taken` are the player's other vacations,
    /// past ones of these years too; days that are in one of them already cost nothing.
    pub fn parse(first: &str, last: &str, now: i64, zone: Tz, taken: &[Vacation]) -> Result<Vacation, VacationError> {
        let vacation = Vacation {
            first: date(first)?,
            last: date(last)?,
        };
        let Vacation { first, last } = vacation;
        let today = today(now, zone);
        if first < today {
            return Err(VacationError::Past { first, today });
        }
        if last < first {
            return Err(VacationError::Backwards { first, last });
        }
        if last.year() > today.year() + YEARS_AHEAD {
            return Err(VacationError::TooFar(last));
        }
        let before = days_by_year(taken);
        let after = days_by_year(&[taken, &[vacation]].concat());
        for (&year, &days) in &after {
            let taken = before.get(&year).copied().unwrap_or(0);
            if days > DAYS_A_YEAR && days > taken {
                return Err(VacationError::OverBudget {
                    year,
                    taken,
                    wanted: days - taken,
                });
            }
        }
        Ok(vacation)
    }

    /// From the first instant of the first day to the last of the last, in the player's zone: the day on which the
    /// clocks are changed is shorter or longer there.
    pub fn window(self, zone: Tz) -> Window {
        let after = self.last.checked_add_days(Days::new(1)).unwrap_or(self.last);
        Window {
            from: day_begins(self.first, zone),
            until: day_begins(after, zone),
        }
    }

    fn days(self) -> impl Iterator<Item = NaiveDate> {
        self.first.iter_days().take_while(move |&day| day <= self.last)
    }
}

/// The days of vacation that are taken in each year, each day once.
pub fn days_by_year(vacations: &[Vacation]) -> BTreeMap<i32, u32> {
    let days: std::collections::BTreeSet<NaiveDate> = vacations.iter().flat_map(|vacation| vacation.days()).collect();
    let mut years = BTreeMap::new();
    for day in days {
        *years.entry(day.year()).or_insert(0) += 1;
    }
    years
}

fn date(text: &str) -> Result<NaiveDate, VacationError> {
    NaiveDate::parse_from_str(text.trim(), "%Y-%m-%d").map_err(|_| VacationError::NoSuchDate(text.to_string()))
}

fn today(now: i64, zone: Tz) -> NaiveDate {
    DateTime::from_timestamp(now, 0)
        .unwrap_or_default()
        .with_timezone(&zone)
        .date_naive()
}

/// The first instant of a day. Where midnight is skipped by a change of the clocks, the day begins at the first hour
/// that there is; where it comes twice, at the first of the two.
fn day_begins(day: NaiveDate, zone: Tz) -> i64 {
    (0..24)
        .filter_map(|hour| NaiveTime::from_hms_opt(hour, 0, 0))
        .find_map(|time| zone.from_local_datetime(&day.and_time(time)).earliest())
        .map_or_else(
            || day.and_time(NaiveTime::MIN).and_utc().timestamp(),
            |begins| begins.timestamp(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono_tz::{America, Asia, Europe};

    /// 2026-11-29T18:00:00Z.
    const NOW: i64 = 1_795_975_200;
    const DAY: i64 = 86_400;

    fn parse(first: &str, last: &str) -> Result<Vacation, VacationError> {
        Vacation::parse(first, last, NOW, Tz::UTC, &[])
    }

    fn days(first: &str, last: &str) -> Vacation {
        Vacation {
            first: first.parse().unwrap(),
            last: last.parse().unwrap(),
        }
    }

    #[test]
    fn both_days_are_inclusive_in_the_players_zone() {
        let vacation = parse("2026-12-20", "2027-01-03").unwrap();
        let utc = vacation.window(Tz::UTC);
        assert_eq!(utc.until - utc.from, 15 * DAY);
        assert_eq!(vacation.window(Asia::Seoul).from, utc.from - 9 * 3600);
    }

    #[test]
    fn a_day_of_changed_clocks_has_23_or_25_hours() {
        let spring = days("2027-03-28", "2027-03-28").window(Europe::Berlin);
        assert_eq!(spring.until - spring.from, 23 * 3600);
        let autumn = days("2027-10-31", "2027-10-31").window(Europe::Berlin);
        assert_eq!(autumn.until - autumn.from, 25 * 3600);
    }

    #[test]
    fn a_day_without_midnight_begins_at_one() {
        // Santiago went from 24:00 to 01:00 on 2026-09-06.
        let day = days("2026-09-06", "2026-09-06").window(America::Santiago);
        assert_eq!(day.until - day.from, 23 * 3600);
    }

    #[test]
    fn refuses_what_cannot_be() {
        assert_eq!(
            parse("2027-02-29", "2027-03-01"),
            Err(VacationError::NoSuchDate("2027-02-29".into()))
        );
        assert!(matches!(parse("soon", "2027-03-01"), Err(VacationError::NoSuchDate(_))));
        assert!(matches!(
            parse("2026-11-28", "2026-12-01"),
            Err(VacationError::Past { .. })
        ));
        assert!(matches!(
            parse("2026-12-02", "2026-12-01"),
            Err(VacationError::Backwards { .. })
        ));
        assert!(matches!(
            parse("2036-12-02", "2036-12-03"),
            Err(VacationError::TooFar(_))
        ));
    }

    #[test]
    fn today_is_not_past_and_depends_on_the_zone() {
        assert!(parse("2026-11-29", "2026-11-29").is_ok());
        // In Seoul it is the 30th already.
        let seoul = Vacation::parse("2026-11-29", "2026-11-30", NOW, Asia::Seoul, &[]);
        assert!(matches!(seoul, Err(VacationError::Past { .. })));
    }

    #[test]
    fn thirty_days_a_year_each_counted_once() {
        assert!(parse("2027-06-01", "2027-06-30").is_ok());
        let over = parse("2027-06-01", "2027-07-01");
        assert_eq!(
            over,
            Err(VacationError::OverBudget {
                year: 2027,
                taken: 0,
                wanted: 31
            })
        );
        let taken = [days("2027-01-01", "2027-01-20")];
        let again = |first, last| Vacation::parse(first, last, NOW, Tz::UTC, &taken);
        assert!(again("2027-01-11", "2027-01-30").is_ok());
        assert!(matches!(
            again("2027-01-11", "2027-01-31"),
            Err(VacationError::OverBudget {
                taken: 20,
                wanted: 11,
                ..
            })
        ));
        // 12 days of December and 30 of the next year.
        assert!(Vacation::parse("2026-12-20", "2027-01-30", NOW, Tz::UTC, &[]).is_ok());
    }
}
