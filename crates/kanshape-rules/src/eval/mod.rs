//! The evaluator: rules are calculated where that is possible, rather than solved.
//!
//! The engine solves a rule whatever is known. Mostly all inputs and attributes are, and then a rule is a calculation:
//! with integers, and with names, which are numbers in normal form ([`Forms`]). Both interpreters have the same rules:
//! `plan` only inlines calls (`inline`) and forgets variables that are written once. Steps are taken as soon as they can
//! be (`step`), terms are values (`eval`, `number`) or patterns to match values with (`take_apart`, `lists`), and a
//! relation is called with what is known of its arguments and fills in the rest (`call`; `arguments` for those in
//! Rust). What is calculated is kept in a `store`, and what a rule comes to whatever the sizes are in a `scheme`.
//!
//! What has to hold between names and can't be decided is left open ([`Residual`]): it is part of the result. Whatever
//! this way has no certain answer to - two clauses that hold, a step that never becomes possible, a member that is not
//! known - is left to the engine, so that deleting this folder changes no answer. Tests compare the two.

mod admit;
mod arguments;
mod attribute;
mod broadcast;
mod call;
mod guard;
mod lists;
mod number;
mod operands;
mod prepared;
mod required;
mod same;
mod scheme;
mod step;
mod store;
mod symbols;
mod take_apart;
mod terms;
mod types;
mod value;
mod walk;

pub use operands::{Calculated, Calculation, Operands};
pub use prepared::{CallResult, LoadedAttrs, RuleCall};
pub use required::Required;
pub use scheme::{BySchemes, Into, Schemes};
pub use value::{ElementType, Node, Numbers, OpenDtype, Tensor, Value};

use crate::limits::{MAX_BUFFER, MAX_EVAL_STEPS, MAX_RESIDUALS};
use crate::rules::Library;
pub use crate::rules::native::{Extremes, Stop};
use kanshape_engine::{Forms, Int, Num};
use kanshape_types::{DtypeSet, Promotion};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::Arc;
use store::{Store, Val};
use symbols::Symbols;

/// Something about names that has to hold, and may or may not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Residual {
    /// The number is 0.
    Zero(Num),
    /// The number is not 0.
    NonZero(Num),
    /// The number is 0 or more.
    NonNegative(Num),
    /// The number is one of these.
    Among(Num, Box<[i64]>),
    /// The first broadcast to the second.
    Broadcast(SmallVec<[Num; 4]>, Num),
    /// The dtype is one of these.
    DtypeAmong(OpenDtype, DtypeSet),
    /// The dtypes are the same.
    SameDtype(OpenDtype, OpenDtype),
}

impl Residual {
    /// The numbers that it is about.
    fn numbers(&self) -> SmallVec<[Num; 4]> {
        match self {
            Residual::Zero(n)
            | Residual::NonZero(n)
            | Residual::NonNegative(n)
            | Residual::Among(n, _) => SmallVec::from_slice(&[*n]),
            Residual::Broadcast(args, out) => args.iter().chain([out]).copied().collect(),
            Residual::DtypeAmong(..) | Residual::SameDtype(..) => SmallVec::new(),
        }
    }

    /// Is it about a dtype that the call leaves open?
    fn is_about_fresh(&self) -> bool {
        match self {
            Residual::DtypeAmong(a, _) => a.is_fresh(),
            Residual::SameDtype(a, b) => a.is_fresh() || b.is_fresh(),
            _ => false,
        }
    }
}

/// What has to hold between names, in the order in which it was found.
type Residuals = SmallVec<[Residual; 2]>;

/// The texts of a call that the library does not have.
type Texts = SmallVec<[Arc<str>; 1]>;

/// A run of a call.
struct Evaluator<'a> {
    library: &'a Library,
    promotion: Promotion,
    store: Store<'a>,
    /// The numbers that are no integers.
    forms: &'a mut Forms,
    symbols: Symbols,
    texts: Texts,
    residuals: Residuals,
    /// The arguments and the variables of the calls that are being run, the innermost last.
    stack: &'a mut Vec<Val>,
    /// The steps left.
    left: u32,
    /// How many calls are inside of each other.
    depth: u32,
    /// How many of them are tried, to see whether they hold: no hole may be bound then.
    trials: u32,
    /// How often something has become known.
    learnt: u32,
    /// Nothing more will be said, so what waits for it may be dropped.
    dropping: bool,
    /// Some step has been dropped that would say something if more were known.
    has_dropped: bool,
    /// How many dtypes the rule leaves open; none where the caller needs them to be known.
    fresh: Option<u32>,
}

/// What runs of a thread use one after the other, so as not to allocate memory each time.
#[derive(Debug, Default)]
struct Buffers {
    stack: Vec<Val>,
    numbers: Vec<Num>,
    cells: Vec<Val>,
}

/// The same for runs whose numbers nobody keeps.
#[derive(Debug, Default)]
struct OwnForms(Forms);

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
    static FORMS: RefCell<OwnForms> = RefCell::default();
}

impl Buffers {
    /// Does something with buffers that are empty.
    fn with<T>(run: impl FnOnce(&mut Buffers) -> T) -> T {
        BUFFERS.with_borrow_mut(|buffers| {
            let value = run(buffers);
            // What was once needed for something large is not kept.
            buffers.stack.clear();
            buffers.stack.shrink_to(MAX_BUFFER);
            buffers.numbers.clear();
            buffers.numbers.shrink_to(MAX_BUFFER);
            buffers.cells.clear();
            buffers.cells.shrink_to(MAX_BUFFER);
            value
        })
    }

    /// The same with a table of forms that is empty.
    fn with_forms<T>(run: impl FnOnce(&mut Buffers, &mut Forms) -> T) -> T {
        OwnForms::with(|forms| Buffers::with(|buffers| run(buffers, forms)))
    }
}

impl OwnForms {
    /// Does something with a table of forms that is empty.
    fn with<T>(run: impl FnOnce(&mut Forms) -> T) -> T {
        FORMS.with_borrow_mut(|OwnForms(forms)| {
            let value = run(forms);
            if !forms.is_empty() {
                forms.clear();
            }
            value
        })
    }
}

/// Where the variables of a clause are on the stack.
#[derive(Clone, Copy)]
struct Frame(usize);

impl<'a> Evaluator<'a> {
    fn new(
        library: &'a Library,
        promotion: Promotion,
        buffers: &'a mut Buffers,
        forms: &'a mut Forms,
    ) -> Evaluator<'a> {
        Evaluator {
            library,
            promotion,
            store: Store::new(&mut buffers.numbers, &mut buffers.cells),
            forms,
            symbols: Symbols::default(),
            texts: Texts::new(),
            residuals: SmallVec::new(),
            stack: &mut buffers.stack,
            left: MAX_EVAL_STEPS,
            depth: 0,
            trials: 0,
            learnt: 0,
            dropping: false,
            has_dropped: false,
            fresh: None,
        }
    }

    #[inline]
    fn spend(&mut self, steps: u32) -> Result<(), Stop> {
        self.left = self.left.checked_sub(steps).ok_or(Stop::Leave)?;
        Ok(())
    }

    /// Pays for reading this number of members of a list.
    #[inline]
    fn spend_on(&mut self, members: usize) -> Result<(), Stop> {
        let steps = u32::try_from(members / 8).map_err(|_| Stop::Leave)?;
        self.spend(steps)
    }

    /// The text that a number denotes in this call.
    fn text_of(&self, number: Int) -> Option<&str> {
        let words = &self.library.words;
        let own = || {
            let place = usize::try_from(number).ok()?;
            let text = self.texts.get(place.checked_sub(words.text_count())?)?;
            Some(&**text)
        };
        words.text_of(number).or_else(own)
    }

    #[inline]
    fn get(&self, frame: Frame, slot: usize) -> Val {
        self.stack[frame.0 + slot]
    }

    /// From now on a slot of which nothing was known is this.
    #[inline]
    fn set(&mut self, frame: Frame, slot: usize, val: Val) {
        self.stack[frame.0 + slot] = val;
        self.learnt += 1;
    }

    /// Does something to see whether it holds. What has to hold between names for that is taken off again.
    fn try_out<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> (Result<T, Stop>, Residuals) {
        let before = self.residuals.len();
        self.trials += 1;
        let held = run(self);
        self.trials -= 1;
        let own = self.residuals.drain(before..).collect();
        (held, own)
    }

    /// Something has to hold that depends on names.
    fn leave_open(&mut self, residual: Residual) -> Result<(), Stop> {
        if self.residuals.len() >= MAX_RESIDUALS {
            return Err(Stop::Leave);
        }
        if !self.residuals.contains(&residual) {
            self.residuals.push(residual);
        }
        Ok(())
    }
}
