use super::slow::{SlowBoard, colours};
use super::*;
use crate::games::trial::die;

/// A cycle of eight points; the ring is the points 0 … 5.
fn cycle() -> Graph<1> {
    let neighbours = (0..8).map(|point: Point| vec![(point + 1) % 8, (point + 7) % 8]);
    let ring = Ring {
        points: (0..6).collect(),
        around: "middle".into(),
    };
    Graph::new(neighbours, vec![ring])
}

fn stones(black: &[Point], white: &[Point]) -> Stones<1> {
    let mut stones = Stones::NONE;
    for &point in black {
        stones.put(BLACK, point);
    }
    for &point in white {
        stones.put(WHITE, point);
    }
    stones
}

#[test]
fn sets_hold_what_was_put_in_across_words() {
    let mut set = PointSet::<3>::EMPTY;
    let points = [0, 5, 63, 64, 127, 128, 191];
    for point in points {
        assert!(set.insert(point));
        assert!(!set.insert(point));
    }
    assert_eq!(set.iter().collect::<Vec<_>>(), points);
    assert_eq!(set.len(), 7);
    for (index, &point) in points.iter().enumerate() {
        assert_eq!(set.nth(index), Some(point));
    }
    assert_eq!(set.nth(7), None);
    set.remove(64);
    assert!(!set.contains(64) && set.contains(63) && set.contains(127));
    assert_eq!(set.take_first(), Some(0));
    assert_eq!(set.first(), Some(5));
    let other = [5, 191, 6].into_iter().collect();
    assert_eq!((set & other).iter().collect::<Vec<_>>(), [5, 191]);
    assert_eq!((set - other).iter().collect::<Vec<_>>(), [63, 127, 128]);
    assert!(set.touches(&other) && !set.contains_all(&other) && set.contains_all(&(set & other)));
    assert!(PointSet::<3>::EMPTY.is_empty() && !set.is_empty());
}

#[test]
fn a_group_is_dead_without_a_liberty_unless_it_holds_a_ring() {
    let graph = cycle();
    let alive = stones(&[2, 3], &[4, 1]);
    assert_eq!(graph.first_dead(&alive), Some(2));
    assert_eq!(graph.dead_group(&alive, BLACK, 2), Some([2, 3].into_iter().collect()));
    assert_eq!(graph.dead_group(&alive, WHITE, 4), None);
    let ring = stones(&[0, 1, 2, 3, 4, 5], &[6, 7]);
    assert_eq!(graph.dead_group(&ring, BLACK, 0), None);
    assert_eq!(graph.dead_group(&ring, WHITE, 7), Some([6, 7].into_iter().collect()));
}

#[test]
fn captures_come_before_the_death_of_the_new_stone() {
    let graph = cycle();
    // Black 2 stands between White 1 and 3, which have no liberty either: they turn first.
    let mut board = stones(&[0, 2, 4], &[1, 3]);
    let reversal = graph.reverse_dead(&mut board, BLACK, 2);
    assert_eq!((reversal.captured.len(), reversal.lost.len()), (2, 0));
    assert_eq!(board, stones(&[0, 1, 2, 3, 4], &[]));
    let mut board = stones(&[2], &[1, 3]);
    let reversal = graph.reverse_dead(&mut board, BLACK, 2);
    assert_eq!((reversal.captured.len(), reversal.lost.len()), (0, 1));
    assert_eq!(board, stones(&[], &[1, 2, 3]));
}

#[test]
fn the_hash_depends_on_stones_and_side_alone() {
    let mut board = stones(&[2, 3], &[4]);
    let before = board;
    board.put(WHITE, 6);
    assert_ne!(board.situation(BLACK), before.situation(BLACK));
    board.remove(&PointSet::of(6));
    assert_eq!(board, before);
    board.reverse(&[2, 4].into_iter().collect());
    assert_eq!(board, stones(&[3, 4], &[2]));
    board.reverse(&[2, 4].into_iter().collect());
    assert_eq!(board, before);
    assert_ne!(before.situation(BLACK), before.situation(WHITE));
}

#[test]
fn regions_belong_to_the_one_colour_that_they_touch() {
    let graph = cycle();
    let areas = graph.areas(&stones(&[1, 3], &[5]));
    assert_eq!(areas.map(|area| (area.stones, area.points)), [(2, 1), (1, 0)]);
    assert_eq!(graph.areas(&stones(&[], &[])), [Area::default(); 2]);
    assert_eq!(graph.areas(&stones(&[7], &[])).map(|area| area.points), [7, 0]);
}

#[test]
fn the_fast_answers_are_the_slow_ones_on_random_stones() {
    let (graph, mut die) = (cycle(), die(1));
    let slow = SlowBoard::of(&graph);
    for _ in 0..500 {
        let mut board = Stones::NONE;
        for point in 0..8 {
            if let Some(&seat) = [BLACK, WHITE].get(die(3)) {
                board.put(seat, point);
            }
        }
        slow.assert_agrees(&graph, &board);
        assert_eq!(
            graph.first_dead(&board).is_some(),
            slow.any_dead(&colours(&graph, &board))
        );
    }
}
