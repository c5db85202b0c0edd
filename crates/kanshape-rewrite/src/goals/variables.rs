//! Goals about the variables of a rule: how they compare, and what they say of the shapes of leaves.

use kanshape::tree::CmpOp::{Eq, Ge, Le, Lt};
use kanshape::tree::relation::Term;

use super::{ENDS, GoalTable, InstanceShapes, PlainShape, WrittenShape, dim, made_of, numbered};
use crate::made::{self, call, compare, equal, int, name, plus};

/// The numbers with which a variable is compared.
const NUMBERS: [i64; 5] = [0, 1, -1, 2, -2];
/// The sizes with which the dim at a variable place is compared.
const SIZES: [u64; 3] = [1, 0, 2];
/// Of more lists there are no goals that write one out.
const MOST_LISTS: usize = 16;

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum VariableValue {
    Int(i64),
    Ints(Vec<i64>),
    Bool(bool),
    /// There are no goals about it.
    Other,
}

/// The variables of a rule, and what they are in each instance.
pub(crate) struct Variables {
    pub(crate) names: Vec<Box<str>>,
    /// The choices of values, each with a value for each name.
    pub(crate) choices: Vec<Vec<VariableValue>>,
    /// The choice of each instance.
    pub(crate) of: Vec<u32>,
}

/// The kind of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VariableKind {
    Int,
    Ints,
    Bool,
}

impl Variables {
    /// The variables of a kind, as lists of numbers: an integer is a list of one.
    fn of_kind(&self, kind: VariableKind) -> Vec<WrittenShape> {
        let is_meant = |value: &VariableValue| {
            matches!(
                (value, kind),
                (VariableValue::Int(_), VariableKind::Int)
                    | (VariableValue::Ints(_), VariableKind::Ints)
                    | (VariableValue::Bool(_), VariableKind::Bool)
            )
        };
        let members = |value: &VariableValue| match value {
            VariableValue::Int(n) => Some(vec![code(*n)]),
            VariableValue::Ints(all) => Some(all.iter().copied().map(code).collect()),
            VariableValue::Bool(is) => Some(vec![u64::from(*is)]),
            VariableValue::Other => None,
        };
        let all = self.names.iter().enumerate();
        let all = all.filter(|(i, _)| self.choices.iter().all(|values| is_meant(&values[*i])));
        all.map(|(i, name)| {
            let choices = self.choices.iter().map(|values| members(&values[i]));
            let (of_choice, distinct) = numbered(choices);
            let of = self.of.iter();
            let of = of.map(|choice| of_choice[*choice as usize]).collect();
            WrittenShape::new(made::name(name), InstanceShapes::new(of, distinct))
        })
        .collect()
    }
}

/// A number that may be negative, where sizes are expected.
fn code(n: i64) -> u64 {
    n as u64
}

/// The only member of a list.
fn one(list: &[u64]) -> Option<i64> {
    match list {
        [one] => Some(*one as i64),
        _ => None,
    }
}

fn compared(x: &[u64], y: &[u64], holds: impl Fn(i64, i64) -> bool) -> bool {
    one(x).zip(one(y)).is_some_and(|(x, y)| holds(x, y))
}

/// The goals; those that say most in few words come first.
pub(super) fn goals(variables: &Variables, leaves: &[&WrittenShape], all: &mut GoalTable) {
    let bools = variables.of_kind(VariableKind::Bool);
    let ints = variables.of_kind(VariableKind::Ints);
    let mut numbers = variables.of_kind(VariableKind::Int);
    for own in &bools {
        for is in [false, true] {
            let goal = equal(&own.term, &Term::Bool(is));
            all.each(goal, own, &|x| x == [u64::from(is)]);
        }
    }
    of_numbers(&numbers, all);
    // The members of a list that a variable counts.
    let members = ints
        .iter()
        .flat_map(|list| numbers.iter().map(move |at| member(list, at)));
    let members: Vec<WrittenShape> = members.collect();
    let lists = with_composed(ints);
    of_lists(&lists, leaves, all);
    numbers.extend(members);
    of_places(&numbers, leaves, all);
    for list in &lists {
        written_out(list, all);
    }
}

/// How numbers compare.
fn of_numbers(numbers: &[WrittenShape], all: &mut GoalTable) {
    for a in numbers {
        let goal = |op, k| compare(&a.term, op, int(k));
        for k in NUMBERS {
            all.each(goal(Eq, k), a, &|x| one(x) == Some(k));
        }
        for k in NUMBERS {
            all.each(goal(Ge, k), a, &|x| one(x) >= Some(k));
            all.each(goal(Le, k), a, &|x| one(x).is_some_and(|x| x <= k));
        }
    }
    for (i, a) in numbers.iter().enumerate() {
        for (j, b) in numbers.iter().enumerate().filter(|(j, _)| i != *j) {
            let goal = |op| compare(&a.term, op, b.term.clone());
            if i < j {
                all.both(goal(Eq), a, b, &|x, y| x == y);
            }
            all.both(goal(Lt), a, b, &|x, y| compared(x, y, |x, y| x < y));
            all.both(goal(Le), a, b, &|x, y| compared(x, y, |x, y| x <= y));
            all.both(equal(&a.term, &plus(&b.term, 1)), a, b, &|x, y| {
                compared(x, y, |x, y| y.checked_add(1) == Some(x))
            });
        }
    }
}

/// What numbers say as places of dims.
fn of_places(numbers: &[WrittenShape], leaves: &[&WrittenShape], all: &mut GoalTable) {
    let at = |leaf: &WrittenShape, place: &WrittenShape| {
        let shapes = made_of(leaf, place, |shape, place| {
            Some(vec![dim(shape, one(place)?)?])
        });
        WrittenShape::new(made::at(&leaf.term, place.term.clone()), shapes)
    };
    let dims: Vec<Vec<WrittenShape>> = numbers
        .iter()
        .map(|place| leaves.iter().map(|leaf| at(leaf, place)).collect())
        .collect();
    for own in &dims {
        for (i, a) in own.iter().enumerate() {
            for k in SIZES {
                let goal = |op| compare(&a.term, op, Term::Int(k));
                all.each(goal(Eq), a, &|x| x == [k]);
                all.each(goal(Ge), a, &|x| x >= &[k][..]);
            }
            own[i + 1..].iter().for_each(|b| all.same(&[], a, b));
            for leaf in leaves {
                for place in ENDS {
                    let goal = equal(&a.term, &leaf.at(place));
                    let is_same = |x: &[u64], y: &[u64]| dim(y, place).is_some_and(|d| x == [d]);
                    all.both(goal, a, leaf, &is_same);
                }
            }
            for (b, more) in own.iter().flat_map(|b| [(b, 0), (b, 1)]) {
                let goal = compare(&a.term, Le, plus(&b.term, more));
                all.both(goal, a, b, &|x, y| {
                    compared(x, y, |x, y| x <= y.saturating_add(more))
                });
            }
        }
    }
    for (i, own) in dims.iter().enumerate() {
        for other in &dims[i + 1..] {
            own.iter().zip(other).for_each(|(a, b)| all.same(&[], a, b));
        }
        for (a, number) in own
            .iter()
            .flat_map(|a| numbers.iter().map(move |number| (a, number)))
        {
            all.same(&[], a, number);
            let goal = |op| compare(&a.term, op, number.term.clone());
            all.both(goal(Le), a, number, &|x, y| compared(x, y, |x, y| x <= y));
            all.both(goal(Ge), a, number, &|x, y| compared(x, y, |x, y| x >= y));
        }
    }
    for place in numbers {
        for leaf in leaves {
            let rank = leaf.rank();
            let goals = [
                compare(&place.term, Lt, rank.clone()),
                equal(&place.term, &plus(&rank, -1)),
                equal(&place.term, &rank),
            ];
            let holds: [fn(i64, i64) -> bool; 3] = [|x, y| x < y, |x, y| x == y - 1, |x, y| x == y];
            for (goal, holds) in goals.into_iter().zip(holds) {
                all.both(goal, place, leaf, &|x, y| {
                    one(x).is_some_and(|x| holds(x, y.len() as i64))
                });
            }
        }
    }
    of_ends(numbers, leaves, all);
}

/// What numbers say as the ends of parts of shapes.
fn of_ends(numbers: &[WrittenShape], leaves: &[&WrittenShape], all: &mut GoalTable) {
    let end = |shape: &[u64], place: &[u64]| -> Option<usize> {
        let (place, rank) = (one(place)?, shape.len() as i64);
        let end = if place < 0 { place + rank } else { place };
        (0..=rank).contains(&end).then_some(end as usize)
    };
    for place in numbers {
        let front = |leaf: &&WrittenShape| {
            let shapes = made_of(leaf, place, |x, p| Some(x[..end(x, p)?].to_vec()));
            WrittenShape::new(
                made::part(&leaf.term, None, Some(place.term.clone())),
                shapes,
            )
        };
        let back = |leaf: &&WrittenShape| {
            let shapes = made_of(leaf, place, |x, p| Some(x[end(x, p)?..].to_vec()));
            WrittenShape::new(
                made::part(&leaf.term, Some(place.term.clone()), None),
                shapes,
            )
        };
        let parts: [Vec<WrittenShape>; 2] = [
            leaves.iter().map(front).collect(),
            leaves.iter().map(back).collect(),
        ];
        for parts in &parts {
            for (i, a) in parts.iter().enumerate() {
                all.of_one(a);
                parts[i + 1..].iter().for_each(|b| all.same(&[], a, b));
                for leaf in leaves {
                    all.product(a, leaf);
                }
            }
        }
    }
}

/// A member of a list at a variable place.
fn member(list: &WrittenShape, at: &WrittenShape) -> WrittenShape {
    let shapes = made_of(list, at, |list, at| Some(vec![dim(list, one(at)?)?]));
    WrittenShape::new(made::at(&list.term, at.term.clone()), shapes)
}

/// The members of a list at the places that another one has.
fn chosen(of: &[u64], places: &[u64]) -> Option<PlainShape> {
    places.iter().map(|place| dim(of, *place as i64)).collect()
}

/// Lists, and the members of each in the order of each.
fn with_composed(mut lists: Vec<WrittenShape>) -> Vec<WrittenShape> {
    let composed = lists.iter().flat_map(|of| {
        lists.iter().map(move |by| {
            let ordered = made::each(made::at(&of.term, name("i")), "i", &by.term);
            WrittenShape::new(ordered, made_of(of, by, chosen))
        })
    });
    let composed: Vec<WrittenShape> = composed.collect();
    lists.extend(composed);
    lists
}

/// What lists say as orders of dims.
fn of_lists(lists: &[WrittenShape], leaves: &[&WrittenShape], all: &mut GoalTable) {
    for (i, a) in lists.iter().enumerate() {
        lists[i + 1..].iter().for_each(|b| all.same(&[], a, b));
    }
    for list in lists {
        let length = call("len", [list.term.clone()]);
        for leaf in leaves {
            let goal = equal(&length, &leaf.rank());
            all.both(goal, list, leaf, &|x, y| x.len() == y.len());
            let ordered = made::each(made::at(&leaf.term, name("j")), "j", &list.term);
            let ordered = WrittenShape::new(ordered, made_of(leaf, list, chosen));
            leaves.iter().for_each(|own| all.same(&[], &ordered, own));
            for other in leaves.iter().filter(|other| other.term != leaf.term) {
                all.stretched(&[], other, &ordered);
            }
        }
        for k in 0..=3 {
            let goal = compare(&length, Eq, Term::Int(k as u64));
            all.each(goal, list, &|x| x.len() == k);
        }
    }
}

/// A list that is written out.
fn written_out(list: &WrittenShape, all: &mut GoalTable) {
    if list.shapes.distinct.len() > MOST_LISTS {
        return;
    }
    for own in list.shapes.distinct.iter().flatten() {
        let members = own.iter().map(|n| int(*n as i64));
        let goal = equal(&list.term, &made::list(members));
        all.each(goal, list, &|x| x == own.as_slice());
    }
}
