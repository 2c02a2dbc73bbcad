//! Accounts: opening and closing them, addresses, settings, passwords, vacations, profiles.

use super::{Outcome, Speaker};
use crate::language::{BadUserid, Command, Line, check_userid};
use crate::letters::{Attachment, File};
use crate::matches::Mark;
use crate::server::questions::{Asked, NewAccount};
use crate::server::sayings::Fault;
use crate::server::secrets::hash_password;
use crate::server::session::{Session, Who};
use crate::server::{Result, drafts};
use crate::store::{MailMode, Player, PlayerId, QuestionKind, Settings};
use chrono_tz::Tz;
use serde_json::{Value, json};

/// One question to an address in this time, in seconds: the server is nobody's means to annoy others.
const ADDRESS_REST: i64 = 24 * 3600;
/// Questions of a player that may wait for their `yes` at once.
const MOST_QUESTIONS: usize = 5;

impl Session<'_> {
    pub(super) fn account(&mut self, speaker: &mut Speaker, line: &Line, player: Option<&Player>) -> Result<Outcome> {
        if let Command::Signup {
            userid,
            password,
            addresses,
        } = &line.command
        {
            return self.signup(speaker, line, userid, password.as_deref(), addresses);
        }
        match (&line.command, player) {
            (Command::Who { userid }, _) => self.who(speaker, line, userid),
            // Nobody's mails are ended by who only writes in his name.
            (Command::Stop, None) if self.tx.player_at(&speaker.address)?.is_none() => self.stop(speaker),
            (Command::Stop, None) => {
                self.refuse(speaker, line, None, Fault::NotAllowed, "stop-has-account", json!({}));
                Ok(Outcome::FAILED)
            }
            (Command::Yes, _) => {
                self.refuse(speaker, line, None, Fault::NotAllowed, "nothing-to-confirm", json!({}));
                Ok(Outcome::FAILED)
            }
            (_, None) => {
                self.refuse(speaker, line, None, Fault::NotAllowed, "no-account", json!({}));
                Ok(Outcome::FAILED)
            }
            (_, Some(player)) => self.own_account(speaker, line, player),
        }
    }

    fn own_account(&mut self, speaker: &mut Speaker, line: &Line, player: &Player) -> Result<Outcome> {
        match &line.command {
            Command::AddAddress { address } => self.ask_address(speaker, player.id, address),
            Command::RemoveAddress { address } => self.remove_address(speaker, line, player, address),
            Command::Set { setting: None } => self.whoami(speaker, player),
            Command::Set {
                setting: Some((key, value)),
            } => self.set(speaker, line, player, key, value),
            Command::Password { new } => {
                let hash = new.as_deref().map(hash_password).transpose()?;
                self.tx.set_password(player.id, hash.as_deref())?;
                let key = if hash.is_some() { "password-set" } else { "password-off" };
                self.tell_speaker(speaker, key, json!({}));
                Ok(Outcome::DONE)
            }
            Command::NewKey => {
                self.tx.revoke_keys(player.id)?;
                self.tell_speaker(speaker, "new-key", json!({}));
                Ok(Outcome::DONE)
            }
            Command::Vacation => {
                self.tell_vacation(speaker, player)?;
                Ok(Outcome::DONE)
            }
            Command::VacationOff => self.vacation_off(speaker, player),
            Command::VacationFrom { first, last } => self.vacation(speaker, line, player, first, last),
            Command::WhoAmI => self.whoami(speaker, player),
            Command::MyData => self.mydata(speaker, player),
            Command::SignOff => self.ask_signoff(speaker, player),
            Command::Stop => {
                self.refuse(speaker, line, None, Fault::NotAllowed, "stop-has-account", json!({}));
                Ok(Outcome::FAILED)
            }
            _ => Ok(Outcome::FAILED),
        }
    }

    fn signup(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        userid: &str,
        password: Option<&str>,
        addresses: &[String],
    ) -> Result<Outcome> {
        let obstacle = if let Some(player) = &speaker.player {
            Some(("has-account", json!({ "userid": player.userid })))
        } else if self.tx.player_at(&speaker.address)?.is_some() {
            Some(("address-has-account", json!({})))
        } else if let Err(bad) = check_userid(userid) {
            Some((userid_fault(bad), json!({ "userid": userid })))
        } else if self.tx.player_named(userid)?.is_some() {
            Some(("userid-taken", json!({ "userid": userid })))
        } else {
            None
        };
        if let Some((key, context)) = obstacle {
            self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
            return Ok(Outcome::FAILED);
        }
        let account = NewAccount {
            userid: userid.to_string(),
            password: password.map(hash_password).transpose()?,
            addresses: addresses
                .iter()
                .filter(|address| !address.eq_ignore_ascii_case(&speaker.address))
                .cloned()
                .collect(),
            language: self.heard.clone(),
        };
        if speaker.address_proved {
            let player = self.open_account(&speaker.who, &speaker.address, &account)?;
            speaker.who = Who::Player(player.id);
            speaker.player = Some(player);
        } else {
            self.ask(
                Asked {
                    who: Who::Stranger(speaker.address.clone()),
                    kind: QuestionKind::Signup,
                    player: None,
                    address: Some(speaker.address.clone()),
                    body: serde_json::to_value(&account)?,
                    inbox: None,
                },
                "question-signup",
                json!({ "userid": account.userid }),
            )?;
        }
        Ok(Outcome::DONE)
    }

    /// Opens an account whose first address is proved, and welcomes its player.
    pub(in crate::server) fn open_account(
        &mut self,
        page: &Who,
        address: &str,
        account: &NewAccount,
    ) -> Result<Player> {
        let id = self
            .tx
            .add_player(&account.userid, address, account.password.as_deref(), self.now)?;
        if let Some(language) = account.language.as_ref().or(self.heard.as_ref()) {
            let settings = Settings {
                language: Some(language.clone()),
                ..Settings::default()
            };
            self.tx.set_settings(id, &settings)?;
        }
        self.tx.adopt_invitations(address, id)?;
        self.tx.forget_stranger(address)?;
        self.move_page(page, &Who::Player(id));
        self.welcome_later(id);
        for address in &account.addresses {
            self.send_address_question(id, address)?;
        }
        let player = self.tx.player(id)?;
        player.ok_or_else(|| crate::server::ServerError::Broken("a new account is not there".to_string()))
    }

    fn ask_address(&mut self, speaker: &Speaker, player: PlayerId, address: &str) -> Result<Outcome> {
        self.send_address_question(player, address)?;
        self.tell_speaker(speaker, "address-asked", json!({ "address": address }));
        Ok(Outcome::DONE)
    }

    /// Asks at a further address whether it is the player's. One that has an account already gets no mail, and the
    /// player is not told: whose it is concerns nobody.
    fn send_address_question(&mut self, player: PlayerId, address: &str) -> Result<()> {
        let (written, stopped) = self.tx.stranger(address)?;
        let rests = written.is_some_and(|at| self.now - at < ADDRESS_REST);
        let too_many = self.tx.waiting_questions(Some(player), None)?.len() >= MOST_QUESTIONS;
        let is_own = self.server.address.is_own(address);
        if stopped || rests || too_many || is_own || self.tx.player_at(address)?.is_some() {
            return Ok(());
        }
        self.tx.note_invited(address, self.now)?;
        let userid = self.userid(player)?;
        self.ask(
            Asked {
                who: Who::Stranger(address.to_string()),
                kind: QuestionKind::Address,
                player: Some(player),
                address: Some(address.to_string()),
                body: json!({}),
                inbox: None,
            },
            "question-address",
            json!({ "userid": userid }),
        )
    }

    fn remove_address(&mut self, speaker: &Speaker, line: &Line, player: &Player, address: &str) -> Result<Outcome> {
        let addresses = self.tx.addresses(player.id)?;
        let key = if !addresses.iter().any(|own| own.address.eq_ignore_ascii_case(address)) {
            "not-your-address"
        } else if addresses.len() == 1 {
            "last-address"
        } else {
            self.tx.remove_address(player.id, address)?;
            self.tell_speaker(speaker, "address-removed", json!({ "address": address }));
            return Ok(Outcome::DONE);
        };
        self.refuse(
            speaker,
            line,
            None,
            Fault::NotAllowed,
            key,
            json!({ "address": address }),
        );
        Ok(Outcome::FAILED)
    }

    fn set(&mut self, speaker: &Speaker, line: &Line, player: &Player, key: &str, value: &str) -> Result<Outcome> {
        let mut settings = match self.tx.player(player.id)? {
            Some(player) => player.settings,
            None => return Ok(Outcome::FAILED),
        };
        let switch = || match value {
            "on" | "yes" => Some(true),
            "off" | "no" => Some(false),
            _ => None,
        };
        let changed: Option<()> = match key {
            "language" => self
                .server
                .templates
                .languages()
                .find(|language| *language == value)
                .map(|language| settings.language = Some(language.to_string())),
            "timezone" => zone_named(value).map(|zone| settings.timezone = Some(zone.name().to_string())),
            "mail" => mail_mode(value).map(|(mode, hour)| {
                settings.mail = mode;
                settings.digest_hour = hour.or(settings.digest_hour);
            }),
            "board" => ["ascii", "unicode", "list"]
                .contains(&value)
                .then(|| settings.board = Some(value.to_string())),
            "reminders" => marks(value).map(|marks| settings.reminders = Some(marks)),
            "autoaccept" => switch().map(|on| settings.autoaccept = on),
            "html" => switch().map(|on| settings.html = Some(on)),
            "picture" => switch().map(|on| settings.picture = Some(on)),
            "limit" => limit(value).map(|(game, most)| match most {
                Some(most) => {
                    settings.limits.insert(game, most);
                }
                None => {
                    settings.limits.remove(&game);
                }
            }),
            _ => {
                self.refuse(
                    speaker,
                    line,
                    None,
                    Fault::NotUnderstood,
                    "unknown-setting",
                    json!({ "key": key }),
                );
                return Ok(Outcome::FAILED);
            }
        };
        if changed.is_none() {
            let context = json!({ "key": key, "value": value });
            self.refuse(speaker, line, None, Fault::NotUnderstood, "setting-value", context);
            return Ok(Outcome::FAILED);
        }
        self.tx.set_settings(player.id, &settings)?;
        let context = json!({ "key": key, "value": kept(&settings, key, value) });
        self.tell_speaker(speaker, "setting-set", context);
        Ok(Outcome::DONE)
    }

    fn whoami(&mut self, speaker: &Speaker, player: &Player) -> Result<Outcome> {
        let Some(player) = self.tx.player(player.id)? else {
            return Ok(Outcome::FAILED);
        };
        let addresses: Vec<Value> = self
            .tx
            .addresses(player.id)?
            .into_iter()
            .map(|address| json!({ "address": address.address, "main": address.main, "failing": address.failing }))
            .collect();
        let context = json!({
            "userid": player.userid,
            "created": player.created,
            "addresses": addresses,
            "password": player.password.is_some(),
            "settings": settings_context(&player),
            "blocked": self.tx.blocked_by(player.id)?,
        });
        let page = self.page(&speaker.who);
        page.item("whoami", context);
        page.subject("whoami", minijinja::context! {});
        self.tell_vacation(speaker, &player)?;
        Ok(Outcome::DONE)
    }

    /// A player's public profile.
    fn who(&mut self, speaker: &Speaker, line: &Line, userid: &str) -> Result<Outcome> {
        let Some(other) = self.tx.player_named(userid)? else {
            self.refuse(
                speaker,
                line,
                None,
                Fault::NotAllowed,
                "no-such-player",
                json!({ "userid": userid }),
            );
            return Ok(Outcome::FAILED);
        };
        let mut ratings = Vec::new();
        for game in crate::games::GAMES {
            if let Some(rating) = self.tx.rating(other.id, game.info.name)? {
                ratings.push(super::looking::rating_context(game.info.title, &rating));
            }
        }
        let filter = crate::store::Filter {
            userids: vec![other.userid.clone()],
            ..Default::default()
        };
        let away = self
            .tx
            .vacations(other.id, self.now)?
            .into_iter()
            .find(|vacation| vacation.start <= self.now)
            .map(|vacation| vacation.last);
        let (finished, on_time) = self.tx.on_time(&other.userid)?;
        let context = json!({
            "userid": other.userid,
            "since": other.created,
            "closed": other.closed,
            "running": self.tx.matches_of(other.id)?.len(),
            "finished": self.tx.count_archive(&filter)?,
            "on_time": (finished > 0).then(|| 100 * on_time / finished),
            "ratings": ratings,
            "away": away,
        });
        let page = self.page(&speaker.who);
        page.item("who", context);
        page.subject("who", minijinja::context! { userid => other.userid });
        Ok(Outcome::DONE)
    }

    /// Everything that is stored on the player.
    fn mydata(&mut self, speaker: &Speaker, player: &Player) -> Result<Outcome> {
        let Some(player) = self.tx.player(player.id)? else {
            return Ok(Outcome::FAILED);
        };
        let addresses: Vec<Value> = self
            .tx
            .addresses(player.id)?
            .into_iter()
            .map(|address| json!({ "address": address.address, "proved": address.proved, "main": address.main }))
            .collect();
        let mut running = Vec::new();
        for row in self.tx.matches_of(player.id)? {
            if let Some(live) = self.live(row.number)? {
                let seat = live.seat_of(player.id);
                let notes: Vec<Value> = seat
                    .into_iter()
                    .flat_map(|seat| live.game().notes(seat))
                    .map(|note| json!({ "at": note.at, "text": note.text }))
                    .collect();
                running.push(json!({ "match": live.game().json(), "notes": notes }));
            }
        }
        let filter = crate::store::Filter {
            userids: vec![player.userid.clone()],
            private_all: true,
            ..Default::default()
        };
        let finished: Vec<u32> = self.tx.search_archive(&filter)?.iter().map(|row| row.number).collect();
        let mut ratings = serde_json::Map::new();
        for game in crate::games::GAMES {
            if let Some(rating) = self.tx.rating(player.id, game.info.name)? {
                ratings.insert(
                    game.info.name.to_string(),
                    super::looking::rating_context(game.info.title, &rating),
                );
            }
        }
        let data = json!({
            "userid": player.userid,
            "created": player.created,
            "addresses": addresses,
            "password": player.password.is_some(),
            "settings": player.settings,
            "blocked": self.tx.blocked_by(player.id)?,
            "vacations": self.tx.vacations(player.id, 0)?.iter()
                .map(|vacation| json!({ "first": vacation.first, "last": vacation.last })).collect::<Vec<_>>(),
            "ratings": ratings,
            "running": running,
            "finished": finished,
        });
        let page = self.page(&speaker.who);
        page.item("mydata", json!({}));
        page.subject("mydata", minijinja::context! {});
        page.attachments.push(Attachment {
            name: format!("{}.json", player.userid),
            content_type: "application/json".to_string(),
            file: File::Text(serde_json::to_string_pretty(&data)?),
        });
        Ok(Outcome::DONE)
    }

    fn ask_signoff(&mut self, speaker: &Speaker, player: &Player) -> Result<Outcome> {
        let running = self.tx.matches_of(player.id)?.len();
        self.ask(
            Asked {
                who: speaker.who.clone(),
                kind: QuestionKind::Signoff,
                player: Some(player.id),
                address: None,
                body: json!({}),
                inbox: None,
            },
            "question-signoff",
            json!({ "userid": player.userid, "running": running }),
        )?;
        Ok(Outcome::DONE)
    }

    /// `stop` from an address without an account: no mail goes there any more after this one.
    fn stop(&mut self, speaker: &Speaker) -> Result<Outcome> {
        let page = self.page(&speaker.who);
        page.item("stopped", json!({}));
        page.subject("stopped", minijinja::context! {});
        self.stop_later(speaker.address.clone());
        Ok(Outcome::DONE)
    }
}

/// The word for what is wrong with a userid.
fn userid_fault(bad: BadUserid) -> &'static str {
    match bad {
        BadUserid::TooShort | BadUserid::TooLong => "userid-length",
        BadUserid::Beginning | BadUserid::Letter(_) => "userid-letters",
        BadUserid::Command => "userid-command",
        BadUserid::Game => "userid-game",
        BadUserid::Cell => "userid-cell",
    }
}

/// The settings as templates list them.
fn settings_context(player: &Player) -> Value {
    let settings = &player.settings;
    let reader = drafts::reader_of(settings);
    let marks: Vec<String> = drafts::marks_of(settings).iter().map(ToString::to_string).collect();
    json!({
        "language": reader.language,
        "timezone": reader.timezone.name(),
        "mail": settings.mail,
        "digest_hour": settings.digest_hour,
        "board": reader.board,
        "reminders": marks,
        "autoaccept": settings.autoaccept,
        "limits": settings.limits,
        "html": reader.html,
        "picture": reader.picture,
    })
}

/// A setting as it was kept, which is how it is told; `value` is how it was written.
fn kept(settings: &Settings, key: &str, value: &str) -> String {
    let switch = |on: bool| if on { "on" } else { "off" }.to_string();
    match key {
        "timezone" => settings.timezone.clone().unwrap_or_default(),
        "reminders" => match settings.reminders.as_deref() {
            None | Some([]) => switch(false),
            Some(marks) => marks.join(" "),
        },
        "autoaccept" => switch(settings.autoaccept),
        "html" => switch(settings.html.unwrap_or(true)),
        "picture" => switch(settings.picture.unwrap_or(false)),
        "limit" => match limit(value) {
            Some((game, Some(most))) => format!("{game} {most}"),
            Some((game, None)) => format!("{game} off"),
            None => value.to_string(),
        },
        _ => value.to_string(),
    }
}

/// `each`, `digest`, `digest 18` (the hour in the player's zone), `reminders`.
fn mail_mode(value: &str) -> Option<(MailMode, Option<u32>)> {
    let (word, hour) = match value.split_once(' ') {
        Some((word, hour)) => (word, Some(hour.parse().ok().filter(|hour| *hour < 24)?)),
        None => (value, None),
    };
    match word {
        "each" if hour.is_none() => Some((MailMode::Each, None)),
        "digest" => Some((MailMode::Digest, hour)),
        "reminders" if hour.is_none() => Some((MailMode::Reminders, None)),
        _ => None,
    }
}

/// Reminder marks as they are stored; `off` is none.
fn marks(value: &str) -> Option<Vec<String>> {
    if value == "off" || value == "none" {
        return Some(Vec::new());
    }
    let words = value.split([' ', ',']).filter(|word| !word.is_empty());
    let marks: Option<Vec<String>> = words
        .map(|word| word.parse::<Mark>().ok().map(|mark| mark.to_string()))
        .collect();
    marks.filter(|marks| !marks.is_empty() && marks.len() <= MOST_MARKS)
}

/// Reminders of one turn that a player may set.
const MOST_MARKS: usize = 6;

/// `susan 5`, or `susan off`.
fn limit(value: &str) -> Option<(String, Option<u32>)> {
    let (game, most) = value.split_once(' ')?;
    let game = crate::games::find(game)?.info.name.to_string();
    match most.trim() {
        "off" | "none" => Some((game, None)),
        number => Some((game, Some(number.parse().ok()?))),
    }
}

/// The time zone of that name, in any case of letters.
fn zone_named(name: &str) -> Option<Tz> {
    chrono_tz::TZ_VARIANTS
        .iter()
        .copied()
        .find(|zone| zone.name().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        assert_eq!(mail_mode("digest 18"), Some((MailMode::Digest, Some(18))));
        assert_eq!(mail_mode("digest 24"), None);
        assert_eq!(limit("susan 5"), Some(("susan".to_string(), Some(5))));
        assert_eq!(limit("chess 5"), None);
        assert_eq!(marks("50% 1d"), Some(vec!["50%".to_string(), "1d".to_string()]));
        assert_eq!(marks("soon"), None);
        assert_eq!(marks("off"), Some(Vec::new()));
    }
}
