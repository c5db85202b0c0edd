//! Types that are declared in a text, by their name and their parameters.

use kanshape_diag::Diagnostic;

use super::{Constructor, UserType};
use crate::{Name, Type, Value, error};

impl Constructor {
    /// The constructor of types that take any types for arguments, and of which there are no values here: what a file of operators
    /// declares with `type Quantized(values, scale)`.
    ///
    /// ```
    /// use kanshape::user::{Constructor, Vocabulary};
    ///
    /// let quantized = Constructor::declared("Quantized", ["values", "scale"], "A tensor with its scale.")?;
    /// let words = Vocabulary::default().with(quantized)?;
    /// assert_eq!(words.parse("Quantized[i8[n], f32[]]")?.to_string(), "Quantized[i8[n], f32[]]");
    /// assert!(words.parse("Quantized[i8[n]]").is_err());
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Constructor::new`].
    pub fn declared<'p>(
        name: &str,
        parameters: impl IntoIterator<Item = &'p str>,
        docs: &str,
    ) -> Result<Constructor, Diagnostic> {
        let parameters: Box<[Box<str>]> = parameters.into_iter().map(Box::from).collect();
        let behaviour = Declared {
            name: Name::word(name),
            count: parameters.len(),
            docs: docs.into(),
        };
        Constructor::checked(behaviour, parameters, true)
    }
}

struct Declared {
    name: Name,
    count: usize,
    docs: Box<str>,
}

impl UserType for Declared {
    fn name(&self) -> &str {
        &self.name
    }

    fn filter_value(
        &self,
        _args: &[Type],
        _value: &Value,
        _strict: bool,
        _allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        Err(error::value_refused(format!(
            "what is a value of `{}` is not declared",
            self.name
        )))
    }

    fn args_of(&self, _value: &Value) -> Vec<Type> {
        vec![Type::UNKNOWN; self.count]
    }

    fn docs(&self) -> &str {
        &self.docs
    }
}
