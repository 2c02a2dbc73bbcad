//! How fast the rules are: `cargo bench --bench games`. The figures stand in BENCHMARKS.md.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use playpost::games::{Table, find};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::hint::black_box;

/// The start of a game with options such as `side=6`.
fn start(game: &str, options: &[(&str, &str)]) -> Box<dyn Table> {
    let options: Vec<_> = options
        .iter()
        .map(|(name, value)| (name.to_string(), Some(value.to_string())))
        .collect();
    let game = find(game).unwrap_or_else(|| panic!("no game {game}"));
    (game.start)(&options).unwrap_or_else(|error| panic!("{error}"))
}

fn susan(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("susan");
    let original = start("susan", &[]);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    group.throughput(Throughput::Elements(1));
    group.bench_function("playout, side 5", |bencher| {
        bencher.iter(|| black_box(original.playout(&mut |choices| random.random_range(0..choices))));
    });
    let largest = start("susan", &[("side", "10")]);
    group.bench_function("playout, side 10", |bencher| {
        bencher.iter(|| black_box(largest.playout(&mut |choices| random.random_range(0..choices))));
    });
    group.sample_size(20);
    for depth in [3, 4] {
        group.throughput(Throughput::Elements(original.perft(depth).unwrap_or_default()));
        group.bench_function(format!("perft({depth}), side 5"), |bencher| {
            bencher.iter(|| original.perft(black_box(depth)));
        });
    }
    group.finish();
}

/// The start, and a middle game with open lines and men in hand.
const MEDUSA_SHOGI: [(&str, &str, u32); 2] = [
    ("perft(4), start", "default", 4),
    (
        "perft(3), men in hand",
        "11/9k1/5n5/4+P6/11/7m3/3M7/6+p4/4A6/1K9/11_w_-_P+n",
        3,
    ),
];

fn medusa_shogi(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("medusa-shogi");
    group.sample_size(20);
    for (name, setup, depth) in MEDUSA_SHOGI {
        let table = start("medusa-shogi", &[("setup", setup)]);
        group.throughput(Throughput::Elements(table.perft(depth).unwrap_or_default()));
        group.bench_function(name, |bencher| bencher.iter(|| table.perft(black_box(depth))));
    }
    let original = start("medusa-shogi", &[]);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    group.throughput(Throughput::Elements(1));
    group.bench_function("playout", |bencher| {
        bencher.iter(|| black_box(original.playout(&mut |choices| random.random_range(0..choices))));
    });
    group.finish();
}

criterion_group!(benches, susan, medusa_shogi);
criterion_main!(benches);
