//! [`Operator`]: an operator of a catalog, and questions about calls of it.

use crate::solve::subject::Subject;
use crate::{Answer, AttrValue, Call, Query, Signature};
use kanshape_diag::Diagnostic;
use kanshape_rules::encode::Kind;
use kanshape_rules::encode::error;
use kanshape_rules::rules::place::Placed;
use kanshape_rules::rules::{self, Library, OpRule};
use kanshape_syntax::relation;
use kanshape_types::{Dim, Name, Type};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An operator: a relation between its attributes, its inputs and its outputs.
///
/// Cloning is cheap. Two operators are equal when they have the same name and version in the same relations.
///
/// ```
/// use kanshape::{Relations, Type};
///
/// let relations = Relations::load_str("mine.kan", "op Flat(x: T[d, ..r]) -> (y: T[d, prod(r)])")?;
/// let flat = relations.operator("Flat", None)?;
/// let answer = flat.call(["f32[2, 3, n]".parse::<Type>()?]).infer()?;
/// assert_eq!(answer.outputs[0].to_string(), "f32[2, 3*n]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Operator {
    library: Arc<Library>,
    rule: Arc<OpRule>,
    /// The signature that it is written as.
    signature: Option<Signature>,
}

/// What an operator takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formal<'a> {
    /// Its name.
    pub name: &'a str,
    /// It may be left out.
    pub optional: bool,
    /// There may be any number of it.
    pub variadic: bool,
}

/// An attribute of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// It may be left out.
    pub optional: bool,
    /// A question has to say something of it: [`Operator::check_required`].
    pub required: bool,
    /// What it is where it is left out.
    pub default: Option<&'a AttrValue>,
    kind: &'a Kind,
}

impl Attribute<'_> {
    /// The kind of its values.
    pub(crate) fn kind_of(&self) -> &Kind {
        self.kind
    }

    /// The kind of its values, in words: `a list of numbers`.
    pub fn kind(&self) -> String {
        self.value_kind().to_string()
    }

    /// The kind of its values where it is not left out.
    fn value_kind(&self) -> &Kind {
        match self.kind {
            Kind::Option(of) => of,
            kind => kind,
        }
    }

    /// Is it a text?
    pub fn is_text(&self) -> bool {
        *self.value_kind() == Kind::Text
    }

    /// Is it a float?
    pub fn is_float(&self) -> bool {
        *self.value_kind() == Kind::Float
    }

    /// Is it a truth value?
    pub fn is_bool(&self) -> bool {
        *self.value_kind() == Kind::Bool
    }

    /// Is it a list, or may it be one?
    pub fn is_list(&self) -> bool {
        matches!(
            self.value_kind(),
            Kind::List(_) | Kind::IntOrInts | Kind::IntOrLists
        )
    }

    /// Is it a type: that of a function, such as the body of a loop, or that of a tensor?
    pub fn is_type(&self) -> bool {
        *self.value_kind() == Kind::Type
    }

    /// Is it a list of types, such as the bodies of a choice?
    pub fn is_list_of_types(&self) -> bool {
        matches!(self.value_kind(), Kind::List(of) if **of == Kind::Type)
    }

    /// Reads a value of it as it is written: `[2, 2]`, `0.5`, `f32`, `fn(f32[2]) -> f32[]`, `SAME_UPPER`, with
    /// quotes or without; `?` queries it.
    ///
    /// # Errors
    /// A [`Diagnostic`] if that is no value of its kind.
    pub fn read(&self, text: &str) -> Result<AttrValue, Diagnostic> {
        AttrValue::read(self.kind, text)
            .ok_or_else(|| error::wrong_attribute(self.name, self.kind, &AttrValue::from(text)))
    }
}

/// Where in an answer the operands of a call stand: for each place of the call its place in the answer, `None` if
/// it is left out. Of inputs that may be left out, [`Places::in_answer`] says it for one answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Of the inputs of the call.
    pub inputs: Vec<Option<usize>>,
    /// Of the outputs that it queries.
    pub outputs: Vec<Option<usize>>,
    /// An answer may have more outputs, which are those of the call as well.
    pub open: bool,
}

impl Places {
    /// The places in this answer, in which more inputs may be left out.
    #[must_use]
    pub fn in_answer(&self, answer: &Answer) -> Places {
        let is_there = |place: &usize| !answer.absent.contains(place);
        let inputs = self.inputs.iter().map(|place| place.filter(is_there));
        Places {
            inputs: inputs.collect(),
            ..self.clone()
        }
    }
}

impl<'a> Formal<'a> {
    fn of(formal: &'a rules::Formal) -> Formal<'a> {
        Formal {
            name: &formal.name,
            optional: formal.optional,
            variadic: formal.variadic,
        }
    }
}

impl Operator {
    pub(crate) fn new(
        library: Arc<Library>,
        rule: Arc<OpRule>,
        signature: Option<Signature>,
    ) -> Operator {
        Operator {
            library,
            rule,
            signature,
        }
    }

    /// What it is called, behind its domain.
    pub fn name(&self) -> &str {
        &self.rule.name
    }

    /// What it is called, with its domain: `onnx::Conv`.
    pub fn full_name(&self) -> String {
        full_name(self.domain(), self.name())
    }

    /// The domain that it belongs to.
    pub fn domain(&self) -> &str {
        &self.rule.domain
    }

    /// The domain as it stands in names: `onnx` for `ai.onnx`.
    pub fn domain_name(&self) -> &str {
        short_domain(self.domain())
    }

    /// The version of the domain from which on it is this.
    pub fn since(&self) -> u64 {
        self.rule.since
    }

    /// What is written about it, without its examples.
    pub fn doc(&self) -> impl Iterator<Item = &str> {
        relation::prose(&self.rule.doc)
    }

    /// Its examples, as they are written: [`crate::Example`] reads them.
    pub fn examples(&self) -> impl Iterator<Item = relation::Example<'_>> {
        relation::examples(&self.rule.doc)
    }

    /// Its rule, as it is written.
    pub fn text(&self) -> &str {
        &self.rule.text
    }

    /// The same as a tree; none of an operator that stands in no text.
    pub fn tree(&self) -> Option<&relation::Op> {
        self.rule.written()
    }

    /// The name of the file where it is written.
    pub fn file(&self) -> &str {
        &self.rule.file
    }

    /// Its attributes.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        self.rule.attrs.iter().map(|a| Attribute {
            name: &a.name,
            optional: a.optional,
            required: a.required,
            default: a.default.as_ref(),
            kind: &a.kind,
        })
    }

    /// One of its attributes.
    ///
    /// # Errors
    /// A [`Diagnostic`] if it has none of this name.
    pub fn attribute(&self, name: &str) -> Result<Attribute<'_>, Diagnostic> {
        self.attributes().find(|a| a.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.attributes().map(|a| a.name).collect();
            error::unknown_attribute(self.name(), name, &known)
        })
    }

    /// Whether it has all of these, each given once.
    pub(crate) fn check_attributes(
        &self,
        given: &[(Box<str>, AttrValue)],
    ) -> Result<(), Diagnostic> {
        // An operator has few attributes, and the first name that is repeated ends the loop.
        for (i, (name, _)) in given.iter().enumerate() {
            self.attribute(name)?;
            if given[..i].iter().any(|(before, _)| before == name) {
                return Err(error::attribute_twice(name));
            }
        }
        Ok(())
    }

    /// Whether these are all attributes of which a question has to say something: `ints!` in its rule. A hole asks for one.
    ///
    /// # Errors
    /// A [`Diagnostic`] that names the first one that is left out.
    pub fn check_required(&self, given: &[(Box<str>, AttrValue)]) -> Result<(), Diagnostic> {
        let is_given = |name: &str| given.iter().any(|(own, _)| **own == *name);
        let mut required = self.rule.attrs.iter().filter(|attr| attr.required);
        match required.find(|attr| !is_given(&attr.name)) {
            Some(attr) => Err(error::attribute_left_out(&self.full_name(), &attr.name)),
            None => Ok(()),
        }
    }

    /// What it takes.
    pub fn inputs(&self) -> impl Iterator<Item = Formal<'_>> {
        self.rule.inputs.iter().map(Formal::of)
    }

    /// What it gives.
    pub fn outputs(&self) -> impl Iterator<Item = Formal<'_>> {
        self.rule.outputs.iter().map(Formal::of)
    }

    /// Its other names.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.rule.aliases.iter().map(Name::as_str)
    }

    /// The signature that it is, if it is written as one. Its parameters are the attributes of the operator.
    pub fn signature(&self) -> Option<&Signature> {
        self.signature.as_ref()
    }

    /// A question about a call.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there are more operands than it has, if one is left out that may not be, or
    /// if it has no such attribute.
    pub fn query(&self, call: Call) -> Result<Query, Diagnostic> {
        self.check_attributes(&call.attrs)?;
        if let Some(signature) = self.signature() {
            return self.query_signature(signature, call);
        }
        let placed = self.placed(&call)?;
        let types = |places: &[Option<usize>], given: &[Option<Type>]| -> Vec<Type> {
            let given = |place: &Option<usize>| given.get((*place)?).cloned().flatten();
            let types = places.iter().map(|p| given(p).unwrap_or_default());
            types.collect()
        };
        let inputs = types(&placed.inputs, &call.inputs);
        let outputs = types(&placed.outputs, call.outputs.as_deref().unwrap_or(&[]));
        let counts = [inputs.len(), outputs.len()];
        let subject = Subject::operator(self, placed.args, counts, Arc::new(call.attrs));
        Ok(Query::new(Arc::new(subject))
            .inputs(inputs)
            .outputs(outputs))
    }

    /// The operands of a call in their places.
    fn placed(&self, call: &Call) -> Result<Placed, Diagnostic> {
        let are_there =
            |all: &[Option<Type>]| -> Vec<bool> { all.iter().map(Option::is_some).collect() };
        let outputs = call.outputs.as_deref().map(are_there);
        self.rule.place(
            &are_there(&call.inputs),
            &call.may_be_absent,
            outputs.as_deref(),
        )
    }

    /// The same of a signature: its rule knows more of how it is written than the operator that has it as a goal.
    fn query_signature(&self, signature: &Signature, call: Call) -> Result<Query, Diagnostic> {
        self.placed(&call)?;
        let mut query = signature.query();
        for (i, ty) in call.inputs.into_iter().enumerate() {
            query = query.input(i, ty.unwrap_or_default());
        }
        for (i, ty) in call.outputs.into_iter().flatten().enumerate() {
            query = query.output(i, ty.unwrap_or_default());
        }
        for (name, value) in call.attrs {
            let wrong = || error::wrong_attribute(&name, &Kind::Int, &value);
            let value = match &value {
                AttrValue::Unknown => continue,
                AttrValue::Hole => Dim::Hole,
                AttrValue::Dim(dim) => dim.clone(),
                AttrValue::Int(n) => Dim::Size(u64::try_from(*n).map_err(|_| wrong())?),
                AttrValue::Text(text) => text.parse()?,
                _ => return Err(wrong()),
            };
            query = query.param(&name, value);
        }
        Ok(query)
    }

    /// The outputs that every call has, with nothing known of them.
    pub fn sure_outputs(&self) -> Vec<Option<Type>> {
        vec![Some(Type::UNKNOWN); self.rule.sure_outputs()]
    }

    /// Where the operands of a call stand in the answers to it.
    pub fn places(&self, call: &Call) -> Places {
        let open = call.outputs.is_none();
        let sure;
        let requested = match &call.outputs {
            Some(outputs) => outputs,
            None => {
                sure = self.sure_outputs();
                &sure
            }
        };
        let count = |next: &mut usize| {
            *next += 1;
            Some(*next - 1)
        };
        let mut next = 0;
        let inputs = call.inputs.iter();
        let inputs = inputs.map(|ty| ty.as_ref().and_then(|_| count(&mut next)));
        let inputs = inputs.collect();
        let mut formals = self.outputs();
        let mut next = 0;
        let outputs = requested.iter().map(|ty| {
            let formal = formals.next();
            match (ty, formal) {
                (Some(_), _) => count(&mut next),
                // It is there, though it is not requested.
                (None, Some(formal)) if !formal.optional => {
                    next += 1;
                    None
                }
                (None, _) => None,
            }
        });
        Places {
            inputs,
            outputs: outputs.collect(),
            open,
        }
    }

    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// The number of its rule.
    pub(crate) fn rule(&self) -> usize {
        self.rule.rule
    }

    pub(crate) fn parts(&self) -> &OpRule {
        &self.rule
    }

    /// Does its rule speak of an attribute? What an answer is does not depend on one of which it does not.
    pub fn speaks_of(&self, name: &str) -> bool {
        let at = self.rule.attrs.iter().position(|attr| *attr.name == *name);
        at.is_some_and(|at| self.library().rule(self.rule.rule).speaks_of(at))
    }
}

/// A domain as it stands in names: without the `ai.` of ONNX's.
pub(crate) fn short_domain(domain: &str) -> &str {
    domain.strip_prefix("ai.").unwrap_or(domain)
}

/// What an operator is called, with its domain: `onnx::Conv`.
pub(crate) fn full_name(domain: &str, name: &str) -> String {
    match short_domain(domain) {
        "" => name.into(),
        domain => format!("{domain}::{name}"),
    }
}

impl Operator {
    fn key(&self) -> (&str, &str, u64, *const Library) {
        let library = Arc::as_ptr(&self.library);
        (self.domain(), self.name(), self.since(), library)
    }
}

impl PartialEq for Operator {
    fn eq(&self, other: &Operator) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Operator {}

impl PartialOrd for Operator {
    fn partial_cmp(&self, other: &Operator) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By domain, name and version.
impl Ord for Operator {
    fn cmp(&self, other: &Operator) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Operator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Operator({}::{} since {})",
            self.domain(),
            self.name(),
            self.since()
        )
    }
}
