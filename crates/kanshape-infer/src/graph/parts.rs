//! What kind of thing a value is, and the values that it is made of: for graphs whose values are tuples as well.

use super::known::ValueState;
use super::table::TypeId;
use super::{Assumption, Graph, ValueId};
use crate::limits::MAX_READ_DEPTH;
use kanshape_engine::{Linear, Part, Seq, State, Term, Var};
use kanshape_rules::encode::{TENSOR, form, tensor_parts};
use kanshape_rules::eval::{Node, Value};
use kanshape_types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What kind of thing a value is, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing is known of it.
    Unknown,
    /// A tensor.
    Tensor,
    /// A tuple with this number of fields.
    Tuple(usize),
    /// Something else.
    Other,
}

impl Graph {
    /// What kind of thing a value is. Nothing is solved or written for it.
    pub fn form(&self, value: ValueId) -> Form {
        let tuple = self.labels.find(&Type::tuple([]));
        match self.values.get(value.index()) {
            None => Form::Unknown,
            Some(ValueState::Typed(id)) => match self.cache.open().table.value(*id) {
                Value::Tensor(_) => Form::Tensor,
                Value::Node(node) if Some(node.label) == tuple => Form::Tuple(node.parts.len()),
                Value::Node(_) => Form::Other,
            },
            Some(ValueState::Open(term)) => match self.all.state.walk(term) {
                Term::Node(TENSOR, _) => Form::Tensor,
                Term::Node(label, parts) if Some(label) == tuple => Form::Tuple(parts.len()),
                Term::Var(_) => Form::Unknown,
                _ => Form::Other,
            },
        }
    }

    /// Are two values known to be of one type, without solving? Contents count.
    pub fn is_same(&self, a: ValueId, b: ValueId) -> bool {
        a == b
            || self
                .type_id(a)
                .is_some_and(|id| self.type_id(b) == Some(id))
    }

    /// The fields of a value that is a tuple, as values.
    pub fn fields(&mut self, value: ValueId) -> Option<Vec<ValueId>> {
        let Form::Tuple(count) = self.form(value) else {
            return None;
        };
        let known: Vec<ValueState> = match self.values.get(value.index())? {
            ValueState::Typed(id) => {
                let mut cache = self.cache.open();
                let Value::Node(node) = cache.table.value(*id).clone() else {
                    return None;
                };
                let parts = node.parts.iter();
                let ids =
                    parts.map(|part| cache.table.number_of(part.clone()).map(ValueState::Typed));
                ids.collect::<Option<_>>()?
            }
            ValueState::Open(term) => match self.all.state.walk(term) {
                Term::Node(_, parts) => parts.iter().cloned().map(ValueState::open).collect(),
                _ => return None,
            },
        };
        debug_assert_eq!(known.len(), count, "its form says how many");
        Some(known.into_iter().map(|one| self.push_value(one)).collect())
    }

    /// The tuple of these values; `None` if it would be too large.
    pub fn tuple(&mut self, fields: &[ValueId]) -> Option<ValueId> {
        let label = self.labels.find(&Type::tuple([]))?;
        let ids: Option<Vec<_>> = fields.iter().map(|field| self.type_id(*field)).collect();
        if let Some(ids) = ids {
            let mut cache = self.cache.open();
            let parts = ids.iter().map(|id| cache.table.value(*id).clone());
            let node = Node::new(label, parts.collect())?;
            let id = cache.table.number_of(Value::Node(Arc::new(node)))?;
            drop(cache);
            return Some(self.push_value(ValueState::Typed(id)));
        }
        let parts = fields.iter().map(|field| self.term(*field).ok());
        let parts: Vec<Term> = parts.collect::<Option<_>>()?;
        let tuple = form::node(&mut self.all.state, label, parts);
        Some(self.push_value(ValueState::open(tuple)))
    }

    fn type_id(&self, value: ValueId) -> Option<TypeId> {
        match self.values.get(value.index())? {
            ValueState::Typed(id) => Some(*id),
            ValueState::Open(_) => None,
        }
    }

    /// A value of the same type of whose contents nothing is known: the same value if nothing is known of them.
    pub fn without_contents(&mut self, value: ValueId) -> ValueId {
        match self.bare(value) {
            Some(bare) => self.push_value(bare),
            None => value,
        }
    }

    /// What is known of a tensor but for its contents. `None` if nothing is known of these.
    pub(super) fn bare(&mut self, value: ValueId) -> Option<ValueState> {
        match self.values.get(value.index())? {
            ValueState::Typed(id) => self.cache.open().table.bare(*id).map(ValueState::Typed),
            ValueState::Open(term) => {
                let (dtype, shape, _) = tensor_parts(&self.all.state, term)?;
                Some(self.bare_tensor(dtype, shape))
            }
        }
    }

    /// Another value of the type of this one. What is in them may be different, unless all of it is known. `None` where more is known of
    /// what is in this one, or more is open than sizes.
    pub fn alike(&mut self, value: ValueId) -> Option<ValueId> {
        let id = self.type_id(value)?;
        let (is_whole, has_contents) = {
            let cache = self.cache.open();
            (!cache.table.is_open(id), cache.table.has_contents(id))
        };
        (is_whole || !has_contents).then(|| {
            // Without contents, the least and the greatest member are not known either.
            let bare = (!has_contents).then(|| self.bare(value)).flatten();
            let new = self.push_value(bare.unwrap_or(ValueState::Typed(id)));
            self.given.push_back(Assumption::Like(new, value));
            new
        })
    }

    /// A value of the same dtype and dims but for those at the places where `skip` is true, which may be any, and of
    /// whose contents nothing is known. The same value if it is no tensor of known rank.
    pub fn loosened(&mut self, value: ValueId, skip: &dyn Fn(usize) -> bool) -> ValueId {
        let Ok(term) = self.term(value) else {
            return value;
        };
        let Some((dtype, shape, _)) = tensor_parts(&self.all.state, &term) else {
            return value;
        };
        let mut parts = self.all.state.parts(&shape);
        if parts.iter().any(|part| matches!(part, Part::Run(_))) {
            return value;
        }
        for (i, part) in parts.iter_mut().enumerate() {
            if skip(i) {
                *part = Part::One(Linear::var(
                    self.all.state.int(kanshape_rules::encode::sizes()),
                ));
            }
        }
        let loose = self.bare_tensor(dtype, parts.into_iter().collect());
        self.push_value(loose)
    }

    /// A tensor of whose contents nothing is known.
    fn bare_tensor(&mut self, dtype: Var, shape: Seq) -> ValueState {
        let contents = Term::Var(self.all.state.any());
        ValueState::open(Term::node(
            TENSOR,
            [Term::Atom(dtype), Term::Seq(shape), contents],
        ))
    }

    /// Copies of these values with unknowns of their own for all that are open in them, but for those that are open in
    /// `keep`, and without contents. What is one unknown in several of the values is one unknown in their copies. What
    /// nodes require of the values is not required of the copies. `None` if they are too large to be copied.
    pub fn copies(&mut self, values: &[ValueId], keep: &[ValueId]) -> Option<Vec<ValueId>> {
        let mut copier = Copier::default();
        for value in keep {
            let term = self.term(*value).ok()?;
            let term = self.all.state.reify(&term).ok()?;
            copier.keep(&self.all.state, &term, 0)?;
        }
        let mut copies = Vec::with_capacity(values.len());
        for value in values {
            if self.known(*value).is_some() {
                copies.push(self.without_contents(*value));
                continue;
            }
            let term = self.term(*value).ok()?;
            let term = self.all.state.reify(&term).ok()?;
            let copy = copier.copy(&mut self.all.state, &term, 0)?;
            let known = self.known_of(copy).ok()?;
            copies.push(self.push_value(known));
        }
        Some(copies)
    }
}

/// Terms with other variables.
#[derive(Default)]
struct Copier {
    new: FxHashMap<Var, Var>,
}

impl Copier {
    /// The variables of a term are to stay.
    fn keep(&mut self, state: &State, term: &Term, depth: usize) -> Option<()> {
        if depth > MAX_READ_DEPTH {
            return None;
        }
        match term {
            Term::Var(v) => {
                self.new.insert(*v, *v);
            }
            Term::Int(form) => self.keep_form(form),
            Term::Atom(v) => {
                self.new.insert(state.root(*v), state.root(*v));
            }
            Term::Seq(seq) => {
                for part in state.parts(seq) {
                    match part {
                        Part::One(form) => self.keep_form(&form),
                        Part::Run(v) => {
                            self.new.insert(v, v);
                            self.keep_form(&state.length_of_run(v).ok()?);
                        }
                    }
                }
            }
            Term::Node(_, parts) => {
                for part in parts.iter() {
                    let part = state.reify(part).ok()?;
                    self.keep(state, &part, depth + 1)?;
                }
            }
        }
        Some(())
    }

    fn keep_form(&mut self, form: &Linear) {
        self.new.extend(form.vars().map(|v| (v, v)));
    }

    fn form(&mut self, state: &mut State, form: &Linear) -> Option<Linear> {
        let form = state.resolve(form).ok()?;
        let mut copy = Linear::constant(form.offset());
        for (v, times) in form.terms() {
            let new = match self.new.get(v) {
                Some(new) => *new,
                None => {
                    let domain = state.domain(*v);
                    let new = state.int(domain);
                    self.new.insert(*v, new);
                    new
                }
            };
            copy.add_term(new, *times).ok()?;
        }
        Some(copy)
    }

    fn copy(&mut self, state: &mut State, term: &Term, depth: usize) -> Option<Term> {
        if depth > MAX_READ_DEPTH {
            return None;
        }
        Some(match term {
            Term::Var(v) => {
                let new = *self.new.entry(*v).or_insert_with(|| state.any());
                Term::Var(new)
            }
            Term::Int(form) => Term::Int(self.form(state, form)?),
            Term::Atom(v) => {
                let v = state.root(*v);
                let mask = state.mask(v);
                Term::Atom(*self.new.entry(v).or_insert_with(|| state.atom(mask)))
            }
            Term::Seq(seq) => {
                let mut parts = state.parts(seq);
                for part in &mut parts {
                    match part {
                        Part::One(form) => *form = self.form(state, form)?,
                        Part::Run(v) => {
                            if let Some(new) = self.new.get(v) {
                                *v = *new;
                                continue;
                            }
                            let length = state.length_of_run(*v).ok()?;
                            let length = self.form(state, &length)?;
                            let new = state.run_of_length(length);
                            self.new.insert(*v, new);
                            *v = new;
                        }
                    }
                }
                Term::Seq(parts.into_iter().collect())
            }
            Term::Node(TENSOR, parts) => {
                let mut copies = Vec::with_capacity(parts.len());
                for part in parts.iter().take(2) {
                    copies.push(self.copy(state, part, depth + 1)?);
                }
                copies.push(Term::Var(state.any()));
                Term::node(TENSOR, copies)
            }
            Term::Node(label, parts) => {
                let mut copies = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    let part = state.reify(part).ok()?;
                    copies.push(self.copy(state, &part, depth + 1)?);
                }
                form::node(state, *label, copies)
            }
        })
    }
}
