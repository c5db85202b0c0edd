//! What the tests of kanshape share: a reading of signatures that tries everything, and generators.
//!
//! [`brute`] says what a signature means by following the definition of the language word by word:
//! all assignments of sizes to names and of dims to runs are tried. It is slow and simple, and the
//! solver is tested against it. It must not know the solver, nor how anything is solved well.
//!
//! Start with [`brute::Relation`]:
//!
//! ```
//! use kanshape_testkit::brute::Relation;
//! use kanshape_testkit::ground::{Bounds, Holds, Partial};
//!
//! let signature = kanshape_syntax::parse_signature("(m,n),(n,p)->(m,p)").unwrap();
//! let matmul = Relation::new(&signature).unwrap();
//! let none = Default::default();
//! assert_eq!(matmul.holds(&[vec![2, 3], vec![3, 4]], &[vec![2, 4]], &none), Holds::Yes);
//!
//! let all = matmul.solutions(Bounds::new(2, 3), &Partial::nothing(2, 1));
//! assert_eq!(all.len(), 4 * 4 * 4);
//! ```

pub mod brute;
pub mod generate;
pub mod graphs;
pub mod ground;
pub mod rules;
pub mod symbolic;
pub mod text;
