//! [`Subject`]: what a query is about.

use super::relations::standard_library;
use super::template::Template;
use crate::{AttrValue, Operator, Query};
use kanshape_diag::Diagnostic;
use kanshape_rules::encode::{Kind, Labels};
use kanshape_rules::eval::{LoadedAttrs, RuleCall, Schemes};
use kanshape_rules::rules::{CallArg, Clause, Compiled, Library, Rule};
use kanshape_syntax::tree;
use kanshape_types::{Name, Nominal, Promotion, Type, Vocabulary};
use std::sync::{Arc, OnceLock};

/// A rule, and where the parameters and the operands of a query stand among its arguments.
///
/// Whether the rule was written as a signature, as an operator or as a relation makes no difference to how a query
/// about it is answered.
#[derive(Debug)]
pub(crate) struct Subject {
    pub rule: Arc<Rule>,
    /// What the rule calls is defined here.
    pub library: Arc<Library>,
    pub args: Box<[CallArg]>,
    pub inputs: usize,
    pub outputs: usize,
    /// For each operand, the outputs behind the inputs: is it a pattern of dims, so that it is a tensor?
    tensors: Box<[bool]>,
    /// What the parameters are called.
    pub params: Vec<Name>,
    /// How many of these are declared in brackets; the others are lengths of runs.
    pub declared: usize,
    /// What the nodes of types in it are called.
    pub labels: Labels,
    /// The sizes with an identity in it.
    pub identities: Vec<Nominal>,
    /// The types of one's own that can be among the operands.
    types: Vocabulary,
    pub written: RuleSource,
    /// The attributes of an operator that are fixed.
    pub attrs: Arc<Vec<(Box<str>, AttrValue)>>,
    /// The same, read for calculations. `None` if they are left to the engine.
    loaded: OnceLock<Option<Box<LoadedAttrs>>>,
    /// The rule, stated and propagated. `None` if that takes too much.
    template: OnceLock<Option<Box<Template>>>,
    /// What the rule and the attributes come to, whatever the sizes are.
    pub schemes: Schemes,
}

/// How a rule was written.
#[derive(Debug)]
pub(crate) enum RuleSource {
    /// As a signature: its tree, and the text that the places in it are of.
    Signature(tree::Signature, Option<Box<str>>),
    /// As an operator, of which this is a call.
    Operator(Operator),
    /// It was not written.
    Made,
}

impl Subject {
    /// A signature.
    ///
    /// # Errors
    /// A [`Diagnostic`] where a word of the tree means nothing.
    pub(crate) fn signature(
        tree: tree::Signature,
        text: Option<Box<str>>,
        vocabulary: &Vocabulary,
    ) -> Result<Subject, Diagnostic> {
        let compiled = Compiled::new(&tree, vocabulary, Some(standard_library))?;
        Ok(Subject::compiled(
            compiled,
            RuleSource::Signature(tree, text),
        ))
    }

    /// A signature that has been compiled.
    pub(crate) fn compiled(compiled: Compiled, written: RuleSource) -> Subject {
        Subject {
            args: compiled.args(),
            inputs: compiled.inputs,
            outputs: compiled.outputs(),
            rule: compiled.rule,
            library: compiled.library,
            tensors: compiled.tensors,
            params: compiled.params,
            declared: compiled.declared,
            labels: compiled.labels,
            identities: compiled.identities,
            types: compiled.types,
            written,
            attrs: Arc::default(),
            loaded: OnceLock::new(),
            template: OnceLock::new(),
            schemes: Schemes::default(),
        }
    }

    /// The types of which a relation, by its number, holds: the last one is the output.
    pub(crate) fn relation(
        tree: tree::Signature,
        library: &Arc<Library>,
        number: usize,
    ) -> Subject {
        let rule = library.rule(number);
        let count = rule.kinds.len();
        let counts = [count.saturating_sub(1), count.min(1)];
        let args = (0..count).map(CallArg::Type).collect();
        let written = RuleSource::Signature(tree, None);
        Subject::of_types(library, rule, args, counts, written)
    }

    /// A call of an operator with these numbers of inputs and outputs, which stand where `args` says.
    pub(crate) fn operator(
        operator: &Operator,
        args: Box<[CallArg]>,
        counts: [usize; 2],
        attrs: Arc<Vec<(Box<str>, AttrValue)>>,
    ) -> Subject {
        let library = operator.library();
        let rule = library.rule(operator.rule());
        let written = RuleSource::Operator(operator.clone());
        Subject {
            attrs,
            ..Subject::of_types(library, rule, args, counts, written)
        }
    }

    /// The relation of this arity that says that each is what the operand across from it is: `A, B -> A, B`.
    pub(crate) fn identity(count: usize) -> Subject {
        let clauses = Box::new([Clause::identity(count)]);
        let rule = Rule::of_clauses(vec![Kind::Type; 2 * count].into(), clauses);
        let args = (0..2 * count).map(CallArg::Type).collect();
        let library = standard_library();
        Subject::of_types(
            &library,
            &Arc::new(rule),
            args,
            [count, count],
            RuleSource::Made,
        )
    }

    fn of_types(
        library: &Arc<Library>,
        rule: &Arc<Rule>,
        args: Box<[CallArg]>,
        [inputs, outputs]: [usize; 2],
        written: RuleSource,
    ) -> Subject {
        Subject {
            rule: Arc::clone(rule),
            library: Arc::clone(library),
            args,
            inputs,
            outputs,
            tensors: vec![false; inputs + outputs].into(),
            params: Vec::new(),
            declared: 0,
            labels: library.words.labels.clone(),
            identities: library.words.identities.clone(),
            types: library.types.clone(),
            written,
            attrs: Arc::default(),
            loaded: OnceLock::new(),
            template: OnceLock::new(),
            schemes: Schemes::default(),
        }
    }

    /// Its attributes, if it can be calculated with them.
    pub(crate) fn loaded(&self) -> Option<&LoadedAttrs> {
        let loaded = self
            .loaded
            .get_or_init(|| self.load(&self.attrs).map(Box::new));
        loaded.as_deref()
    }

    /// Other attributes in their place.
    pub(crate) fn load(&self, attrs: &[(Box<str>, AttrValue)]) -> Option<LoadedAttrs> {
        match self.called() {
            Some(operator) => LoadedAttrs::new(&self.library, operator.parts(), attrs),
            None => Some(LoadedAttrs::default()),
        }
    }

    /// The call of its rule with these attributes.
    pub(crate) fn call<'s>(&'s self, attrs: &'s LoadedAttrs, promotion: Promotion) -> RuleCall<'s> {
        RuleCall {
            library: &self.library,
            rule: &self.rule,
            args: &self.args,
            attrs,
            promotion,
        }
    }

    /// Is an operand, counted from the first input, the outputs behind the inputs, a tensor whatever is given?
    pub(crate) fn is_tensor(&self, operand: usize) -> bool {
        self.tensors.get(operand).copied().unwrap_or(false)
    }

    /// What a query about it goes on from, if there is such a thing.
    pub(crate) fn template<'s>(self: &'s Arc<Subject>, query: &Query) -> Option<&'s Template> {
        if !Arc::ptr_eq(&query.attrs, &self.attrs) {
            return None;
        }
        let make = || Template::of_subject(self).map(Box::new);
        let template = self.template.get_or_init(make);
        template.as_deref().filter(|template| template.is_of(query))
    }

    /// The operator that it is a call of.
    pub(crate) fn called(&self) -> Option<&Operator> {
        match &self.written {
            RuleSource::Operator(operator) => Some(operator),
            _ => None,
        }
    }

    /// Can there be types of one's own among the operands?
    pub(crate) fn has_own_types(&self) -> bool {
        !self.types.is_built_in()
    }

    /// An operand in the words of the rule.
    pub(crate) fn adopted(&self, ty: Type) -> Type {
        match self.has_own_types() {
            true => self.types.adopt(&ty),
            false => ty,
        }
    }

    /// May there be more outputs than the query has?
    pub(crate) fn has_rest(&self) -> bool {
        self.args.iter().any(|arg| matches!(arg, CallArg::Rest))
    }
}
