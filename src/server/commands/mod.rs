//! What each command does. One file a section of the table.

mod account;
mod admission;
mod looking;
mod meeting;
mod playing;
mod vacations;

use super::Result;
use super::identity::{Scope, Sender};
use super::sayings::{Fault, Saying};
use super::secrets::password_matches;
use super::session::{Section, Session, Who};
use crate::language::{self, Access, Command, Letter, Line};
use crate::store::{MatchRow, Player, PlayerId, Purpose, SentRow};
use admission::Admitted;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Who speaks in one mail, as its lines are carried out.
pub(super) struct Speaker {
    /// The page that the answers go to.
    pub who: Who,
    /// The From address.
    pub address: String,
    /// The player, where he is proved.
    pub player: Option<Player>,
    /// How far the proof of `player` reaches.
    pub scope: Scope,
    /// The player whose From address it is, unproved.
    pub suspect: Option<Player>,
    /// An account may be opened from the address without asking.
    pub address_proved: bool,
    /// The mail of ours that is answered.
    pub answers: Option<SentRow>,
    /// Match and turn of the board that In-Reply-To names, until a turn has been played from this mail.
    pub board: Option<(u32, u32)>,
    /// The userid and password of this mail that were looked at first, and whether they are right: where they are not,
    /// no others are looked at.
    tried: Option<(String, String, bool)>,
    /// Challenges made from this mail: what is said after them goes with them.
    pub challenged: Vec<u32>,
}

impl Speaker {
    pub fn of(sender: &Sender) -> Self {
        let who = match &sender.player {
            Some(player) => Who::Player(player.id),
            None => Who::Stranger(sender.address.clone()),
        };
        let board = sender.board.as_ref().filter(|row| row.purpose == Purpose::Match);
        Speaker {
            who,
            address: sender.address.clone(),
            player: sender.player.clone(),
            scope: sender.scope,
            suspect: sender.suspect.clone(),
            address_proved: sender.address_proved,
            answers: sender.answers.clone(),
            board: board.and_then(|row| Some((u32::try_from(row.reference?).ok()?, row.turn?))),
            tried: None,
            challenged: Vec::new(),
        }
    }

    fn answered(&self, is_it: impl Fn(Purpose) -> bool) -> Option<u32> {
        let row = self.answers.as_ref().filter(|row| is_it(row.purpose))?;
        u32::try_from(row.reference?).ok()
    }

    /// The match whose mail is answered.
    pub fn answered_match(&self) -> Option<u32> {
        self.answered(|purpose| purpose == Purpose::Match)
    }

    /// The challenge whose mail is answered.
    pub fn answered_challenge(&self) -> Option<u32> {
        self.answered(|purpose| matches!(purpose, Purpose::Challenge | Purpose::Invitation))
    }

    /// Whether the proof of the speaker reaches a line: a key that came with a mail about one match changes nothing in
    /// another, and no key that may have been forwarded with its mail changes who owns the account.
    fn reaches(&self, line: &Line, number: Option<u32>) -> bool {
        if line
            .credentials
            .as_ref()
            .is_some_and(|credentials| credentials.password.is_some())
            || !line.entry.changes
        {
            return true;
        }
        let is_owners = matches!(
            line.command,
            Command::Password { .. } | Command::AddAddress { .. } | Command::RemoveAddress { .. }
        );
        match (self.scope, number) {
            (Scope::Whole, _) => true,
            (Scope::Match(own), Some(number)) => own == number,
            (Scope::Purpose, Some(_)) => false,
            (Scope::Match(_) | Scope::Purpose, None) => !is_owners,
        }
    }

    /// The number that a turn in this match must have, by the board that the mail answers.
    fn board_of(&self, number: u32) -> Option<u32> {
        self.board.filter(|(of, _)| *of == number).map(|(_, turn)| turn)
    }
}

/// What became of a line.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Carried out; `about` the match that it concerned.
    Done { about: Option<u32> },
    /// Refused, and said so; later lines about the same match are skipped.
    Failed { about: Option<u32> },
    /// It changes something, and the speaker is not proved.
    Held,
}

impl Outcome {
    pub const DONE: Outcome = Outcome::Done { about: None };
    pub const FAILED: Outcome = Outcome::Failed { about: None };
}

/// Who a line is proved to come from.
enum Claim {
    Proved(Box<Player>),
    /// Not proved; nothing contradicts it either.
    Nobody,
    /// The password is wrong, or the userid, or there is no password: the three are told alike.
    Wrong,
}

impl Claim {
    fn by(player: Option<Player>) -> Self {
        player.map_or(Claim::Nobody, |player| Claim::Proved(Box::new(player)))
    }
}

impl Session<'_> {
    /// The match that a line is about, as far as the line, the answered mail and the speaker's matches tell.
    pub fn target(&mut self, speaker: &Speaker, line: &Line) -> Result<Option<u32>> {
        if line.target.number.is_some() || !line.entry.needs_match {
            return Ok(line.target.number);
        }
        if let Some(number) = speaker.answered_match()
            && self.fits(number, line.target.game)?
        {
            return Ok(Some(number));
        }
        let claimed = self.claimed_player(speaker, line)?;
        let Some(player) = speaker.player.as_ref().or(claimed.as_ref()) else {
            return Ok(None);
        };
        Ok(match self.candidates(player.id, line)?.as_slice() {
            [number] => Some(*number),
            _ => None,
        })
    }

    /// Whether a match is of the game that the line names, where it names one.
    fn fits(&self, number: u32, game: Option<&'static str>) -> Result<bool> {
        Ok(match (game, self.tx.match_row(number)?) {
            (Some(game), Some(row)) => row.game == game,
            _ => true,
        })
    }

    /// The running matches that a line without a number can mean: for a turn those where it is the speaker's turn, if
    /// there are any.
    fn candidates(&self, player: PlayerId, line: &Line) -> Result<Vec<u32>> {
        if matches!(line.command, Command::Rematch) {
            return self.last_finished(player, line);
        }
        let mut rows = self.tx.matches_of(player)?;
        if let Some(game) = line.target.game {
            rows.retain(|row| row.game == game);
        }
        let is_turn = matches!(line.command, Command::Move { .. } | Command::Preview { .. });
        if is_turn && rows.iter().any(|row| row.to_move == Some(player)) {
            rows.retain(|row| row.to_move == Some(player));
        }
        Ok(rows.iter().map(|row| row.number).collect())
    }

    /// The finished matches that `rematch` can mean: at most two are looked for, since two are too many.
    fn last_finished(&self, player: PlayerId, line: &Line) -> Result<Vec<u32>> {
        let Some(player) = self.tx.player(player)? else {
            return Ok(Vec::new());
        };
        let filter = crate::store::Filter {
            game: line.target.game.map(str::to_string),
            private_of: Some(player.userid.clone()),
            userids: vec![player.userid],
            limit: 2,
            ..Default::default()
        };
        Ok(self.tx.search_archive(&filter)?.iter().map(|row| row.number).collect())
    }

    /// The line as its refusals may show it: names that are players' are no passwords.
    pub fn with_known_names(&self, line: &Line) -> Result<Line> {
        let mut line = line.clone();
        if line.names_alone() && !self.names_nobody(&line)? {
            line.shown = line.canonical.clone();
        }
        Ok(line)
    }

    /// Whether a name of the older spelling, where it gives no password, is no player's: it may be one all the same.
    fn names_nobody(&self, line: &Line) -> Result<bool> {
        let Some(credentials) = line.credentials.as_ref().filter(|_| line.names_alone()) else {
            return Ok(false);
        };
        if self.open_player(&credentials.userid)?.is_none() {
            return Ok(true);
        }
        Ok(match &line.command {
            Command::Challenge { opponents, .. } => match opponents.first() {
                Some(language::Opponent::Player(userid)) => self.open_player(userid)?.is_none(),
                _ => false,
            },
            _ => false,
        })
    }

    /// Carries one line out. What there is to say stands on the pages afterwards.
    pub fn carry_out(&mut self, speaker: &mut Speaker, line: &Line, number: Option<u32>) -> Result<Outcome> {
        if self.names_nobody(line)? {
            let key = match line.command {
                Command::Challenge { .. } => "older-challenge",
                _ => "older-name",
            };
            self.refuse(speaker, line, None, Fault::NotAllowed, key, json!({}));
            return Ok(Outcome::Failed { about: number });
        }
        let line = &self.in_its_place(speaker, line, number)?;
        let actor = match self.actor(speaker, line)? {
            Claim::Proved(player) => Some(*player).filter(|_| speaker.reaches(line, number)),
            Claim::Nobody => None,
            Claim::Wrong => {
                self.refuse(speaker, line, None, Fault::NotAllowed, "wrong-password", json!({}));
                return Ok(Outcome::Failed { about: number });
            }
        };
        let entry = line.entry;
        let answered_to_anyone = matches!(entry.access, Access::Newcomer | Access::Anyone)
            || (entry.access == Access::Reader && !entry.changes);
        if actor.is_some() || answered_to_anyone {
            return self.dispatch(speaker, line, actor.as_ref(), number);
        }
        if self.claimed_player(speaker, line)?.is_some() {
            return Ok(Outcome::Held);
        }
        let owner = self.tx.player_at(&speaker.address)?;
        let key = match owner.is_some_and(|owner| owner.barred.is_some()) {
            true => "barred",
            false => "no-account",
        };
        self.refuse(speaker, line, None, Fault::NotAllowed, key, json!({}));
        Ok(Outcome::Failed { about: number })
    }

    /// The line as it is meant here: turns of several words are read by the match's own game, and the first name of
    /// `susan challenge bob carol` is an opponent where it is not the speaker's own.
    fn in_its_place(&self, speaker: &Speaker, line: &Line, number: Option<u32>) -> Result<Line> {
        let mut line = line.clone();
        if let (Command::Preview { .. } | Command::If { .. }, Some(number)) = (&line.command, number)
            && let Some(row) = self.tx.match_row(number)?
            && let Some(game) = crate::games::find(&row.game)
            && let Ok(read) = language::read_line_for(game.info.name, &line.typed)
        {
            line.command = read.command;
        }
        if let (Command::Challenge { opponents, .. }, Some(named), Some(player)) =
            (&mut line.command, &line.credentials, &speaker.player)
            && named.password.is_none()
            && !named.userid.eq_ignore_ascii_case(&player.userid)
        {
            opponents.insert(0, language::Opponent::Player(named.userid.clone()));
            line.credentials = None;
        }
        Ok(line)
    }

    /// Whom an unproved line names: by userid, or by the From address.
    pub fn claimed_player(&self, speaker: &Speaker, line: &Line) -> Result<Option<Player>> {
        match &line.credentials {
            Some(credentials) => self.open_player(&credentials.userid),
            // A key that does not reach so far names its player all the same.
            None => Ok(speaker.player.clone().or_else(|| speaker.suspect.clone())),
        }
    }

    /// Who is proved to have written a line. A right password moves the answers to the player's page.
    fn actor(&mut self, speaker: &mut Speaker, line: &Line) -> Result<Claim> {
        let Some(credentials) = &line.credentials else {
            return Ok(Claim::by(speaker.player.clone()));
        };
        let named = self.open_player(&credentials.userid)?;
        let Some(password) = &credentials.password else {
            let id = |player: Option<&Player>| player.map(|player| player.id);
            let is_speaker = id(speaker.player.as_ref()) == id(named.as_ref());
            return Ok(Claim::by(named.filter(|_| is_speaker)));
        };
        let Some(player) = proved_by(speaker, named, &credentials.userid, password) else {
            return Ok(Claim::Wrong);
        };
        if speaker.player.is_none() {
            let proved = Who::Player(player.id);
            self.move_page(&speaker.who, &proved);
            speaker.who = proved;
        }
        Ok(Claim::by(Some(player)))
    }

    /// Whom the answers to a letter go to: a right password in its first line that has one makes a stranger known.
    pub fn known_by(&self, speaker: &mut Speaker, letter: &Letter) -> Result<Who> {
        let mut claims = letter.lines.iter().filter_map(|line| {
            let credentials = line.credentials.as_ref()?;
            Some((&credentials.userid, credentials.password.as_ref()?))
        });
        if let (None, Some((userid, password))) = (&speaker.player, claims.next()) {
            let named = self.open_player(userid)?;
            if let Some(player) = proved_by(speaker, named, userid, password) {
                return Ok(Who::Player(player.id));
            }
        }
        Ok(speaker.who.clone())
    }

    fn dispatch(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: Option<&Player>,
        number: Option<u32>,
    ) -> Result<Outcome> {
        if line.entry.needs_match && number.is_none() {
            if let Command::Say { text } = &line.command
                && self.say_with_challenges(speaker, text)?
            {
                return Ok(Outcome::DONE);
            }
            return self.ask_which(speaker, line, player);
        }
        let mut seat = None;
        if let Some(number) = number.filter(|_| line.entry.needs_match) {
            match self.admit(speaker, line, player, number)? {
                Admitted::As(admitted) => seat = admitted,
                Admitted::Not => return Ok(Outcome::Failed { about: Some(number) }),
            }
        }
        match line.entry.section {
            language::Section::Playing => self.playing(speaker, line, player, number, seat),
            language::Section::Meeting => self.meeting(speaker, line, player, number),
            language::Section::Account => self.account(speaker, line, player),
            language::Section::Looking => self.looking(speaker, line, player, number),
        }
    }

    /// The line could mean none or several of the player's matches: they are listed.
    fn ask_which(&mut self, speaker: &Speaker, line: &Line, player: Option<&Player>) -> Result<Outcome> {
        let rows = match player {
            Some(player) => self.tx.matches_of(player.id)?,
            None => Vec::new(),
        };
        let matches = self.list(&rows, player)?;
        let key = if matches.is_empty() { "no-match" } else { "which-match" };
        self.refuse(speaker, line, None, Fault::NotAllowed, key, json!({}));
        if !matches.is_empty() {
            self.page(&speaker.who).item("matches", json!({ "matches": matches }));
        }
        Ok(Outcome::FAILED)
    }

    /// Says on the speaker's page why a line is refused; with the board of the match, if it is about one.
    pub fn refuse(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        about: Option<u32>,
        fault: Fault,
        key: &str,
        context: Value,
    ) {
        let saying = Saying::refused(&line.shown, fault, key, context);
        let page = self.page(&speaker.who);
        page.subject("refused", minijinja::context! {});
        match about {
            Some(number) => page.about(number).push(saying),
            None => page.sections.push(Section::Saying(saying)),
        }
    }

    /// Says a sentence on the speaker's page.
    pub fn tell_speaker(&mut self, speaker: &Speaker, key: &'static str, context: Value) {
        let saying = Saying::told(key, context);
        self.page(&speaker.who).sections.push(Section::Saying(saying));
    }

    /// The first typed line is no command: nothing is done, and the sender is told what could not be read, with the
    /// board of the match that he answers and examples.
    pub fn not_understood(&mut self, speaker: &Speaker, letter: &Letter) -> Result<()> {
        let Some(player) = &speaker.player else {
            let page = self.page(&speaker.who);
            page.subject("not-understood", minijinja::context! {});
            // One constant text: nobody's words are sent to an address that may not be their writer's.
            page.item("stranger", json!({}));
            return Ok(());
        };
        let refusal = letter.refusal.as_ref();
        let number = match refusal.and_then(|refusal| refusal.target.number) {
            Some(named) => Some(named),
            None => speaker.answered_match(),
        };
        let number = match number {
            Some(number) if self.may_see(Some(player), number)? => Some(number),
            _ => None,
        };
        let page = self.page(&speaker.who);
        page.subject("not-understood", minijinja::context! {});
        let line = refusal.map_or("", |refusal| refusal.shown.as_str());
        let nearest = refusal.and_then(|refusal| refusal.nearest);
        let key = match (&letter.unread, nearest) {
            (None, _) => "empty",
            (Some(_), Some(_)) => "nearest",
            (Some(_), None) => "no-command",
        };
        let example = refusal.and_then(|refusal| refusal.example);
        let context = json!({ "nearest": nearest, "example": example });
        let saying = Saying::refused(line, Fault::NotUnderstood, key, context);
        match number {
            Some(number) => page.about(number).push(saying),
            None => {
                page.sections.push(Section::Saying(saying));
                page.item("start", json!({}));
            }
        }
        Ok(())
    }

    /// Passes the text after the commands on: to the others in the matches that the mail concerned, or with the
    /// challenges that it made.
    pub fn pass_on(
        &mut self,
        speaker: &Speaker,
        letter: &Letter,
        concerned: &BTreeSet<u32>,
        failed: &BTreeSet<u32>,
    ) -> Result<()> {
        let Some(text) = &letter.message else {
            return Ok(());
        };
        let mut numbers: BTreeSet<u32> = concerned.difference(failed).copied().collect();
        if numbers.is_empty() && failed.is_empty() && speaker.challenged.is_empty() {
            numbers.extend(speaker.answered_match());
        }
        let mut passed = self.say_with_challenges(speaker, text)?;
        for number in numbers {
            passed |= self.say_in(speaker, number, text)?;
        }
        if !passed {
            self.tell_speaker(speaker, "not-passed-on", json!({}));
        }
        Ok(())
    }

    /// Says a text in a match, if the speaker plays there; gives whether he does.
    fn say_in(&mut self, speaker: &Speaker, number: u32, text: &str) -> Result<bool> {
        let Who::Player(player) = speaker.who else {
            return Ok(false);
        };
        let Some(seat) = self.live(number)?.and_then(|live| live.seat_of(player)) else {
            return Ok(false);
        };
        let action = crate::matches::Action::Say { text: text.to_string() };
        Ok(self.act(number, crate::matches::Actor::Seat(seat), action)?.is_ok())
    }

    /// Rows of a list of matches: number, title, players, whose turn, time left.
    pub fn list(&mut self, rows: &[MatchRow], reader: Option<&Player>) -> Result<Vec<Value>> {
        let reader = reader.map(|player| player.id);
        rows.iter().map(|row| self.list_entry(row, reader)).collect()
    }

    fn list_entry(&mut self, row: &MatchRow, reader: Option<PlayerId>) -> Result<Value> {
        let mut names = Vec::new();
        for player in self.tx.seats(row.number)? {
            names.push(self.userid(player)?);
        }
        let to_move = match row.to_move {
            Some(player) => Some(self.userid(player)?),
            None => None,
        };
        Ok(json!({
            "number": row.number,
            "title": title(&row.game),
            "names": names,
            "to_move": to_move,
            "yours": reader.is_some() && row.to_move == reader,
            "status": row.status,
            "turn": row.turn,
            "deadline": row.deadline,
            "left": row.deadline.map(|deadline| (deadline - self.now).max(0)),
        }))
    }
}

/// The player of this userid, if the password is his. One wrong password a mail: guessing must not be cheap.
fn proved_by(speaker: &mut Speaker, named: Option<Player>, userid: &str, password: &str) -> Option<Player> {
    let is_right = match &speaker.tried {
        Some((tried_for, tried, is_right)) if !is_right || (tried_for == userid && tried == password) => *is_right,
        _ => {
            let stored = named.as_ref().and_then(|player| player.password.as_deref());
            let is_right = password_matches(password, stored);
            speaker.tried = Some((userid.to_string(), password.to_string(), is_right));
            is_right
        }
    };
    named.filter(|player| is_right && player.barred.is_none())
}

/// The title of a game by its name.
pub(super) fn title(game: &str) -> &str {
    crate::games::find(game).map_or(game, |game| game.info.title)
}
