//! What the table of commands says of each: how it is written, who may say it, and when.

use super::arguments::Arguments;
use super::command::Command;

/// What a command is about; help shows the commands by section, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    Playing,
    Meeting,
    Account,
    Looking,
}

impl Section {
    pub const ALL: [Section; 4] = [Section::Playing, Section::Meeting, Section::Account, Section::Looking];

    /// The name in `help NAME` and in `templates/en/commands.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Playing => "playing",
            Section::Meeting => "meeting",
            Section::Account => "account",
            Section::Looking => "looking",
        }
    }
}

/// Who may say a command (LANGUAGE.md 2 and 5), each player proved as LANGUAGE.md 2 says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Answered to anyone.
    Anyone,
    /// A person proved or about to open an account.
    Newcomer,
    /// Any player.
    Player,
    /// Who may see the match: anyone for a public one, else its players.
    Reader,
    /// A player of the match.
    Seat,
    /// A player who may see the match and does not play in it.
    Outsider,
}

/// In which state of its match a command may be said. What else it needs (a legal turn, an offer, a clock) is for the
/// match to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    /// While the match goes on.
    GoesOn,
    /// While the match goes on and the speaker is to move; in a counting the game judges who may speak.
    OwnTurn,
    /// While the match goes on and another is to move.
    OthersTurn,
    /// While the clocks stand still by agreement, or by the keeper's word.
    Paused,
    /// Once the match has ended.
    Over,
}

/// What the number behind the command names in the older spelling (`susan resign 12 alice secret`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Older {
    /// The command has no number there.
    None,
    /// The number of the match.
    Match,
    /// The number of a challenge.
    Challenge,
}

/// One command.
pub struct Entry {
    /// The word in canonical form, and the key of its help.
    pub word: &'static str,
    /// Other words with the same meaning, in other languages; `commands.WORD.word` of each language is among them.
    pub aliases: &'static [&'static str],
    /// Slips of the keyboard that count as the word.
    pub slips: &'static [&'static str],
    pub section: Section,
    /// How the command is written, as help shows it.
    pub syntax: &'static [&'static str],
    /// Whole lines that are this command.
    pub examples: &'static [&'static str],
    /// Whether a unique beginning of at least three letters counts as the word.
    pub abbreviable: bool,
    pub older: Older,
    pub access: Access,
    pub when: When,
    /// Whether the command changes something; what changes nothing needs no proof where `access` says anyone.
    pub changes: bool,
    /// Whether the command is about one match.
    pub needs_match: bool,
    pub(super) read: Read,
}

/// Reads what stands behind the word of a command.
pub(super) type Read = fn(&mut Arguments<'_, '_>) -> Option<Command>;

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entry").field(&self.word).finish()
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

/// What most commands have in common; each entry says where it differs.
pub(super) const fn entry(word: &'static str, section: Section, read: Read) -> Entry {
    Entry {
        word,
        aliases: &[],
        slips: &[],
        section,
        syntax: &[],
        examples: &[],
        abbreviable: true,
        older: Older::None,
        access: Access::Player,
        when: When::Always,
        changes: true,
        needs_match: false,
        read,
    }
}

/// A command in a match that goes on, said by one of its players.
pub(super) const fn in_match(word: &'static str, read: Read) -> Entry {
    Entry {
        older: Older::Match,
        access: Access::Seat,
        when: When::GoesOn,
        needs_match: true,
        ..entry(word, Section::Playing, read)
    }
}

/// A command that shows something of a match.
pub(super) const fn of_match(word: &'static str, read: Read) -> Entry {
    Entry {
        access: Access::Reader,
        when: When::Always,
        changes: false,
        ..in_match(word, read)
    }
}

/// A command that shows something to a player alone.
pub(super) const fn look(word: &'static str, section: Section, access: Access, read: Read) -> Entry {
    Entry {
        access,
        changes: false,
        ..entry(word, section, read)
    }
}
