//! Strategies of `proptest`: calls whose inputs fit a rule, or just don't.
//!
//! A value is made from a list of choices ([`Query::sample`]) and shrinks by making these smaller, so that what it
//! shrinks to fits as well.

use crate::{AttrValue, By, Call, Error, Operator, Prepared, Query, Signature};
use kanshape_types::DtypeSet;
use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt;

/// Samples that are tried until there is one: not every operator has one for every number of operands.
const ATTEMPTS: usize = 32;

/// A rule of which calls can be made: an operator, an operator with its attributes fixed, or a signature.
pub trait Rule: Clone + fmt::Debug {
    /// A call of it about whose operands nothing is known, and the query about that.
    ///
    /// # Errors
    /// A [`Diagnostic`](kanshape_diag::Diagnostic) if it has no such call.
    fn some_query(&self, choose: &mut dyn FnMut(u64) -> u64) -> Result<(Call, Query), Error>;

    /// The call with the inputs and the attributes of an answer.
    fn filled(&self, call: &Call, answer: &crate::Answer) -> Call;
}

impl Rule for Operator {
    fn some_query(&self, choose: &mut dyn FnMut(u64) -> u64) -> Result<(Call, Query), Error> {
        let call = self.some_call(&mut By(choose));
        let query = self.query(call.clone())?;
        Ok((call, query))
    }

    fn filled(&self, call: &Call, answer: &crate::Answer) -> Call {
        call.filled(self, answer)
    }
}

impl Rule for Signature {
    fn some_query(&self, _: &mut dyn FnMut(u64) -> u64) -> Result<(Call, Query), Error> {
        Ok((Call::default(), self.query()))
    }

    fn filled(&self, _: &Call, answer: &crate::Answer) -> Call {
        of_answer(answer)
    }
}

impl Rule for Prepared {
    fn some_query(&self, _: &mut dyn FnMut(u64) -> u64) -> Result<(Call, Query), Error> {
        Ok((Call::default(), self.query()))
    }

    fn filled(&self, _: &Call, answer: &crate::Answer) -> Call {
        of_answer(answer)
    }
}

/// The inputs of an answer as a call; its parameters are the attributes.
fn of_answer(answer: &crate::Answer) -> Call {
    let params = answer.params.iter();
    let params = params.map(|(name, dim)| (name.as_str().into(), AttrValue::Dim(dim.clone())));
    let attrs = answer.attrs.iter();
    let attrs = attrs.map(|(name, value)| (name.as_str().into(), value.clone()));
    Call {
        inputs: answer
            .inputs
            .iter()
            .enumerate()
            .map(|(i, ty)| {
                let is_there = !answer.absent.contains(&i);
                is_there.then(|| ty.clone())
            })
            .collect(),
        attrs: params.chain(attrs).collect(),
        ..Call::default()
    }
}

/// Calls that a rule takes: small ones, with ranks and sizes from 0 on.
///
/// ```
/// use kanshape::{Signature, Verdict, proptest::inputs};
/// use proptest::{proptest, prop_assert_eq};
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// proptest!(|(call in inputs(&matmul).max_dim(3))| {
///     let inputs: Vec<_> = call.inputs.into_iter().flatten().collect();
///     prop_assert_eq!(matmul.check(&inputs, &[]).unwrap(), Verdict::Always);
/// });
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn inputs<R: Rule>(rule: &R) -> Calls<R> {
    Calls::new(rule, false)
}

/// Calls that a rule refuses, each of them one that it takes but for one dim, one dtype or one rank.
///
/// ```
/// use kanshape::{Signature, Verdict, proptest::almost};
/// use proptest::{proptest, prop_assert_eq};
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// proptest!(|(call in almost(&matmul))| {
///     let inputs: Vec<_> = call.inputs.into_iter().flatten().collect();
///     prop_assert_eq!(matmul.check(&inputs, &[]).unwrap(), Verdict::Never);
/// });
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn almost<R: Rule>(rule: &R) -> Calls<R> {
    Calls::new(rule, true)
}

/// Calls of a rule: [`inputs`], [`almost`].
#[derive(Clone, Debug)]
pub struct Calls<R> {
    rule: R,
    almost: bool,
    max_rank: u64,
    max_dim: u64,
    dtypes: DtypeSet,
}

impl<R: Rule> Calls<R> {
    fn new(rule: &R, almost: bool) -> Calls<R> {
        Calls {
            rule: rule.clone(),
            almost,
            max_rank: Query::SAMPLE_MAX_RANK,
            max_dim: Query::SAMPLE_MAX_DIM,
            dtypes: DtypeSet::ANY,
        }
    }

    /// No operand has more dims.
    #[must_use]
    pub fn max_rank(mut self, rank: u64) -> Calls<R> {
        self.max_rank = rank;
        self
    }

    /// No size is greater.
    #[must_use]
    pub fn max_dim(mut self, size: u64) -> Calls<R> {
        self.max_dim = size;
        self
    }

    /// The dtypes that operands have, wherever the rule takes one of these.
    #[must_use]
    pub fn prefer(mut self, dtypes: DtypeSet) -> Calls<R> {
        self.dtypes = dtypes;
        self
    }

    /// The call that these choices come to.
    fn call(&self, choose: &mut dyn FnMut(u64) -> u64) -> Result<Call, Error> {
        let (call, query) = self.rule.some_query(choose)?;
        let query = query.max_rank(self.max_rank).max_dim(self.max_dim);
        let query = query.prefer(self.dtypes);
        let answer = match self.almost {
            false => query.sample(&mut By(choose))?,
            true => query.near_miss(&mut By(choose))?,
        };
        Ok(self.rule.filled(&call, &answer))
    }
}

impl<R: Rule> Strategy for Calls<R> {
    type Tree = CallTree<R>;
    type Value = Call;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            let mut choices = Vec::new();
            let found = self.call(&mut |ways| {
                let choice = runner.rng().next_u64() % ways.max(1);
                choices.push(choice);
                choice
            });
            match found {
                Ok(call) => {
                    return Ok(CallTree {
                        strategy: self.clone(),
                        choices,
                        call,
                        at: 0,
                        least: 0,
                        before: None,
                    });
                }
                Err(why) => last = why.to_string(),
            }
        }
        Err(format!("no call of {:?} was found: {last}", self.rule).into())
    }
}

/// A call that shrinks: its choices are made smaller one after the other, each as far as the test still fails.
#[derive(Clone, Debug)]
pub struct CallTree<R> {
    strategy: Calls<R>,
    choices: Vec<u64>,
    call: Call,
    /// The choice that is made smaller.
    at: usize,
    /// No smaller value of it makes the test fail.
    least: u64,
    /// What was before the last step.
    before: Option<(Vec<u64>, Call)>,
}

impl<R: Rule> ValueTree for CallTree<R> {
    type Value = Call;

    fn current(&self) -> Call {
        self.call.clone()
    }

    fn simplify(&mut self) -> bool {
        self.before = None;
        while let Some(&choice) = self.choices.get(self.at) {
            if self.least >= choice {
                self.at += 1;
                self.least = 0;
                continue;
            }
            let smaller = self.least + (choice - self.least) / 2;
            let mut choices = self.choices.clone();
            choices[self.at] = smaller;
            if let Some((choices, call)) = self.replay(choices)
                && call != self.call
            {
                let choices = std::mem::replace(&mut self.choices, choices);
                let call = std::mem::replace(&mut self.call, call);
                self.before = Some((choices, call));
                return true;
            }
            self.least = smaller + 1;
        }
        false
    }

    fn complicate(&mut self) -> bool {
        let Some((choices, call)) = self.before.take() else {
            return false;
        };
        self.least = self.choices.get(self.at).map_or(0, |tried| tried + 1);
        self.choices = choices;
        self.call = call;
        self.simplify()
    }
}

impl<R: Rule> CallTree<R> {
    /// The call of these choices, and the choices that it made: fewer or others may be needed, since each depends on those before.
    fn replay(&self, choices: Vec<u64>) -> Option<(Vec<u64>, Call)> {
        let mut made = Vec::new();
        let call = self.strategy.call(&mut |ways| {
            let choice = choices.get(made.len()).copied().unwrap_or(0);
            let choice = choice.min(ways.saturating_sub(1));
            made.push(choice);
            choice
        });
        Some((made, call.ok()?))
    }
}
