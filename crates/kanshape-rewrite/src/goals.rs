//! The goals that are tried for a precondition: their texts, and the instances for which each of them holds.

use std::collections::{BTreeSet, HashSet};

use kanshape::{Dtype, Type};
use rustc_hash::FxHashMap;

use crate::instances::Instance;
use crate::program::{Program, Slot};

/// The places of dims for which there are goals. There are also goals for the axes that the rule itself speaks of, up to this one.
const PLACES: [i64; 5] = [0, 1, -1, -2, 2];
const LARGEST_AXIS: u64 = 7;
/// Lists that are compared: a shape without its first dims, or without its last ones.
const PARTS: [(usize, usize); 4] = [(1, 0), (0, 1), (2, 0), (0, 2)];
/// Constants of a rule above this are not compared with sizes.
const LARGEST_SIZE: u64 = 64;

type Shape = Vec<u64>;

/// What a shape is in each instance; none where it can't be. Instances are many, shapes are few: what holds of one is found out once.
struct Shapes {
    distinct: Vec<Option<Shape>>,
    /// For each instance, which of them it is.
    of: Vec<u32>,
}

impl FromIterator<Option<Shape>> for Shapes {
    fn from_iter<I: IntoIterator<Item = Option<Shape>>>(all: I) -> Shapes {
        let mut places: FxHashMap<Option<Shape>, u32> = FxHashMap::default();
        let mut distinct = Vec::new();
        let of = all.into_iter().map(|shape| match places.get(&shape) {
            Some(place) => *place,
            None => {
                let place = distinct.len() as u32;
                distinct.push(shape.clone());
                places.insert(shape, place);
                place
            }
        });
        let of = of.collect();
        Shapes { distinct, of }
    }
}

impl Shapes {
    fn get(&self, instance: usize) -> Option<&[u64]> {
        self.distinct[self.of[instance] as usize].as_deref()
    }

    fn iter(&self) -> impl Iterator<Item = Option<&[u64]>> {
        (0..self.of.len()).map(|i| self.get(i))
    }

    /// The same of a part of each shape.
    fn map(&self, f: impl Fn(&[u64]) -> Option<Shape>) -> Shapes {
        let mapped: Vec<Option<Shape>> = self.distinct.iter().map(|s| f(s.as_deref()?)).collect();
        self.of
            .iter()
            .map(|i| mapped[*i as usize].clone())
            .collect()
    }
}

/// A goal, and the instances of which it holds.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) text: String,
    pub(crate) holds: Bits,
}

/// A set of instances, by their places.
pub(crate) type Bits = Vec<u64>;

/// A shape that can be written, with what it is in each instance.
struct Written {
    /// Goals that define the names in it.
    defined: String,
    text: String,
    shapes: Shapes,
    is_leaf: bool,
}

/// The goals that are tried. Of goals that hold of the same instances there is one.
pub(crate) struct Candidates<'p> {
    program: &'p Program,
    written: Vec<Written>,
    all: All,
    /// How many of the first ones are simple.
    simple: usize,
}

impl<'p> Candidates<'p> {
    pub(crate) fn new(
        program: &'p Program,
        instances: &[Instance],
        sound: &[bool],
    ) -> Candidates<'p> {
        let written = shapes(program, instances, sound);
        let mut all = All {
            places: places(program),
            ..All::default()
        };
        of_dtypes(program, instances, sound, &mut all);
        for (i, a) in written.iter().enumerate() {
            for (j, b) in written.iter().enumerate() {
                if i == j {
                    continue;
                }
                let mut defined = a.defined.clone();
                if !b.defined.is_empty() && a.defined != b.defined {
                    defined += &b.defined;
                }
                all.stretched(&defined, a, b);
            }
        }
        let leaves: Vec<&Written> = written.iter().filter(|own| own.is_leaf).collect();
        for (i, a) in leaves.iter().enumerate() {
            for b in &leaves[i + 1..] {
                all.same("", a, b);
                all.compatible(a, b);
            }
        }
        of_ranks(&leaves, &mut all);
        of_sizes(&leaves, &mut all);
        Candidates {
            program,
            simple: all.found.len(),
            written,
            all,
        }
    }

    /// The simple ones.
    pub(crate) fn simple(&self) -> &[Candidate] {
        &self.all.found[..self.simple]
    }

    /// All of them, and how many of the first ones are simple.
    pub(crate) fn all(&mut self) -> (&[Candidate], usize) {
        let leaves: Vec<&Written> = self.written.iter().filter(|own| own.is_leaf).collect();
        let all = &mut self.all;
        of_numbers(self.program, &leaves, all);
        of_parts(&leaves, all);
        for own in self.written.iter().filter(|own| !own.is_leaf) {
            for leaf in &leaves {
                all.same(&own.defined, leaf, own);
            }
        }
        (&self.all.found, self.simple)
    }
}

/// The places of dims for which there are goals of a rule.
fn places(program: &Program) -> Vec<i64> {
    let mut places = PLACES.to_vec();
    let is_axis = |n: &i64| (3..=LARGEST_AXIS).contains(&n.unsigned_abs());
    for axis in program.ints().into_iter().filter(is_axis) {
        if !places.contains(&axis) {
            places.push(axis);
        }
    }
    places
}

/// The goals so far, and what they hold of.
#[derive(Default)]
struct All {
    places: Vec<i64>,
    found: Vec<Candidate>,
    seen: HashSet<Bits>,
}

impl All {
    fn add(&mut self, text: String, holds: Bits) {
        if self.seen.insert(holds.clone()) {
            self.found.push(Candidate { text, holds });
        }
    }

    /// The shapes are the same.
    fn same(&mut self, defined: &str, a: &Written, b: &Written) {
        let text = format!("{defined}{} = {}", a.text, b.text);
        self.add(text, both(a, b, &|x, y| x == y));
    }

    /// The shapes broadcast together.
    fn compatible(&mut self, a: &Written, b: &Written) {
        let text = format!("BroadcastShapes({}, {}, _)", a.text, b.text);
        self.add(text, both(a, b, &|x, y| broadcast(x, y).is_some()));
    }

    /// The first shape broadcasts to the second.
    fn stretched(&mut self, defined: &str, a: &Written, b: &Written) {
        let text = format!(
            "{defined}BroadcastShapes({}, {}, {})",
            a.text, b.text, b.text
        );
        let holds = both(a, b, &|x, y| broadcast(x, y).as_deref() == Some(y));
        self.add(text, holds);
    }

    /// There is one element.
    fn of_one(&mut self, a: &Written) {
        let holds = each(a, &|x| x.iter().all(|d| *d == 1));
        self.add(format!("prod({}) = 1", a.text), holds);
    }

    /// There are elements.
    fn not_empty(&mut self, a: &Written) {
        let holds = each(a, &|x| !x.contains(&0));
        self.add(format!("prod({}) >= 1", a.text), holds);
    }
}

/// The rank of a leaf, as it is written.
fn rank(leaf: &Written) -> String {
    leaf.text.replacen("shape(", "rank(", 1)
}

fn each(own: &Written, f: &dyn Fn(&[u64]) -> bool) -> Bits {
    let distinct = own.shapes.distinct.iter();
    let holds: Vec<bool> = distinct.map(|s| s.as_deref().is_some_and(f)).collect();
    bits(own.shapes.of.iter().map(|i| holds[*i as usize]))
}

fn both(a: &Written, b: &Written, f: &dyn Fn(&[u64], &[u64]) -> bool) -> Bits {
    let (a, b) = (&a.shapes, &b.shapes);
    let width = b.distinct.len();
    let holds = |i: usize, j: usize| {
        let pair = a.distinct[i].as_deref().zip(b.distinct[j].as_deref());
        pair.is_some_and(|(x, y)| f(x, y))
    };
    let pairs = a.of.iter().zip(&b.of);
    let pairs = pairs.map(|(i, j)| (*i as usize, *j as usize));
    if a.distinct.len() * width > a.of.len() {
        return bits(pairs.map(|(i, j)| holds(i, j)));
    }
    let mut known: Vec<Option<bool>> = vec![None; a.distinct.len() * width];
    bits(pairs.map(|(i, j)| *known[i * width + j].get_or_insert_with(|| holds(i, j))))
}

/// Do dtypes decide? There are leaves of the same shapes of which with some dtypes the rule is sound, and with others it is not.
fn dtypes_decide(instances: &[Instance], sound: &[bool]) -> bool {
    let mut seen: FxHashMap<Vec<Option<Shape>>, bool> = FxHashMap::default();
    let mut all = instances.iter().zip(sound);
    all.any(|(one, sound)| {
        let shapes = one.leaves.iter().map(|ty| sizes(ty)).collect();
        *seen.entry(shapes).or_insert(*sound) != *sound
    })
}

/// Goals about the dtypes of leaves. A leaf with one dtype in all instances gets none.
fn of_dtypes(program: &Program, instances: &[Instance], sound: &[bool], all: &mut All) {
    if !dtypes_decide(instances, sound) {
        return;
    }
    let of = |one: &Instance, leaf: usize| -> Option<Dtype> {
        one.leaves[leaf].as_tensor()?.dtype.known()
    };
    for (i, leaf) in program.leaves.iter().enumerate() {
        let seen: BTreeSet<Dtype> = instances.iter().filter_map(|one| of(one, i)).collect();
        if seen.len() < 2 {
            continue;
        }
        let of_sound = instances.iter().zip(sound).filter(|(_, sound)| **sound);
        let good: BTreeSet<Dtype> = of_sound.filter_map(|(one, _)| of(one, i)).collect();
        for (j, other) in program.leaves.iter().enumerate().skip(i + 1) {
            let same = instances.iter().map(|one| of(one, i) == of(one, j));
            all.add(
                format!("dtype({}) = dtype({})", leaf.name, other.name),
                bits(same),
            );
        }
        for dtype in &good {
            let is = instances.iter().map(|one| of(one, i) == Some(*dtype));
            all.add(format!("dtype({}) = {dtype}", leaf.name), bits(is));
        }
        if !good.is_empty() && good.len() < seen.len() {
            let names: Vec<String> = good.iter().map(ToString::to_string).collect();
            let is = instances
                .iter()
                .map(|one| of(one, i).is_some_and(|dtype| good.contains(&dtype)));
            all.add(
                format!("dtype({}) in {{{}}}", leaf.name, names.join(", ")),
                bits(is),
            );
        }
    }
}

fn of_ranks(leaves: &[&Written], all: &mut All) {
    for a in leaves {
        for k in 0..5 {
            all.add(format!("{} = {k}", rank(a)), each(a, &|x| x.len() == k));
            all.add(format!("{} <= {k}", rank(a)), each(a, &|x| x.len() <= k));
            all.add(format!("{} >= {k}", rank(a)), each(a, &|x| x.len() >= k));
        }
        for b in leaves {
            if a.text != b.text {
                let texts = (rank(a), rank(b));
                all.add(
                    format!("{} = {}", texts.0, texts.1),
                    both(a, b, &|x, y| x.len() == y.len()),
                );
                all.add(
                    format!("{} <= {}", texts.0, texts.1),
                    both(a, b, &|x, y| x.len() <= y.len()),
                );
            }
        }
    }
}

fn of_sizes(leaves: &[&Written], all: &mut All) {
    for (i, a) in leaves.iter().enumerate() {
        all.not_empty(a);
        all.of_one(a);
        for p in all.places.clone() {
            let at = format!("{}[{p}]", a.text);
            all.add(
                format!("{at} >= 1"),
                each(a, &|x| dim(x, p).is_some_and(|d| d >= 1)),
            );
            all.add(format!("{at} = 1"), each(a, &|x| dim(x, p) == Some(1)));
            all.add(
                format!("{at} >= 2"),
                each(a, &|x| dim(x, p).is_some_and(|d| d >= 2)),
            );
            for b in &leaves[i + 1..] {
                for q in all.places.clone() {
                    all.add(
                        format!("{at} = {}[{q}]", b.text),
                        both(a, b, &|x, y| dim(x, p).is_some() && dim(x, p) == dim(y, q)),
                    );
                }
            }
        }
        // The dims of one leaf.
        for (p, q) in [(0, 1), (0, -1), (-2, -1), (1, -2)] {
            all.add(
                format!("{}[{p}] = {}[{q}]", a.text, a.text),
                each(a, &|x| dim(x, p).is_some() && dim(x, p) == dim(x, q)),
            );
        }
    }
}

/// How dims and ranks compare, and the sizes that dims may have.
fn of_numbers(program: &Program, leaves: &[&Written], all: &mut All) {
    for a in leaves {
        for b in leaves {
            if a.text != b.text {
                let texts = (rank(a), rank(b));
                all.add(
                    format!("{} < {}", texts.0, texts.1),
                    both(a, b, &|x, y| x.len() < y.len()),
                );
                all.add(
                    format!("{} = {} + 1", texts.0, texts.1),
                    both(a, b, &|x, y| x.len() == y.len() + 1),
                );
            }
        }
    }
    for a in leaves {
        for b in leaves.iter().filter(|b| b.text != a.text) {
            for p in all.places.clone() {
                all.add(
                    format!("{}[{p}] <= {}[{p}]", a.text, b.text),
                    both(a, b, &|x, y| {
                        dim(x, p).zip(dim(y, p)).is_some_and(|(x, y)| x <= y)
                    }),
                );
            }
        }
    }
    // Small sizes, and those that the rule itself has.
    let mut sizes: BTreeSet<u64> = (0..=4).collect();
    for (_, ty) in &program.constants {
        let members = ty.contents().into_iter().flatten();
        let ints = members.filter_map(kanshape::Content::int);
        sizes.extend(ints.filter_map(|n| u64::try_from(n).ok()));
    }
    for a in leaves {
        let sizes = || sizes.iter().copied().filter(|k| *k <= LARGEST_SIZE);
        for p in all.places.clone() {
            let at = format!("{}[{p}]", a.text);
            for k in sizes() {
                all.add(format!("{at} = {k}"), each(a, &|x| dim(x, p) == Some(k)));
            }
            for k in sizes() {
                all.add(
                    format!("{at} >= {k}"),
                    each(a, &|x| dim(x, p).is_some_and(|d| d >= k)),
                );
                all.add(
                    format!("{at} <= {k}"),
                    each(a, &|x| dim(x, p).is_some_and(|d| d <= k)),
                );
            }
        }
        for k in sizes() {
            all.add(
                format!("prod({}) = {k}", a.text),
                each(a, &|x| product(x) == k),
            );
        }
    }
    for (i, a) in leaves.iter().enumerate() {
        for b in &leaves[i + 1..] {
            all.add(
                format!("prod({}) = prod({})", a.text, b.text),
                both(a, b, &|x, y| product(x) == product(y)),
            );
        }
    }
}

/// Shapes without their first dims or their last ones.
fn of_parts(leaves: &[&Written], all: &mut All) {
    for (first, last) in PARTS {
        let text = |own: &Written| match last {
            0 => format!("{}[{first}:]", own.text),
            _ => format!("{}[:-{last}]", own.text),
        };
        let part = |own: &Written| Written {
            defined: String::new(),
            text: text(own),
            shapes: own.shapes.map(|shape| {
                let end = shape.len().checked_sub(last)?;
                shape.get(first..end).map(<[u64]>::to_vec)
            }),
            is_leaf: false,
        };
        let parts: Vec<Written> = leaves.iter().map(|own| part(own)).collect();
        for (i, a) in parts.iter().enumerate() {
            for (j, b) in parts.iter().enumerate() {
                if i < j {
                    all.same("", a, b);
                    all.compatible(a, b);
                }
                if i != j {
                    all.stretched("", a, b);
                }
            }
            all.of_one(a);
            all.not_empty(a);
        }
    }
}

/// The shapes of leaves, and of what both sides make of them, as far as they can be written.
fn shapes(program: &Program, instances: &[Instance], sound: &[bool]) -> Vec<Written> {
    let mut written: Vec<Written> = Vec::new();
    let mut of_slot: Vec<Option<usize>> = vec![None; program.slots];
    for (i, leaf) in program.leaves.iter().enumerate() {
        of_slot[i] = Some(written.len());
        written.push(Written {
            defined: String::new(),
            text: format!("shape({})", leaf.name),
            shapes: instances.iter().map(|one| sizes(&one.leaves[i])).collect(),
            is_leaf: true,
        });
    }
    // The values whose members are the dims of another one.
    let mut dims_of: Vec<Option<usize>> = vec![None; program.slots];
    for step in program.left.steps.iter().chain(&program.right.steps) {
        let own = &program.steps[*step];
        let inputs: Vec<Slot> = own.inputs.iter().flatten().copied().collect();
        let known: Vec<Option<usize>> = inputs.iter().map(|slot| of_slot[*slot]).collect();
        let (name, first) = (own.operator.name(), own.first);
        let together: Vec<Option<usize>> = match (name, &known[..]) {
            (name, [x]) if UNARY.contains(&name) => {
                of_slot[first] = *x;
                continue;
            }
            ("Shape", [x]) if own.attrs.is_empty() => {
                dims_of[first] = *x;
                continue;
            }
            ("Expand", [x, _]) => vec![*x, dims_of[inputs[1]]],
            (name, known) if BROADCASTING.contains(&name) => known.to_vec(),
            _ => continue,
        };
        let Some(together) = together.into_iter().collect::<Option<Vec<usize>>>() else {
            continue;
        };
        let Some((x, others)) = together.split_first() else {
            continue;
        };
        let mut all = *x;
        for (i, other) in others.iter().enumerate() {
            let name = free(program, first, i);
            written.push(broadcasted(&written[all], &written[*other], name));
            all = written.len() - 1;
        }
        of_slot[first] = Some(all);
    }
    of_outputs(program, instances, sound, &mut written);
    written
}

/// A name for the shape of a value that no leaf has.
fn free(program: &Program, slot: Slot, part: usize) -> String {
    let mut name = match part {
        0 => format!("s{slot}"),
        part => format!("s{slot}_{part}"),
    };
    while program.leaf(&name).is_some() {
        name.push('_');
    }
    name
}

/// The shape of an output where the rule is sound, if each of its dims is a dim of a leaf there.
fn of_outputs(
    program: &Program,
    instances: &[Instance],
    sound: &[bool],
    written: &mut Vec<Written>,
) {
    let leaves = program.leaves.len();
    for root in 0..program.left.roots.len() {
        let outputs: Vec<Option<Shape>> =
            instances.iter().map(|one| sizes(&one.left[root])).collect();
        for rank in 1..=4 {
            let is_meant = |i: &usize| {
                sound[*i]
                    && outputs[*i]
                        .as_ref()
                        .is_some_and(|shape| shape.len() == rank)
            };
            let meant: Vec<usize> = (0..instances.len()).filter(is_meant).collect();
            if meant.is_empty() {
                continue;
            }
            let place = |at: usize| -> Option<(usize, i64)> {
                let of = |leaf| places(program).into_iter().map(move |place| (leaf, place));
                let all = (0..leaves).flat_map(of);
                let is_same = |(leaf, place): &(usize, i64)| {
                    meant.iter().all(|i| {
                        let shape = written[*leaf].shapes.get(*i);
                        let own = shape.and_then(|shape| dim(shape, *place));
                        own.is_some() && own == outputs[*i].as_ref().map(|shape| shape[at])
                    })
                };
                let mut all = all;
                all.find(is_same)
            };
            let Some(places) = (0..rank).map(place).collect::<Option<Vec<_>>>() else {
                continue;
            };
            if places.iter().all(|(leaf, _)| *leaf == places[0].0) {
                // Goals about sizes say it better.
                continue;
            }
            let texts: Vec<String> = places
                .iter()
                .map(|(leaf, place)| format!("{}[{place}]", written[*leaf].text))
                .collect();
            let shape = |i: usize| -> Option<Shape> {
                let dims = places.iter().map(|(leaf, place)| {
                    let shape = written[*leaf].shapes.get(i)?;
                    dim(shape, *place)
                });
                dims.collect()
            };
            let new = Written {
                defined: String::new(),
                text: format!("[{}]", texts.join(", ")),
                shapes: (0..instances.len()).map(shape).collect(),
                is_leaf: false,
            };
            written.push(new);
        }
    }
}

fn sizes(ty: &Type) -> Option<Shape> {
    let tensor = ty.as_tensor()?;
    tensor.shape.iter().map(|dim| dim.size()).collect()
}

fn broadcasted(a: &Written, b: &Written, name: String) -> Written {
    let both = a.shapes.iter().zip(b.shapes.iter());
    Written {
        defined: format!(
            "{}{}BroadcastShapes({}, {}, {name}), ",
            a.defined, b.defined, a.text, b.text
        ),
        text: name,
        shapes: both.map(|(x, y)| broadcast(x?, y?)).collect(),
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
const BROADCASTING: [&str; 16] = [
    "Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "And", "Or", "Xor", "Equal", "Less",
    "Greater", "Mod", "Where", "Sum",
];

fn broadcast(a: &[u64], b: &[u64]) -> Option<Shape> {
    let rank = a.len().max(b.len());
    let at = |s: &[u64], i: usize| (i + s.len()).checked_sub(rank).map_or(1, |j| s[j]);
    let dims = (0..rank).map(|i| match (at(a, i), at(b, i)) {
        (x, y) if x == y || y == 1 => Some(x),
        (1, y) => Some(y),
        _ => None,
    });
    dims.collect()
}

fn product(shape: &[u64]) -> u64 {
    shape
        .iter()
        .fold(1, |product: u64, d| product.saturating_mul(*d))
}

fn dim(shape: &[u64], place: i64) -> Option<u64> {
    let i = match place < 0 {
        true => shape
            .len()
            .checked_sub(usize::try_from(place.unsigned_abs()).ok()?)?,
        false => usize::try_from(place).ok()?,
    };
    shape.get(i).copied()
}

/// The places where it is true.
pub(crate) fn bits(holds: impl IntoIterator<Item = bool>) -> Bits {
    let mut bits = Bits::new();
    for (i, is) in holds.into_iter().enumerate() {
        if i % 64 == 0 {
            bits.push(0);
        }
        if let Some(word) = bits.last_mut() {
            *word |= u64::from(is) << (i % 64);
        }
    }
    bits
}
