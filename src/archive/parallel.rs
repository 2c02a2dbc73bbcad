//! The same work on many things, by all processors.

use std::thread;

/// What `work` makes of each thing, in their order.
pub(super) fn in_parallel<T: Sync, U: Send>(things: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    if workers == 1 || things.len() < 2 {
        return things.iter().map(work).collect();
    }
    let share = things.len().div_ceil(workers);
    thread::scope(|scope| {
        let shares: Vec<_> = things
            .chunks(share)
            .map(|things| scope.spawn(|| things.iter().map(&work).collect::<Vec<U>>()))
            .collect();
        shares
            .into_iter()
            .flat_map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_kept() {
        for count in [0, 1, 2, 7, 1000] {
            let things: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = things.iter().map(|thing| 2 * thing).collect();
            assert_eq!(in_parallel(&things, |thing| 2 * thing), doubled);
        }
    }
}
