//! Loops and scans: what is handed to a body that is run again and again, and how often that is.

use super::Checker;
use super::body::{BodyGraph, BodyParam, Ending, Opening, Ran};
use super::control::BodiedNode;
use super::uneven::Slices;
use crate::report::When;
use kanshape::graph::region::{Guard, NamedValue, Scanned, known_number, known_size, known_truth};
use kanshape::graph::{Body, CallId, NodeId, ValueId};
use kanshape::tree::Expr;
use kanshape::{AttrValue, Content, Contents, Dim, Dtype, Operator, Shape, Tensor, Type, order};

/// How often a loop is tried before what it hands on is taken for anything.
const MOST_TRIES: usize = 4;

/// So deep in bodies, the first iteration of a loop is treated like the others.
const FOLLOWED: usize = 3;

impl<'c, 'a> Checker<'c, 'a> {
    /// Runs the body of a `Loop`.
    pub(super) fn run_loop(
        &mut self,
        at: &mut BodiedNode<'_, '_, 'a>,
        bodies: &[BodyGraph<'a>],
        is_there: &[bool],
    ) -> Option<Vec<Ran>> {
        let body = bodies.first()?;
        let [has_limit, has_cond] = match is_there[..] {
            [limit, cond, ..] => [limit, cond],
            _ => return None,
        };
        let first = usize::from(has_limit) + usize::from(has_cond);
        let carried: Vec<ValueId> = at.values.get(first..)?.to_vec();
        at.carried = carried.clone();
        if !self.fits(at.graph, at.index, body, carried.len() + 2, at.around) {
            return None;
        }
        let limit = at.given.first().filter(|_| has_limit).cloned();
        let cond = at
            .given
            .get(usize::from(has_limit))
            .filter(|_| has_cond)
            .cloned();
        // Where there is a condition, the body is run only when it holds.
        let holds = Contents::new([Content::Bool(true)]).filter(|_| has_cond);
        let truth = scalar(Dtype::Bool).with_contents(holds);
        let (turns, is_single) = self.count(limit.as_ref(), cond.as_ref());
        let how = Turns {
            body,
            cond: &truth,
            turns,
            given: [limit.as_ref(), cond.as_ref()],
        };
        let ran = match is_single {
            true => self.run_once(&how, &carried, at),
            false => self.turns(&how, &carried, at),
        };
        // An empty sequence is one of those that the body is given later.
        let carried = at.values.iter_mut().rev().zip(ran.params.iter().rev());
        for (value, param) in carried.filter(|(value, _)| self.is_empty(**value)) {
            *value = *param;
        }
        Some(vec![ran])
    }

    /// How often a loop is run, as far as that is known, and whether that is once at most.
    fn count(&self, limit: Option<&NamedValue>, cond: Option<&NamedValue>) -> (Count, bool) {
        let types = self.types(limit.into_iter().chain(cond).map(|called| &called.0));
        let mut types = types.iter();
        let limit = limit.and_then(|_| types.next());
        let cond = cond.and_then(|_| types.next());
        let most = limit.map(|ty| match known_number(ty) {
            Some(Expr::Int(n)) => Some(n),
            _ => None,
        });
        let count = match (&most, cond.map(known_truth)) {
            (Some(Some(0)), _) | (_, Some(Some(false))) => Count::Never,
            // Nothing ends it, or nothing but its limit.
            (None, None) => Count::AtLeast(2),
            (Some(Some(n)), None) => Count::AtLeast(*n),
            (None | Some(Some(_)), Some(Some(true))) => Count::AtLeast(1),
            _ => Count::Any,
        };
        (count, most == Some(Some(1)))
    }

    /// Runs the body of a loop that is run once at most: with what the loop is given, in the first iteration.
    fn run_once(
        &mut self,
        how: &Turns<'_, 'a>,
        carried: &[ValueId],
        at: &mut BodiedNode<'_, '_, 'a>,
    ) -> Ran {
        let first = Contents::new([Content::Int(0)]);
        let number = scalar(Dtype::I64).with_contents(first);
        let mut params = vec![BodyParam::Type(number), BodyParam::Type(how.cond.clone())];
        params.extend(carried.iter().map(|value| BodyParam::Value(*value)));
        at.is_uneven = false;
        match how.turns {
            Count::Never => self.run_no_turn(how.body, &params, at),
            Count::AtLeast(_) => {
                at.is_once = true;
                self.run_body(how.body, &params, at.around)
            }
            Count::Any => {
                let opening = how.opening(When::First, at);
                let (mut ran, ending) = self.run_if_at_all(how.body, &params, opening, at.around);
                self.with_names_of(&mut ran, &ending, carried);
                ran
            }
        }
    }

    /// What a loop gives whose body is certainly run once: what comes of its body, and of each slice one.
    pub(super) fn give_once(
        &mut self,
        node: NodeId,
        ran: &Ran,
        carried: usize,
        outputs: &[Option<ValueId>],
    ) {
        for (i, (output, result)) in outputs.iter().zip(ran.results.iter().skip(1)).enumerate() {
            let Some(output) = *output else { continue };
            let ty = self.graph.ty(*result);
            let ty = match (ty.as_tensor(), i < carried) {
                (Some(slice), false) if slice.shape.rank().is_some() => {
                    let dims = std::iter::once(Dim::Size(1)).chain(slice.shape.iter().cloned());
                    let shape = Shape::known(dims.collect::<Vec<Dim>>());
                    Tensor::new(slice.dtype.clone(), shape).into()
                }
                (None, false) | (Some(_), false) => continue,
                (_, true) => ty.clone(),
            };
            let ty = self.known_outside(&ty);
            // Its rule says that it is like that.
            drop(self.graph.require(node, output, &ty));
        }
    }

    /// Runs the body of a `Loop`, until what it hands on to its next turn is what it is given in each.
    fn turns(
        &mut self,
        how: &Turns<'_, 'a>,
        carried: &[ValueId],
        at: &mut BodiedNode<'_, '_, 'a>,
    ) -> Ran {
        let Turns { body, .. } = *how;
        let types = self.types(carried.iter());
        let mut params: Vec<BodyParam> = vec![
            BodyParam::Type(scalar(Dtype::I64)),
            BodyParam::Type(how.cond.clone()),
        ];
        // What is carried is the same value as long as nothing is known of what is in it: that may change.
        params.extend(
            carried
                .iter()
                .zip(&types)
                .map(|(value, ty)| match ty.contents() {
                    None => BodyParam::Value(*value),
                    Some(_) => BodyParam::Type(self.known_outside(&ty.clone().with_contents(None))),
                }),
        );
        let first = params.clone();
        for turn in 0..=MOST_TRIES {
            let before = self.mark();
            self.begin_region(&before, how.opening(When::Each, at));
            let ran = self.run_body(body, &params, at.around);
            if turn == 0 && self.ends_loop(how, &ran) {
                self.back_to(&before);
                return self.run_once(how, carried, at);
            }
            let handed_on = ran.params.iter().skip(2).zip(ran.results.iter().skip(1));
            let pairs: Vec<(ValueId, ValueId)> = handed_on.map(|(a, b)| (*a, *b)).collect();
            let types = self.types(pairs.iter().flat_map(|(a, b)| [a, b]));
            let mut is_steady = true;
            for ((param, types), pair) in params[2..].iter_mut().zip(types.chunks(2)).zip(&pairs) {
                let own = [pair.0, pair.1];
                if let Some(other) = self.other_members(own, [&types[0], &types[1]]) {
                    is_steady = false;
                    *param = BodyParam::Type(other);
                    continue;
                }
                let [given, back] = [&types[0], &types[1]].map(|ty| ty.clone().with_contents(None));
                // What the body requires of what it is given does not make that another one.
                let given = match &*param {
                    BodyParam::Value(_) => given,
                    BodyParam::Type(ty) => ty.clone().with_contents(None),
                };
                if given == back || given.is_unknown() {
                    continue;
                }
                let both = order::join(&given, &back);
                if both == given || self.known_outside(&both) == self.known_outside(&given) {
                    continue;
                }
                is_steady = false;
                *param = BodyParam::Type(match turn + 1 < MOST_TRIES {
                    true => self.known_outside(&both),
                    false => any_like(&both),
                });
            }
            let is_last = turn == MOST_TRIES;
            let wrong = before.graph.problems().len();
            let is_impossible = turn == 0 && self.graph.problems().len() > wrong;
            if !is_steady && !is_last && !is_impossible {
                self.back_to(&before);
                continue;
            }
            let is_widened = turn > 0;
            if how.turns == Count::Never {
                self.back_to(&before);
                return self.run_no_turn(body, &params, at);
            }
            let slices = Slices::of_loop(self.moving(&params, &ran));
            let fixed = self.fixed_slices(&before.graph, &ran, &slices);
            at.is_uneven = self.are_uneven(body, &ran, (&slices, &fixed), at.around);
            if !is_widened && how.turns != Count::Any {
                // It is run, and what it requires is required of the model.
                self.regions.merge(&before.regions);
                return ran;
            }
            if !is_widened
                || self.fit(carried, &params[2..]) && !self.graph.asks_beyond(&before.graph)
            {
                let (mut ran, ending) = self.settle_body(before, ran);
                self.with_names_of(&mut ran, &ending, carried);
                return ran;
            }
            if at.around.depth >= FOLLOWED {
                return self.settle_run(before, ran, &params).0;
            }
            self.back_to(&before);
            return self.run_widened(how, [&first, &params], at);
        }
        // The last try has returned.
        self.run_body(body, &params, at.around)
    }

    /// Is the condition that a body gives false, and does that end its loop?
    fn ends_loop(&self, how: &Turns<'_, 'a>, ran: &Ran) -> bool {
        let goes_on = self.types(ran.results.iter().take(1));
        how.given[1].is_some() && goes_on.first().and_then(known_truth) == Some(false)
    }

    /// Are the values of these types, as far as they are known? Otherwise the first iteration requires something of them.
    fn fit(&mut self, values: &[ValueId], params: &[BodyParam]) -> bool {
        let types = self.types(values.iter());
        params.iter().zip(types).all(|(param, own)| match param {
            BodyParam::Value(_) => true,
            BodyParam::Type(ty) => {
                let [ty, own] = [ty, &own].map(|ty| ty.clone().with_contents(None));
                self.known_outside(&order::join(&ty, &own)) == self.known_outside(&ty)
            }
        })
    }

    /// Runs the body of a loop that hands on something else than it is given: the first iteration with what that is
    /// given, and the others with anything that they may be given.
    fn run_widened(
        &mut self,
        how: &Turns<'_, 'a>,
        [first, later]: [&[BodyParam]; 2],
        at: &mut BodiedNode<'_, '_, 'a>,
    ) -> Ran {
        let before = self.mark();
        let mut is_first = None;
        if how.turns == Count::Any {
            self.begin_region(&before, how.opening(When::First, at));
        }
        let ran = self.run_body(how.body, first, at.around);
        let moving = self.moving(first, &ran);
        let mut fixed = self.fixed_slices(&before.graph, &ran, &Slices::behind(1 + moving.len()));
        if how.turns == Count::Any
            && let Ending::Part(region) = self.end_region(&before, &ran)
        {
            is_first = Some(region);
        }
        self.unlist(&before);
        let params: Vec<BodyParam> = later.iter().map(|param| self.widened(param)).collect();
        let before = self.mark();
        self.begin_region(&before, how.opening(When::Later, at));
        let ran = self.run_body(how.body, &params, at.around);
        let later = self.moving(later, &ran).into_iter().zip(moving);
        let slices = Slices::of_loop(later.map(|(own, first)| own.or(first)).collect());
        let fixed_later = self.fixed_slices(&before.graph, &ran, &slices);
        for (own, later) in fixed.iter_mut().zip(fixed_later) {
            *own = own.take().filter(|own| Some(own) == later.as_ref());
        }
        at.is_uneven = self.are_uneven(how.body, &ran, (&slices, &fixed), at.around);
        let (ran, ending) = self.settle_run(before, ran, &params);
        if let (Ending::Part(later), Some(first)) = (&ending, is_first) {
            self.regions.note_later(first, *later);
        }
        ran
    }

    /// What a body gives, in the names of what it was given, where it has these sizes: there, a name may have been
    /// found to be a number.
    fn with_names_of(&mut self, ran: &mut Ran, ending: &Ending, carried: &[ValueId]) {
        let Ending::Part(region) = *ending else {
            return;
        };
        let types = self.types(carried.iter().chain(ran.results.iter().skip(1)));
        let (given, back) = types.split_at(carried.len());
        for (i, (given, back)) in given.iter().zip(back).enumerate() {
            let (Some(x), Some(y)) = (given.as_tensor(), back.as_tensor()) else {
                continue;
            };
            if x.shape.rank().is_none() || x.shape.rank() != y.shape.rank() {
                continue;
            }
            let dims = x.shape.known_dims().iter().zip(y.shape.known_dims());
            let dims = dims.map(
                |(x, y)| match self.regions.dim(region, x).as_ref() == Some(y) {
                    true => x.clone(),
                    false => y.clone(),
                },
            );
            let shape = Shape::known(dims.collect::<Vec<Dim>>());
            if shape != y.shape {
                let ty = Tensor::new(y.dtype.clone(), shape).into();
                let ty = self.without_conditions(self.known_outside(&ty));
                ran.results[i + 1] = self.value(&ty, "");
            }
        }
    }

    /// The body of a loop that is not run, for the types that it has.
    fn run_no_turn(
        &mut self,
        body: &BodyGraph<'a>,
        params: &[BodyParam],
        at: &BodiedNode<'_, '_, 'a>,
    ) -> Ran {
        self.run_never(body, params, at.around);
        let mut unknown = |count: usize| (0..count).map(|_| self.graph.unknown()).collect();
        let params = unknown(body.graph.inputs.len());
        let results = unknown(body.graph.outputs.len());
        Ran { params, results }
    }

    /// What a loop is given in some iteration, with names for the dims that may be others in each.
    pub(super) fn widened(&mut self, param: &BodyParam) -> BodyParam {
        let BodyParam::Type(ty) = param else {
            return param.clone();
        };
        let Some(tensor) = ty.as_tensor() else {
            return param.clone();
        };
        if tensor.shape.run().is_some() {
            return param.clone();
        }
        let dims = tensor.shape.iter().map(|dim| match dim {
            Dim::Hole => {
                let dim = self.dims.of_iteration();
                if let Dim::Name(name) = &dim {
                    self.regions.vary(name.clone());
                }
                dim
            }
            dim => dim.clone(),
        });
        let shape = Shape::known(dims.collect::<Vec<Dim>>());
        let named = Tensor::new(tensor.dtype.clone(), shape);
        BodyParam::Type(named.with_contents(tensor.contents.clone()).into())
    }

    /// Runs the body of a `Scan`: once for each slice.
    pub(super) fn run_scan(
        &mut self,
        at: &mut BodiedNode<'_, '_, 'a>,
        body: &BodyGraph<'a>,
        params: &[BodyParam],
        scanned: Scanned,
        call: Option<CallId>,
    ) -> Ran {
        let slices = Slices::behind(params.len() - scanned.len().min(params.len()));
        let types = self.types(scanned.iter().map(|(called, _)| &called.0));
        let sizes = types.iter().zip(&scanned);
        let mut sizes = sizes.filter_map(|(ty, (_, axis))| match known_size(ty, *axis) {
            Some(Expr::Int(n)) => Some(n),
            _ => None,
        });
        match sizes.next() {
            Some(0) => self.run_no_turn(body, params, at),
            Some(count) => {
                let before = self.graph.clone();
                let ran = self.run_body(body, params, at.around);
                let fixed = self.fixed_slices(&before, &ran, &slices);
                at.is_uneven =
                    count > 1 && self.are_uneven(body, &ran, (&slices, &fixed), at.around);
                ran
            }
            None => {
                let before = self.mark();
                self.begin_region(&before, at.opening(body, When::Each, Guard::Scan(scanned)));
                let ran = self.run_body(body, params, at.around);
                let fixed = self.fixed_slices(&before.graph, &ran, &slices);
                at.is_uneven = self.are_uneven(body, &ran, (&slices, &fixed), at.around);
                if let (true, Some(call)) = (self.graph.asks_beyond(&before.graph), call) {
                    // What it requires of the slices it requires of what they are slices of.
                    let own = Body {
                        attr: body.attr,
                        params: &ran.params,
                        results: &ran.results,
                    };
                    self.graph.add_with_bodies(call, &at.values, &[own]);
                    let node = &at.graph.nodes[at.index as usize];
                    self.origin(node, at.index, at.around);
                }
                self.settle_body(before, ran).0
            }
        }
    }

    /// What a `Scan` hands to its body: its states, and a slice of each other input. And along which axes it takes them.
    pub(super) fn slices(
        &self,
        operator: &Operator,
        attrs: &[(Box<str>, AttrValue)],
        at: &BodiedNode<'_, '_, 'a>,
        is_there: &[bool],
    ) -> Option<(Vec<BodyParam>, Scanned)> {
        let attr = |name: &str| attrs.iter().find(|a| *a.0 == *name).map(|a| &a.1);
        let Some(AttrValue::Int(count)) = attr("num_scan_inputs") else {
            return None;
        };
        // The first version goes through batches, whose lengths may be given before everything else.
        let has_batches = operator.since() < 9;
        let inputs = match (has_batches, is_there.first()) {
            (true, Some(true)) => at.given.get(1..)?,
            _ => &at.given[..],
        };
        let states = inputs.len().checked_sub(usize::try_from(*count).ok()?)?;
        let axes: Vec<i64> = match attr("scan_input_axes") {
            Some(AttrValue::List(axes)) => axes
                .iter()
                .map(|axis| match axis {
                    AttrValue::Int(axis) => *axis,
                    _ => 0,
                })
                .collect(),
            _ => Vec::new(),
        };
        let types = self.types(inputs.iter().map(|called| &called.0));
        let mut scanned = Vec::new();
        let params = types
            .iter()
            .zip(inputs)
            .enumerate()
            .map(|(i, (ty, called))| {
                let bare = ty.clone().with_contents(None);
                let ty = match (has_batches, i.checked_sub(states)) {
                    (false, None) if ty.contents().is_none() => return BodyParam::Value(called.0),
                    (false, None) => bare,
                    (true, None) => without_axis(&bare, 0),
                    (false, Some(i)) => {
                        let axis = axes.get(i).copied().unwrap_or(0);
                        scanned.extend(place_of_axis(&bare, axis).map(|at| (called.clone(), at)));
                        without_axis(&bare, axis)
                    }
                    (true, Some(_)) => {
                        scanned.extend([0, 1].map(|at| (called.clone(), at)));
                        without_axis(&without_axis(&bare, 0), 0)
                    }
                };
                BodyParam::Type(self.known_outside(&ty))
            });
        let params = params.collect();
        Some((params, scanned))
    }
}

/// How often a loop is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Never,
    /// So often at least, which is at least once.
    AtLeast(u64),
    Any,
}

/// How a loop is run.
#[derive(Clone, Copy)]
struct Turns<'r, 'a> {
    body: &'r BodyGraph<'a>,
    /// The condition that the body is given.
    cond: &'r Type,
    turns: Count,
    /// The number of iterations and the condition that the loop is given.
    given: [Option<&'r NamedValue>; 2],
}

impl<'a> Turns<'_, 'a> {
    fn opening(&self, when: When, at: &BodiedNode<'_, '_, 'a>) -> Opening {
        let [limit, cond] = self.given.map(Option::<&NamedValue>::cloned);
        let iteration = if when == When::Later { 2 } else { 1 };
        let guard = Guard::Loop {
            iteration,
            limit,
            cond,
        };
        at.opening(self.body, when, guard)
    }
}

fn scalar(dtype: Dtype) -> Type {
    Type::tensor(dtype, [] as [Dim; 0])
}

/// The place of an axis among the dims of a tensor.
fn place_of_axis(ty: &Type, axis: i64) -> Option<usize> {
    let rank = ty.as_tensor()?.shape.rank()?;
    let at = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(at).ok().filter(|at| *at < rank)
}

/// The type of the slices of a tensor along an axis.
fn without_axis(ty: &Type, axis: i64) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return Type::UNKNOWN;
    };
    let shape = match tensor.shape.rank() {
        Some(_) => {
            let mut dims: Vec<Dim> = tensor.shape.known_dims().to_vec();
            match place_of_axis(ty, axis) {
                Some(at) => {
                    dims.remove(at);
                    Shape::known(dims)
                }
                None => Shape::unknown(),
            }
        }
        None => Shape::unknown(),
    };
    Tensor::new(tensor.dtype.clone(), shape).into()
}

/// Anything of the same dtype, if it is a tensor.
fn any_like(ty: &Type) -> Type {
    match ty.as_tensor() {
        Some(tensor) => Tensor::new(tensor.dtype.clone(), Shape::unknown()).into(),
        None => Type::UNKNOWN,
    }
}
