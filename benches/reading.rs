//! Reading mails: bytes to typed text. `cargo bench --bench reading`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playpost::mail::{Limits, read};
use std::hint::black_box;

/// A small reply in plain text, as a mail program sends it.
const SMALL: &[u8] = include_bytes!("../tests/data/mails/036-attribution-german-thunderbird.eml");
/// A reply in two forms, with the board quoted.
const USUAL: &[u8] = include_bytes!("../tests/data/mails/001-gmail-web.eml");
/// A reply in HTML alone.
const HTML: &[u8] = include_bytes!("../tests/data/mails/005-outlook-365-html-only.eml");

fn mails(criterion: &mut Criterion) {
    let limits = Limits::default();
    let mut group = criterion.benchmark_group("mails");
    for (name, mail) in [("small", SMALL), ("usual", USUAL), ("html", HTML)] {
        group.throughput(Throughput::Elements(1));
        group.bench_function(name, |bencher| bencher.iter(|| read(black_box(mail), &limits)));
    }
    group.finish();
}

/// The same text in more and more lines: the time for a byte stays.
fn sizes(criterion: &mut Criterion) {
    let limits = Limits {
        max_bytes: usize::MAX,
        ..Limits::default()
    };
    let mut group = criterion.benchmark_group("sizes");
    for lines in [1_000, 10_000, 100_000] {
        let mut mail = b"From: alice@example.net\n\nd4\n\n".to_vec();
        mail.extend_from_slice("> A line of a board 1 2 3\n".repeat(lines).as_bytes());
        group.throughput(Throughput::Bytes(mail.len() as u64));
        group.bench_function(lines.to_string(), |bencher| {
            bencher.iter(|| read(black_box(&mail), &limits))
        });
    }
    group.finish();
}

/// 25 MB of base64 are refused by their size.
fn too_large(criterion: &mut Criterion) {
    let mut mail = b"From: alice@example.net\nContent-Transfer-Encoding: base64\n\n".to_vec();
    mail.resize(25_000_000, b'A');
    criterion.bench_function("refuse 25 MB", |bencher| {
        bencher.iter(|| read(black_box(&mail), &Limits::default()))
    });
}

criterion_group!(benches, mails, sizes, too_large);
criterion_main!(benches);
