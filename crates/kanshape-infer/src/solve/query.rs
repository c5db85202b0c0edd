//! [`Query`]: any subset of what a relation is about, as partly known as you like.

use super::answers::Answers;
use crate::solve::subject::Subject;
use crate::{Answer, AttrValue, Operator, Signature};
use kanshape_diag::Diagnostic;
use kanshape_engine::Control;
use kanshape_rules::encode::Identities;
use kanshape_rules::encode::error;
use kanshape_syntax::tree::{self, Condition};
use kanshape_types::{Conditions, Dim, DtypeSet, Name, Promotion, Type};
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// A question about a signature: what is given of its inputs, outputs and parameters, and how to
/// look for the rest.
///
/// ```
/// use kanshape::{Signature, Verdict};
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
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone)]
pub struct Query {
    pub(crate) subject: Arc<Subject>,
    pub(crate) inputs: Vec<Type>,
    pub(crate) outputs: Vec<Type>,
    pub(crate) params: Vec<(Box<str>, Dim)>,
    /// Of an operator. They are shared, since every question takes a copy of the query.
    pub(crate) attrs: Arc<Vec<(Box<str>, AttrValue)>>,
    pub(crate) conditions: Vec<Condition>,
    /// What has to hold as well, as if the signature said it.
    pub(crate) goals: Vec<Condition>,
    pub(crate) promotion: Promotion,
    pub(crate) budget: u64,
    /// What ends it besides its steps.
    pub(crate) control: Control,
    pub(crate) limit: Option<usize>,
    pub(crate) max_rank: Option<u64>,
    pub(crate) ground: bool,
    /// The largest size of a ground answer.
    pub(crate) max_dim: Option<u64>,
    /// The least size that a sample chooses.
    pub(crate) min_dim: u64,
    /// What the names that answers make up begin with.
    pub(crate) fresh: Option<Box<str>>,
    pub(crate) direct: bool,
    /// Relations require nothing that need not hold.
    pub(crate) exact: bool,
    pub(crate) plain_sizes: bool,
    /// The dtypes that a sample has where it may.
    pub(crate) preferred: DtypeSet,
    /// What explanations call the operands.
    pub(crate) labels: Option<Arc<Labels>>,
}

/// What explanations call the text of a signature and its operands.
#[derive(Debug)]
pub(crate) struct Labels {
    pub(crate) source: Box<str>,
    /// Inputs and then outputs.
    pub(crate) operands: Vec<Box<str>>,
}

impl Query {
    /// The steps that a query may take unless it says otherwise.
    pub const DEFAULT_BUDGET: u64 = 1_000_000;

    pub(crate) fn new(subject: Arc<Subject>) -> Query {
        Query {
            inputs: vec![Type::UNKNOWN; subject.inputs],
            outputs: vec![Type::UNKNOWN; subject.outputs],
            params: Vec::new(),
            attrs: Arc::clone(&subject.attrs),
            subject,
            conditions: Vec::new(),
            goals: Vec::new(),
            promotion: Promotion::default(),
            budget: Query::DEFAULT_BUDGET,
            control: Control::default(),
            limit: None,
            max_rank: None,
            ground: false,
            max_dim: None,
            min_dim: 0,
            fresh: None,
            direct: true,
            exact: false,
            plain_sizes: false,
            preferred: DtypeSet::ANY,
            labels: None,
        }
    }

    /// The signature that it is about, if it is one.
    pub fn signature(&self) -> Option<Signature> {
        Signature::of_subject(&self.subject)
    }

    /// The operator that it is about, if it is one.
    pub fn operator(&self) -> Option<&Operator> {
        self.subject.called()
    }

    /// Gives all inputs. [`Type::UNKNOWN`] is one of which nothing is known.
    #[must_use]
    pub fn inputs(mut self, types: impl IntoIterator<Item = Type>) -> Query {
        let own = types.into_iter().map(|ty| self.subject.adopted(ty));
        self.inputs = own.collect();
        self
    }

    /// Gives all outputs.
    #[must_use]
    pub fn outputs(mut self, types: impl IntoIterator<Item = Type>) -> Query {
        let own = types.into_iter().map(|ty| self.subject.adopted(ty));
        self.outputs = own.collect();
        self
    }

    /// Gives one input. Beyond the last one, those before it are unknown.
    #[must_use]
    pub fn input(mut self, index: usize, ty: Type) -> Query {
        set(&mut self.inputs, index, self.subject.adopted(ty));
        self
    }

    /// Gives one output.
    #[must_use]
    pub fn output(mut self, index: usize, ty: Type) -> Query {
        set(&mut self.outputs, index, self.subject.adopted(ty));
        self
    }

    /// Gives a parameter, by its label, or the length of a run `.k.`: a size, a name or an
    /// expression. [`Dim::Hole`] queries it.
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

    /// What ends it besides its steps: a deadline, or a flag that another thread sets. Its verdict is then unknown, and its
    /// answers are not complete. It holds for [`Query::explain`] as well.
    #[must_use]
    pub fn control(mut self, control: Control) -> Query {
        self.control = control;
        self
    }

    /// Ends the search where `stop` is true, which is called about every millisecond of it: a deadline, or a user who no
    /// longer waits. It ends as one does that is out of budget.
    ///
    /// ```
    /// use kanshape::{Signature, Verdict};
    /// use std::time::{Duration, Instant};
    ///
    /// let hard: Signature = "(a,b,c)->() where a*a*a + b*b*b == c*c*c, a >= 1, b >= 1".parse()?;
    /// let end = Instant::now() + Duration::from_millis(20);
    /// let query = hard.query().budget(u64::MAX).ground().stop_if(move || Instant::now() > end);
    /// let mut answers = query.solve()?;
    /// assert_eq!(answers.verdict(), Verdict::Unknown);
    /// assert!(answers.is_stopped());
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn stop_if(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Query {
        self.control = self.control.until(stop);
        self
    }

    /// Gives at most this number of answers.
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

    /// Enumerates: every size and rank of an answer is a number. Where there are endlessly many, those with small
    /// numbers come first; [`Query::max_dim`] and [`Query::max_rank`] bound them.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let add: Signature = "+(),()->()".parse()?;
    /// let pairs = add.query().output(0, "f32[8, 7]".parse()?).max_rank(2).ground().max_dim(8).solve()?;
    /// assert_eq!(pairs.count(), 17);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn ground(mut self) -> Query {
        self.ground = true;
        self
    }

    /// No size of a ground answer is larger, where it is not given. It is about ground answers alone: without
    /// [`Query::ground`] the query can't be solved.
    #[must_use]
    pub fn max_dim(mut self, size: u64) -> Query {
        self.max_dim = Some(size);
        self
    }

    /// No size that a [sample](Query::sample) chooses is less. One that the rule fixes is what it is.
    ///
    /// ```
    /// use kanshape::{Signature, choice::By};
    ///
    /// let dot: Signature = "(n),(n)->()".parse()?;
    /// let smallest = dot.query().min_dim(1).sample(&mut By(|_| 0))?;
    /// assert_eq!(smallest.to_string(), "f32[1], f32[1] -> f32[]");
    /// # Ok::<(), kanshape::Error>(())
    /// ```
    #[must_use]
    pub fn min_dim(mut self, size: u64) -> Query {
        self.min_dim = size;
        self
    }

    /// The dtypes that a sample has wherever the rule lets it choose ([`Query::sample`]).
    #[must_use]
    pub fn prefer(mut self, dtypes: DtypeSet) -> Query {
        self.preferred = dtypes;
        self
    }

    /// What an explanation calls the text of the signature, and its inputs and then its outputs, instead of `input 0`: the arguments of
    /// a function, for example.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let dot: Signature = "(n),(n)->()".parse()?;
    /// let query = dot.query().inputs(["f32[2]".parse()?, "f32[3]".parse()?]);
    /// let conflict = query.called("dot", ["`x`", "`y`", "the result"]).explain().unwrap();
    /// assert_eq!(conflict.message(), "`x` and `y` disagree about `n`");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn called<'a>(
        mut self,
        source: &str,
        operands: impl IntoIterator<Item = &'a str>,
    ) -> Query {
        self.labels = Some(Arc::new(Labels {
            source: source.into(),
            operands: operands.into_iter().map(Into::into).collect(),
        }));
        self
    }

    /// Names that answers make up (`d0`, `t0`) begin with this, so that those of one answer are none of another. What can't begin
    /// a name is refused when the query is solved.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let add: Signature = "+(),()->()".parse()?;
    /// let given = ["f32[n]".parse()?, "f32[m]".parse()?];
    /// let answer = add.query().inputs(given).fresh("add1_").one()?;
    /// assert_eq!(answer.output(0).unwrap().to_string(), "f32[add1_d0] where add1_d0 == broadcast(n, m)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fresh(mut self, prefix: &str) -> Query {
        self.fresh = Some(prefix.into());
        self
    }

    /// An answer with its names as the query wants them.
    pub(crate) fn named(&self, answer: Answer) -> Answer {
        let Some(prefix) = &self.fresh else {
            return answer;
        };
        let mut own: FxHashSet<Box<str>> = FxHashSet::default();
        let mut note = |name: &str| {
            own.insert(name.into());
        };
        self.inputs
            .iter()
            .chain(&self.outputs)
            .for_each(|ty| ty.for_each_name(&mut note));
        self.params
            .iter()
            .for_each(|(_, dim)| dim.for_each_name(&mut note));
        self.attrs
            .iter()
            .for_each(|(_, value)| value.for_each_name(&mut note));
        let conditions = self.conditions.iter().chain(&self.goals).cloned();
        conditions.collect::<Conditions>().for_each_name(&mut note);
        answer.map_names(&mut |name| {
            if own.contains(name) {
                return Name::word(name);
            }
            let mut fresh = format!("{prefix}{name}");
            while own.contains(&*fresh) {
                fresh.push('_');
            }
            Name::word(fresh)
        })
    }

    /// Takes every size with an identity for its plain size: then `6@district` is the same as 6, and as
    /// `6@region`.
    #[must_use]
    pub fn plain_sizes(mut self) -> Query {
        self.plain_sizes = true;
        self
    }

    /// The sizes with an identity that it is about.
    pub(crate) fn identities(&self) -> Identities {
        if self.plain_sizes {
            return Identities::plain();
        }
        let mut identities = Identities::default();
        for nominal in &self.subject.identities {
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

    /// The answers, found as they are queried.
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

    /// What is given of a parameter.
    pub(crate) fn given_param(&self, label: &str) -> Option<&Dim> {
        param_among(&self.params, label)
    }

    /// What is given of an operand, counted from the first input, the outputs behind the inputs.
    pub(crate) fn operand(&self, i: usize) -> &Type {
        match i.checked_sub(self.inputs.len()) {
            None => &self.inputs[i],
            Some(j) => &self.outputs[j],
        }
    }

    pub(crate) fn operand_mut(&mut self, i: usize) -> &mut Type {
        match i.checked_sub(self.inputs.len()) {
            None => &mut self.inputs[i],
            Some(j) => &mut self.outputs[j],
        }
    }

    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let subject = &self.subject;
        let (inputs, outputs) = (subject.inputs, subject.outputs);
        if inputs == 0 && subject.declared > 0 && !self.inputs.is_empty() {
            let declared = &subject.params[..subject.declared];
            let params: Vec<&str> = declared.iter().map(Name::as_str).collect();
            return Err(error::inputs_in_brackets(&params, self.inputs.len()));
        }
        if self.max_dim.is_some() && !self.ground {
            return Err(error::max_dim_without_ground());
        }
        if let Some(prefix) = &self.fresh
            && !begins_a_name(prefix)
        {
            return Err(error::no_prefix(prefix));
        }
        if self.inputs.len() != inputs {
            let wrong = error::operand_count("input", inputs, self.inputs.len());
            return Err(match self.in_parentheses() {
                Some(text) => wrong.with_help(format!(
                    "the dims of an operand stand in parentheses: `{text}`"
                )),
                None => wrong,
            });
        }
        if self.outputs.len() != outputs {
            return Err(error::operand_count("output", outputs, self.outputs.len()));
        }
        let params = &subject.params;
        for (label, _) in &self.params {
            if !params.iter().any(|p| p.as_str() == &**label) {
                let known: Vec<&str> = params.iter().map(Name::as_str).collect();
                return Err(error::unknown_param(label, &known));
            }
        }
        Ok(())
    }

    /// The signature with parentheses, if it has names alone where one operand is given on a side: `m,n->n` is about values
    /// of three types, and was meant to be about dims.
    fn in_parentheses(&self) -> Option<String> {
        let signature = self.signature()?;
        let tree = signature.tree();
        let names = |operands: &[tree::Operand]| -> Option<String> {
            let name = |operand: &tree::Operand| match &operand.pattern {
                tree::Pattern::Type(ty) => match &ty.node {
                    tree::Type::Name(name) => Some(name.node.to_string()),
                    _ => None,
                },
                tree::Pattern::Shape(_) => None,
            };
            let names: Option<Vec<String>> = operands.iter().map(name).collect();
            Some(format!("({})", names?.join(",")))
        };
        let is_meant = self.inputs.len() == 1 && tree.inputs.len() > 1;
        let (inputs, outputs) = (names(&tree.inputs)?, names(&tree.outputs)?);
        is_meant.then(|| format!("{inputs}->{outputs}"))
    }
}

/// What it is about, and what is given.
impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operator(), self.signature()) {
            (Some(operator), _) => f.write_str(&operator.full_name())?,
            (None, Some(signature)) => write!(f, "{signature}")?,
            (None, None) => f.write_str("a relation")?,
        }
        let given = Answer {
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            params: self
                .params
                .iter()
                .map(|(label, dim)| (Name::word(&**label), dim.clone()))
                .collect(),
            attrs: self
                .attrs
                .iter()
                .map(|(name, value)| (Name::word(&**name), value.clone()))
                .collect(),
            conditions: self.conditions.iter().chain(&self.goals).cloned().collect(),
            absent: Vec::new(),
        };
        write!(f, " given {given}")
    }
}

/// Is it a name with a letter and digits behind it?
fn begins_a_name(prefix: &str) -> bool {
    format!("{prefix}d0")
        .parse()
        .is_ok_and(|dim| matches!(dim, Dim::Name(_)))
}

/// What is given of a parameter: the last word counts.
pub(crate) fn param_among<'p>(params: &'p [(Box<str>, Dim)], label: &str) -> Option<&'p Dim> {
    let mut given = params.iter().rev();
    given.find(|p| *p.0 == *label).map(|p| &p.1)
}

fn set(types: &mut Vec<Type>, index: usize, ty: Type) {
    if types.len() <= index {
        types.resize(index + 1, Type::UNKNOWN);
    }
    types[index] = ty;
}
