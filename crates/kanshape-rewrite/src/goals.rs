//! The goals that are tried for a precondition, and the instances for which each of them holds.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use kanshape::Type;
use kanshape::control::{is_over, work};
use kanshape::tree::CmpOp;
use kanshape::tree::relation::{Goal, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instances::Instance;
use crate::made;
use crate::program::{Program, Slot};

mod contents;
mod parts;
mod sizes;
mod variables;

pub(crate) use contents::{
    defined as defined_contents, is_definition as defines_contents, name as contents_name,
};
pub(crate) use variables::{VariableValue, Variables};

/// The places of dims for which there are goals. There are also goals for the axes that the rule itself speaks of, up to this one.
const PLACES: [i64; 5] = [0, 1, -1, -2, 2];
const LARGEST_AXIS: u64 = 7;
/// The places of dims that are compared with a product.
const ENDS: [i64; 4] = [0, 1, -1, -2];
/// Fewer pairs of shapes than this are numbered by a table.
const LARGEST_TABLE: usize = 1 << 16;

type PlainShape = Vec<u64>;

/// What a shape is in each instance; none where it can't be. Instances are many, shapes are few: what holds of one is found out once.
struct InstanceShapes {
    distinct: Vec<Option<PlainShape>>,
    /// Which of these it is in the instances of each class.
    of: Vec<u32>,
    classes: Rc<InstanceClasses>,
}

/// Instances, grouped by the shape of a leaf, or by those of two: parts of that shape, and what is made of both, are the same in
/// all of a class.
#[derive(Default)]
struct InstanceClasses {
    /// The class of each instance.
    of: Vec<u32>,
    count: usize,
    /// The instances of each class, once a goal is about it.
    members: OnceCell<ClassMembers>,
    /// The classes of the sound instances.
    sound: OnceCell<Vec<u32>>,
    /// The sets of classes of which a goal holds until now.
    seen: RefCell<FxHashSet<Bits>>,
}

impl InstanceClasses {
    fn new(of: Vec<u32>, count: usize) -> InstanceClasses {
        InstanceClasses {
            of,
            count,
            ..InstanceClasses::default()
        }
    }

    /// The instances of the classes for which a goal holds. `None` if an earlier goal holds for the same classes, or if it holds for no sound
    /// instance although there are some: such a goal can't be part of a precondition.
    fn spread(&self, holds: &[bool], sound: &[u32]) -> Option<Bits> {
        let classes = self.sound.get_or_init(|| {
            let of = sound.iter().map(|at| self.of[*at as usize]);
            let of: BTreeSet<u32> = of.collect();
            of.into_iter().collect()
        });
        if !classes.is_empty() && !classes.iter().any(|class| holds[*class as usize]) {
            return None;
        }
        let is_new = self.seen.borrow_mut().insert(bits(holds.iter().copied()));
        is_new.then(|| {
            let members = self.members.get_or_init(|| ClassMembers::new(self));
            members.spread(holds, self.of.len())
        })
    }
}

/// The instances of each class, as the words of [`Bits`] that have some of them, and these. Consecutive instances often share a class.
struct ClassMembers(Vec<Vec<(u32, u64)>>);

impl ClassMembers {
    fn new(classes: &InstanceClasses) -> ClassMembers {
        let mut members: Vec<Vec<(u32, u64)>> = vec![Vec::new(); classes.count];
        for (at, class) in classes.of.iter().enumerate() {
            let (word, bit) = ((at / 64) as u32, 1 << (at % 64));
            let own = &mut members[*class as usize];
            match own.last_mut() {
                Some((last, bits)) if *last == word => *bits |= bit,
                _ => own.push((word, bit)),
            }
        }
        ClassMembers(members)
    }

    /// The instances, of `count` in all, of the classes for which it holds. The other classes are subtracted if they have fewer words.
    fn spread(&self, holds: &[bool], count: usize) -> Bits {
        let of = |is: bool| {
            let all = self.0.iter().zip(holds);
            all.filter(move |(_, holds)| **holds == is)
        };
        let cost = |is: bool| -> usize { of(is).map(|(own, _)| own.len()).sum() };
        let is = cost(true) <= cost(false);
        let mut bits = match is {
            true => vec![0; count.div_ceil(64)],
            false => every(count),
        };
        for (word, members) in of(is).flat_map(|(own, _)| own) {
            bits[*word as usize] ^= members;
        }
        bits
    }
}

/// Gives equal things the same number, in the order in which they come.
struct Numbering<T>(FxHashMap<T, u32>);

impl<T: Hash + Eq> Numbering<T> {
    /// The number of a thing, and whether it is new.
    fn of(&mut self, thing: T) -> (u32, bool) {
        let next = self.0.len() as u32;
        let number = *self.0.entry(thing).or_insert(next);
        (number, number == next)
    }
}

impl<T> Default for Numbering<T> {
    fn default() -> Numbering<T> {
        Numbering(FxHashMap::default())
    }
}

/// Shapes of which each is there once, and which of them each of these is.
fn numbered(all: impl Iterator<Item = Option<PlainShape>>) -> (Vec<u32>, Vec<Option<PlainShape>>) {
    let mut numbers = Numbering::default();
    let mut distinct = Vec::new();
    let of = all.map(|shape| {
        let (number, is_new) = numbers.of(shape.clone());
        if is_new {
            distinct.push(shape);
        }
        number
    });
    (of.collect(), distinct)
}

impl InstanceShapes {
    /// The class of an instance is which of the shapes it has.
    fn new(of: Vec<u32>, distinct: Vec<Option<PlainShape>>) -> InstanceShapes {
        let classes = InstanceClasses::new(of, distinct.len());
        InstanceShapes {
            of: (0..distinct.len() as u32).collect(),
            distinct,
            classes: Rc::new(classes),
        }
    }

    /// Those of types, of which there are few as well.
    fn of_types<'t>(all: impl Iterator<Item = &'t Arc<Type>>) -> InstanceShapes {
        let mut numbers = Numbering::default();
        let mut types: Vec<&Arc<Type>> = Vec::new();
        let of = all.map(|ty| {
            let (number, is_new) = numbers.of(Arc::as_ptr(ty));
            if is_new {
                types.push(ty);
            }
            number
        });
        let of: Vec<u32> = of.collect();
        // Types of different dtypes may have the same shape.
        let (of_types, distinct) = numbered(types.iter().map(|ty| sizes(ty)));
        let of = of.iter().map(|ty| of_types[*ty as usize]);
        InstanceShapes::new(of.collect(), distinct)
    }

    fn get(&self, instance: usize) -> Option<&[u64]> {
        let class = self.classes.of[instance];
        self.of_class(class).1
    }

    /// The shape of a class, and its number.
    fn of_class(&self, class: u32) -> (u32, Option<&[u64]>) {
        let number = self.of[class as usize];
        (number, self.distinct[number as usize].as_deref())
    }

    /// The same of a part of each shape.
    fn map(&self, f: impl Fn(&[u64]) -> Option<PlainShape>) -> InstanceShapes {
        let all = self.distinct.iter().map(|s| f(s.as_deref()?));
        let (of_distinct, distinct) = numbered(all);
        let of = self.of.iter().map(|own| of_distinct[*own as usize]);
        InstanceShapes {
            of: of.collect(),
            distinct,
            classes: Rc::clone(&self.classes),
        }
    }
}

/// The classes of instances by the classes of two shapes.
struct ClassPairs {
    distinct: Vec<(u32, u32)>,
    classes: InstanceClasses,
}

/// The classes of two shapes, which are known by where they are.
struct OfTwo([Rc<InstanceClasses>; 2]);

impl OfTwo {
    fn addresses(&self) -> [*const InstanceClasses; 2] {
        let [a, b] = &self.0;
        [Rc::as_ptr(a), Rc::as_ptr(b)]
    }
}

impl PartialEq for OfTwo {
    fn eq(&self, other: &OfTwo) -> bool {
        self.addresses() == other.addresses()
    }
}

impl Eq for OfTwo {}

impl Hash for OfTwo {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.addresses().hash(state);
    }
}

impl ClassPairs {
    fn of(a: &InstanceShapes, b: &InstanceShapes) -> ClassPairs {
        let (width, height) = (b.of.len(), a.of.len());
        let size = height.saturating_mul(width);
        let mut table = vec![u32::MAX; if size <= LARGEST_TABLE { size } else { 0 }];
        let mut numbers = Numbering::default();
        let mut distinct = Vec::new();
        let all = a.classes.of.iter().zip(&b.classes.of);
        let of = all.map(|(i, j)| {
            let next = distinct.len() as u32;
            let number = match table.get_mut(*i as usize * width + *j as usize) {
                Some(number) => {
                    *number = next.min(*number);
                    *number
                }
                None => numbers.of((*i, *j)).0,
            };
            if number == next {
                distinct.push((*i, *j));
            }
            number
        });
        let classes = InstanceClasses::new(of.collect(), distinct.len());
        ClassPairs { distinct, classes }
    }

    /// What is made of the shapes of each class; none where one of the two is none. It is made once of the same shapes.
    fn map<T: Clone>(
        &self,
        (a, b): (&InstanceShapes, &InstanceShapes),
        f: impl Fn(&[u64], &[u64]) -> T,
    ) -> Vec<Option<T>> {
        let width = b.distinct.len();
        let size = a.distinct.len().saturating_mul(width);
        let mut table: Vec<Option<Option<T>>> = match size <= self.distinct.len() {
            true => vec![None; size],
            false => Vec::new(),
        };
        let all = self.distinct.iter().map(|(i, j)| {
            let ((x, one), (y, other)) = (a.of_class(*i), b.of_class(*j));
            let make = || Some(f(one?, other?));
            match table.get_mut(x as usize * width + y as usize) {
                Some(known) => known.get_or_insert_with(make).clone(),
                None => make(),
            }
        });
        all.collect()
    }
}

/// A goal, and the instances of which it holds.
#[derive(Clone)]
pub(crate) struct TriedGoal {
    pub(crate) goal: Goal,
    pub(crate) holds: Rc<Bits>,
}

/// A set of instances, by their places.
pub(crate) type Bits = Vec<u64>;

/// A shape that can be written, with what it is in each instance.
struct WrittenShape {
    /// Goals that define the names in it.
    defined: Vec<Goal>,
    term: Term,
    shapes: InstanceShapes,
    is_leaf: bool,
}

/// The goals that are tried. Of goals that hold of the same instances there is one.
pub(crate) struct TriedGoals<'p> {
    program: &'p Program,
    written: Vec<WrittenShape>,
    all: GoalTable,
    /// How many of the first ones are simple.
    simple: usize,
}

impl<'p> TriedGoals<'p> {
    pub(crate) fn new(
        program: &'p Program,
        instances: &[Instance],
        sound: &[bool],
        variables: Option<&Variables>,
    ) -> TriedGoals<'p> {
        let contents = contents::of_leaves(program, instances);
        let written = shapes(program, instances, sound, &contents);
        let is_sound = |at: &u32| sound[*at as usize];
        let mut all = GoalTable {
            places: places(program),
            sound: (0..sound.len() as u32).filter(is_sound).collect(),
            ..GoalTable::default()
        };
        let leaves: Vec<&WrittenShape> = written.iter().filter(|own| own.is_leaf).collect();
        sizes::of_dtypes(program, instances, sound, &leaves, &mut all);
        if let Some(variables) = variables {
            variables::goals(variables, &leaves, &mut all);
        }
        // A list says nothing of the shape of a list.
        let is_list = |i: usize| contents.iter().any(|own| own.leaf() == i);
        let lists = program.leaves.len()..program.leaves.len() + contents.len();
        let says = |i: usize, j: usize| !(lists.contains(&i) && is_list(j));
        for (i, a) in written.iter().enumerate() {
            for (j, b) in written.iter().enumerate() {
                if i == j || !says(i, j) || !says(j, i) {
                    continue;
                }
                let mut defined = a.defined.clone();
                if a.defined != b.defined {
                    defined.extend_from_slice(&b.defined);
                }
                all.stretched(&defined, a, b);
            }
        }
        for (i, a) in leaves.iter().enumerate() {
            for b in &leaves[i + 1..] {
                all.same(&[], a, b);
                all.compatible(a, b);
            }
        }
        let shapes: Vec<&WrittenShape> = leaves
            .iter()
            .enumerate()
            .filter(|(i, _)| !is_list(*i))
            .map(|(_, own)| *own)
            .collect();
        contents::goals(&contents, &shapes, &mut all);
        sizes::of_ranks(&leaves, &mut all);
        sizes::of_sizes(&leaves, &mut all);
        TriedGoals {
            program,
            simple: all.found.len(),
            written,
            all,
        }
    }

    /// The simple ones.
    pub(crate) fn simple(&self) -> &[TriedGoal] {
        &self.all.found[..self.simple]
    }

    /// All of them, and how many of the first ones are simple.
    pub(crate) fn all(&mut self) -> (&[TriedGoal], usize) {
        let leaves: Vec<&WrittenShape> = self.written.iter().filter(|own| own.is_leaf).collect();
        let all = &mut self.all;
        sizes::of_numbers(self.program, &leaves, all);
        parts::of_turned(self.program, &leaves, all);
        parts::of_parts(self.program, &leaves, all);
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
    let axes = program.ints();
    // The same places from the other end: they are those in a shape that is turned around.
    let turned = axes.iter().map(|axis| !*axis);
    for axis in axes.iter().copied().chain(turned).filter(is_axis) {
        if !places.contains(&axis) {
            places.push(axis);
        }
    }
    places
}

/// The goals so far, and what they hold of.
#[derive(Default)]
struct GoalTable {
    places: Vec<i64>,
    /// The sound instances.
    sound: Vec<u32>,
    found: Vec<TriedGoal>,
    seen: FxHashSet<Rc<Bits>>,
    /// The classes of pairs of shapes of which there were goals, by those of both.
    pairs: FxHashMap<OfTwo, ClassPairs>,
}

impl GoalTable {
    fn add(&mut self, goal: Goal, holds: Bits) {
        work(holds.len());
        let holds = Rc::new(holds);
        if self.seen.insert(Rc::clone(&holds)) {
            self.found.push(TriedGoal { goal, holds });
        }
    }

    /// A goal about a shape.
    fn each(&mut self, goal: Goal, own: &WrittenShape, f: &dyn Fn(&[u64]) -> bool) {
        if is_over() {
            return;
        }
        let dims = &own.shapes;
        let distinct = dims.distinct.iter();
        let holds: Vec<bool> = distinct.map(|s| s.as_deref().is_some_and(f)).collect();
        let holds: Vec<bool> = dims.of.iter().map(|own| holds[*own as usize]).collect();
        if let Some(holds) = dims.classes.spread(&holds, &self.sound) {
            self.add(goal, holds);
        }
    }

    /// A goal about two shapes.
    fn both(
        &mut self,
        goal: Goal,
        a: &WrittenShape,
        b: &WrittenShape,
        f: &dyn Fn(&[u64], &[u64]) -> bool,
    ) {
        if is_over() {
            return;
        }
        let shapes = (&a.shapes, &b.shapes);
        let key = OfTwo([&a.shapes, &b.shapes].map(|own| Rc::clone(&own.classes)));
        let pairs = self.pairs.entry(key);
        let pairs = pairs.or_insert_with(|| ClassPairs::of(shapes.0, shapes.1));
        let holds = pairs.map(shapes, f);
        let holds: Vec<bool> = holds.iter().map(|holds| *holds == Some(true)).collect();
        if let Some(holds) = pairs.classes.spread(&holds, &self.sound) {
            self.add(goal, holds);
        }
    }

    /// The shapes are the same.
    fn same(&mut self, defined: &[Goal], a: &WrittenShape, b: &WrittenShape) {
        let goal = with(defined, made::equal(&a.term, &b.term));
        self.both(goal, a, b, &|x, y| x == y);
    }

    /// The shapes broadcast together.
    fn compatible(&mut self, a: &WrittenShape, b: &WrittenShape) {
        let goal = made::broadcast(&a.term, &b.term, Term::Any);
        self.both(goal, a, b, &|x, y| broadcast(x, y).is_some());
    }

    /// The first shape broadcasts to the second.
    fn stretched(&mut self, defined: &[Goal], a: &WrittenShape, b: &WrittenShape) {
        let goal = made::broadcast(&a.term, &b.term, b.term.clone());
        self.both(with(defined, goal), a, b, &|x, y| {
            broadcast(x, y).as_deref() == Some(y)
        });
    }

    /// There is one element.
    fn of_one(&mut self, a: &WrittenShape) {
        let goal = made::compare(&a.product(), CmpOp::Eq, Term::Int(1));
        self.each(goal, a, &|x| x.iter().all(|d| *d == 1));
    }

    /// A dim of a leaf is as large as all of a part together.
    fn product(&mut self, part: &WrittenShape, leaf: &WrittenShape) {
        for place in ENDS {
            let goal = made::equal(&part.product(), &leaf.at(place));
            self.both(goal, part, leaf, &|x, y| dim(y, place) == Some(product(x)));
        }
    }

    /// There are elements.
    fn not_empty(&mut self, a: &WrittenShape) {
        let goal = made::compare(&a.product(), CmpOp::Ge, Term::Int(1));
        self.each(goal, a, &|x| !x.contains(&0));
    }
}

/// A goal behind those that define the names in it.
fn with(defined: &[Goal], goal: Goal) -> Goal {
    made::all(defined.iter().cloned().chain([goal]))
}

impl WrittenShape {
    /// One in which nothing is defined.
    fn new(term: Term, shapes: InstanceShapes) -> WrittenShape {
        WrittenShape {
            defined: Vec::new(),
            term,
            shapes,
            is_leaf: false,
        }
    }

    /// How many dims it has.
    fn rank(&self) -> Term {
        match &self.term {
            Term::Call(function, leaf) if *function.node == *"shape" => {
                Term::Call(made::ident("rank"), leaf.clone())
            }
            term => made::call("len", [term.clone()]),
        }
    }

    /// How many elements.
    fn product(&self) -> Term {
        made::call("prod", [self.term.clone()])
    }

    /// A dim of it.
    fn at(&self, place: i64) -> Term {
        made::at(&self.term, made::int(place))
    }
}

/// The shapes of leaves, and of what both sides make of them, as far as they can be written.
fn shapes(
    program: &Program,
    instances: &[Instance],
    sound: &[bool],
    contents: &[contents::LeafContents],
) -> Vec<WrittenShape> {
    let mut written: Vec<WrittenShape> = Vec::new();
    let mut of_slot: Vec<Option<usize>> = vec![None; program.slots];
    for (i, leaf) in program.leaves.iter().enumerate() {
        of_slot[i] = Some(written.len());
        written.push(WrittenShape {
            is_leaf: true,
            ..WrittenShape::new(
                made::call("shape", [made::name(&leaf.name)]),
                InstanceShapes::of_types(instances.iter().map(|one| &one.leaves[i])),
            )
        });
    }
    // The values whose members are the dims of another one, or can be written.
    let mut dims_of: Vec<Option<usize>> = vec![None; program.slots];
    for own in contents {
        dims_of[own.leaf()] = Some(written.len());
        written.push(own.as_shape());
    }
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
    written: &mut Vec<WrittenShape>,
) {
    let leaves = program.leaves.len();
    for root in 0..program.left.roots.len() {
        let outputs = InstanceShapes::of_types(instances.iter().map(|one| &one.left[root]));
        for rank in 1..=4 {
            let is_meant =
                |i: &usize| sound[*i] && outputs.get(*i).is_some_and(|shape| shape.len() == rank);
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
                        own.is_some() && own == outputs.get(*i).map(|shape| shape[at])
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
            let dims = places.iter();
            let term = made::list(dims.map(|(leaf, place)| written[*leaf].at(*place)));
            let shape = |i: usize| -> Option<PlainShape> {
                let dims = places.iter().map(|(leaf, place)| {
                    let shape = written[*leaf].shapes.get(i)?;
                    dim(shape, *place)
                });
                dims.collect()
            };
            let (of, distinct) = numbered((0..instances.len()).map(shape));
            let shapes = InstanceShapes::new(of, distinct);
            written.push(WrittenShape::new(term, shapes));
        }
    }
}

fn sizes(ty: &Type) -> Option<PlainShape> {
    let tensor = ty.as_tensor()?;
    tensor.shape.iter().map(|dim| dim.size()).collect()
}

fn broadcasted(a: &WrittenShape, b: &WrittenShape, name: String) -> WrittenShape {
    let name = made::name(&name);
    let goal = made::broadcast(&a.term, &b.term, name.clone());
    let defined = a.defined.iter().chain(&b.defined).cloned();
    WrittenShape {
        defined: defined.chain([goal]).collect(),
        ..WrittenShape::new(name, made_of(a, b, broadcast))
    }
}

/// What is made of the shapes of both in each instance; none where nothing is.
fn made_of(
    a: &WrittenShape,
    b: &WrittenShape,
    f: impl Fn(&[u64], &[u64]) -> Option<PlainShape>,
) -> InstanceShapes {
    let pairs = ClassPairs::of(&a.shapes, &b.shapes);
    let all = pairs.map((&a.shapes, &b.shapes), f);
    let (of_class, distinct) = numbered(all.into_iter().map(Option::flatten));
    let of = pairs.classes.of.iter();
    let of = of.map(|class| of_class[*class as usize]).collect();
    InstanceShapes::new(of, distinct)
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

fn broadcast(a: &[u64], b: &[u64]) -> Option<PlainShape> {
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

/// The set of the first `count` instances.
pub(crate) fn every(count: usize) -> Bits {
    let mut bits = vec![u64::MAX; count.div_ceil(64)];
    if let Some(last) = bits.last_mut() {
        *last >>= (64 - count % 64) % 64;
    }
    bits
}

/// The places where it is true.
pub(crate) fn bits(holds: impl IntoIterator<Item = bool>) -> Bits {
    let holds = holds.into_iter();
    let mut bits = Bits::with_capacity(holds.size_hint().0.div_ceil(64));
    let (mut word, mut at) = (0, 0);
    holds.for_each(|is| {
        word |= u64::from(is) << at;
        at += 1;
        if at == 64 {
            bits.push(std::mem::take(&mut word));
            at = 0;
        }
    });
    if at > 0 {
        bits.push(word);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_spread_to_their_instances() {
        for (count, classes) in [(0, 1), (1, 1), (63, 2), (64, 3), (65, 7), (1_000, 40)] {
            // In rows, and mixed.
            for step in [1, 97] {
                let class = |i: usize| (i * step / 5 % classes) as u32;
                let own = InstanceClasses::new((0..count).map(class).collect(), classes);
                for each in 1..=classes + 1 {
                    let holds: Vec<bool> = (1..=classes).map(|c| c % each == 0).collect();
                    let found = ClassMembers::new(&own).spread(&holds, count);
                    let is = own.of.iter().map(|class| holds[*class as usize]);
                    assert_eq!(found, bits(is), "{count} {classes} {step} {each}");
                }
            }
        }
    }

    #[test]
    fn a_goal_of_no_sound_instance_is_left_out() {
        let own = InstanceClasses::new(vec![0, 1, 1, 2], 3);
        assert_eq!(own.spread(&[true, false, true], &[1]), None);
        assert_eq!(own.spread(&[false, true, true], &[1]), Some(vec![0b1110]));
        // There is one that holds of the same.
        assert_eq!(own.spread(&[false, true, true], &[1]), None);
        // Without sound ones all of them are of use.
        let own = InstanceClasses::new(vec![0, 1, 1, 2], 3);
        assert_eq!(own.spread(&[true, false, true], &[]), Some(vec![0b1001]));
    }
}
