//! The order between types: what may stand where, what is known when two hold, what is known of both.
//!
//! A type is a set of values. A *hole* in it, and an unknown rank, may be anything; a *name* is one
//! unknown, the same in both types, so that the answer to a question may depend on it. With its names
//! given, `a` is above `b` when every value of `b` is one of `a` ([`is_super`]); [`meet`] is the
//! intersection, [`join`] the least type above both, as far as types can say it; [`filter`] says what
//! has to be checked at run time before a value of one can be used where another is expected.
//! A function takes more or gives less: its parameters are ordered the other way round.
//!
//! What a look at the dims decides is decided in `kanshape_types::order`; all else is a question to the
//! same engine that runs signatures.
//!
//! ```
//! use kanshape::{Type, Verdict, order};
//!
//! let [any, n3, two]: [Type; 3] = ["f32[?, 3]".parse()?, "f32[n, 3]".parse()?, "f32[2, ?]".parse()?];
//! assert_eq!(order::is_super(&any, &n3), Verdict::Always);
//! assert_eq!(order::is_super(&n3, &two), Verdict::Never);
//! assert_eq!(order::is_super(&n3, &"f32[2, 3]".parse()?), Verdict::Depends);
//! assert_eq!(order::meet(&any, &two).unwrap().to_string(), "f32[2, 3]");
//! assert_eq!(order::join(&n3, &two).to_string(), "f32[?, ?]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod class;
mod contents;
mod filter;
mod fold;
mod implied;
mod instance;
mod join;
mod meet;
mod skolem;
mod super_type;

pub use class::in_same_class;
pub use filter::{Check, Filtered, Test, filter};
pub use join::join;
pub use meet::{Meet, meet, meet_all};
pub use super_type::{is_super, same};

use crate::Query;
use crate::solve::subject::Subject;
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Condition;
use kanshape_types::{Conditions, Type};
use std::sync::Arc;

/// Do the two types make a question? Every function here answers it for types that don't as well, as
/// best it can; this says why that is little.
///
/// # Errors
/// A [`Diagnostic`] if a name denotes a size in one and a dtype in the other, say.
pub fn check(a: &Type, b: &Type) -> Result<(), Diagnostic> {
    let plain = |ty: &Type| {
        ty.as_tensor()
            .is_some_and(|t| t.shape.is_ground() && t.contents.is_none())
    };
    if plain(a) && plain(b) {
        return Ok(());
    }
    unify(vec![a.clone()], vec![b.clone()]).solve().map(drop)
}

/// The question whether types can be what those across from them are.
fn unify(left: Vec<Type>, right: Vec<Type>) -> Query {
    let identity = Subject::identity(left.len());
    Query::new(Arc::new(identity)).inputs(left).outputs(right)
}

/// All conditions on the names in a type.
fn conditions(ty: &Type) -> Vec<Condition> {
    let mut all = ty.conditions.iter().cloned().collect::<Vec<_>>();
    ty.parts().for_each(|part| all.extend(conditions(part)));
    all
}

/// The type alone.
fn bare(ty: &Type) -> Type {
    let bare = ty.map_parts(&mut bare);
    bare.with_conditions(Conditions::NONE)
}
