//! Relations that a user states in Rust, with the same standing as clauses.
//!
//! [`RustRelation`] is what a user writes, [`Args`] what it is called with: a view of what is known, in the words
//! of tensors. Nothing of the engine shows through. [`Registered`] is the relation in a library, and `waiting` is a
//! call of it in the engine, which runs it again when something that it has examined changes.
//!
//! It knows nothing of clauses, and nothing of which argument is given.

mod args;
mod read;
mod refine;
mod waiting;

pub use args::{Arg, Args, Optional, TensorArg};

use super::{Native, Param};
use crate::encode::Kind;
use crate::rules::Context;
use crate::rules::error;
use crate::rules::native::{self, Arguments};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Constraint, Goal, Look, Stop, Term, View};
use std::fmt;
use std::sync::Arc;

/// A relation that is stated in Rust: what clauses can't say.
///
/// Clauses and operators call it by its name, as they call each other
/// (`Relations::with_relation` of the crate `kanshape`). It has no inputs and outputs. It is called with
/// whatever is known of its arguments, and again each time that something that it has examined becomes known; each
/// time it says what follows, of whichever arguments that is. So
///
/// - it must only say what follows: what it rules out must not be possible, whatever else becomes known;
/// - it must answer [`Progress::Done`] or [`Impossible`] once all of its arguments are known;
/// - what it says must not depend on anything but its arguments, nor on the order in which they become known.
///
/// ```
/// use kanshape::{Relations, relation::{Args, Impossible, Progress, RustRelation}};
///
/// /// `IsPrime(n)`: `n` is a prime number.
/// struct IsPrime;
///
/// impl RustRelation for IsPrime {
///     fn name(&self) -> &str {
///         "IsPrime"
///     }
///
///     fn kinds(&self) -> Vec<&str> {
///         vec!["int"]
///     }
///
///     fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible> {
///         let [n] = args.all();
///         args.at_least(&n, 2)?;
///         match args.value(&n) {
///             None => Ok(Progress::Waiting),
///             Some(n) if (2..).take_while(|d| d * d <= n).all(|d| n % d != 0) => Ok(Progress::Done),
///             Some(_) => Err(Impossible),
///         }
///     }
/// }
///
/// let relations = Relations::standard()
///     .with_relation(IsPrime)?
///     .with([("mine.kan", "Square(Tensor([n], T), Tensor([n, n], T)) :- IsPrime(n)")])?;
/// let square = relations.signature("Square")?;
/// assert_eq!(square.infer(&["f32[7]".parse()?])?.to_string(), "f32[7] -> f32[7, 7]");
/// // Any tensor of at most 12 numbers an axis.
/// let sizes = square.query().ground().max_dim(12).solve()?;
/// assert_eq!(sizes.count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RustRelation: Send + Sync {
    /// The name by which it is called.
    fn name(&self) -> &str;

    /// What it is about, argument by argument, in the words in which heads say it: `int`, `ints`, `Shape`, `Type`,
    /// `tensor`, `dtype`, `string`, `float`, `bool` and so on; with a `?` behind it, as in `ints?`, an optional one.
    fn kinds(&self) -> Vec<&str>;

    /// Says what follows from what is known.
    ///
    /// # Errors
    /// [`Impossible`] if the relation can't hold of these arguments, whatever else becomes known.
    fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible>;

    /// True if the relation is implied by others. Otherwise an answer in which it is still suspended is not known to be
    /// one, and the verdict is `unknown`.
    fn is_redundant(&self) -> bool {
        false
    }
}

impl<R: RustRelation + ?Sized> RustRelation for Arc<R> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn kinds(&self) -> Vec<&str> {
        (**self).kinds()
    }

    fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible> {
        (**self).refine(args)
    }

    fn is_redundant(&self) -> bool {
        (**self).is_redundant()
    }
}

/// What is left of a [`RustRelation`] after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It holds, whatever else becomes known. It is not called again.
    Done,
    /// It may have more to say when more is known.
    Waiting,
}

/// What is known can't hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible;

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what is known can't hold together")
    }
}

impl std::error::Error for Impossible {}

/// A user's relation, as a library has it.
pub struct Registered {
    relation: Arc<dyn RustRelation>,
    kinds: Arc<[Kind]>,
}

impl Registered {
    /// # Errors
    /// A [`Diagnostic`] if no clause could call it by its name, or if there is no such kind.
    pub fn new(relation: impl RustRelation + 'static) -> Result<Registered, Diagnostic> {
        let name = relation.name();
        if !can_be_called(name) {
            return Err(error::bad_name(name));
        }
        let kinds = relation.kinds().into_iter().map(|word| {
            let (of, optional) = match word.strip_suffix('?') {
                Some(of) => (of, true),
                None => (word, false),
            };
            let kind = Kind::named(of).ok_or_else(|| error::unknown_kind_of(name, of))?;
            Ok(match optional {
                true => Kind::Option(Box::new(kind)),
                false => kind,
            })
        });
        let kinds = kinds.collect::<Result<_, Diagnostic>>()?;
        Ok(Registered {
            relation: Arc::new(relation),
            kinds,
        })
    }
}

/// Can a clause call a relation by this name?
fn can_be_called(name: &str) -> bool {
    let file = kanshape_syntax::parse_relations(&format!("{name}()"));
    file.is_ok_and(|file| {
        file.ops.is_empty() && matches!(&file.clauses[..], [c] if *c.node.name.node == *name)
    })
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.relation.name())
    }
}

impl Native for Registered {
    fn name(&self) -> &str {
        self.relation.name()
    }

    fn params(&self) -> Vec<Param> {
        self.kinds.iter().cloned().map(Param::Is).collect()
    }

    /// Only the engine can run it.
    fn calculate(&self, _: &mut dyn Arguments) -> Result<(), native::Stop> {
        Err(native::Stop::Leave)
    }

    // It is run from the start, and again when its arguments are refined.
    fn ready(&self, _: &Arc<Context>, _: &mut Look<'_>, _: &[Term]) -> Result<bool, Stop> {
        Ok(true)
    }

    fn say(&self, context: &Arc<Context>, _: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let waiting = waiting::Waiting::new(context, &self.relation, &self.kinds, args);
        Ok(Goal::Holds(Constraint::Custom(Arc::new(waiting))))
    }
}
