//! Expressions and conditions of a question, as steps about what its names denote.

use crate::encode::{Kind, Scope, Texts, Trouble};
use crate::limits::CONDITION_STEPS;
use crate::rules::rule::{Number, Piece, Step, Value};
use crate::rules::{Context, Library, WriteConditions};
use crate::run::GivenSteps;
use kanshape_engine::{Budget, Int, Linear, State, Stop, Term, checkpoint};
use kanshape_syntax::tree::{CmpOp, Condition, Expr};
use kanshape_types::{Nominal, Promotion};
use std::sync::{Arc, LazyLock};

/// Writes what is given as steps whose slots are what the names denote.
struct GivenWriter<'a> {
    state: &'a mut State,
    scope: &'a mut dyn Scope,
    slots: Vec<Kind>,
    frame: Vec<Option<Term>>,
    steps: Vec<Step>,
    /// The first name that denotes something else.
    trouble: Option<Trouble>,
}

impl<'a> GivenWriter<'a> {
    fn new(state: &'a mut State, scope: &'a mut dyn Scope) -> GivenWriter<'a> {
        GivenWriter {
            state,
            scope,
            slots: Vec::new(),
            frame: Vec::new(),
            steps: Vec::new(),
            trouble: None,
        }
    }

    fn slot(&mut self, kind: Kind, term: Option<Term>) -> Value {
        self.slots.push(kind);
        self.frame.push(term);
        Value::Slot(self.slots.len() - 1)
    }

    /// What a name denotes.
    fn denoted(&mut self, kind: Kind, found: Result<Term, Trouble>) -> Value {
        let term = found.map_err(|trouble| self.trouble.get_or_insert(trouble));
        let term = term.ok();
        self.slot(kind, term)
    }

    /// States the steps, and what the number is that is requested.
    fn state(self, promotion: Promotion, number: Option<&Number>) -> Result<Linear, Trouble> {
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        let context = Arc::new(Context {
            library: Arc::clone(&NO_RULES),
            promotion,
            identities: self.scope.identities().clone(),
            texts: Arc::clone(&NO_TEXTS),
        });
        let steps = GivenSteps {
            context: &context,
            slots: &self.slots.into(),
            frame: self.frame,
            steps: &self.steps,
        };
        let mut budget = Budget::new(CONDITION_STEPS);
        Ok(steps.state(self.state, &mut budget, number)?)
    }
}

/// A condition calls no rule and has no texts in it.
static NO_RULES: LazyLock<Arc<Library>> = LazyLock::new(Arc::default);
static NO_TEXTS: LazyLock<Arc<Texts>> = LazyLock::new(Arc::default);

impl WriteConditions for GivenWriter<'_> {
    fn size(&mut self, name: &str) -> Value {
        let size = self.scope.size(self.state, name).map(Term::Int);
        self.denoted(Kind::Int, size)
    }

    fn identity(&mut self, nominal: &Nominal) -> Number {
        Number::Int(self.scope.identities().number(nominal))
    }

    fn run(&mut self, name: Option<&str>) -> Vec<Piece> {
        let run = self.scope.run(self.state, name).map(Term::Seq);
        vec![Piece::Rest(self.denoted(Kind::Int.list(), run))]
    }

    fn dtype_name(&mut self, name: &str) -> Option<Value> {
        let dtype = self.scope.dtype(self.state, name).transpose()?;
        Some(self.denoted(Kind::Dtype, dtype.map(Term::Atom)))
    }

    fn is_dtype(&self, name: &str) -> Option<bool> {
        self.scope.is_dtype(name)
    }

    fn fresh(&mut self, kind: Kind) -> Value {
        self.slot(kind, None)
    }

    /// A comparison notes bounds that are stated far out.
    fn same(&self, a: Value, b: Value) -> Step {
        Step::Compare(a, CmpOp::Eq, b)
    }

    fn push(&mut self, step: Step) {
        self.steps.push(step);
    }
}

/// The value of an expression. Where it has none (a divisor of 0), the state is in conflict.
///
/// # Errors
/// [`Trouble`]: a name denotes something else, or what is known can't hold together.
pub fn expr(state: &mut State, scope: &mut dyn Scope, e: &Expr) -> Result<Linear, Trouble> {
    match e {
        Expr::Int(n) => Ok(Linear::constant(Int::from(*n))),
        Expr::Name(name) => scope.size(state, &name.node),
        // The grammar lets a run and a list stand only where they are looked for.
        Expr::Run(_) | Expr::List(_) => Err(Stop::Conflict.into()),
        e => {
            let mut writer = GivenWriter::new(state, scope);
            let number = writer.number(e);
            writer.state(Promotion::default(), Some(&number))
        }
    }
}

/// States a condition.
///
/// # Errors
/// As [`expr`].
pub fn condition(
    state: &mut State,
    scope: &mut dyn Scope,
    condition: &Condition,
    promotion: Promotion,
) -> Result<(), Trouble> {
    checkpoint()?;
    let mut writer = GivenWriter::new(state, scope);
    writer.condition(condition);
    writer.state(promotion, None).map(drop)
}
