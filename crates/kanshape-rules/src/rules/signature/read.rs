//! From the tree of a signature to what is written in it.

use super::{
    Batch, Calls, DtypeForm, ItemForm, OperandForm, OptionalDim, RelationForm, RunForm, RunLength,
    SignatureForm, TypeForm,
};
use crate::encode::{Labels, about_dtypes, error};
use crate::rules::library::{Library, Standard};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{
    self, Condition, DimItem, DtypeExpr, Expr, Ident, Item, Pattern, PrefixKind, Relation,
    Signature, Spanned, TypeText,
};
use kanshape_types::{Dim, DtypeSet, DtypeTerm, Name, Nominal, Type, TypeKind, Vocabulary};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// The relations that the `forall` form knows by itself, with how many operands each is about.
const RELATIONS: [(&str, usize); 2] = [("Broadcast", 3), ("Identity", 2)];

impl SignatureForm {
    /// Reads the tree of a signature.
    pub(super) fn read(
        tree: &Signature,
        vocabulary: &Vocabulary,
        standard: Option<Standard>,
    ) -> Result<SignatureForm, Diagnostic> {
        let mut compiler = Compiler {
            relational: !tree.variables.is_empty(),
            in_text: in_text(tree, standard),
            standard,
            vocabulary: vocabulary.clone(),
            ..Compiler::default()
        };
        if let Some(wrong) = DtypeTerm::undeclared(tree) {
            return Err(wrong);
        }
        for param in &tree.params {
            let name = compiler.name(&param.name.node);
            compiler.params.push((Name::word(&*param.label.node), name));
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
                into.push(OperandForm {
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
            compiler.names_of(condition)?;
        }
        Ok(SignatureForm {
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
            labels: compiler.labels,
            identities: compiler.identities,
        })
    }
}

/// Does the signature use a relation that is defined in text?
fn in_text(tree: &Signature, standard: Option<Standard>) -> bool {
    let names = tree.relations.iter().map(|r| &r.node.name);
    names.into_iter().any(|name| {
        RELATIONS.iter().all(|r| r.0 != &*name.node)
            && standard.is_some_and(|library| library().known.is_defined(&name.node))
    })
}

#[derive(Default)]
struct Compiler {
    names: Vec<Name>,
    numbers: HashMap<Name, usize>,
    params: Vec<(Name, usize)>,
    runs: Vec<RunForm>,
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
    /// Where the relations that it calls are defined.
    standard: Option<Standard>,
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
        let name = Name::word(text);
        if let Some(&i) = self.numbers.get(&name) {
            return i;
        }
        self.names.push(name.clone());
        self.numbers.insert(name, self.names.len() - 1);
        self.names.len() - 1
    }

    fn items(&mut self, pattern: &Pattern, broadcast: bool) -> Result<Vec<ItemForm>, Diagnostic> {
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
                Item::Dim(Expr::Int(n)) => ItemForm::Size(*n),
                Item::Dim(Expr::Name(n)) => ItemForm::Name(self.name(&n.node)),
                Item::Dim(expr) => {
                    self.names_of_expr(expr);
                    ItemForm::Expr(expr.clone())
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
                    ItemForm::Optional(*self.optionals.entry(key).or_insert(next), dim)
                }
                Item::OrOne(expr) => {
                    self.names_of_expr(expr);
                    ItemForm::OrOne(expr.clone())
                }
                Item::Run(name) => {
                    let name = name.as_ref().map(|n| Name::word(&*n.node));
                    let broadcast = broadcast && name.is_none();
                    ItemForm::Run(self.run(RunKey::Named(name), RunLength::Any, broadcast))
                }
                Item::Skip(n) => {
                    let length = RunLength::Fixed(*n);
                    let key = RunKey::Fixed(*n, nth(length));
                    ItemForm::Run(self.run(key, length, broadcast))
                }
                Item::SkipNamed(name) => {
                    let i = self.name(&name.node);
                    let length = RunLength::Name(i);
                    if self.params.iter().all(|p| p.1 != i) {
                        self.params.push((self.names[i].clone(), i));
                    }
                    let key = RunKey::Length(i, nth(length));
                    ItemForm::Run(self.run(key, length, broadcast))
                }
            });
        }
        Ok(rules)
    }

    /// An operand that is written as a type. A name of the relational form is the run of all dims.
    fn type_operand(&mut self, ty: &Spanned<tree::Type>) -> Result<OperandForm, Diagnostic> {
        let mut rule = OperandForm {
            items: Vec::new(),
            dtype: DtypeForm::Among(DtypeSet::ANY),
            whole: None,
        };
        match &ty.node {
            tree::Type::Name(ident) if self.in_text => {
                rule = OperandForm::variable(self.type_variable(&Name::word(&*ident.node)));
            }
            tree::Type::Name(ident) if self.relational => {
                let key = RunKey::Named(Some(Name::word(&*ident.node)));
                rule.items = vec![ItemForm::Run(self.run(key, RunLength::Any, false))];
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

    fn type_rule(&mut self, ty: &Type) -> TypeForm {
        match &ty.kind {
            TypeKind::Unknown => TypeForm::Any,
            TypeKind::Var(name) => TypeForm::Variable(self.type_variable(name)),
            TypeKind::Tensor(tensor) => {
                let mut items: Vec<ItemForm> = Vec::new();
                let shape = &tensor.shape;
                items.extend(shape.before().iter().map(|dim| self.dim_rule(dim)));
                if let Some(run) = shape.run() {
                    let key = RunKey::Named(run.name.clone());
                    items.push(ItemForm::Run(self.run(key, RunLength::Any, false)));
                }
                items.extend(shape.after().iter().map(|dim| self.dim_rule(dim)));
                let dtype = match &tensor.dtype {
                    DtypeTerm::Known(dtype) => DtypeForm::Known(*dtype),
                    DtypeTerm::Name(name) => DtypeForm::Variable(self.dtype_variable(name)),
                    term => DtypeForm::Among(term.set()),
                };
                TypeForm::Tensor(items, dtype)
            }
            _ => {
                let label = self.labels.of(ty);
                TypeForm::Node(label, ty.parts().map(|part| self.type_rule(part)).collect())
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

    fn dim_rule(&mut self, dim: &Dim) -> ItemForm {
        match dim {
            Dim::Size(n) => ItemForm::Size(*n),
            Dim::Name(name) => ItemForm::Name(self.name(name)),
            Dim::Hole => ItemForm::Hole,
            Dim::Expr(_) | Dim::Nominal(_) => match dim.to_tree() {
                DimItem::Dim(e) => {
                    self.names_of_expr(&e);
                    ItemForm::Expr(e)
                }
                DimItem::Hole | DimItem::Run(_) => ItemForm::Hole,
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
        self.runs.push(RunForm {
            name,
            length,
            broadcast,
        });
        self.run_numbers.insert(key, self.runs.len() - 1);
        self.runs.len() - 1
    }

    fn dtype_variable(&mut self, text: &str) -> usize {
        let name = Name::word(text);
        if let Some(&i) = self.dtype_numbers.get(&name) {
            return i;
        }
        self.dtypes.push(Some(name.clone()));
        self.dtype_numbers.insert(name, self.dtypes.len() - 1);
        self.dtypes.len() - 1
    }

    fn dtype(&mut self, dtype: Option<&Spanned<DtypeExpr>>) -> Result<DtypeForm, Diagnostic> {
        let Some(dtype) = dtype else {
            let shared = self.shared.unwrap_or_else(|| {
                self.dtypes.push(None);
                self.dtypes.len() - 1
            });
            self.shared = Some(shared);
            return Ok(DtypeForm::Variable(shared));
        };
        self.dtype_expr(&dtype.node)
    }

    fn dtype_expr(&mut self, expr: &DtypeExpr) -> Result<DtypeForm, Diagnostic> {
        Ok(match expr {
            DtypeExpr::Name(ident) => match DtypeTerm::from_ident(ident)? {
                DtypeTerm::Known(dtype) => DtypeForm::Known(dtype),
                DtypeTerm::Name(name) => DtypeForm::Variable(self.dtype_variable(&name)),
                DtypeTerm::Set(set) => DtypeForm::Among(set),
                DtypeTerm::Hole => DtypeForm::Among(DtypeSet::ANY),
            },
            DtypeExpr::Set(names) => DtypeForm::Among(DtypeSet::from_idents(names)?),
            DtypeExpr::Promote(args) => {
                let args = args
                    .iter()
                    .map(|a| self.dtype_expr(a))
                    .collect::<Result<_, _>>()?;
                DtypeForm::Promote(args)
            }
            DtypeExpr::Hole => DtypeForm::Among(DtypeSet::ANY),
        })
    }

    /// The standard library.
    fn library(&self) -> Arc<Library> {
        self.standard.map_or_else(Arc::default, |library| library())
    }

    /// The relations of the standard library that the signature uses.
    fn calls(&mut self, tree: &Signature) -> Result<Calls, Diagnostic> {
        let library = self.library();
        let mut calls = Vec::with_capacity(tree.relations.len());
        for relation in &tree.relations {
            let Relation { name, args } = &relation.node;
            let number = library.called_of_types(name, args.len())?;
            let args = args
                .iter()
                .map(|a| self.type_variable(&Name::word(&*a.node)));
            calls.push((number, args.collect()));
        }
        self.labels = library.words.labels.clone();
        self.identities = library.words.identities.clone();
        Ok(Calls { library, calls })
    }

    fn relation(&mut self, relation: &Spanned<Relation>) -> Result<RelationForm, Diagnostic> {
        let name = &*relation.node.name.node;
        let Some(&(_, count)) = RELATIONS.iter().find(|r| r.0 == name) else {
            let standard = self.library();
            let known = standard.names_of_types();
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
                let key = RunKey::Named(Some(Name::word(&*a.node)));
                self.run(key, RunLength::Any, false)
            })
            .collect();
        Ok(match name {
            "Broadcast" => RelationForm::Broadcast(runs),
            _ => RelationForm::Identity(runs),
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
    fn names_of(&mut self, condition: &Spanned<Condition>) -> Result<(), Diagnostic> {
        if let Condition::Dtype(name, _) = &condition.node {
            self.dtype_variable(&name.node);
        }
        let parts = condition.node.parts();
        let is_dtype = |name: &str| {
            let name = Name::word(name);
            match self.dtype_numbers.contains_key(&name) {
                true => Some(true),
                false => self.numbers.contains_key(&name).then_some(false),
            }
        };
        if !about_dtypes(parts.iter().copied(), &is_dtype) {
            parts.into_iter().for_each(|e| self.names_of_expr(e));
            return Ok(());
        }
        // Where a dtype is meant, a word for one that is also the name of a size is that word.
        let is_size = |name: &Ident| {
            is_dtype(&name.node) == Some(false)
                && matches!(DtypeTerm::from_ident(name), Ok(DtypeTerm::Name(_)))
        };
        for part in parts {
            if let Expr::Name(name) = part
                && is_size(name)
            {
                let wrong = error::two_kinds(&name.node, "a size", "a dtype");
                return Err(wrong.with_label(condition.span.into(), "a dtype here"));
            }
        }
        Ok(())
    }
}
