//! From what there is to say to composed mails in the outbox: one for each person.

use super::digests::{Route, route};
use super::live::Live;
use super::secrets::random_key;
use super::session::{Page, Section, Session, Who};
use super::{Result, Server};
use crate::letters::{
    Auto, BoardStyle, Composed, Draft, Item, MatchInfo, MatchState, MatchSubject, MatchView, Message, News, Reader,
    Subject, compose, message_id,
};
use crate::mail::Inbound;
use crate::matches::{Mark, Verdict};
use crate::store::{NewMail, NewSent, PackedMail, Player, PlayerId, Purpose, Settings, Tx};
use std::collections::BTreeMap;
use std::sync::mpsc;

/// Reminder marks of a player who has set none (LANGUAGE.md 7, Exact point 8).
const DEFAULT_MARKS: [&str; 3] = ["50%", "20%", "1d"];

/// A player's own reminder marks.
pub(super) fn marks_of(settings: &Settings) -> Vec<Mark> {
    match &settings.reminders {
        Some(marks) => marks.iter().filter_map(|mark| mark.parse().ok()).collect(),
        None => DEFAULT_MARKS.iter().filter_map(|mark| mark.parse().ok()).collect(),
    }
}

/// For whom a player's mails are written.
pub(super) fn reader_of(settings: &Settings) -> Reader {
    let default = Reader::default();
    Reader {
        language: settings.language.clone().unwrap_or(default.language),
        timezone: zone_of(settings),
        board: match settings.board.as_deref() {
            Some("unicode") => BoardStyle::Unicode,
            Some("list") => BoardStyle::List,
            _ => BoardStyle::Ascii,
        },
        html: settings.html.unwrap_or(true),
        picture: settings.picture.unwrap_or(false),
    }
}

/// As [`reader_of`], in the language that was heard where none is set.
pub(super) fn reader_heard(settings: &Settings, heard: Option<&str>) -> Reader {
    let reader = reader_of(settings);
    match (&settings.language, heard) {
        (None, Some(heard)) => Reader {
            language: heard.to_string(),
            ..reader
        },
        _ => reader,
    }
}

/// The player's time zone; UTC where none is set.
pub(super) fn zone_of(settings: &Settings) -> chrono_tz::Tz {
    settings
        .timezone
        .as_deref()
        .and_then(|zone| zone.parse().ok())
        .unwrap_or(chrono_tz::UTC)
}

/// Everything about one reader that making his mail needs.
struct Addressee {
    player: Option<Player>,
    address: String,
    reader: Reader,
}

/// A mail that is yet to be composed and put into the outbox. How an answer to it is known is remembered already.
pub(super) struct Sending {
    draft: Draft,
    player: Option<PlayerId>,
    kind: &'static str,
    stale_after: Option<i64>,
}

/// A composed mail, ready for the outbox.
pub(super) struct Ready {
    composed: Composed,
    raw: PackedMail,
    player: Option<PlayerId>,
    kind: &'static str,
    stale_after: Option<i64>,
}

impl Ready {
    pub fn put_out(&self, tx: &Tx, now: i64) -> Result<()> {
        tx.put_out(&NewMail {
            recipient: &self.composed.recipient,
            envelope_from: self.composed.envelope_from.as_deref(),
            message_id: &self.composed.message_id,
            player: self.player,
            kind: self.kind,
            stale_after: self.stale_after,
            raw: &self.raw,
            now,
        })?;
        Ok(())
    }
}

impl Server {
    /// Saves the matches that the session touched, and puts a mail for each page into the outbox. `answered` is the
    /// mail that the answer belongs to.
    pub(super) fn send_pages(&self, session: Session, answered: Option<&Inbound>) -> Result<()> {
        let (tx, now) = (session.tx, session.now);
        let sendings = self.close(session, answered)?;
        self.put_out(tx, &sendings, now)
    }

    /// Saves the matches that the session touched; gives the mails that are to go out, one for each page.
    pub(super) fn close(&self, mut session: Session, answered: Option<&Inbound>) -> Result<Vec<Sending>> {
        session.welcome_newcomers()?;
        let (tx, now) = (session.tx, session.now);
        let mut work = session.into_work();
        for live in work.matches.values_mut() {
            self.save(tx, live, now)?;
        }
        let mut sendings = Vec::new();
        for page in work.pages {
            sendings.extend(self.sending(tx, page, &work.matches, work.heard.as_deref(), answered, now)?);
        }
        for player in work.closing {
            tx.close_player(player, now)?;
        }
        for address in work.stopping {
            tx.set_stopped(&address, now)?;
        }
        Ok(sendings)
    }

    fn compose(&self, sending: &Sending) -> Result<Ready> {
        let composed = compose(&sending.draft, &self.address, &self.templates)?;
        Ok(Ready {
            player: sending.player,
            kind: sending.kind,
            stale_after: sending.stale_after,
            raw: PackedMail::new(&composed.bytes),
            composed,
        })
    }

    /// Composes mails, and puts them into the outbox in their order.
    pub(super) fn put_out(&self, tx: &Tx, sendings: &[Sending], now: i64) -> Result<()> {
        let mut ready = sendings.iter().map(|sending| self.compose(sending));
        ready.try_for_each(|ready| ready?.put_out(tx, now))
    }

    /// Does `work`, and has other threads compose meanwhile what it hands over. Composing takes as long as all the rest,
    /// and each mail is made of its draft alone.
    ///
    /// # Errors
    ///
    /// What `work` gives, or else the first mail that cannot be made.
    pub(super) fn composing<T>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(Vec<Sending>)) -> Result<T>,
    ) -> Result<(T, Vec<Ready>)> {
        let (done, ready) = mpsc::channel();
        let worked = rayon::in_place_scope(|scope| {
            let mut places = 0..;
            work(&mut |sendings| {
                for (place, sending) in places.by_ref().zip(sendings) {
                    let done = done.clone();
                    scope.spawn(move |_| {
                        // The other end is there until all have come.
                        let _ = done.send((place, self.compose(&sending)));
                    });
                }
            })
        });
        drop(done);
        let mut ready: Vec<(u64, Result<Ready>)> = ready.iter().collect();
        ready.sort_by_key(|(place, _)| *place);
        let ready = ready.into_iter().map(|(_, ready)| ready).collect::<Result<_>>();
        Ok((worked?, ready?))
    }

    fn save(&self, tx: &Tx, live: &mut Live, now: i64) -> Result<()> {
        let marks = match live.player_to_move() {
            Some(player) => tx
                .player(player)?
                .map(|player| marks_of(&player.settings))
                .unwrap_or_default(),
            None => Vec::new(),
        };
        if live.save(tx, &marks)? {
            self.rate(tx, live, now)?;
        }
        Ok(())
    }

    /// The mail that a page becomes; `None` where none goes out now.
    fn sending(
        &self,
        tx: &Tx,
        mut page: Page,
        matches: &BTreeMap<u32, Live>,
        heard: Option<&str>,
        answered: Option<&Inbound>,
        now: i64,
    ) -> Result<Option<Sending>> {
        if page.sections.is_empty() && page.attachments.is_empty() {
            return Ok(None);
        }
        let Some(to) = self.addressee(tx, &page, heard)? else {
            return Ok(None);
        };
        if page.only_reminds() {
            page.kind = "reminder";
        } else if page.reminds() {
            // News are worth telling after the deadline too.
            page.stale_after = None;
        }
        match to.player.as_ref().map_or(Route::Now, |player| route(&page, player)) {
            Route::Now => {}
            Route::Digest => {
                self.keep_for_digest(tx, &page, &to, matches, now)?;
                return Ok(None);
            }
            Route::Nothing => return Ok(None),
        }
        let answered = answered.filter(|_| page.kind == "answer");
        let about = self.match_of(&page, matches);
        let items = self.items(tx, &page, &to, matches, now)?;
        let player = to.player.as_ref().map(|player| player.id);
        let (purpose, reference, turn) = match (about, page.purpose) {
            (_, Some((purpose, reference))) => (purpose, reference, None),
            (Some(live), None) => (Purpose::Match, Some(i64::from(live.number())), Some(next_turn(live))),
            (None, None) => (Purpose::Account, None, None),
        };
        let (key, secret, bounce) = (random_key()?, random_key()?, random_key()?);
        let id = message_id(
            page.kind,
            about.map(Live::number),
            about.map(next_turn),
            &secret,
            self.address.domain(),
        );
        let (in_reply_to, references) = self.thread(tx, player, about, answered)?;
        // A stranger's wrong line is answered with an empty envelope sender, and no key: there is nothing to prove.
        let has_key = player.is_some() || matches!(purpose, Purpose::Question | Purpose::Invitation);
        if has_key {
            tx.remember_sent(&NewSent {
                player,
                address: player.is_none().then_some(to.address.as_str()),
                purpose,
                reference,
                turn,
                key: &key,
                message_secret: &secret,
                bounce_key: Some(&bounce),
                now,
            })?;
        }
        if let (Some(player), Some(live)) = (player, about) {
            tx.extend_thread(player, live.number(), &id)?;
        }
        let draft = Draft {
            subject: self.subject(&page, about, &to),
            to_address: to.address,
            items,
            reply_key: has_key.then_some(key),
            bounce_key: has_key.then_some(bounce),
            auto: if page.kind == "answer" {
                Auto::Replied
            } else {
                Auto::Generated
            },
            match_info: about.map(match_info),
            answers_match: about.filter(|_| purpose == Purpose::Match).map(Live::number),
            message_id: id,
            in_reply_to,
            references,
            attachments: page.attachments,
            date: now,
            list_unsubscribe: matches!(page.kind, "reminder" | "digest").then_some("set mail reminders"),
            reader: to.reader,
        };
        Ok(Some(Sending {
            draft,
            player,
            kind: page.kind,
            stale_after: page.stale_after,
        }))
    }

    /// Where a page goes and how it reads; `None` for a player who has no address any more, and for an address that
    /// wants no mail. `heard` is the language of the mail that is answered.
    fn addressee(&self, tx: &Tx, page: &Page, heard: Option<&str>) -> Result<Option<Addressee>> {
        match &page.who {
            Who::Player(id) => {
                let (Some(player), Some(address)) = (tx.player(*id)?, tx.mail_address(*id)?) else {
                    return Ok(None);
                };
                let reader = match page.kind {
                    "answer" => reader_heard(&player.settings, heard),
                    _ => reader_of(&player.settings),
                };
                Ok(Some(Addressee {
                    player: Some(player),
                    address,
                    reader,
                }))
            }
            Who::Stranger(address) => {
                let (_, stopped) = tx.stranger(address)?;
                Ok((!stopped).then(|| Addressee {
                    player: None,
                    address: address.clone(),
                    // He has written himself, or is told of what somebody did whom he knows. He gets text alone.
                    reader: Reader {
                        html: false,
                        ..reader_heard(&Settings::default(), heard)
                    },
                }))
            }
        }
    }

    /// The match that a page is about: the only one, or of several the first in which it is the reader's turn, else the
    /// first.
    fn match_of<'m>(&self, page: &Page, matches: &'m BTreeMap<u32, Live>) -> Option<&'m Live> {
        let lives: Vec<&Live> = page
            .sections
            .iter()
            .filter_map(|section| match section {
                Section::Match(number) => matches.get(number),
                _ => None,
            })
            .collect();
        let is_his_turn = |live: &&&Live| {
            let to_move = live.player_to_move().map(Who::Player);
            to_move.as_ref() == Some(&page.who)
        };
        lives.iter().find(is_his_turn).or(lives.first()).copied()
    }

    fn subject(&self, page: &Page, about: Option<&Live>, to: &Addressee) -> Subject {
        match (about, &page.subject) {
            (Some(live), _) => Subject::Match(match_subject(live, to.player.as_ref())),
            (None, Some((key, context))) => Subject::Text {
                key,
                context: context.clone(),
            },
            (None, None) => Subject::Text {
                key: "answer",
                context: minijinja::Value::UNDEFINED,
            },
        }
    }

    /// In-Reply-To and References: the mail that is answered, and the thread of the match for this reader.
    fn thread(
        &self,
        tx: &Tx,
        player: Option<PlayerId>,
        about: Option<&Live>,
        answered: Option<&Inbound>,
    ) -> Result<(Option<String>, Vec<String>)> {
        let thread = match (player, about) {
            (Some(player), Some(live)) => tx.thread(player, live.number())?,
            _ => None,
        };
        let mut references: Vec<String> = Vec::new();
        if let Some(thread) = &thread {
            references.push(thread.first.clone());
            if thread.last != thread.first {
                references.push(thread.last.clone());
            }
        }
        let theirs = answered
            .and_then(|inbound| inbound.message_id.as_ref())
            .map(|id| format!("<{id}>"));
        references.extend(theirs.clone());
        Ok((theirs.or(thread.map(|thread| thread.last)), references))
    }

    /// What a page says of a match, in one paragraph.
    fn headline(&self, page: &Page, live: &Live, reader: &Reader) -> Result<String> {
        let mut sentences = Vec::new();
        for saying in page.sayings.get(&live.number()).into_iter().flatten() {
            let words = self.say(saying, Some(live), reader)?;
            if !words.trim().is_empty() {
                sentences.push(words.trim().to_string());
            }
        }
        Ok(sentences.join(" "))
    }

    /// Keeps a page for the player's digest, in words already: they tell what happened now.
    fn keep_for_digest(
        &self,
        tx: &Tx,
        page: &Page,
        to: &Addressee,
        matches: &BTreeMap<u32, Live>,
        now: i64,
    ) -> Result<()> {
        let Some(player) = &to.player else {
            return Ok(());
        };
        for section in &page.sections {
            let (number, text) = match section {
                Section::Match(number) => match matches.get(number) {
                    Some(live) => (Some(*number), self.headline(page, live, &to.reader)?),
                    None => continue,
                },
                Section::Saying(saying) => (None, self.say(saying, None, &to.reader)?),
                Section::Message { about, from, text } => {
                    let context = serde_json::json!({ "from": from, "text": text });
                    (
                        *about,
                        self.templates
                            .render(&to.reader.language, "items/message.txt", context)?,
                    )
                }
                Section::Item(item) => {
                    let name = format!("items/{}.txt", item.template);
                    (None, self.templates.render(&to.reader.language, &name, &item.context)?)
                }
            };
            tx.add_digest(player.id, number, text.trim(), now)?;
        }
        Ok(())
    }

    fn items(
        &self,
        tx: &Tx,
        page: &Page,
        to: &Addressee,
        matches: &BTreeMap<u32, Live>,
        now: i64,
    ) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        for section in &page.sections {
            match section {
                Section::Item(item) => items.push(item.clone()),
                Section::Saying(saying) => {
                    let text = self.say(saying, None, &to.reader)?;
                    items.push(Item::new("saying", serde_json::json!({ "text": text })));
                }
                // What was said in a match stands below its board.
                Section::Message { about: Some(_), .. } => {}
                Section::Message {
                    about: None,
                    from,
                    text,
                } => {
                    items.push(Item::new("message", serde_json::json!({ "from": from, "text": text })));
                }
                Section::Match(number) => {
                    let Some(live) = matches.get(number) else {
                        continue;
                    };
                    let seat = to.player.as_ref().and_then(|player| live.seat_of(player.id));
                    let news = News {
                        headline: self.headline(page, live, &to.reader)?,
                        messages: messages(page, *number),
                        watches: match &to.player {
                            Some(player) if seat.is_none() => Some(tx.watchers(*number)?.contains(&player.id)),
                            _ => None,
                        },
                    };
                    let view = MatchView::new(live.game(), seat, now, news, &to.reader, &self.templates)?;
                    items.push(Item::of_match(view));
                }
            }
        }
        Ok(items)
    }
}

/// What others said in a match, on one page.
fn messages(page: &Page, number: u32) -> Vec<Message> {
    let said = page.sections.iter().filter_map(|section| match section {
        Section::Message { about, from, text } if *about == Some(number) => Some(Message {
            from: from.clone(),
            text: text.clone(),
        }),
        _ => None,
    });
    said.collect()
}

/// The number of the turn to be played, the N of `d4#N`; of the last one when the match is over.
fn next_turn(live: &Live) -> u32 {
    live.game().turn() + u32::from(!live.game().is_over())
}

/// Userids of those who won; empty for a draw and while the match goes on.
fn winners(live: &Live) -> Vec<String> {
    match live.game().ended().map(|ended| &ended.verdict) {
        Some(Verdict::Winner(seat)) => vec![live.userid_at(*seat)],
        _ => Vec::new(),
    }
}

/// The Subject of a mail about a match, for one reader.
fn match_subject(live: &Live, reader: Option<&Player>) -> MatchSubject {
    let state = match live.game().to_move() {
        Some(seat) => {
            let userid = live.userid_at(seat);
            let own = reader.is_some_and(|player| live.players().get(seat.index()) == Some(&player.id));
            if own {
                MatchState::YourTurn
            } else {
                MatchState::ToMove(userid)
            }
        }
        None => match winners(live) {
            winners if winners.is_empty() => MatchState::Draw,
            winners => MatchState::Won(winners),
        },
    };
    MatchSubject {
        title: live.table().info().title.to_string(),
        number: live.number(),
        state,
        names: live.userids().to_vec(),
    }
}

fn match_info(live: &Live) -> MatchInfo {
    MatchInfo {
        number: live.number(),
        game: live.game().head().terms.game.clone(),
        turn: next_turn(live),
        to_move: live.game().to_move().map(|seat| live.userid_at(seat)),
    }
}
