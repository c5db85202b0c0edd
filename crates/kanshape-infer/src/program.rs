//! A signature compiled: every name, run and dtype variable has a number, every word its meaning.

mod compile;

use crate::lower::Labels;
use crate::operator::Operator;
use crate::relation::Library;
use kanshape_syntax::tree::{Condition, Expr, PrefixKind};
use kanshape_types::{Dtype, DtypeSet, Name, Nominal};
use std::collections::HashMap;
use std::sync::Arc;

/// A compiled signature.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// The names of sizes: core dims, parameters, lengths of runs.
    pub names: Vec<Name>,
    numbers: HashMap<Name, usize>,
    /// The names whose values are part of an answer, with what a caller calls them: declared
    /// parameters, then the lengths of `.k.`.
    pub params: Vec<(Name, usize)>,
    /// How many of these are declared in brackets.
    pub declared: usize,
    pub runs: Vec<RunRule>,
    /// Optional names and numerals, in order of appearance.
    pub optionals: usize,
    /// How many dtype variables there are; their names, where the signature gives one.
    pub dtypes: Vec<Option<Name>>,
    /// How many type variables there are.
    pub types: usize,
    pub batch: Option<Batch>,
    pub inputs: Vec<OperandRule>,
    pub outputs: Vec<OperandRule>,
    pub conditions: Vec<Condition>,
    pub relations: Vec<RelationRule>,
    /// Relations in text that hold of its type variables.
    pub calls: Option<Calls>,
    /// Only patterns of names and numbers, a batch prefix at most, and dtype variables: the direct
    /// path knows what to do with it.
    pub plain: bool,
    /// What the nodes of types in it are called.
    pub labels: Labels,
    /// The sizes with an identity in it.
    pub identities: Vec<Nominal>,
    /// The operator that it is a call of.
    pub operator: Option<Operator>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub kind: PrefixKind,
    pub max: Option<u64>,
}

/// One run of the core: `...`, `...r`, `.2.`, `.k.`.
#[derive(Debug)]
pub(crate) struct RunRule {
    pub name: Option<Name>,
    pub length: RunLength,
    /// Do the runs of the inputs broadcast to that of the outputs?
    pub broadcast: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RunLength {
    Any,
    Fixed(u64),
    Name(usize),
}

#[derive(Debug)]
pub(crate) struct OperandRule {
    pub items: Vec<ItemRule>,
    pub dtype: DtypeRule,
    /// The operand is this type rather than a pattern of dims, and the above says nothing.
    pub whole: Option<TypeRule>,
}

/// An operand that is written as a type.
#[derive(Debug)]
pub(crate) enum TypeRule {
    /// `?`: any type.
    Any,
    /// `A`: any type, the same wherever it is written.
    Variable(usize),
    /// `t[m, n]`.
    Tensor(Vec<ItemRule>, DtypeRule),
    /// `List[t[n]]`: a label and its parts.
    Node(u32, Vec<TypeRule>),
}

impl OperandRule {
    /// Whatever a type variable is.
    fn variable(number: usize) -> OperandRule {
        OperandRule {
            items: Vec::new(),
            dtype: DtypeRule::Among(DtypeSet::ANY),
            whole: Some(TypeRule::Variable(number)),
        }
    }

    /// Whether whatever it describes is a tensor.
    pub(crate) fn is_tensor(&self) -> bool {
        matches!(self.whole, None | Some(TypeRule::Tensor(..)))
    }
}

#[derive(Debug)]
pub(crate) enum ItemRule {
    Size(u64),
    Name(usize),
    Expr(Expr),
    /// An optional dim: which one, and what it is when present.
    Optional(usize, OptionalDim),
    /// `?`: any size.
    Hole,
    /// `n|1`: this or 1.
    OrOne(Expr),
    Run(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum OptionalDim {
    Size(u64),
    Name(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum DtypeRule {
    Known(Dtype),
    /// One dtype of its own, from a set.
    Among(DtypeSet),
    Variable(usize),
    Promote(Vec<DtypeRule>),
}

/// A relation of the `forall` form between runs.
#[derive(Clone, Debug)]
pub(crate) enum RelationRule {
    /// The last run is what the others broadcast to.
    Broadcast(Vec<usize>),
    /// All runs are the same.
    Identity(Vec<usize>),
}

/// Relations in text between type variables.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    pub library: Arc<Library>,
    /// Which relation, and what it is about.
    pub calls: Vec<(usize, Box<[CallArg]>)>,
}

/// What a relation in text is called with.
#[derive(Clone, Debug)]
pub(crate) enum CallArg {
    /// A type variable.
    Type(usize),
    /// The same, where it might have been left out.
    Present(usize),
    /// It is left out.
    Absent,
    /// A list of type variables.
    Types(Box<[usize]>),
    /// A list of as many types as there turn out to be: the outputs behind those that are spoken of.
    Rest,
    /// An attribute, by its place.
    Attr(usize),
}

impl Program {
    /// The relation of `count` types that says that each is what the operand across from it is:
    /// `A, B -> A, B`.
    pub(crate) fn identity(count: usize) -> Program {
        Program {
            types: count,
            inputs: (0..count).map(OperandRule::variable).collect(),
            outputs: (0..count).map(OperandRule::variable).collect(),
            ..Program::default()
        }
    }

    /// The types of which a relation in text, by its number, holds: the last of so many is the output.
    pub(crate) fn calling(library: &Arc<Library>, relation: usize, count: usize) -> Program {
        let mut inputs: Vec<OperandRule> = (0..count).map(OperandRule::variable).collect();
        let outputs = inputs.split_off(count.saturating_sub(1));
        Program {
            types: count,
            inputs,
            outputs,
            labels: library.words.labels.clone(),
            identities: library.words.identities.clone(),
            calls: Some(Calls {
                library: Arc::clone(library),
                calls: vec![(relation, (0..count).map(CallArg::Type).collect())],
            }),
            ..Program::default()
        }
    }

    /// A call of an operator with as many operands as there are, which stand where `args` says.
    pub(crate) fn of_operator(
        operator: &Operator,
        args: Box<[CallArg]>,
        counts: [usize; 2],
    ) -> Program {
        let library = operator.library();
        let mut inputs: Vec<OperandRule> = (0..counts[0] + counts[1])
            .map(OperandRule::variable)
            .collect();
        let outputs = inputs.split_off(counts[0]);
        Program {
            types: counts[0] + counts[1],
            inputs,
            outputs,
            labels: library.words.labels.clone(),
            identities: library.words.identities.clone(),
            calls: Some(Calls {
                library: Arc::clone(library),
                calls: vec![(operator.rule(), args)],
            }),
            operator: Some(operator.clone()),
            ..Program::default()
        }
    }

    /// May there be more outputs than are spoken of?
    pub(crate) fn has_rest(&self) -> bool {
        let mut calls = self.calls.iter().flat_map(|c| &c.calls);
        calls.any(|c| c.1.iter().any(|a| matches!(a, CallArg::Rest)))
    }

    /// Does it speak of types with parts?
    pub(crate) fn has_nodes(&self) -> bool {
        let mut operands = self.inputs.iter().chain(&self.outputs);
        operands.any(|o| matches!(o.whole, Some(TypeRule::Node(..))))
    }

    fn is_plain(&self) -> bool {
        let operands = || self.inputs.iter().chain(&self.outputs);
        self.params.is_empty()
            && self.runs.is_empty()
            && self.conditions.is_empty()
            && self.relations.is_empty()
            && self.calls.is_none()
            && operands().all(|o| {
                o.whole.is_none()
                    && o.items
                        .iter()
                        .all(|i| matches!(i, ItemRule::Size(_) | ItemRule::Name(_)))
                    && !matches!(o.dtype, DtypeRule::Promote(_))
            })
    }

    /// The number of a name.
    pub(crate) fn name(&self, text: &str) -> Option<usize> {
        self.numbers.get(text).copied()
    }

    /// The number of a dtype variable.
    pub(crate) fn dtype(&self, text: &str) -> Option<usize> {
        self.dtypes
            .iter()
            .position(|n| n.as_ref().is_some_and(|n| n.as_str() == text))
    }

    /// The number of a named run, or of `...`.
    pub(crate) fn run(&self, name: Option<&str>) -> Option<usize> {
        self.runs
            .iter()
            .position(|r| r.length == RunLength::Any && r.name.as_deref() == name)
    }
}
