//! How fast the rules are: `cargo bench --bench games`. The figures stand in BENCHMARKS.md.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
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

/// A Medusa board with every cell but one taken or nearly so, and at least 200 positions behind it.
fn crowded_medusa() -> Box<dyn Table> {
    let mut table = start("medusa", &[]);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let vacant = |table: &dyn Table| table.diagram().cells.iter().filter(|cell| cell.mark.is_none()).count();
    while vacant(&*table) > 4 || table.turn() < 200 {
        let placements: Vec<String> = table.steps().into_iter().filter(|step| step != "pass").collect();
        let step = &placements[random.random_range(0..placements.len())];
        table
            .play(None, step)
            .unwrap_or_else(|refusal| panic!("{step}: {refusal:?}"));
    }
    table
}

fn medusa(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("medusa");
    let crowded = crowded_medusa();
    let steps = crowded.steps();
    let (placement, movement) = (steps[1].clone(), steps.iter().find(|step| step.contains('-')));
    for (name, turn) in [("placement", Some(&placement)), ("movement", movement)] {
        let Some(turn) = turn else { continue };
        group.bench_function(
            format!("one {name} judged, crowded board, {} positions", crowded.turn()),
            |bencher| {
                bencher.iter_batched_ref(
                    || crowded.boxed_clone(),
                    |table| table.play(None, black_box(turn)).is_ok(),
                    BatchSize::SmallInput,
                );
            },
        );
    }
    let fresh = start("medusa", &[]);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    group.sample_size(20);
    group.bench_function("playout", |bencher| {
        bencher.iter(|| black_box(fresh.playout(&mut |choices| random.random_range(0..choices))));
    });
    group.finish();
}

fn lotus_and_rosette(criterion: &mut Criterion) {
    for (game, options, depth) in [
        ("lotus", &[][..], 3),
        ("rosette", &[("side", "2")], 4),
        ("rosette", &[], 2),
    ] {
        let mut group = criterion.benchmark_group(game);
        let table = start(game, options);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let board = options.first().map_or("7", |(_, side)| side);
        let board = if game == "lotus" {
            String::new()
        } else {
            format!(", side {board}")
        };
        group.sample_size(20);
        group.bench_function(format!("playout{board}"), |bencher| {
            bencher.iter(|| black_box(table.playout(&mut |choices| random.random_range(0..choices))));
        });
        group.throughput(Throughput::Elements(table.perft(depth).unwrap_or_default()));
        group.bench_function(format!("perft({depth}){board}"), |bencher| {
            bencher.iter(|| table.perft(black_box(depth)));
        });
        group.finish();
    }
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

criterion_group!(benches, susan, medusa, lotus_and_rosette, medusa_shogi);
criterion_main!(benches);
