//! Backwards: the programs that have a type, and what can be written in the place of `_`.
//!
//! A program is made from the outside to the inside. Each gap `_` is filled in every way, by something that has gaps
//! itself, and the types of the whole are inferred each time: what does not fit is not followed, and what fits says of
//! which type its gaps are. The smaller programs come first, and of one size all are found.

mod attributes;
mod candidates;
mod step;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use kanshape::control::is_over;
use kanshape::graph::{Form, Graph, ValueId};
use kanshape::tree::relay::{self, Attr, Def, Expr, ExprId, Function, Item, Param, Type};
use kanshape::tree::{Condition, Expr as Size, Span, Spanned};
use kanshape::{Call, Dim, Operator, Relations, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::infer::write::Openness;
use crate::problem::{ErrorKind, Problem};
use crate::program::{Global, Program, has_open};
use crate::table::Ty;
use attributes::{Choices, OpenCall, ground};
use step::{GapStep, OpenProgram};

/// The operators that are tried unless others are given.
pub const OPERATORS: [&str; 12] = [
    "transpose",
    "nn.relu",
    "add",
    "multiply",
    "nn.matmul",
    "nn.dense",
    "expand_dims",
    "squeeze",
    "sum",
    "reshape",
    "concatenate",
    "cast",
];

/// The most programs with gaps that are examined unless more are allowed.
const STEPS: u64 = 200_000;
/// The most that wait at a time.
const MOST_WAITING: usize = 400_000;

/// A program that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many calls, tuples, projections, functions, matches and constants it has.
    pub size: u32,
    /// The program. It has been checked.
    pub program: Program,
}

/// A search for programs, the smaller ones first.
///
/// ```
/// use kanshape_relay::{Search, notation};
///
/// let ty = "fn (f32[m, n]) -> f32[n, m]";
/// let ty = notation::read_program_type(ty).map_err(kanshape_relay::Problem::of_text)?;
/// let search = Search::of_type(kanshape::catalog(), &ty)?;
/// let mut search = search.operators(["transpose", "nn.relu"])?.size(1);
/// let found = search.next().map(|found| found.program.to_string());
/// assert!(found.is_some_and(|text| text.contains("transpose(%x0)")));
/// assert!(search.next().is_none() && search.cut_off().is_none());
/// # Ok::<(), kanshape_relay::Problem>(())
/// ```
pub struct Search<'r> {
    relations: &'r Relations,
    operators: Vec<Callable>,
    /// The functions of the program that can be called, with the number of their parameters.
    functions: Vec<(Box<str>, usize)>,
    base: Rc<OpenProgram>,
    /// The gaps of the program as it was given.
    roots: Vec<ExprId>,
    /// The names that its variables have.
    names: FxHashSet<Box<str>>,
    /// What has to be found of each global.
    wanted: Vec<WantedType>,
    size: u32,
    steps: u64,
    examined: u64,
    order: u64,
    waiting: BinaryHeap<Reverse<GapStep>>,
    seen: FxHashSet<String>,
    /// The attributes of calls of operators, by the names of these.
    choices: FxHashMap<(String, Call), Choices>,
    cut_off: Option<String>,
}

/// An operator that is tried.
struct Callable {
    name: Box<str>,
    /// The number of operands.
    operands: usize,
    gives: Gives,
    /// The attributes that have no default.
    needed: Vec<Attr>,
    /// All of them, if there are more.
    all: Option<Vec<Attr>>,
}

/// What an operator gives, whatever it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Tensor,
    Tuple,
    /// One of them, by its attributes or its operands.
    Any,
}

impl Gives {
    fn of(relations: &Relations, operator: &Operator) -> Gives {
        let outputs = vec![true; operator.outputs().count()];
        if outputs.len() != 1 {
            return Gives::Tuple;
        }
        let mut graph = Graph::new(relations).without_reasons();
        let needed = operator.inputs().filter(|formal| !formal.optional);
        let inputs: Vec<ValueId> = needed.map(|_| graph.unknown()).collect();
        let all = vec![true; inputs.len()];
        let Ok(call) = graph.call(operator, Vec::new(), &all, &outputs) else {
            return Gives::Any;
        };
        let (_, outputs) = graph.add(call, &inputs);
        match outputs.get(0).map(|value| graph.form(value)) {
            Some(Form::Tensor) => Gives::Tensor,
            Some(Form::Tuple(_)) => Gives::Tuple,
            _ => Gives::Any,
        }
    }
}

/// The type that a global has to have.
struct WantedType {
    name: Box<str>,
    /// Without the relations that have to hold. Not known if something of it is not written.
    ty: Option<String>,
    /// The relations that have to hold.
    relations: Vec<String>,
    conditions: Vec<Condition>,
    /// The names of the sizes and dtypes in it.
    names: FxHashSet<Box<str>>,
    is_open: bool,
    has_gap: bool,
}

impl WantedType {
    /// Is there a choice of sizes for the names in the type for which a condition does not hold?
    fn refutes(&self, condition: &Condition) -> bool {
        let mut names: Vec<Box<str>> = Vec::new();
        condition.for_each_name(&mut |name| names.push(name.into()));
        if !names.iter().all(|name| self.names.contains(name)) {
            return false;
        }
        names.sort_unstable();
        names.dedup();
        let place = |name: &str| names.iter().position(|own| **own == *name);
        let count = names.len();
        let choices: [&dyn Fn(usize) -> usize; 4] =
            [&|i| i, &|i| 5 + 2 * i, &|i| 5 + 3 * (count - i), &|_| 1];
        choices.into_iter().any(|size| {
            let at =
                |e: &Size| Dim::expr(e.clone()).at(&|name| place(name).map(|i| size(i) as u64));
            match condition {
                Condition::Compare(first, rest) => {
                    let mut left = first;
                    rest.iter().any(|(op, right)| {
                        let (a, b) = (at(left), at(right));
                        left = right;
                        matches!((a, b), (Some(a), Some(b)) if !op.holds(a, b))
                    })
                }
                Condition::In(e, members) => at(e).is_some_and(|n| {
                    let mut members = members.iter().map(at);
                    members.all(|own| own.is_some_and(|own| own != n))
                }),
                Condition::Dtype(..) => false,
            }
        })
    }
}

/// A gap of a program, with what can be used there.
struct Gap {
    id: ExprId,
    ty: Type,
    scope: Vec<(Box<str>, Type)>,
}

/// What was found of a program with gaps.
struct Examined {
    gaps: Vec<Gap>,
    /// The calls whose attributes are to be chosen, with their types.
    calls: Vec<OpenCall>,
}

impl<'r> Search<'r> {
    /// The closed programs that have a type: of a function, `@main` with parameters; of anything else, `@main` without.
    ///
    /// # Errors
    /// What is wrong with the type.
    pub fn of_type(relations: &'r Relations, ty: &Type) -> Result<Search<'r>, Problem> {
        Search::of_type_with(relations, ty, &relay::Program::default())
    }

    /// The same with the definitions of a program: its data types, and its functions to be called.
    ///
    /// # Errors
    /// What is wrong with the type, or with the program.
    pub fn of_type_with(
        relations: &'r Relations,
        ty: &Type,
        program: &relay::Program,
    ) -> Result<Search<'r>, Problem> {
        let at = Span::default();
        let mut tree = program.clone();
        tree.main = None;
        let body = tree.add(Expr::Hole, at);
        let (binders, params, result, constraints) = match ty {
            Type::Fn(function) => {
                let function = (**function).clone();
                let own = (function.params, function.result);
                (function.binders, own.0, own.1, function.constraints)
            }
            other => (
                Vec::new(),
                Vec::new(),
                Spanned::new(other.clone(), at),
                Vec::new(),
            ),
        };
        let named = |(i, ty): (usize, Spanned<Type>)| Param {
            name: Spanned::new(format!("x{i}").into(), at),
            ty: Some(ty),
        };
        let mut name: Box<str> = "main".into();
        let mut count = 0;
        while defs(&tree).any(|def| def.name.node == name) {
            count += 1;
            name = format!("main{count}").into();
        }
        tree.items.push(Item::Def(Def {
            name: Spanned::new(name, at),
            function: Function {
                binders,
                params: params.into_iter().enumerate().map(named).collect(),
                result: Some(result),
                constraints,
                attrs: Vec::new(),
                body,
            },
        }));
        Search::of_tree(relations, tree)
    }

    /// What can be written in the place of the gaps `_` of a program.
    ///
    /// # Errors
    /// What is wrong with the program.
    pub fn filling(relations: &'r Relations, program: &Program) -> Result<Search<'r>, Problem> {
        Search::of_tree(relations, program.tree().clone()).map_err(|problem| Problem {
            diagnostic: program.placed(problem.diagnostic),
            ..problem
        })
    }

    fn of_tree(relations: &'r Relations, tree: relay::Program) -> Result<Search<'r>, Problem> {
        let mut names = FxHashSet::default();
        step::each_variable(&tree, &mut |name| {
            names.insert(name.into());
        });
        // What has a gap is not called: it would be called by itself.
        let mut functions = Vec::new();
        for def in defs(&tree) {
            if !step::has_gap(&tree, def.function.body) {
                functions.push((def.name.node.clone(), def.function.params.len()));
            }
        }
        let mut search = Search {
            relations,
            operators: Vec::new(),
            functions,
            base: Rc::new(OpenProgram::of(tree)),
            roots: Vec::new(),
            names,
            wanted: Vec::new(),
            size: 3,
            steps: STEPS,
            examined: 0,
            order: 0,
            waiting: BinaryHeap::new(),
            seen: FxHashSet::default(),
            choices: FxHashMap::default(),
            cut_off: None,
        };
        search.wanted = search.baseline()?;
        let base = Rc::clone(&search.base);
        let examined = search.examine(&base.tree);
        search.roots = examined
            .iter()
            .flat_map(|e| &e.gaps)
            .map(|g| g.id)
            .collect();
        search.waiting.push(Reverse(GapStep::first(base)));
        let known = OPERATORS.into_iter().map(String::from);
        search.operators = known
            .filter_map(|name| callable(relations, &name).ok())
            .collect();
        Ok(search)
    }

    /// With these operators instead.
    ///
    /// # Errors
    /// A name that no operator has.
    pub fn operators(
        mut self,
        names: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Search<'r>, Problem> {
        let names = names.into_iter().map(Into::into);
        let all = names.map(|name| callable(self.relations, &name));
        self.operators = all.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Programs of at most this many calls, tuples, projections, functions, matches and constants; 3 unless given.
    #[must_use]
    pub fn size(mut self, size: u32) -> Search<'r> {
        self.size = size;
        self
    }

    /// At most this many programs with gaps are examined.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Search<'r> {
        self.steps = steps;
        self
    }

    /// What ended the search before all programs of its size were found.
    pub fn cut_off(&self) -> Option<&str> {
        self.cut_off.as_deref()
    }

    /// How many programs with gaps have been examined.
    pub fn examined(&self) -> u64 {
        self.examined
    }

    /// What the globals are, with the gaps of the program open.
    fn baseline(&self) -> Result<Vec<WantedType>, Problem> {
        let tree = &self.base.tree;
        let mut infer = Infer::new(tree, self.relations);
        let found = infer.program();
        if !infer.problems.is_empty() {
            return Err(infer.problems.remove(0));
        }
        let mut all = Vec::with_capacity(found.len());
        for global in &found {
            let written = infer.written_scheme(&global.scheme);
            let function = defs(tree).find(|def| def.name.node == global.name);
            let is_written = function.is_some_and(|def| {
                let is = |ty: &Spanned<Type>| !has_open(&ty.node);
                let mut params = def.function.params.iter();
                def.function.result.as_ref().is_some_and(is)
                    && params.all(|param| param.ty.as_ref().is_some_and(is))
            });
            let body = function.map(|def| def.function.body).or(tree.main);
            let relations = relations_of(&written.ty).collect();
            let text = bare(written.ty);
            all.push(WantedType {
                name: global.name.clone(),
                names: words(&text).map(Into::into).collect(),
                ty: is_written.then_some(text),
                relations,
                conditions: written.conditions,
                is_open: written.openness != Openness::Closed,
                has_gap: body.is_some_and(|body| step::has_gap(tree, body)),
            });
        }
        Ok(all)
    }

    /// The types of a program with gaps; none if something is wrong with it, or if its names would not be any sizes.
    fn examine(&self, tree: &relay::Program) -> Option<Examined> {
        let mut infer = Infer::new(tree, self.relations);
        infer.graph = Graph::new(self.relations).without_reasons();
        infer.notes_scopes = true;
        infer.is_quiet = true;
        let found = infer.program();
        if !infer.problems.is_empty() {
            return None;
        }
        for global in &found {
            let wanted = self.wanted.iter().find(|own| own.name == global.name);
            let Some(wanted) = wanted else { continue };
            let Some(ty) = &wanted.ty else { continue };
            let written = infer.written_scheme(&global.scheme);
            let is_new = |condition: &&Condition| !wanted.conditions.contains(condition);
            let mut new = written.conditions.iter().filter(is_new);
            // What waits for a gap to be filled is no part of the type.
            if bare(written.ty) != *ty || new.any(|own| wanted.refutes(own)) {
                return None;
            }
        }
        let open = std::mem::take(&mut infer.gaps);
        // All types are read at once.
        let scopes = open
            .iter()
            .flat_map(|gap| gap.scope.iter().map(|(_, ty)| *ty));
        let all: Vec<Ty> = open.iter().map(|gap| gap.ty).chain(scopes).collect();
        let mut written = infer.written_all(&all).into_iter();
        let types: Vec<Type> = written.by_ref().take(open.len()).collect();
        let gaps = open.into_iter().zip(types).map(|(gap, ty)| {
            let names = gap.scope.into_iter().map(|(name, _)| name);
            Gap {
                id: gap.id,
                ty,
                scope: names.zip(written.by_ref()).collect(),
            }
        });
        let gaps = gaps.collect();
        let calls = attributes::open_calls(tree, &mut infer);
        Some(Examined { gaps, calls })
    }

    /// A program without gaps, read and checked as anyone's.
    fn checked(&mut self, state: &OpenProgram, size: u32) -> Option<Found> {
        let text = state.tree.to_string();
        if !self.seen.insert(text.clone()) {
            return None;
        }
        let program = Program::parse("found", &text).ok()?;
        let typing = program.check(self.relations);
        if !typing.problems.is_empty() {
            if typing.problems.iter().all(Problem::is_limit) {
                self.cut(format!("a program of size {size} was too much to check"));
            }
            return None;
        }
        let is_open = |wanted: &WantedType, global: &Global| {
            global.is_open && (wanted.has_gap || !wanted.is_open)
        };
        let mut all = self.wanted.iter();
        let is_undecided = all.any(|wanted| {
            let global = typing.global(&wanted.name);
            global.is_some_and(|global| is_open(wanted, global) && global.is_undecided())
        });
        if is_undecided && !self.is_refuted(&program) {
            self.cut(format!(
                "of a program of size {size} it is not known whether it has the type for all sizes"
            ));
        }
        for wanted in &self.wanted {
            let global = typing.global(&wanted.name)?;
            let is_open = is_open(wanted, global);
            let is_same = wanted.ty.as_ref().is_none_or(|ty| {
                let conditions = wanted.conditions.iter().map(ToString::to_string);
                let conditions: Vec<String> = conditions.collect();
                let mut relations = relations_of(&global.ty);
                bare(global.ty.clone()) == *ty
                    && relations.all(|own| wanted.relations.contains(&own))
                    && global.conditions.iter().all(|own| conditions.contains(own))
            });
            if is_open || !is_same {
                return None;
            }
        }
        Some(Found { size, program })
    }

    /// Are there sizes for the names in a program with which it is none?
    fn is_refuted(&self, program: &Program) -> bool {
        let mut names: Vec<&str> = self
            .wanted
            .iter()
            .flat_map(|own| &own.names)
            .map(|name| &**name)
            .collect();
        names.sort_unstable();
        names.dedup();
        let count = names.len() as u64;
        let choices: [&dyn Fn(u64) -> u64; 4] =
            [&|i| 2 + i, &|_| 1, &|i| count - i, &|i| i % 2 + 1];
        choices.into_iter().any(|size| {
            let sizes = names
                .iter()
                .zip(0..)
                .map(|(name, i)| (*name, size(i)))
                .collect();
            let program = Program::of("found", grounded(program.tree(), &sizes));
            program.check(self.relations).verdict(&self.wanted[0].name) == Verdict::Never
        })
    }

    fn push(&mut self, mut step: GapStep) {
        if step.size > self.size {
            return;
        }
        if self.waiting.len() >= MOST_WAITING {
            self.cut(format!("more than {MOST_WAITING} programs with gaps wait"));
            return;
        }
        self.order += 1;
        step.order = self.order;
        self.waiting.push(Reverse(step));
    }

    fn cut(&mut self, why: String) {
        self.cut_off.get_or_insert(why);
    }
}

impl Iterator for Search<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        while let Some(Reverse(step)) = self.waiting.pop() {
            let (size, attrs, is_constant) = (step.size, step.attrs, step.is_constant());
            let Some(state) = step.taken() else { continue };
            let examined = match self.examined < self.steps {
                true => self.examine(&state.tree),
                false => None,
            };
            // What was not calculated to its end says nothing.
            if is_over() || self.examined >= self.steps {
                let examined = self.examined;
                let ended = format!("after {examined} programs with gaps, at size {size}");
                self.cut_off = Some(match self.cut_off.take() {
                    Some(before) => format!("{ended}; {before}"),
                    None => ended,
                });
                self.waiting.clear();
                return None;
            }
            self.examined += 1;
            let Some(examined) = examined else {
                if is_constant {
                    self.cut(format!(
                        "constants of other values were not tried, at size {size}"
                    ));
                }
                continue;
            };
            if let Some(call) = examined.calls.iter().find(|call| call.is_known) {
                self.choose(&state, call, size, attrs);
                continue;
            }
            match step::chosen(&examined.gaps, &state) {
                Some(gap) => self.expand(&state, gap, size, attrs),
                None => {
                    if examined.calls.is_empty()
                        && state.uses_lets()
                        && let Some(found) = self.checked(&state, size)
                    {
                        return Some(found);
                    }
                }
            }
        }
        None
    }
}

/// The definitions of a program.
fn defs(tree: &relay::Program) -> impl Iterator<Item = &Def> {
    tree.items.iter().filter_map(|item| match item {
        Item::Def(def) => Some(def),
        Item::Data(_) => None,
    })
}

/// A program with numbers for the names of sizes in the types that are written in its definitions.
fn grounded(tree: &relay::Program, sizes: &FxHashMap<&str, u64>) -> relay::Program {
    let mut tree = tree.clone();
    for item in &mut tree.items {
        let Item::Def(def) = item else { continue };
        let params = def.function.params.iter_mut().map(|param| &mut param.ty);
        for ty in params.chain([&mut def.function.result]).flatten() {
            ty.node = ground(&ty.node, sizes, false);
        }
    }
    tree
}

/// The relations that have to hold for a type.
fn relations_of(ty: &Type) -> impl Iterator<Item = String> + '_ {
    let function = match ty {
        Type::Fn(function) => Some(function),
        _ => None,
    };
    let relations = function.into_iter().flat_map(|own| &own.constraints);
    relations.map(|own| own.node.to_string())
}

/// A type without the relations that have to hold.
fn bare(ty: Type) -> String {
    match ty {
        Type::Fn(mut function) => {
            function.constraints.clear();
            // Those that are written are in the types of parameters; others are of gaps.
            function.binders.clear();
            Type::Fn(function).to_string()
        }
        ty => ty.to_string(),
    }
}

/// The names in a written type.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(is_end).filter(|word| !word.is_empty())
}

/// The operator of a name, as it is tried.
fn callable(relations: &Relations, name: &str) -> Result<Callable, Problem> {
    let full = match name.contains("::") {
        true => name.to_owned(),
        false => format!("relay::{name}"),
    };
    let operator = relations.operator(&full, None).map_err(|d| Problem {
        kind: ErrorKind::Scope,
        diagnostic: d,
    })?;
    let open = |name: &str| Attr {
        name: Spanned::new(name.into(), Span::default()),
        value: Spanned::new(relay::AttrValue::Hole, Span::default()),
    };
    let own: Vec<_> = operator.attributes().filter(|a| !a.is_type()).collect();
    let needed = own.iter().filter(|a| !a.optional && a.default.is_none());
    let needed: Vec<Attr> = needed.map(|a| open(a.name)).collect();
    let all = (needed.len() < own.len()).then(|| own.iter().map(|a| open(a.name)).collect());
    let operands = operator.inputs().filter(|formal| !formal.optional).count();
    Ok(Callable {
        name: name.into(),
        operands,
        gives: Gives::of(relations, &operator),
        needed,
        all,
    })
}
