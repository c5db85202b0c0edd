//! Goals about dtypes, ranks and dims of leaves, and about how these compare.

use std::collections::BTreeSet;

use kanshape::Dtype;
use kanshape::tree::CmpOp::{Eq, Ge, Le, Lt};
use kanshape::tree::relation::{Goal, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{GoalTable, WrittenShape, bits, dim, product};
use crate::instances::Instance;
use crate::made::{self, call, compare, equal, name, plus};
use crate::program::Program;

/// By how much a dim may be larger than another one.
const MOST_MORE: u64 = 2;
/// Constants of a rule above this are not compared with sizes.
const LARGEST_SIZE: u64 = 64;

/// Do dtypes decide? There are leaves of the same shapes of which with some dtypes the rule is sound, and with others it is not.
fn dtypes_decide(leaves: &[&WrittenShape], sound: &[bool]) -> bool {
    let mut seen: FxHashMap<SmallVec<[u32; 6]>, bool> = FxHashMap::default();
    sound.iter().enumerate().any(|(i, sound)| {
        let shapes = leaves.iter().map(|leaf| leaf.shapes.classes.of[i]);
        *seen.entry(shapes.collect()).or_insert(*sound) != *sound
    })
}

/// Goals about the dtypes of leaves. A leaf with one dtype in all instances gets none.
pub(super) fn of_dtypes(
    program: &Program,
    instances: &[Instance],
    sound: &[bool],
    leaves: &[&WrittenShape],
    all: &mut GoalTable,
) {
    if !dtypes_decide(leaves, sound) {
        return;
    }
    let of = |one: &Instance, leaf: usize| -> Option<Dtype> {
        one.leaves[leaf].as_tensor()?.dtype.known()
    };
    for (i, leaf) in program.leaves.iter().enumerate() {
        let own = call("dtype", [name(&leaf.name)]);
        let seen: BTreeSet<Dtype> = instances.iter().filter_map(|one| of(one, i)).collect();
        if seen.len() < 2 {
            continue;
        }
        let of_sound = instances.iter().zip(sound).filter(|(_, sound)| **sound);
        let good: BTreeSet<Dtype> = of_sound.filter_map(|(one, _)| of(one, i)).collect();
        for (j, other) in program.leaves.iter().enumerate().skip(i + 1) {
            let same = instances.iter().map(|one| of(one, i) == of(one, j));
            all.add(equal(&own, &call("dtype", [name(&other.name)])), bits(same));
        }
        for dtype in &good {
            let is = instances.iter().map(|one| of(one, i) == Some(*dtype));
            all.add(equal(&own, &name(dtype.name())), bits(is));
        }
        if !good.is_empty() && good.len() < seen.len() {
            let names = made::list(good.iter().map(|dtype| name(dtype.name())));
            let is = instances
                .iter()
                .map(|one| of(one, i).is_some_and(|dtype| good.contains(&dtype)));
            let goal = Goal::In(made::nowhere(own), made::nowhere(names));
            all.add(goal, bits(is));
        }
    }
}

pub(super) fn of_ranks(leaves: &[&WrittenShape], all: &mut GoalTable) {
    for a in leaves {
        for k in 0..5 {
            let goal = |op| compare(&a.rank(), op, Term::Int(k as u64));
            all.each(goal(Eq), a, &|x| x.len() == k);
            all.each(goal(Le), a, &|x| x.len() <= k);
            all.each(goal(Ge), a, &|x| x.len() >= k);
        }
        for b in leaves {
            if a.term != b.term {
                let goal = |op| compare(&a.rank(), op, b.rank());
                all.both(goal(Eq), a, b, &|x, y| x.len() == y.len());
                all.both(goal(Le), a, b, &|x, y| x.len() <= y.len());
            }
        }
    }
}

pub(super) fn of_sizes(leaves: &[&WrittenShape], all: &mut GoalTable) {
    for (i, a) in leaves.iter().enumerate() {
        all.not_empty(a);
        all.of_one(a);
        for p in all.places.clone() {
            let at = a.at(p);
            let goal = |op, k| compare(&at, op, Term::Int(k));
            all.each(goal(Ge, 1), a, &|x| dim(x, p).is_some_and(|d| d >= 1));
            all.each(goal(Eq, 1), a, &|x| dim(x, p) == Some(1));
            all.each(goal(Eq, 0), a, &|x| dim(x, p) == Some(0));
            all.each(goal(Ge, 2), a, &|x| dim(x, p).is_some_and(|d| d >= 2));
            for b in &leaves[i + 1..] {
                for q in all.places.clone() {
                    all.both(equal(&at, &b.at(q)), a, b, &|x, y| {
                        dim(x, p).is_some() && dim(x, p) == dim(y, q)
                    });
                }
            }
        }
        for (p, q) in any_two(&all.places) {
            all.each(equal(&a.at(p), &a.at(q)), a, &|x| {
                dim(x, p).is_some() && dim(x, p) == dim(x, q)
            });
        }
    }
}

/// Any two of these places; those counted from one end come first.
fn any_two(places: &[i64]) -> Vec<(i64, i64)> {
    let mut places = places.to_vec();
    places.sort_unstable();
    let (back, front) = places.split_at(places.partition_point(|place| *place < 0));
    let of_one = |places: &[i64]| -> Vec<(i64, i64)> {
        let each = places.iter().enumerate();
        let pairs = each.flat_map(|(i, p)| places[i + 1..].iter().map(|q| (*p, *q)));
        pairs.collect()
    };
    let mixed = front
        .iter()
        .flat_map(|p| back.iter().rev().map(|q| (*p, *q)));
    let mut all = of_one(front);
    all.extend(of_one(back));
    all.extend(mixed);
    all
}

/// How dims and ranks compare, and the sizes that dims may have.
pub(super) fn of_numbers(program: &Program, leaves: &[&WrittenShape], all: &mut GoalTable) {
    for a in leaves {
        for b in leaves {
            if a.term != b.term {
                let (a_rank, b_rank) = (a.rank(), b.rank());
                all.both(compare(&a_rank, Lt, b_rank.clone()), a, b, &|x, y| {
                    x.len() < y.len()
                });
                all.both(equal(&a_rank, &plus(&b_rank, 1)), a, b, &|x, y| {
                    x.len() == y.len() + 1
                });
            }
        }
    }
    for a in leaves {
        for b in leaves.iter().filter(|b| b.term != a.term) {
            for p in all.places.clone() {
                not_larger(all, (a, b), p, 0);
            }
        }
    }
    // Small sizes, and those that the rule itself has.
    let mut sizes: BTreeSet<u64> = (0..=4).collect();
    // A negative number counts from an end.
    let ints = program.ints().into_iter().map(i64::unsigned_abs);
    sizes.extend(ints.flat_map(|n| [n.saturating_sub(1), n]));
    for a in leaves {
        let sizes = || sizes.iter().copied().filter(|k| *k <= LARGEST_SIZE);
        for p in all.places.clone() {
            let at = a.at(p);
            let goal = |op, k| compare(&at, op, Term::Int(k));
            for k in sizes() {
                all.each(goal(Eq, k), a, &|x| dim(x, p) == Some(k));
            }
            for k in sizes() {
                all.each(goal(Ge, k), a, &|x| dim(x, p).is_some_and(|d| d >= k));
                all.each(goal(Le, k), a, &|x| dim(x, p).is_some_and(|d| d <= k));
            }
        }
        for k in sizes() {
            let goal = compare(&a.product(), Eq, Term::Int(k));
            all.each(goal, a, &|x| product(x) == k);
        }
    }
    for (i, a) in leaves.iter().enumerate() {
        for b in &leaves[i + 1..] {
            let goal = equal(&a.product(), &b.product());
            all.both(goal, a, b, &|x, y| product(x) == product(y));
        }
    }
    for a in leaves {
        for b in leaves.iter().filter(|b| b.term != a.term) {
            for p in all.places.clone() {
                (1..=MOST_MORE).for_each(|more| not_larger(all, (a, b), p, more));
            }
        }
    }
}

/// A dim is not larger than that of another leaf, or not by more than this.
fn not_larger(all: &mut GoalTable, (a, b): (&WrittenShape, &WrittenShape), place: i64, more: u64) {
    let goal = compare(&a.at(place), Le, plus(&b.at(place), more as i64));
    all.both(goal, a, b, &|x, y| {
        let dims = dim(x, place).zip(dim(y, place));
        dims.is_some_and(|(x, y)| x <= y.saturating_add(more))
    });
}
