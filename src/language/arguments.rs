//! What stands behind the word of a command. Each reader takes exactly the words that its command has, or refuses.

use super::command::{Command, Credentials, GameFilter, Line, MatchOptions, MatchRef, Opponent};
use super::table::{self, Entry};
use super::turns;
use super::userid;
use super::words::{Word, trim_free_text};
use crate::games::{self, Registration};

/// The canonical form of a line as it grows, and beside it the form without passwords.
#[derive(Clone, Debug, Default)]
pub(super) struct Rendering {
    pub canonical: String,
    pub shown: String,
}

impl Rendering {
    pub fn push(&mut self, piece: &str) {
        self.push_both(piece, piece);
    }

    pub fn push_secret(&mut self, piece: &str) {
        self.push_both(piece, "…");
    }

    fn push_both(&mut self, canonical: &str, shown: &str) {
        for (line, piece) in [(&mut self.canonical, canonical), (&mut self.shown, shown)] {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(piece);
        }
    }
}

/// The words behind the command, and what reading them adds to the line.
pub struct Arguments<'w, 't> {
    words: &'w [Word<'t>],
    /// What stands behind the command, as typed.
    behind: &'t str,
    /// The word of the command as it was understood.
    pub(super) word: &'static str,
    /// The game in whose notation a turn is read first.
    pub(super) game: Option<&'static Registration>,
    pub(super) rendering: Rendering,
    pub(super) target: MatchRef,
    pub(super) credentials: Option<Credentials>,
    /// Numbers of the older spelling: the challenge of `susan accept 12`, the turn of `susan show 12#7`.
    pub(super) challenge: Option<u32>,
    pub(super) turn: Option<u32>,
    /// What was read, once it was.
    pub(super) command: Option<Command>,
}

impl<'w, 't> Arguments<'w, 't> {
    pub(super) fn new(words: &'w [Word<'t>], behind: &'t str, word: &'static str, target: MatchRef) -> Self {
        Arguments {
            words,
            behind,
            word,
            game: None,
            rendering: Rendering::default(),
            target,
            credentials: None,
            challenge: None,
            turn: None,
            command: None,
        }
    }

    /// The line, once everything is read.
    pub(super) fn into_line(self, entry: &'static Entry, typed: &str) -> Option<Line> {
        Some(Line {
            typed: typed.to_string(),
            canonical: self.rendering.canonical,
            shown: self.rendering.shown,
            target: self.target,
            credentials: self.credentials,
            command: self.command?,
            entry,
        })
    }

    /// Takes the next word.
    fn next(&mut self) -> Option<&'w Word<'t>> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Takes all words that are left, as one text.
    fn rest(&mut self) -> String {
        let texts: Vec<_> = std::mem::take(&mut self.words)
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        texts.join(" ")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn only(&mut self) -> Option<&'w Word<'t>> {
        let word = self.next()?;
        self.is_empty().then_some(word)
    }

    /// The game at the beginning of the words that are left, and takes it.
    fn next_game(&mut self) -> Option<&'static str> {
        let (game, words, piece) = game_at(self.words)?;
        self.words = self.words.get(words..)?;
        self.rendering.push(&piece);
        Some(game.info.name)
    }

    // --- the kinds of arguments that several commands have ---

    /// No argument at all.
    pub(super) fn alone(&mut self, command: Command) -> Option<Command> {
        self.is_empty().then_some(command)
    }

    pub(super) fn free_text(&mut self, command: fn(String) -> Command) -> Option<Command> {
        let text = trim_free_text(self.behind);
        self.words = &[];
        if text.is_empty() {
            return None;
        }
        self.rendering.push(text);
        Some(command(text.to_string()))
    }

    /// The number of a challenge, which may be left out.
    pub(super) fn challenge_number(&mut self, command: fn(Option<u32>) -> Command) -> Option<Command> {
        if self.challenge.is_some() || self.is_empty() {
            return self.alone(command(self.challenge));
        }
        let (number, piece) = number(&self.only()?.text)?;
        self.rendering.push(&piece);
        Some(command(Some(number)))
    }

    pub(super) fn userid(&mut self, command: fn(String) -> Command) -> Option<Command> {
        let userid = userid_like(self.only()?)?;
        self.rendering.push(&userid);
        Some(command(userid))
    }

    /// `address A`.
    pub(super) fn address(&mut self, command: fn(String) -> Command) -> Option<Command> {
        let keyword = keyword(&self.next()?.text, &["address"])?;
        let address = address(&self.only()?.text)?;
        self.rendering.push(keyword);
        self.rendering.push(&address);
        Some(command(address))
    }

    /// A game, which may be left out or stand before the command.
    pub(super) fn game(&mut self, command: fn(Option<&'static str>) -> Command) -> Option<Command> {
        let game = if self.is_empty() {
            self.target.game
        } else {
            Some(self.next_game()?)
        };
        self.alone(command(game))
    }
}

// --- playing ---

/// A turn in some game's notation.
pub(super) fn turn(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let text = arguments.rest();
    let (text, turn) = turns::with_number(arguments.game, &text)?;
    push_turn(arguments, &text, turn);
    Some(Command::Move { text, turn })
}

/// A turn whose first word is the command itself: `pass`, `dead d4`, and in the older spelling `rosette pass 12 alice secret`.
pub(super) fn turn_word(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let rest = arguments.rest();
    let text = format!("{} {rest}", arguments.word);
    let (text, turn) = turns::with_number(arguments.game, text.trim_end())?;
    // The word itself is written already.
    let cells = text.strip_prefix(arguments.word)?.trim_start();
    push_turn(arguments, cells, turn);
    Some(Command::Move { text, turn })
}

/// Writes a turn with its number; nothing where there is neither.
fn push_turn(arguments: &mut Arguments<'_, '_>, text: &str, turn: Option<u32>) {
    match turn {
        Some(number) => arguments.rendering.push(&format!("{text}#{number}")),
        None if text.is_empty() => {}
        None => arguments.rendering.push(text),
    }
}

pub(super) fn preview(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let text = arguments.rest();
    let turns = turns::sequence(arguments.game, &text)?;
    for turn in &turns {
        arguments.rendering.push(turn);
    }
    Some(Command::Preview { turns })
}

/// `A then B`, and further pairs behind `if`.
pub(super) fn conditional(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut chain = Vec::new();
    let game = arguments.game;
    for pair in arguments.words.split(|word| word.text == "if") {
        let mut halves = pair.split(|word| word.text == "then");
        let (theirs, ours) = (halves.next()?, halves.next()?);
        if halves.next().is_some() {
            return None;
        }
        chain.push((turn_of(game, theirs)?, turn_of(game, ours)?));
    }
    arguments.words = &[];
    for (index, (theirs, ours)) in chain.iter().enumerate() {
        if index > 0 {
            arguments.rendering.push("if");
        }
        for piece in [theirs, "then", ours] {
            arguments.rendering.push(piece);
        }
    }
    Some(Command::If { chain })
}

fn turn_of(game: Option<&'static Registration>, words: &[Word<'_>]) -> Option<String> {
    let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
    turns::read(game, texts.join(" ").trim_end_matches([',', ';']))
}

/// `show`, `show #7`, `show 7`; `susan show 12#7` has its turn already.
pub(super) fn show(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        let turn = arguments.turn;
        return Some(Command::Show { turn });
    }
    let word = arguments.only()?;
    if arguments.turn.is_some() {
        return None;
    }
    if let Some((number, turn)) = word.text.split_once('#').filter(|(number, _)| !number.is_empty()) {
        let (number, turn) = (plain_number(number)?, plain_number(turn)?);
        if arguments.target.number.is_some_and(|named| named != number) {
            return None;
        }
        arguments.target.number = Some(number);
        arguments.rendering.push(&format!("{number}#{turn}"));
        return Some(Command::Show { turn: Some(turn) });
    }
    let (turn, piece) = number(&word.text)?;
    arguments.rendering.push(&piece);
    Some(Command::Show { turn: Some(turn) })
}

pub(super) fn extend(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let text = &arguments.only()?.text;
    let by = text.parse().ok()?;
    arguments.rendering.push(text);
    Some(Command::Extend { by })
}

// --- meeting ---

/// What is neither option nor game is a name.
pub(super) fn challenge(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let game_before = arguments.target.game;
    let mut game = game_before;
    let mut game_behind = false;
    let mut options = MatchOptions::default();
    let mut opponents = Vec::new();
    while let Some(word) = arguments.words.first() {
        if let Some(option) = MatchOption::read(&word.text) {
            arguments.next();
            arguments.rendering.push(&option.piece());
            option.add_to(&mut options);
        } else if let Some((registration, ..)) = game_at(arguments.words) {
            if game_behind || game.is_some_and(|named| named != registration.info.name) {
                return None;
            }
            game_behind = true;
            game = arguments.next_game();
        } else {
            arguments.next();
            let (opponent, piece) = opponent(word)?;
            arguments.rendering.push(&piece);
            opponents.push(opponent);
        }
    }
    let game = game?;
    if opponents.is_empty() {
        let before = options.terms.len();
        options.terms.retain(|(name, _)| name != "open");
        return (options.terms.len() < before).then_some(Command::Open { game, options });
    }
    if game_before.is_some() && opponents.len() > 1 {
        // The older spelling names the challenger first.
        if let Opponent::Player(userid) = opponents.first()?.clone() {
            opponents.remove(0);
            arguments.credentials = Some(Credentials { userid, password: None });
        }
    }
    Some(Command::Challenge {
        opponents,
        game,
        options,
    })
}

pub(super) fn open(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut game = arguments.target.game;
    let mut options = MatchOptions::default();
    while let Some(word) = arguments.words.first() {
        if let Some(option) = MatchOption::read(&word.text) {
            arguments.next();
            arguments.rendering.push(&option.piece());
            option.add_to(&mut options);
        } else if game.is_none() {
            game = Some(arguments.next_game()?);
        } else {
            return None;
        }
    }
    game.map(|game| Command::Open { game, options })
}

fn opponent(word: &Word<'_>) -> Option<(Opponent, String)> {
    if let Some(address) = address(&word.text) {
        return Some((Opponent::Address(address.clone()), address));
    }
    let userid = userid_like(word)?;
    Some((Opponent::Player(userid.clone()), userid))
}

/// One option of a challenge: `-large`, `--time=7d`.
struct MatchOption {
    dashes: &'static str,
    name: String,
    value: Option<String>,
    is_term: bool,
}

impl MatchOption {
    /// Options of the match; every other one is left to the game.
    const TERMS: [&str; 11] = [
        "time",
        "first",
        "unrated",
        "private",
        "soft",
        "weekdays",
        "forfeittime",
        "totaltime",
        "nagtime",
        "repeat",
        "open",
    ];

    fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(',');
        let (dashes, rest) = match text.strip_prefix("--") {
            Some(rest) => ("--", rest),
            None => ("-", text.strip_prefix('-')?),
        };
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (rest, None),
        };
        let begins_well = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !begins_well || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return None;
        }
        let term = keyword(name, &Self::TERMS);
        Some(MatchOption {
            dashes,
            name: term.unwrap_or(name).to_string(),
            value,
            is_term: term.is_some(),
        })
    }

    fn piece(&self) -> String {
        let (dashes, name) = (self.dashes, &self.name);
        match &self.value {
            Some(value) => format!("{dashes}{name}={value}"),
            None => format!("{dashes}{name}"),
        }
    }

    fn add_to(self, options: &mut MatchOptions) {
        let list = if self.is_term {
            &mut options.terms
        } else {
            &mut options.game
        };
        list.push((self.name, self.value));
    }
}

// --- account ---

/// `signup NAME [PASSWORD] [ADDRESS …]`. The name is judged later, so that the answer can say what is wrong with it.
pub(super) fn signup(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let userid = arguments.next()?.text.trim_end_matches(',').to_string();
    arguments.rendering.push(&userid);
    let mut password = None;
    let mut addresses = Vec::new();
    while let Some(word) = arguments.next() {
        if let Some(address) = address(&word.text) {
            arguments.rendering.push(&address);
            addresses.push(address);
        } else if password.is_none() && addresses.is_empty() {
            arguments.rendering.push_secret(&word.raw);
            password = Some(word.raw.clone());
        } else {
            return None;
        }
    }
    Some(Command::Signup {
        userid,
        password,
        addresses,
    })
}

pub(super) fn set(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    const ONE_WORD: [&str; 5] = ["language", "timezone", "mail", "board", "autoaccept"];
    const SEVERAL_WORDS: [&str; 2] = ["reminders", "limit"];
    if arguments.is_empty() {
        return Some(Command::Set { setting: None });
    }
    let key = &arguments.next()?.text;
    let keys = [&ONE_WORD[..], &SEVERAL_WORDS[..]].concat();
    let key = keyword(key, &keys)?;
    let words = arguments.words.len();
    if words == 0 || (words > 1 && ONE_WORD.contains(&key)) {
        return None;
    }
    let value = arguments.rest();
    arguments.rendering.push(key);
    arguments.rendering.push(&value);
    Some(Command::Set {
        setting: Some((key.to_string(), value)),
    })
}

pub(super) fn password(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let word = arguments.only()?;
    if word.text == "off" {
        arguments.rendering.push("off");
        return Some(Command::Password { new: None });
    }
    arguments.rendering.push_secret(&word.raw);
    Some(Command::Password {
        new: Some(word.raw.clone()),
    })
}

pub(super) fn vacation(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let texts: Vec<_> = arguments.words.iter().map(|word| word.text.as_str()).collect();
    match texts[..] {
        [] => Some(Command::Vacation),
        ["off"] => {
            arguments.words = &[];
            arguments.rendering.push("off");
            Some(Command::VacationOff)
        }
        [first, "to", last] if is_date_like(first) && is_date_like(last) => {
            let command = Command::VacationFrom {
                first: first.to_string(),
                last: last.to_string(),
            };
            let piece = arguments.rest();
            arguments.rendering.push(&piece);
            Some(command)
        }
        _ => None,
    }
}

// --- looking ---

pub(super) fn status(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        return Some(Command::Status { all: false });
    }
    let all = keyword(&arguments.only()?.text, &["all"])?;
    arguments.rendering.push(all);
    Some(Command::Status { all: true })
}

pub(super) fn games(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut userid = None;
    let mut filter = None;
    while let Some(word) = arguments.words.first() {
        if let Some(named) = keyword(&word.text, &["active", "finished"]).filter(|_| filter.is_none()) {
            arguments.next();
            arguments.rendering.push(named);
            filter = Some(if named == "active" {
                GameFilter::Active
            } else {
                GameFilter::Finished
            });
        } else if arguments.target.game.is_none() && game_at(arguments.words).is_some() {
            arguments.target.game = arguments.next_game();
        } else if userid.is_none() {
            arguments.next();
            let named = userid_like(word)?;
            arguments.rendering.push(&named);
            userid = Some(named);
        } else {
            return None;
        }
    }
    Some(Command::Games {
        userid,
        filter: filter.unwrap_or(GameFilter::All),
    })
}

pub(super) fn archive(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut game = arguments.target.game;
    let mut userids = Vec::new();
    let mut since = None;
    let mut page = None;
    while let Some(word) = arguments.words.first() {
        match word.text.as_str() {
            "since" if since.is_none() => {
                arguments.next();
                let date = arguments.next().filter(|date| is_date_like(&date.text))?;
                arguments.rendering.push("since");
                arguments.rendering.push(&date.text);
                since = Some(date.text.clone());
            }
            "page" if page.is_none() => {
                arguments.next();
                let number = plain_number(&arguments.next()?.text)?;
                arguments.rendering.push("page");
                arguments.rendering.push(&number.to_string());
                page = Some(number);
            }
            _ if game.is_none() && game_at(arguments.words).is_some() => game = arguments.next_game(),
            _ => {
                arguments.next();
                let userid = userid_like(word)?;
                arguments.rendering.push(&userid);
                userids.push(userid);
            }
        }
    }
    Some(Command::Archive {
        game,
        userids,
        since,
        page: page.unwrap_or(1),
    })
}

/// One or two players.
pub(super) fn stats(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if !(1..=2).contains(&arguments.words.len()) {
        return None;
    }
    let mut userids = Vec::new();
    while let Some(word) = arguments.next() {
        let userid = userid_like(word)?;
        arguments.rendering.push(&userid);
        userids.push(userid);
    }
    Some(Command::Stats { userids })
}

/// `help`, `help TOPIC`, `susan help`. A topic that there is not is answered with those that there are.
pub(super) fn help(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        let topic = arguments.target.game.map(String::from);
        return Some(Command::Help { topic });
    }
    if game_at(arguments.words).is_some() {
        let topic = arguments.next_game().map(String::from);
        return arguments.alone(Command::Help { topic });
    }
    let topic = &arguments.only()?.text;
    let topic = table::understand(topic).map_or(topic.as_str(), |entry| entry.word);
    if !topic.chars().all(|letter| letter.is_alphanumeric() || letter == '-') {
        return None;
    }
    arguments.rendering.push(topic);
    Some(Command::Help {
        topic: Some(topic.to_string()),
    })
}

// --- pieces ---

/// The game that the first words name: its name, another spelling, its title in several words, or a unique
/// beginning of at least three letters that is no command. Gives the number of words and the canonical piece.
pub(super) fn game_at(words: &[Word<'_>]) -> Option<(&'static Registration, usize, String)> {
    let first = words.first()?.text.trim_end_matches(',');
    for game in games::GAMES {
        let title = game.info.title.to_lowercase();
        let title: Vec<_> = title.split(' ').collect();
        let found = title.len() > 1
            && words.len() >= title.len()
            && title.iter().zip(words).all(|(title, word)| *title == word.text);
        if found {
            return Some((game, title.len(), game.info.name.to_string()));
        }
    }
    if let Some(game) = games::find(first) {
        return Some((game, 1, first.to_string()));
    }
    if first.len() < 3 || table::understand(first).is_some() {
        return None;
    }
    let mut longer = games::GAMES.iter().filter(|game| game.info.name.starts_with(first));
    match (longer.next(), longer.next()) {
        (Some(game), None) => Some((game, 1, game.info.name.to_string())),
        _ => None,
    }
}

/// `12` or `#12`, and its canonical piece.
pub(super) fn number(text: &str) -> Option<(u32, String)> {
    match text.strip_prefix('#') {
        Some(digits) => plain_number(digits).map(|number| (number, format!("#{number}"))),
        None => plain_number(text).map(|number| (number, number.to_string())),
    }
}

/// Digits alone: no sign, no blank, nothing too great.
pub(super) fn plain_number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// A word that could be somebody's userid.
pub(super) fn userid_like(word: &Word<'_>) -> Option<String> {
    let text = word.text.trim_end_matches(',');
    userid::is_well_formed(text).then(|| text.to_string())
}

/// A mail address, also as mail programs write it when they make it a link.
fn address(text: &str) -> Option<String> {
    let text = text.trim_end_matches(',');
    let text = text.split_once("<mailto:").map_or(text, |(before, _)| before);
    let text = text.trim_start_matches("mailto:").trim_matches(['<', '>']);
    let (local, domain) = text.split_once('@')?;
    let plain = |letter: char| !letter.is_whitespace() && !letter.is_control() && !"<>()[],;:\"\\@".contains(letter);
    let good = !local.is_empty()
        && text.len() <= 254
        && text.chars().filter(|&letter| letter != '@').all(plain)
        && !domain.contains('@')
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty());
    good.then(|| text.to_string())
}

/// A word that was meant as a date; whether there is such a day is judged later.
fn is_date_like(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"-/.".contains(&byte))
}

/// The one of these words that is meant: whole, or a unique beginning of at least three letters.
fn keyword<'k>(text: &str, words: &[&'k str]) -> Option<&'k str> {
    if let Some(whole) = words.iter().find(|word| **word == text) {
        return Some(whole);
    }
    if text.len() < 3 {
        return None;
    }
    let mut longer = words.iter().filter(|word| word.starts_with(text));
    match (longer.next(), longer.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
