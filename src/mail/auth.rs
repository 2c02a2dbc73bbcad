//! Whether a trusted host found the sender to be who From says (RFC 8601).

use super::{
    header::{Header, unfold},
    inbound::sender,
};

/// What the trusted host says of the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authentication {
    /// DMARC passed, or DKIM or SPF for the domain of From or its parent.
    Verified,
    /// The trusted host says otherwise, or nothing of use.
    Unverified,
    /// The topmost `Authentication-Results` is not of the trusted host, or there is none.
    Unknown,
}

/// Reads the topmost `Authentication-Results` field, if it is of the host `authserv_id`. Others prove nothing: anybody can
/// write them.
pub fn authentication(bytes: &[u8], authserv_id: &str) -> Authentication {
    let (header, _) = Header::of_mail(bytes);
    let Some(value) = header.first("authentication-results") else {
        return Authentication::Unknown;
    };
    let text = without_comments(&super::charset::guess(&unfold(value)));
    let mut results = text.split(';');
    let host = results.next().and_then(|first| first.split_whitespace().next());
    if authserv_id.is_empty() || !host.is_some_and(|host| host.trim_matches('"').eq_ignore_ascii_case(authserv_id)) {
        return Authentication::Unknown;
    }
    let Some(from) = sender(&header) else {
        return Authentication::Unverified;
    };
    let Some((_, domain)) = from.rsplit_once('@') else {
        return Authentication::Unverified;
    };
    if results.any(|result| proves(result, domain)) {
        Authentication::Verified
    } else {
        Authentication::Unverified
    }
}

/// Whether one result, `method=result property=value …`, proves a sender of this domain.
fn proves(result: &str, from_domain: &str) -> bool {
    let normal = result.replace(" =", "=").replace("= ", "=").to_lowercase();
    let mut words = normal.split_whitespace();
    let Some((method, outcome)) = words.next().and_then(|word| word.split_once('=')) else {
        return false;
    };
    if outcome != "pass" {
        return false;
    }
    let properties: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
    let domain = |name: &str| {
        let value = properties
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.trim_matches('"'))?;
        Some(
            value
                .rsplit('@')
                .next()
                .unwrap_or(value)
                .trim_matches(['<', '>'])
                .to_owned(),
        )
    };
    match method.split('/').next().unwrap_or_default() {
        "dmarc" => domain("header.from").is_none_or(|said| said == from_domain),
        "dkim" => domain("header.d")
            .or_else(|| domain("header.i"))
            .is_some_and(|said| is_aligned(&said, from_domain)),
        "spf" => domain("smtp.mailfrom")
            .or_else(|| domain("smtp.mail"))
            .is_some_and(|said| is_aligned(&said, from_domain)),
        _ => false,
    }
}

/// Whether a domain that passed is From's or its parent. A top-level domain is nobody's parent.
fn is_aligned(passed: &str, from_domain: &str) -> bool {
    let parent = || from_domain.strip_suffix(passed).is_some_and(|rest| rest.ends_with('.'));
    passed == from_domain || (passed.contains('.') && parent())
}

/// The text without comments in parentheses; what stands in quotes is kept but for `;` and `=`, which would look like
/// the end of a result.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut depth = 0usize;
    let mut quoted = false;
    let mut escaped = false;
    for letter in text.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted || depth > 0 => escaped = true,
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            ';' | '=' if quoted => {}
            _ if quoted && letter.is_whitespace() => {}
            _ => kept.push(letter),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn judged(results: &str, from: &str, expected: Authentication) {
        let mail = format!("{results}\nFrom: {from}\n\nd4\n");
        assert_eq!(
            authentication(mail.as_bytes(), "mx.example.org"),
            expected,
            "{results} {from}"
        );
    }

    #[test]
    fn passes_that_are_aligned() {
        for result in [
            "dmarc=pass header.from=example.net",
            "dmarc=pass (p=none) policy.x=y",
            "dkim=pass header.d=example.net",
            "spf=pass smtp.mailfrom=alice@example.net",
            "dkim=fail; spf=pass smtp.mailfrom=example.net",
            "dkim=pass header.i=@example.net",
        ] {
            judged(
                &format!("Authentication-Results: MX.example.org 1; {result}"),
                "Alice <alice@example.net>",
                Authentication::Verified,
            );
        }
        judged(
            "Authentication-Results: mx.example.org; dkim=pass header.d=example.net",
            "a@mail.example.net",
            Authentication::Verified,
        );
    }

    #[test]
    fn passes_that_prove_nothing() {
        for result in [
            "dmarc=fail",
            "dkim=pass header.d=evil.example",
            "dkim=pass header.d=net",
            "spf=pass smtp.helo=example.net",
            "none",
            "dkim=pass header.d=mail.example.net",
            "dmarc=pass header.from=evil.example",
            "dkim=fail (dmarc=pass; dmarc=pass)",
            "x=\"; dmarc=pass\"",
            "dkim=pass header.d=xample.net",
        ] {
            judged(
                &format!("Authentication-Results: mx.example.org; {result}"),
                "alice@example.net",
                Authentication::Unverified,
            );
        }
    }

    #[test]
    fn only_the_topmost_of_the_trusted_host_counts() {
        judged(
            "Authentication-Results: evil.example; dmarc=pass\nAuthentication-Results: mx.example.org; dmarc=pass",
            "alice@example.net",
            Authentication::Unknown,
        );
        judged(
            "Authentication-Results: mx.example.org; dmarc=fail\nAuthentication-Results: mx.example.org; dmarc=pass",
            "alice@example.net",
            Authentication::Unverified,
        );
        judged("X: y", "alice@example.net", Authentication::Unknown);
        judged(
            "Authentication-Results: mx.example.org; dmarc=pass",
            "alice@example.net\nFrom: bob@example.net",
            Authentication::Unverified,
        );
    }
}
