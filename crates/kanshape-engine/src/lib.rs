//! The relational engine of kanshape.
//!
//! It knows integers, finite sets of atoms, sequences with parts of unknown length, and trees; it
//! has never heard of tensors, and reads no text. A [`State`] holds what is known of variables and
//! the [`Constraint`]s that wait for more; [`State::propagate`] draws every conclusion that can go
//! only one way. A [`Goal`] says what is wanted, a [`Stream`] gives the states in which it holds in
//! fair order, and [`Ground`] puts numbers to what is still open in one of them.
//!
//! What is left in a state is part of the answer: constraints that are neither settled nor in
//! conflict are not guessed away ([`State::open_constraints`]).
//!
//! Start at [`State`] and [`Goal`]. Two numbers whose sum is 4 and whose product is 3:
//!
//! ```
//! use kanshape_engine::*;
//!
//! # fn main() -> Result<(), Stop> {
//! let mut state = State::new();
//! let natural = Domain::interval(0, INF);
//! let x = Linear::var(state.int(natural.clone()));
//! let y = Linear::var(state.int(natural.clone()));
//! state.equate(&x.plus(&y)?, &Linear::constant(4))?;
//! let product = state.apply(Function::Product, &[x.clone(), y.clone()], natural)?;
//! state.equate(&product, &Linear::constant(3))?;
//!
//! let mut budget = Budget::new(1_000);
//! state.propagate(&mut budget)?;
//! let shown = state.open_vars_of(&x);
//! let mut all = Ground::new(&state, &shown, &mut budget)?.expect("solvable");
//! assert_eq!(all.next(&mut budget)?, Some(&[1][..]));
//! assert_eq!(all.next(&mut budget)?, Some(&[3][..]));
//! assert_eq!(all.next(&mut budget)?, None);
//! # Ok(())
//! # }
//! ```

mod bounds;
mod budget;
mod choice;
mod constraint;
mod domain;
mod enumerate;
mod envelope;
mod forms;
mod goal;
mod int;
mod linear;
mod persistent;
mod relation;
mod search;
mod sequence;
mod store;
mod term;

pub use budget::{Budget, Stop};
pub use choice::{Choice, Look, Pending, Ways};
pub use constraint::{AtomTable, Constraint, Function};
pub use domain::Domain;
pub use enumerate::{Ground, list_few, satisfiable};
pub use forms::{Beyond, Form, Forms, Monomial, Node, Num, Substitution, Term as FormTerm};
pub use goal::{Goal, Later};
pub use int::{INF, Int, NEG_INF, div_floor, modulo};
pub use linear::{Linear, Overflow};
pub use persistent::{HashMap, Vector};
pub use relation::{Refined, Relation, View};
pub use search::Stream;
pub use sequence::{Part, Seq, broadcast};
pub use store::{State, Var};
pub use term::Term;
