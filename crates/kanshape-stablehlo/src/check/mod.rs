//! A module put into the graph engine, operation by operation.
//!
//! Start at [`Program::check`]. `node` puts in an operation, `control` those that have bodies, `function` calls of functions: what a function does
//! is put in for each call, so that what is known of its inputs is known in it. `scope` says which value a name denotes.

mod control;
mod defined;
mod function;
mod node;
mod quantized;
mod recorded;
mod scope;

use kanshape::diag::Severity;
use kanshape::graph::{Graph, NodeId, ValueId};
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Function, Op};
use kanshape::{Condition, Conditions, Diagnostic, Operator, Relations, Type, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code;
use crate::program::{Options, Program, entry};
use crate::report::{Elements, Report, Requirement};
use crate::ty;
use quantized::Quantization;
use scope::Scope;

pub(crate) use defined::{Defined, DefinedSizes, Leaf, meet};
pub(crate) use recorded::Recorded;

/// How many operations are put in, each as often as it is called.
const MOST_OPERATIONS: usize = 2_000_000;

/// How deep bodies and functions may be nested.
const DEEPEST: usize = 100;

/// The most problems that are reported.
const MOST_PROBLEMS: usize = 50;

impl Program {
    /// Types its entry: the function `main`, or the first one that has a body. What a function does is typed where it is called.
    ///
    /// Nothing stops it: what can't be read, is not known or contradicts something is in the report, and the rest is typed all the same.
    pub fn check(&self, relations: &Relations, options: &Options) -> Report {
        run(self, relations, options, Kept::default()).report
    }
}

/// What is kept of a module beside its report, where that is asked for.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The values that have a name in the text.
    pub(crate) defined: Option<Defined>,
    /// All of it as a model.
    pub(crate) recorded: Option<Recorded>,
}

/// What has been found out.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) report: Report,
    /// What values are that have a name in the text.
    pub(crate) sizes: DefinedSizes,
    pub(crate) recorded: Option<Recorded>,
}

/// Types a module.
pub(crate) fn run(
    program: &Program,
    relations: &Relations,
    options: &Options,
    kept: Kept,
) -> Findings {
    let module = program.module();
    let functions = module.functions();
    let mut checker = Checker {
        program,
        relations,
        declared: options.declared,
        graph: Graph::new(relations),
        functions: FxHashMap::default(),
        origins: FxHashMap::default(),
        problems: Vec::new(),
        refuted: FxHashSet::default(),
        compared: FxHashMap::default(),
        uncounted: FxHashMap::default(),
        operators: FxHashMap::default(),
        quantization: Quantization::default(),
        left: MOST_OPERATIONS,
        calling: Vec::new(),
        called: FxHashMap::default(),
        acts: false,
        depth: 0,
        is_open: false,
        defined: kept.defined,
        recorded: kept.recorded,
    };
    let Some(entry) = entry(&functions).cloned() else {
        let at = Span::new(0, 0);
        let headline = match functions.is_empty() {
            true => "the module has no function",
            false => "no function of the module has a body",
        };
        checker.error(code::NO_ENTRY, headline, at, "");
        return checker.report("main", &[], &[], &[]);
    };
    // Those of other modules can't be called from here.
    for function in functions.into_iter().filter(|f| f.module == entry.module) {
        checker.has_function(function);
    }
    let inputs = checker.inputs(&entry, options);
    let name = entry.name.clone();
    let outputs = checker.enter(&entry, &inputs);
    checker.record_outputs(&outputs);
    checker.report(&name, &inputs, &outputs, &options.given)
}

/// A comparison of two tensors.
#[derive(Clone, Debug)]
struct Comparison {
    direction: Box<str>,
    sides: [ValueId; 2],
}

/// A module on its way into the graph engine.
struct Checker<'m> {
    program: &'m Program,
    relations: &'m Relations,
    /// Declared types are claims.
    declared: bool,
    graph: Graph,
    functions: FxHashMap<Box<str>, Function<'m>>,
    /// Where the nodes of the engine come from.
    origins: FxHashMap<NodeId, Span>,
    problems: Vec<Diagnostic>,
    /// The values that can't be what they are declared as.
    refuted: FxHashSet<ValueId>,
    /// What comparisons have made.
    compared: FxHashMap<ValueId, Comparison>,
    /// Constants of which nothing is calculated, and values of their types with nothing in them: so calls of different ones are the same.
    uncounted: FxHashMap<ValueId, ValueId>,
    /// The operators that are called so; `None` if there is none.
    operators: FxHashMap<&'m str, Option<Operator>>,
    /// How the elements of values are quantized.
    quantization: Quantization,
    /// How many operations there may still be.
    left: usize,
    /// The functions that are being called.
    calling: Vec<Box<str>>,
    /// What functions have given for these values.
    called: FxHashMap<(Box<str>, Vec<ValueId>), Vec<ValueId>>,
    /// Something since then may give something else each time.
    acts: bool,
    /// How deep the body stands that is read.
    depth: usize,
    /// Something is not known.
    is_open: bool,
    /// The values that have a name in the text, where that is asked for.
    defined: Option<Defined>,
    /// All of it as a model, where that is asked for.
    recorded: Option<Recorded>,
}

impl<'m> Checker<'m> {
    /// The inputs of the entry.
    fn inputs(&mut self, entry: &Function<'m>, options: &Options) -> Vec<ValueId> {
        let given = options.inputs.as_ref();
        if let Some(given) = given.filter(|given| given.len() != entry.params.len()) {
            let headline = format!(
                "`@{}` takes {} inputs, {} types are given",
                entry.name,
                entry.params.len(),
                given.len()
            );
            self.error(code::COUNT, &headline, entry.span, "");
        }
        let mut inputs = Vec::with_capacity(entry.params.len());
        for (i, param) in entry.params.iter().enumerate() {
            let written = self.program.module().declared(param);
            let declared = written.as_ref().and_then(|written| self.says(written));
            self.is_open |= written
                .as_ref()
                .is_some_and(|written| self.is_beyond(written));
            let ty = given.and_then(|given| given.get(i));
            let value = match ty.or(declared.as_ref()).map(|ty| self.graph.value(ty)) {
                None => self.graph.unknown(),
                Some(Ok(value)) => value,
                Some(Err(diagnostic)) => {
                    self.push(diagnostic);
                    self.graph.unknown()
                }
            };
            self.record_input(value, declared.as_ref().unwrap_or(&Type::UNKNOWN));
            if let Some(declared) = declared.filter(|_| ty.is_some())
                && let Err(refused) = self.graph.assume(value, &declared)
            {
                let name = param.name;
                let headline = format!("`{name}` is declared as `{declared}`");
                let mut d = Diagnostic::new(code::INPUTS, headline);
                d = d.with_step(refused.diagnostic.headline.clone());
                self.push(d);
            }
            if let Some(written) = &written {
                self.is_quantized(value, written, param.span);
                self.bound(value, written, param.span);
            }
            inputs.push(value);
        }
        if !options.given.is_empty() {
            let given = Conditions::from_iter(options.given.iter().cloned());
            let stated = self.graph.value(&Type::UNKNOWN.with_conditions(given));
            if let Err(diagnostic) = stated {
                self.push(diagnostic);
            }
        }
        inputs
    }

    /// A function may be called by its name, which no other one has.
    fn has_function(&mut self, function: Function<'m>) {
        let Some(first) = self.functions.get(&function.name) else {
            self.functions.insert(function.name.clone(), function);
            return;
        };
        let (first, again) = (first.span, function.span);
        let d = Diagnostic::new(
            code::TWICE,
            format!("two functions are called `@{}`", function.name),
        );
        let d = d.with_label(again.into(), "the second one");
        self.push(d.with_label(first.into(), "the first one"));
    }

    /// Puts in operations; what leaves them is what they return.
    fn ops(&mut self, ops: &'m [Op], scope: &mut Scope<'m>) -> Vec<ValueId> {
        if self.depth >= DEEPEST {
            self.is_open = true;
            if let Some(op) = ops.first() {
                let headline = "bodies and calls are nested too deeply";
                self.error(code::RECURSION, headline, op.name, "one too many");
            }
            return Vec::new();
        }
        self.depth += 1;
        let returned = self.all(ops, scope);
        self.depth -= 1;
        returned
    }

    fn all(&mut self, ops: &'m [Op], scope: &mut Scope<'m>) -> Vec<ValueId> {
        for op in ops {
            let Some(left) = self.left.checked_sub(1) else {
                return Vec::new();
            };
            self.left = left;
            if left == 0 {
                self.is_open = true;
                let headline = format!("the module has more than {MOST_OPERATIONS} operations");
                self.error(
                    code::TOO_MUCH,
                    &headline,
                    op.name,
                    "the first one of the rest",
                );
                return Vec::new();
            }
            if let Some(returned) = self.op(op, scope) {
                return returned;
            }
        }
        Vec::new()
    }

    /// Something is wrong here.
    fn error(&mut self, code: &'static str, headline: &str, at: Span, label: &str) {
        let d = Diagnostic::new(code, headline);
        self.push(d.with_label(at.into(), label));
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(diagnostic);
        }
    }

    /// Reads the graph.
    fn report(
        mut self,
        entry: &str,
        inputs: &[ValueId],
        outputs: &[ValueId],
        given: &[Condition],
    ) -> Findings {
        let refuted: Vec<Diagnostic> = self
            .graph
            .problems()
            .map(|problem| {
                let at = self.origins.get(&problem.node);
                refused(&problem.diagnostic, at.copied())
            })
            .collect();
        for diagnostic in refuted {
            self.push(diagnostic);
        }
        let is_wrong = self
            .problems
            .iter()
            .any(|d| d.severity == Severity::Error && !is_limit(d));
        let elements = |values: &[ValueId]| -> Vec<Option<String>> {
            values.iter().map(|value| self.element(*value)).collect()
        };
        let elements = Elements {
            inputs: elements(inputs),
            outputs: elements(outputs),
        };
        let mut reading = self.graph.read();
        let mut types = |values: &[ValueId], elements: &[Option<String>]| -> Vec<Type> {
            let values = values.iter().zip(elements);
            let types = values.map(|(value, element)| {
                let ty = ty::without_contents(&reading.shared(*value));
                match element {
                    Some(_) => ty::without_dtype(&ty),
                    None => ty,
                }
            });
            types.collect()
        };
        let (inputs, outputs) = (
            types(inputs, &elements.inputs),
            types(outputs, &elements.outputs),
        );
        let stated = reading.conditions().into_iter();
        let stated = stated.filter(|stated| !given.contains(&stated.condition));
        let conditions = stated.map(|stated| Requirement {
            condition: stated.condition,
            at: stated
                .node
                .and_then(|node| self.origins.get(&node).copied()),
        });
        let conditions = conditions.collect();
        let verdict = match reading.verdict() {
            _ if is_wrong => Verdict::Never,
            Verdict::Never => Verdict::Never,
            _ if self.is_open => Verdict::Unknown,
            verdict => verdict,
        };
        let defined = self.defined.take();
        drop(reading);
        let sizes = defined.map(|defined| defined.sizes(&mut self.graph));
        let (name, text) = (self.program.name(), self.program.module().text());
        let problems = self
            .problems
            .into_iter()
            .map(|d| match d.labels.is_empty() {
                true => d,
                false => d.with_source(name, text),
            });
        let report = Report {
            verdict,
            entry: entry.to_owned(),
            inputs,
            outputs,
            elements,
            conditions,
            problems: problems.collect(),
        };
        Findings {
            report,
            sizes: sizes.unwrap_or_default(),
            recorded: self.recorded,
        }
    }
}

/// Whether it says no more than that something was not found out.
fn is_limit(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.code, code::TOO_MUCH | code::RECURSION)
}

/// Why an operation can't be, as something that is wrong with the module: what is known of the operation are steps.
fn refused(why: &Diagnostic, at: Option<Span>) -> Diagnostic {
    let mut d = Diagnostic::new(why.code, why.headline.clone());
    d.severity = why.severity;
    if let Some(at) = at {
        d = d.with_label(at.into(), "here");
    }
    let facts = why.labels.iter().map(|label| label.text.clone());
    for step in facts.chain(why.steps.iter().cloned()) {
        d = d.with_step(step);
    }
    for help in &why.help {
        d = d.with_help(help.clone());
    }
    d
}
