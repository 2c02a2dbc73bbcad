use super::*;

const EXAMPLE: &str = include_str!("../../config.example.toml");
const LEAST: &str = "address = 'play@example.org'\ndata = 'd'\n[sink]\ntype = 'maildir'\npath = 'out'\n";

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, Path::new("/etc/playpost/playpost.toml"))
}

fn problem(text: &str) -> String {
    parse(text).expect_err("this is no good configuration").to_string()
}

/// The example with the keys and tables that it only mentions switched on, one kind of sink at a time.
fn uncommented(sink: &str) -> String {
    let (head, rest) = EXAMPLE.split_once("\n[sink]\n").unwrap();
    let limits = rest.split_once("\n[limits]\n").unwrap().1;
    let head = head
        .replace("# templates_dir", "templates_dir")
        .replace("# ca_file", "ca_file");
    format!("{head}\n[sink]\n{sink}\n[limits]\n{limits}")
}

fn smtp_of_example() -> String {
    let rest = EXAMPLE.split_once("\n[sink]\n").unwrap().1;
    rest.split_once("\n# Or the sendmail")
        .unwrap()
        .0
        .replace("# ca_file", "ca_file")
}

#[test]
fn the_example_is_read() {
    let config = parse(EXAMPLE).unwrap();
    assert_eq!(config.address, "play@example.org");
    assert_eq!(config.limits, Limits::default());
    assert_eq!(config.sources.len(), 3);
    assert!(matches!(&config.sink, Sink::Smtp(smtp) if smtp.port() == 587));
}

#[test]
fn the_example_explains_every_key() {
    for (section, keys) in KNOWN_KEYS {
        let text = match *section {
            "source" => EXAMPLE.split_once("\n[sink]").unwrap().0,
            "sink" => EXAMPLE.split_once("\n[sink]").unwrap().1,
            _ => EXAMPLE,
        };
        for key in *keys {
            let set = [
                format!("{key} = "),
                format!("# {key} = "),
                format!("[{key}]"),
                format!("[[{key}]]"),
            ];
            let stands = text.lines().any(|line| set.iter().any(|start| line.starts_with(start)));
            assert!(stands, "config.example.toml does not mention {section}.{key}");
        }
    }
}

#[test]
fn every_known_key_is_read_somewhere() {
    for sink in [
        smtp_of_example().as_str(),
        "type = 'sendmail'\ncommand = '/usr/sbin/sendmail'",
        "type = 'maildir'\npath = 'out'",
    ] {
        parse(&uncommented(sink)).unwrap();
    }
}

/// serde names the fields it expects: none of them may be missing in the table of known keys.
#[test]
fn every_field_is_a_known_key() {
    let known: Vec<&str> = KNOWN_KEYS.iter().flat_map(|(_, keys)| keys.iter().copied()).collect();
    let expected = [
        toml::from_str::<Config>("xyzzy = 1").unwrap_err(),
        toml::from_str::<Identity>("xyzzy = 1").unwrap_err(),
        toml::from_str::<Limits>("xyzzy = 1").unwrap_err(),
        toml::from_str::<MaildirPlace>("xyzzy = 1").unwrap_err(),
        toml::from_str::<ImapSource>("xyzzy = 1").unwrap_err(),
        toml::from_str::<LmtpSource>("xyzzy = 1").unwrap_err(),
        toml::from_str::<SmtpSink>("xyzzy = 1").unwrap_err(),
        toml::from_str::<SendmailSink>("xyzzy = 1").unwrap_err(),
    ];
    for error in expected {
        let message = error.message().to_string();
        let fields: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        assert!(!fields.is_empty(), "{message}");
        for field in fields {
            assert!(known.contains(&field), "{field} is missing in KNOWN_KEYS");
        }
    }
}

#[test]
fn an_unknown_key_names_the_nearest() {
    for (slip, wanted) in [
        ("adress = 'x'", "unknown key `adress` (did you mean `address`?)"),
        (
            "[limits]\nmail_per_hour = 1",
            "unknown key `limits.mail_per_hour` (did you mean `limits.mails_per_hour`?)",
        ),
        (
            "authserv_id = 'x'",
            "unknown key `authserv_id` (did you mean `identity.authserv_id`?)",
        ),
        (
            "[[source]]\ntype = 'imap'\npasword_file = 'x'",
            "unknown key `source.pasword_file` (did you mean `source.password_file`?)",
        ),
        ("qqqq = 1", "unknown key `qqqq`"),
    ] {
        let told = problem(slip);
        assert!(told.ends_with(wanted), "{told}");
    }
}

#[test]
fn a_key_of_another_kind_of_sink_is_refused() {
    let told = problem(&format!("{LEAST}host = 'x'"));
    assert!(told.contains("unknown field `host`"), "{told}");
}

#[test]
fn relative_paths_begin_at_the_file() {
    let config = parse(LEAST).unwrap();
    assert_eq!(config.data, Path::new("/etc/playpost/d"));
    assert_eq!(
        config.sink,
        Sink::Maildir(MaildirPlace {
            path: "/etc/playpost/out".into()
        })
    );
    assert_eq!(config.emergency_dir(), Path::new("/etc/playpost/d/emergency"));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (address, wanted) in [
        ("play", "no plain"),
        ("Play <p@x>", "no plain"),
        ("play+x@example.org", "no plain"),
    ] {
        let told = problem(&LEAST.replace("play@example.org", address));
        assert!(told.contains(wanted), "{told}");
    }
    let plain = problem("address = 'p@x'\ndata = 'd'\n[sink]\ntype = 'smtp'\nhost = 'mx.example.org'\ntls = 'none'");
    assert!(plain.contains("only for this machine"), "{plain}");
    for listen in ["0.0.0.0:24", "8024"] {
        let told = problem(&format!("{LEAST}[[source]]\ntype = 'lmtp'\nlisten = '{listen}'"));
        assert!(told.contains("`listen`"), "{told}");
    }
}

#[test]
fn the_defaults_trust_nobody_by_the_from_address() {
    assert_eq!(Config::default().identity.trust, Trust::Verified);
    assert_eq!(parse(LEAST).unwrap().identity, Identity::default());
}

#[test]
fn a_password_comes_from_its_file_and_is_not_shown() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("secret"), "open sesame\nmore\n").unwrap();
    let text =
        "address = 'p@x'\ndata = 'd'\n[sink]\ntype = 'smtp'\nhost = 'localhost'\nuser = 'u'\npassword_file = 'secret'";
    let config = Config::parse(text, &directory.path().join("playpost.toml")).unwrap();
    let Sink::Smtp(smtp) = &config.sink else {
        panic!("{config:?}")
    };
    let password = smtp.password().unwrap();
    assert_eq!(password.reveal(), "open sesame");
    assert!(!format!("{password:?}").contains("sesame"));
}

#[test]
fn a_named_file_must_be_there() {
    let error = Config::load(Some(Path::new("/nonexistent/playpost.toml"))).unwrap_err();
    assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");
}
