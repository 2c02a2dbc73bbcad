//! Korean particles (조사): which of a pair follows is a matter of the last sound that is heard before it.
//!
//! | before it stands | it sounds like |
//! |---|---|
//! | a Hangul syllable | its final consonant, read from the code point |
//! | a digit | the Sino-Korean reading of its number: 1 일, 2 이, 3 삼 … 10 십, 100 백, 10000 만 |
//! | one Latin letter, a word in capitals or without a vowel (`X`, `UTC`, `html`) | the name of its last letter: 엑스, 유티시, 에이치티엠엘 |
//! | a Latin word (`bob`, `alice`) | as Koreans write English words (외래어 표기법 3.1): see [`sound_of_word`] |
//! | a bracket that closes | what stands before the bracket (국립국어원: 괄호 앞의 말에 맞춘다): `율곡(栗谷)이` |
//! | a quote or another sign | what stands before it |
//!
//! Where none of that says how it is read, both forms are written, as Koreans do: `栗谷은(는)`, `栗谷(으)로`.

/// How a word ends for the ear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sound {
    Vowel,
    /// ㄹ: a consonant for every particle but 으로, which it takes as a vowel does.
    Rieul,
    Consonant,
}

/// Pairs whose second form is not the first without its 이 or 으.
const PAIRS: [(&str, &str); 5] = [("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"), ("아", "야")];
/// The one pair that is written in a contracted form.
const CONTRACTED: (&str, &str) = ("이에요", "예요");

/// `text` with the fitting one of a pair of particles behind it. `pair` has the form behind a consonant first:
/// `은/는`, `이/가`, `을/를`, `과/와`, `으로/로`, `아/야`, `이에요/예요`, and any pair like `이라는/라는`.
///
/// `None` where `pair` is no such pair.
pub(super) fn with_particle(text: &str, pair: &str) -> Option<String> {
    let (closed, open) = pair.split_once('/').filter(|&(closed, open)| is_pair(closed, open))?;
    Some(match last_sound(text) {
        Some(Sound::Consonant) => format!("{text}{closed}"),
        Some(Sound::Vowel) => format!("{text}{open}"),
        Some(Sound::Rieul) if closed.starts_with('으') => format!("{text}{open}"),
        Some(Sound::Rieul) => format!("{text}{closed}"),
        None => match closed.strip_suffix(open) {
            Some(more) => format!("{text}({more}){open}"),
            None => format!("{text}{closed}({open})"),
        },
    })
}

fn is_pair(closed: &str, open: &str) -> bool {
    let drops_its_vowel = closed.strip_prefix(['이', '으']) == Some(open) && !open.is_empty();
    drops_its_vowel || PAIRS.contains(&(closed, open)) || (closed, open) == CONTRACTED
}

fn last_sound(text: &str) -> Option<Sound> {
    let spoken = spoken_part(text);
    match spoken.chars().next_back()? {
        syllable @ '가'..='힣' => Some(sound_of_syllable(syllable)),
        '%' => Some(Sound::Vowel), // 퍼센트
        '0'..='9' => sound_of_number(spoken),
        letter if letter.is_ascii_alphabetic() => Some(sound_of_latin(spoken)),
        _ => None,
    }
}

/// The text up to its last letter or digit that is read aloud.
fn spoken_part(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_end_matches(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '%' | ')' | ']'));
        let Some(inside) = rest.strip_suffix([')', ']']) else {
            return rest;
        };
        let opening = if rest.ends_with(')') { '(' } else { '[' };
        let before = inside
            .rfind(opening)
            .and_then(|at| inside.get(..at))
            .unwrap_or_default();
        // A bracket with nothing before it is read itself.
        rest = if before.trim().is_empty() { inside } else { before };
    }
}

/// What stands at the end of a text and consists of such letters.
fn last_run(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let before = text.trim_end_matches(belongs);
    text.get(before.len()..).unwrap_or_default()
}

/// Hangul syllables stand in the order of their final consonants, 28 to each beginning.
fn sound_of_syllable(syllable: char) -> Sound {
    const FIRST: u32 = '가' as u32;
    match (u32::from(syllable) - FIRST) % 28 {
        0 => Sound::Vowel,
        8 => Sound::Rieul,
        _ => Sound::Consonant,
    }
}

/// The number at the end of a text, as it is read: `None` past the words for numbers that everybody knows.
fn sound_of_number(text: &str) -> Option<Sound> {
    let digits = last_run(text, |letter| letter.is_ascii_digit() || letter == ',');
    let before = text.strip_suffix(digits)?;
    let is_fraction = before
        .strip_suffix('.')
        .is_some_and(|whole| whole.ends_with(|last: char| last.is_ascii_digit()));
    let zeros = digits
        .bytes()
        .rev()
        .filter(|&byte| byte != b',')
        .take_while(|&byte| byte == b'0')
        .count();
    let is_zero = digits.bytes().all(|byte| matches!(byte, b'0' | b','));
    match digits.bytes().next_back()? {
        b'2' | b'4' | b'5' | b'9' => Some(Sound::Vowel),       // 이 사 오 구
        b'1' | b'7' | b'8' => Some(Sound::Rieul),              // 일 칠 팔
        b'3' | b'6' => Some(Sound::Consonant),                 // 삼 육
        _ if is_fraction || is_zero => Some(Sound::Consonant), // 영
        _ => match zeros {
            0..=11 => Some(Sound::Consonant), // 십 백 천 만 억
            12..=15 => Some(Sound::Vowel),    // 조
            _ => None,
        },
    }
}

/// The Latin word at the end of a text: by the names of its letters, or as a word.
fn sound_of_latin(text: &str) -> Sound {
    let word = last_run(text, |letter| letter.is_ascii_alphabetic());
    let is_spelled = word.len() == 1
        || word.bytes().all(|letter| letter.is_ascii_uppercase())
        || !word.bytes().any(|letter| is_vowel(letter.to_ascii_lowercase()));
    let word = word.to_ascii_lowercase();
    if is_spelled {
        sound_of_letter(&word)
    } else {
        sound_of_word(word.as_bytes())
    }
}

/// The name of the last letter: 엘 and 알 end in ㄹ, 엠 and 엔 in another consonant, all others in a vowel.
fn sound_of_letter(word: &str) -> Sound {
    match word.bytes().next_back() {
        Some(b'l' | b'r') => Sound::Rieul,
        Some(b'm' | b'n') => Sound::Consonant,
        _ => Sound::Vowel,
    }
}

/// An English word, in lower case, as it is written in Hangul:
///
/// * `l` is ㄹ, `m` `n` `ng` are final consonants: 폴, 톰, 존, 킹;
/// * a silent `e` behind them changes nothing: 애플, 게임, 제인;
/// * `b` `c` `k` `p` `t` are final consonants behind one short vowel (밥, 에릭, 필립, 팻), also doubled (맷, 잭), and
///   take a vowel behind a long one or a consonant (피트, 마크, 로버트);
/// * everything else takes a vowel or ends in one: 데이비드, 막스, 앨리스, 피터, 해나.
fn sound_of_word(word: &[u8]) -> Sound {
    match word {
        [.., b'l'] => Sound::Rieul,
        [.., b'm' | b'n'] | [.., b'n', b'g'] => Sound::Consonant,
        [.., before, b'l', b'e'] if before.is_ascii_alphabetic() => Sound::Rieul,
        [.., before, nasal @ (b'm' | b'n'), b'e'] if is_vowel(*before) || before == nasal => Sound::Consonant,
        [rest @ .., stop @ (b'b' | b'c' | b'k' | b'p' | b't')] if is_behind_short_vowel(rest, *stop) => {
            Sound::Consonant
        }
        _ => Sound::Vowel,
    }
}

fn is_behind_short_vowel(rest: &[u8], stop: u8) -> bool {
    let vowels = match rest {
        [vowels @ .., double] if *double == stop || (*double == b'c' && stop == b'k') => vowels,
        _ => rest,
    };
    match vowels {
        [.., b'o', b'o'] => stop == b'k', // 북, but 루트
        [.., before, last] => is_vowel(*last) && !is_vowel(*before),
        [last] => is_vowel(*last),
        [] => false,
    }
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn all(pair: &str, expected: &[&str]) {
        let (closed, open) = pair.split_once('/').unwrap();
        for whole in expected {
            let text = whole.strip_suffix(closed).or_else(|| whole.strip_suffix(open)).unwrap();
            assert_eq!(with_particle(text, pair).as_deref(), Some(*whole));
        }
    }

    #[test]
    fn hangul_by_its_final_consonant() {
        all("은/는", &["흑은", "백은", "수잔은", "메두사는", "돌은", "상대는"]);
        all("이/가", &["흑이", "킹이", "퀸이", "나이트가", "폰이", "bob님이"]);
        all("을/를", &["돌을", "수를", "판을", "도전을"]);
        all("과/와", &["흑과", "나이트와", "돌과"]);
        all("으로/로", &["흑으로", "메두사로", "돌로", "칠로", "폰으로"]);
    }

    #[test]
    fn numbers_as_they_are_read() {
        all(
            "은/는",
            &["0은", "1은", "2는", "3은", "4는", "5는", "6은", "7은", "8은", "9는"],
        );
        all(
            "은/는",
            &[
                "10은", "20은", "100은", "1,000은", "10000은", "12는", "43.5는", "2.0은", "00은",
            ],
        );
        all(
            "으로/로",
            &["c1로", "c2로", "c3으로", "d6으로", "d7로", "d8로", "d10으로"],
        );
        all("이/가", &["1000000000000가", "11이", "e5가", "c4-c5가"]);
        assert_eq!(
            with_particle("100000000000000000000", "이/가").as_deref(),
            Some("100000000000000000000이(가)"),
            "past the numbers that everybody reads alike"
        );
    }

    #[test]
    fn single_letters_and_abbreviations_by_their_names() {
        all(
            "이/가",
            &["X가", "O가", "Y가", "Z가", "L이", "M이", "N이", "R이", "B가", "x가"],
        );
        all("으로/로", &["L로", "R로", "M으로", "X로"]);
        all("은/는", &["UTC는", "PM은", "html은", "txt는"]);
    }

    #[test]
    fn names_as_koreans_write_them() {
        all("이/가", &["bob이", "eric이", "jack이", "philip이", "pat이", "matt이"]);
        all(
            "이/가",
            &[
                "alice가",
                "dave가",
                "mark가",
                "robert가",
                "pete가",
                "david가",
                "max가",
                "peter가",
                "sarah가",
            ],
        );
        all(
            "이/가",
            &[
                "carol이", "tom이", "susan이", "john이", "king이", "apple이", "jane이", "anne이", "game이",
            ],
        );
        all("이/가", &["book이", "root가", "greg가", "kim_이", "bob2가", "lotus가"]);
        all("으로/로", &["carol로", "apple로", "tom으로", "bob으로", "alice로"]);
    }

    #[test]
    fn a_bracket_follows_what_stands_before_it() {
        all("이/가", &["bob님(O)이", "율곡(栗谷)이", "alice(X)가", "백(B)이"]);
        all(
            "이/가",
            &["(흑)이", "[수]가", "\"밥\"이", "`무승부`가", "d4…가", "50%가"],
        );
    }

    #[test]
    fn where_nobody_knows_both_forms_stand() {
        for (text, pair, expected) in [
            ("栗谷", "은/는", "栗谷은(는)"),
            ("栗谷", "으로/로", "栗谷(으)로"),
            ("", "이/가", "이(가)"),
            ("…", "이라는/라는", "…(이)라는"),
        ] {
            assert_eq!(with_particle(text, pair).as_deref(), Some(expected));
        }
    }

    #[test]
    fn other_pairs_and_none() {
        all("아/야", &["밥아", "철수야", "bob아", "alice야"]);
        all("이에요/예요", &["밥이에요", "철수예요"]);
        all("이라는/라는", &["bob이라는", "alice라는"]);
        for pair in ["", "은", "는/은", "은/가", "/", "이/", "with/out"] {
            assert_eq!(with_particle("흑", pair), None, "{pair}");
        }
    }
}
