//! Asking people to play: challenges, invitations, open ones, rematches.

use super::lists::terms_words;
use super::{Obstacle, Stored};
use crate::language::{Line, MatchOptions, Opponent};
use crate::matches::Terms;
use crate::server::Result;
use crate::server::commands::{Outcome, Speaker, title};
use crate::server::sayings::Fault;
use crate::server::session::{Session, Who, words_of};
use crate::store::{Invitee, NewChallenge, Player, Purpose};
use serde_json::json;

/// How long a challenge waits, in seconds.
const CHALLENGE_LIFE: i64 = 14 * 24 * 3600;
/// Invitations by address that a player may have open; withdrawn ones count while their mails are young.
const MOST_INVITATIONS: u32 = 3;
/// One invitation to an address in this time, in seconds.
const INVITATION_REST: i64 = 30 * 24 * 3600;
/// Challenges of one player that may wait at once: a keyboard with a stone on it must not fill the store, nor the list
/// of what is open to all.
const MOST_CHALLENGES: usize = 50;

impl Session<'_> {
    pub(super) fn challenge(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: &Player,
        opponents: &[Opponent],
        game: &str,
        options: &MatchOptions,
    ) -> Result<Outcome> {
        let Some(terms) = self.terms(speaker, line, game, options, Some(opponents.len() + 1)) else {
            return Ok(Outcome::FAILED);
        };
        let mut invitees: Vec<Invitee> = Vec::new();
        for opponent in opponents {
            match self.invitee(player, opponent, &terms, &invitees)? {
                Ok(invitee) => invitees.push(invitee),
                Err((key, context)) => {
                    self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
                    return Ok(Outcome::FAILED);
                }
            }
        }
        if let Some((key, context)) = self.too_many(player, game)? {
            self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
            return Ok(Outcome::FAILED);
        }
        self.send_challenge(speaker, player, &Stored { terms, order: None }, &invitees)
    }

    /// Judges the options; says what is wrong with them.
    pub(super) fn terms(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        game: &str,
        options: &MatchOptions,
        seats: Option<usize>,
    ) -> Option<Terms> {
        match Terms::parse(game, options, seats) {
            Ok(terms) => Some(terms),
            Err(error) => {
                let (key, context) = terms_words(&error);
                self.refuse(speaker, line, None, Fault::NotUnderstood, key, context);
                None
            }
        }
    }

    /// Why a player may not begin another match of a game, or send another challenge.
    pub(super) fn too_many(&self, player: &Player, game: &str) -> Result<Option<Obstacle>> {
        if self.tx.challenges_by(player.id)?.len() >= MOST_CHALLENGES {
            return Ok(Some(("too-many-challenges", json!({ "most": MOST_CHALLENGES }))));
        }
        Ok(self
            .at_limit(player, game)?
            .map(|most| ("own-limit", json!({ "most": most, "game": title(game) }))))
    }

    /// The player's own limit for a game, if he has reached it.
    pub(super) fn at_limit(&self, player: &Player, game: &str) -> Result<Option<u32>> {
        let Some(&most) = player.settings.limits.get(game) else {
            return Ok(None);
        };
        let rows = self.tx.matches_of(player.id)?;
        let running = rows.iter().filter(|row| row.game == game).count();
        Ok((running >= most as usize).then_some(most))
    }

    /// Somebody who is asked to play, or why he cannot be.
    fn invitee(
        &self,
        by: &Player,
        opponent: &Opponent,
        terms: &Terms,
        others: &[Invitee],
    ) -> Result<std::result::Result<Invitee, Obstacle>> {
        let other = match opponent {
            Opponent::Player(userid) => match self.open_player(userid)? {
                Some(other) => other,
                None => return Ok(Err(("no-such-player", json!({ "userid": userid })))),
            },
            // An address with an account is asked as its player; that there is one is not told.
            Opponent::Address(address) => match self.tx.player_at(address)? {
                Some(other) => other,
                None => return self.invitation(by, address, others),
            },
        };
        let obstacle = if other.id == by.id {
            Some(("yourself", json!({})))
        } else if others.iter().any(|invitee| invitee.player == Some(other.id)) {
            Some(("named-twice", json!({ "userid": other.userid })))
        } else if other.barred.is_some() || self.tx.blocks(other.id, by.id)? || self.tx.blocks(by.id, other.id)? {
            Some(("blocked", json!({})))
        } else {
            self.at_limit(&other, &terms.game)?.map(|most| {
                (
                    "their-limit",
                    json!({ "userid": other.userid, "most": most, "game": title(&terms.game) }),
                )
            })
        };
        Ok(match obstacle {
            Some(obstacle) => Err(obstacle),
            None => Ok(Invitee {
                player: Some(other.id),
                address: None,
                accepted: other.settings.autoaccept.then_some(self.now),
            }),
        })
    }

    fn invitation(
        &self,
        by: &Player,
        address: &str,
        others: &[Invitee],
    ) -> Result<std::result::Result<Invitee, Obstacle>> {
        let (invited, stopped) = self.tx.stranger(address)?;
        let in_this_mail = others.iter().filter(|invitee| invitee.address.is_some()).count() as u32;
        let twice = others.iter().any(|invitee| {
            invitee
                .address
                .as_deref()
                .is_some_and(|other| other.eq_ignore_ascii_case(address))
        });
        let obstacle = if twice {
            Some(("named-twice", json!({ "userid": address })))
        } else if self.tx.invitations_by(by.id, self.now - INVITATION_REST)? + in_this_mail >= MOST_INVITATIONS {
            Some(("too-many-invitations", json!({ "most": MOST_INVITATIONS })))
        } else if stopped
            || self.server.address.is_own(address)
            || invited.is_some_and(|at| self.now - at < INVITATION_REST)
        {
            Some(("not-invited", json!({})))
        } else {
            None
        };
        Ok(match obstacle {
            Some(obstacle) => Err(obstacle),
            None => Ok(Invitee {
                player: None,
                address: Some(address.to_string()),
                accepted: None,
            }),
        })
    }

    fn send_challenge(
        &mut self,
        speaker: &mut Speaker,
        player: &Player,
        stored: &Stored,
        invitees: &[Invitee],
    ) -> Result<Outcome> {
        let terms = &stored.terms;
        let number = self.tx.add_challenge(&NewChallenge {
            player: player.id,
            game: &terms.game,
            terms: &serde_json::to_string(stored)?,
            expires: self.now + CHALLENGE_LIFE,
            open: false,
            repeats: 1,
            seats: terms.seats as u32,
            invitees,
            now: self.now,
        })?;
        let context = self.challenge_context(number)?;
        if invitees.iter().all(|invitee| invitee.accepted.is_some()) {
            return self.begin_challenge(number);
        }
        for invitee in invitees {
            let who = match (&invitee.player, &invitee.address) {
                (Some(id), _) if invitee.accepted.is_none() => Who::Player(*id),
                (None, Some(address)) => {
                    self.tx.note_invited(address, self.now)?;
                    Who::Stranger(address.clone())
                }
                _ => continue,
            };
            let (template, purpose) = match who {
                Who::Player(_) => ("challenge", Purpose::Challenge),
                Who::Stranger(_) => ("invitation", Purpose::Invitation),
            };
            let page = self.page(&who);
            page.item(template, &context);
            page.subject(template, words_of(&context));
            page.purpose.get_or_insert((purpose, Some(number.into())));
            page.is_pressing = true;
        }
        speaker.challenged.push(number);
        let page = self.page(&speaker.who);
        page.item("challenge-sent", &context);
        page.subject("challenge-sent", words_of(&context));
        Ok(Outcome::DONE)
    }

    pub(super) fn open(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: &Player,
        game: &str,
        options: &MatchOptions,
    ) -> Result<Outcome> {
        let Some(terms) = self.terms(speaker, line, game, options, None) else {
            return Ok(Outcome::FAILED);
        };
        if let Some((key, context)) = self.too_many(player, game)? {
            self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
            return Ok(Outcome::FAILED);
        }
        let (repeats, seats) = (terms.repeat.max(1), terms.seats as u32);
        let stored = Stored { terms, order: None };
        let number = self.tx.add_challenge(&NewChallenge {
            player: player.id,
            game,
            terms: &serde_json::to_string(&stored)?,
            expires: self.now + CHALLENGE_LIFE,
            open: true,
            repeats,
            seats,
            invitees: &[],
            now: self.now,
        })?;
        let context = self.challenge_context(number)?;
        let page = self.page(&speaker.who);
        page.item("open-sent", &context);
        page.subject("challenge-sent", words_of(&context));
        Ok(Outcome::DONE)
    }

    pub(super) fn rematch(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: &Player,
        number: Option<u32>,
    ) -> Result<Outcome> {
        let Some(number) = number else {
            return Ok(Outcome::FAILED);
        };
        let Some(live) = self.loaded(number) else {
            return Ok(Outcome::FAILED);
        };
        let (players, terms) = (live.players().to_vec(), live.game().head().terms.again());
        let mut order = players.clone();
        order.rotate_left(1);
        let mut invitees: Vec<Invitee> = Vec::new();
        for other in players.iter().filter(|other| **other != player.id) {
            let opponent = Opponent::Player(self.userid(*other)?);
            match self.invitee(player, &opponent, &terms, &invitees)? {
                Ok(invitee) => invitees.push(invitee),
                Err((key, context)) => {
                    self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
                    return Ok(Outcome::Failed { about: Some(number) });
                }
            }
        }
        if let Some((key, context)) = self.too_many(player, &terms.game)? {
            self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
            return Ok(Outcome::Failed { about: Some(number) });
        }
        let stored = Stored {
            terms,
            order: Some(order),
        };
        self.send_challenge(speaker, player, &stored, &invitees)
    }
}
