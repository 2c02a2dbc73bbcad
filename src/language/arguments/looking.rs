//! Arguments of the commands that look.

use super::super::command::{Command, GameFilter};
use super::super::lookup;
use super::{Arguments, game_at, is_date_like, keyword, plain_number, userid_like};

pub(in crate::language) fn status(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        return Some(Command::Status { all: false });
    }
    let all = keyword(&arguments.only()?.text, &["all"])?;
    arguments.rendering.push(all);
    Some(Command::Status { all: true })
}

pub(in crate::language) fn games(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
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

pub(in crate::language) fn archive(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut game = arguments.target.game;
    let mut userids = Vec::new();
    let mut since = None;
    let mut page = None;
    while let Some(word) = arguments.words.first() {
        match &*word.text {
            "since" if since.is_none() => {
                arguments.next();
                let date = arguments.next().filter(|date| is_date_like(&date.text))?;
                arguments.rendering.push("since");
                arguments.rendering.push(&date.text);
                since = Some(date.text.to_string());
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
pub(in crate::language) fn stats(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
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
pub(in crate::language) fn help(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        let topic = arguments.target.game.map(String::from);
        return Some(Command::Help { topic });
    }
    if game_at(arguments.words).is_some() {
        let topic = arguments.next_game().map(String::from);
        return arguments.alone(Command::Help { topic });
    }
    let topic = &arguments.only()?.text;
    let topic = lookup::understand(topic).map_or(&**topic, |entry| entry.word);
    if !topic.chars().all(|letter| letter.is_alphanumeric() || letter == '-') {
        return None;
    }
    arguments.rendering.push(topic);
    Some(Command::Help {
        topic: Some(topic.to_string()),
    })
}
