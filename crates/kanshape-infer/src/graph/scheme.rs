//! What an operator says of inputs of some form: found out once, and used for every node that is like it.
//!
//! The sizes that are open in the inputs get names in the order in which they come (`n0`, `n1`, ...), and the
//! question is asked of these. So two nodes ask the same question if they differ only in what their sizes are
//! called, and the answer is good for both: its types are expressions over the names, its conditions are what the
//! operator asks of them.

use super::call::Prepared;
use super::known::{Filled, fill, place_name};
use super::table::{Table, TypeId};
use crate::lower::is_any_size;
use crate::reify::implied;
use crate::relation::eval::{Stop, Value};
use crate::{Answer, Verdict};
use kanshape_engine::{Int, Linear, State, Var};
use kanshape_syntax::tree::{CmpOp, Condition, Expr, MulOp, Sign, Span, Spanned};
use kanshape_types::{Content, Dim, Name, Promotion, Type, TypeKind};
use smallvec::SmallVec;

/// The steps that a question may take.
const STEPS: u64 = 40_000;

/// The inputs of a node, with names for what is open.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    /// What the names stand for.
    pub vars: SmallVec<[Var; 4]>,
    /// How the forms in the places are made of them, and what they can be.
    pub key: SmallVec<[i64; 12]>,
}

/// What an operator says.
#[derive(Debug)]
pub(super) enum Scheme {
    /// Types in which nothing is open.
    Closed(SmallVec<[TypeId; 2]>),
    /// Types over the names of the inputs, and what has to hold.
    Answer(Box<Says>),
    /// There is no one answer: the rule itself has to be stated.
    Rule,
    /// It cannot be.
    Never,
}

/// Types over names, and conditions.
#[derive(Debug)]
pub(super) struct Says {
    pub outputs: Vec<Output>,
    pub conditions: Vec<Condition>,
    /// The conditions are not met by whatever the names stand for.
    pub demands: bool,
}

impl Says {
    /// Is it nothing but names in places?
    pub(super) fn is_plain(&self) -> bool {
        let plain = |place: &Place| matches!(place, Place::Name(_) | Place::New);
        self.conditions.is_empty()
            && self.outputs.iter().all(|output| match output {
                Output::Shaped(_, places) => places.iter().all(plain),
                Output::Type(_) => false,
            })
    }
}

/// An output.
#[derive(Debug)]
pub(super) enum Output {
    /// A type with places, and what stands in them.
    Shaped(TypeId, Vec<Place>),
    /// A type of which more is open.
    Type(Type),
}

/// What stands in a place of an output.
#[derive(Debug)]
pub(super) enum Place {
    /// The name of this number.
    Name(usize),
    /// Of a name that is new, or an expression.
    Expr(Expr),
    /// Something that nothing is known of.
    New,
}

/// The name of an open size of the inputs.
pub(super) fn name_of(i: usize) -> Name {
    Name::from(format!("n{i}"))
}

impl Canonical {
    /// Notes the forms in the places of an input.
    pub(super) fn note(&mut self, forms: &[Linear]) {
        for form in forms {
            self.key.push(form.terms().len() as i64);
            for &(v, c) in form.terms() {
                let i = self.number(v);
                self.key.push(i as i64);
                self.key.push(clipped(c));
            }
            self.key.push(clipped(form.offset()));
        }
    }

    fn number(&mut self, v: Var) -> usize {
        let known = self.vars.iter().position(|w| *w == v);
        known.unwrap_or_else(|| {
            self.vars.push(v);
            self.vars.len() - 1
        })
    }

    /// Notes what the names can be.
    pub(super) fn note_bounds(&mut self, state: &State) {
        for v in &self.vars {
            let domain = state.domain(*v);
            self.key.push(clipped(domain.lo()));
            let is_bound = !is_any_size(0, domain.hi());
            self.key.push(if is_bound {
                clipped(domain.hi())
            } else {
                i64::MAX
            });
        }
    }

    /// The types with names in their places.
    pub(super) fn named(&self, state: &State, ty: &Type, forms: &[Linear]) -> Type {
        fill(ty, &mut |k| match forms.get(k) {
            Some(form) => self
                .expr(state, form)
                .map_or(Filled::Hole, |e| Filled::Dim(Dim::expr(e))),
            None => Filled::Hole,
        })
    }

    /// A form over the names. None of what may be negative: names stand for sizes.
    fn expr(&self, state: &State, form: &Linear) -> Option<Expr> {
        let mut terms = Vec::with_capacity(form.terms().len() + 1);
        let sign = |n: Int| if n < 0 { Sign::Minus } else { Sign::Plus };
        for &(v, c) in form.terms() {
            if state.domain(v).lo() < 0 {
                return None;
            }
            let i = self.vars.iter().position(|w| *w == v)?;
            let name = Expr::Name(Spanned::new(name_of(i).as_str().into(), Span::default()));
            let times = u64::try_from(c.unsigned_abs()).ok()?;
            terms.push((
                sign(c),
                match times {
                    1 => name,
                    n => Expr::Chain(Box::new(Expr::Int(n)), vec![(MulOp::Mul, name)]),
                },
            ));
        }
        // What is added comes first.
        terms.sort_by_key(|t| t.0 == Sign::Minus);
        if form.offset() != 0 {
            let n = u64::try_from(form.offset().unsigned_abs()).ok()?;
            terms.push((sign(form.offset()), Expr::Int(n)));
            terms.sort_by_key(|t| t.0 == Sign::Minus);
        }
        Some(match (terms.len(), terms.first()) {
            (1, Some((Sign::Plus, _))) => terms.remove(0).1,
            _ => Expr::Sum(terms),
        })
    }

    /// What is known of the names.
    fn bounds(&self, state: &State) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for (i, v) in self.vars.iter().enumerate() {
            let domain = state.domain(*v);
            let name = || Expr::Name(Spanned::new(name_of(i).as_str().into(), Span::default()));
            let mut bound = |op, n: Int| {
                if let Ok(n) = u64::try_from(n) {
                    conditions.push(Condition::Compare(name(), vec![(op, Expr::Int(n))]));
                }
            };
            if domain.lo() > 0 {
                bound(CmpOp::Ge, domain.lo());
            }
            if !is_any_size(0, domain.hi()) {
                bound(CmpOp::Le, domain.hi());
            }
        }
        conditions
    }
}

fn clipped(n: Int) -> i64 {
    i64::try_from(n).unwrap_or(if n < 0 { i64::MIN } else { i64::MAX })
}

/// What an operator says of inputs with names.
pub(super) fn find(
    call: &Prepared,
    state: &State,
    canonical: &Canonical,
    types: Vec<Type>,
    bodies: &[(Box<str>, Type)],
    table: &mut Table,
) -> Scheme {
    let Ok(query) = call.query(types, bodies) else {
        return Scheme::Rule;
    };
    let mut query = query.budget(STEPS);
    for condition in canonical.bounds(state) {
        query = query.given(condition);
    }
    let Ok(mut answers) = query.solve() else {
        return Scheme::Rule;
    };
    let Some(answer) = answers.next() else {
        return match answers.complete() {
            true => Scheme::Never,
            false => Scheme::Rule,
        };
    };
    // What the text does not tell stays in the store.
    if answers.next().is_some() || !answers.complete() || answers.untold() {
        return Scheme::Rule;
    }
    let verdict = match answer.conditions.is_empty() {
        true => Verdict::Always,
        false => answers.verdict(),
    };
    says(call, answer, verdict, table)
}

/// The short way, where nothing is open in the inputs. `None` if it is none.
pub(super) fn calculated(call: &Prepared, inputs: &[TypeId], table: &mut Table) -> Option<Scheme> {
    let ground = call.ground.as_ref()?;
    let found = {
        let values = inputs.iter().map(|id| table.value(*id));
        let values: SmallVec<[&Value; 4]> = values.collect::<Option<_>>()?;
        ground.run(&values)
    };
    match found {
        Ok(outputs) => {
            let ids = outputs.into_iter().map(|value| table.number_of(value));
            Some(Scheme::Closed(ids.collect::<Option<_>>()?))
        }
        Err(Stop::Fail) => Some(Scheme::Never),
        Err(Stop::Wait | Stop::Leave) => None,
    }
}

fn says(call: &Prepared, answer: Answer, verdict: Verdict, table: &mut Table) -> Scheme {
    let mut closed: SmallVec<[TypeId; 2]> = SmallVec::new();
    let mut outputs = Vec::new();
    for (place, is) in call
        .layout()
        .places
        .outputs
        .iter()
        .zip(&call.written.outputs)
    {
        if !is {
            continue;
        }
        let Some(ty) = place.and_then(|p| answer.outputs.get(p)) else {
            return Scheme::Rule;
        };
        outputs.push(match shaped(ty) {
            Some((ty, places)) => {
                let id = table.number(ty);
                if places.is_empty() {
                    closed.push(id);
                }
                Output::Shaped(id, places)
            }
            None => Output::Type(ty.clone()),
        });
    }
    if closed.len() == outputs.len() && answer.conditions.is_empty() {
        return Scheme::Closed(closed);
    }
    let conditions: Vec<Condition> = answer.conditions.iter().cloned().collect();
    let demands = match verdict {
        Verdict::Always => false,
        Verdict::Depends | Verdict::Never => true,
        Verdict::Unknown => !conditions.iter().all(holds_for_nothing),
    };
    Scheme::Answer(Box::new(Says {
        outputs,
        conditions,
        demands,
    }))
}

/// Does a condition hold, whatever the names of the inputs are, where every size that is new is 0?
fn holds_for_nothing(condition: &Condition) -> bool {
    let nothing =
        condition
            .clone()
            .map_leaves(&mut |ident| match named(&Name::from(&*ident.node)) {
                Place::Name(_) => Expr::Name(ident),
                _ => Expr::Int(0),
            });
    implied(&[], &[], &nothing, Promotion::default())
}

/// The type with places for whatever is open in it, if that is nothing but sizes.
fn shaped(ty: &Type) -> Option<(Type, Vec<Place>)> {
    let mut places = Vec::new();
    let ty = shape(ty, &mut places)?;
    Some((ty, places))
}

fn shape(ty: &Type, places: &mut Vec<Place>) -> Option<Type> {
    let tensor = match &ty.kind {
        TypeKind::Tensor(tensor) => tensor,
        TypeKind::Unknown | TypeKind::Var(_) => return None,
        _ => {
            let mut all = true;
            let parts = ty.map_parts(&mut |part| {
                let part = shape(part, places);
                all &= part.is_some();
                part.unwrap_or_default()
            });
            return all.then_some(parts);
        }
    };
    tensor.dtype.known()?;
    if tensor.shape.run().is_some() {
        return None;
    }
    let mut place = |what: Place| {
        places.push(what);
        place_name(places.len() - 1)
    };
    let dims = tensor.shape.dims().iter().map(|dim| match dim {
        Dim::Name(name) => Dim::Name(place(named(name))),
        Dim::Expr(e) => Dim::Name(place(Place::Expr((**e).clone()))),
        Dim::Hole => Dim::Name(place(Place::New)),
        dim => dim.clone(),
    });
    let dims: Vec<Dim> = dims.collect();
    let contents = tensor.contents.as_ref().map(|contents| {
        contents.map(&mut |member| match member {
            Content::Name(name) => Content::Name(place(named(name))),
            Content::Expr(e) => Content::Name(place(Place::Expr((**e).clone()))),
            member => member.clone(),
        })
    });
    let shape = dims.into_iter().collect::<kanshape_types::Shape>();
    Some(
        kanshape_types::Tensor::new(tensor.dtype.clone(), shape)
            .with_contents(contents)
            .into(),
    )
}

/// A name of the inputs, or a new one.
fn named(name: &Name) -> Place {
    let number = name.as_str().strip_prefix('n').and_then(|n| n.parse().ok());
    match number {
        Some(i) => Place::Name(i),
        None => Place::Expr(Expr::Name(Spanned::new(
            name.as_str().into(),
            Span::default(),
        ))),
    }
}
