//! What is found of two types, in the form of `kanshape batch`.

use kanshape::order::{Check, Filtered, Test};
use kanshape::{Condition, Diagnostic, Dim, DtypeTerm, Verdict};
use serde::Serialize;

use super::question::TypesAnswer;
use crate::type_json::{TypeJson, TypesAs, types};

/// What was found of two types.
#[derive(Debug, Serialize)]
pub struct TypesJson<'a> {
    result: ResultJson<'a>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ResultJson<'a> {
    Decided(bool),
    Open(&'static str),
    Type {
        #[serde(rename = "type")]
        ty: TypeJson<'a>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        alternatives: Vec<TypeJson<'a>>,
        /// False if there may be more of them.
        #[serde(skip_serializing_if = "bool::clone")]
        complete: bool,
    },
    Conflict {
        conflict: ConflictJson<'a>,
    },
    Filter {
        /// `same`, `check`, `never` or `unknown`.
        kind: &'static str,
        #[serde(rename = "type")]
        ty: Option<TypeJson<'a>>,
        checks: Vec<CheckJson<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<ConflictJson<'a>>,
    },
}

#[derive(Debug, Serialize)]
struct CheckJson<'a> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    path: &'a [usize],
    #[serde(flatten)]
    what: TestJson<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum TestJson<'a> {
    Rank(usize),
    MinRank(usize),
    Dtype(&'a DtypeTerm),
    Type(TypeJson<'a>),
    Where(&'a Condition),
    /// A kind of check that is newer than this page, in words.
    Check(String),
    #[serde(untagged)]
    Size {
        axis: isize,
        expected: &'a Dim,
    },
    #[serde(untagged)]
    Run {
        run: String,
        from: usize,
        /// As in a slice: counted from the end, and null for the end itself.
        to: Option<i64>,
    },
}

/// Why nothing is a value of both types.
#[derive(Debug, Serialize)]
struct ConflictJson<'a> {
    code: &'static str,
    message: &'a str,
    facts: &'a [String],
}

impl<'a> TypesJson<'a> {
    /// What was found, with types that are written so.
    pub fn of(found: &'a TypesAnswer, form: TypesAs) -> TypesJson<'a> {
        let result = match found {
            TypesAnswer::Test(Verdict::Always) => ResultJson::Decided(true),
            TypesAnswer::Test(Verdict::Never) => ResultJson::Decided(false),
            TypesAnswer::Test(open) => ResultJson::Open(open.name()),
            TypesAnswer::Meet {
                ty,
                alternatives,
                complete,
            } => ResultJson::Type {
                ty: TypeJson(ty, form),
                alternatives: types(alternatives, form).collect(),
                complete: *complete,
            },
            TypesAnswer::Join(ty) => ResultJson::Type {
                ty: TypeJson(ty, form),
                alternatives: Vec::new(),
                complete: true,
            },
            TypesAnswer::Conflict(why) => ResultJson::Conflict {
                conflict: ConflictJson::of(why),
            },
            TypesAnswer::Filter(filtered) => {
                let (kind, ty, checks, why) = match filtered {
                    Filtered::Same(ty) => ("same", Some(ty), &[][..], None),
                    Filtered::Check { ty, checks } => ("check", Some(ty), &checks[..], None),
                    Filtered::Never(why) => ("never", None, &[][..], Some(ConflictJson::of(why))),
                    _ => ("unknown", None, &[][..], None),
                };
                ResultJson::Filter {
                    kind,
                    ty: ty.map(|ty| TypeJson(ty, form)),
                    checks: checks.iter().map(|own| CheckJson::of(own, form)).collect(),
                    why,
                }
            }
        };
        TypesJson { result }
    }
}

impl<'a> CheckJson<'a> {
    fn of(check: &'a Check, form: TypesAs) -> CheckJson<'a> {
        let what = match &check.what {
            Test::Size { axis, size } => TestJson::Size {
                axis: *axis,
                expected: size,
            },
            Test::Rank(rank) => TestJson::Rank(*rank),
            Test::RankAtLeast(rank) => TestJson::MinRank(*rank),
            Test::Run {
                after,
                before,
                name,
            } => TestJson::Run {
                run: format!("...{name}"),
                from: *after,
                to: (*before > 0).then(|| -(*before as i64)),
            },
            Test::Dtype(dtype) => TestJson::Dtype(dtype),
            Test::Type(ty) => TestJson::Type(TypeJson(ty, form)),
            Test::Holds(condition) => TestJson::Where(condition),
            other => TestJson::Check(other.to_string()),
        };
        let path = &check.path;
        CheckJson { path, what }
    }
}

impl<'a> ConflictJson<'a> {
    fn of(why: &'a Diagnostic) -> ConflictJson<'a> {
        ConflictJson {
            code: why.code,
            message: &why.headline,
            facts: &why.steps,
        }
    }
}
