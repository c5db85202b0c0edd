//! The attributes of a call, chosen by what it takes and gives.

use std::rc::Rc;

use kanshape::tree::relay::{
    Attr, AttrValue as Written, Dim as WrittenDim, Expr, ExprId, Program, Shape, Type,
};
use kanshape::tree::{Expr as Size, Span, Spanned};
use kanshape::{AttrValue, Call, Dim, Operator, Query};
use rustc_hash::FxHashMap;

use crate::groups::{each_expr, each_id};
use crate::infer::Infer;
use crate::notation::{dtype_name, of_relay};
use crate::search::step::{Fill, GapStep, OpenProgram};
use crate::search::{Search, defs};

/// The steps of a choice.
const STEPS: u64 = 20_000;
/// The answers that are examined.
const MOST_ANSWERS: usize = 256;
/// Where numbers of attributes depend on each other: the greatest that is tried.
const MOST_NUMBER: u64 = 16;
/// Sizes with names are primes from here on where attributes are chosen, so that each answer tells them from each other.
const FIRST_PRIME: u64 = 10_007;

/// A call whose attributes are open, `axes=_`.
pub(super) struct OpenCall {
    id: ExprId,
    attrs: Vec<Attr>,
    operator: Rc<Operator>,
    inputs: Vec<Type>,
    output: Type,
    /// Nothing in its arguments is open.
    pub(super) is_known: bool,
}

/// The attributes that a call can have. Many programs contain the same call.
#[derive(Clone)]
pub(super) struct Choices {
    found: Rc<[Vec<Attr>]>,
    is_all: bool,
}

fn is_open(attrs: &[Attr]) -> bool {
    attrs.iter().any(|attr| attr.value.node == Written::Hole)
}

/// The calls of a program whose attributes are open.
pub(super) fn open_calls(tree: &Program, infer: &mut Infer<'_>) -> Vec<OpenCall> {
    let mut open = Vec::new();
    let bodies = defs(tree).map(|def| def.function.body).chain(tree.main);
    for body in bodies {
        each_id(tree, body, &mut |id| {
            if matches!(tree.expr(id), Expr::Call { attrs, .. } if is_open(attrs)) {
                open.push(id);
            }
        });
    }
    let mut calls = Vec::with_capacity(open.len());
    for id in open {
        let Expr::Call {
            callee,
            args,
            attrs,
            ..
        } = tree.expr(id)
        else {
            continue;
        };
        let Expr::Name(name) = tree.expr(*callee) else {
            continue;
        };
        let Some(operator) = infer.operator(name) else {
            continue;
        };
        let mut is_known = true;
        for arg in args {
            each_expr(tree, *arg, &mut |e| {
                is_known &= match e {
                    Expr::Hole => false,
                    Expr::Call { attrs, .. } => !is_open(attrs),
                    _ => true,
                };
            });
        }
        let mut ty = |id: ExprId| match infer.types.get(id.index()).copied().flatten() {
            Some(ty) => infer.written_alone(ty),
            None => Type::Hole,
        };
        calls.push(OpenCall {
            id,
            attrs: attrs.clone(),
            operator,
            inputs: args.iter().map(|arg| ty(*arg)).collect(),
            output: ty(id),
            is_known,
        });
    }
    calls
}

impl Search<'_> {
    /// Goes on with each choice of the attributes of a call.
    pub(super) fn choose(
        &mut self,
        state: &Rc<OpenProgram>,
        call: &OpenCall,
        size: u32,
        attrs: u32,
    ) {
        let names = self.wanted.iter().flat_map(|own| &own.names);
        let mut names: Vec<&str> = names.map(|name| &**name).collect();
        names.sort_unstable();
        names.dedup();
        let sizes: FxHashMap<&str, u64> = names.into_iter().zip(primes()).collect();
        let name = call.operator.name();
        let none = || Choices {
            found: [].into(),
            is_all: false,
        };
        let Choices { found, is_all } = match call.query(&sizes) {
            None => none(),
            Some(query) => {
                let key = (call.operator.full_name(), query);
                let known = self.choices.get(&key).cloned();
                known.unwrap_or_else(|| {
                    let choices = call.choices(&key.1, !sizes.is_empty());
                    let choices = choices.unwrap_or_else(none);
                    self.choices.insert(key, choices.clone());
                    choices
                })
            }
        };
        if !is_all {
            self.cut(format!(
                "not all attributes of `{name}` were tried, at size {size}"
            ));
        }
        // The call without the attributes that may be left out was tried by itself.
        let is_own = call.id.index() < self.base.tree.len();
        let is_default = |own: &[Attr]| {
            let attribute = |attr: &Attr| call.operator.attribute(&attr.name.node);
            let is_optional = |attr: &Attr| {
                attribute(attr).is_ok_and(|own| own.optional || own.default.is_some())
            };
            call.attrs.iter().any(is_optional) && !own.iter().any(is_optional)
        };
        for own in found.iter() {
            if is_own || !is_default(own) {
                let attrs = attrs + own.len() as u32;
                let fill = Fill::Attrs(own.clone());
                self.push(GapStep::of(state, call.id, fill, size, attrs));
            }
        }
    }
}

impl OpenCall {
    /// The call with these numbers for the names of sizes; `None` if the engine has no such types.
    fn query(&self, sizes: &FxHashMap<&str, u64>) -> Option<Call> {
        let of_relay = |ty: &Type| of_relay(&ground(ty, sizes, true));
        let inputs = self.inputs.iter().map(|ty| of_relay(ty).ok().map(Some));
        let outputs = match &self.output {
            Type::Tuple(fields) if self.operator.outputs().count() != 1 => {
                let fields = fields.iter().map(|ty| of_relay(&ty.node).ok().map(Some));
                fields.collect::<Option<Vec<_>>>()?
            }
            ty => vec![Some(of_relay(ty).ok()?)],
        };
        let attrs = self.attrs.iter().map(|attr| {
            let value = crate::infer::operators::value(&attr.value.node);
            // An attribute that has to be there is there.
            let is_needed =
                |own: kanshape::operator::Attribute<'_>| !own.optional && own.default.is_none();
            let own = self.operator.attribute(&attr.name.node);
            match value {
                AttrValue::Unknown if own.is_ok_and(is_needed) => {
                    (attr.name.node.clone(), AttrValue::Hole)
                }
                value => (attr.name.node.clone(), value),
            }
        });
        Some(Call {
            inputs: inputs.collect::<Option<Vec<_>>>()?,
            outputs: Some(outputs),
            attrs: attrs.collect(),
            ..Call::default()
        })
    }

    /// The attributes with which the call gives its output, and whether these are all. None are written that the type does
    /// not need, and none below 0 where others do.
    fn choices(&self, call: &Call, has_names: bool) -> Option<Choices> {
        let query = self.operator.query(call.clone()).ok()?;
        let query = query.limit(MOST_ANSWERS).budget(STEPS);
        let mut found: Vec<Vec<Attr>> = Vec::new();
        let mut is_all = self.answers(&query, &mut found)?;
        if !is_all {
            // What is open in one attribute depends on another: numbers are tried.
            self.answers(&query.ground().max_dim(MOST_NUMBER), &mut found);
            is_all = false;
        }
        self.without_needless(&mut found, has_names);
        Some(Choices {
            found: found.into(),
            is_all,
        })
    }

    /// The attributes of the answers of a query. Are these all there are?
    fn answers(&self, query: &Query, found: &mut Vec<Vec<Attr>>) -> Option<bool> {
        let mut answers = query.solve().ok()?;
        let mut count = 0;
        let mut is_all = true;
        for answer in answers.by_ref() {
            count += 1;
            let params = answer.params.iter().filter_map(|(name, dim)| match dim {
                Dim::Size(_) => Some((name.as_str(), AttrValue::Dim(dim.clone()))),
                _ => None,
            });
            let known = answer
                .attrs
                .iter()
                .map(|(name, v)| (name.as_str(), v.clone()));
            let known: Vec<(&str, AttrValue)> = known.chain(params).collect();
            let own = self.attrs.iter().map(|attr| {
                if attr.value.node != Written::Hole {
                    return Some(Some(attr.clone()));
                }
                let value = known.iter().find(|(name, _)| *name == &*attr.name.node);
                self.chosen(attr, value.map(|(_, value)| value))
            });
            let Some(own) = own.collect::<Option<Vec<Option<Attr>>>>() else {
                is_all = false;
                continue;
            };
            let own: Vec<Attr> = own.into_iter().flatten().collect();
            if !found.contains(&own) {
                found.push(own);
            }
        }
        Some(is_all && count < MOST_ANSWERS && !answers.is_stopped())
    }

    /// Leaves out what the type does not need.
    fn without_needless(&self, found: &mut Vec<Vec<Attr>>, has_names: bool) {
        found.retain(|own| !has_names || !has_prime(own));
        let least = found.iter().map(|own| negatives(own)).min();
        found.retain(|own| Some(negatives(own)) == least);
        let all = found.clone();
        found.retain(|own| {
            let is_less = |other: &&Vec<Attr>| {
                let is_same = |a: &Attr| own.iter().any(|b| is_written_as(a, b));
                *other != own && other.iter().all(is_same)
            };
            !all.iter().any(|other| is_less(&other))
        });
        found.sort_by_key(|own| (own.len(), numbers(own).len()));
    }

    /// An attribute as it is written with this value: left out where that is its default, or where any would do. None if
    /// it cannot be written.
    fn chosen(&self, attr: &Attr, value: Option<&AttrValue>) -> Option<Option<Attr>> {
        let own = self.operator.attribute(&attr.name.node).ok()?;
        let may_be_left_out = own.optional || own.default.is_some();
        match value {
            None | Some(AttrValue::Absent | AttrValue::Unknown | AttrValue::Hole) => {
                may_be_left_out.then_some(None)
            }
            Some(value) if own.default == Some(value) => Some(None),
            Some(value) => {
                let value = Spanned::new(written(value)?, Span::default());
                Some(Some(Attr {
                    name: attr.name.clone(),
                    value,
                }))
            }
        }
    }
}

/// Is an attribute the same as another, or the number of which the other is a list?
fn is_written_as(a: &Attr, b: &Attr) -> bool {
    a.name.node == b.name.node
        && match (&a.value.node, &b.value.node) {
            (a, Written::List(members)) if !matches!(a, Written::List(_)) => {
                matches!(members.as_slice(), [member] if member.node == *a)
            }
            (a, b) => a == b,
        }
}

/// How many numbers below 0 are in attributes.
fn negatives(attrs: &[Attr]) -> usize {
    numbers(attrs).into_iter().filter(|n| *n < 0).count()
}

/// Is a number there only because of those that names of sizes are?
fn has_prime(attrs: &[Attr]) -> bool {
    let mut numbers = numbers(attrs).into_iter();
    numbers.any(|n| n.unsigned_abs() >= FIRST_PRIME)
}

/// The numbers in attributes.
fn numbers(attrs: &[Attr]) -> Vec<i64> {
    let mut all = Vec::new();
    let mut todo: Vec<&Written> = attrs.iter().map(|attr| &attr.value.node).collect();
    while let Some(value) = todo.pop() {
        match value {
            Written::Int(n) => all.push(*n),
            Written::List(members) => todo.extend(members.iter().map(|member| &member.node)),
            _ => {}
        }
    }
    all
}

/// A type with numbers for the names of its sizes. Those of which none is known are open, or are left as they are.
pub(super) fn ground(ty: &Type, sizes: &FxHashMap<&str, u64>, opens: bool) -> Type {
    let part = |part: &Spanned<Type>| Spanned::new(ground(&part.node, sizes, opens), part.span);
    match ty {
        Type::Tensor(shape, dtype) => {
            let Shape::Dims(dims) = &shape.node else {
                return ty.clone();
            };
            let dims = dims.iter().map(|dim| {
                let size = match &dim.node {
                    WrittenDim::Expr(size) => size,
                    _ => return dim.clone(),
                };
                let mut is_known = true;
                let size = size
                    .clone()
                    .map_leaves(&mut |name| match sizes.get(&*name.node) {
                        Some(n) => Size::Int(*n),
                        None => {
                            is_known = false;
                            Size::Name(name)
                        }
                    });
                let dim_of = if is_known || !opens {
                    WrittenDim::Expr(size)
                } else {
                    WrittenDim::Any
                };
                Spanned::new(dim_of, dim.span)
            });
            let shape = Spanned::new(Shape::Dims(dims.collect()), shape.span);
            Type::Tensor(shape, dtype.clone())
        }
        Type::Tuple(fields) => Type::Tuple(fields.iter().map(part).collect()),
        _ => ty.clone(),
    }
}

/// Primes that no program has by itself.
fn primes() -> impl Iterator<Item = u64> {
    (FIRST_PRIME..).filter(|n| (2..).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// An attribute of the engine as it is written.
fn written(value: &AttrValue) -> Option<Written> {
    Some(match value {
        AttrValue::Int(n) => Written::Int(*n),
        AttrValue::Dim(Dim::Size(n)) => Written::Int(i64::try_from(*n).ok()?),
        AttrValue::Float(n) => Written::Float(*n),
        AttrValue::Bool(b) => Written::Bool(*b),
        AttrValue::Dtype(dtype) => Written::Text(dtype_name(*dtype).into()),
        AttrValue::Text(text) => Written::Text(text.clone()),
        AttrValue::List(members) => {
            let members = members.iter().map(written);
            let members = members.map(|m| m.map(|m| Spanned::new(m, Span::default())));
            Written::List(members.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
