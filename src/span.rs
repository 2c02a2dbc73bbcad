//! Lengths of time as people write them: `10d`, `36h`, `90m`, `1d12h`. Ground floor: every room may use it.

use std::fmt;
use std::str::FromStr;

/// A length of time in whole minutes, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    minutes: i64,
}

/// The text is no length of time, or longer than [`Span::MAX`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no length of time (write 10d, 36h, 90m or 1d12h)")]
pub struct BadSpan(pub String);

impl Span {
    /// Ten years: longer ones are slips of the keyboard, and sums of a few stay far from overflow.
    pub const MAX: Span = Span {
        minutes: 3653 * 24 * 60,
    };

    pub const fn minutes(minutes: i64) -> Self {
        Span { minutes }
    }

    pub const fn hours(hours: i64) -> Self {
        Span { minutes: hours * 60 }
    }

    pub const fn days(days: i64) -> Self {
        Span {
            minutes: days * 24 * 60,
        }
    }

    pub const fn seconds(self) -> i64 {
        self.minutes * 60
    }
}

impl FromStr for Span {
    type Err = BadSpan;

    fn from_str(text: &str) -> Result<Self, BadSpan> {
        let bad = || BadSpan(text.to_string());
        let mut minutes: i64 = 0;
        let mut number = String::new();
        let mut last_unit = i64::MAX;
        if text.is_empty() {
            return Err(bad());
        }
        for letter in text.chars() {
            if letter.is_ascii_digit() {
                number.push(letter);
                continue;
            }
            let unit = match letter.to_ascii_lowercase() {
                'w' => 7 * 24 * 60,
                'd' => 24 * 60,
                'h' => 60,
                'm' => 1,
                _ => return Err(bad()),
            };
            // Each unit once, the greater first: `1d12h`, not `12h1d` or `1d2d`.
            if unit >= last_unit {
                return Err(bad());
            }
            last_unit = unit;
            let count: i64 = number.parse().map_err(|_| bad())?;
            number.clear();
            minutes = count
                .checked_mul(unit)
                .and_then(|more| minutes.checked_add(more))
                .ok_or_else(bad)?;
        }
        let span = Span { minutes };
        if number.is_empty() && span <= Span::MAX {
            Ok(span)
        } else {
            Err(bad())
        }
    }
}

impl fmt::Display for Span {
    /// The shortest text that reads back as the same span: `36h` stays `36h`, whole days from 2 days on are days.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        match (hours, minutes) {
            (0, minutes) => write!(f, "{minutes}m"),
            (hours, 0) if hours % 24 == 0 => write!(f, "{}d", hours / 24),
            (hours, 0) => write!(f, "{hours}h"),
            (hours, minutes) => write!(f, "{hours}h{minutes}m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        for (text, minutes, written) in [
            ("10d", 14400, "10d"),
            ("36h", 2160, "36h"),
            ("90m", 90, "1h30m"),
            ("1d12h", 2160, "36h"),
            ("1w", 10080, "7d"),
            ("0m", 0, "0m"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!(span, Span::minutes(minutes));
            assert_eq!(span.to_string(), written);
            assert_eq!(written.parse::<Span>().unwrap(), span);
        }
    }

    #[test]
    fn refuses_what_is_no_span() {
        for text in [
            "",
            "10",
            "d",
            "-1d",
            "1x",
            "1h1d",
            "1d2d",
            "99999999999999999999d",
            "4000d",
            "1.5d",
            "1 d",
        ] {
            assert_eq!(text.parse::<Span>(), Err(BadSpan(text.to_string())), "{text}");
        }
    }
}
