//! [`TypesQuestion`]: a question about two types. [`TypesAnswer`]: the answer to it.

use kanshape::order::{self, Filtered};
use kanshape::{Diagnostic, Type, Verdict};

use crate::effort::Effort;
use crate::{mistake, question};

/// The questions about two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Is every value of the second one of the first?
    Super,
    /// Have they the same dtype, and the same dims known to be 1?
    SameClass,
    /// What is a value of both?
    Meet,
    /// What is known of the values of either?
    Join,
    /// Can the second be used where the first is required?
    Filter,
}

impl About {
    /// What a line of a batch calls them.
    const NAMES: [(&'static str, About); 5] = [
        ("super", About::Super),
        ("same_class", About::SameClass),
        ("meet", About::Meet),
        ("join", About::Join),
        ("filter", About::Filter),
    ];

    /// What a line of a batch calls by this name.
    pub fn named(name: &str) -> Result<About, Diagnostic> {
        match Self::NAMES.iter().find(|known| known.0 == name) {
            Some((_, about)) => Ok(*about),
            None => Err(mistake::unknown_types(name, &Self::names())),
        }
    }

    /// What a line of a batch calls all of them.
    pub fn names() -> [&'static str; 5] {
        Self::NAMES.map(|known| known.0)
    }
}

/// A question about two types.
#[derive(Clone, Debug)]
pub struct TypesQuestion {
    /// The question.
    pub about: About,
    /// The first type.
    pub a: Type,
    /// The second type.
    pub b: Type,
}

/// What is found of two types.
#[derive(Clone, Debug)]
pub enum TypesAnswer {
    /// Whether it is so.
    Test(Verdict),
    /// The type of what is a value of both.
    Meet {
        /// The best single type.
        ty: Type,
        /// The types that have just these values between them, where no single one has.
        alternatives: Vec<Type>,
        /// Whether it is known that there are no fewer values than the type says.
        complete: bool,
    },
    /// Nothing is a value of both.
    Conflict(Box<Diagnostic>),
    /// A type above both.
    Join(Type),
    /// Whether one can denote the other.
    Filter(Filtered),
}

impl TypesQuestion {
    /// The question about what two texts say.
    pub fn from_texts(about: About, a: &str, b: &str) -> Result<TypesQuestion, Diagnostic> {
        Ok(TypesQuestion {
            about,
            a: question::ty(a, || "a".into())?,
            b: question::ty(b, || "b".into())?,
        })
    }

    /// The answer.
    ///
    /// # Errors
    /// If the two make no question together: a name is a size in one and a dtype in the other.
    pub fn answer(&self, effort: &Effort) -> Result<TypesAnswer, Diagnostic> {
        effort.control().run(effort.steps(), || self.found())
    }

    /// The same, for as long as it takes.
    ///
    /// # Errors
    /// As [`TypesQuestion::answer`].
    pub fn found(&self) -> Result<TypesAnswer, Diagnostic> {
        let (a, b) = (&self.a, &self.b);
        order::check(a, b)?;
        Ok(match self.about {
            About::Super => TypesAnswer::Test(order::is_super(a, b)),
            About::SameClass => TypesAnswer::Test(order::in_same_class(a, b)),
            About::Meet => self.meet(),
            About::Join => TypesAnswer::Join(order::join(a, b)),
            About::Filter => TypesAnswer::Filter(order::filter(a, b)),
        })
    }

    fn meet(&self) -> TypesAnswer {
        let (a, b) = (&self.a, &self.b);
        let found = order::meet_all(a, b).and_then(|all| Ok((order::meet(a, b)?, all)));
        match found {
            Ok((ty, all)) => TypesAnswer::Meet {
                alternatives: if all.types == [ty.clone()] {
                    Vec::new()
                } else {
                    all.types
                },
                ty,
                complete: all.complete,
            },
            Err(why) => TypesAnswer::Conflict(why),
        }
    }
}
