//! The relational engine of kanshape.
//!
//! It knows integers, finite sets of atoms, sequences with parts of unknown length, and trees; it knows no tensors, and
//! reads no text. A [`State`] is a constraint store: the domains of variables, and the suspended [`Constraint`]s;
//! [`State::propagate`] runs the propagators to a fixpoint. A [`Goal`] is solved by search: a [`Stream`] gives the states
//! in which it holds in fair order, and [`Labeling`] labels the variables that are still open in one of them.
//!
//! Constraints that are neither entailed nor in conflict are not guessed away: they are residual, and part of the answer
//! ([`State::open_constraints`]).
//!
//! # Literature
//!
//! - Search is miniKanren's: goals over persistent states, and streams that interleave. J. Hemann, D. P. Friedman, *µKanren*
//!   (Scheme Workshop 2013); O. Kiselyov et al., *Backtracking, interleaving, and terminating monad transformers* (ICFP
//!   2005). What miniKanren gives by branching - a disjunction - is a suspended [`Choice`] here, which is committed to when
//!   one alternative is left, and split last.
//! - The store is that of constraint logic programming over the integers: J. Jaffar, M. J. Maher, *Constraint logic
//!   programming: a survey* (1994); M. Triska, *The finite domain constraint solver of SWI-Prolog* (FLOPS 2012), which like
//!   this one has integers without bounds.
//! - Propagation is to bounds, and to values where a domain is small: E. Davis, *Constraint propagation with interval
//!   labels* (1987); C. Schulte, P. J. Stuckey, *Efficient constraint propagation engines* (TOPLAS 2008).
//! - What others know of a variable is kept with it and woken when it is bound, as with attributed variables: C. Holzbaur,
//!   *Metastructures vs. attributed variables in the context of extensible unification* (PLILP 1992).
//! - Sequences with parts of unknown length are unified as with sequence variables: T. Kutsia, *Solving equations with
//!   sequence variables and sequence functions* (2007).
//! - A state with its residual constraints is the `C` of a constrained type `C ⇒ τ`: M. Odersky, M. Sulzmann, M. Wehr, *Type
//!   inference with constrained types* (TAPOS 1999), HM(X) with X these constraints.
//!
//! `docs/glossary.md` has the terms of this project beside those of the field.
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
//! let mut all = Labeling::new(&state, &shown, &mut budget)?.expect("solvable");
//! assert_eq!(all.next(&mut budget)?, Some(&[1][..]));
//! assert_eq!(all.next(&mut budget)?, Some(&[3][..]));
//! assert_eq!(all.next(&mut budget)?, None);
//! # Ok(())
//! # }
//! ```

mod budget;
mod clock;
mod control;
mod domain;
mod enumerate;
mod forms;
mod int;
#[macro_use]
mod limit;
mod limits;
mod linear;
mod persistent;
mod search;
mod sets;
mod store;

pub use budget::{Budget, Stop, checkpoint};
pub use clock::Moment;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use control::{Control, Ending, assumptions, ended_by, is_over, stops, unmetered, work};
pub use domain::Domain;
pub use enumerate::{Chooser, Labeling, choose, list_few, pick, satisfiable};
pub use forms::{
    Beyond, Completed, Form, Forms, Monomial, Node, Num, Substitution, Term as FormTerm,
};
pub use int::{INF, Int, NEG_INF, div_floor, gcd, modulo};
pub use limit::Limit;
pub use limits::LIMITS;
pub use linear::{Linear, Overflow, Var};
pub use persistent::{HashMap, OrdSet, Vector, since};
pub use search::Stream;
pub use sets::Sets;
pub use store::State;
pub use store::choice::{Choice, Look, Pending, Ways};
pub use store::constraint::{AtomTable, Constraint, Function, Lone, between};
pub use store::goal::{Goal, Later};
pub use store::relation::{Refined, Relation, View};
pub use store::sequence::{Part, Seq, broadcast};
pub use store::term::Term;
