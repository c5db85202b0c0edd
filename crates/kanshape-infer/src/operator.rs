//! [`Operator`]: an operator of a catalog, and questions about calls of it.

use crate::program::{CallArg, Program};
use crate::relation::{Library, OpRule};
use crate::{AttrValue, Query, Signature, error};
use kanshape_diag::Diagnostic;
use kanshape_types::Type;
use std::fmt;
use std::sync::Arc;

/// An operator: a relation between its attributes, its inputs and its outputs.
///
/// Cloning is cheap.
#[derive(Clone)]
pub struct Operator {
    library: Arc<Library>,
    rule: Arc<OpRule>,
}

/// A call of an operator: what is given of it.
///
/// An operand is `None` where it is left out; one of which nothing is known is [`Type::UNKNOWN`].
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The inputs, in order. Those behind the last one are left out.
    pub inputs: Vec<Option<Type>>,
    /// The outputs that are asked for. Without any word of them, those that every call has.
    pub outputs: Option<Vec<Option<Type>>>,
    /// The attributes that are not left out.
    pub attrs: Vec<(Box<str>, AttrValue)>,
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
    /// What it is where it is left out.
    pub default: Option<&'a AttrValue>,
}

impl Operator {
    pub(crate) fn new(library: Arc<Library>, rule: Arc<OpRule>) -> Operator {
        Operator { library, rule }
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

    /// The version of the domain from which on it is this.
    pub fn since(&self) -> u64 {
        self.rule.since
    }

    /// What is written about it, without its examples.
    pub fn doc(&self) -> impl Iterator<Item = &str> {
        let lines = self.rule.doc.iter().map(|l| &**l);
        lines.filter(|l| !l.starts_with("> "))
    }

    /// Its examples: a call, and what comes of it.
    pub fn examples(&self) -> impl Iterator<Item = &str> {
        self.rule.doc.iter().filter_map(|l| l.strip_prefix("> "))
    }

    /// Its rule, as it is written.
    pub fn text(&self) -> &str {
        &self.rule.text
    }

    /// Its attributes.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        self.rule.attrs.iter().map(|a| Attribute {
            name: &a.name,
            optional: a.optional,
            default: a.default.as_ref(),
        })
    }

    /// What it takes.
    pub fn inputs(&self) -> impl Iterator<Item = Formal<'_>> {
        self.rule.inputs.iter().map(|f| f.formal())
    }

    /// What it gives.
    pub fn outputs(&self) -> impl Iterator<Item = Formal<'_>> {
        self.rule.outputs.iter().map(|f| f.formal())
    }

    /// A question about a call.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there are more operands than it has, if one is left out that may not be, or
    /// if it has no such attribute.
    pub fn query(&self, call: Call) -> Result<Query, Diagnostic> {
        let rule = &self.rule;
        let mut args: Vec<CallArg> = (0..rule.attrs.len()).map(CallArg::Attr).collect();
        for (name, _) in &call.attrs {
            if !rule.attrs.iter().any(|a| a.name == *name) {
                let known: Vec<&str> = rule.attrs.iter().map(|a| &*a.name).collect();
                return Err(error::unknown_attribute(self.name(), name, &known));
            }
        }
        let mut next = 0;
        let inputs = self.place(
            "input",
            &rule.inputs,
            &call.inputs,
            false,
            &mut next,
            &mut args,
        )?;
        let count = next;
        let (outputs, open) = match call.outputs {
            Some(outputs) => (outputs, false),
            None => {
                let required = rule
                    .outputs
                    .iter()
                    .take_while(|f| !f.optional && !f.variadic);
                let unknown = required.map(|_| Some(Type::UNKNOWN));
                (unknown.collect(), true)
            }
        };
        let outputs = self.place(
            "output",
            &rule.outputs,
            &outputs,
            open,
            &mut next,
            &mut args,
        )?;
        let program = Program::of_operator(self, args.into(), [count, next - count]);
        let signature = Signature::compiled(Default::default(), program);
        let mut query = signature.query().inputs(inputs).outputs(outputs);
        query.attrs = call.attrs;
        Ok(query)
    }

    /// Puts operands in the places of the formals. Returns those that are there.
    fn place(
        &self,
        what: &str,
        formals: &[crate::relation::Formal],
        given: &[Option<Type>],
        open: bool,
        next: &mut usize,
        args: &mut Vec<CallArg>,
    ) -> Result<Vec<Type>, Diagnostic> {
        let mut given = given.iter();
        let mut types = Vec::with_capacity(given.len());
        let mut take = |ty: &Type| {
            types.push(ty.clone());
            *next += 1;
            *next - 1
        };
        for formal in formals {
            if formal.variadic {
                if open {
                    args.push(CallArg::Rest);
                    continue;
                }
                let mut all = Vec::with_capacity(given.len());
                for ty in given.by_ref() {
                    let Some(ty) = ty else {
                        return Err(error::operand_missing(self.name(), what, &formal.name));
                    };
                    all.push(take(ty));
                }
                args.push(CallArg::Types(all.into()));
                continue;
            }
            args.push(match (given.next(), formal.optional) {
                (Some(Some(ty)), true) => CallArg::Present(take(ty)),
                (Some(Some(ty)), false) => CallArg::Type(take(ty)),
                (_, true) => CallArg::Absent,
                // An output that nobody asks for is there all the same.
                (_, false) if what == "output" => CallArg::Type(take(&Type::UNKNOWN)),
                (_, false) => return Err(error::operand_missing(self.name(), what, &formal.name)),
            });
        }
        match given.len() {
            0 => Ok(types),
            more => Err(error::too_many_operands(
                self.name(),
                what,
                formals.len(),
                more,
            )),
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
}

/// What an operator is called, with its domain: `onnx::Conv`.
pub(crate) fn full_name(domain: &str, name: &str) -> String {
    let domain = domain.strip_prefix("ai.").unwrap_or(domain);
    match domain {
        "" => name.into(),
        domain => format!("{domain}::{name}"),
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
