//! Commands that wait for a `yes`: held ones, new accounts and addresses, closing an account (LANGUAGE.md 2).

use super::commands::Speaker;
use super::identity::Scope;
use super::sayings::Saying;
use super::secrets::hash_password;
use super::session::{Section, Session, Who, words_of};
use super::{Result, Server};
use crate::language::{self, Command, Letter, Line};
use crate::matches::{Action, Actor};
use crate::store::{
    ChallengeState, Fate, NewQuestion, Player, PlayerId, Purpose, Question, QuestionKind, QuestionState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How long a question waits, in seconds.
const QUESTION_LIFE: i64 = 3 * 24 * 3600;

/// A question that is about to be asked.
pub(super) struct Asked {
    pub who: Who,
    pub kind: QuestionKind,
    pub player: Option<PlayerId>,
    /// Whom is asked, where it is no address of the player.
    pub address: Option<String>,
    /// What a `yes` does.
    pub body: Value,
    pub inbox: Option<i64>,
}

/// An account that waits for its `yes`.
#[derive(Serialize, Deserialize)]
pub(super) struct NewAccount {
    pub userid: String,
    /// Argon2 hash: the password itself is not kept.
    pub password: Option<String>,
    /// Further addresses, each to be proved.
    pub addresses: Vec<String>,
    /// The language of the mail that asked for it.
    #[serde(default)]
    pub language: Option<String>,
}

/// A line that waits for its `yes`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HeldLine {
    Line(String),
    /// `password NEW`, hashed already.
    NewPassword(String),
}

/// The lines of one letter that wait for their `yes`.
#[derive(Serialize, Deserialize)]
struct Held {
    lines: Vec<HeldLine>,
    message: Option<String>,
    /// The match whose mail was answered, and the turn of its board.
    answered_match: Option<u32>,
    board: Option<(u32, u32)>,
}

impl Session<'_> {
    /// Asks a question: the page of `who` carries it and the key that answers it.
    pub(super) fn ask(&mut self, asked: Asked, template: &'static str, context: Value) -> Result<()> {
        let expires = self.now + QUESTION_LIFE;
        let id = self.tx.ask(&NewQuestion {
            kind: asked.kind,
            player: asked.player,
            address: asked.address.as_deref(),
            body: asked.body,
            inbox: asked.inbox,
            now: self.now,
            expires,
        })?;
        let page = self.page(&asked.who);
        page.purpose = Some((Purpose::Question, Some(id)));
        page.subject = Some((template, words_of(&context)));
        let mut context = context;
        context["expires"] = json!(expires);
        page.item(template, context);
        Ok(())
    }
}

impl Server {
    /// Holds lines whose writer is not proved, and asks the player whom they name. The sender gets one answer, or the
    /// question itself where it is his own address.
    pub(super) fn hold(
        &self,
        session: &mut Session,
        speaker: &Speaker,
        lines: &[Line],
        letter: &Letter,
        inbox: i64,
    ) -> Result<()> {
        let mut by_player: BTreeMap<PlayerId, Vec<&Line>> = BTreeMap::new();
        for line in lines {
            if let Some(player) = session.claimed_player(speaker, line)? {
                by_player.entry(player.id).or_default().push(line);
            }
        }
        for (player, lines) in by_player {
            let held = Held {
                lines: lines.iter().map(|line| held_line(line)).collect::<Result<_>>()?,
                message: letter.message.clone(),
                answered_match: speaker.answered_match(),
                board: speaker.board,
            };
            let shown: Vec<&str> = lines.iter().map(|line| line.shown.as_str()).collect();
            let is_own = is_own(speaker, player);
            if is_own {
                session.move_page(&speaker.who, &Who::Player(player));
            }
            session.ask(
                Asked {
                    who: Who::Player(player),
                    kind: QuestionKind::Held,
                    player: Some(player),
                    address: None,
                    body: serde_json::to_value(&held)?,
                    inbox: Some(inbox),
                },
                "question-held",
                json!({ "lines": shown, "own": is_own }),
            )?;
            if is_own {
                session.page_of(player).kind = "answer";
            } else {
                let page = session.page(&speaker.who);
                page.item("held", json!({ "lines": shown }));
                page.subject("held", minijinja::context! {});
            }
        }
        Ok(())
    }

    /// The answer to a question: `yes` carries it out, anything else drops it.
    pub(super) fn answer_question(
        &self,
        session: &mut Session,
        question: Question,
        speaker: &mut Speaker,
        letter: &Letter,
    ) -> Result<Fate> {
        if question.kind == QuestionKind::Address
            && let Some(address) = &question.address
        {
            // The key went to the new address, and so does the answer.
            speaker.who = Who::Stranger(address.clone());
        }
        let is_open = question.state == QuestionState::Waiting && session.now < question.expires;
        if !is_open {
            self.tell(session, speaker, "question-closed");
            return Ok(Fate::Refused);
        }
        if !matches!(letter.lines.first().map(|line| &line.command), Some(Command::Yes)) {
            session.tx.close_question(question.id, QuestionState::Dropped)?;
            self.tell(session, speaker, "question-dropped");
            return Ok(Fate::Done);
        }
        session.tx.close_question(question.id, QuestionState::Yes)?;
        match question.kind {
            QuestionKind::Held => self.carry_out_held(session, speaker, &question),
            QuestionKind::Signup => self.carry_out_signup(session, speaker, &question),
            QuestionKind::Address => self.carry_out_address(session, speaker, &question),
            QuestionKind::Signoff => self.carry_out_signoff(session, &question),
        }
    }

    fn tell(&self, session: &mut Session, speaker: &Speaker, key: &'static str) {
        let page = session.page(&speaker.who);
        page.sections.push(Section::Saying(Saying::told(key, json!({}))));
        page.subject("answer", minijinja::context! {});
    }

    fn carry_out_held(&self, session: &mut Session, speaker: &mut Speaker, question: &Question) -> Result<Fate> {
        let held: Held = serde_json::from_value(question.body.clone())?;
        let Some(player) = speaker.player.clone() else {
            self.tell(session, speaker, "question-closed");
            return Ok(Fate::Refused);
        };
        let mut lines = Vec::new();
        for line in held.lines {
            match line {
                HeldLine::Line(text) => lines.extend(language::read_line(&text).ok().map(|line| as_own(line, &player))),
                HeldLine::NewPassword(hash) => {
                    session.tx.set_password(player.id, Some(&hash))?;
                    session.tell_speaker(speaker, "password-set", json!({}));
                }
            }
        }
        // The key went to the player alone, for this purpose.
        speaker.scope = Scope::Whole;
        speaker.board = held.board;
        speaker.answers = held.answered_match.map(|number| crate::store::SentRow {
            player: Some(player.id),
            address: None,
            purpose: Purpose::Match,
            reference: Some(number.into()),
            turn: None,
            revoked: false,
        });
        let letter = Letter {
            lines,
            message: held.message,
            ..Letter::default()
        };
        self.carry_out_lines(session, speaker, &letter)?;
        Ok(Fate::Done)
    }

    fn carry_out_signup(&self, session: &mut Session, speaker: &Speaker, question: &Question) -> Result<Fate> {
        let account: NewAccount = serde_json::from_value(question.body.clone())?;
        let Some(address) = &question.address else {
            return Ok(Fate::Refused);
        };
        let taken = session.tx.player_named(&account.userid)?.is_some() || session.tx.player_at(address)?.is_some();
        let who = Who::Stranger(address.clone());
        if taken {
            let page = session.page(&who);
            let saying = Saying::told("signup-too-late", json!({ "userid": account.userid }));
            page.sections.push(Section::Saying(saying));
            page.kind = "answer";
            return Ok(Fate::Refused);
        }
        session.move_page(&speaker.who, &who);
        let player = session.open_account(&who, address, &account)?;
        session.page_of(player.id).kind = "answer";
        Ok(Fate::Done)
    }

    fn carry_out_address(&self, session: &mut Session, speaker: &Speaker, question: &Question) -> Result<Fate> {
        let (Some(address), Some(player)) = (&question.address, question.player) else {
            return Ok(Fate::Refused);
        };
        let is_free = session.tx.player_at(address)?.is_none();
        let is_open = session.tx.player(player)?.is_some_and(|player| player.closed.is_none());
        if !(is_free && is_open) {
            self.tell(session, speaker, "question-closed");
            return Ok(Fate::Refused);
        }
        session.tx.add_address(player, address, session.now)?;
        session.tx.forget_stranger(address)?;
        let who = Who::Player(player);
        session.move_page(&speaker.who, &who);
        let page = session.page(&who);
        page.sections.push(Section::Saying(Saying::told(
            "address-added",
            json!({ "address": address }),
        )));
        page.kind = "answer";
        Ok(Fate::Done)
    }

    /// The owner has confirmed that the account is to be closed.
    fn carry_out_signoff(&self, session: &mut Session, question: &Question) -> Result<Fate> {
        let Some(player) = question.player else {
            return Ok(Fate::Refused);
        };
        self.close_account(session, player)?;
        Ok(Fate::Done)
    }

    /// Resigns the player's matches, ends his challenges, and closes his account after the last mail to him.
    pub(super) fn close_account(&self, session: &mut Session, player: PlayerId) -> Result<()> {
        for row in session.tx.matches_of(player)? {
            let seat = session.live(row.number)?.and_then(|live| live.seat_of(player));
            if let Some(seat) = seat {
                // A seat that has gone out of the game has nothing left to resign.
                let _ = session.act(row.number, Actor::Seat(seat), Action::Resign)?;
            }
        }
        for challenge in session.tx.challenges_by(player)? {
            session
                .tx
                .set_challenge_state(challenge.number, ChallengeState::Withdrawn)?;
        }
        for challenge in session.tx.challenges_to(player)? {
            session
                .tx
                .set_challenge_state(challenge.number, ChallengeState::Declined)?;
            let context = json!({
                "number": challenge.number,
                "by": session.userid(player)?,
                "game": super::commands::title(&challenge.game),
            });
            session.tell_challengers(&challenge, player, "declined", &context);
        }
        let page = session.page_of(player);
        page.item("signed-off", json!({}));
        page.subject("signed-off", minijinja::context! {});
        session.close_later(player);
        Ok(())
    }
}

/// Whether the mail came from an address of the player who is asked: one mail then is question and answer.
fn is_own(speaker: &Speaker, player: PlayerId) -> bool {
    let is_suspect = speaker.suspect.as_ref().is_some_and(|suspect| suspect.id == player);
    is_suspect || speaker.who == Who::Player(player)
}

/// A line as it is stored: a new password only as its hash, and a password that proves nothing not at all.
fn held_line(line: &Line) -> Result<HeldLine> {
    Ok(match &line.command {
        Command::Password { new: Some(password) } => HeldLine::NewPassword(hash_password(password)?),
        _ => HeldLine::Line(line.typed.clone()),
    })
}

/// A held line is the player's own by his `yes`; the older spelling's userid has done its work.
fn as_own(mut line: Line, player: &Player) -> Line {
    if line
        .credentials
        .as_ref()
        .is_some_and(|credentials| credentials.userid.eq_ignore_ascii_case(&player.userid))
    {
        line.credentials = None;
    }
    line
}
