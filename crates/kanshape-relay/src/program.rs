//! [`Program`] and [`Typing`]: what a user has in hand.

use kanshape::control::is_over;
use kanshape::diag::Position;
use kanshape::tree::parse_relay_program;
use kanshape::tree::relay::{self, Expr, ExprId, Function, Item, Type};
use kanshape::tree::{Span, Spanned};
use kanshape::{Diagnostic, Relations, Verdict};

use crate::code;
use crate::infer::Infer;
use crate::problem::{ErrorKind, Problem};
use crate::table::{Node, Ty};

/// A program, read.
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    text: String,
    tree: relay::Program,
}

/// The type of a global.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, without the `@`.
    pub name: Box<str>,
    /// Its type, with the relations that have to hold at each call.
    pub ty: Type,
    /// What has to hold of the sizes and dtypes in it.
    pub conditions: Vec<String>,
    /// Something of it is determined by nothing.
    pub is_open: bool,
    /// Where its name is written.
    at: Span,
}

/// An expression that is not written, `_`.
#[derive(Clone, Debug)]
pub struct Gap {
    /// Its number.
    pub id: ExprId,
    /// Where it is in the text, if the program has one.
    pub at: Option<Position>,
    /// The type that an expression in its place has to have.
    pub ty: Type,
}

/// What was found of a program.
#[derive(Clone, Debug)]
pub struct Typing {
    /// The globals, in their order.
    pub globals: Vec<Global>,
    /// What is wrong, in the order in which it was found.
    pub problems: Vec<Problem>,
    /// What reads and is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// The expressions that are not written, `_`.
    pub gaps: Vec<Gap>,
    /// The types of expressions, by their numbers.
    types: Vec<Option<Type>>,
}

impl Program {
    /// Reads a program; messages call its text by this name.
    ///
    /// # Errors
    /// The first mistake of the text.
    pub fn parse(name: &str, text: &str) -> Result<Program, Problem> {
        match parse_relay_program(text) {
            Ok(tree) => Ok(Program {
                name: name.to_owned(),
                text: text.to_owned(),
                tree,
            }),
            Err(mut d) => {
                if let Some(source) = &mut d.source {
                    source.name = name.to_owned();
                }
                Err(Problem::of_text(d))
            }
        }
    }

    /// A program that was made without a text.
    pub fn of(name: &str, tree: relay::Program) -> Program {
        Program {
            name: name.to_owned(),
            text: String::new(),
            tree,
        }
    }

    /// The program as a tree.
    pub fn tree(&self) -> &relay::Program {
        &self.tree
    }

    /// Infers the types of all that is in the program. Its operators are those of these relations.
    pub fn check(&self, relations: &Relations) -> Typing {
        self.inferred(relations, false)
    }

    /// The same with the type of each expression.
    pub fn check_all(&self, relations: &Relations) -> Typing {
        self.inferred(relations, true)
    }

    /// A diagnostic about this text.
    pub(crate) fn placed(&self, d: Diagnostic) -> Diagnostic {
        match self.text.is_empty() {
            true => d,
            false => d.with_source(&*self.name, &*self.text),
        }
    }

    /// Where an expression is written.
    fn position(&self, id: ExprId) -> Option<Position> {
        let at = self.tree.span(id).start;
        (!self.text.is_empty()).then(|| Position::of(&self.text, at))
    }

    fn inferred(&self, relations: &Relations, all: bool) -> Typing {
        let mut infer = Infer::new(&self.tree, relations);
        let found = infer.program();
        let mut globals = Vec::with_capacity(found.len());
        if infer.is_cut || is_over() {
            infer.is_cut = true;
            // What could not be stated any more may look like what cannot hold.
            infer.problems.retain(|problem| {
                !matches!(
                    problem.kind,
                    ErrorKind::Mismatch
                        | ErrorKind::Relation
                        | ErrorKind::Kind
                        | ErrorKind::Incomplete
                )
            });
        }
        let has_failed = !infer.problems.is_empty();
        if infer.is_cut {
            let headline = "the program was not checked to its end: that takes more time or steps than there are";
            infer
                .warnings
                .push(Diagnostic::new(code::TOO_LARGE, headline).as_warning());
        }
        for global in &found {
            if infer.is_cut {
                globals.push(Global {
                    name: global.name.clone(),
                    ty: Type::Hole,
                    conditions: Vec::new(),
                    is_open: true,
                    at: global.at,
                });
                continue;
            }
            let written = infer.written_scheme(&global.scheme);
            let is_open = infer.is_undetermined(&global.scheme);
            if written.is_cut && !has_failed {
                let headline = format!("the type of `@{}` is too large to be written", global.name);
                let problem = Problem::new(ErrorKind::Incomplete, headline, global.at);
                infer.problems.push(problem.coded(code::TOO_LARGE));
            }
            let at = global.at;
            let global = Global {
                name: global.name.clone(),
                ty: match written.is_cut {
                    true => Type::Hole,
                    false => written.ty,
                },
                conditions: written.conditions.iter().map(ToString::to_string).collect(),
                is_open,
                at,
            };
            if is_open && !has_failed {
                infer.warnings.push(undetermined(&global).as_warning());
            }
            globals.push(global);
        }
        let gaps = std::mem::take(&mut infer.gaps);
        let open: Vec<Ty> = gaps.iter().map(|gap| gap.ty).collect();
        let open = infer.written_all(&open);
        let gaps = gaps.into_iter().zip(open).map(|(gap, ty)| Gap {
            id: gap.id,
            at: self.position(gap.id),
            ty,
        });
        let gaps = gaps.collect();
        let types = match all && !infer.is_cut && !is_over() {
            true => {
                let types = std::mem::take(&mut infer.types);
                let known: Vec<Ty> = types.iter().copied().flatten().collect();
                let mut written = infer.written_all(&known).into_iter();
                let types = types.into_iter();
                types.map(|ty| ty.and_then(|_| written.next())).collect()
            }
            false => Vec::new(),
        };
        let placed = |d: Diagnostic| self.placed(d);
        let problems = infer.problems.into_iter().map(|problem| Problem {
            diagnostic: placed(problem.diagnostic),
            ..problem
        });
        Typing {
            globals,
            problems: problems.collect(),
            warnings: infer.warnings.into_iter().map(placed).collect(),
            gaps,
            types,
        }
    }

    /// The program with every annotation of a global and a function written in.
    pub fn annotated(&self, relations: &Relations) -> relay::Program {
        let typing = self.check_all(relations);
        let mut tree = self.tree.clone();
        for i in 0..tree.items.len() {
            if let Item::Def(def) = &mut tree.items[i]
                && let Some(global) = typing.global(&def.name.node)
            {
                fill(&mut def.function, &global.ty);
            }
        }
        for (i, ty) in typing.types.iter().enumerate() {
            let Some(ty) = ty else { continue };
            tree.change(i, &mut |e| {
                // The type of a function that binds parameters is that of one use.
                if let Expr::Function(function) = e
                    && function.binders.is_empty()
                    && !has_open(ty)
                {
                    fill(function, ty);
                }
            });
        }
        tree
    }
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.tree.fmt(f)
    }
}

fn undetermined(global: &Global) -> Diagnostic {
    let headline = format!("nothing determines all of the type of `@{}`", global.name);
    let problem = Problem::new(ErrorKind::Incomplete, headline, global.at);
    problem.step(format!("it is `{}`", global.ty)).diagnostic
}

/// Writes the types of a function in, where none are written.
fn fill(function: &mut Function, ty: &Type) {
    let Type::Fn(own) = ty else { return };
    if function.binders.is_empty() {
        function.binders = own.binders.clone();
    }
    let is_new =
        |written: &Option<Spanned<Type>>| written.as_ref().is_none_or(|ty| has_open(&ty.node));
    for (param, ty) in function.params.iter_mut().zip(&own.params) {
        if is_new(&param.ty) {
            param.ty = Some(ty.clone());
        }
    }
    if is_new(&function.result) {
        function.result = Some(own.result.clone());
    }
}

/// Is something of a type not known?
pub(crate) fn has_open(ty: &Type) -> bool {
    match ty {
        Type::Hole | Type::Named(_) => true,
        Type::Tensor(shape, dtype) => {
            matches!(shape.node, relay::Shape::Hole) || matches!(dtype, relay::Dtype::Hole)
        }
        Type::Apply(_, parts) | Type::Tuple(parts) => parts.iter().any(|p| has_open(&p.node)),
        Type::Fn(f) => f.params.iter().any(|p| has_open(&p.node)) || has_open(&f.result.node),
        Type::Ref(inner) => has_open(&inner.node),
        _ => false,
    }
}

impl Typing {
    /// A global by its name.
    pub fn global(&self, name: &str) -> Option<&Global> {
        self.globals.iter().find(|global| &*global.name == name)
    }

    /// The type of an expression, if [`Program::check_all`] was called and it has one.
    pub fn ty(&self, id: ExprId) -> Option<&Type> {
        self.types.get(id.index())?.as_ref()
    }

    /// That nothing determines all of the type of a global, as a problem.
    pub fn open_problem(&self, global: &Global) -> Option<Problem> {
        global.is_open.then(|| Problem {
            kind: ErrorKind::Incomplete,
            diagnostic: undetermined(global),
        })
    }

    /// The global that the program as a whole is about: the only one, or `main`.
    pub fn entry(&self) -> &str {
        match self.globals.as_slice() {
            [only] => &only.name,
            _ => "main",
        }
    }

    /// Is the program well typed, for all sizes of the names in the type of this global? Where it has none of this name: in the
    /// types of all of its globals.
    pub fn verdict(&self, entry: &str) -> Verdict {
        if !self.problems.is_empty() {
            return Verdict::Never;
        }
        match self.global(entry) {
            Some(global) if global.is_open => Verdict::Unknown,
            Some(global) if !global.conditions.is_empty() => Verdict::Depends,
            Some(global) => match &global.ty {
                Type::Fn(function) if !function.constraints.is_empty() => Verdict::Depends,
                _ => Verdict::Always,
            },
            None => {
                let all = self.globals.iter().map(|own| self.verdict(&own.name));
                let worst = all.max_by_key(|verdict| match verdict {
                    Verdict::Always => 0,
                    Verdict::Depends => 1,
                    Verdict::Unknown => 2,
                    Verdict::Never => 3,
                });
                worst.unwrap_or(Verdict::Always)
            }
        }
    }
}

impl Infer<'_> {
    /// Is some of a scheme determined by nothing: a result that is any type, an operand of any rank, a tuple of which
    /// only one field is known?
    pub(crate) fn is_undetermined(&mut self, scheme: &crate::infer::scheme::Scheme) -> bool {
        let left = self.left(scheme);
        let left: Vec<Ty> = left.iter().flat_map(|posted| posted.goal.types()).collect();
        let is_open = |infer: &Infer<'_>, ty: Ty| {
            infer
                .table
                .all_parts(ty)
                .into_iter()
                .any(|part| match infer.table.get(part) {
                    Node::Hole { .. } | Node::Open { .. } => true,
                    Node::Tensor { value, .. } => infer.graph.known(*value).is_none(),
                    _ => false,
                })
        };
        let declared = !scheme.rigids.is_empty();
        if left.iter().any(|ty| is_open(self, *ty)) && !declared {
            return true;
        }
        let Node::Fn(params, result) = self.table.get(scheme.ty).clone() else {
            return false;
        };
        let result = self.table.find(result);
        match self.table.get(result) {
            Node::Hole { .. } | Node::Open { .. } => {
                let mut params = params.iter();
                !params.any(|param| self.table.all_parts(*param).contains(&result))
                    && !self.absurd.iter().any(|ty| self.table.root(*ty) == result)
            }
            _ => false,
        }
    }
}
