//! Types of functions, from the lists of what they take and what they give; and of tuples, from the list of their fields.

use super::{Native, Param};
use crate::encode::{Kind, form};
use crate::rules::Context;
use kanshape_engine::{Goal, Look, Stop, Term, View};
use std::sync::Arc;

/// `fn(params, results)` as a term: a function takes these and gives those. One result stands by itself, other
/// numbers of them are a tuple.
#[derive(Debug)]
pub(crate) struct Function;

impl Native for Function {
    fn name(&self) -> &'static str {
        "Function"
    }

    fn params(&self) -> Vec<Param> {
        let types = || Param::Is(Kind::Type.list());
        vec![Param::Is(Kind::Type), types(), types()]
    }

    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        shows_one_side(look, args)
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let mut known = context.library.words.labels.clone();
        let (function, tuple) = known.functions();
        match view.walk(&args[0]) {
            Term::Node(label, parts) if label == function => {
                let Some((result, params)) = parts.split_last() else {
                    return Ok(Goal::fail());
                };
                let params = chain(view, params);
                let results = match view.walk(result) {
                    // A tuple of one is one result: so is no function written that has one.
                    Term::Node(label, parts) if label == tuple && parts.len() != 1 => {
                        chain(view, &parts)
                    }
                    // Not known to be one thing or several.
                    Term::Var(_) => return Ok(Goal::equal(args[1].clone(), params)),
                    one => chain(view, &[one]),
                };
                Ok(Goal::all([
                    Goal::equal(args[1].clone(), params),
                    Goal::equal(args[2].clone(), results),
                ]))
            }
            Term::Var(_) => {
                let mut parts = form::shown(view, &args[1]);
                let results = form::shown(view, &args[2]);
                parts.push(match &results[..] {
                    [one] => one.clone(),
                    _ => form::node(view, tuple, results),
                });
                let function = form::node(view, function, parts);
                Ok(Goal::equal(args[0].clone(), function))
            }
            _ => Ok(Goal::fail()),
        }
    }
}

/// `Fields(A, types)`: `A` is the tuple of these.
#[derive(Debug)]
pub(super) struct Fields;

impl Native for Fields {
    fn name(&self) -> &'static str {
        "Fields"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Type), Param::Is(Kind::Type.list())]
    }

    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        shows_one_side(look, args)
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let mut known = context.library.words.labels.clone();
        let (_, tuple) = known.functions();
        match view.walk(&args[0]) {
            Term::Node(label, parts) if label == tuple => {
                let fields = chain(view, &parts);
                Ok(Goal::equal(args[1].clone(), fields))
            }
            Term::Var(_) => {
                let fields = form::shown(view, &args[1]);
                let whole = form::node(view, tuple, fields);
                Ok(Goal::equal(args[0].clone(), whole))
            }
            _ => Ok(Goal::fail()),
        }
    }
}

/// Is the whole known, or how many members each list has? What is known of one side goes to the other, type by type.
fn shows_one_side(look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
    if let Term::Var(v) = look.walk(&args[0]) {
        look.note(v);
        for list in &args[1..] {
            if form::chain_length(look, list)?.is_none() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn chain(view: &mut View<'_>, members: &[Term]) -> Term {
    form::chain(view, members.iter().cloned())
}
