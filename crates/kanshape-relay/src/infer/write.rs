//! Types of the table as written types.

use std::rc::Rc;

use kanshape::graph::{Graph, ValueId};
use kanshape::tree::relay::{Binder, FnType, Relation, Type};
use kanshape::tree::{Condition, Expr as Size, Spanned};
use kanshape::{DtypeTerm, Name};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::infer::operators::Posted;
use crate::infer::scheme::Scheme;
use crate::infer::writer::{MAX_PARTS, TypeWriter, at, each_name, sp};
use crate::table::{Goal, Node, Ty};

/// The type of a global as it is written.
#[derive(Clone, Debug)]
pub(crate) struct GlobalType {
    /// The type, with the relations that have to hold at each call.
    pub ty: Type,
    /// What has to hold of its sizes and dtypes.
    pub conditions: Vec<Condition>,
    /// Is something of it not known?
    pub openness: Openness,
    /// Some of it is nested more deeply than types are written, or there is too much of it.
    pub is_cut: bool,
}

/// Is something of a type not known?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Openness {
    #[default]
    Closed,
    /// Nothing determines all of it: a result that is any type, an operand of any rank, a tuple of which only one field is known.
    Undetermined,
    /// All of it is known, but not whether what operators require holds for all sizes.
    Undecided,
}

impl Infer<'_> {
    /// A type for a message.
    pub(crate) fn shown(&mut self, ty: Ty) -> String {
        self.shown_all(&[ty]).pop().unwrap_or_default()
    }

    /// Types for one message: what is open in several of them, or at several places, has a name.
    pub(crate) fn shown_all(&mut self, all: &[Ty]) -> Vec<String> {
        if self.is_quiet {
            return vec![String::new(); all.len()];
        }
        let types = self.read(all);
        let mut count: FxHashMap<Ty, usize> = FxHashMap::default();
        let mut order = Vec::new();
        // What is the same type as a whole is written twice, and not open at two places.
        let mut whole: Vec<Ty> = all.iter().map(|ty| self.table.root(*ty)).collect();
        whole.sort_unstable();
        whole.dedup();
        for ty in whole {
            self.each_hole(ty, &mut |hole| {
                let count = count.entry(hole).or_insert(0);
                *count += 1;
                if *count == 2 {
                    order.push(hole);
                }
            });
        }
        let letters = ('a'..='z').map(|letter| format!("?{letter}"));
        let names: Vec<(Ty, String)> = order.into_iter().zip(letters).collect();
        let mut writer = TypeWriter::new(self, Rc::new(types), all);
        writer.name_holes(&names);
        all.iter().map(|ty| writer.ty(*ty, 0).to_string()).collect()
    }

    /// Calls `f` with each hole in a type, as often as it is there, in a type that is not too large.
    fn each_hole(&self, ty: Ty, f: &mut dyn FnMut(Ty)) {
        let mut todo = vec![ty];
        let mut parts = Vec::new();
        let mut visited = 0;
        while let Some(ty) = todo.pop() {
            visited += 1;
            if visited > MAX_PARTS {
                return;
            }
            let ty = self.table.root(ty);
            if let Node::Hole { .. } = self.table.get(ty) {
                f(ty);
            }
            parts.clear();
            self.table.parts(ty, &mut parts);
            todo.extend(parts.iter().rev());
        }
    }

    /// A relation for a message.
    pub(crate) fn shown_goal(&mut self, goal: &Goal) -> String {
        let all: Vec<Ty> = goal.types().collect();
        let types = self.read(&all);
        TypeWriter::new(self, Rc::new(types), &all)
            .relation(goal, 1)
            .to_string()
    }

    /// The types of the values in these types.
    pub(super) fn read(&mut self, all: &[Ty]) -> FxHashMap<ValueId, kanshape::Type> {
        let mut types = FxHashMap::default();
        let mut open = Vec::new();
        for ty in all {
            for part in self.in_order(*ty) {
                if let Node::Tensor { value, .. } | Node::Open { value, .. } = *self.table.get(part)
                {
                    match self.graph.known(value) {
                        Some(known) => {
                            types.insert(value, (*known).clone());
                        }
                        None => open.push(value),
                    }
                }
            }
        }
        if !open.is_empty() {
            let mut reading = self.graph.read();
            for value in open {
                types.entry(value).or_insert_with(|| reading.ty(value));
            }
        }
        types
    }

    /// A type as it is written by itself.
    pub(crate) fn written_alone(&mut self, ty: Ty) -> Type {
        self.written_all(&[ty]).pop().unwrap_or(Type::Hole)
    }

    /// Types, each as it is written by itself. They are read all at once.
    pub(crate) fn written_all(&mut self, all: &[Ty]) -> Vec<Type> {
        let types = Rc::new(self.read(all));
        let written = all.iter().map(|ty| {
            let mut writer = TypeWriter::new(self, Rc::clone(&types), &[*ty]);
            writer.ty(*ty, 0)
        });
        written.collect()
    }

    /// The same with these names for holes, of types that are shown together: a size that is in two of them, or in a condition,
    /// is written by its name.
    pub(crate) fn written_with(
        &mut self,
        all: &[Ty],
        names: &[(Ty, String)],
        conditions: &[Condition],
    ) -> Vec<Type> {
        let types = self.read(all);
        let mut writer = TypeWriter::new(self, Rc::new(types), all);
        writer.name_holes(names);
        for condition in conditions {
            condition.for_each_name(&mut |name| {
                writer.single.remove(&Name::word(name));
            });
        }
        all.iter().map(|ty| writer.ty(*ty, 0)).collect()
    }

    /// What was stated, with these names for holes.
    pub(crate) fn written_relation(&mut self, posted: &Posted, names: &[(Ty, String)]) -> String {
        let all: Vec<Ty> = posted.goal.types().collect();
        let types = self.read(&all);
        let mut writer = TypeWriter::new(self, Rc::new(types), &all);
        writer.name_holes(names);
        writer.relation(&posted.goal, 1).to_string()
    }

    /// What has to hold of the sizes and dtypes in what was stated.
    pub(crate) fn conditions_of(&mut self, posted: &Posted) -> Vec<Condition> {
        let all: Vec<Ty> = posted.goal.types().collect();
        let types = self.read(&all);
        match types.values().all(is_ground) {
            true => Vec::new(),
            false => StatedGoals::of(&mut self.graph, &types).about(types.values()),
        }
    }

    /// Every type in a type, with what is known by now of those that operators gave.
    pub(super) fn settled_parts(&mut self, ty: Ty) -> Vec<Ty> {
        let mut all = self.table.all_parts(ty);
        for i in 0..all.len() {
            let now = self.settled(all[i]);
            if now != all[i] {
                all[i] = now;
                all.extend(self.table.all_parts(now).into_iter().skip(1));
            }
        }
        all
    }

    /// Gives names to what the graph has none for: shapes of unknown rank, and dtypes.
    fn name_open(&mut self, all: &[Ty]) {
        let mut values = Vec::new();
        let mut seen = FxHashSet::default();
        for ty in all {
            for part in self.settled_parts(*ty) {
                if let Node::Tensor { value, .. } = *self.table.get(part)
                    && self.graph.known(value).is_none()
                    && seen.insert(value)
                {
                    values.push(value);
                }
            }
        }
        // A name that is given to one may be that of all others. So they are read together, and again once one has a name.
        let mut next = 0;
        while next < values.len() {
            let mut reading = self.graph.read();
            let found = values[next..].iter().enumerate().find_map(|(i, value)| {
                let ty = reading.ty(*value);
                let tensor = ty.as_tensor()?;
                let is_bare = tensor.shape.run().is_some_and(|run| run.name.is_none());
                let is_open = matches!(tensor.dtype, DtypeTerm::Hole);
                let is_all = tensor.shape.known_dims().is_empty();
                (is_bare || is_open).then_some((i, is_bare && is_all, is_open))
            });
            drop(reading);
            let Some((skipped, has_shape, is_open)) = found else {
                return;
            };
            let value = values[next + skipped];
            next += skipped + 1;
            let mut named = kanshape::Tensor::new(DtypeTerm::Hole, kanshape::Shape::unknown());
            if has_shape {
                let name = self.made_name("s");
                named.shape = kanshape::Shape::unknown().with_run(0, Some(name));
            }
            if is_open {
                named.dtype = DtypeTerm::Name(self.made_name("t"));
            }
            // What cannot be named stays open.
            let _ = self.graph.assume(value, &named.into());
        }
    }

    /// A scheme as it is written: its parameters, the relations and conditions that have to hold.
    pub(crate) fn written_scheme(&mut self, scheme: &Scheme) -> GlobalType {
        self.written_schemes(&[scheme]).swap_remove(0)
    }

    /// Schemes, each as it is written by itself. What has to hold is found out for all of them at once.
    pub(crate) fn written_schemes(&mut self, schemes: &[&Scheme]) -> Vec<GlobalType> {
        let mut parts: Vec<(Vec<Posted>, Openness)> = Vec::with_capacity(schemes.len());
        let mut all: Vec<Ty> = Vec::new();
        for (scheme, left) in schemes.iter().zip(self.left(schemes)) {
            let openness = self.openness(scheme, &left);
            all.push(scheme.ty);
            all.extend(scheme.probes.iter().map(|probe| probe.ty));
            all.extend(left.iter().flat_map(|posted| posted.goal.types()));
            parts.push((left, openness));
        }
        self.name_open(&all);
        let types = Rc::new(self.read(&all));
        let stated = match types.values().all(is_ground) {
            true => StatedGoals::default(),
            false => StatedGoals::of(&mut self.graph, &types),
        };
        let mut written = Vec::with_capacity(schemes.len());
        for (scheme, (left, openness)) in schemes.iter().zip(parts) {
            let one = self.written_with_left(scheme, &left, &types, &stated);
            written.push(GlobalType { openness, ..one });
        }
        written
    }

    /// A scheme with what is left to hold of it.
    fn written_with_left(
        &self,
        scheme: &Scheme,
        waiting: &[Posted],
        types: &Rc<FxHashMap<ValueId, kanshape::Type>>,
        stated: &StatedGoals,
    ) -> GlobalType {
        let mut all = vec![scheme.ty];
        all.extend(waiting.iter().flat_map(|posted| posted.goal.types()));
        let mut values: Vec<ValueId> = Vec::new();
        // What is declared is any size, also where the type shows it no more: `a*b` that has become 0.
        let declared = scheme.probes.iter().map(|probe| probe.ty);
        for ty in all.iter().copied().chain(declared) {
            for part in self.in_order(ty) {
                if let Node::Tensor { value, .. } | Node::Open { value, .. } = self.table.get(part)
                {
                    values.push(*value);
                }
            }
        }
        let conditions = stated.about(values.iter().filter_map(|value| types.get(value)));
        let mut writer = TypeWriter::new(self, Rc::clone(types), &all);
        for condition in &conditions {
            condition.for_each_name(&mut |name| {
                writer.single.remove(&Name::word(name));
            });
        }
        let rigids: Vec<(u32, Box<str>)> = scheme
            .rigids
            .iter()
            .map(|r| (*r, writer.infer.table.rigids[*r as usize].name.clone()))
            .collect();
        let mut taken: FxHashSet<Box<str>> = rigids.iter().map(|(_, name)| name.clone()).collect();
        let mut binders: Vec<Box<str>> = Vec::new();
        for (rigid, name) in rigids {
            writer.rigids.insert(rigid, name.clone());
            binders.push(name);
        }
        for ty in &all {
            for part in writer.infer.in_order(*ty) {
                let is_hole = matches!(
                    writer.infer.table.get(part),
                    Node::Hole { .. } | Node::Open { .. }
                );
                if is_hole && !writer.names.contains_key(&part) {
                    let name = fresh(&mut taken, |name| writer.infer.adts.has(name));
                    writer.names.insert(part, name.clone());
                    binders.push(name);
                }
            }
        }
        let binder = |name: Box<str>| Binder {
            name: Spanned::new(name, at()),
            is_rigid: false,
            kind: None,
        };
        let binders: Vec<Binder> = binders.into_iter().map(binder).collect();
        // Relations between the same types are the same.
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut constraints: Vec<Spanned<Relation>> = Vec::new();
        for posted in waiting {
            let relation = writer.relation(&posted.goal, 1);
            if seen.insert(relation.to_string()) {
                constraints.push(sp(relation));
            }
        }
        let ty = match writer.ty(scheme.ty, 0) {
            Type::Fn(function) => Type::Fn(Box::new(FnType {
                binders,
                constraints,
                ..*function
            })),
            ty => ty,
        };
        let conditions = conditions.into_iter().map(|condition| {
            condition.map_leaves(&mut |leaf| {
                let own = writer.original(&Name::word(&*leaf.node));
                Size::Name(Spanned::new(own, leaf.span))
            })
        });
        let conditions = conditions.collect();
        GlobalType {
            ty,
            conditions,
            openness: Openness::Closed,
            is_cut: writer.is_cut,
        }
    }

    /// Every type in `ty`, once, from left to right.
    pub(super) fn in_order(&self, ty: Ty) -> Vec<Ty> {
        let mut seen = FxHashSet::default();
        let mut all = Vec::new();
        let mut todo = vec![ty];
        let mut parts = Vec::new();
        while let Some(ty) = todo.pop() {
            let ty = self.table.root(ty);
            if seen.insert(ty) {
                all.push(ty);
                parts.clear();
                self.table.parts(ty, &mut parts);
                todo.extend(parts.iter().rev());
            }
        }
        all
    }
}

fn is_ground(ty: &kanshape::Type) -> bool {
    let is = |tensor: &kanshape::Tensor| tensor.shape.is_ground() && tensor.dtype.known().is_some();
    ty.as_tensor().is_some_and(is)
}

/// What has to hold in a graph, by the names that it is about.
#[derive(Default)]
struct StatedGoals {
    all: Vec<Condition>,
    by_name: FxHashMap<Box<str>, Vec<usize>>,
}

impl StatedGoals {
    /// What has to hold of the names in these types.
    fn of(graph: &mut Graph, types: &FxHashMap<ValueId, kanshape::Type>) -> StatedGoals {
        let mut values: Vec<ValueId> = types.keys().copied().collect();
        values.sort_unstable();
        let mut reading = graph.read();
        for value in values {
            reading.shared(value);
        }
        let mut stated = StatedGoals::default();
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for one in reading.conditions() {
            if !seen.insert(one.condition.to_string()) {
                continue;
            }
            let place = stated.all.len();
            one.condition.for_each_name(&mut |name| {
                let places = stated.by_name.entry(name.into()).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            });
            stated.all.push(one.condition);
        }
        stated
    }

    /// Those about names in these types, in their order.
    fn about<'t>(&self, types: impl Iterator<Item = &'t kanshape::Type>) -> Vec<Condition> {
        let mut places: Vec<usize> = Vec::new();
        for ty in types {
            each_name(ty, &mut |name| {
                places.extend(self.by_name.get(name.as_str()).into_iter().flatten());
            });
        }
        places.sort_unstable();
        places.dedup();
        places
            .into_iter()
            .map(|place| self.all[place].clone())
            .collect()
    }
}

/// `A`, `B`, ..., `A1`, ...
fn fresh(taken: &mut FxHashSet<Box<str>>, is_type: impl Fn(&str) -> bool) -> Box<str> {
    let mut round = 0;
    loop {
        for letter in 'A'..='Z' {
            let name: Box<str> = match round {
                0 => letter.to_string().into(),
                n => format!("{letter}{n}").into(),
            };
            if !is_type(&name) && taken.insert(name.clone()) {
                return name;
            }
        }
        round += 1;
    }
}
