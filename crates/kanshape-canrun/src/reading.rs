//! What of a signature's tree matters for shapes.

use std::collections::BTreeSet;
use std::fmt;

use kanshape_syntax::tree::{
    Condition, Expr, Ident, Item, Operand, Pattern, PrefixKind, Signature, Type,
};

use crate::uses::{RunKey, Uses, exprs, is_on_sizes};

/// Why a signature cannot be stated as goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A relation between types that is not `Broadcast` of two or more types.
    Relation(String),
    /// A run in an expression that no operand shows.
    Run(String),
    /// A name that is optional in one place and plain in another.
    OptionalAndPlain(String),
    /// An optional dim in an operand with a run of unknown length `.k.`.
    OptionalBesideSkip,
    /// Something optional that is neither a name nor a numeral.
    OptionalExpression,
    /// Two parameters, or a parameter and the length of a run, with one label.
    Label(String),
    /// Two runs of any length in one operand.
    TwoRuns,
    /// A size with an identity: the goals are about numbers.
    Identity(String),
    /// An operand that is a type, and not one that a `forall` declares: the goals are about shapes.
    TypeOperand(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Relation(name) => write!(f, "the relation `{name}` is not known here"),
            Unsupported::Run(run) => write!(f, "no operand has the run `{run}`"),
            Unsupported::OptionalAndPlain(name) => {
                write!(f, "`{name}` is optional in one place and not in another")
            }
            Unsupported::OptionalBesideSkip => {
                f.write_str("an operand has both an optional dim and a run of unknown length")
            }
            Unsupported::OptionalExpression => {
                f.write_str("only a name or a numeral can be optional")
            }
            Unsupported::Label(label) => write!(f, "`{label}` would be reported twice"),
            Unsupported::TwoRuns => f.write_str("an operand has two runs of any length"),
            Unsupported::TypeOperand(ty) => write!(f, "the operand `{ty}` is more than a shape"),
            Unsupported::Identity(name) => {
                write!(f, "a size with the identity `{name}` is more than a number")
            }
        }
    }
}

impl std::error::Error for Unsupported {}

/// One element of an operand.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Dim(Expr),
    /// A dim, absent if the optional dim of this name or numeral is.
    Optional(String, Expr),
    OrOne(Expr),
    Run(RunKey),
}

/// `Broadcast(Lhs, Rhs, Out)`.
#[derive(Clone, Debug)]
pub(crate) struct TypesBroadcast {
    pub(crate) from: Vec<RunKey>,
    pub(crate) to: RunKey,
}

/// A signature without its dtypes.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) inputs: Vec<Vec<Element>>,
    pub(crate) outputs: Vec<Vec<Element>>,
    pub(crate) prefix: Option<(PrefixKind, Option<u64>)>,
    /// Labels and names: of the declared parameters, then of the lengths of runs.
    pub(crate) params: Vec<(String, String)>,
    pub(crate) declared: usize,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) relations: Vec<TypesBroadcast>,
}

impl Reading {
    pub(crate) fn new(signature: &Signature) -> Result<Self, Unsupported> {
        let batch = signature.prefix.is_some();
        let relational = !signature.variables.is_empty();
        let mut reading = Reading {
            inputs: operands(&signature.inputs, batch, relational)?,
            outputs: operands(&signature.outputs, batch, relational)?,
            prefix: signature
                .prefix
                .as_ref()
                .map(|prefix| (prefix.kind, prefix.max)),
            params: Vec::new(),
            declared: signature.params.len(),
            conditions: signature
                .conditions
                .iter()
                .map(|condition| &condition.node)
                .filter(|condition| is_on_sizes(condition, signature))
                .cloned()
                .collect(),
            relations: Vec::new(),
        };
        for relation in &signature.relations {
            let key = |arg: &Ident| RunKey::Type(arg.node.to_string());
            match (&*relation.node.name.node, relation.node.args.as_slice()) {
                ("Broadcast", [from @ .., to]) if !from.is_empty() => {
                    reading.relations.push(TypesBroadcast {
                        from: from.iter().map(key).collect(),
                        to: key(to),
                    });
                }
                (name, _) => return Err(Unsupported::Relation(name.to_owned())),
            }
        }
        for param in &signature.params {
            reading.report(&param.label.node, &param.name.node)?;
        }
        for name in reading.counts() {
            if !reading.params.iter().any(|(_, other)| *other == name) {
                reading.report(&name, &name)?;
            }
        }
        reading.check()?;
        Ok(reading)
    }

    fn report(&mut self, label: &str, name: &str) -> Result<(), Unsupported> {
        if self.params.iter().any(|(other, _)| other == label) {
            return Err(Unsupported::Label(label.to_owned()));
        }
        self.params.push((label.to_owned(), name.to_owned()));
        Ok(())
    }

    fn check(&self) -> Result<(), Unsupported> {
        let runs: BTreeSet<&RunKey> = self.operands().flatten().filter_map(run_of).collect();
        let uses = self.uses();
        if let Some(identity) = uses.identities.into_iter().next() {
            return Err(Unsupported::Identity(identity));
        }
        let mut spoken_of = uses.runs;
        for relation in &self.relations {
            spoken_of.extend(relation.from.iter().chain([&relation.to]).cloned());
        }
        if let Some(run) = spoken_of.iter().find(|run| !runs.contains(run)) {
            return Err(Unsupported::Run(match run {
                RunKey::Named(name) => format!("...{name}"),
                RunKey::Type(name) => name.clone(),
                _ => "...".to_owned(),
            }));
        }
        let optional = self.optional();
        let plain = self.operands().flatten().flat_map(|element| match element {
            Element::Dim(expr) | Element::OrOne(expr) => Uses::of([expr]).names,
            Element::Run(RunKey::Counted(name, _)) => vec![name.clone()],
            Element::Optional(..) | Element::Run(_) => Vec::new(),
        });
        if let Some(name) = plain.into_iter().find(|name| optional.contains(name)) {
            return Err(Unsupported::OptionalAndPlain(name));
        }
        let any_length =
            |e: &&Element| matches!(e, Element::Run(RunKey::Unnamed | RunKey::Named(_)));
        for operand in self.operands() {
            let has_optional = operand.iter().any(|e| matches!(e, Element::Optional(..)));
            let counted = |e: &Element| matches!(e, Element::Run(RunKey::Counted(..)));
            if has_optional && operand.iter().any(counted) {
                return Err(Unsupported::OptionalBesideSkip);
            }
            if operand.iter().filter(any_length).count() > 1 {
                return Err(Unsupported::TwoRuns);
            }
        }
        Ok(())
    }

    /// All operands, inputs first.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Vec<Element>> {
        self.inputs.iter().chain(&self.outputs)
    }

    /// The names and numerals of the optional dims.
    pub(crate) fn optional(&self) -> BTreeSet<String> {
        self.operands()
            .flatten()
            .filter_map(|element| match element {
                Element::Optional(key, _) => Some(key.clone()),
                _ => None,
            })
            .collect()
    }

    /// The names that count a run.
    pub(crate) fn counts(&self) -> Vec<String> {
        let mut counts: Vec<String> = Vec::new();
        for element in self.operands().flatten() {
            if let Element::Run(RunKey::Counted(name, _)) = element
                && !counts.contains(name)
            {
                counts.push(name.clone());
            }
        }
        counts
    }

    /// The names and runs of all expressions.
    fn uses(&self) -> Uses {
        let dims = self
            .operands()
            .flatten()
            .filter_map(|element| match element {
                Element::Dim(expr) | Element::Optional(_, expr) | Element::OrOne(expr) => {
                    Some(expr)
                }
                Element::Run(_) => None,
            });
        Uses::of(dims.chain(self.conditions.iter().flat_map(exprs)))
    }

    /// All names of the signature.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let params = self.params.iter().map(|(_, name)| name.clone());
        self.uses().names.into_iter().chain(params).collect()
    }

    /// Whether inputs have runs of their own for a key, which broadcast.
    pub(crate) fn broadcasts(&self, key: &RunKey) -> bool {
        let plus = matches!(self.prefix, Some((PrefixKind::Broadcast, _)));
        let unnamed = !matches!(key, RunKey::Named(_) | RunKey::Type(_));
        // What no input has is the same in all outputs; but batch dims come from inputs alone.
        let shown = |input: &Vec<Element>| input.iter().filter_map(run_of).any(|run| run == key);
        plus && unnamed && (*key == RunKey::Batch || self.inputs.iter().any(shown))
    }
}

fn run_of(element: &Element) -> Option<&RunKey> {
    match element {
        Element::Run(key) => Some(key),
        _ => None,
    }
}

fn operands(
    operands: &[Operand],
    batch: bool,
    relational: bool,
) -> Result<Vec<Vec<Element>>, Unsupported> {
    operands
        .iter()
        .map(|operand| {
            let mut elements = Vec::new();
            if batch {
                elements.push(Element::Run(RunKey::Batch));
            }
            match &operand.pattern {
                Pattern::Type(ty) => match &ty.node {
                    Type::Name(name) if relational => {
                        elements.push(Element::Run(RunKey::Type(name.node.to_string())));
                    }
                    ty => return Err(Unsupported::TypeOperand(ty.to_string())),
                },
                Pattern::Shape(items) => {
                    for item in items {
                        let element = element(&item.node, &elements)?;
                        elements.push(element);
                    }
                }
            }
            Ok(elements)
        })
        .collect()
}

/// One item, given the elements before it in its operand.
fn element(item: &Item, before: &[Element]) -> Result<Element, Unsupported> {
    // The j-th `.2.` of an operand is the j-th of any other.
    let place = |key: &dyn Fn(usize) -> RunKey| {
        let taken = |key: &RunKey| before.iter().filter_map(run_of).any(|run| run == key);
        (0..).map(key).find(|key| !taken(key))
    };
    Ok(match item {
        Item::Dim(expr) => Element::Dim(expr.clone()),
        Item::Optional(expr) => match expr {
            Expr::Name(name) => Element::Optional(name.node.to_string(), expr.clone()),
            Expr::Int(value) => Element::Optional(value.to_string(), expr.clone()),
            _ => return Err(Unsupported::OptionalExpression),
        },
        Item::OrOne(expr) => Element::OrOne(expr.clone()),
        Item::Run(name) => Element::Run(RunKey::written(name.as_ref())),
        Item::Skip(length) => {
            let key = place(&|at| RunKey::Skip(*length, at));
            Element::Run(key.unwrap_or(RunKey::Skip(*length, 0)))
        }
        Item::SkipNamed(name) => {
            let name = name.node.to_string();
            let key = place(&|at| RunKey::Counted(name.clone(), at));
            Element::Run(key.unwrap_or(RunKey::Counted(name.clone(), 0)))
        }
    })
}
