//! A node: what its operator says of its inputs, put into the graph.

use super::known::{Filled, Known, fill, placed};
use super::scheme::{self, Canonical, Output, Place, Says, Scheme, name_of};
use super::table::TypeId;
use super::{Body, CallId, Graph, NodeId, STEPS, ValueId};
use crate::lower::{Given, Trouble, UserName, What, expr, sizes};
use kanshape_engine::{Budget, Goal, Linear, Stop, Term};
use kanshape_types::Type;
use smallvec::SmallVec;
use std::sync::Arc;

/// A node that is added.
#[derive(Clone, Copy)]
pub(super) struct Added<'r> {
    pub node: NodeId,
    pub call: CallId,
    pub inputs: &'r [ValueId],
    pub bodies: &'r [Body<'r>],
}

impl Graph {
    /// What follows from a node. Its outputs are put behind the values.
    pub(super) fn apply(&mut self, added: Added<'_>) {
        let Added { inputs, bodies, .. } = added;
        let mut ids = Ids::new();
        for value in operands(inputs, bodies) {
            match &self.values[value.index()] {
                Known::Closed(id) => ids.push(*id),
                _ => return self.apply_open(added),
            }
        }
        self.apply_closed(added, ids);
    }

    /// The same where nothing is open in the inputs.
    fn apply_closed(&mut self, added: Added<'_>, ids: Ids) {
        let Added {
            call,
            inputs,
            bodies,
            ..
        } = added;
        let mut cache = self.cache.open();
        // Functions have names, which the types of their operands do not tell.
        let key = (call, ids);
        let known = match bodies {
            [] => cache.closed.get(&key),
            _ => None,
        };
        if let Some(scheme) = known {
            if let Scheme::Closed(outputs) = &**scheme {
                for id in outputs {
                    self.values.push(Known::Closed(*id));
                }
                return;
            }
            let scheme = Arc::clone(scheme);
            drop(cache);
            let canonical = Canonical::default();
            return self.apply_scheme(added, &scheme, &canonical, &[]);
        }
        let canonical = Canonical::default();
        let prepared = Arc::clone(&cache.calls[call.0 as usize]);
        let calculated = match bodies {
            [] => scheme::calculated(&prepared, &key.1, &mut cache.table),
            _ => None,
        };
        let scheme = calculated.unwrap_or_else(|| {
            let types = key.1.iter().map(|id| (**cache.table.ty(*id)).clone());
            let (types, functions) = with_bodies(types.collect(), inputs.len(), bodies);
            let (state, table) = (&self.state, &mut cache.table);
            scheme::find(&prepared, state, &canonical, types, &functions, table)
        });
        let scheme = Arc::new(scheme);
        if bodies.is_empty() {
            cache.closed.insert(key, Arc::clone(&scheme));
        }
        drop(cache);
        self.apply_scheme(added, &scheme, &canonical, &[]);
    }

    /// The same where something is open in the inputs.
    fn apply_open(&mut self, added: Added<'_>) {
        let Added {
            call,
            inputs,
            bodies,
            ..
        } = added;
        let cache = Arc::clone(&self.cache);
        let mut cache = cache.open();
        let mut canonical = Canonical::default();
        let mut ids = Ids::new();
        let mut knowns: SmallVec<[Known; 4]> = SmallVec::new();
        for value in operands(inputs, bodies) {
            let known =
                cache
                    .table
                    .refreshed(&self.state, &self.labels, &self.values[value.index()]);
            match &known {
                Known::Open(_) => {
                    drop(cache);
                    return self.state_rule(added);
                }
                Known::Closed(id) => ids.push(*id),
                Known::Named(id, forms) => {
                    ids.push(*id);
                    canonical.note(forms);
                }
            }
            knowns.push(known);
        }
        if knowns.iter().all(|known| matches!(known, Known::Closed(_))) {
            drop(cache);
            return self.apply_closed(added, ids);
        }
        canonical.note_bounds(&self.state);
        let key = (call, ids, canonical.key.clone());
        let known_scheme = match bodies.is_empty() {
            true => cache.named.get(&key).cloned(),
            false => None,
        };
        let scheme = match known_scheme {
            Some(scheme) => scheme,
            None => {
                let prepared = Arc::clone(&cache.calls[call.0 as usize]);
                let named = knowns.iter().map(|known| match known {
                    Known::Named(id, forms) => {
                        canonical.named(&self.state, cache.table.ty(*id), forms)
                    }
                    Known::Closed(id) => (**cache.table.ty(*id)).clone(),
                    Known::Open(_) => Type::UNKNOWN,
                });
                let (types, functions) = with_bodies(named.collect(), inputs.len(), bodies);
                let (state, table) = (&self.state, &mut cache.table);
                let scheme = scheme::find(&prepared, state, &canonical, types, &functions, table);
                let scheme = Arc::new(scheme);
                if bodies.is_empty() {
                    cache.named.insert(key, Arc::clone(&scheme));
                }
                scheme
            }
        };
        drop(cache);
        self.apply_scheme(added, &scheme, &canonical, &knowns);
    }

    fn apply_scheme(
        &mut self,
        added: Added<'_>,
        scheme: &Scheme,
        canonical: &Canonical,
        knowns: &[Known],
    ) {
        match scheme {
            Scheme::Closed(outputs) => {
                for id in outputs {
                    self.values.push(Known::Closed(*id));
                }
            }
            Scheme::Answer(says) if says.is_plain() => {
                for output in &says.outputs {
                    let known = self.plain_output(output, canonical, knowns);
                    self.push(known);
                }
            }
            Scheme::Answer(says) => {
                let before = self.mark();
                match self.say(added.node, says, canonical) {
                    Ok(outputs) => outputs.into_iter().for_each(|known| {
                        self.push(known);
                    }),
                    Err(stop) => {
                        self.back_to(before);
                        self.cannot_be(added, stop);
                    }
                }
            }
            Scheme::Rule => self.state_rule(added),
            Scheme::Never => self.cannot_be(added, Stop::Conflict),
        }
    }

    /// States what an operator says, of what the names stand for.
    fn say(
        &mut self,
        node: NodeId,
        says: &Says,
        canonical: &Canonical,
    ) -> Result<Vec<Known>, Stop> {
        let mut scope = Given::default();
        scope.operands.labels = self.labels.clone();
        for (i, v) in canonical.vars.iter().enumerate() {
            scope.bind(UserName {
                name: name_of(i),
                what: What::Size(*v),
            });
        }
        let mut outputs = Vec::with_capacity(says.outputs.len());
        let from = self.state.posted_count();
        for output in &says.outputs {
            outputs.push(self.output(output, &mut scope, canonical)?);
        }
        if says.conditions.is_empty() {
            // What an expression can be is known from now on.
            self.state.propagate(&mut Budget::new(STEPS))?;
            self.note_posted(from, node, false);
            return Ok(outputs);
        }
        let was = self.domains(&canonical.vars);
        let conditions = says.conditions.iter();
        let stated = scope.conditions(&mut self.state, conditions, self.promotion);
        stated.map_err(stopped)?;
        self.state
            .settle(Goal::succeed(), &mut Budget::new(STEPS))?;
        if says.demands {
            self.note_demands(node, &canonical.vars, was);
        }
        self.note_posted(from, node, says.demands);
        Ok(outputs)
    }

    /// An output in which there is nothing but names of the inputs and new ones: nothing has to be stated.
    fn plain_output(&mut self, output: &Output, canonical: &Canonical, knowns: &[Known]) -> Known {
        let Output::Shaped(id, places) = output else {
            return Known::open(Term::Var(self.state.any()));
        };
        // Mostly it is the same that stands in the places of an input.
        let same = |forms: &[Linear]| {
            let mut pairs = forms.iter().zip(places);
            forms.len() == places.len()
                && pairs.all(|(form, place)| match place {
                    Place::Name(i) => form.as_var() == Some(canonical.vars[*i]),
                    Place::New | Place::Expr(_) => false,
                })
        };
        for known in knowns {
            if let Known::Named(_, forms) = known
                && same(forms)
            {
                return Known::Named(*id, Arc::clone(forms));
            }
        }
        let form = |place: &Place| match place {
            Place::Name(i) => Linear::var(canonical.vars[*i]),
            Place::New | Place::Expr(_) => Linear::var(self.state.int(sizes())),
        };
        match places.is_empty() {
            true => Known::Closed(*id),
            false => Known::Named(*id, places.iter().map(form).collect()),
        }
    }

    fn output(
        &mut self,
        output: &Output,
        scope: &mut Given,
        canonical: &Canonical,
    ) -> Result<Known, Stop> {
        let (id, places) = match output {
            Output::Shaped(id, places) => (*id, places),
            Output::Type(ty) => {
                scope.declare(&mut self.state, ty).map_err(stopped)?;
                let operand = scope.operand(&mut self.state, ty, false).map_err(stopped)?;
                return Ok(Known::open(scope.term(&operand)));
            }
        };
        if places.is_empty() {
            return Ok(Known::Closed(id));
        }
        let mut forms: Vec<Linear> = Vec::with_capacity(places.len());
        let mut is_open = true;
        for place in places {
            let form = match place {
                Place::Name(i) => Linear::var(canonical.vars[*i]),
                Place::New => Linear::var(self.state.int(sizes())),
                Place::Expr(e) => {
                    let form = expr(&mut self.state, scope, e).map_err(stopped)?;
                    self.state.resolve(&form)?
                }
            };
            is_open &= form.as_constant().is_none();
            forms.push(form);
        }
        if is_open {
            return Ok(Known::Named(id, forms.into()));
        }
        let cache = Arc::clone(&self.cache);
        let mut cache = cache.open();
        let mut left = Vec::new();
        let ty = fill(cache.table.ty(id), &mut |k| match forms.get(k) {
            Some(form) => placed(form, &mut left),
            None => Filled::Hole,
        });
        Ok(cache.table.known(ty, left))
    }

    /// Everything that stating something may change.
    pub(super) fn mark(&self) -> kanshape_engine::State {
        self.state.clone()
    }

    pub(super) fn back_to(&mut self, before: kanshape_engine::State) {
        self.state = before;
    }
}

/// The numbers of the types of a call's operands.
type Ids = SmallVec<[TypeId; 4]>;

/// What a node is given: its inputs, and what its functions take and give.
fn operands<'v>(
    inputs: &'v [ValueId],
    bodies: &'v [Body<'_>],
) -> impl Iterator<Item = &'v ValueId> {
    let of_bodies = bodies.iter().flat_map(|b| b.params.iter().chain(b.results));
    inputs.iter().chain(of_bodies)
}

/// Splits the types of a call into those of its inputs and those of its functions.
fn with_bodies(
    mut types: Vec<Type>,
    inputs: usize,
    bodies: &[Body<'_>],
) -> (Vec<Type>, Vec<(Box<str>, Type)>) {
    let mut rest = types.split_off(inputs).into_iter();
    let mut take = |count: usize| rest.by_ref().take(count).collect::<Vec<Type>>();
    let functions = bodies.iter().map(|body| {
        let params = take(body.params.len());
        let mut results = take(body.results.len());
        let result = match results.len() {
            1 => results.remove(0),
            _ => Type::tuple(results),
        };
        (body.attr.into(), Type::function(params, result))
    });
    let functions = functions.collect();
    (types, functions)
}

pub(super) fn stopped(trouble: Trouble) -> Stop {
    match trouble {
        Trouble::Stop(stop) => stop,
        // What an answer is written with can be read.
        Trouble::Text(_) => Stop::Conflict,
    }
}
