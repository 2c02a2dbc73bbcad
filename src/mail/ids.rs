//! Message identifiers.

/// All identifiers of a field, without their angle brackets, in order. Words without brackets count where there are none
/// with them.
pub fn all(value: &[u8]) -> Vec<String> {
    let text = super::charset::guess(value);
    let bracketed: Vec<String> = text
        .split('<')
        .skip(1)
        .filter_map(|piece| piece.split_once('>'))
        .map(|(id, _)| id.chars().filter(|letter| !letter.is_whitespace()).collect())
        .filter(|id: &String| !id.is_empty())
        .collect();
    if !bracketed.is_empty() {
        return bracketed;
    }
    text.split_whitespace()
        .filter(|word| word.contains('@'))
        .map(|word| word.trim_matches(['<', '>', ',', ';']).to_owned())
        .collect()
}

/// The first identifier of a field.
pub fn first(value: &[u8]) -> Option<String> {
    all(value).into_iter().next()
}
