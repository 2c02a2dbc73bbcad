//! What one mail, or one run of the timers, does: the matches that it touches, and the pages that it has for people.

use super::live::Live;
use super::sayings::Saying;
use super::{Result, Server};
use crate::letters::{Attachment, BoardView, Item};
use crate::matches::{Action, Actor, Happening, Refused, Window};
use crate::store::{Player, PlayerId, Purpose, Tx};
use std::collections::BTreeMap;

/// Somebody to whom there is something to say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Player(PlayerId),
    /// Somebody without an account, by address.
    Stranger(String),
}

/// One part of a page.
pub(super) enum Section {
    /// A block with words of its own.
    Item(Item),
    /// A sentence that is about no match.
    Saying(Saying),
    /// What happened in a match (`sayings` of the page), followed by its board.
    Match(u32),
    /// Something another person said, in a match or with a challenge.
    Message {
        about: Option<u32>,
        from: String,
        text: String,
    },
}

/// What one person is going to be told: it becomes one mail.
pub(super) struct Page {
    pub who: Who,
    pub sections: Vec<Section>,
    /// By match.
    pub sayings: BTreeMap<u32, Vec<Saying>>,
    pub attachments: Vec<Attachment>,
    /// What the mail is about where it is not one match: a key of `subjects.toml`, and its context.
    pub subject: Option<(&'static str, minijinja::Value)>,
    /// What the reply key of the mail is good for, where it is not a match.
    pub purpose: Option<(Purpose, Option<i64>)>,
    /// `answer`, `notice`, `reminder` or `digest`.
    pub kind: &'static str,
    /// A mail of reminders alone is dropped unsent after this instant.
    pub stale_after: Option<i64>,
    /// It is told at once even to who wants reminders only: his match is over, or something asks for his answer.
    pub is_pressing: bool,
}

impl Page {
    fn new(who: Who) -> Self {
        Page {
            who,
            sections: Vec::new(),
            sayings: BTreeMap::new(),
            attachments: Vec::new(),
            subject: None,
            purpose: None,
            kind: "notice",
            stale_after: None,
            is_pressing: false,
        }
    }

    /// Adds a block of words.
    pub fn item(&mut self, template: &'static str, context: impl serde::Serialize) {
        self.sections.push(Section::Item(Item::new(template, context)));
    }

    /// Adds a block with a board.
    pub fn board(&mut self, template: &'static str, context: impl serde::Serialize, board: BoardView) {
        self.sections
            .push(Section::Item(Item::with_board(template, context, board)));
    }

    /// What is said of a match, which has its place on the page from the first time on.
    pub fn about(&mut self, number: u32) -> &mut Vec<Saying> {
        let sayings = self.sayings.entry(number);
        if let std::collections::btree_map::Entry::Vacant(_) = sayings {
            self.sections.push(Section::Match(number));
        }
        sayings.or_default()
    }

    /// Reminds of a match in which it is the reader's turn until `deadline`.
    pub fn remind(&mut self, number: u32, deadline: Option<i64>) {
        self.about(number).push(Saying::Reminder);
        self.stale_after = self.stale_after.max(deadline);
    }

    /// Whether it reminds of a match, whatever else it tells.
    pub fn reminds(&self) -> bool {
        self.sayings.values().flatten().any(Saying::is_reminder)
    }

    /// Whether it tells nothing but reminders.
    pub fn only_reminds(&self) -> bool {
        let reminds_of = |number| {
            let sayings = self.sayings.get(number);
            sayings.is_some_and(|sayings| !sayings.is_empty() && sayings.iter().all(Saying::is_reminder))
        };
        !self.sections.is_empty()
            && self
                .sections
                .iter()
                .all(|section| matches!(section, Section::Match(number) if reminds_of(number)))
    }

    /// What the mail is about; the first word on it holds.
    pub fn subject(&mut self, key: &'static str, context: minijinja::Value) {
        self.subject.get_or_insert((key, context));
    }
}

/// JSON as the value that templates take.
pub(super) fn words_of(context: &serde_json::Value) -> minijinja::Value {
    minijinja::Value::from(minijinja::value::Serde(context))
}

/// The work of one transaction.
pub(super) struct Session<'a> {
    pub server: &'a Server,
    pub tx: &'a Tx<'a>,
    pub now: i64,
    /// The language of the person whose mail is answered, where he has set one or his mail tells it.
    pub heard: Option<String>,
    matches: BTreeMap<u32, Live>,
    pages: Vec<Page>,
    userids: BTreeMap<PlayerId, String>,
    newcomers: Vec<PlayerId>,
    /// Accounts to be closed, and addresses to be left alone, after the last mail to them is made.
    closing: Vec<PlayerId>,
    stopping: Vec<String>,
}

/// What a session leaves to be done once its pages are read.
pub(super) struct Work {
    pub heard: Option<String>,
    pub pages: Vec<Page>,
    pub matches: BTreeMap<u32, Live>,
    pub closing: Vec<PlayerId>,
    pub stopping: Vec<String>,
}

impl<'a> Session<'a> {
    pub fn new(server: &'a Server, tx: &'a Tx<'a>, now: i64) -> Self {
        Session {
            server,
            tx,
            now,
            heard: None,
            matches: BTreeMap::new(),
            pages: Vec::new(),
            userids: BTreeMap::new(),
            newcomers: Vec::new(),
            closing: Vec::new(),
            stopping: Vec::new(),
        }
    }

    /// The page of a person, made where it is missing.
    pub fn page(&mut self, who: &Who) -> &mut Page {
        let index = self.pages.iter().position(|page| page.who == *who).unwrap_or_else(|| {
            self.pages.push(Page::new(who.clone()));
            self.pages.len() - 1
        });
        &mut self.pages[index]
    }

    /// The page of a player.
    pub fn page_of(&mut self, player: PlayerId) -> &mut Page {
        self.page(&Who::Player(player))
    }

    /// Whether there is something to say to a player already.
    pub fn has_page(&self, player: PlayerId) -> bool {
        self.pages.iter().any(|page| page.who == Who::Player(player))
    }

    /// What stands on one person's page goes to another's: the same person, known better.
    pub fn move_page(&mut self, from: &Who, to: &Who) {
        if from == to {
            return;
        }
        let Some(index) = self.pages.iter().position(|page| page.who == *from) else {
            return;
        };
        let mut moved = self.pages.remove(index);
        let page = self.page(to);
        for section in moved.sections {
            match section {
                Section::Match(number) => {
                    let sayings = moved.sayings.remove(&number).unwrap_or_default();
                    page.about(number).extend(sayings);
                }
                other => page.sections.push(other),
            }
        }
        page.attachments.append(&mut moved.attachments);
        page.is_pressing |= moved.is_pressing;
        page.subject = page.subject.take().or(moved.subject);
        page.purpose = page.purpose.take().or(moved.purpose);
    }

    /// Welcomes a new player once everything else that his mail asks for is done.
    pub fn welcome_later(&mut self, player: PlayerId) {
        self.newcomers.push(player);
    }

    /// Puts the welcome before all that new players are told.
    pub fn welcome_newcomers(&mut self) -> Result<()> {
        for id in std::mem::take(&mut self.newcomers) {
            let Some(player) = self.tx.player(id)? else { continue };
            let context = serde_json::json!({
                "userid": player.userid,
                "password": player.password.is_some(),
                "invited": !self.tx.challenges_to(id)?.is_empty(),
            });
            let page = self.page_of(id);
            page.sections.insert(0, Section::Item(Item::new("welcome", &context)));
            page.subject = Some(("welcome", words_of(&context)));
        }
        Ok(())
    }

    /// Closes an account when its last mail is made.
    pub fn close_later(&mut self, player: PlayerId) {
        self.closing.push(player);
    }

    /// No mail to this address any more, after this session's.
    pub fn stop_later(&mut self, address: String) {
        self.stopping.push(address);
    }

    pub fn into_work(self) -> Work {
        Work {
            heard: self.heard,
            pages: self.pages,
            matches: self.matches,
            closing: self.closing,
            stopping: self.stopping,
        }
    }

    /// The userid of a player; `?` for one who is not there, which the foreign keys rule out.
    pub fn userid(&mut self, player: PlayerId) -> Result<String> {
        if let Some(userid) = self.userids.get(&player) {
            return Ok(userid.clone());
        }
        let userid = self
            .tx
            .player(player)?
            .map_or_else(|| "?".to_string(), |player| player.userid);
        self.userids.insert(player, userid.clone());
        Ok(userid)
    }

    /// The match as it is now, with the time that has passed counted; what that did is told to its players.
    /// `None` where there is no such match, or it is set aside.
    pub fn live(&mut self, number: u32) -> Result<Option<&mut Live>> {
        if !self.matches.contains_key(&number) {
            let Some(live) = Live::load(self.tx, number)? else {
                return Ok(None);
            };
            self.matches.insert(number, live);
            let now = self.now;
            if let Some(live) = self.matches.get_mut(&number)
                && !live.finished_before()
            {
                let happened = live.tick(now);
                self.tell(number, happened)?;
            }
        }
        Ok(self.matches.get_mut(&number))
    }

    /// A match that [`Session::live`] has loaded.
    pub fn loaded(&self, number: u32) -> Option<&Live> {
        self.matches.get(&number)
    }

    /// Lets an action happen in a match, and tells everybody concerned. The refusal is the actor's to hear.
    pub fn act(&mut self, number: u32, actor: Actor, action: Action) -> Result<std::result::Result<(), Refused>> {
        let now = self.now;
        let Some(live) = self.live(number)? else {
            return Ok(Err(Refused::Over));
        };
        match live.act(now, actor, action) {
            Ok(happened) => {
                self.tell(number, happened)?;
                Ok(Ok(()))
            }
            Err(refused) => Ok(Err(refused)),
        }
    }

    /// As [`Session::act`], and nobody is told.
    pub fn act_quietly(
        &mut self,
        number: u32,
        actor: Actor,
        action: Action,
    ) -> Result<std::result::Result<(), Refused>> {
        let now = self.now;
        Ok(match self.live(number)? {
            Some(live) => live.act(now, actor, action).map(|_| ()),
            None => Err(Refused::Over),
        })
    }

    /// The server was away: the clocks of a match stand still for that time, which passes before anything else does.
    pub fn make_up(&mut self, number: u32, window: Window) -> Result<()> {
        let Some(mut live) = Live::load(self.tx, number)? else {
            return Ok(());
        };
        live.make_up(self.now, window);
        self.matches.insert(number, live);
        Ok(())
    }

    /// The derived columns of a match are to be written anew, though nothing may have happened in it.
    pub fn touch(&mut self, number: u32) {
        if let Some(live) = self.matches.get_mut(&number) {
            live.touch();
        }
    }

    /// The number of the next match, those that begin in this session counted.
    pub fn next_match_number(&self) -> Result<u32> {
        let stored = self.tx.next_match_number()?;
        let fresh = self.matches.keys().next_back().map_or(0, |number| number + 1);
        Ok(stored.max(fresh))
    }

    /// Enters a match that has just begun.
    pub fn begin(&mut self, live: Live) {
        self.matches.insert(live.number(), live);
    }

    /// Puts what happened on the pages of those whom it concerns.
    pub fn tell(&mut self, number: u32, happened: Vec<Happening>) -> Result<()> {
        let Some(live) = self.matches.get(&number) else {
            return Ok(());
        };
        let players = live.players().to_vec();
        let watchers = if live.finished_before() {
            Vec::new()
        } else {
            self.tx.watchers(number)?
        };
        for happening in happened {
            for reader in super::sayings::readers(&happening, &players, &watchers) {
                match &happening {
                    Happening::Said { seat, text } => {
                        self.pass_said(number, reader, players.get(seat.index()), text)?
                    }
                    happening => {
                        let page = self.page_of(reader);
                        page.is_pressing |= happening.is_pressing() && players.contains(&reader);
                        page.about(number).push(Saying::Happened(happening.clone()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts what a player said in a match on another's page, unless that one has blocked him.
    fn pass_said(&mut self, number: u32, reader: PlayerId, speaker: Option<&PlayerId>, text: &str) -> Result<()> {
        let Some(speaker) = speaker.copied().filter(|speaker| *speaker != reader) else {
            return Ok(());
        };
        if self.tx.blocks(reader, speaker)? {
            return Ok(());
        }
        let from = self.userid(speaker)?;
        let page = self.page_of(reader);
        page.about(number);
        page.sections.push(Section::Message {
            about: Some(number),
            from,
            text: text.to_string(),
        });
        Ok(())
    }

    /// The player with this userid, closed accounts left out.
    pub fn open_player(&self, userid: &str) -> Result<Option<Player>> {
        Ok(self.tx.player_named(userid)?.filter(|player| player.closed.is_none()))
    }
}
