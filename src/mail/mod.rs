//! Bytes to meaning: what kind of mail came in, who sent it, and what the person typed.
//!
//! [`read`] is the way in. It never fails and never looks at more than the limit; the tables of what mail programs write
//! stand in `tables/`, one kind a file.

mod address;
mod attribution;
mod auth;
mod bounce;
mod charset;
mod entity;
mod fingerprint;
mod flowed;
mod header;
mod header_block;
mod html;
mod html_style;
mod html_tag;
mod ids;
mod inbound;
mod kind;
mod line;
mod mime;
mod parameter;
mod parts;
mod pgp;
mod phrase;
mod subject;
mod table;
mod transfer;
mod typed;
mod word;

pub use auth::{Authentication, authentication};
pub use bounce::BounceReport;
pub use inbound::{Inbound, Limits, read};
pub use kind::Kind;

/// The text that a reader sees in HTML, without what is quoted in it: for fuzzing, and for checking mails that go out.
pub fn typed_in_html(html: &str) -> String {
    typed::typed(html::lines(html)).join("\n")
}
