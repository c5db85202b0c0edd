//! Conditions on the types of what a rule matches.

use std::sync::{Mutex, PoisonError};

use egg::{Condition, EGraph, Id, Subst, Var};
use kanshape::graph::{CallId, Graph};
use kanshape::{Diagnostic, Relations, Type, Verdict, code, order};
use rustc_hash::FxHashMap;

use crate::analysis::TypeAnalysis;
use crate::language::TypedLanguage;

/// The most answers that a condition keeps.
const MOST: usize = 10_000;

/// A condition of a rule: [`rank`], [`same_type`], [`types`].
#[derive(Debug)]
pub struct TypeIf {
    vars: Vec<Var>,
    test: Test,
}

#[derive(Debug)]
enum Test {
    Rank(usize),
    Same,
    Goals(Box<Goals>),
}

/// Goals as an operator, and what has come of it.
#[derive(Debug)]
struct Goals {
    graph: Graph,
    call: CallId,
    known: Mutex<FxHashMap<Vec<Type>, bool>>,
}

/// The rank of what a variable is. `if rank("?a", 2)?`
///
/// # Errors
/// A [`Diagnostic`] if that is no variable.
pub fn rank(var: &str, rank: usize) -> Result<TypeIf, Diagnostic> {
    Ok(TypeIf {
        vars: vec![variable(var)?],
        test: Test::Rank(rank),
    })
}

/// Two variables are of the same type. `if same_type("?a", "?b")?`
///
/// # Errors
/// A [`Diagnostic`] if these are no variables.
pub fn same_type(a: &str, b: &str) -> Result<TypeIf, Diagnostic> {
    Ok(TypeIf {
        vars: vec![variable(a)?, variable(b)?],
        test: Test::Same,
    })
}

/// The types of variables, and goals that hold for them, as [operators](kanshape::catalog()) have them. They hold where nothing is
/// required beyond what is known.
///
/// ```
/// use kanshape_egg::types;
///
/// let same_rows = types(kanshape::catalog(), "a: T[m, k], b: T[m, n] :- k <= n")?;
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
///
/// # Errors
/// A [`Diagnostic`] if the text can't be read, or if it speaks of what is not known.
pub fn types(relations: &Relations, text: &str) -> Result<TypeIf, Diagnostic> {
    let (operands, goals) = text.split_once(":-").unwrap_or((text, ""));
    let goals = match goals.trim() {
        "" => String::new(),
        goals => format!(" :- {goals}"),
    };
    let source = format!("op TypesOfMatch({operands}) -> (holds: bool[]){goals}");
    let relations = relations.with([("condition", &*source)])?;
    let operator = relations.operator("TypesOfMatch", None)?;
    let names: Vec<String> = operator.inputs().map(|own| own.name.to_owned()).collect();
    let vars = names.iter().map(|name| variable(name));
    let mut graph = Graph::new(&relations).without_reasons();
    let call = graph.call(&operator, Vec::new(), &vec![true; names.len()], &[true])?;
    Ok(TypeIf {
        vars: vars.collect::<Result<_, _>>()?,
        test: Test::Goals(Box::new(Goals {
            graph,
            call,
            known: Mutex::default(),
        })),
    })
}

fn variable(name: &str) -> Result<Var, Diagnostic> {
    let text = format!("?{}", name.strip_prefix('?').unwrap_or(name));
    let var = text.parse();
    var.map_err(|_| Diagnostic::new(code::NOT_IN_QUERY, format!("`{name}` is no variable")))
}

impl<L: TypedLanguage> Condition<L, TypeAnalysis> for TypeIf {
    fn check(&self, egraph: &mut EGraph<L, TypeAnalysis>, _: Id, subst: &Subst) -> bool {
        let mut values = Vec::with_capacity(self.vars.len());
        for var in &self.vars {
            let kind = egraph[subst[*var]].data.kind;
            match egraph.analysis.operand(kind) {
                Some(value) => values.push(value),
                None => return false,
            }
        }
        let graph = &mut egraph.analysis.graph;
        match (&self.test, &values[..]) {
            (Test::Rank(rank), [value]) => graph.rank(*value) == Some(*rank),
            (Test::Same, [a, b]) => {
                graph.is_known_same(*a, *b) || {
                    let (a, b) = (graph.ty(*a), graph.ty(*b));
                    order::same(&a, &b) == Verdict::Always
                }
            }
            (Test::Goals(goals), values) => {
                let mut reading = graph.read();
                goals.hold(values.iter().map(|value| reading.ty(*value)).collect())
            }
            _ => false,
        }
    }

    fn vars(&self) -> Vec<Var> {
        self.vars.clone()
    }
}

impl Goals {
    fn hold(&self, types: Vec<Type>) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(holds) = known.get(&types) {
            return *holds;
        }
        let mut graph = self.graph.clone();
        let values: Result<Vec<_>, _> = types.iter().map(|ty| graph.value(ty)).collect();
        let holds = values.is_ok_and(|values| {
            let before = graph.clone();
            graph.try_add(self.call, &values).is_ok()
                && (!graph.asks_beyond(&before) || {
                    let old: Vec<Type> = types_of(&mut before.clone(), &values);
                    graph.name_after(&before);
                    old == types_of(&mut graph, &values)
                        && graph.read().verdict() == Verdict::Always
                })
        });
        if known.len() < MOST {
            known.insert(types, holds);
        }
        holds
    }
}

fn types_of(graph: &mut Graph, values: &[kanshape::graph::ValueId]) -> Vec<Type> {
    let mut reading = graph.read();
    values.iter().map(|value| reading.ty(*value)).collect()
}
