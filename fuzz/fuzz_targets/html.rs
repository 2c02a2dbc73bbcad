//! HTML to the text that was typed in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playpost::mail::typed_in_html;

fuzz_target!(|html: &str| {
    typed_in_html(html);
});
