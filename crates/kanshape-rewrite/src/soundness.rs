//! [`Soundness`]: what is found out of a rule.

use std::fmt;

use kanshape::Type;

/// Does the right side have the type of the left side?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sound {
    /// Wherever the left side has a type.
    Always,
    /// For some inputs, and not for others.
    Depends,
    /// Nowhere: the rule can't be used.
    Never,
    /// That could not be found out.
    Unknown,
}

impl Sound {
    /// `always`, `depends`, `never`, `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Sound::Always => "always",
            Sound::Depends => "depends",
            Sound::Never => "never",
            Sound::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Are both sides the same numbers?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// For all contents of the instances that were tried, over the reals; or, as `all_ranks` says, of all shapes.
    Proved,
    /// For the contents that were drawn for the instances that were tried.
    Tested,
    /// There is a counterexample.
    Refuted,
    /// Nothing was calculated, and `why` says why not.
    Opaque,
}

impl Agreement {
    /// `proved`, `tested`, `refuted`, `opaque`.
    pub fn name(self) -> &'static str {
        match self {
            Agreement::Proved => "proved",
            Agreement::Tested => "tested",
            Agreement::Refuted => "refuted",
            Agreement::Opaque => "opaque",
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the author's precondition is, compared with the weakest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audit {
    /// It holds where the rule is sound, and nowhere else.
    Exact,
    /// It holds where the rule is not sound.
    TooWeak,
    /// It is sound, and excludes cases in which the rule would be sound as well.
    TooStrong,
}

impl Audit {
    /// `exact`, `too weak`, `too strong`.
    pub fn name(self) -> &'static str {
        match self {
            Audit::Exact => "exact",
            Audit::TooWeak => "too weak",
            Audit::TooStrong => "too strong",
        }
    }
}

/// Inputs whose sizes are numbers, and what both sides are for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The variables in attributes and constants, with their values.
    pub attrs: Vec<(Box<str>, String)>,
    /// The leaves with their types.
    pub leaves: Vec<(Box<str>, Type)>,
    /// The outputs of the left side.
    pub left: Vec<Type>,
    /// Those of the right side; none if it can't be.
    pub right: Option<Vec<Type>>,
    /// Why the right side is not the left one.
    pub why: Option<String>,
}

/// How far something has been checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CompleteUpTo {
    /// The most dims.
    pub rank: u64,
    /// The largest size; none if it is true of all sizes.
    pub dim: Option<u64>,
}

/// What is found out of a rule. All of it is about types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Soundness {
    /// Is it sound?
    pub verdict: Sound,
    /// The smallest inputs for which it is not.
    pub counterexample: Option<Case>,
    /// Goals with which it is sound, and which exclude no inputs for which it is; none if none were found.
    pub needs: Option<Vec<String>>,
    /// How far that was checked; none if it is true of all ranks and sizes.
    pub complete_up_to: Option<CompleteUpTo>,
    /// The author's own precondition; none if there is none.
    pub audit: Option<Audit>,
    /// How far an author's precondition that is exact was compared; none of one that is not, or if there is none.
    pub audit_up_to: Option<CompleteUpTo>,
    /// The smallest inputs that the author's precondition excludes, and for which the rule is sound.
    pub lost: Option<Case>,
    /// Wherever the left side has a type, has the right side the same?
    pub forward: Option<bool>,
    /// Wherever the right side has a type, has the left side the same?
    pub backward: Option<bool>,
    /// Why it is unknown, or never.
    pub why: Option<String>,
}

impl Soundness {
    /// Nothing is found out, for this reason.
    pub(crate) fn unknown(why: String) -> Soundness {
        Soundness {
            verdict: Sound::Unknown,
            counterexample: None,
            needs: None,
            complete_up_to: None,
            audit: None,
            audit_up_to: None,
            lost: None,
            forward: None,
            backward: None,
            why: Some(why),
        }
    }
}

/// How far a rule is checked where it is not decided for all ranks and sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most dims of a leaf.
    pub max_rank: u64,
    /// The largest size.
    pub max_dim: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            max_rank: 4,
            max_dim: 3,
        }
    }
}
