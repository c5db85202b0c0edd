//! [`Query`]: any subset of what a relation is about, as partly known as you like.

use crate::answers::Answers;
use crate::lower::{
    AttrSlot, Given, Identities, SHAPED, TENSOR, Trouble, most_dims, post, sizes, variants,
};
use crate::{AttrValue, Signature, error};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, Domain, Goal, Int, Linear, State, Stop, Stream};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Name, Promotion, Type};
use std::sync::Arc;

/// The steps that a query may take unless it says otherwise.
pub const DEFAULT_BUDGET: u64 = 1_000_000;

/// A question about a signature: what is given of its inputs, outputs and parameters, and how to
/// look for the rest.
///
/// ```
/// use kanshape_infer::{Signature, Verdict};
///
/// let conv: Signature = "[s] (h),(k)->((h - k)//s + 1)".parse()?;
/// let mut answers = conv
///     .query()
///     .inputs(["f32[9]".parse()?, "f32[3]".parse()?])
///     .outputs(["f32[4]".parse()?])
///     .solve()?;
/// assert_eq!(answers.verdict(), Verdict::Always);
/// let strides: Vec<_> = answers.map(|a| a.param("s").unwrap().to_string()).collect();
/// assert_eq!(strides, ["2"]);
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    pub(crate) signature: Signature,
    pub(crate) inputs: Vec<Type>,
    pub(crate) outputs: Vec<Type>,
    pub(crate) params: Vec<(Box<str>, Dim)>,
    /// Of an operator. They are shared, since every question is asked of a copy.
    pub(crate) attrs: Arc<Vec<(Box<str>, AttrValue)>>,
    pub(crate) conditions: Vec<Condition>,
    /// What has to hold as well, as if the signature said it.
    pub(crate) goals: Vec<Condition>,
    pub(crate) promotion: Promotion,
    pub(crate) budget: u64,
    pub(crate) limit: Option<usize>,
    pub(crate) max_rank: Option<u64>,
    pub(crate) ground: Option<Option<u64>>,
    pub(crate) direct: bool,
    pub(crate) plain_sizes: bool,
}

impl Query {
    pub(crate) fn new(signature: Signature) -> Query {
        Query {
            inputs: vec![Type::UNKNOWN; signature.input_count()],
            outputs: vec![Type::UNKNOWN; signature.output_count()],
            signature,
            params: Vec::new(),
            attrs: Arc::default(),
            conditions: Vec::new(),
            goals: Vec::new(),
            promotion: Promotion::default(),
            budget: DEFAULT_BUDGET,
            limit: None,
            max_rank: None,
            ground: None,
            direct: true,
            plain_sizes: false,
        }
    }

    /// The signature it is about.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Gives all inputs. [`Type::UNKNOWN`] is one of which nothing is known.
    #[must_use]
    pub fn inputs(mut self, types: impl IntoIterator<Item = Type>) -> Query {
        self.inputs = types.into_iter().collect();
        self
    }

    /// Gives all outputs.
    #[must_use]
    pub fn outputs(mut self, types: impl IntoIterator<Item = Type>) -> Query {
        self.outputs = types.into_iter().collect();
        self
    }

    /// Gives one input. Beyond the last one, those before it are unknown.
    #[must_use]
    pub fn input(mut self, index: usize, ty: Type) -> Query {
        set(&mut self.inputs, index, ty);
        self
    }

    /// Gives one output.
    #[must_use]
    pub fn output(mut self, index: usize, ty: Type) -> Query {
        set(&mut self.outputs, index, ty);
        self
    }

    /// Gives a parameter, by its label, or the length of a run `.k.`: a size, a name or an
    /// expression. [`Dim::Hole`] asks for it.
    #[must_use]
    pub fn param(mut self, label: &str, value: impl Into<Dim>) -> Query {
        self.params.push((label.into(), value.into()));
        self
    }

    /// Adds a condition between the names of the given types.
    #[must_use]
    pub fn given(mut self, condition: Condition) -> Query {
        self.conditions.push(condition);
        self
    }

    /// What `promote` means.
    #[must_use]
    pub fn promotion(mut self, promotion: Promotion) -> Query {
        self.promotion = promotion;
        self
    }

    /// The steps that may be taken for all of the answers together.
    #[must_use]
    pub fn budget(mut self, steps: u64) -> Query {
        self.budget = steps;
        self
    }

    /// Gives at most so many answers.
    #[must_use]
    pub fn limit(mut self, answers: usize) -> Query {
        self.limit = Some(answers);
        self
    }

    /// No shape has more dims than this.
    #[must_use]
    pub fn max_rank(mut self, rank: u64) -> Query {
        self.max_rank = Some(rank);
        self
    }

    /// Asks for ground answers: every size and rank a number, and each number that is not given at
    /// most this.
    #[must_use]
    pub fn max_dim(mut self, size: u64) -> Query {
        self.ground = Some(Some(size));
        self
    }

    /// Asks for ground answers without a bound on sizes: where there are endlessly many, those with
    /// small numbers come first.
    #[must_use]
    pub fn ground(mut self) -> Query {
        self.ground = self.ground.or(Some(None));
        self
    }

    /// Takes every size with an identity for its plain size: then `6@district` is the same as 6, and as
    /// `6@region`.
    #[must_use]
    pub fn plain_sizes(mut self) -> Query {
        self.plain_sizes = true;
        self
    }

    /// The sizes with an identity that it is about.
    fn identities(&self) -> Identities {
        if self.plain_sizes {
            return Identities::plain();
        }
        let mut identities = Identities::default();
        for nominal in &self.signature.program().identities {
            identities.note(nominal);
        }
        for ty in self.inputs.iter().chain(&self.outputs) {
            identities.note_type(ty);
        }
        for (_, dim) in &self.params {
            identities.note_dim(dim);
        }
        for c in self.conditions.iter().chain(&self.goals) {
            identities.note_condition(c);
        }
        identities
    }

    /// Leaves the shortcut for plain questions aside. The answers are the same.
    #[doc(hidden)]
    #[must_use]
    pub fn without_shortcut(mut self) -> Query {
        self.direct = false;
        self
    }

    /// The answers, found as they are asked for.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the query itself is wrong: the number of operands, an unknown parameter,
    /// a name used for two kinds of things. That there is no solution is no error, but a verdict.
    pub fn solve(&self) -> Result<Answers, Diagnostic> {
        self.check()?;
        Answers::new(self.clone())
    }

    /// The conditions that the user states: of the given types, and of the query.
    pub(crate) fn own_conditions(&self) -> impl Iterator<Item = &Condition> {
        let types = self.inputs.iter().chain(&self.outputs);
        types
            .flat_map(|t| t.conditions.iter())
            .chain(&self.conditions)
    }

    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let (inputs, outputs) = (self.signature.input_count(), self.signature.output_count());
        let program = self.signature.program();
        if inputs == 0 && program.declared > 0 && !self.inputs.is_empty() {
            let declared = &program.params[..program.declared];
            let params: Vec<&str> = declared.iter().map(|p| p.0.as_str()).collect();
            return Err(error::inputs_in_brackets(&params, self.inputs.len()));
        }
        if self.inputs.len() != inputs {
            return Err(error::operand_count("input", inputs, self.inputs.len()));
        }
        if self.outputs.len() != outputs {
            return Err(error::operand_count("output", outputs, self.outputs.len()));
        }
        let params = &self.signature.program().params;
        for (label, _) in &self.params {
            if !params.iter().any(|p| p.0.as_str() == &**label) {
                let known: Vec<&str> = params.iter().map(|p| p.0.as_str()).collect();
                return Err(error::unknown_param(label, &known));
            }
        }
        Ok(())
    }
}

fn set(types: &mut Vec<Type>, index: usize, ty: Type) {
    if types.len() <= index {
        types.resize(index + 1, Type::UNKNOWN);
    }
    types[index] = ty;
}

/// A query as goals: what is given, and the stream of states in which the signature holds of it.
pub(crate) struct Problem {
    pub given: Given,
    pub stream: Stream,
    pub budget: Budget,
    /// Too many variants of optional dims to look at them all.
    pub too_many: bool,
}

impl Problem {
    pub(crate) fn new(query: &Query) -> Result<Problem, Diagnostic> {
        let mut budget = Budget::new(query.budget);
        let mut given = Given::default();
        given.identities = query.identities();
        given.operands.labels = query.signature.program().labels.clone();
        let mut state = State::with_members(given.identities.dims());
        let stated = state_given(query, &mut state, &mut given, &mut budget);
        let (goal, too_many) = match stated {
            Ok(()) => rule(&query.signature, query.promotion, &mut state, &given),
            Err(Trouble::Text(diagnostic)) => return Err(*diagnostic),
            Err(Trouble::Stop(stop)) => (stopped(stop), false),
        };
        let mut stream = Stream::new(state, goal);
        if query.ground.is_some() {
            let operands = given.operands.iter();
            // What a tensor has in it is no part of a ground answer.
            let children = |label| if label == TENSOR { SHAPED } else { usize::MAX };
            stream = stream.measuring(operands.map(|o| given.term(o)), children);
        }
        Ok(Problem {
            given,
            stream,
            budget,
            too_many,
        })
    }
}

/// A goal that ends as the state has ended already.
fn stopped(stop: Stop) -> Goal {
    match stop {
        Stop::Conflict => Goal::fail(),
        other => Goal::later(move |_| Err(other)),
    }
}

fn state_given(
    query: &Query,
    state: &mut State,
    given: &mut Given,
    budget: &mut Budget,
) -> Result<(), Trouble> {
    let params = &query.signature.program().params;
    for ty in query.inputs.iter().chain(&query.outputs) {
        given.declare(state, ty)?;
    }
    let value = |label: &str| {
        let mut given = query.params.iter().rev();
        given.find(|p| &*p.0 == label).map(|p| &p.1)
    };
    for (label, _) in params {
        if let Some(dim) = value(label) {
            given.declare_dim(state, dim)?;
        }
    }
    let mut conflict = None;
    let mut keep = |r: Result<(), Trouble>| match r {
        Err(Trouble::Stop(stop)) => {
            conflict = conflict.or(Some(stop));
            Ok(())
        }
        other => other,
    };
    let program = query.signature.program();
    for (ty, rule) in query.inputs.iter().zip(&program.inputs) {
        let operand = given.operand(state, ty, rule.is_tensor())?;
        given.operands.inputs.push(operand);
    }
    for (ty, rule) in query.outputs.iter().zip(&program.outputs) {
        let operand = given.operand(state, ty, rule.is_tensor())?;
        given.operands.outputs.push(operand);
    }
    for (label, _) in params {
        let form = match value(label) {
            Some(dim) => given.dim(state, dim)?,
            None => Linear::var(state.int(sizes())),
        };
        given.params.push(form);
    }
    if let Some(operator) = &program.operator {
        let words = &operator.library().words;
        for rule in operator.parts().attrs.iter() {
            let own = query.attrs.iter().rev().find(|a| a.0 == rule.name);
            // What has neither a value nor a default is asked for.
            let value = own.map(|a| &a.1).or(rule.default.as_ref());
            let none = if rule.optional {
                &AttrValue::Absent
            } else {
                &AttrValue::Hole
            };
            let value = value.unwrap_or(none);
            let term = given.attribute(state, words, &rule.name, &rule.kind, value)?;
            given.attrs.push(AttrSlot {
                name: Name::from(&*rule.name),
                kind: rule.kind.clone(),
                term,
                asked: value.asks(&rule.kind),
            });
        }
        given.rest = program.has_rest().then(|| state.any());
    }
    let conditions = query.own_conditions().chain(&query.goals);
    keep(given.conditions(state, conditions, query.promotion))?;
    if let Some(most) = query.max_rank {
        for slot in &given.slots {
            let rank = state.length(&slot.shape)?;
            let domain = Domain::interval(0, Int::from(most));
            keep(state.restrict(&rank, &domain).map_err(Trouble::from))?;
        }
        for operand in given.operands.iter() {
            keep(most_dims(state, given.term(operand), most).map_err(Trouble::from))?;
        }
    }
    if let Some(stop) = conflict {
        return Err(stop.into());
    }
    Ok(state.propagate(budget)?)
}

/// The signature as a goal, one way for each set of optional dims that the ranks allow; and whether there
/// are too many of them.
pub(crate) fn rule(
    signature: &Signature,
    promotion: Promotion,
    state: &mut State,
    given: &Given,
) -> (Goal, bool) {
    let program = signature.program();
    let mut ranks = Vec::with_capacity(given.operands.inputs.len());
    if program.optionals > 0 {
        for operand in &given.operands.inputs {
            // What is no tensor drops nothing.
            let none = kanshape_engine::Seq::default();
            let shape = given.tensor(operand).map_or(&none, |s| &s.shape);
            match state.length(shape) {
                Ok(rank) => ranks.push(state.bounds(&rank)),
                Err(stop) => return (stopped(stop), false),
            }
        }
    }
    let Some(mut variants) = variants(program, &ranks) else {
        return (stopped(Stop::Budget), true);
    };
    if variants.len() == 1 {
        // Nothing to choose: no copy of the state is needed.
        let variant = variants.remove(0);
        let goal = match post(state, program, given, &variant, promotion) {
            Ok(goal) => goal,
            Err(stop) => stopped(stop),
        };
        return (goal, false);
    }
    let shared = Arc::new((signature.clone(), given.clone()));
    let ways = variants.into_iter().map(|variant| {
        let shared = Arc::clone(&shared);
        Goal::later(move |state| post(state, shared.0.program(), &shared.1, &variant, promotion))
    });
    (Goal::any(ways), false)
}
