//! Signatures compiled: a line such as `+(m?,n),(n,p?)->(m?,p?)` as a rule.
//!
//! The tree is read (`read`): every name, run and dtype variable gets a number, every word its meaning. Optional dims
//! make several variants of it (`variants`), and each is written as one clause (`clause`) whose arguments are the
//! parameters, the inputs and the outputs, in this order.

mod clause;
mod condition;
mod read;
mod variants;

pub(crate) use condition::WriteConditions;

use super::call_arg::CallArg;
use super::library::{Library, Standard};
use super::rule::Rule;
use crate::encode::{Labels, error};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{self, Condition, Expr, PrefixKind, Span};
use kanshape_types::{Dtype, DtypeSet, Name, Nominal, Vocabulary};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// A compiled signature.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub rule: Arc<Rule>,
    /// What the rule calls is defined here.
    pub library: Arc<Library>,
    /// What the parameters are called: those that are declared in brackets, then the lengths of `.k.`.
    pub params: Vec<Name>,
    /// How many of these are declared in brackets.
    pub declared: usize,
    pub inputs: usize,
    /// For each operand, the outputs behind the inputs: is it a pattern of dims, so that it is a tensor?
    pub tensors: Box<[bool]>,
    /// What the nodes of types in it are called.
    pub labels: Labels,
    /// The sizes with an identity in it.
    pub identities: Vec<Nominal>,
    /// The types of one's own that can be among the operands.
    pub types: Vocabulary,
}

static NO_RELATIONS: LazyLock<Arc<Library>> = LazyLock::new(Arc::default);

impl Compiled {
    /// Compiles the tree of a signature, which may call relations of the standard library.
    ///
    /// # Errors
    /// A [`Diagnostic`] where a word of the tree means nothing.
    pub fn new(
        tree: &tree::Signature,
        vocabulary: &Vocabulary,
        standard: Option<Standard>,
    ) -> Result<Compiled, Diagnostic> {
        let form = SignatureForm::read(tree, vocabulary, standard)?;
        let clauses = clause::clauses(&form).ok_or_else(|| {
            let operands = tree.inputs.iter().map(|operand| operand.span);
            error::too_many_optional(operands.reduce(Span::to).unwrap_or_default())
        })?;
        let library = match &form.calls {
            Some(calls) => Arc::clone(&calls.library),
            // It calls nothing.
            None => Arc::clone(&NO_RELATIONS),
        };
        let operands = || form.inputs.iter().chain(&form.outputs);
        Ok(Compiled {
            rule: Arc::new(Rule::of_clauses(form.kinds(), clauses)),
            library,
            inputs: form.inputs.len(),
            tensors: operands().map(OperandForm::is_tensor).collect(),
            params: form.params.into_iter().map(|p| p.0).collect(),
            declared: form.declared,
            labels: form.labels,
            identities: form.identities,
            types: vocabulary.clone(),
        })
    }

    /// How many outputs it has.
    pub fn outputs(&self) -> usize {
        self.tensors.len() - self.inputs
    }

    /// Where the parameters and the operands stand among the arguments of the rule.
    pub fn args(&self) -> Box<[CallArg]> {
        let params = (0..self.params.len()).map(CallArg::Param);
        let operands = (0..self.tensors.len()).map(CallArg::Type);
        params.chain(operands).collect()
    }
}

/// What is written in a signature: names have numbers, words their meaning.
#[derive(Debug, Default)]
struct SignatureForm {
    /// The names of sizes: core dims, parameters, lengths of runs.
    names: Vec<Name>,
    numbers: HashMap<Name, usize>,
    /// The names whose values are part of an answer, with what a caller calls them: declared
    /// parameters, then the lengths of `.k.`.
    params: Vec<(Name, usize)>,
    /// How many of these are declared in brackets.
    declared: usize,
    runs: Vec<RunForm>,
    /// Optional names and numerals, in order of appearance.
    optionals: usize,
    /// How many dtype variables there are; their names, where the signature gives one.
    dtypes: Vec<Option<Name>>,
    /// How many type variables there are.
    types: usize,
    batch: Option<Batch>,
    inputs: Vec<OperandForm>,
    outputs: Vec<OperandForm>,
    conditions: Vec<Condition>,
    relations: Vec<RelationForm>,
    /// Relations in text that hold of its type variables.
    calls: Option<Calls>,
    /// What the nodes of types in it are called.
    labels: Labels,
    /// The sizes with an identity in it.
    identities: Vec<Nominal>,
}

#[derive(Clone, Copy, Debug)]
struct Batch {
    kind: PrefixKind,
    max: Option<u64>,
}

/// One run of the core: `...`, `...r`, `.2.`, `.k.`.
#[derive(Debug)]
struct RunForm {
    name: Option<Name>,
    length: RunLength,
    /// Do the runs of the inputs broadcast to that of the outputs?
    broadcast: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum RunLength {
    Any,
    Fixed(u64),
    Name(usize),
}

#[derive(Debug)]
struct OperandForm {
    items: Vec<ItemForm>,
    dtype: DtypeForm,
    /// The operand is this type rather than a pattern of dims, and the above says nothing.
    whole: Option<TypeForm>,
}

/// An operand that is written as a type.
#[derive(Debug)]
enum TypeForm {
    /// `?`: any type.
    Any,
    /// `A`: any type, the same wherever it is written.
    Variable(usize),
    /// `t[m, n]`.
    Tensor(Vec<ItemForm>, DtypeForm),
    /// `List[t[n]]`: a label and its parts.
    Node(u32, Vec<TypeForm>),
}

impl OperandForm {
    /// Whatever a type variable is.
    fn variable(number: usize) -> OperandForm {
        OperandForm {
            items: Vec::new(),
            dtype: DtypeForm::Among(DtypeSet::ANY),
            whole: Some(TypeForm::Variable(number)),
        }
    }

    /// Whether whatever it describes is a tensor.
    fn is_tensor(&self) -> bool {
        matches!(self.whole, None | Some(TypeForm::Tensor(..)))
    }
}

#[derive(Debug)]
enum ItemForm {
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
enum OptionalDim {
    Size(u64),
    Name(usize),
}

#[derive(Clone, Debug)]
enum DtypeForm {
    Known(Dtype),
    /// One dtype of its own, from a set.
    Among(DtypeSet),
    Variable(usize),
    Promote(Vec<DtypeForm>),
}

/// A relation of the `forall` form between runs.
#[derive(Clone, Debug)]
enum RelationForm {
    /// The last run is what the others broadcast to.
    Broadcast(Vec<usize>),
    /// All runs are the same.
    Identity(Vec<usize>),
}

/// Relations in text between type variables.
#[derive(Clone, Debug)]
struct Calls {
    library: Arc<Library>,
    /// Which relation, and the type variables that it is about.
    calls: Vec<(usize, Box<[usize]>)>,
}

impl SignatureForm {
    /// The number of a name.
    fn name(&self, text: &str) -> Option<usize> {
        self.numbers.get(text).copied()
    }

    /// The number of a dtype variable.
    fn dtype(&self, text: &str) -> Option<usize> {
        self.dtypes
            .iter()
            .position(|n| n.as_ref().is_some_and(|n| n.as_str() == text))
    }

    /// Is the name a dtype variable? `None` if it is not known.
    fn is_dtype(&self, name: &str) -> Option<bool> {
        match self.dtype(name).is_some() {
            true => Some(true),
            false => self
                .numbers
                .contains_key(&Name::word(name))
                .then_some(false),
        }
    }

    /// The number of a named run, or of `...`.
    fn run(&self, name: Option<&str>) -> Option<usize> {
        self.runs
            .iter()
            .position(|r| r.length == RunLength::Any && r.name.as_deref() == name)
    }
}
