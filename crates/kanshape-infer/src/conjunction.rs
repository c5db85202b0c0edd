//! [`Conjunction`]: all that has to hold at once.

use kanshape_engine::{Goal, State, Term};
use kanshape_rules::encode::{QueryVars, form};
use kanshape_rules::rules::{CallArg, Context, Rule};
use kanshape_rules::run;
use kanshape_types::Promotion;
use std::sync::Arc;

/// All that has to hold at once: of a query, of one case of its answers, of the nodes of a graph. A store, and which of its variables
/// the user has named. Types, conditions and verdicts are read from it in one way, whatever it is of.
#[derive(Clone, Debug)]
pub(crate) struct Conjunction {
    pub state: State,
    pub given: QueryVars,
    pub promotion: Promotion,
}

impl Conjunction {
    /// Nothing has to hold yet.
    pub(crate) fn new(state: State, given: QueryVars, promotion: Promotion) -> Conjunction {
        Conjunction {
            state,
            given,
            promotion,
        }
    }

    /// That a rule holds of these arguments, as a goal. The operands, the parameters of a signature and the values of
    /// attributes have terms; an operand that may be left out is one that is there or not.
    pub(crate) fn call(
        &mut self,
        context: &Arc<Context>,
        rule: &Arc<Rule>,
        args: &[CallArg],
        operands: &[Term],
        params: &[Term],
        attrs: &[Term],
    ) -> Goal {
        let (state, given) = (&mut self.state, &self.given);
        let args = args.iter().map(|arg| match arg {
            CallArg::Param(i) => params[*i].clone(),
            CallArg::Attr(i) => attrs[*i].clone(),
            CallArg::Type(i) => operands[*i].clone(),
            CallArg::Present(i) => form::node(state, form::SOME, [operands[*i].clone()]),
            CallArg::Open(i) => match given.presence(*i) {
                Some(presence) => presence.clone(),
                None => form::node(state, form::SOME, [operands[*i].clone()]),
            },
            CallArg::Absent => form::none(),
            CallArg::Types(all) => form::chain(state, all.iter().map(|i| operands[*i].clone())),
            CallArg::Rest => Term::Var(given.rest.unwrap_or_else(|| state.any())),
        });
        let args = args.collect();
        run::call(context, rule, args)
    }
}
