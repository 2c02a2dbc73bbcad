//! Challenges and invitations, blocks, and answers to whatever waits for one.

mod asking;
mod lists;

use super::{Outcome, Speaker, title};
use crate::language::{Command, Line};
use crate::matches::{Action, First, Head, Terms};
use crate::server::Result;
use crate::server::live::Live;
use crate::server::sayings::{Fault, Saying};
use crate::server::session::{Section, Session, words_of};
use crate::store::{Challenge, ChallengeState, Invitee, Player, PlayerId};
use lists::terms_context;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is stored of a challenge's terms.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    pub terms: Terms,
    /// A rematch: players in the order of the seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<PlayerId>>,
}

/// Why somebody cannot be asked to play.
type Obstacle = (&'static str, Value);

impl Session<'_> {
    pub(super) fn meeting(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: Option<&Player>,
        number: Option<u32>,
    ) -> Result<Outcome> {
        let Some(player) = player else {
            return Ok(Outcome::FAILED);
        };
        match &line.command {
            Command::Challenge {
                opponents,
                game,
                options,
            } => self.challenge(speaker, line, player, opponents, game, options),
            Command::Open { game, options } => self.open(speaker, line, player, game, options),
            Command::Decline { number } => match self.challenge_meant(speaker, line, player, *number)? {
                Some(challenge) => self.decline(speaker, line, player, &challenge),
                None => Ok(Outcome::FAILED),
            },
            Command::Withdraw { number } => self.withdraw(speaker, line, player, *number),
            Command::Challenges { page } => self.challenges(speaker, player, *page),
            Command::Rematch => self.rematch(speaker, line, player, number),
            Command::Block { userid } => self.set_block(speaker, line, player, userid, true),
            Command::Unblock { userid } => self.set_block(speaker, line, player, userid, false),
            _ => Ok(Outcome::FAILED),
        }
    }

    /// `accept` and `reject`: the answer to a challenge, or to an offer in a match.
    pub(super) fn answer(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: Option<&Player>,
        number: Option<u32>,
    ) -> Result<Outcome> {
        let Some(player) = player else {
            let key = if speaker.answered_challenge().is_some() {
                "signup-first"
            } else {
                "no-account"
            };
            self.refuse(speaker, line, None, Fault::NotAllowed, key, json!({}));
            return Ok(Outcome::FAILED);
        };
        let accepts = matches!(line.command, Command::Accept { .. });
        let named = match line.command {
            Command::Accept { number } => number,
            _ => None,
        };
        if named.is_none()
            && let Some(of_match) = self.match_with_offer(speaker, player, number)?
        {
            let is_named = number.or(speaker.answered_match()).is_some();
            if !is_named && !self.tx.challenges_to(player.id)?.is_empty() {
                let context = json!({ "number": of_match });
                self.refuse(speaker, line, None, Fault::NotAllowed, "which-answer", context);
                return Ok(Outcome::FAILED);
            }
            return self.answer_offer(speaker, line, player, of_match, accepts);
        }
        match self.challenge_meant(speaker, line, player, named)? {
            Some(challenge) if accepts => self.accept(speaker, line, player, &challenge),
            Some(challenge) => self.decline(speaker, line, player, &challenge),
            None => Ok(Outcome::FAILED),
        }
    }

    /// The match whose offer is meant: the one named or answered, else the only one that waits while no challenge does.
    fn match_with_offer(&mut self, speaker: &Speaker, player: &Player, named: Option<u32>) -> Result<Option<u32>> {
        if let Some(number) = named.or(speaker.answered_match()) {
            return Ok(self.may_see(Some(player), number)?.then_some(number));
        }
        if speaker.answered_challenge().is_some() {
            return Ok(None);
        }
        let mut waiting = Vec::new();
        for row in self.tx.matches_of(player.id)? {
            if let Some(live) = self.live(row.number)?
                && live
                    .seat_of(player.id)
                    .is_some_and(|seat| live.game().awaits_answer_of(seat))
            {
                waiting.push(row.number);
            }
        }
        Ok(match waiting.as_slice() {
            [number] => Some(*number),
            _ => None,
        })
    }

    fn answer_offer(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: &Player,
        number: u32,
        accepts: bool,
    ) -> Result<Outcome> {
        let Some(seat) = self.loaded(number).and_then(|live| live.seat_of(player.id)) else {
            self.refuse(
                speaker,
                line,
                None,
                Fault::NotAllowed,
                "not-your-match",
                json!({ "number": number }),
            );
            return Ok(Outcome::Failed { about: Some(number) });
        };
        let action = if accepts { Action::Accept } else { Action::Reject };
        self.act_in(speaker, line, number, seat, action)
    }

    /// The challenge that an answer means: the one named, the one whose mail is answered, or the only one that waits.
    /// `None` after saying why it is none.
    fn challenge_meant(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: &Player,
        named: Option<u32>,
    ) -> Result<Option<Challenge>> {
        let number = named.or(speaker.answered_challenge());
        let challenge = match number {
            Some(number) => self.tx.challenge(number)?.filter(|challenge| {
                let asked = challenge
                    .invitees
                    .iter()
                    .any(|invitee| invitee.player == Some(player.id));
                challenge.open || asked || challenge.player == player.id
            }),
            None => {
                let mut waiting = self.tx.challenges_to(player.id)?;
                if waiting.len() > 1 {
                    self.refuse(speaker, line, None, Fault::NotAllowed, "which-challenge", json!({}));
                    self.list_challenges(speaker, "to-you", &waiting, None)?;
                    return Ok(None);
                }
                waiting.pop()
            }
        };
        let (key, context) = match &challenge {
            Some(challenge) if challenge.state == ChallengeState::Waiting => return Ok(Some(challenge.clone())),
            Some(challenge) => (
                "challenge-over",
                json!({ "number": challenge.number, "state": challenge.state.name() }),
            ),
            None => match number {
                Some(number) => ("no-such-challenge", json!({ "number": number })),
                None => ("nothing-to-answer", json!({})),
            },
        };
        self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
        Ok(None)
    }

    fn accept(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: &Player,
        challenge: &Challenge,
    ) -> Result<Outcome> {
        let number = challenge.number;
        let place = challenge
            .invitees
            .iter()
            .position(|invitee| invitee.player == Some(player.id));
        let already = place.is_some_and(|place| challenge.invitees[place].accepted.is_some());
        let by_blocked = self.tx.blocks(challenge.player, player.id)? || self.tx.blocks(player.id, challenge.player)?;
        let obstacle: Option<Obstacle> = if challenge.player == player.id {
            Some(("own-challenge", json!({ "number": number })))
        } else if already {
            Some(("accepted-already", json!({ "number": number })))
        } else if by_blocked {
            Some(("blocked", json!({})))
        } else {
            self.at_limit(player, &challenge.game)?
                .map(|most| ("own-limit", json!({ "most": most, "game": title(&challenge.game) })))
        };
        if let Some((key, context)) = obstacle {
            self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
            return Ok(Outcome::FAILED);
        }
        if place.is_some() {
            self.tx.accept_invitation(number, player.id, self.now)?;
        } else {
            let invitee = Invitee {
                player: Some(player.id),
                address: None,
                accepted: Some(self.now),
            };
            self.tx.add_invitee(number, challenge.invitees.len(), &invitee)?;
        }
        let accepted = 1 + self.tx.challenge(number)?.map_or(0, |challenge| {
            challenge
                .invitees
                .iter()
                .filter(|invitee| invitee.accepted.is_some())
                .count()
        });
        if accepted >= challenge.seats as usize {
            return self.begin_challenge(number);
        }
        let context = json!({ "number": number, "by": player.userid, "missing": challenge.seats as usize - accepted });
        let owner = self.page_of(challenge.player);
        owner.item("accepted-one", &context);
        owner.subject("accepted-one", words_of(&context));
        self.tell_speaker(speaker, "waits-for-others", context);
        Ok(Outcome::DONE)
    }

    /// Everybody has accepted: the match begins, and its players are told.
    fn begin_challenge(&mut self, number: u32) -> Result<Outcome> {
        let Some(challenge) = self.tx.challenge(number)? else {
            return Ok(Outcome::FAILED);
        };
        let stored: Stored = serde_json::from_str(&challenge.terms)?;
        let accepted = challenge.invitees.iter().filter(|invitee| invitee.accepted.is_some());
        let mut players: Vec<PlayerId> = vec![challenge.player];
        players.extend(accepted.filter_map(|invitee| invitee.player));
        let players = match stored.order {
            Some(order) => order,
            None => seated(players, stored.terms.first)?,
        };
        if challenge.open && challenge.repeats > 1 {
            self.tx.repeat_challenge(number, challenge.repeats - 1)?;
        } else {
            self.tx.set_challenge_state(number, ChallengeState::Begun)?;
        }
        let match_number = self.begin_match(stored.terms, players)?;
        Ok(Outcome::Done {
            about: Some(match_number),
        })
    }

    /// Begins a match between these players by seat, and tells them.
    fn begin_match(&mut self, terms: Terms, players: Vec<PlayerId>) -> Result<u32> {
        let number = self.next_match_number()?;
        let userids = players
            .iter()
            .map(|player| self.userid(*player))
            .collect::<Result<Vec<String>>>()?;
        let info = crate::games::find(&terms.game).map(|game| game.info);
        let head = Head {
            number,
            rules_version: info.map_or(1, |info| info.rules_version),
            terms,
            players: userids,
            started: self.now,
        };
        let mut live = Live::begin(head, players.clone())?;
        for seat in live.game().seats() {
            let windows = self.vacation_windows(players[seat.index()])?;
            if !windows.is_empty() {
                live.set_vacation(self.now, seat, windows);
            }
        }
        let context = terms_context(&live.game().head().terms);
        self.begin(live);
        for player in players {
            let saying = Saying::told("begun", context.clone());
            self.page_of(player).about(number).push(saying);
        }
        Ok(number)
    }

    fn decline(&mut self, speaker: &Speaker, line: &Line, player: &Player, challenge: &Challenge) -> Result<Outcome> {
        let number = challenge.number;
        let asked = challenge
            .invitees
            .iter()
            .any(|invitee| invitee.player == Some(player.id));
        if !asked {
            let key = if challenge.player == player.id {
                "own-challenge"
            } else {
                "not-asked"
            };
            self.refuse(speaker, line, None, Fault::NotAllowed, key, json!({ "number": number }));
            return Ok(Outcome::FAILED);
        }
        self.tx.set_challenge_state(number, ChallengeState::Declined)?;
        let context = json!({ "number": number, "by": player.userid, "game": title(&challenge.game) });
        self.tell_challengers(challenge, player.id, "declined", &context);
        self.tell_speaker(speaker, "you-declined", context);
        Ok(Outcome::DONE)
    }

    /// Tells the challenger, and those who have accepted already, what became of a challenge.
    pub(in crate::server) fn tell_challengers(
        &mut self,
        challenge: &Challenge,
        but: PlayerId,
        template: &'static str,
        context: &Value,
    ) {
        let accepted = challenge.invitees.iter().filter(|invitee| invitee.accepted.is_some());
        let others = accepted.filter_map(|invitee| invitee.player);
        for reader in std::iter::once(challenge.player)
            .chain(others)
            .filter(|reader| *reader != but)
        {
            let page = self.page_of(reader);
            page.item(template, context);
            page.subject(template, words_of(context));
        }
    }

    fn withdraw(&mut self, speaker: &Speaker, line: &Line, player: &Player, named: Option<u32>) -> Result<Outcome> {
        let mut own = self.tx.challenges_by(player.id)?;
        if let Some(number) = named {
            own.retain(|challenge| challenge.number == number);
        }
        let challenge = match own.as_slice() {
            [challenge] => challenge.clone(),
            several => {
                let key = match (named, several) {
                    (Some(_), _) => "no-own-challenge",
                    (None, []) => "nothing-to-withdraw",
                    (None, _) => "which-challenge",
                };
                self.refuse(speaker, line, None, Fault::NotAllowed, key, json!({ "number": named }));
                if named.is_none() && !own.is_empty() {
                    self.list_challenges(speaker, "by-you", &own, None)?;
                }
                return Ok(Outcome::FAILED);
            }
        };
        self.tx
            .set_challenge_state(challenge.number, ChallengeState::Withdrawn)?;
        let context = json!({ "number": challenge.number, "by": player.userid, "game": title(&challenge.game) });
        for reader in challenge.invitees.iter().filter_map(|invitee| invitee.player) {
            let page = self.page_of(reader);
            page.item("withdrawn", &context);
            page.subject("withdrawn", words_of(&context));
        }
        self.tell_speaker(speaker, "you-withdrew", context);
        Ok(Outcome::DONE)
    }

    fn set_block(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: &Player,
        userid: &str,
        block: bool,
    ) -> Result<Outcome> {
        let obstacle = match self.open_player(userid)? {
            None => Some(("no-such-player", json!({ "userid": userid }))),
            Some(other) if other.id == player.id => Some(("yourself", json!({}))),
            Some(other) if block => {
                self.tx.block(player.id, other.id)?;
                None
            }
            Some(other) => {
                (!self.tx.unblock(player.id, other.id)?).then(|| ("not-blocked", json!({ "userid": userid })))
            }
        };
        if let Some((key, context)) = obstacle {
            self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
            return Ok(Outcome::FAILED);
        }
        let key = if block { "blocked" } else { "unblocked" };
        self.tell_speaker(speaker, key, json!({ "userid": userid }));
        Ok(Outcome::DONE)
    }

    /// Adds what was said after a challenge to the mails that carry it. Gives whether there is any.
    pub(super) fn say_with_challenges(&mut self, speaker: &Speaker, text: &str) -> Result<bool> {
        let Some(player) = &speaker.player else {
            return Ok(false);
        };
        for number in &speaker.challenged {
            let Some(challenge) = self.tx.challenge(*number)? else {
                continue;
            };
            // A friend without an account gets no words but the invitation's own: the server is nobody's post office.
            for reader in challenge.invitees.iter().filter_map(|invitee| invitee.player) {
                if !self.tx.blocks(reader, player.id)? {
                    let section = Section::Message {
                        about: None,
                        from: player.userid.clone(),
                        text: text.to_string(),
                    };
                    self.page_of(reader).sections.push(section);
                }
            }
        }
        Ok(!speaker.challenged.is_empty())
    }
}

/// The players in the order of the seats. `players` begins with the challenger.
fn seated(mut players: Vec<PlayerId>, first: First) -> Result<Vec<PlayerId>> {
    match first {
        First::Me => {}
        First::You => players.rotate_left(1),
        First::Random => {
            for last in (1..players.len()).rev() {
                let chosen = crate::server::secrets::random_below(last + 1)?;
                players.swap(last, chosen);
            }
        }
    }
    Ok(players)
}
