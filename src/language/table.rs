//! The one table of commands. The parser, help, the tutorial and the tests are made from it.

use super::arguments::{account, looking, meeting, playing};
use super::command::Command;
use super::entry::{Access, Entry, Older, Section, When, entry, in_match, look, of_match};

/// Every command, by section, in the order in which help shows them.
pub static COMMANDS: &[Entry] = &[
    // --- playing ---
    Entry {
        aliases: &["두기", "착수"],
        slips: &["mvoe", "moev", "omve", "mve", "moove", "mvove"],
        syntax: &["MOVE", "move MOVE", "MOVE#TURN"],
        examples: &[
            "move d4",
            "#12 move c4-c5",
            "susan move 12 alice secret d4",
            "move d4#7",
        ],
        when: When::OwnTurn,
        ..in_match("move", playing::turn)
    },
    Entry {
        aliases: &["패스"],
        slips: &["psas", "apss", "pss", "passs"],
        syntax: &["pass"],
        examples: &["pass", "#12 pass", "pass#7"],
        when: When::OwnTurn,
        ..in_match("pass", playing::turn_word)
    },
    Entry {
        aliases: &["사석"],
        slips: &["daed", "ded"],
        syntax: &["dead CELL …", "dead none"],
        examples: &["dead d4 e5", "dead none"],
        ..in_match("dead", playing::turn_word)
    },
    Entry {
        aliases: &["동의"],
        slips: &["agre", "agee", "aggree"],
        syntax: &["agree"],
        examples: &["agree", "rosette agree 12 alice secret"],
        when: When::OwnTurn,
        ..in_match("agree", playing::turn_word)
    },
    Entry {
        aliases: &["재개"],
        slips: &["reusme", "resmue", "rseume"],
        syntax: &["resume"],
        examples: &["resume"],
        ..in_match("resume", playing::turn_word)
    },
    Entry {
        aliases: &["미리보기"],
        slips: &["preveiw", "previw", "perview", "prveiw"],
        syntax: &["preview MOVE …"],
        examples: &["preview d4", "preview d4 d5 c4-c5"],
        when: When::GoesOn,
        ..of_match("preview", playing::preview)
    },
    Entry {
        aliases: &["만약"],
        syntax: &["if MOVE then MOVE", "if MOVE then MOVE if MOVE then MOVE"],
        examples: &["if c4-c5 then d4", "if c4-c5 then d4 if e6 then e5"],
        when: When::OthersTurn,
        ..in_match("if", playing::conditional)
    },
    Entry {
        aliases: &["조건취소"],
        slips: &["dorp", "drpo"],
        syntax: &["drop"],
        examples: &["drop"],
        ..in_match("drop", |arguments| arguments.alone(Command::Drop))
    },
    Entry {
        aliases: &["무르기"],
        slips: &["udno", "unod", "undoo"],
        syntax: &["undo"],
        examples: &["undo"],
        ..in_match("undo", |arguments| arguments.alone(Command::Undo))
    },
    Entry {
        aliases: &["무승부"],
        slips: &["darw", "drwa"],
        syntax: &["draw"],
        examples: &["draw", "#12 draw"],
        ..in_match("draw", |arguments| arguments.alone(Command::Draw))
    },
    Entry {
        aliases: &["수락"],
        slips: &["acept", "accpet", "acecpt", "accetp"],
        syntax: &["accept", "accept CHALLENGE"],
        examples: &["accept", "accept 12", "susan accept 12 alice secret"],
        older: Older::Challenge,
        access: Access::Player,
        when: When::Always,
        needs_match: false,
        ..in_match("accept", |arguments| {
            arguments.challenge_number(|number| Command::Accept { number })
        })
    },
    Entry {
        aliases: &["거절"],
        slips: &["rejct", "regect", "rejetc", "reejct"],
        syntax: &["reject"],
        examples: &["reject"],
        access: Access::Player,
        when: When::Always,
        needs_match: false,
        ..in_match("reject", |arguments| arguments.alone(Command::Reject))
    },
    Entry {
        aliases: &["기권"],
        slips: &["resgin", "reisgn", "rezign", "resing"],
        syntax: &["resign"],
        examples: &["resign", "#12 resign", "susan resign 12 alice secret"],
        ..in_match("resign", |arguments| arguments.alone(Command::Resign))
    },
    Entry {
        aliases: &["전하기"],
        syntax: &["say TEXT"],
        examples: &["say Good luck with the exam!"],
        abbreviable: false,
        when: When::Always,
        ..in_match("say", |arguments| arguments.free_text(|text| Command::Say { text }))
    },
    Entry {
        aliases: &["메모하기"],
        syntax: &["note TEXT"],
        examples: &["note he likes corners"],
        abbreviable: false,
        ..in_match("note", |arguments| arguments.free_text(|text| Command::Note { text }))
    },
    Entry {
        aliases: &["가능한수"],
        slips: &["leagl", "elgal", "legla"],
        syntax: &["legal"],
        examples: &["legal", "susan legal 12"],
        ..of_match("legal", |arguments| arguments.alone(Command::Legal))
    },
    Entry {
        aliases: &["보기"],
        slips: &["shwo", "hsow", "sohw", "shw"],
        syntax: &["show", "show #TURN"],
        examples: &["show", "show #7", "#12 show", "susan show 12#7"],
        ..of_match("show", playing::show)
    },
    Entry {
        aliases: &["수순"],
        slips: &["hsitory", "histroy", "hisotry", "histry"],
        syntax: &["history"],
        examples: &["history", "#12 history"],
        ..of_match("history", |arguments| arguments.alone(Command::History))
    },
    Entry {
        aliases: &["기보"],
        slips: &["reocrd", "recrod", "recod"],
        syntax: &["record"],
        examples: &["record", "#12 record"],
        ..of_match("record", |arguments| arguments.alone(Command::Record))
    },
    Entry {
        aliases: &["시간승"],
        slips: &["calim", "cliam", "claime"],
        syntax: &["claim"],
        examples: &["claim"],
        when: When::OthersTurn,
        ..in_match("claim", |arguments| arguments.alone(Command::Claim))
    },
    Entry {
        aliases: &["연장"],
        slips: &["exetnd", "extned", "exend"],
        syntax: &["extend TIME"],
        examples: &["extend 3d", "#12 extend 36h"],
        ..in_match("extend", playing::extend)
    },
    Entry {
        aliases: &["일시정지"],
        slips: &["puase", "pasue", "paues"],
        syntax: &["pause"],
        examples: &["pause"],
        ..in_match("pause", |arguments| arguments.alone(Command::Pause))
    },
    Entry {
        aliases: &["계속"],
        slips: &["contineu", "contiune", "coninue", "continu"],
        syntax: &["continue"],
        examples: &["continue"],
        when: When::Paused,
        ..in_match("continue", |arguments| arguments.alone(Command::Continue))
    },
    Entry {
        aliases: &["관전"],
        slips: &["wathc", "wacth", "wach"],
        syntax: &["#MATCH watch"],
        examples: &["#12 watch", "susan watch 12"],
        access: Access::Outsider,
        ..in_match("watch", |arguments| arguments.alone(Command::Watch))
    },
    Entry {
        aliases: &["관전취소"],
        slips: &["unwathc", "unwacth", "unwach"],
        syntax: &["#MATCH unwatch"],
        examples: &["#12 unwatch"],
        access: Access::Outsider,
        when: When::Always,
        ..in_match("unwatch", |arguments| arguments.alone(Command::Unwatch))
    },
    // --- meeting ---
    Entry {
        aliases: &["도전"],
        slips: &[
            "chal",
            "chall",
            "challe",
            "challen",
            "challeng",
            "chalenge",
            "challange",
            "challege",
            "challenege",
            "chalange",
            "challnge",
            "callenge",
        ],
        syntax: &[
            "challenge PLAYER GAME [OPTION …]",
            "GAME challenge PLAYER [OPTION …]",
            "challenge ADDRESS GAME [OPTION …]",
        ],
        examples: &[
            "challenge bob susan",
            "challenge bob susan -side=6 --time=10d+36h/10d --unrated --first=me",
            "susan challenge alice bob",
            "challenge friend@example.net susan",
        ],
        ..entry("challenge", Section::Meeting, meeting::challenge)
    },
    Entry {
        aliases: &["공개도전"],
        slips: &["oepn", "opne"],
        syntax: &["open GAME [OPTION …]"],
        examples: &["open susan", "open susan --repeat=3 --unrated"],
        ..entry("open", Section::Meeting, meeting::open)
    },
    Entry {
        aliases: &["사양"],
        slips: &["declien", "delcine", "declne"],
        syntax: &["decline", "decline CHALLENGE"],
        examples: &["decline", "decline 12"],
        older: Older::Challenge,
        ..entry("decline", Section::Meeting, |arguments| {
            arguments.challenge_number(|number| Command::Decline { number })
        })
    },
    Entry {
        aliases: &["철회"],
        slips: &["witdraw", "withdarw", "widthdraw", "withdrawl"],
        syntax: &["withdraw", "withdraw CHALLENGE"],
        examples: &["withdraw 12"],
        older: Older::Challenge,
        ..entry("withdraw", Section::Meeting, |arguments| {
            arguments.challenge_number(|number| Command::Withdraw { number })
        })
    },
    Entry {
        aliases: &["도전목록"],
        slips: &["challanges", "chalenges", "challenegs"],
        syntax: &["challenges [page NUMBER]"],
        examples: &["challenges", "challenges page 2"],
        ..look("challenges", Section::Meeting, Access::Player, meeting::challenges)
    },
    Entry {
        aliases: &["재대국"],
        slips: &["remacth", "rematc", "remathc", "remach"],
        syntax: &["rematch"],
        examples: &["rematch", "#12 rematch"],
        section: Section::Meeting,
        when: When::Over,
        ..in_match("rematch", |arguments| arguments.alone(Command::Rematch))
    },
    Entry {
        aliases: &["차단"],
        slips: &["blcok", "bolck"],
        syntax: &["block PLAYER"],
        examples: &["block bob"],
        ..entry("block", Section::Meeting, |arguments| {
            arguments.userid(|userid| Command::Block { userid })
        })
    },
    Entry {
        aliases: &["차단해제"],
        slips: &["unblcok", "unbolck"],
        syntax: &["unblock PLAYER"],
        examples: &["unblock bob"],
        ..entry("unblock", Section::Meeting, |arguments| {
            arguments.userid(|userid| Command::Unblock { userid })
        })
    },
    // --- account ---
    Entry {
        aliases: &["가입"],
        slips: &["singup", "sigup", "signpu", "sign-up"],
        syntax: &["signup NAME [PASSWORD] [ADDRESS …]"],
        examples: &["signup alice", "signup alice secret alice@example.net"],
        access: Access::Newcomer,
        ..entry("signup", Section::Account, account::signup)
    },
    Entry {
        aliases: &["추가"],
        syntax: &["add address ADDRESS"],
        examples: &["add address alice@example.org"],
        ..entry("add", Section::Account, |arguments| {
            arguments.address(|address| Command::AddAddress { address })
        })
    },
    Entry {
        aliases: &["삭제"],
        slips: &["remvoe", "reomve", "rmeove"],
        syntax: &["remove address ADDRESS"],
        examples: &["remove address alice@example.org"],
        ..entry("remove", Section::Account, |arguments| {
            arguments.address(|address| Command::RemoveAddress { address })
        })
    },
    Entry {
        aliases: &["설정"],
        syntax: &["set", "set KEY VALUE"],
        examples: &[
            "set",
            "set language ko",
            "set timezone europe/berlin",
            "set mail digest",
            "set board unicode",
            "set html off",
            "set picture on",
            "set reminders 50% 20% 1d",
            "set autoaccept on",
            "set limit susan 5",
        ],
        ..entry("set", Section::Account, account::set)
    },
    Entry {
        aliases: &["비밀번호"],
        slips: &["pasword", "passwrod", "passowrd", "passwort"],
        syntax: &["password NEW", "password off"],
        examples: &["password Sesame7", "password off"],
        ..entry("password", Section::Account, account::password)
    },
    Entry {
        aliases: &["새열쇠"],
        slips: &["nwekey", "new-key", "newkye"],
        syntax: &["newkey"],
        examples: &["newkey"],
        ..entry("newkey", Section::Account, |arguments| arguments.alone(Command::NewKey))
    },
    Entry {
        aliases: &["휴가"],
        slips: &["vaction", "vacaton", "vacatoin", "vacatin"],
        syntax: &["vacation DATE to DATE", "vacation", "vacation off"],
        examples: &["vacation 2026-12-20 to 2027-01-03", "vacation", "vacation off"],
        ..entry("vacation", Section::Account, account::vacation)
    },
    Entry {
        aliases: &["내정보"],
        slips: &["whaomi", "whoma", "whoiam"],
        syntax: &["whoami"],
        examples: &["whoami"],
        ..look("whoami", Section::Account, Access::Player, |arguments| {
            arguments.alone(Command::WhoAmI)
        })
    },
    Entry {
        aliases: &["프로필"],
        syntax: &["who PLAYER"],
        examples: &["who bob"],
        ..look("who", Section::Account, Access::Anyone, |arguments| {
            arguments.userid(|userid| Command::Who { userid })
        })
    },
    Entry {
        aliases: &["내자료"],
        slips: &["mydta", "mydaat", "my-data"],
        syntax: &["mydata"],
        examples: &["mydata"],
        ..look("mydata", Section::Account, Access::Player, |arguments| {
            arguments.alone(Command::MyData)
        })
    },
    Entry {
        aliases: &["탈퇴"],
        slips: &["singoff", "signof", "sign-off"],
        syntax: &["signoff"],
        examples: &["signoff"],
        ..entry("signoff", Section::Account, |arguments| {
            arguments.alone(Command::SignOff)
        })
    },
    Entry {
        aliases: &["예", "네"],
        syntax: &["yes"],
        examples: &["yes"],
        access: Access::Anyone,
        ..entry("yes", Section::Account, |arguments| arguments.alone(Command::Yes))
    },
    Entry {
        aliases: &["수신거부"],
        syntax: &["stop"],
        examples: &["stop"],
        access: Access::Anyone,
        ..entry("stop", Section::Account, |arguments| arguments.alone(Command::Stop))
    },
    // --- looking ---
    Entry {
        aliases: &["상태"],
        slips: &["staus", "statsu", "sattus", "stauts", "statis"],
        syntax: &["status", "status all"],
        examples: &["status", "status all"],
        ..look("status", Section::Looking, Access::Player, looking::status)
    },
    Entry {
        aliases: &["대국목록"],
        slips: &["gmaes", "gaems", "gamse"],
        syntax: &["games [PLAYER] [active|finished]", "GAME games"],
        examples: &["games", "games bob finished", "susan games"],
        ..look("games", Section::Looking, Access::Anyone, looking::games)
    },
    Entry {
        aliases: &["재전송"],
        slips: &["resned", "rsend", "reesnd"],
        syntax: &["resend"],
        examples: &["resend", "#12 resend"],
        access: Access::Seat,
        section: Section::Looking,
        ..of_match("resend", |arguments| arguments.alone(Command::Resend))
    },
    Entry {
        aliases: &["보관함"],
        slips: &["achive", "archvie", "arcihve"],
        syntax: &["archive [GAME] [PLAYER …] [since DATE] [page NUMBER]"],
        examples: &["archive", "archive susan alice bob since 2026-01-01 page 2"],
        ..look("archive", Section::Looking, Access::Anyone, looking::archive)
    },
    Entry {
        aliases: &["레이팅"],
        slips: &["ratigns", "raitngs"],
        syntax: &["ratings GAME"],
        examples: &["ratings susan"],
        ..look("ratings", Section::Looking, Access::Anyone, |arguments| {
            arguments.game(|game| Command::Ratings { game })
        })
    },
    Entry {
        aliases: &["순위"],
        slips: &["standigns", "stadings"],
        syntax: &["standings GAME"],
        examples: &["standings susan"],
        ..look("standings", Section::Looking, Access::Anyone, |arguments| {
            arguments.game(|game| Command::Standings { game })
        })
    },
    Entry {
        aliases: &["전적"],
        slips: &["sttas", "statss"],
        syntax: &["stats PLAYER PLAYER"],
        examples: &["stats alice bob"],
        ..look("stats", Section::Looking, Access::Anyone, looking::stats)
    },
    Entry {
        aliases: &["도움말", "도움"],
        slips: &["hlep", "hepl", "ehlp"],
        syntax: &["help", "help TOPIC"],
        examples: &["help", "help challenge"],
        ..look("help", Section::Looking, Access::Anyone, looking::help)
    },
    Entry {
        aliases: &["규칙"],
        slips: &["ruels", "rulse"],
        syntax: &["rules GAME"],
        examples: &["rules susan"],
        ..look("rules", Section::Looking, Access::Anyone, |arguments| {
            arguments.game(|game| Command::Rules { game })
        })
    },
    Entry {
        aliases: &["길잡이", "튜토리얼", "사용법"],
        slips: &["tutoral", "tutroial", "totorial"],
        syntax: &["tutorial"],
        examples: &["tutorial"],
        ..look("tutorial", Section::Looking, Access::Anyone, |arguments| {
            arguments.alone(Command::Tutorial)
        })
    },
    Entry {
        aliases: &["명령어", "명령"],
        slips: &["comands", "commnads"],
        syntax: &["commands"],
        examples: &["commands"],
        ..look("commands", Section::Looking, Access::Anyone, |arguments| {
            arguments.alone(Command::Commands)
        })
    },
];

/// Words of the language that are no commands of their own; no userid may be one of them.
pub(super) const RESERVED: &[&str] = &[
    "end", "multiple", "none", "then", "all", "active", "finished", "since", "page", "off", "address", "random", "you",
    "castle", "everyone", "nobody", "playpost",
];
