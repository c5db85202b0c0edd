//! A signature compiled: every name, run and dtype variable has a number, every word its meaning.

use crate::error;
use crate::lower::Labels;
use crate::operator::Operator;
use crate::relation::{Library, Relations};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{
    self, Condition, DimItem, DtypeExpr, Expr, Item, Pattern, PrefixKind, Relation, Signature,
    Spanned, TypeText,
};
use kanshape_types::{Dim, Dtype, DtypeSet, DtypeTerm, Name, Nominal, Type, TypeKind, Vocabulary};
use smallvec::SmallVec;
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

/// The relations that the `forall` form knows by itself, with how many operands each is about.
const RELATIONS: [(&str, usize); 2] = [("Broadcast", 3), ("Identity", 2)];

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

    pub(crate) fn compile(
        tree: &Signature,
        vocabulary: &Vocabulary,
    ) -> Result<Program, Diagnostic> {
        let mut compiler = Compiler {
            relational: !tree.variables.is_empty(),
            in_text: in_text(tree),
            vocabulary: vocabulary.clone(),
            ..Compiler::default()
        };
        for param in &tree.params {
            let name = compiler.name(&param.name.node);
            compiler.params.push((Name::from(&*param.label.node), name));
        }
        let broadcast = matches!(&tree.prefix, Some(p) if p.kind == PrefixKind::Broadcast);
        let mut inputs = Vec::with_capacity(tree.inputs.len());
        let mut outputs = Vec::with_capacity(tree.outputs.len());
        for (operands, into) in [(&tree.inputs, &mut inputs), (&tree.outputs, &mut outputs)] {
            for operand in operands {
                if let Pattern::Type(ty) = &operand.pattern {
                    into.push(compiler.type_operand(ty)?);
                    continue;
                }
                let items = compiler.items(&operand.pattern, broadcast)?;
                let dtype = compiler.dtype(operand.dtype.as_ref())?;
                into.push(OperandRule {
                    items,
                    dtype,
                    whole: None,
                });
            }
        }
        let mut relations = Vec::new();
        let mut calls = None;
        if compiler.in_text {
            calls = Some(compiler.calls(tree)?);
        } else {
            for relation in &tree.relations {
                relations.push(compiler.relation(relation)?);
            }
        }
        for condition in &tree.conditions {
            compiler.names_of(&condition.node)?;
        }
        let mut program = Program {
            names: compiler.names,
            numbers: compiler.numbers,
            params: compiler.params,
            declared: tree.params.len(),
            runs: compiler.runs,
            optionals: compiler.optionals.len(),
            dtypes: compiler.dtypes,
            types: compiler.types.len(),
            batch: tree.prefix.as_ref().map(|p| Batch {
                kind: p.kind,
                max: p.max,
            }),
            inputs,
            outputs,
            conditions: tree.conditions.iter().map(|c| c.node.clone()).collect(),
            relations,
            calls,
            plain: false,
            labels: compiler.labels,
            identities: compiler.identities,
            operator: None,
        };
        program.plain = program.is_plain();
        Ok(program)
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

/// Does the signature ask for a relation that is defined in text?
fn in_text(tree: &Signature) -> bool {
    let names = tree.relations.iter().map(|r| &r.node.name);
    names.into_iter().any(|name| {
        RELATIONS.iter().all(|r| r.0 != &*name.node)
            && Relations::standard().library().is_defined(&name.node)
    })
}

#[derive(Default)]
struct Compiler {
    names: Vec<Name>,
    numbers: HashMap<Name, usize>,
    params: Vec<(Name, usize)>,
    runs: Vec<RunRule>,
    run_numbers: HashMap<RunKey, usize>,
    optionals: HashMap<OptionalKey, usize>,
    dtypes: Vec<Option<Name>>,
    dtype_numbers: HashMap<Name, usize>,
    /// The variable of the operands without an annotation.
    shared: Option<usize>,
    /// Whether the signature declares its types: `forall (A : Type)`.
    relational: bool,
    /// Whether some of its relations are defined in text, so that its types may be any.
    in_text: bool,
    /// The type variables.
    types: Vec<Name>,
    labels: Labels,
    identities: Vec<Nominal>,
    vocabulary: Vocabulary,
}

#[derive(PartialEq, Eq, Hash)]
enum RunKey {
    Named(Option<Name>),
    Fixed(u64, usize),
    Length(usize, usize),
}

#[derive(PartialEq, Eq, Hash)]
enum OptionalKey {
    Size(u64),
    Name(usize),
}

impl Compiler {
    fn name(&mut self, text: &str) -> usize {
        let name = Name::from(text);
        if let Some(&i) = self.numbers.get(&name) {
            return i;
        }
        self.names.push(name.clone());
        self.numbers.insert(name, self.names.len() - 1);
        self.names.len() - 1
    }

    fn items(&mut self, pattern: &Pattern, broadcast: bool) -> Result<Vec<ItemRule>, Diagnostic> {
        let items = match pattern {
            Pattern::Shape(items) => items,
            // Looked at as a whole.
            Pattern::Type(_) => return Ok(Vec::new()),
        };
        // The j-th `.2.` of every operand is one run.
        let mut seen: SmallVec<[(RunLength, usize); 4]> = SmallVec::new();
        let mut nth = |length: RunLength| match seen.iter_mut().find(|s| s.0 == length) {
            Some(s) => {
                s.1 += 1;
                s.1
            }
            None => {
                seen.push((length, 0));
                0
            }
        };
        let mut rules = Vec::with_capacity(items.len());
        for item in items {
            rules.push(match &item.node {
                Item::Dim(Expr::Int(n)) => ItemRule::Size(*n),
                Item::Dim(Expr::Name(n)) => ItemRule::Name(self.name(&n.node)),
                Item::Dim(expr) => {
                    self.names_of_expr(expr);
                    ItemRule::Expr(expr.clone())
                }
                Item::Optional(expr) => {
                    let (key, dim) = match expr {
                        Expr::Int(n) => (OptionalKey::Size(*n), OptionalDim::Size(*n)),
                        Expr::Name(n) => {
                            let i = self.name(&n.node);
                            (OptionalKey::Name(i), OptionalDim::Name(i))
                        }
                        _ => return Err(error::bad_optional(item.span)),
                    };
                    let next = self.optionals.len();
                    ItemRule::Optional(*self.optionals.entry(key).or_insert(next), dim)
                }
                Item::OrOne(expr) => {
                    self.names_of_expr(expr);
                    ItemRule::OrOne(expr.clone())
                }
                Item::Run(name) => {
                    let name = name.as_ref().map(|n| Name::from(&*n.node));
                    let broadcast = broadcast && name.is_none();
                    ItemRule::Run(self.run(RunKey::Named(name), RunLength::Any, broadcast))
                }
                Item::Skip(n) => {
                    let length = RunLength::Fixed(*n);
                    let key = RunKey::Fixed(*n, nth(length));
                    ItemRule::Run(self.run(key, length, broadcast))
                }
                Item::SkipNamed(name) => {
                    let i = self.name(&name.node);
                    let length = RunLength::Name(i);
                    if self.params.iter().all(|p| p.1 != i) {
                        self.params.push((self.names[i].clone(), i));
                    }
                    let key = RunKey::Length(i, nth(length));
                    ItemRule::Run(self.run(key, length, broadcast))
                }
            });
        }
        Ok(rules)
    }

    /// An operand that is written as a type. A name of the relational form is the run of all dims.
    fn type_operand(&mut self, ty: &Spanned<tree::Type>) -> Result<OperandRule, Diagnostic> {
        let mut rule = OperandRule {
            items: Vec::new(),
            dtype: DtypeRule::Among(DtypeSet::ANY),
            whole: None,
        };
        match &ty.node {
            tree::Type::Name(ident) if self.in_text => {
                rule = OperandRule::variable(self.type_variable(&Name::from(&*ident.node)));
            }
            tree::Type::Name(ident) if self.relational => {
                let key = RunKey::Named(Some(Name::from(&*ident.node)));
                rule.items = vec![ItemRule::Run(self.run(key, RunLength::Any, false))];
                rule.dtype = self.dtype(None)?;
            }
            _ => {
                let text = TypeText {
                    ty: ty.clone(),
                    conditions: Vec::new(),
                };
                let ty = Type::from_tree_in(&text, &self.vocabulary)?;
                rule.whole = Some(self.type_rule(&ty));
            }
        }
        Ok(rule)
    }

    fn type_rule(&mut self, ty: &Type) -> TypeRule {
        match &ty.kind {
            TypeKind::Unknown => TypeRule::Any,
            TypeKind::Var(name) => TypeRule::Variable(self.type_variable(name)),
            TypeKind::Tensor(tensor) => {
                let mut items: Vec<ItemRule> = Vec::new();
                let shape = &tensor.shape;
                items.extend(shape.before().iter().map(|dim| self.dim_rule(dim)));
                if let Some(run) = shape.run() {
                    let key = RunKey::Named(run.name.clone());
                    items.push(ItemRule::Run(self.run(key, RunLength::Any, false)));
                }
                items.extend(shape.after().iter().map(|dim| self.dim_rule(dim)));
                let dtype = match &tensor.dtype {
                    DtypeTerm::Known(dtype) => DtypeRule::Known(*dtype),
                    DtypeTerm::Name(name) => DtypeRule::Variable(self.dtype_variable(name)),
                    term => DtypeRule::Among(term.set()),
                };
                TypeRule::Tensor(items, dtype)
            }
            _ => {
                let label = self.labels.of(ty);
                TypeRule::Node(label, ty.parts().map(|part| self.type_rule(part)).collect())
            }
        }
    }

    fn type_variable(&mut self, name: &Name) -> usize {
        let known = self.types.iter().position(|n| n == name);
        known.unwrap_or_else(|| {
            self.types.push(name.clone());
            self.types.len() - 1
        })
    }

    fn dim_rule(&mut self, dim: &Dim) -> ItemRule {
        match dim {
            Dim::Size(n) => ItemRule::Size(*n),
            Dim::Name(name) => ItemRule::Name(self.name(name)),
            Dim::Hole => ItemRule::Hole,
            Dim::Expr(_) | Dim::Nominal(_) => match dim.to_tree() {
                DimItem::Dim(e) => {
                    self.names_of_expr(&e);
                    ItemRule::Expr(e)
                }
                DimItem::Hole | DimItem::Run(_) => ItemRule::Hole,
            },
        }
    }

    fn run(&mut self, key: RunKey, length: RunLength, broadcast: bool) -> usize {
        if let Some(&i) = self.run_numbers.get(&key) {
            return i;
        }
        let name = match &key {
            RunKey::Named(name) => name.clone(),
            _ => None,
        };
        self.runs.push(RunRule {
            name,
            length,
            broadcast,
        });
        self.run_numbers.insert(key, self.runs.len() - 1);
        self.runs.len() - 1
    }

    fn dtype_variable(&mut self, text: &str) -> usize {
        let name = Name::from(text);
        if let Some(&i) = self.dtype_numbers.get(&name) {
            return i;
        }
        self.dtypes.push(Some(name.clone()));
        self.dtype_numbers.insert(name, self.dtypes.len() - 1);
        self.dtypes.len() - 1
    }

    fn dtype(&mut self, dtype: Option<&Spanned<DtypeExpr>>) -> Result<DtypeRule, Diagnostic> {
        let Some(dtype) = dtype else {
            let shared = self.shared.unwrap_or_else(|| {
                self.dtypes.push(None);
                self.dtypes.len() - 1
            });
            self.shared = Some(shared);
            return Ok(DtypeRule::Variable(shared));
        };
        self.dtype_expr(&dtype.node)
    }

    fn dtype_expr(&mut self, expr: &DtypeExpr) -> Result<DtypeRule, Diagnostic> {
        Ok(match expr {
            DtypeExpr::Name(ident) => match DtypeTerm::from_ident(ident)? {
                DtypeTerm::Known(dtype) => DtypeRule::Known(dtype),
                DtypeTerm::Name(name) => DtypeRule::Variable(self.dtype_variable(&name)),
                DtypeTerm::Set(set) => DtypeRule::Among(set),
                DtypeTerm::Hole => DtypeRule::Among(DtypeSet::ANY),
            },
            DtypeExpr::Set(names) => DtypeRule::Among(DtypeSet::from_idents(names)?),
            DtypeExpr::Promote(args) => {
                let args = args
                    .iter()
                    .map(|a| self.dtype_expr(a))
                    .collect::<Result<_, _>>()?;
                DtypeRule::Promote(args)
            }
            DtypeExpr::Hole => DtypeRule::Among(DtypeSet::ANY),
        })
    }

    /// The relations of the standard library that the signature asks for.
    fn calls(&mut self, tree: &Signature) -> Result<Calls, Diagnostic> {
        let relations = Relations::standard();
        let library = relations.library();
        let mut calls = Vec::with_capacity(tree.relations.len());
        for relation in &tree.relations {
            let Relation { name, args } = &relation.node;
            let number = library.called_of_types(name, args.len())?;
            let args = args
                .iter()
                .map(|a| CallArg::Type(self.type_variable(&Name::from(&*a.node))));
            calls.push((number, args.collect()));
        }
        self.labels = library.words.labels.clone();
        self.identities = library.words.identities.clone();
        Ok(Calls {
            library: Arc::clone(library),
            calls,
        })
    }

    fn relation(&mut self, relation: &Spanned<Relation>) -> Result<RelationRule, Diagnostic> {
        let name = &*relation.node.name.node;
        let Some(&(_, count)) = RELATIONS.iter().find(|r| r.0 == name) else {
            let standard = Relations::standard();
            let known = standard.library().names_of_types();
            return Err(error::unknown_relation(&relation.node.name, &known));
        };
        let args = &relation.node.args;
        if args.len() < count {
            return Err(error::relation_arity(
                &relation.node.name,
                count,
                args.len(),
            ));
        }
        let runs = args
            .iter()
            .map(|a| {
                let key = RunKey::Named(Some(Name::from(&*a.node)));
                self.run(key, RunLength::Any, false)
            })
            .collect();
        Ok(match name {
            "Broadcast" => RelationRule::Broadcast(runs),
            _ => RelationRule::Identity(runs),
        })
    }

    fn names_of_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Name(n) => {
                self.name(&n.node);
            }
            Expr::Nominal(_) => {
                if let Dim::Nominal(nominal) = Dim::expr(expr.clone()) {
                    self.identities.push((*nominal).clone());
                }
            }
            _ => {}
        }
        let parts = expr.parts().into_iter();
        parts.for_each(|e| self.names_of_expr(e));
    }

    /// Notes the names of sizes that only a condition has. What names a dtype is no size.
    fn names_of(&mut self, condition: &Condition) -> Result<(), Diagnostic> {
        let is_dtype = |c: &Compiler, e: &Expr| {
            crate::lower::is_dtype(e, &|n| c.dtype_numbers.contains_key(&Name::from(n)))
        };
        match condition {
            Condition::Compare(first, rest) => {
                let exprs = || std::iter::once(first).chain(rest.iter().map(|r| &r.1));
                if !exprs().any(|e| is_dtype(self, e)) {
                    exprs().for_each(|e| self.names_of_expr(e));
                }
            }
            Condition::In(expr, values) => {
                if !is_dtype(self, expr) && !values.iter().any(|v| is_dtype(self, v)) {
                    self.names_of_expr(expr);
                    values.iter().for_each(|v| self.names_of_expr(v));
                }
            }
            Condition::Dtype(name, _) => {
                self.dtype_variable(&name.node);
            }
        }
        Ok(())
    }
}
