//! [`Answer`] and [`Verdict`]: what comes out.

use crate::AttrValue;
use kanshape_types::{Conditions, Dim, Name, Type};
use std::fmt;

/// One way in which the relation holds: every slot refined as far as it follows, and the conditions
/// under which it does.
///
/// ```
/// let answer = kanshape_infer::infer("(m,n),(n,p)->(m,p)", ["f32[2, n]".parse()?, "?[3, 4]".parse()?])?;
/// assert_eq!(answer.to_string(), "f32[2, n], f32[3, 4] -> f32[2, 4] where n == 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The types of the inputs.
    pub inputs: Vec<Type>,
    /// The types of the outputs.
    pub outputs: Vec<Type>,
    /// The parameters and the lengths of `.k.` runs: a size where it is known.
    pub params: Vec<(Name, Dim)>,
    /// The attributes of an operator that were queried.
    pub attrs: Vec<(Name, AttrValue)>,
    /// What must hold between the names.
    pub conditions: Conditions,
}

impl Answer {
    /// The value of a parameter or a run's length.
    pub fn param(&self, name: &str) -> Option<&Dim> {
        self.params
            .iter()
            .find(|p| p.0.as_str() == name)
            .map(|p| &p.1)
    }

    /// The value of an attribute that was queried.
    pub fn attr(&self, name: &str) -> Option<&AttrValue> {
        let mut attrs = self.attrs.iter();
        attrs.find(|a| a.0.as_str() == name).map(|a| &a.1)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.params.is_empty() || !self.attrs.is_empty() {
            f.write_str("[")?;
            for (i, (name, value)) in self.params.iter().enumerate() {
                let comma = if i > 0 { ", " } else { "" };
                write!(f, "{comma}{name} = {value}")?;
            }
            for (i, (name, value)) in self.attrs.iter().enumerate() {
                let comma = if i + self.params.len() > 0 { ", " } else { "" };
                write!(f, "{comma}{name} = {value}")?;
            }
            f.write_str("] ")?;
        }
        list(f, &self.inputs)?;
        f.write_str(if self.inputs.is_empty() {
            "-> "
        } else {
            " -> "
        })?;
        list(f, &self.outputs)?;
        for (i, condition) in self.conditions.iter().enumerate() {
            f.write_str(if i == 0 { " where " } else { ", " })?;
            condition.fmt(f)?;
        }
        Ok(())
    }
}

fn list(f: &mut fmt::Formatter<'_>, types: &[Type]) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(f, "{comma}{ty}")?;
    }
    Ok(())
}

/// Does the relation hold?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// For every value of the user's names there is a solution.
    Always,
    /// Only under the conditions of the answers.
    Depends,
    /// There is no solution.
    Never,
    /// The budget ran out, or the question is beyond the solver.
    Unknown,
}

impl Verdict {
    /// Its name, as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Always => "always",
            Verdict::Depends => "depends",
            Verdict::Never => "never",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
