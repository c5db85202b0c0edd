//! [`Question`]: texts as a query.

use kanshape::Condition;
use kanshape::operator::Places;
use kanshape::tree::{parse_conditions, split_or_absent};
use kanshape::{
    AttrValue, Call, Diagnostic, Dim, Operator, Promotion, Query, Relations, Signature, Type,
};

use crate::effort::Effort;
use crate::loaded::Subject;
use crate::mistake;
use crate::notation::Notation;
use crate::type_json::TypesAs;

/// What is given, read, and how to look for the rest.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is about.
    pub subject: Subject,
    /// As many as the user gave; without a word of them they are unknown. `None` is one that is left out.
    pub inputs: Option<Vec<Option<Type>>>,
    /// The inputs of an operator that may be left out as well.
    pub may_be_absent: Vec<usize>,
    /// The same as `inputs` of outputs.
    pub outputs: Option<Vec<Option<Type>>>,
    /// Parameters of a signature by name.
    pub params: Vec<(Box<str>, Dim)>,
    /// Attributes of an operator by name.
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// What holds between the names of the given types.
    pub conditions: Vec<Condition>,
    /// Which dtypes go together.
    pub promotion: Promotion,
    /// How long it may take.
    pub effort: Effort,
    /// How types are written in JSON.
    pub types: TypesAs,
    /// How types are read and written.
    pub notation: Notation,
    /// At most this many answers.
    pub limit: Option<usize>,
    /// No shape has more dims.
    pub max_rank: Option<u64>,
    /// Every size with an identity is taken for its plain size.
    pub plain_sizes: bool,
    /// No size is larger where it is not given.
    pub max_dim: Option<u64>,
    /// Are all sizes to be numbers?
    pub ground: bool,
    /// Where there is no solution, are all reasons requested?
    pub all: bool,
}

impl Question {
    /// A question about a signature or an operator, with nothing given yet.
    pub fn new(subject: Subject) -> Question {
        Question {
            subject,
            inputs: None,
            may_be_absent: Vec::new(),
            outputs: None,
            params: Vec::new(),
            attrs: Vec::new(),
            conditions: Vec::new(),
            promotion: Promotion::default(),
            effort: Effort::default(),
            types: TypesAs::default(),
            notation: Notation::default(),
            limit: None,
            max_rank: None,
            plain_sizes: false,
            max_dim: None,
            ground: false,
            all: false,
        }
    }

    /// The query about the operator or function of this name, as `fill` makes it. A function of torch has several overloads: the first is
    /// chosen that accepts what is given; those in which a word would be the name of a size come last, also where the name is that of one.
    ///
    /// # Errors
    /// What is wrong about the first one.
    pub fn about<E>(
        name: &str,
        subject: Subject,
        relations: &Relations,
        fill: impl Fn(Subject) -> Result<Question, E>,
    ) -> Result<Question, E> {
        let Subject::Operator(operator) = subject else {
            return fill(subject);
        };
        let overloads = kanshape_torch::overloads(relations, name, &operator);
        if overloads.len() < 2 {
            let own = fill(Subject::Operator(operator.clone()))?;
            if own.words_for_sizes() == 0 {
                return Ok(own);
            }
            let all = kanshape_torch::all_overloads(relations, name, &operator).into_iter();
            let mut others = all.filter_map(|other| fill(Subject::Operator(other)).ok());
            let fits = |one: &Question| {
                one.words_for_sizes() == 0 && kanshape_torch::may_hold(one.query())
            };
            return Ok(others.find(fits).unwrap_or(own));
        }
        let subject = Subject::Operator(operator);
        let found = overloads.into_iter().map(Subject::Operator).map(&fill);
        let mut found: Vec<Question> = found.filter_map(Result::ok).collect();
        found.sort_by_key(Question::words_for_sizes);
        let first = found
            .iter()
            .position(|one| kanshape_torch::may_hold(one.query()));
        match (found.len(), first) {
            (0, _) => fill(subject),
            (_, first) => Ok(found.swap_remove(first.unwrap_or(0))),
        }
    }

    /// How many attributes are a word that is read as the name of a size.
    fn words_for_sizes(&self) -> usize {
        match &self.subject {
            Subject::Operator(operator) => kanshape_torch::words_for_sizes(operator, &self.attrs),
            Subject::Signature(_) => 0,
        }
    }

    /// Gives all inputs and outputs; none are no word of them.
    ///
    /// # Errors
    /// A [`Diagnostic`] if one of them is no operand.
    pub fn give_operands(
        &mut self,
        inputs: &[impl AsRef<str>],
        outputs: &[impl AsRef<str>],
    ) -> Result<(), Diagnostic> {
        if !inputs.is_empty() {
            let mut types = Vec::with_capacity(inputs.len());
            for (i, text) in inputs.iter().enumerate() {
                let (ty, is_open) = self.input(text.as_ref(), || format!("input {i}"))?;
                self.may_be_absent.extend(is_open.then_some(i));
                types.push(ty);
            }
            self.inputs = Some(types);
        }
        if !outputs.is_empty() {
            let texts = outputs.iter().map(AsRef::as_ref).enumerate();
            let types = texts.map(|(i, text)| self.output(text, || format!("output {i}")));
            self.outputs = Some(types.collect::<Result<_, _>>()?);
        }
        Ok(())
    }

    /// Reads an input: of an operator, `-` is one that is left out, and `f32[2] or -` one that may be, of which it is true that
    /// its presence is open.
    ///
    /// # Errors
    /// A [`Diagnostic`] if that is no type.
    pub fn input(
        &self,
        text: &str,
        name: impl FnOnce() -> String,
    ) -> Result<(Option<Type>, bool), Diagnostic> {
        let before = match &self.subject {
            Subject::Operator(_) => split_or_absent(text),
            Subject::Signature(_) => None,
        };
        let ty = self.output(before.unwrap_or(text), name)?;
        Ok((ty, before.is_some()))
    }

    /// Reads an output: of an operator, `-` is one that is left out.
    ///
    /// # Errors
    /// A [`Diagnostic`] if that is no type.
    pub fn output(
        &self,
        text: &str,
        name: impl FnOnce() -> String,
    ) -> Result<Option<Type>, Diagnostic> {
        match &self.subject {
            Subject::Operator(_) if text.trim() == "-" => Ok(None),
            _ => {
                let read = self.notation.read(text);
                read.map(Some).map_err(|d| named(d, name))
            }
        }
    }

    /// Gives an attribute of an operator, or a parameter of a signature: `strides` and `[2, 2]`.
    pub fn give(&mut self, name: &str, value: &str) -> Result<(), Diagnostic> {
        match &self.subject {
            Subject::Operator(operator) => {
                let value = operator.attribute(name)?.read(value)?;
                self.attrs.push((name.into(), value));
            }
            Subject::Signature(_) => self.params.push((name.into(), param_value(name, value)?)),
        }
        Ok(())
    }

    /// All inputs of the question: without a word of them, those that have to be there.
    pub fn all_inputs(&self) -> Vec<Option<Type>> {
        match (&self.inputs, &self.subject) {
            (Some(given), _) => given.clone(),
            (None, Subject::Signature(s)) => vec![Some(Type::UNKNOWN); s.input_count()],
            // One of those of which there can be any number.
            (None, Subject::Operator(op)) => {
                let needed = op.inputs().filter(|f| !f.optional);
                needed.map(|_| Some(Type::UNKNOWN)).collect()
            }
        }
    }

    /// All outputs of the question, but for those of which an answer can have any number.
    pub fn all_outputs(&self) -> Vec<Option<Type>> {
        let mut all = self.outputs.clone().unwrap_or_default();
        match &self.subject {
            Subject::Signature(s) if all.len() < s.output_count() => {
                all.resize(s.output_count(), Some(Type::UNKNOWN));
            }
            Subject::Operator(op) if self.outputs.is_none() => all = op.sure_outputs(),
            _ => {}
        }
        all
    }

    /// Can an answer have more outputs than those?
    pub fn has_more_outputs(&self) -> bool {
        match &self.subject {
            Subject::Operator(op) => self.outputs.is_none() && op.outputs().any(|f| f.variadic),
            Subject::Signature(_) => false,
        }
    }

    /// Where the operands of the question stand in its answers; none if they stand as they do there.
    pub fn places(&self) -> Option<Places> {
        match &self.subject {
            Subject::Operator(operator) => Some(operator.places(&self.call())),
            Subject::Signature(_) => None,
        }
    }

    fn call(&self) -> Call {
        Call {
            inputs: self.all_inputs(),
            outputs: self.outputs.clone(),
            attrs: self.attrs.clone(),
            may_be_absent: self.may_be_absent.clone(),
        }
    }

    /// The query, ready to be solved.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the operator can't be called so.
    pub fn query(&self) -> Result<Query, Diagnostic> {
        let mut query = match &self.subject {
            Subject::Signature(signature) => self.of_signature(signature),
            Subject::Operator(operator) => self.of_operator(operator)?,
        };
        for (label, value) in &self.params {
            query = query.param(label, value.clone());
        }
        for condition in &self.conditions {
            query = query.given(condition.clone());
        }
        query = query
            .promotion(self.promotion)
            .budget(self.effort.steps())
            .control(self.effort.control());
        if let Some(limit) = self.limit {
            query = query.limit(limit);
        }
        if self.plain_sizes {
            query = query.plain_sizes();
        }
        if let Some(rank) = self.max_rank {
            query = query.max_rank(rank);
        }
        if let Some(size) = self.max_dim {
            query = query.max_dim(size);
        }
        Ok(if self.ground { query.ground() } else { query })
    }

    fn of_operator(&self, operator: &Operator) -> Result<Query, Diagnostic> {
        if let Some((name, _)) = self.params.first() {
            return Err(mistake::no_params(&operator.full_name(), name));
        }
        operator.check_required(&self.attrs)?;
        operator.query(self.call())
    }

    fn of_signature(&self, signature: &Signature) -> Query {
        let mut query = signature.query();
        if let Some(inputs) = &self.inputs {
            query = query.inputs(inputs.iter().flatten().cloned());
        }
        let outputs = self.outputs.iter().flatten().flatten();
        for (i, ty) in outputs.enumerate() {
            query = query.output(i, ty.clone());
        }
        query
    }
}

/// A type, and what its text is called where it is wrong.
pub fn ty(text: &str, name: impl FnOnce() -> String) -> Result<Type, Diagnostic> {
    text.parse().map_err(|d| named(d, name))
}

/// The value of a parameter: a number, a name, an expression or `?`.
pub fn param_value(name: &str, text: &str) -> Result<Dim, Diagnostic> {
    Dim::param(text).map_err(|d| named(d, || format!("param {name}")))
}

/// What stands behind `where`.
pub fn conditions(text: &str) -> Result<Vec<Condition>, Diagnostic> {
    let read = parse_conditions(text).map_err(|d| named(d, || "where".into()))?;
    Ok(read.into_iter().map(|c| c.node).collect())
}

/// Says which of the texts it was that is wrong.
fn named(mut diagnostic: Diagnostic, name: impl FnOnce() -> String) -> Diagnostic {
    if let Some(source) = &mut diagnostic.source {
        source.name = name();
    }
    diagnostic
}
