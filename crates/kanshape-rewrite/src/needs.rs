//! The weakest precondition: goals that hold of exactly the instances for which a rule is sound.
//!
//! Goals are tried that speak of the shapes of the leaves, and of what the left side makes of them. Those that hold
//! wherever the rule is sound are necessary; if all necessary ones together exclude all else, the fewest that do so are
//! the precondition.

use std::collections::BTreeSet;

use kanshape::Type;

use crate::ground::Right;
use crate::instances::Instance;
use crate::program::{Program, Slot};

/// Of more goals no pairs are tried.
const MOST_PAIRED: usize = 220;
/// Dims at these places are spoken of.
const PLACES: [i64; 4] = [0, 1, -1, -2];
/// The most goals that a precondition has.
const MOST_GOALS: usize = 6;

type Shape = Vec<u64>;

/// A goal, and the instances of which it holds.
#[derive(Clone)]
struct Candidate {
    text: String,
    holds: Vec<u64>,
}

/// A shape that can be written, with what it is in each instance.
struct Written {
    /// Goals that define the names in it.
    defined: String,
    text: String,
    shapes: Vec<Option<Shape>>,
    is_leaf: bool,
}

/// Goals that hold of the sound instances, and of no others.
pub(crate) fn find(program: &Program, instances: &[Instance]) -> Option<Vec<String>> {
    let sound: Vec<bool> = instances
        .iter()
        .map(|one| one.right == Right::Same)
        .collect();
    let sound = bits(&sound);
    let all = candidates(program, instances);
    let is_necessary = |one: &&Candidate| is_subset(&sound, &one.holds);
    let necessary: Vec<Candidate> = all.iter().filter(is_necessary).cloned().collect();
    let whole = bits(&vec![true; instances.len()]);
    if let Some(goals) = cover(&necessary, &sound, &whole) {
        return Some(goals);
    }
    // Either of two goals.
    let mut others: Vec<&Candidate> = all.iter().filter(|one| !is_necessary(one)).collect();
    let useful = |one: &&Candidate| one.holds.iter().zip(&sound).any(|(a, b)| a & b != 0);
    others.retain(useful);
    others.truncate(MOST_PAIRED);
    let mut paired = necessary;
    for (i, one) in others.iter().enumerate() {
        for other in &others[i + 1..] {
            let holds: Vec<u64> = one
                .holds
                .iter()
                .zip(&other.holds)
                .map(|(a, b)| a | b)
                .collect();
            if is_subset(&sound, &holds) && holds != whole {
                paired.push(Candidate {
                    text: format!("{} ; {}", one.text, other.text),
                    holds,
                });
            }
        }
    }
    cover(&paired, &sound, &whole).or_else(|| by_rank(program, instances))
}

/// The fewest of these goals, as far as that is seen, that together hold of the sound instances alone.
fn cover(goals: &[Candidate], sound: &[u64], whole: &[u64]) -> Option<Vec<String>> {
    let mut left = whole.to_vec();
    let mut chosen: Vec<&Candidate> = Vec::new();
    while left != sound {
        let excluded = |one: &Candidate| -> u32 {
            let both = left.iter().zip(&one.holds);
            both.map(|(a, b)| (a & !b).count_ones()).sum()
        };
        // Of goals that exclude as many, the first one.
        let mut best: Option<(u32, &Candidate)> = None;
        for goal in goals {
            let count = excluded(goal);
            if count > best.map_or(0, |own| own.0) {
                best = Some((count, goal));
            }
        }
        let (_, goal) = best?;
        left.iter_mut().zip(&goal.holds).for_each(|(a, b)| *a &= b);
        chosen.push(goal);
        if chosen.len() > MOST_GOALS {
            return None;
        }
    }
    let mut i = 0;
    while i < chosen.len() {
        let rest = chosen.iter().enumerate().filter(|(j, _)| *j != i);
        let mut all = whole.to_vec();
        rest.for_each(|(_, one)| all.iter_mut().zip(&one.holds).for_each(|(a, b)| *a &= b));
        if all == sound {
            chosen.remove(i);
        } else {
            i += 1;
        }
    }
    Some(chosen.into_iter().map(|one| one.text.clone()).collect())
}

/// The ranks for which it is sound, if ranks alone decide.
fn by_rank(program: &Program, instances: &[Instance]) -> Option<Vec<String>> {
    let ranks = |one: &Instance| -> Option<Vec<usize>> {
        let all = one.leaves.iter().map(|ty| ty.as_tensor()?.shape.rank());
        all.collect()
    };
    let (mut sound, mut others) = (BTreeSet::new(), BTreeSet::new());
    for one in instances {
        match one.right {
            Right::Same => sound.insert(ranks(one)?),
            _ => others.insert(ranks(one)?),
        };
    }
    if sound.intersection(&others).next().is_some() || sound.len() > 8 {
        return None;
    }
    let case = |ranks: &Vec<usize>| {
        let all = program.leaves.iter().zip(ranks);
        let goals = all.map(|(leaf, rank)| format!("rank({}) = {rank}", leaf.name));
        goals.collect::<Vec<_>>().join(", ")
    };
    let cases: Vec<String> = sound.iter().map(case).collect();
    Some(vec![cases.join(" ; ")])
}

fn candidates(program: &Program, instances: &[Instance]) -> Vec<Candidate> {
    let written = shapes(program, instances);
    let leaves: Vec<&Written> = written.iter().filter(|own| own.is_leaf).collect();
    let mut all: Vec<Candidate> = Vec::new();
    let mut add = |text: String, holds: Vec<bool>| {
        let holds = bits(&holds);
        if !all.iter().any(|own| own.holds == holds) {
            all.push(Candidate { text, holds });
        }
    };
    let each = |own: &Written, f: &dyn Fn(&Shape) -> bool| -> Vec<bool> {
        let shapes = own.shapes.iter();
        shapes.map(|s| s.as_ref().is_some_and(f)).collect()
    };
    let both = |a: &Written, b: &Written, f: &dyn Fn(&Shape, &Shape) -> bool| -> Vec<bool> {
        let pairs = a.shapes.iter().zip(&b.shapes);
        pairs
            .map(|(x, y)| x.as_ref().zip(y.as_ref()).is_some_and(|(x, y)| f(x, y)))
            .collect()
    };
    for (i, a) in written.iter().enumerate() {
        for (j, b) in written.iter().enumerate() {
            if i == j {
                continue;
            }
            let mut defined = a.defined.clone();
            if !b.defined.is_empty() && a.defined != b.defined {
                defined += &b.defined;
            }
            add(
                format!(
                    "{defined}BroadcastShapes({}, {}, {})",
                    a.text, b.text, b.text
                ),
                both(a, b, &|x, y| broadcast(x, y).as_ref() == Some(y)),
            );
        }
    }
    for (i, a) in leaves.iter().enumerate() {
        for b in &leaves[i + 1..] {
            add(
                format!("{} = {}", a.text, b.text),
                both(a, b, &|x, y| x == y),
            );
            add(
                format!("BroadcastShapes({}, {}, _)", a.text, b.text),
                both(a, b, &|x, y| broadcast(x, y).is_some()),
            );
        }
    }
    let rank = |own: &Written| own.text.replacen("shape(", "rank(", 1);
    for a in &leaves {
        for k in 0..5 {
            add(format!("{} = {k}", rank(a)), each(a, &|x| x.len() == k));
            add(format!("{} <= {k}", rank(a)), each(a, &|x| x.len() <= k));
            add(format!("{} >= {k}", rank(a)), each(a, &|x| x.len() >= k));
        }
        for b in &leaves {
            if a.text != b.text {
                let texts = (rank(a), rank(b));
                add(
                    format!("{} = {}", texts.0, texts.1),
                    both(a, b, &|x, y| x.len() == y.len()),
                );
                add(
                    format!("{} <= {}", texts.0, texts.1),
                    both(a, b, &|x, y| x.len() <= y.len()),
                );
            }
        }
    }
    for (i, a) in leaves.iter().enumerate() {
        add(
            format!("prod({}) >= 1", a.text),
            each(a, &|x| !x.contains(&0)),
        );
        add(
            format!("prod({}) = 1", a.text),
            each(a, &|x| x.iter().all(|d| *d == 1)),
        );
        for p in PLACES {
            let at = format!("{}[{p}]", a.text);
            add(
                format!("{at} >= 1"),
                each(a, &|x| dim(x, p).is_some_and(|d| d >= 1)),
            );
            add(format!("{at} = 1"), each(a, &|x| dim(x, p) == Some(1)));
            add(
                format!("{at} >= 2"),
                each(a, &|x| dim(x, p).is_some_and(|d| d >= 2)),
            );
            for b in &leaves[i + 1..] {
                for q in PLACES {
                    add(
                        format!("{at} = {}[{q}]", b.text),
                        both(a, b, &|x, y| dim(x, p).is_some() && dim(x, p) == dim(y, q)),
                    );
                }
            }
        }
        // The dims of one leaf.
        for (p, q) in [(0, 1), (0, -1), (-2, -1)] {
            add(
                format!("{}[{p}] = {}[{q}]", a.text, a.text),
                each(a, &|x| dim(x, p).is_some() && dim(x, p) == dim(x, q)),
            );
        }
    }
    all
}

/// The shapes of leaves, and of what the left side makes of them, as far as they can be written.
fn shapes(program: &Program, instances: &[Instance]) -> Vec<Written> {
    let of = |ty: &Type| -> Option<Shape> {
        let tensor = ty.as_tensor()?;
        tensor.shape.iter().map(|dim| dim.size()).collect()
    };
    let mut written: Vec<Written> = Vec::new();
    let mut of_slot: Vec<Option<usize>> = vec![None; program.slots];
    for (i, leaf) in program.leaves.iter().enumerate() {
        of_slot[i] = Some(written.len());
        written.push(Written {
            defined: String::new(),
            text: format!("shape({})", leaf.name),
            shapes: instances.iter().map(|one| of(&one.leaves[i])).collect(),
            is_leaf: true,
        });
    }
    for step in &program.left.steps {
        let own = &program.steps[*step];
        let inputs: Vec<Slot> = own.inputs.iter().flatten().copied().collect();
        let known: Option<Vec<usize>> = inputs.iter().map(|slot| of_slot[*slot]).collect();
        let Some(known) = known else {
            continue;
        };
        of_slot[own.first] = match (own.operator.name(), &known[..]) {
            (name, [x]) if UNARY.contains(&name) => Some(*x),
            (name, [x, y]) if BINARY.contains(&name) => {
                let new = broadcasted(&written[*x], &written[*y], own.first);
                written.push(new);
                Some(written.len() - 1)
            }
            ("MatMul", [x, y]) if written[*x].is_leaf && written[*y].is_leaf => {
                let (a, b) = (&written[*x], &written[*y]);
                let product = |(x, y): (&Option<Shape>, &Option<Shape>)| {
                    let (x, y) = (x.as_ref()?, y.as_ref()?);
                    Some(vec![dim(x, 0)?, dim(y, 1)?])
                };
                let new = Written {
                    defined: String::new(),
                    text: format!("[{}[0], {}[1]]", a.text, b.text),
                    shapes: a.shapes.iter().zip(&b.shapes).map(product).collect(),
                    is_leaf: false,
                };
                written.push(new);
                Some(written.len() - 1)
            }
            _ => None,
        };
    }
    written
}

fn broadcasted(a: &Written, b: &Written, slot: Slot) -> Written {
    let name = format!("s{slot}");
    let both = a.shapes.iter().zip(&b.shapes);
    Written {
        defined: format!(
            "{}{}BroadcastShapes({}, {}, {name}), ",
            a.defined, b.defined, a.text, b.text
        ),
        text: name,
        shapes: both
            .map(|(x, y)| broadcast(x.as_ref()?, y.as_ref()?))
            .collect(),
        is_leaf: false,
    }
}

/// Operators whose output has the shape of their input.
const UNARY: [&str; 16] = [
    "Relu",
    "Neg",
    "Abs",
    "Exp",
    "Log",
    "Sqrt",
    "Not",
    "Identity",
    "Cast",
    "Sigmoid",
    "Tanh",
    "Sin",
    "Cos",
    "Reciprocal",
    "Floor",
    "Ceil",
];
/// Operators whose output has the shape to which their inputs broadcast.
const BINARY: [&str; 14] = [
    "Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "And", "Or", "Xor", "Equal", "Less",
    "Greater", "Mod",
];

fn broadcast(a: &Shape, b: &Shape) -> Option<Shape> {
    let rank = a.len().max(b.len());
    let at = |s: &Shape, i: usize| (i + s.len()).checked_sub(rank).map_or(1, |j| s[j]);
    let dims = (0..rank).map(|i| match (at(a, i), at(b, i)) {
        (x, y) if x == y || y == 1 => Some(x),
        (1, y) => Some(y),
        _ => None,
    });
    dims.collect()
}

fn dim(shape: &Shape, place: i64) -> Option<u64> {
    let i = match place < 0 {
        true => shape.len().checked_sub(place.unsigned_abs() as usize)?,
        false => place as usize,
    };
    shape.get(i).copied()
}

fn bits(holds: &[bool]) -> Vec<u64> {
    let word = |part: &[bool]| {
        let set = part.iter().enumerate().filter(|(_, is)| **is);
        set.fold(0, |word, (i, _)| word | 1 << i)
    };
    holds.chunks(64).map(word).collect()
}

fn is_subset(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}
