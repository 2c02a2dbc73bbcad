//! Groups, liberties, deaths and regions once more, slowly and obviously: lists of neighbours and repeated looking, with
//! neither bits nor early ends. The tests hold the fast answers against these after every turn of random games.

use super::{BLACK, Graph, Point, PointSet, Stones, WHITE, opponent};
use crate::games::Seat;
use std::collections::BTreeSet;

/// What stands on every point.
pub type Colours = Vec<Option<Seat>>;

/// A board as lists.
pub struct SlowBoard {
    neighbours: Vec<Vec<usize>>,
    rings: Vec<Vec<usize>>,
}

impl SlowBoard {
    pub fn of<const N: usize>(graph: &Graph<N>) -> Self {
        let list = |points: &[Point]| points.iter().map(|&point| usize::from(point)).collect();
        SlowBoard {
            neighbours: (0..graph.len() as Point)
                .map(|point| list(graph.neighbours(point)))
                .collect(),
            rings: graph
                .rings
                .iter()
                .map(|ring| ring.points.iter().map(usize::from).collect())
                .collect(),
        }
    }

    /// All points of the same content that hang together with `at`.
    pub fn group(&self, colours: &Colours, at: usize) -> BTreeSet<usize> {
        let mut group = BTreeSet::from([at]);
        let mut open = vec![at];
        while let Some(point) = open.pop() {
            for &next in &self.neighbours[point] {
                if colours[next] == colours[at] && group.insert(next) {
                    open.push(next);
                }
            }
        }
        group
    }

    /// The groups of one content.
    fn groups(&self, colours: &Colours, colour: Option<Seat>) -> Vec<BTreeSet<usize>> {
        let mut groups: Vec<BTreeSet<usize>> = Vec::new();
        for point in (0..colours.len()).filter(|&point| colours[point] == colour) {
            if !groups.iter().any(|group| group.contains(&point)) {
                groups.push(self.group(colours, point));
            }
        }
        groups
    }

    pub fn liberties(&self, colours: &Colours, group: &BTreeSet<usize>) -> BTreeSet<usize> {
        let beside = group.iter().flat_map(|&point| self.neighbours[point].clone());
        beside.filter(|&point| colours[point].is_none()).collect()
    }

    pub fn immune(&self, group: &BTreeSet<usize>) -> bool {
        self.rings
            .iter()
            .any(|ring| ring.iter().all(|point| group.contains(point)))
    }

    pub fn dead(&self, colours: &Colours, at: usize) -> bool {
        let group = self.group(colours, at);
        self.liberties(colours, &group).is_empty() && !self.immune(&group)
    }

    /// Whether any stone is in a dead group.
    pub fn any_dead(&self, colours: &Colours) -> bool {
        let groups = [BLACK, WHITE].map(|seat| self.groups(colours, Some(seat)));
        groups
            .iter()
            .flatten()
            .any(|group| self.liberties(colours, group).is_empty() && !self.immune(group))
    }

    /// The stones of the dead groups of `seat`'s opponent beside a new stone.
    fn captured(&self, colours: &Colours, seat: Seat, at: usize) -> BTreeSet<usize> {
        let enemies = self.neighbours[at]
            .iter()
            .filter(|&&point| colours[point] == Some(opponent(seat)));
        enemies
            .filter(|&&point| self.dead(colours, point))
            .flat_map(|&point| self.group(colours, point))
            .collect()
    }

    /// The captures of Medusa and Lotus after a stone has arrived.
    pub fn reverse_dead(&self, colours: &mut Colours, seat: Seat, at: usize) {
        for point in self.captured(colours, seat, at) {
            colours[point] = Some(seat);
        }
        if self.dead(colours, at) {
            for point in self.group(colours, at) {
                colours[point] = Some(opponent(seat));
            }
        }
    }

    /// The captures of Rosette after a stone has been placed; whether it may stay there.
    pub fn remove_dead(&self, colours: &mut Colours, seat: Seat, at: usize) -> bool {
        for point in self.captured(colours, seat, at) {
            colours[point] = None;
        }
        !self.dead(colours, at)
    }

    /// Stones and surrounded points of a seat.
    pub fn area(&self, colours: &Colours, seat: Seat) -> (u32, u32) {
        let stones = colours.iter().filter(|&&colour| colour == Some(seat)).count();
        let regions = self.groups(colours, None).into_iter();
        let surrounded = regions.filter(|region| {
            let beside = region.iter().flat_map(|&point| self.neighbours[point].clone());
            let owners: BTreeSet<Seat> = beside.filter_map(|point| colours[point]).collect();
            owners == BTreeSet::from([seat])
        });
        let surrounded: usize = surrounded.map(|region| region.len()).sum();
        (stones as u32, surrounded as u32)
    }

    /// Asserts that the fast answers about a position are these.
    pub fn assert_agrees<const N: usize>(&self, graph: &Graph<N>, stones: &Stones<N>) {
        let colours = colours(graph, stones);
        let fast = |set: PointSet<N>| set.iter().map(usize::from).collect::<BTreeSet<usize>>();
        for point in 0..graph.len() {
            let group = graph.group_at(stones, point as Point);
            assert_eq!(group.map(|(seat, _)| seat), colours[point]);
            if let Some((seat, group)) = group {
                let slowly = self.group(&colours, point);
                assert_eq!(fast(group), slowly);
                assert_eq!(graph.immune(&group), self.immune(&slowly));
                let dead = graph.dead_group(stones, seat, point as Point);
                assert_eq!(dead.is_some(), self.dead(&colours, point));
            }
        }
        let areas = graph.areas(stones).map(|area| (area.stones, area.points));
        assert_eq!(areas, [BLACK, WHITE].map(|seat| self.area(&colours, seat)));
        let mut again = Stones::NONE;
        for (point, seat) in colours.iter().enumerate() {
            if let Some(seat) = seat {
                again.put(*seat, point as Point);
            }
        }
        assert_eq!(*stones, again, "the hash is that of the stones");
    }
}

/// What stands on every point.
pub fn colours<const N: usize>(graph: &Graph<N>, stones: &Stones<N>) -> Colours {
    (0..graph.len() as Point).map(|point| stones.at(point)).collect()
}

/// The ways to lay a board onto itself, each as the list of where the points go: found by trying.
pub fn symmetries<const N: usize>(graph: &Graph<N>) -> Vec<Vec<Point>> {
    let order = breadth_first(graph);
    let mut found = Vec::new();
    lay(graph, &order, &mut vec![None; graph.len()], 0, &mut found);
    found
}

/// All points, each but the first beside an earlier one.
fn breadth_first<const N: usize>(graph: &Graph<N>) -> Vec<Point> {
    let mut order: Vec<Point> = vec![0];
    let mut seen = vec![false; graph.len()];
    seen[0] = true;
    let mut done = 0;
    while done < order.len() {
        for &next in graph.neighbours(order[done]) {
            if !std::mem::replace(&mut seen[usize::from(next)], true) {
                order.push(next);
            }
        }
        done += 1;
    }
    order
}

fn lay<const N: usize>(
    graph: &Graph<N>,
    order: &[Point],
    image: &mut Vec<Option<Point>>,
    done: usize,
    found: &mut Vec<Vec<Point>>,
) {
    let Some(&point) = order.get(done) else {
        found.push(image.iter().flatten().copied().collect());
        return;
    };
    let laid: Vec<Point> = graph
        .neighbours(point)
        .iter()
        .filter_map(|&next| image[usize::from(next)])
        .collect();
    let candidates: Vec<Point> = match laid.first() {
        None => (0..graph.len() as Point).collect(),
        Some(&next) => graph.neighbours(next).to_vec(),
    };
    for candidate in candidates {
        let fits = !image.contains(&Some(candidate))
            && graph.neighbours(candidate).len() == graph.neighbours(point).len()
            && laid.iter().all(|next| graph.neighbours(candidate).contains(next));
        if fits {
            image[usize::from(point)] = Some(candidate);
            lay(graph, order, image, done + 1, found);
            image[usize::from(point)] = None;
        }
    }
}
