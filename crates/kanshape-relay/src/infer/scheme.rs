//! Schemes: what is generalised, with what has to hold at each use.

use std::rc::Rc;

use kanshape::control::is_over;
use kanshape::graph::ValueId;
use kanshape::tree::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::infer::calls::too_large;
use crate::infer::expr::MAX_DEPTH;
use crate::infer::operators::Posted;
use crate::infer::unify::OpenSide;
use crate::problem::{ErrorKind, Problem};
use crate::table::{GENERIC, Goal, Node, Probe, Ty};

/// How many types one use of a function copies.
const MAX_SIZE: usize = 200_000;

/// How many types are copied in all for uses of functions at other types, beside those that a long program may copy.
const MAX_COPIED: usize = 1_000_000;

/// A type with parameters, and what has to hold of them.
#[derive(Clone, Debug)]
pub(crate) struct Scheme {
    pub(crate) ty: Ty,
    /// The type parameters that are written.
    pub(crate) rigids: Vec<u32>,
    /// What type arguments are for, in their order.
    pub(crate) probes: Vec<Probe>,
    /// What has to hold.
    pub(crate) log: Vec<Posted>,
    /// The tensors in which something is open, and is a parameter.
    open: Vec<Ty>,
    /// The tensors around it that have unknowns as well.
    keep: Rc<[Ty]>,
    is_closed: bool,
    /// Its number, if what it requires is stated around it as well.
    number: Option<u32>,
    /// How many types it is made of, with those of what has to hold.
    size: usize,
    /// The member of the group that is being inferred whose written type it is.
    pub(crate) head: Option<usize>,
}

impl Scheme {
    /// The scheme of what was not inferred to its end.
    pub(crate) fn unknown(ty: Ty) -> Scheme {
        Scheme {
            ty,
            rigids: Vec::new(),
            probes: Vec::new(),
            log: Vec::new(),
            open: Vec::new(),
            keep: Rc::default(),
            is_closed: true,
            number: None,
            size: 1,
            head: None,
        }
    }
}

impl Infer<'_> {
    /// A type as a scheme: what is newer than this level is a parameter of it. `start` is where the log began.
    pub(crate) fn generalised(
        &mut self,
        ty: Ty,
        rigids: Vec<u32>,
        probes: Vec<Probe>,
        start: usize,
    ) -> Scheme {
        let keep = self.kept();
        self.generalised_beside(ty, rigids, probes, start, &keep)
    }

    /// The tensors around what is generalised now that have unknowns.
    pub(crate) fn kept(&self) -> Rc<[Ty]> {
        let level = self.level;
        let is_kept = |ty: &&Ty| match *self.table.get(**ty) {
            Node::Tensor {
                value, level: own, ..
            }
            | Node::Open { value, level: own } => own <= level && self.graph.known(value).is_none(),
            _ => false,
        };
        self.open.iter().filter(is_kept).copied().collect()
    }

    /// The same beside tensors that have unknowns.
    pub(crate) fn generalised_beside(
        &mut self,
        ty: Ty,
        rigids: Vec<u32>,
        probes: Vec<Probe>,
        start: usize,
        keep: &Rc<[Ty]>,
    ) -> Scheme {
        self.fields_again(start);
        let level = self.level;
        let own_rigids: FxHashSet<u32> = rigids.iter().copied().collect();
        let mut seen: FxHashSet<Ty> = FxHashSet::default();
        let mut open: Vec<Ty> = Vec::new();
        let mut generics = 0;
        let mut visit = |infer: &mut Infer<'_>, ty: Ty| {
            let mut is_open = false;
            for part in infer.table.all_parts(ty) {
                let is_new = seen.insert(part);
                match *infer.table.get(part) {
                    Node::Hole { level: own } if own > level => {
                        is_open = true;
                        if is_new {
                            generics += 1;
                            infer.table.set(part, Node::Hole { level: GENERIC });
                        }
                    }
                    Node::Tensor {
                        value, level: own, ..
                    }
                    | Node::Open { value, level: own }
                        if own > level && infer.graph.known(value).is_none() =>
                    {
                        is_open = true;
                        if is_new {
                            open.push(part);
                        }
                    }
                    Node::Rigid(r) if own_rigids.contains(&r) => is_open = true,
                    _ => {}
                }
            }
            is_open
        };
        visit(self, ty);
        for probe in &probes {
            visit(self, probe.ty);
        }
        let mut log = Vec::new();
        for i in start..self.log.len() {
            let types: Vec<Ty> = self.log[i].goal.types().collect();
            let mut is_open = false;
            for ty in types {
                is_open |= visit(self, ty);
            }
            // What a function requires that is used inside is required by its uses.
            let is_used = self.log[i]
                .of
                .is_some_and(|of| self.used_functions.contains(&of));
            if is_open && !is_used {
                log.push(self.log[i].clone());
            }
        }
        let keep = match open.is_empty() {
            true => Rc::default(),
            false => Rc::clone(keep),
        };
        if keep.is_empty() && level > 0 {
            // What is about its own parameters alone says nothing of the definition around.
            let own = self.log.split_off(start);
            for posted in own {
                if !self.is_generic(&posted, level, &own_rigids) {
                    self.log.push(posted);
                }
            }
        }
        let is_stated_twice = level > 0 && self.log.len() > start && !log.is_empty();
        let number = is_stated_twice.then(|| {
            self.numbered += 1;
            let number = self.numbered;
            for i in start..self.log.len() {
                let types: Vec<Ty> = self.log[i].goal.types().collect();
                let mut types = types.into_iter();
                if types.any(|ty| self.has_generic(ty, level, &own_rigids)) {
                    self.log[i].of.get_or_insert(number);
                }
            }
            number
        });
        let is_closed = generics == 0 && open.is_empty() && rigids.is_empty() && log.is_empty();
        Scheme {
            ty,
            rigids,
            probes,
            log,
            open,
            keep,
            is_closed,
            number,
            size: seen.len(),
            head: None,
        }
    }

    /// A function that is used in its own group by its written type is used at a type that it has, now that this is known.
    pub(crate) fn check_use(&mut self, scheme: &Scheme, ty: Ty, at: Span) {
        let pending = std::mem::take(&mut self.pending);
        let uses = std::mem::take(&mut self.pending_uses);
        let instance = self.instantiated(scheme, at);
        let required = std::mem::replace(&mut self.pending, pending);
        self.pending_uses = uses;
        let own = match instance {
            Ok((own, _)) => own,
            Err(problem) => {
                self.problems.push(problem);
                return;
            }
        };
        if let Err(clash) = self.unify(own, ty, OpenSide::First) {
            let problem = self.clash(clash, own, ty, at, "the function where it calls itself");
            self.problems.push(problem);
            return;
        }
        for (i, posted) in required.into_iter().enumerate() {
            // What is used at the same type requires the same, in the same order.
            let same = scheme.log.get(i);
            if same.is_some_and(|own| self.implies(&own.goal, &posted.goal)) {
                continue;
            }
            let is_rigid = posted.goal.types().any(|ty| {
                let mut parts = self.table.all_parts(ty).into_iter();
                parts.any(|part| matches!(self.table.get(part), Node::Rigid(_)))
            });
            let mut all = scheme.log.iter();
            if is_rigid && all.any(|own| self.implies(&own.goal, &posted.goal)) {
                continue;
            }
            let start = self.log.len();
            let stated = match &posted.goal {
                Goal::Operator(called, args, result) => {
                    let args = args.clone();
                    self.post(posted.at, called.clone(), args, Some(*result))
                        .map(drop)
                }
                Goal::Field(..) => {
                    self.log.push(posted.clone());
                    self.fields_again(start);
                    Ok(())
                }
            };
            let waits = self.log[start..].iter().any(Posted::waits);
            match stated {
                Err(problem) => self
                    .problems
                    .push(problem.also(at, "where it calls itself")),
                Ok(()) if waits => {
                    let relation = self.shown_goal(&posted.goal);
                    let headline =
                        "what the function requires where it calls itself is no part of its type";
                    let problem = Problem::new(ErrorKind::Incomplete, headline, at);
                    self.problems
                        .push(problem.step(format!("it is `{relation}`")));
                }
                Ok(()) => {}
            }
        }
    }

    /// Is something in a type a parameter of what is newer than this level?
    fn has_generic(&self, ty: Ty, level: u32, own: &FxHashSet<u32>) -> bool {
        let mut parts = self.table.all_parts(ty).into_iter();
        parts.any(|part| match *self.table.get(part) {
            Node::Hole { level: at } => at > level,
            Node::Tensor {
                level: at, value, ..
            }
            | Node::Open { level: at, value } => at > level && self.graph.known(value).is_none(),
            Node::Rigid(r) => own.contains(&r),
            _ => false,
        })
    }

    /// Is what was stated about parameters alone?
    fn is_generic(&self, posted: &Posted, level: u32, own: &FxHashSet<u32>) -> bool {
        let mut parts = posted.goal.types().flat_map(|ty| self.table.all_parts(ty));
        parts.all(|part| match *self.table.get(part) {
            Node::Hole { level: at } => at > level,
            Node::Tensor {
                level: at, value, ..
            }
            | Node::Open { level: at, value } => at > level || self.graph.known(value).is_some(),
            Node::Rigid(r) => own.contains(&r),
            _ => true,
        })
    }

    /// The type of a scheme with new unknowns for its parameters, and what type arguments are for; what has to hold of
    /// them is stated.
    pub(crate) fn instantiated(
        &mut self,
        scheme: &Scheme,
        at: Span,
    ) -> Result<(Ty, Vec<Probe>), Problem> {
        if scheme.is_closed {
            return Ok((scheme.ty, Vec::new()));
        }
        if scheme.size > MAX_SIZE {
            return Err(too_large(at));
        }
        self.copied += scheme.size + 8 * scheme.log.len();
        if self.copied > MAX_COPIED + 64 * self.program.len() || is_over() {
            self.is_cut = true;
            return Ok((self.table.push(Node::Wrong), Vec::new()));
        }
        self.used_functions.extend(scheme.number);
        let level = self.level;
        let mut new: FxHashMap<Ty, Ty> = FxHashMap::default();
        let value = |infer: &Infer<'_>, ty: &Ty| match *infer.table.get(*ty) {
            Node::Tensor { value, .. } | Node::Open { value, .. } => Some(value),
            _ => None,
        };
        let mut roots: Vec<Ty> = Vec::with_capacity(scheme.open.len());
        let mut values: Vec<ValueId> = Vec::with_capacity(scheme.open.len());
        for ty in &scheme.open {
            let root = self.table.find(*ty);
            if let Some(value) = value(self, &root) {
                roots.push(root);
                values.push(value);
            }
        }
        let keep: Vec<ValueId> = scheme
            .keep
            .iter()
            .filter_map(|ty| value(self, ty))
            .collect();
        let Some(copies) = self.graph.copies(&values, &keep) else {
            return Err(too_large(at));
        };
        for (root, value) in roots.into_iter().zip(copies) {
            let node = match *self.table.get(root) {
                Node::Tensor { .. } => {
                    let ty = self.tensor(value, 0, level);
                    if self.soft.contains(&root) {
                        self.soft.insert(ty);
                    }
                    ty
                }
                _ => {
                    let ty = self.table.push(Node::Open { value, level });
                    self.open.push(ty);
                    ty
                }
            };
            new.insert(root, node);
        }
        let rigids: FxHashMap<u32, Ty> = scheme
            .rigids
            .iter()
            .map(|r| (*r, self.table.push(Node::Hole { level })))
            .collect();
        let mut copy = |infer: &mut Infer<'_>, ty: Ty| {
            let new = &mut new;
            infer.table.map(ty, &mut |table, ty| {
                if let Some(new) = new.get(&ty) {
                    return Some(*new);
                }
                match *table.get(ty) {
                    Node::Hole { level: GENERIC } => {
                        let hole = table.push(Node::Hole { level });
                        new.insert(ty, hole);
                        Some(hole)
                    }
                    Node::Rigid(r) => rigids.get(&r).copied(),
                    _ => None,
                }
            })
        };
        let ty = copy(self, scheme.ty);
        if self.table.depth(ty) > MAX_DEPTH {
            return Err(too_large(at));
        }
        let probes: Vec<Probe> = scheme
            .probes
            .iter()
            .map(|probe| Probe {
                kind: probe.kind,
                ty: copy(self, probe.ty),
            })
            .collect();
        for posted in &scheme.log {
            let goal = posted.goal.with(|ty| copy(self, *ty));
            self.pending.push(Posted::waiting(posted.at, goal));
            self.pending_uses.push(at);
        }
        Ok((ty, probes))
    }

    /// States what instances of schemes require. It is done once more is known of their arguments.
    pub(crate) fn state_pending(&mut self) {
        while !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            let uses = std::mem::take(&mut self.pending_uses);
            for (posted, at) in pending.into_iter().zip(uses) {
                if self.is_cut || is_over() {
                    self.is_cut = true;
                    self.pending.clear();
                    self.pending_uses.clear();
                    return;
                }
                let stated = match posted.goal {
                    Goal::Operator(called, args, result) => {
                        self.post(posted.at, called, args, Some(result)).map(drop)
                    }
                    Goal::Field(of, index, result) => {
                        let start = self.log.len();
                        let goal = Goal::Field(of, index, result);
                        self.log.push(Posted::waiting(posted.at, goal));
                        self.fields_again(start);
                        Ok(())
                    }
                };
                if let Err(problem) = stated {
                    self.problems.push(match posted.at == at {
                        true => problem,
                        false => problem.also(at, "where it is used here"),
                    });
                }
            }
        }
    }
}
