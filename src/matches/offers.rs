//! Offers: at most one is pending in a match, so that `accept` and `reject` need not say which.

use crate::games::Seat;

use super::action::Refused;
use super::event::Offer;

/// The offer that waits for its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    pub seat: Seat,
    pub offer: Offer,
    /// Who has accepted (three and four players).
    pub accepted: Vec<Seat>,
}

/// What offering comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offering {
    /// It is a new offer; an earlier one of the same writer makes way.
    New,
    /// Another player offers the same: it is his acceptance.
    Accepts,
}

/// Judges an offer of `seat` beside the one that is pending.
pub fn judge(pending: Option<&Pending>, seat: Seat, offer: Offer) -> Result<Offering, Refused> {
    let Some(pending) = pending else {
        return Ok(Offering::New);
    };
    match (pending.seat == seat, pending.offer == offer) {
        (true, true) => Err(Refused::AlreadyOffered { offer }),
        (true, false) => Ok(Offering::New),
        (false, true) if pending.accepted.contains(&seat) => Err(Refused::AlreadyAnswered { offer }),
        (false, true) => Ok(Offering::Accepts),
        (false, false) => Err(Refused::OfferPending {
            seat: pending.seat,
            offer: pending.offer,
        }),
    }
}

/// Judges whether `seat` may answer the pending offer.
pub fn judge_answer(pending: Option<&Pending>, seat: Seat) -> Result<(), Refused> {
    let Some(pending) = pending else {
        return Err(Refused::NoOffer);
    };
    if pending.seat == seat {
        return Err(Refused::OwnOffer { offer: pending.offer });
    }
    if pending.accepted.contains(&seat) {
        return Err(Refused::AlreadyAnswered { offer: pending.offer });
    }
    Ok(())
}
