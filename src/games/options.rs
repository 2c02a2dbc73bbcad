//! What the games share in reading their options: `-side=6`, `-large`.

use super::notation::read_number;
use super::{Info, OptionError, RawOptions};
use std::ops::RangeInclusive;

/// Refuses options that the game does not have, and an option that stands twice with different values.
pub fn check(info: &Info, raw: &RawOptions) -> Result<(), OptionError> {
    for (place, (name, value)) in raw.iter().enumerate() {
        if !info.options.iter().any(|option| option.name == name) {
            let known: Vec<String> = info.options.iter().map(|option| format!("-{}", option.name)).collect();
            return Err(OptionError::Unknown {
                game: info.name,
                name: name.clone(),
                known: known.join(" "),
            });
        }
        let other = raw[..place]
            .iter()
            .find(|(earlier, other)| earlier == name && other != value);
        if let Some((_, other)) = other {
            return Err(OptionError::Conflict {
                first: spell(name, other.as_deref()),
                second: spell(name, value.as_deref()),
            });
        }
    }
    Ok(())
}

/// The whole number that an option gives, if it stands.
pub fn number(raw: &RawOptions, name: &str, allowed: RangeInclusive<u32>) -> Result<Option<u32>, OptionError> {
    let words = format!("{} … {}", allowed.start(), allowed.end());
    value(raw, name, &words, |text| {
        read_number(text).filter(|number| allowed.contains(number))
    })
}

/// What `read` makes of the value of an option, if it stands; `allowed` says what it takes.
pub fn value<T>(
    raw: &RawOptions,
    name: &str,
    allowed: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, OptionError> {
    let Some((_, value)) = raw.iter().find(|(given, _)| given == name) else {
        return Ok(None);
    };
    let Some(value) = value else {
        return Err(OptionError::Missing {
            name: name.to_string(),
            allowed: allowed.to_string(),
        });
    };
    read(value).map(Some).ok_or_else(|| OptionError::Value {
        name: name.to_string(),
        value: value.clone(),
        allowed: allowed.to_string(),
    })
}

/// Whether an option without a value stands.
pub fn flag(raw: &RawOptions, name: &str) -> Result<bool, OptionError> {
    match raw.iter().find(|(given, _)| given == name) {
        None => Ok(false),
        Some((_, None)) => Ok(true),
        Some((_, Some(_))) => Err(OptionError::Flag { name: name.to_string() }),
    }
}

fn spell(name: &str, value: Option<&str>) -> String {
    value.map_or(name.to_string(), |value| format!("{name}={value}"))
}
