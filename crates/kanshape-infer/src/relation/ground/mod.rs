//! The short way for operators: rules run on values, where everything that goes in is known.
//!
//! The engine solves a rule whatever is known. Mostly all inputs and attributes are, and then a rule is a
//! calculation. Start at [`Prepared`]: a call that is run again and again. Its rule is written once in the form in
//! which it is calculated (`code`, `plan`, `written_out`): steps are taken as soon as they can be (`step`), terms are values
//! (`eval`, `number`) or patterns to take values apart by (`take_apart`, `lists`), and a relation is called with what
//! is known of its arguments and says the rest (`call`; `arguments` for those in Rust). A run keeps what it has
//! calculated in a `store` and goes through it without moving it about.
//!
//! Whatever this way has no certain answer to - two clauses that hold, a step that never becomes possible, a member
//! that is not known - is left to the engine, so deleting this folder changes no answer. Tests compare the two.

mod arguments;
mod attribute;
mod call;
mod code;
mod eval;
mod given;
mod guard;
mod lists;
mod number;
mod operands;
mod plan;
mod prepared;
mod signature;
mod step;
mod store;
mod take_apart;
mod types;
mod value;
mod walk;
mod written_out;

pub(crate) use arguments::Arguments;
pub(crate) use code::Plan;
pub(crate) use given::of_query;
pub(crate) use prepared::Prepared;
pub(crate) use value::{Numbers, Tensor, Value};

use super::Library;
use kanshape_types::Promotion;
use std::cell::RefCell;
use store::{Store, Val};

/// Why something has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It does not hold.
    Fail,
    /// More has to be known first.
    Wait,
    /// The engine has to look at it.
    Leave,
}

/// A run of a call.
struct Ground<'a> {
    library: &'a Library,
    promotion: Promotion,
    store: Store<'a>,
    /// The arguments and the variables of the calls that are being run, the innermost last.
    stack: &'a mut Vec<Val>,
    /// The steps left.
    left: u32,
    /// How many calls are inside of each other.
    depth: u32,
    /// How often something has become known.
    learnt: u32,
    /// Nothing more will be said, so what waits for it may be dropped.
    dropping: bool,
}

/// What runs of a thread use one after the other, so as not to ask for memory each time.
#[derive(Debug, Default)]
struct Buffers {
    stack: Vec<Val>,
    numbers: Vec<i64>,
    cells: Vec<Val>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl Buffers {
    /// Does something with buffers that are empty.
    fn with<T>(run: impl FnOnce(&mut Buffers) -> T) -> T {
        BUFFERS.with_borrow_mut(|buffers| {
            let value = run(buffers);
            // What was once needed for something large is not kept.
            buffers.stack.clear();
            buffers.stack.shrink_to(MOST_KEPT);
            buffers.numbers.clear();
            buffers.numbers.shrink_to(MOST_KEPT);
            buffers.cells.clear();
            buffers.cells.shrink_to(MOST_KEPT);
            value
        })
    }
}

/// Where the variables of a clause are on the stack.
#[derive(Clone, Copy)]
struct Frame(usize);

/// More steps than this are not worth it: the engine counts better.
const STEPS: u32 = 6_000;
/// Of a buffer that has grown beyond so many members the rest is given back.
const MOST_KEPT: usize = 1 << 14;
/// Relations that call each other more deeply than this are left to the engine.
const DEEPEST: u32 = 64;

impl<'a> Ground<'a> {
    fn new(library: &'a Library, promotion: Promotion, buffers: &'a mut Buffers) -> Ground<'a> {
        Ground {
            library,
            promotion,
            store: Store::new(&mut buffers.numbers, &mut buffers.cells),
            stack: &mut buffers.stack,
            left: STEPS,
            depth: 0,
            learnt: 0,
            dropping: false,
        }
    }

    #[inline]
    fn spend(&mut self, steps: u32) -> Result<(), Stop> {
        self.left = self.left.checked_sub(steps).ok_or(Stop::Leave)?;
        Ok(())
    }

    /// Pays for a look at so many members of a list.
    #[inline]
    fn spend_on(&mut self, members: usize) -> Result<(), Stop> {
        let steps = u32::try_from(members / 8).map_err(|_| Stop::Leave)?;
        self.spend(steps)
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
}
