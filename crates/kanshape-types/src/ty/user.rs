//! [`UserType`]: what kinds of values there are beside tensors, stated by a user.
//!
//! Such a type is a [`Constructor`] - a name, and how values of it behave - and its arguments,
//! which are types and vary with it: `Sparse[f32[2, n], csr]` is below `Sparse[f32[?, ?], csr]`.
//! A [`Vocabulary`] says which names are constructors when a text is read.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kanshape_diag::Diagnostic;
use kanshape_syntax::{parse_type, tree};

use crate::{Dim, DtypeTerm, Name, Type, TypeKind, Value, error};

mod declared;
mod random;
mod sparse;
mod vocabulary;

pub use random::RandomState;
pub use sparse::{SparseFormat, SparseMatrix};
pub use vocabulary::Vocabulary;

/// A kind of value of one's own: the contract of a type.
///
/// Two methods are required. With these alone a type is read, printed, compared, unified, and
/// contains what it lets through as it is.
///
/// ```
/// use kanshape::{Diagnostic, Type, code, user::{Constructor, UserType, Vocabulary}, value::Value};
///
/// /// A text of one letter.
/// struct Letter;
///
/// impl UserType for Letter {
///     fn name(&self) -> &str {
///         "Letter"
///     }
///
///     fn filter_value(
///         &self,
///         _args: &[Type],
///         value: &Value,
///         _strict: bool,
///         _allow_downcast: Option<bool>,
///     ) -> Result<Value, Diagnostic> {
///         match value {
///             Value::Str(text) if text.chars().count() == 1 => Ok(value.clone()),
///             _ => Err(Diagnostic::new(code::VALUE_REFUSED, "not one letter")),
///         }
///     }
/// }
///
/// let letter = Constructor::new(Letter)?;
/// let vocabulary = Vocabulary::default().with(letter.clone())?;
/// let pair = vocabulary.parse("(Letter, f32[n])")?;
/// assert_eq!(pair.to_string(), "(Letter, f32[n])");
/// assert!(letter.behaviour().contains(&[], &Value::from("x")));
/// # Ok::<(), Diagnostic>(())
/// ```
pub trait UserType: Send + Sync + 'static {
    /// What the type is called in texts: one word that is no dtype. Types of one name are one
    /// type, so it is the same at every call.
    fn name(&self) -> &str;

    /// The value as one of this type, or why it can't be one.
    ///
    /// If `strict`, a value comes out as it went in, or not at all. Otherwise it may be
    /// converted: whatever that loses if `allow_downcast` is `Some(true)`; only without loss if
    /// it is `Some(false)`; by default, `None`, a type decides for itself.
    fn filter_value(
        &self,
        args: &[Type],
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic>;

    /// The names of the parameters, one for each argument the type takes. None by default.
    fn parameters(&self) -> &[&str] {
        &[]
    }

    /// Whether the type takes these arguments; there are as many as parameters. It takes
    /// everything by default.
    ///
    /// # Errors
    ///
    /// The argument that it doesn't take, and why. An argument that could still turn out to be
    /// one it takes, such as `?`, is none of those.
    fn check(&self, _args: &[Type]) -> Result<(), ArgumentError> {
        Ok(())
    }

    /// The arguments of the least type with this constructor that contains the value. Nothing is
    /// known of them by default. The names in the arguments of a type are bound by these.
    fn args_of(&self, _value: &Value) -> Vec<Type> {
        vec![Type::UNKNOWN; self.parameters().len()]
    }

    /// Whether the value is one of the type: by default, whether the strict filter lets it through.
    fn contains(&self, args: &[Type], value: &Value) -> bool {
        self.filter_value(args, value, true, None).is_ok()
    }

    /// Whether two values of the type are equal: by default, as values are.
    fn values_eq(&self, _args: &[Type], a: &Value, b: &Value) -> bool {
        a == b
    }

    /// Whether two values of the type are equal but for rounding: by default, whether they are equal.
    fn values_eq_approx(&self, args: &[Type], a: &Value, b: &Value) -> bool {
        self.values_eq(args, a, b)
    }

    /// The bytes that a value takes in memory. Unknown by default.
    fn memory_size(&self, _args: &[Type]) -> Dim {
        Dim::Hole
    }

    /// What the type is, in a sentence or more.
    fn docs(&self) -> &str {
        ""
    }
}

/// An argument that a type does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// Which, from 0.
    pub index: usize,
    /// Why, after "the argument": "must have rank 2".
    pub why: String,
}

impl ArgumentError {
    /// The argument at `index`, and why the type does not take it.
    pub fn new(index: usize, why: impl Into<String>) -> Self {
        ArgumentError {
            index,
            why: why.into(),
        }
    }
}

/// Why arguments are none for a constructor.
pub(crate) enum Misfit {
    /// Their number.
    Arity(usize),
    /// One is wrong.
    Argument(ArgumentError),
}

impl Misfit {
    pub(crate) fn into_diagnostic(self, constructor: &Constructor) -> Diagnostic {
        let parameters: Vec<&str> = constructor.parameters().collect();
        match self {
            Misfit::Arity(given) => error::wrong_arity(constructor.name(), &parameters, given),
            Misfit::Argument(wrong) => {
                error::wrong_argument(constructor.name(), &parameters, wrong.index, &wrong.why)
            }
        }
    }
}

/// The constructor of a user's types: with its arguments it makes one.
///
/// Constructors are equal, ordered and hashed by name. Cloning one is cheap.
#[derive(Clone)]
pub struct Constructor(Arc<Inner>);

struct Inner {
    name: Name,
    parameters: Box<[Box<str>]>,
    /// Is its behaviour nothing but its declaration in a text?
    is_declared: bool,
    behaviour: Box<dyn UserType>,
}

impl Constructor {
    /// The constructor of these types.
    ///
    /// # Errors
    ///
    /// A name that would not read back: no word, or a word that means a dtype.
    pub fn new(behaviour: impl UserType) -> Result<Constructor, Diagnostic> {
        let parameters = boxed(behaviour.parameters());
        Constructor::checked(behaviour, parameters, false)
    }

    fn checked(
        behaviour: impl UserType,
        parameters: Box<[Box<str>]>,
        is_declared: bool,
    ) -> Result<Constructor, Diagnostic> {
        let name = behaviour.name();
        match parse_type(name).map(|text| text.ty.node) {
            Ok(tree::Type::Name(ident)) if *ident.node == *name => {
                if !matches!(DtypeTerm::from_ident(&ident), Ok(DtypeTerm::Name(_))) {
                    return Err(error::type_name(name, "it is, or looks like, a dtype"));
                }
            }
            _ => return Err(error::type_name(name, "it is not a word")),
        }
        Ok(Constructor::made(behaviour, parameters, is_declared))
    }

    /// A constructor whose name is known to be fine.
    fn known(behaviour: impl UserType) -> Constructor {
        let parameters = boxed(behaviour.parameters());
        Constructor::made(behaviour, parameters, false)
    }

    fn made(
        behaviour: impl UserType,
        parameters: Box<[Box<str>]>,
        is_declared: bool,
    ) -> Constructor {
        Constructor(Arc::new(Inner {
            name: Name::word(behaviour.name()),
            parameters,
            is_declared,
            behaviour: Box::new(behaviour),
        }))
    }

    /// What it is called.
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// The names of its parameters, one for each argument.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.parameters.iter().map(|name| &**name)
    }

    /// How values of its types behave.
    pub fn behaviour(&self) -> &dyn UserType {
        &*self.0.behaviour
    }

    /// Is it the same constructor: made at once, or by the same declaration?
    pub(crate) fn is_same(&self, other: &Constructor) -> bool {
        let are_declared = self.0.is_declared && other.0.is_declared;
        Arc::ptr_eq(&self.0, &other.0)
            || are_declared && self == other && self.0.parameters == other.0.parameters
    }

    /// The type with these arguments.
    ///
    /// # Errors
    ///
    /// More or fewer arguments than parameters, or one that the type does not take.
    pub fn apply(&self, args: impl IntoIterator<Item = Type>) -> Result<Type, Diagnostic> {
        let args: Arc<[Type]> = args.into_iter().collect();
        self.takes(&args)
            .map_err(|misfit| misfit.into_diagnostic(self))?;
        Ok(TypeKind::User(self.clone(), args).into())
    }

    /// Whether these are arguments for it.
    pub(crate) fn takes(&self, args: &[Type]) -> Result<(), Misfit> {
        if args.len() != self.0.parameters.len() {
            return Err(Misfit::Arity(args.len()));
        }
        self.behaviour().check(args).map_err(Misfit::Argument)
    }
}

fn boxed(names: &[&str]) -> Box<[Box<str>]> {
    names.iter().map(|name| Box::from(*name)).collect()
}

impl PartialEq for Constructor {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.name() == other.name()
    }
}

impl Eq for Constructor {}

impl PartialOrd for Constructor {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Constructor {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for Constructor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Constructor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Constructor").field(self.name()).finish()
    }
}

impl fmt::Display for Constructor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
