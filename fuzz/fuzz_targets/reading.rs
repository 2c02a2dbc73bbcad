//! Bytes to the reading of a mail: no panic, and what is no letter reads nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playpost::mail::{Kind, Limits, authentication, read};

fuzz_target!(|bytes: &[u8]| {
    let inbound = read(bytes, &Limits::default());
    assert_ne!(inbound.why.as_deref(), Some("its reading broke off"));
    assert!(inbound.kind == Kind::Letter || inbound.typed.is_empty());
    authentication(bytes, "mx.example.org");
});
