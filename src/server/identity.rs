//! Who wrote a mail (LANGUAGE.md 2).

use super::{Result, Server};
use crate::config::Trust;
use crate::mail::{self, Authentication, Inbound};
use crate::store::{Player, Purpose, SentRow, Tx};

/// How far the proof of a mail's writer reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything that is the player's.
    Whole,
    /// A key that came with a mail about one match: that match, and what harms nobody who has forwarded the mail.
    Match(u32),
    /// A key of another purpose: no match, and what harms nobody.
    Purpose,
}

/// What is known of the writer of one mail.
#[derive(Debug)]
pub(super) struct Sender {
    /// The From address.
    pub address: String,
    /// The player, where the mail itself proves him: by key, or because From is verified and his.
    pub player: Option<Player>,
    /// How far that proof reaches.
    pub scope: Scope,
    /// The player whose address stands in From, though nothing proves that he wrote it.
    pub suspect: Option<Player>,
    /// From is verified, or trusted by configuration, or holds the key that was sent there: an account may be opened
    /// from it without asking.
    pub address_proved: bool,
    /// The mail of ours that is answered: by its key, or else its Message-ID.
    pub answers: Option<SentRow>,
    /// The mail of ours that In-Reply-To names, for the board that it showed.
    pub board: Option<SentRow>,
}

impl Server {
    /// Finds out who wrote the mail. Changes nothing.
    pub(super) fn identify(&self, tx: &Tx, inbound: &Inbound, raw: &[u8], recipients: &[String]) -> Result<Sender> {
        let address = inbound.from.clone().unwrap_or_default();
        let board = self.named_by_message_ids(tx, inbound.in_reply_to.iter())?;
        let by_key = self.named_by_key(tx, inbound.to.iter().chain(recipients))?;
        let answers = match by_key {
            Some(row) => Some(row),
            None => match &board {
                Some(row) => Some(row.clone()),
                None => self.named_by_message_ids(tx, inbound.references.iter().rev())?,
            },
        };
        let verified = match self.identity.trust {
            Trust::From => true,
            Trust::Verified => self
                .identity
                .authserv_id
                .as_deref()
                .is_some_and(|host| mail::authentication(raw, host) == Authentication::Verified),
        };
        let owner = tx.player_at(&address)?.filter(is_active);
        let proof = answers.as_ref().filter(|row| !row.revoked);
        let key_holder = match proof.and_then(|row| row.player) {
            Some(id) => tx.player(id)?.filter(is_active),
            None => None,
        };
        let invited_there = proof.is_some_and(|row| {
            row.purpose == Purpose::Invitation
                && row
                    .address
                    .as_deref()
                    .is_some_and(|invited| invited.eq_ignore_ascii_case(&address))
        });
        let player = match key_holder {
            Some(player) => Some(player),
            None if verified => owner.clone(),
            None => None,
        };
        let is_owner = owner
            .as_ref()
            .is_some_and(|owner| player.as_ref().is_some_and(|player| player.id == owner.id));
        let scope = match proof {
            Some(row) if !(verified && is_owner) => match (row.purpose, row.reference.map(u32::try_from)) {
                (Purpose::Account, _) => Scope::Whole,
                (Purpose::Match, Some(Ok(number))) => Scope::Match(number),
                _ => Scope::Purpose,
            },
            _ => Scope::Whole,
        };
        let suspect = if player.is_some() { None } else { owner };
        Ok(Sender {
            address,
            player,
            scope,
            suspect,
            address_proved: verified || invited_there,
            answers,
            board,
        })
    }

    /// The mail whose reply key stands in one of these addresses.
    fn named_by_key<'a>(&self, tx: &Tx, addresses: impl Iterator<Item = &'a String>) -> Result<Option<SentRow>> {
        for address in addresses {
            if let Some(key) = self.address.key_in(address)
                && let Some(row) = tx.sent_by_key(&key)?
            {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// The mail of ours that one of these Message-IDs names.
    fn named_by_message_ids<'a>(&self, tx: &Tx, ids: impl Iterator<Item = &'a String>) -> Result<Option<SentRow>> {
        for id in ids {
            if let Some(secret) = self.address.secret_in(id)
                && let Some(row) = tx.sent_by_message(&secret)?
            {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

/// Neither signed off nor barred.
fn is_active(player: &Player) -> bool {
    player.closed.is_none() && player.barred.is_none()
}
