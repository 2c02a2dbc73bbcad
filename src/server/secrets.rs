//! Keys and passwords.

use super::{Result, ServerError};
use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use data_encoding::BASE32_NOPAD;

/// 128 random bits as 26 letters and digits in lower case: mail systems change the case of addresses.
///
/// # Errors
///
/// The system has no randomness to give.
pub(super) fn random_key() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ServerError::Broken(format!("no randomness: {error}")))?;
    Ok(BASE32_NOPAD.encode(&bytes).to_ascii_lowercase())
}

/// A random number below `bound` (at least 1), each as likely as the others.
pub(super) fn random_below(bound: usize) -> Result<usize> {
    let bytes = u64::from(getrandom::u32().map_err(|error| ServerError::Broken(format!("no randomness: {error}")))?);
    // A bias of `bound` in 2^32 is none for who moves first.
    Ok(((bytes * bound as u64) >> 32) as usize)
}

/// The Argon2 hash of a password, with a random salt.
pub(super) fn hash_password(password: &str) -> Result<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash
        .map_err(|error| ServerError::Broken(format!("argon2: {error}")))?
        .to_string())
}

/// A well-formed hash that no known password has.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHR0aGF0aXM$q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k";

/// Whether the password is the one that was hashed. Without a stored hash the same work is done and nothing matches,
/// so that the time taken does not tell whether the userid exists.
pub(super) fn password_matches(password: &str, stored: Option<&str>) -> bool {
    PasswordHash::new(stored.unwrap_or(NOBODY))
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok() && stored.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_26_letters_and_digits() {
        let key = random_key().unwrap();
        assert_eq!(key.len(), 26);
        assert!(
            key.chars()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        );
        assert_ne!(key, random_key().unwrap());
    }

    #[test]
    fn passwords() {
        let hash = hash_password("Sesame7").unwrap();
        assert!(password_matches("Sesame7", Some(&hash)));
        assert!(!password_matches("sesame7", Some(&hash)));
        assert!(!password_matches("Sesame7", None));
        assert!(
            PasswordHash::new(NOBODY).is_ok(),
            "the work must be the same for nobody"
        );
    }
}
