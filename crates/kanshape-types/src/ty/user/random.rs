//! `RandomState`: the state of a random generator.

use std::sync::{Arc, LazyLock};

use kanshape_diag::Diagnostic;

use super::{Constructor, UserType};
use crate::{Name, Type, UserValue, Value, error};

/// The state of a random generator: which bit generator it is, and the words of its state.
///
/// What the words mean is the bit generator's: for `PCG64`, its state and increment; for
/// `MT19937`, its key and place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RandomState {
    /// `PCG64`.
    pub bit_generator: Name,
    /// The words of the state.
    pub words: Arc<[u64]>,
}

impl UserValue for RandomState {
    fn type_of(&self) -> Type {
        Type::random_state()
    }
}

impl Type {
    /// `RandomState`: the state of a random generator.
    pub fn random_state() -> Type {
        crate::TypeKind::User(constructor(), Arc::default()).into()
    }
}

struct RandomStateType;

impl UserType for RandomStateType {
    fn name(&self) -> &str {
        "RandomState"
    }

    /// A state is never converted: it would be the state of another generator.
    fn filter_value(
        &self,
        _args: &[Type],
        value: &Value,
        _strict: bool,
        _allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        match value.downcast_ref::<RandomState>() {
            Some(_) => Ok(value.clone()),
            None => Err(error::value_refused(
                "this is no state of a random generator",
            )),
        }
    }

    fn docs(&self) -> &str {
        "The state of a random generator."
    }
}

pub(super) fn constructor() -> Constructor {
    static ONE: LazyLock<Constructor> = LazyLock::new(|| Constructor::known(RandomStateType));
    ONE.clone()
}
