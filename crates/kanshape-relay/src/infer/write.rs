//! Types of the table as written types.

use kanshape::graph::{Graph, ValueId};
use kanshape::unstable::syntax::relay::{self, Binder, FnType, Relation, Type};
use kanshape::unstable::syntax::tree::{Condition, Expr as Size, Ident, Span, Spanned};
use kanshape::{Dim, DtypeTerm, Name};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::infer::operators::Posted;
use crate::infer::scheme::Scheme;
use crate::kinds::Kind;
use crate::notation::dtype_name;
use crate::table::{Goal, Node, Probe, Ty};

/// A type is written with so many parts at most.
const MAX_PARTS: usize = 20_000;
/// And so deeply nested.
const MAX_NESTING: usize = 100;

/// The type of a global as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// The type, with the relations that have to hold at each call.
    pub ty: Type,
    /// What has to hold of its sizes and dtypes.
    pub conditions: Vec<Condition>,
    /// Some of it is nested more deeply than types are written, or there is too much of it.
    pub is_cut: bool,
}

fn at() -> Span {
    Span::default()
}

fn ident(name: &str) -> Ident {
    Spanned::new(name.into(), at())
}

fn sp<T>(node: T) -> Spanned<T> {
    Spanned::new(node, at())
}

/// What types are written with.
pub(crate) struct Writer<'i> {
    infer: &'i Infer<'i>,
    /// The types of values, read once.
    types: FxHashMap<ValueId, kanshape::Type>,
    /// What holes and type parameters are called.
    names: FxHashMap<Ty, Box<str>>,
    rigids: FxHashMap<u32, Box<str>>,
    /// Sizes and dtypes of the graph that occur once.
    single: FxHashSet<Name>,
    /// What the names of the graph are called.
    originals: FxHashMap<Name, Box<str>>,
    parts: usize,
    is_cut: bool,
}

impl Infer<'_> {
    /// A type for a message.
    pub(crate) fn shown(&mut self, ty: Ty) -> String {
        self.shown_all(&[ty]).pop().unwrap_or_default()
    }

    /// Types for one message: what is open in several of them, or at several places, has a name.
    pub(crate) fn shown_all(&mut self, all: &[Ty]) -> Vec<String> {
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
        let mut writer = Writer::new(self, types, all);
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
        Writer::new(self, types, &all).relation(goal, 1).to_string()
    }

    /// The types of the values in these types.
    fn read(&mut self, all: &[Ty]) -> FxHashMap<ValueId, kanshape::Type> {
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
                types.insert(value, reading.ty(value));
            }
        }
        types
    }

    /// A type as it is written by itself.
    pub(crate) fn written_alone(&mut self, ty: Ty) -> Type {
        let types = self.read(&[ty]);
        let mut writer = Writer::new(self, types, &[ty]);
        writer.ty(ty, 0)
    }

    /// The same with these names for holes.
    pub(crate) fn written_with(&mut self, ty: Ty, names: &[(Ty, String)]) -> Type {
        let types = self.read(&[ty]);
        let mut writer = Writer::new(self, types, &[ty]);
        writer.name_holes(names);
        writer.ty(ty, 0)
    }

    /// What was stated, with these names for holes.
    pub(crate) fn written_relation(&mut self, posted: &Posted, names: &[(Ty, String)]) -> String {
        let all: Vec<Ty> = posted.goal.types().collect();
        let types = self.read(&all);
        let mut writer = Writer::new(self, types, &all);
        writer.name_holes(names);
        writer.relation(&posted.goal, 1).to_string()
    }

    /// What has to hold of the sizes and dtypes in what was stated.
    pub(crate) fn conditions_of(&mut self, posted: &Posted) -> Vec<String> {
        let all: Vec<Ty> = posted.goal.types().collect();
        let types = self.read(&all);
        match types.values().all(is_ground) {
            true => Vec::new(),
            false => {
                let found = conditions(&mut self.graph, &types);
                found.iter().map(ToString::to_string).collect()
            }
        }
    }

    /// Every type in a type, with what is known by now of those that operators gave.
    fn settled_parts(&mut self, ty: Ty) -> Vec<Ty> {
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
                let is_all = tensor.shape.dims().is_empty();
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
                let name = self.fresh_name("s");
                named.shape = kanshape::Shape::unknown().with_run(0, Some(name));
            }
            if is_open {
                named.dtype = DtypeTerm::Name(self.fresh_name("t"));
            }
            // What cannot be named stays open.
            let _ = self.graph.assume(value, &named.into());
        }
    }

    /// A scheme as it is written: its parameters, the relations and conditions that have to hold.
    pub(crate) fn written_scheme(&mut self, scheme: &Scheme) -> Written {
        let waiting: Vec<Posted> = self.left(scheme);
        let mut all = vec![scheme.ty];
        all.extend(waiting.iter().flat_map(|posted| posted.goal.types()));
        self.name_open(&all);
        let types = self.read(&all);
        let is_open = types.values().any(|ty| !is_ground(ty));
        let conditions = match is_open {
            true => conditions(&mut self.graph, &types),
            false => Vec::new(),
        };
        let mut writer = Writer::new(self, types, &all);
        for condition in &conditions {
            condition.for_each_name(&mut |name| {
                writer.single.remove(&Name::from(name));
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
        for posted in &waiting {
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
                let own = writer.original(&Name::from(&*leaf.node));
                Size::Name(Spanned::new(own, leaf.span))
            })
        });
        let conditions = conditions.collect();
        Written {
            ty,
            conditions,
            is_cut: writer.is_cut,
        }
    }

    /// What was stated of a scheme and is not all in its type.
    pub(crate) fn left(&mut self, scheme: &Scheme) -> Vec<Posted> {
        self.unranked.clear();
        let is = self.are_left(&scheme.log);
        let left = scheme.log.iter().zip(is).filter(|(_, is)| *is);
        let mut left: Vec<Posted> = left.map(|(posted, _)| posted.clone()).collect();
        if left.is_empty() {
            return left;
        }
        // What has to do with the type by something that is open in both, or by a name of a size. The rest is about
        // functions in the body: it was stated for each use of these.
        let goals: Vec<Vec<Ty>> = left.iter().map(|own| own.goal.types().collect()).collect();
        let all: Vec<Ty> = goals.iter().flatten().copied().chain([scheme.ty]).collect();
        let types = self.read(&all);
        let mut by_tie: FxHashMap<Tie, Vec<usize>> = FxHashMap::default();
        for (i, goal) in goals.iter().enumerate() {
            for tie in goal.iter().flat_map(|ty| self.ties(*ty, &types)) {
                by_tie.entry(tie).or_default().push(i);
            }
        }
        let mut is_related = vec![false; left.len()];
        let mut todo: Vec<Tie> = self.ties(scheme.ty, &types);
        while let Some(tie) = todo.pop() {
            for i in by_tie.remove(&tie).unwrap_or_default() {
                if !std::mem::replace(&mut is_related[i], true) {
                    let ties = goals[i].iter().flat_map(|ty| self.ties(*ty, &types));
                    todo.extend(ties);
                }
            }
        }
        let mut is_related = is_related.into_iter();
        left.retain(|_| is_related.next().unwrap_or(true));
        left
    }

    /// What a type shares with others: what is open in it, and the names of its sizes, shapes and dtypes.
    fn ties(&self, ty: Ty, types: &FxHashMap<ValueId, kanshape::Type>) -> Vec<Tie> {
        let mut ties: Vec<Tie> = self.open_parts(ty).into_iter().map(Tie::Open).collect();
        for part in self.in_order(ty) {
            if let Node::Tensor { value, .. } | Node::Open { value, .. } = *self.table.get(part)
                && let Some(ty) = types.get(&value)
            {
                each_name(ty, &mut |name| ties.push(Tie::Name(name.clone())));
            }
        }
        ties
    }

    /// What is open in a type.
    fn open_parts(&self, ty: Ty) -> FxHashSet<Ty> {
        let parts = self.table.all_parts(ty).into_iter();
        let open = parts.filter(|part| match self.table.get(*part) {
            Node::Hole { .. } | Node::Open { .. } | Node::Rigid(_) => true,
            Node::Tensor { value, .. } => self.unranked.get(value) == Some(&true),
            _ => false,
        });
        open.collect()
    }

    /// Is something that was stated not all in the types and the conditions? A rule waits for more to be known.
    pub(crate) fn is_left(&mut self, posted: &Posted) -> bool {
        self.are_left(std::slice::from_ref(posted)) == [true]
    }

    fn are_left(&mut self, all: &[Posted]) -> Vec<bool> {
        let mut left = Vec::with_capacity(all.len());
        // The tensors that are open, each with what it is an operand of. They are read all at once.
        let mut open: Vec<(usize, ValueId)> = Vec::new();
        for (i, posted) in all.iter().enumerate() {
            let mut waits = posted.waits;
            for ty in posted.goal.types().collect::<Vec<Ty>>() {
                for part in self.settled_parts(ty) {
                    match *self.table.get(part) {
                        Node::Open { .. } | Node::Hole { .. } => waits = true,
                        Node::Tensor { value, .. } if self.graph.known(value).is_none() => {
                            open.push((i, value));
                        }
                        _ => {}
                    }
                }
            }
            left.push(waits);
        }
        if open.is_empty() {
            return left;
        }
        let unranked = &mut self.unranked;
        unranked.clear();
        let mut reading = self.graph.read();
        for (i, value) in open {
            left[i] |= *unranked.entry(value).or_insert_with(|| {
                let ty = reading.shared(value);
                ty.as_tensor()
                    .is_none_or(|tensor| tensor.shape.rank().is_none())
            });
        }
        left
    }

    /// Every type in `ty`, once, from left to right.
    fn in_order(&self, ty: Ty) -> Vec<Ty> {
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

/// What types share.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Tie {
    Open(Ty),
    Name(Name),
}

fn is_ground(ty: &kanshape::Type) -> bool {
    let is = |tensor: &kanshape::Tensor| tensor.shape.is_ground() && tensor.dtype.known().is_some();
    ty.as_tensor().is_some_and(is)
}

/// What has to hold of the names in these types.
fn conditions(graph: &mut Graph, types: &FxHashMap<ValueId, kanshape::Type>) -> Vec<Condition> {
    let mut names: FxHashSet<Box<str>> = FxHashSet::default();
    let mut values: Vec<ValueId> = types.keys().copied().collect();
    values.sort_unstable();
    for value in &values {
        each_name(&types[value], &mut |name| {
            names.insert(name.as_str().into());
        });
    }
    let mut reading = graph.read();
    for value in &values {
        reading.ty(*value);
    }
    let mut all = Vec::new();
    for stated in reading.conditions() {
        let mut is_about = false;
        stated
            .condition
            .for_each_name(&mut |name| is_about |= names.contains(name));
        if is_about && !all.contains(&stated.condition) {
            all.push(stated.condition);
        }
    }
    all
}

/// Calls `f` with each name of a size, a shape or a dtype.
fn each_name(ty: &kanshape::Type, f: &mut dyn FnMut(&Name)) {
    let Some(tensor) = ty.as_tensor() else {
        return;
    };
    if let DtypeTerm::Name(name) = &tensor.dtype {
        f(name);
    }
    if let Some(name) = tensor.shape.run().and_then(|run| run.name.as_ref()) {
        f(name);
    }
    for dim in tensor.shape.dims() {
        match dim {
            Dim::Name(name) => f(name),
            Dim::Expr(e) => {
                let _ = (**e).clone().map_leaves(&mut |leaf| {
                    f(&Name::from(&*leaf.node));
                    Size::Name(leaf)
                });
            }
            _ => {}
        }
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

impl<'i> Writer<'i> {
    fn new(
        infer: &'i Infer<'_>,
        types: FxHashMap<ValueId, kanshape::Type>,
        all: &[Ty],
    ) -> Writer<'i> {
        let mut count: FxHashMap<Name, usize> = FxHashMap::default();
        let mut order: Vec<Name> = Vec::new();
        for ty in all {
            for part in infer.in_order(*ty) {
                let (Node::Tensor { value, .. } | Node::Open { value, .. }) = infer.table.get(part)
                else {
                    continue;
                };
                if let Some(ty) = types.get(value) {
                    each_name(ty, &mut |name| {
                        *count.entry(name.clone()).or_insert(0) += 1;
                        order.push(name.clone());
                    });
                }
            }
        }
        // Two names of the graph that come from one name of two functions stay different.
        let mut originals: FxHashMap<Name, Box<str>> = FxHashMap::default();
        let mut used: FxHashSet<Box<str>> = FxHashSet::default();
        for name in &order {
            if originals.contains_key(name) {
                continue;
            }
            let own = infer.originals.get(name);
            let own = own.cloned().unwrap_or_else(|| name.as_str().into());
            // The name that it has in the graph may be what another one is called.
            let numbered = (1..).map(|i| format!("{own}_{i}").into());
            let mut free = [own.clone(), name.as_str().into()]
                .into_iter()
                .chain(numbered);
            let own = free.find(|own| used.insert(own.clone())).unwrap_or(own);
            originals.insert(name.clone(), own);
        }
        let single =
            |name: &Name| count.get(name) == Some(&1) && !infer.originals.contains_key(name);
        let single = order.iter().filter(|name| single(name)).cloned().collect();
        Writer {
            infer,
            types,
            names: FxHashMap::default(),
            rigids: FxHashMap::default(),
            single,
            originals,
            parts: 0,
            is_cut: false,
        }
    }

    fn name_holes(&mut self, names: &[(Ty, String)]) {
        for (ty, name) in names {
            self.names.insert(*ty, name.as_str().into());
        }
    }

    fn original(&self, name: &Name) -> Box<str> {
        match self.originals.get(name) {
            Some(own) => own.clone(),
            None => name.as_str().into(),
        }
    }

    fn ty(&mut self, ty: Ty, depth: usize) -> Type {
        self.parts += 1;
        if depth > MAX_NESTING || self.parts > MAX_PARTS {
            self.is_cut = true;
            return Type::Hole;
        }
        let ty = self.infer.table.root(ty);
        if let Some(name) = self.names.get(&ty) {
            return Type::Name(ident(name));
        }
        match self.infer.table.get(ty) {
            Node::Link(_) | Node::Hole { .. } => Type::Hole,
            Node::Tensor { value, .. } | Node::Open { value, .. } => {
                let known = self.types.get(value).cloned().unwrap_or_default();
                self.value(&known)
            }
            Node::Tuple(fields) => Type::Tuple(self.all(fields, depth)),
            Node::Fn(params, result) => Type::Fn(Box::new(FnType {
                binders: Vec::new(),
                params: self.all(params, depth),
                result: sp(self.ty(*result, depth + 1)),
                constraints: Vec::new(),
            })),
            Node::Adt(adt, args) => {
                let name = self.infer.adts.get(*adt).name.clone();
                match args.is_empty() {
                    true => Type::Name(ident(&name)),
                    false => Type::Apply(ident(&name), self.all(args, depth)),
                }
            }
            Node::Ref(inner) => Type::Ref(Box::new(sp(self.ty(*inner, depth + 1)))),
            Node::Rigid(r) => {
                let name = match self.rigids.get(r) {
                    Some(name) => name.clone(),
                    None => self.infer.table.rigids[*r as usize].name.clone(),
                };
                match name.strip_prefix('\'') {
                    Some(name) => Type::Rigid(ident(name), None),
                    None => Type::Name(ident(&name)),
                }
            }
            Node::Poly(own) => {
                let binder = |name: &str, kind: Option<Kind>| Binder {
                    name: ident(name.trim_start_matches('\'')),
                    is_rigid: name.starts_with('\''),
                    kind: kind.map(|kind| ident(kind.name())),
                };
                let rigids = own.rigids.iter();
                let rigids =
                    rigids.map(|r| binder(&self.infer.table.rigids[*r as usize].name, None));
                let mut binders: Vec<Binder> = rigids.collect();
                for size in &own.sizes {
                    if let Some(name) = self.name_of(size) {
                        binders.push(binder(&name, Some(size.kind)));
                    }
                }
                let goals = own.goals.iter();
                let constraints = goals
                    .map(|goal| sp(self.relation(goal, depth + 1)))
                    .collect();
                match self.ty(own.inner, depth) {
                    Type::Fn(function) => Type::Fn(Box::new(FnType {
                        binders,
                        constraints,
                        ..*function
                    })),
                    ty => ty,
                }
            }
        }
    }

    /// What a size, a shape or a dtype that a function type binds is called.
    fn name_of(&self, probe: &Probe) -> Option<Box<str>> {
        let Node::Tensor { value, .. } = self.infer.table.get(probe.ty) else {
            return None;
        };
        let tensor = self.types.get(value)?.as_tensor()?;
        let name = match probe.kind {
            Kind::ShapeVar => match tensor.shape.dims().first()? {
                Dim::Name(name) => name,
                _ => return None,
            },
            Kind::Shape => tensor.shape.run()?.name.as_ref()?,
            _ => match &tensor.dtype {
                DtypeTerm::Name(name) => name,
                _ => return None,
            },
        };
        Some(self.original(name))
    }

    fn all(&mut self, types: &[Ty], depth: usize) -> Vec<Spanned<Type>> {
        types.iter().map(|ty| sp(self.ty(*ty, depth + 1))).collect()
    }

    /// A type of the graph.
    fn value(&self, ty: &kanshape::Type) -> Type {
        use kanshape::TypeKind;
        match &ty.kind {
            TypeKind::Tensor(tensor) => self.tensor(tensor),
            TypeKind::Tuple(fields) => {
                Type::Tuple(fields.iter().map(|field| sp(self.value(field))).collect())
            }
            _ => Type::Hole,
        }
    }

    fn tensor(&self, tensor: &kanshape::Tensor) -> Type {
        let dtype = match &tensor.dtype {
            DtypeTerm::Known(dtype) => relay::Dtype::Name(ident(&dtype_name(*dtype))),
            DtypeTerm::Name(name) if !self.single.contains(name) => {
                relay::Dtype::Name(ident(&self.original(name)))
            }
            _ => relay::Dtype::Hole,
        };
        let shape = &tensor.shape;
        if shape.rank() == Some(0)
            && let relay::Dtype::Name(name) = &dtype
            && tensor.dtype.known().is_some()
        {
            return Type::Name(name.clone());
        }
        let dim = |dim: &Dim| {
            sp(match dim {
                Dim::Size(n) => relay::Dim::Expr(Size::Int(*n)),
                Dim::Name(name) if self.single.contains(name) => relay::Dim::Any,
                Dim::Name(name) => relay::Dim::Expr(Size::Name(ident(&self.original(name)))),
                Dim::Expr(e) => relay::Dim::Expr((**e).clone().map_leaves(&mut |leaf| {
                    Size::Name(ident(&self.original(&Name::from(&*leaf.node))))
                })),
                Dim::Nominal(n) => relay::Dim::Expr(Size::Int(n.size)),
                Dim::Hole => relay::Dim::Any,
            })
        };
        let mut dims: Vec<Spanned<relay::Dim>> = shape.before().iter().map(dim).collect();
        if let Some(run) = shape.run() {
            let name = run
                .name
                .as_ref()
                .filter(|name| !self.single.contains(*name));
            let name = name.map(|name| ident(&self.original(name)));
            if shape.dims().is_empty() {
                let shape = name.map_or(relay::Shape::Hole, relay::Shape::Name);
                return Type::Tensor(sp(shape), dtype);
            }
            dims.push(sp(relay::Dim::Rest(name)));
            dims.extend(shape.after().iter().map(dim));
        }
        Type::Tensor(sp(relay::Shape::Dims(dims)), dtype)
    }

    fn relation(&mut self, goal: &Goal, depth: usize) -> Relation {
        let (name, attrs) = match goal {
            Goal::Operator(called, ..) => (called.name.to_string(), called.attrs.to_vec()),
            Goal::Field(_, index, _) => (format!("TupleGetItem:{index}"), Vec::new()),
        };
        let types: Vec<Ty> = goal.types().collect();
        Relation {
            name: ident(&name),
            args: Some(types.into_iter().map(|ty| sp(self.ty(ty, depth))).collect()),
            attrs,
        }
    }
}
