//! Can a value of one type be used where another is expected, and what has to be checked first?

use super::implied::Facts;
use super::{conditions, contents, is_super, meet};
use crate::{Verdict, code};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{CmpOp, Condition, DimItem};
use kanshape_types::{Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};
use std::fmt;

/// What [`filter`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Filtered {
    /// The value can stand there as it is; its type, which is at least as precise.
    Same(Type),
    /// It can once these checks have been passed; its type after them.
    Check {
        /// The type after the checks: the meet of the two.
        ty: Type,
        /// What has to be found true at run time, in the order of the dims.
        checks: Vec<Check>,
    },
    /// It never can, and why.
    Never(Box<Diagnostic>),
}

/// Something to be found true of a value at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Check {
    /// The part of the value that it is about: the fields to go through, from the outside. Empty for
    /// the value itself.
    pub path: Vec<usize>,
    /// What has to be true.
    pub what: Test,
}

/// What a [`Check`] tests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Test {
    /// The dim at an axis, counted from the end if negative, has this size.
    Size {
        /// The axis.
        axis: isize,
        /// A number, a name or an expression.
        size: Dim,
    },
    /// The rank is this.
    Rank(usize),
    /// The rank is at least this.
    RankAtLeast(usize),
    /// The dims between these axes (the second counted from the end) are those of a named run.
    Run {
        /// How many dims stand left of the run.
        after: usize,
        /// How many stand right of it.
        before: usize,
        /// The name of the run.
        name: kanshape_types::Name,
    },
    /// The dtype is this.
    Dtype(DtypeTerm),
    /// The value is of this type, of which nothing was known.
    Type(Type),
    /// Something holds between the names.
    Holds(Condition),
}

/// `in field 0, dim 1 is 3`.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.path.iter().map(|i| format!("field {i}"));
        let fields: Vec<String> = fields.collect();
        let fields = fields.join(", ");
        match &self.what {
            Test::Type(ty) if fields.is_empty() => write!(f, "it is {ty}"),
            Test::Type(ty) => write!(f, "{fields} is {ty}"),
            what if fields.is_empty() => what.fmt(f),
            what => write!(f, "in {fields}, {what}"),
        }
    }
}

/// `dim 1 is 3`.
impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Size { axis, size } => write!(f, "dim {axis} is {size}"),
            Test::Rank(rank) => write!(f, "the rank is {rank}"),
            Test::RankAtLeast(rank) => write!(f, "the rank is {rank} or more"),
            Test::Run {
                after,
                before,
                name,
            } => match (after, before) {
                (0, 0) => write!(f, "the dims are ...{name}"),
                (_, 0) => write!(f, "the dims from {after} on are ...{name}"),
                (_, _) => write!(f, "the dims from {after} up to -{before} are ...{name}"),
            },
            Test::Dtype(dtype) => write!(f, "the dtype is {dtype}"),
            Test::Type(ty) => write!(f, "it is {ty}"),
            Test::Holds(condition) => condition.fmt(f),
        }
    }
}

/// Can a value of type `given` be used where one of type `expected` is required?
///
/// ```
/// use kanshape::{Dim, Type, order::{Filtered, Test, filter}};
///
/// let [expected, given]: [Type; 2] = ["f32[2, 3]".parse()?, "f32[?, 3]".parse()?];
/// let Filtered::Check { ty, checks } = filter(&expected, &given) else { unreachable!() };
/// assert_eq!(ty.to_string(), "f32[2, 3]");
/// assert_eq!(checks[0].what, Test::Size { axis: 0, size: Dim::Size(2) });
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
///
/// No check looks at what stands in a tensor: where contents are required that the value is not known to
/// have, the answer is [`Filtered::Never`], unless a condition on names says it.
pub fn filter(expected: &Type, given: &Type) -> Filtered {
    if is_super(expected, given) == Verdict::Always {
        return Filtered::Same(given.clone());
    }
    let ty = match meet(expected, given) {
        Ok(ty) => ty,
        Err(conflict) => return Filtered::Never(conflict),
    };
    let mut checks = Checks {
        facts: Facts::of(given, &[expected]),
        path: Vec::new(),
        found: Vec::new(),
        equal: Vec::new(),
        functions: false,
        contents: false,
    };
    checks.ty(expected, given);
    if checks.contents {
        return Filtered::Never(Box::new(contents_not_checked(expected, given)));
    }
    // What is known once the dims have been checked need not be.
    let known = conditions(given).into_iter().chain(checks.equal.clone());
    let known = given.clone().with_conditions(known.collect());
    checks.facts = Facts::of(&known, &[expected]);
    // A function can't be looked into; what its type requires of the names can be checked.
    let own = conditions(expected);
    let of_names: Vec<Condition> = match checks.functions {
        true => conditions(&ty).into_iter().chain(own).collect(),
        false => own,
    };
    for c in of_names {
        let holds = Test::Holds(c.clone());
        let seen = checks.found.iter().any(|f| f.what == holds);
        if !seen && !checks.facts.imply(&c) {
            checks.push(holds);
        }
    }
    if checks.functions {
        let holds = checks.found.iter().filter_map(|f| match &f.what {
            Test::Holds(c) => Some(c.clone()),
            _ => None,
        });
        let checked = conditions(&known).into_iter().chain(holds);
        let checked = given.clone().with_conditions(checked.collect());
        if !functions_fit(expected, &checked) {
            return Filtered::Never(Box::new(not_checked(expected, given)));
        }
    }
    Filtered::Check {
        ty,
        checks: checks.found,
    }
}

/// Is every function in `given` one that is required, once all checks have been passed?
fn functions_fit(expected: &Type, given: &Type) -> bool {
    match (&expected.kind, &given.kind) {
        (TypeKind::Fn(_), TypeKind::Fn(_)) => is_super(expected, given) == Verdict::Always,
        _ => expected.parts().zip(given.parts()).all(|(a, b)| {
            let b = b.clone().with_conditions(given.conditions.clone());
            functions_fit(a, &b)
        }),
    }
}

fn not_checked(expected: &Type, given: &Type) -> Diagnostic {
    let headline = format!("a function of type `{given}` is none of type `{expected}`");
    Diagnostic::new(code::NOT_CHECKED, headline).with_help(
        "no check at run time can tell what a function takes and gives: wrap it in one that checks",
    )
}

fn contents_not_checked(expected: &Type, given: &Type) -> Diagnostic {
    let headline = format!("a value of type `{given}` may have other contents than `{expected}`");
    Diagnostic::new(code::NOT_CHECKED, headline)
        .with_help("what a tensor has in it is not checked at run time: ask for the shape alone")
}

struct Checks {
    facts: Facts,
    path: Vec<usize>,
    found: Vec<Check>,
    /// What holds of the names once the dims have been checked.
    equal: Vec<Condition>,
    functions: bool,
    /// Whether contents are required that the value may have or not.
    contents: bool,
}

impl Checks {
    fn push(&mut self, what: Test) {
        self.found.push(Check {
            path: self.path.clone(),
            what,
        });
    }

    fn ty(&mut self, expected: &Type, given: &Type) {
        match (&expected.kind, &given.kind) {
            (TypeKind::Unknown, _) => {}
            (TypeKind::Tensor(a), TypeKind::Tensor(b)) => {
                let known = self.facts.set(&b.dtype);
                match &a.dtype {
                    DtypeTerm::Name(_) if a.dtype == b.dtype => {}
                    DtypeTerm::Name(_) => self.push(Test::Dtype(a.dtype.clone())),
                    term if known.is_subset(term.set()) => {}
                    term => self.push(Test::Dtype(term.clone())),
                }
                self.shape(&a.shape, &b.shape);
                self.contents(a, b);
            }
            (TypeKind::Fn(_), TypeKind::Fn(_)) => self.functions = true,
            (TypeKind::Var(a), TypeKind::Var(b)) if a == b => {}
            (_, TypeKind::Unknown | TypeKind::Var(_)) | (TypeKind::Var(_), _) => {
                self.push(Test::Type(super::bare(expected)));
            }
            _ => {
                for (i, (a, b)) in expected.parts().zip(given.parts()).enumerate() {
                    self.path.push(i);
                    self.ty(a, b);
                    self.path.pop();
                }
            }
        }
    }

    /// Only what names denote is checked, not what stands in the tensor.
    fn contents(&mut self, expected: &Tensor, given: &Tensor) {
        match contents::unknown(expected, given) {
            Some(conditions) => {
                for c in conditions {
                    if !self.facts.imply(&c) {
                        self.equal.push(c.clone());
                        self.push(Test::Holds(c));
                    }
                }
            }
            None => self.contents = true,
        }
    }

    fn shape(&mut self, expected: &Shape, given: &Shape) {
        let (a, b) = (expected.known_dims(), given.known_dims());
        match (expected.run(), given.run()) {
            (None, Some(_)) => self.push(Test::Rank(a.len())),
            (Some(_), Some(_)) if b.len() < a.len() => self.push(Test::RankAtLeast(a.len())),
            _ => {}
        }
        // Dims are counted from the left; those right of a run from the right.
        let from_left = match given.run() {
            Some(_) => given.before().len(),
            None => b.len(),
        };
        for (i, dim) in expected.before().iter().enumerate() {
            let other = b[..from_left].get(i);
            let from_right = || match (expected.run(), given.run()) {
                // Both ends are counted where the rank queried is known.
                (None, Some(_)) => {
                    let right = a.len() - i;
                    (right <= given.after().len()).then(|| &b[b.len() - right])
                }
                _ => None,
            };
            self.dim(i as isize, dim, other.or_else(from_right));
        }
        let from_right = match given.run() {
            Some(_) => given.after().len(),
            None => b.len(),
        };
        for (i, dim) in expected.after().iter().enumerate() {
            let right = expected.after().len() - i;
            let other = (right <= from_right).then(|| &b[b.len() - right]);
            self.dim(-(right as isize), dim, other);
        }
        if let Some(name) = expected.run().and_then(|r| r.name.as_ref()) {
            let (after, before) = (expected.before().len(), expected.after().len());
            let same = given.run() == expected.run() && a.len() == b.len();
            if !same {
                self.push(Test::Run {
                    after,
                    before,
                    name: name.clone(),
                });
            }
        }
    }

    fn dim(&mut self, axis: isize, expected: &Dim, given: Option<&Dim>) {
        let known = given.is_some_and(|given| self.facts.equal(given, expected));
        if *expected != Dim::Hole && !known {
            self.push(Test::Size {
                axis,
                size: expected.clone(),
            });
            if let Some(DimItem::Dim(given)) = given.map(Dim::to_tree)
                && let DimItem::Dim(expected) = expected.to_tree()
            {
                let equal = Condition::Compare(given, vec![(CmpOp::Eq, expected)]);
                self.equal.push(equal);
            }
        }
    }
}
