//! Repairs, found by solving with one place open.

use super::edit::{dim_at, of_other_rank, with_dims, with_dtype, with_member};
use super::fact::{Argument, FactId, FactKind, Slot, change, part};
use super::found::{FoundAnswer, Shapes, answers, of_answer};
use super::repair::{Edit, EditKind, Repair};
use super::words::Words;
use super::{help, names};
use crate::limits::CORE_STEPS;
use crate::limits::{MAX_MOVED_RANK, MAX_REPAIRS};
use crate::solve::answers::Answers;
use crate::{Answer, AttrValue, Query, Verdict};
use kanshape_syntax::tree::{CmpOp, Condition, DtypeExpr, Expr, MulOp};
use kanshape_types::order::is_super;
use kanshape_types::{Conditions, Content, Dim, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The repairs of a conflict, the smallest change first.
pub(super) fn repairs(query: &Query, core: &[FactId], words: &Words<'_>) -> Vec<Repair> {
    let mut finder = Finder {
        query: bounded(query),
        words,
        own: names::of_query(query),
        found: Vec::new(),
    };
    let mut shapes: Vec<Shapes> = Vec::new();
    for spot in core {
        let is_of_shape = matches!(
            spot.about,
            FactKind::Dim(_) | FactKind::Rank | FactKind::Content(_)
        );
        if let (Argument::Operand(i), true) = (spot.at, is_of_shape)
            && !shapes.iter().any(|s| s.is_of(i, &spot.part))
        {
            shapes.extend(finder.any_shape(i, &spot.part));
        }
    }
    for spot in core {
        let excluded = |shapes: &Shapes| shapes.exclude(query, spot);
        if !shapes.iter().any(excluded) {
            finder.open(spot);
        }
    }
    for shapes in &shapes {
        finder.other_shapes(shapes, core);
    }
    let is_enough = |repair: &Repair| matches!(repair.how, EditKind::Dim(_) | EditKind::Dtype);
    let is_turned = |repair: &Repair| matches!(repair.how, EditKind::Transposed(..));
    // An attribute may say that something is turned over.
    if !core.is_empty()
        && (!finder.found.iter().any(is_enough) || finder.found.iter().any(is_turned))
    {
        finder.defaults();
    }
    if finder.found.is_empty() {
        finder.whole(core);
    }
    let mut found = std::mem::take(&mut finder.found);
    found.sort_by_key(|repair| repair.how.rank());
    found.truncate(MAX_REPAIRS);
    let mut found = finder.without_weaker(found);
    for repair in &mut found {
        repair.says = help::in_words(repair, words);
    }
    found
}

/// The same question with little time to answer, and every answer of use.
fn bounded(query: &Query) -> Query {
    let mut query = query.clone();
    query.budget = query.budget.min(CORE_STEPS);
    query.limit = None;
    query
}

struct Finder<'q> {
    query: Query,
    words: &'q Words<'q>,
    /// The names that the user gave.
    own: FxHashSet<String>,
    found: Vec<Repair>,
}

impl Finder<'_> {
    /// The repairs but those that say less than another one of the same place: beside `f32[3, 5]`, `f32[d0, 5]` is no other way.
    fn without_weaker(&self, found: Vec<Repair>) -> Vec<Repair> {
        let open = |repair: &Repair| match &repair.change {
            Edit::Type(ty) => Some(self.opened(ty)),
            _ => None,
        };
        let opened: Vec<Option<Type>> = found.iter().map(open).collect();
        let is_weaker = |i: &usize| {
            (0..found.len()).any(|j| {
                let (one, other) = (&found[*i], &found[j]);
                let (Some(a), Some(b), true) = (&opened[*i], &opened[j], one.at == other.at) else {
                    return false;
                };
                let is_later = j < *i || is_super(b, a) != Some(true);
                j != *i && is_later && is_super(a, b) == Some(true) && self.comes_to(one.at, a, b)
            })
        };
        let kept: Vec<usize> = (0..found.len()).filter(|i| !is_weaker(i)).collect();
        kept.into_iter().map(|i| found[i].clone()).collect()
    }

    /// Is this all that the operand can be, where it is given as that?
    fn comes_to(&self, at: Argument, given: &Type, found: &Type) -> bool {
        let Argument::Operand(i) = at else {
            return false;
        };
        if given == found {
            return true;
        }
        let mut query = self.query.clone();
        *query.operand_mut(i) = given.clone();
        let answer = query.one();
        answer.is_ok_and(|answer| of_answer(&answer, &query, i).is_some_and(|ty| *ty == *found))
    }

    /// The type with a hole for each name that is not the user's, as far as dims go.
    fn opened(&self, ty: &Type) -> Type {
        let opened = with_dims(ty, |dims| {
            for dim in dims {
                if matches!(dim, Dim::Name(name) if !self.own.contains(name.as_str())) {
                    *dim = Dim::Hole;
                }
            }
        });
        opened.with_conditions(Conditions::NONE)
    }

    /// What could stand in the place of a fact.
    fn open(&mut self, spot: &FactId) {
        match spot.at {
            Argument::Operand(i) => self.open_operand(i, spot),
            Argument::Param(i) => {
                let mut changed = self.query.clone();
                changed.params[i].1 = Dim::Hole;
                let label = changed.params[i].0.clone();
                for found in answers(&changed) {
                    if let Some(dim) = found.answer.param(&label) {
                        let slot = self.words.slot(spot.at);
                        let change = Edit::Param(dim.clone());
                        self.keep_value(spot.at, slot, change, &found, EditKind::Value);
                    }
                }
            }
            Argument::Attr(i) => {
                let mut changed = self.query.clone();
                let value = &mut Arc::make_mut(&mut changed.attrs)[i].1;
                match (spot.about, value) {
                    (FactKind::Member(m), AttrValue::List(members)) => members[m] = AttrValue::Hole,
                    (_, value) => *value = AttrValue::Hole,
                }
                let name = changed.attrs[i].0.clone();
                self.open_attr(&changed, spot.at, &name, EditKind::Value);
                self.keep(spot.at, Edit::Attr(AttrValue::Absent), EditKind::Value);
            }
            Argument::Given(_) => {}
        }
    }

    fn open_attr(&mut self, changed: &Query, at: Argument, name: &str, how: EditKind) {
        for found in answers(changed) {
            if let Some(value) = found.answer.attr(name) {
                let slot = Slot::Attr(Name::word(name));
                self.keep_value(at, slot, Edit::Attr(value.clone()), &found, how);
            }
        }
    }

    /// A value out of an answer, with what the answer says of the names in it.
    fn keep_value(
        &mut self,
        at: Argument,
        slot: Slot,
        change: Edit,
        found: &FoundAnswer,
        how: EditKind,
    ) {
        let mut known = self.own.clone();
        let mut has_new = false;
        let mut note = |name: &str| has_new |= known.insert(name.to_owned());
        match &change {
            Edit::Param(dim) => names::of_dim(dim, &mut note),
            Edit::Attr(value) => names::of_attr(value, &mut note),
            Edit::Type(ty) => names::of_type(ty, &mut note),
        }
        let conditions = match has_new {
            true => self.of_new_names(&found.answer, &known),
            false => Vec::new(),
        };
        // A name without a condition on it adds no information.
        let is_name = matches!(&change, Edit::Param(Dim::Name(_)));
        if has_new && is_name && conditions.is_empty() {
            return;
        }
        let conditions = conditions.into_iter().collect();
        // What an answer calls by a name may be negative; what is given by one is a size.
        let certain = found.is_certain && !has_new;
        self.keep_at(at, slot, change, conditions, how, certain);
    }

    /// What an answer says of names that are not the user's, as far as it is about known ones alone. Of a product with one that is not, it is
    /// that the number is divisible.
    fn of_new_names(&self, answer: &Answer, known: &FxHashSet<String>) -> Vec<Condition> {
        let all = answer
            .conditions
            .iter()
            .map(|condition| divides(condition, known).unwrap_or_else(|| condition.clone()));
        let says = all.filter(|condition| {
            let (mut all_known, mut new) = (true, false);
            condition.for_each_name(&mut |name| {
                all_known &= known.contains(name);
                new |= !self.own.contains(name);
            });
            all_known && new
        });
        says.collect()
    }

    fn open_operand(&mut self, i: usize, spot: &FactId) {
        let given = self.query.operand(i).clone();
        let path = &spot.part;
        let (opened, how): (Type, EditKind) = match spot.about {
            FactKind::Dim(axis) => (
                change(&given, path, &|ty| {
                    // What it has in it is of its shape.
                    with_dims(ty, |dims| dims[axis] = Dim::Hole).with_contents(None)
                }),
                EditKind::Dim(axis),
            ),
            FactKind::Content(axis) => (
                change(&given, path, &|ty| with_member(ty, axis, Content::Hole)),
                EditKind::Content(axis),
            ),
            FactKind::Dtype => (
                change(&given, path, &|ty| with_dtype(ty, DtypeTerm::Hole)),
                EditKind::Dtype,
            ),
            FactKind::Rank => return,
            FactKind::Condition(_) | FactKind::Form | FactKind::Value | FactKind::Member(_) => {
                (change(&given, path, &|_| Type::UNKNOWN), EditKind::Type)
            }
        };
        let mut changed = self.query.clone();
        *changed.operand_mut(i) = opened;
        for found in answers(&changed) {
            let of_answer = of_answer(&found.answer, &self.query, i);
            let Some(new) = of_answer.and_then(|ty| part(ty, path)) else {
                continue;
            };
            let ty = change(&given, path, &|old| match how {
                EditKind::Dim(axis) => match dim_at(old, new, axis) {
                    Some(dim) => {
                        with_dims(old, |dims| dims[axis] = dim.clone()).with_contents(None)
                    }
                    None => old.clone(),
                },
                EditKind::Content(axis) => {
                    let member = new.contents().and_then(|c| c.as_slice().get(axis));
                    with_member(old, axis, member.cloned().unwrap_or(Content::Hole))
                }
                EditKind::Dtype => match new.as_tensor() {
                    Some(tensor) => with_dtype(old, self.spelt_out(&tensor.dtype, &found.answer)),
                    None => old.clone(),
                },
                _ => new.clone(),
            });
            self.keep_type(i, ty, &found, how);
        }
    }

    /// A dtype of an answer; instead of a new name for one of several, the set of them.
    fn spelt_out(&self, dtype: &DtypeTerm, answer: &Answer) -> DtypeTerm {
        let DtypeTerm::Name(name) = dtype else {
            return dtype.clone();
        };
        let set = |condition: &Condition| match condition {
            Condition::In(Expr::Name(of), members) if *of.node == **name => {
                let member = |e: &Expr| match e {
                    Expr::Name(dtype) => Some(dtype.clone()),
                    _ => None,
                };
                let members = members.iter().map(member).collect::<Option<Vec<_>>>()?;
                DtypeSet::from_idents(&members).ok()
            }
            Condition::Dtype(of, DtypeExpr::Name(class)) if *of.node == **name => {
                DtypeSet::from_idents(std::slice::from_ref(class)).ok()
            }
            _ => None,
        };
        let is_own = self.own.contains(name.as_str());
        let set = answer.conditions.iter().find_map(set);
        set.filter(|_| !is_own)
            .map_or_else(|| dtype.clone(), DtypeTerm::from)
    }

    /// The shapes that an operand, or a part of one, could have. None if it is no tensor or may have any number of dims.
    fn any_shape(&self, i: usize, path: &[usize]) -> Option<Shapes> {
        let given = self.query.operand(i);
        let tensor = part(given, path)?.as_tensor()?;
        if tensor.shape.run().is_some() {
            return None;
        }
        let open = |ty: &Type| match ty.as_tensor() {
            Some(tensor) => Tensor::new(tensor.dtype.clone(), Shape::unknown()).into(),
            None => ty.clone(),
        };
        let mut changed = self.query.clone();
        *changed.operand_mut(i) = change(given, path, &open);
        Some(Shapes::of(&changed, i, path))
    }

    /// The shape of an operand with its dims in another order, one less, one more, or any other.
    fn other_shapes(&mut self, any: &Shapes, core: &[FactId]) {
        let (i, path) = (any.operand, &*any.path);
        let given = self.query.operand(i).clone();
        let Some(tensor) = part(&given, path).and_then(Type::as_tensor) else {
            return;
        };
        let rank = tensor.shape.known_dims().len();
        // What it has in it is of its shape.
        if tensor.contents.is_none() && rank <= MAX_MOVED_RANK {
            let dims = tensor.shape.known_dims();
            for a in 0..rank {
                for b in (a + 1..rank).filter(|b| dims[a] != dims[*b]) {
                    let ty = change(&given, path, &|ty| with_dims(ty, |dims| dims.swap(a, b)));
                    self.keep(
                        Argument::Operand(i),
                        Edit::Type(ty),
                        EditKind::Transposed(a, b),
                    );
                }
            }
            let other = any.may_have_other_rank(rank);
            for (how, dims) in of_other_rank(dims).filter(|_| other) {
                let ty = change(&given, path, &|ty| {
                    with_dims(ty, |old| old.clone_from(&dims))
                });
                self.keep(Argument::Operand(i), Edit::Type(ty), how);
            }
            let small = |repair: &Repair| repair.at == Argument::Operand(i);
            let has_small = self.found.iter().any(small);
            // Where all of its dims take part, it may be that there is one too few.
            let takes_part = |axis| {
                let is = |spot: &FactId| any.is_of_spot(spot) && spot.about == FactKind::Dim(axis);
                core.iter().any(is)
            };
            let is_whole = rank > 1 && (0..rank).all(takes_part);
            for a in (0..=rank).filter(|_| other && (is_whole || !has_small)) {
                let with = |dims: &mut Vec<Dim>| dims.insert(a, Dim::Hole);
                let mut changed = self.query.clone();
                *changed.operand_mut(i) = change(&given, path, &|ty| with_dims(ty, with));
                let shapes = Shapes::of(&changed, i, path);
                self.take_shapes(&shapes, &given, EditKind::With(a));
            }
        }
        self.take_shapes(any, &given, EditKind::Shape);
    }

    /// The shapes that an operand has in the answers.
    fn take_shapes(&mut self, shapes: &Shapes, given: &Type, how: EditKind) {
        let (i, path) = (shapes.operand, &*shapes.path);
        for (answer, new) in &shapes.answers {
            let shaped = |shape: Shape| {
                change(given, path, &|old| match old.as_tensor() {
                    Some(old) => Tensor::new(old.dtype.clone(), shape.clone()).into(),
                    None => old.clone(),
                })
            };
            let shape = match (how, part(given, path).and_then(Type::as_tensor)) {
                (EditKind::With(axis), Some(old)) => {
                    let mut dims = old.shape.known_dims().to_vec();
                    let dim = new.known_dims().get(axis).cloned();
                    dims.insert(axis, dim.unwrap_or(Dim::Hole));
                    Shape::known(dims)
                }
                _ => new.clone(),
            };
            let rank = shape.rank();
            self.keep_type(i, shaped(shape), answer, how);
            // Where there are more than anybody would read, what they have in common is their number of dims.
            if let Some(rank) = rank.filter(|_| !shapes.all) {
                let any = shaped(Shape::known(vec![Dim::Hole; rank]));
                let slot = self.words.slot(Argument::Operand(i));
                let certain = answer.is_certain && given.conditions.is_empty();
                self.keep_at(
                    Argument::Operand(i),
                    slot,
                    Edit::Type(any),
                    Conditions::NONE,
                    EditKind::Shape,
                    certain,
                );
            }
        }
    }

    /// Attributes that were not given, with another value than the one they have then.
    fn defaults(&mut self) {
        let Some(operator) = self.query.subject.called().cloned() else {
            return;
        };
        let next = Argument::Attr(self.query.attrs.len());
        for attribute in operator.attributes().filter(|a| a.default.is_some()) {
            if !operator.speaks_of(attribute.name) {
                continue;
            }
            if self.query.attrs.iter().any(|own| *own.0 == *attribute.name) {
                continue;
            }
            let mut changed = self.query.clone();
            let attrs = Arc::make_mut(&mut changed.attrs);
            attrs.push((attribute.name.into(), AttrValue::Hole));
            for found in answers(&changed) {
                let Some(value) = found.answer.attr(attribute.name) else {
                    continue;
                };
                // Of a flag that may be any number but 0, it is 1 that people write.
                let plain = [value.clone(), AttrValue::Int(1), AttrValue::Int(0)];
                let is_open = value.is_queried(attribute.kind_of());
                for value in plain.into_iter().skip(usize::from(is_open)) {
                    let slot = Slot::Attr(Name::word(attribute.name));
                    let before = self.found.len();
                    self.keep_at(
                        next,
                        slot,
                        Edit::Attr(value),
                        Conditions::NONE,
                        EditKind::Default,
                        false,
                    );
                    if self.found.len() > before {
                        break;
                    }
                }
            }
        }
    }

    /// Where no small change helps: another type for an operand.
    fn whole(&mut self, core: &[FactId]) {
        let mut tried: Vec<usize> = Vec::new();
        for spot in core {
            let Argument::Operand(i) = spot.at else {
                continue;
            };
            if tried.contains(&i) {
                continue;
            }
            tried.push(i);
            let mut changed = self.query.clone();
            *changed.operand_mut(i) = Type::UNKNOWN;
            for found in answers(&changed) {
                if let Some(ty) = of_answer(&found.answer, &self.query, i) {
                    self.keep_type(i, ty.clone(), &found, EditKind::Type);
                }
            }
        }
    }

    /// A type out of an answer, with what the answer says of the names that are not the user's.
    fn keep_type(&mut self, i: usize, ty: Type, found: &FoundAnswer, how: EditKind) {
        let mut in_type = self.own.clone();
        let mut has_new = false;
        names::of_type(&ty, &mut |name| has_new |= in_type.insert(name.to_owned()));
        let given = self.query.operand(i).conditions.iter();
        let mut conditions: Vec<Condition> = given.cloned().collect();
        if has_new {
            conditions.extend(self.of_new_names(&found.answer, &in_type));
        }
        let ty = ty.with_conditions(conditions.into_iter().collect());
        let at = Argument::Operand(i);
        let slot = self.words.slot(at);
        // Its conditions need not hold for what is found without them.
        let is_free = self.query.operand(i).conditions.is_empty();
        // What a tensor has in it may be negative, but not where it is given by a name.
        let is_size = !has_new || !matches!(how, EditKind::Content(_));
        let certain = found.is_certain && is_free && is_size;
        self.keep_at(at, slot, Edit::Type(ty), Conditions::NONE, how, certain);
    }

    /// Keeps a repair of something that was given, if it is one.
    fn keep(&mut self, at: Argument, change: Edit, how: EditKind) {
        let slot = self.words.slot(at);
        self.keep_at(at, slot, change, Conditions::NONE, how, false);
    }

    /// The same. It is solved whether it is one, unless that is certain.
    fn keep_at(
        &mut self,
        at: Argument,
        slot: Slot,
        change: Edit,
        conditions: Conditions,
        how: EditKind,
        certain: bool,
    ) {
        // That something else would fit is not worth saying without what.
        let says_nothing = matches!(
            &change,
            Edit::Attr(AttrValue::Hole) | Edit::Param(Dim::Hole)
        );
        if self.found.len() >= MAX_REPAIRS || says_nothing {
            return;
        }
        let repair = Repair {
            slot,
            change,
            conditions,
            how,
            says: String::new(),
            at,
        };
        let known = |other: &Repair| other.at == at && other.change == repair.change;
        if self.found.iter().any(known) {
            return;
        }
        let helps = || {
            let changed = repair.apply(&self.query);
            match how {
                // Almost any shape fits under some condition; one that is put otherwise has to fit as it is.
                EditKind::Transposed(..)
                | EditKind::Without(_)
                | EditKind::Squeezed(_)
                | EditKind::Unsqueezed(_) => holds(&changed),
                _ => has_answer(&changed),
            }
        };
        if certain || helps() {
            self.found.push(repair);
        }
    }
}

/// Of `a*b == 6`, where `b` is not known: `6 % a == 0`.
fn divides(condition: &Condition, known: &FxHashSet<String>) -> Option<Condition> {
    let Condition::Compare(left, rest) = condition else {
        return None;
    };
    let [(CmpOp::Eq, right)] = &rest[..] else {
        return None;
    };
    let (product, number) = match (left, right) {
        (product @ Expr::Chain(..), number @ Expr::Int(n))
        | (number @ Expr::Int(n), product @ Expr::Chain(..))
            if *n > 0 =>
        {
            (product, number)
        }
        _ => return None,
    };
    let Expr::Chain(first, others) = product else {
        return None;
    };
    let [(MulOp::Mul, second)] = &others[..] else {
        return None;
    };
    let (Expr::Name(a), Expr::Name(b)) = (&**first, second) else {
        return None;
    };
    let (own, other) = match known.contains(&*a.node) {
        true => (a, b),
        false => (b, a),
    };
    let is_one = known.contains(&*own.node) && !known.contains(&*other.node);
    let rest = Expr::Chain(
        Box::new(number.clone()),
        vec![(MulOp::Mod, Expr::Name(own.clone()))],
    );
    is_one.then(|| Condition::Compare(rest, vec![(CmpOp::Eq, Expr::Int(0))]))
}

fn has_answer(query: &Query) -> bool {
    Answers::are_there(query) == Some(true)
}

/// Has a question an answer as it is, for whatever sizes its names denote?
pub(super) fn holds(query: &Query) -> bool {
    let answers = query.solve();
    answers.is_ok_and(|mut answers| answers.verdict() == Verdict::Always)
}
