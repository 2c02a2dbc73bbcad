//! Conditional turns: `if c4-c5 then d4 if e6 then e5`.

use crate::games::{Kind, Reason, Refusal, Seat, Table};

/// Pairs of an opponent's turn and the answer to it, each pair reached by the one before it.
pub type Chain = Vec<(String, String)>;

/// The longest chain.
pub const MAX_PAIRS: usize = 20;

/// The most lines that a player may have in a match.
pub const MAX_LINES: usize = 50;

/// What is wrong with one pair of a chain.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionFault {
    /// The opponent cannot play the first turn there.
    Their(Refusal),
    /// The answer cannot be played there.
    Yours(Refusal),
    /// After the opponent's turn the game is over.
    EndsGame,
    /// After the opponent's turn it is somebody else's turn (three and four players).
    NotYourTurn,
    /// Resigning is never conditional.
    Resigns,
    /// The chain has no pair, or more than `max`.
    Length { max: usize },
}

/// Plays a chain on a copy of the board where its writer waits for somebody's turn, and gives it in canonical
/// notation. The error is the first pair that cannot stand.
pub fn check(table: &dyn Table, writer: Seat, chain: &Chain) -> Result<Chain, (usize, ConditionFault)> {
    if chain.is_empty() || chain.len() > MAX_PAIRS {
        return Err((0, ConditionFault::Length { max: MAX_PAIRS }));
    }
    let mut table = table.boxed_clone();
    let mut canonical = Chain::new();
    for (index, (theirs, yours)) in chain.iter().enumerate() {
        let pair = check_pair(table.as_mut(), writer, theirs, yours).map_err(|fault| (index, fault))?;
        canonical.push(pair);
    }
    Ok(canonical)
}

fn check_pair(
    table: &mut dyn Table,
    writer: Seat,
    theirs: &str,
    yours: &str,
) -> Result<(String, String), ConditionFault> {
    if resigns(theirs) || resigns(yours) {
        return Err(ConditionFault::Resigns);
    }
    let Some(opponent) = table.to_move() else {
        return Err(ConditionFault::Their(Refusal {
            kind: Kind::Over,
            reason: Reason::Over,
        }));
    };
    let theirs = table.play(Some(opponent), theirs).map_err(ConditionFault::Their)?;
    match table.to_move() {
        None => return Err(ConditionFault::EndsGame),
        Some(seat) if seat != writer => return Err(ConditionFault::NotYourTurn),
        Some(_) => {}
    }
    let yours = table.play(Some(writer), yours).map_err(ConditionFault::Yours)?;
    Ok((theirs.text, yours.text))
}

/// Whether the text says `resign`, with a seat before it or without.
fn resigns(text: &str) -> bool {
    let word = text.rsplit(':').next().unwrap_or(text);
    word.trim().eq_ignore_ascii_case("resign")
}

/// The conditional turns of one player: chains that never give two answers to one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    chains: Vec<Chain>,
}

impl Conditions {
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }

    /// Adds a chain. Chains that it contradicts, or that it only continues, make way; gives how many.
    pub fn add(&mut self, chain: Chain) -> usize {
        let before = self.chains.len();
        self.chains.retain(|old| agree(old, &chain) && !chain.starts_with(old));
        let replaced = before - self.chains.len();
        self.chains.push(chain);
        replaced
    }

    /// Forgets everything; gives how many chains there were.
    pub fn clear(&mut self) -> usize {
        std::mem::take(&mut self.chains).len()
    }

    /// Another player played `text`: only the chains that begin with it stay. Gives whether all are gone now though
    /// there were some.
    pub fn opponent_played(&mut self, text: &str) -> usize {
        let before = self.chains.len();
        self.chains
            .retain(|chain| chain.first().is_some_and(|(theirs, _)| theirs == text));
        if self.chains.is_empty() { before } else { 0 }
    }

    /// The answer to the turn that the opponent has just played.
    pub fn answer(&self) -> Option<&str> {
        Some(&self.chains.first()?.first()?.1)
    }

    /// The answer was played: the chains go on with their next pair, if they have one.
    pub fn answered(&mut self) {
        for chain in &mut self.chains {
            if !chain.is_empty() {
                chain.remove(0);
            }
        }
        self.chains.retain(|chain| !chain.is_empty());
    }
}

/// Whether two chains never give two answers to the same turn in the same place.
fn agree(one: &Chain, other: &Chain) -> bool {
    match one.iter().zip(other).find(|(a, b)| a != b) {
        Some(((theirs, _), (others, _))) => theirs != others,
        None => true,
    }
}
