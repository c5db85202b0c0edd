//! [`Answer`] and [`Verdict`]: what comes out.

use super::canonical::canonical_answer;
use crate::AttrValue;
use kanshape_diag::Diagnostic;
use kanshape_syntax::split_question;
use kanshape_types::{Conditions, Dim, Name, Type, code};
use std::fmt;
use std::str::FromStr;

/// One way in which the relation holds: every slot refined as far as it follows, and the conditions
/// under which it does.
///
/// ```
/// let answer = kanshape::infer("(m,n),(n,p)->(m,p)", ["f32[2, n]".parse()?, "?[3, 4]".parse()?])?;
/// assert_eq!(answer.to_string(), "f32[2, n], f32[3, 4] -> f32[2, 4] where n == 3");
/// assert_eq!(answer.to_string().parse(), Ok(answer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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
    /// The places among `inputs` of those that may be left out, and are: [`Call::may_be_absent`](crate::Call::may_be_absent).
    pub absent: Vec<usize>,
}

impl Answer {
    /// The value of a parameter or a run's length.
    pub fn param(&self, name: &str) -> Option<&Dim> {
        self.params
            .iter()
            .find(|p| p.0.as_str() == name)
            .map(|p| &p.1)
    }

    /// An input with the conditions that are about its names; `None` if it is left out.
    pub fn input(&self, index: usize) -> Option<Type> {
        if self.absent.contains(&index) {
            return None;
        }
        self.inputs.get(index).map(|ty| self.closed(ty))
    }

    /// An output with the conditions that are about its names: what it is, wherever it goes.
    ///
    /// ```
    /// let types = ["f32[n]".parse()?, "f32[3]".parse()?, "f32[k]".parse()?];
    /// let answer = kanshape::infer("(a),(a),(b)->(a),(b)", types)?;
    /// assert_eq!(answer.output(0).unwrap().to_string(), "f32[3]");
    /// let sum = kanshape::infer("+(),()->()", ["f32[n]".parse()?, "f32[m]".parse()?])?;
    /// assert_eq!(sum.output(0).unwrap().to_string(), "f32[d0] where d0 == broadcast(n, m)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn output(&self, index: usize) -> Option<Type> {
        self.outputs.get(index).map(|ty| self.closed(ty))
    }

    fn closed(&self, ty: &Type) -> Type {
        let own = ty.conditions.iter().cloned();
        let all: Conditions = own.chain(self.conditions.iter().cloned()).collect();
        ty.clone().with_conditions(all.about(ty))
    }

    /// The same with a hole for each unknown that is written once; the others are called `d0`, `d1`, ... in the order in
    /// which they are written. The names of which `is_user` is true stay.
    ///
    /// ```
    /// let answer: kanshape::Answer = "f32[n, d7] -> f32[n, d9, d7], f32[d8]".parse()?;
    /// let canonical = answer.canonical(&|name| name == "n");
    /// assert_eq!(canonical.to_string(), "f32[n, d0] -> f32[n, ?, d0], f32[?]");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn canonical(&self, is_user: &dyn Fn(&str) -> bool) -> Answer {
        canonical_answer(self, is_user)
    }

    /// The same with another name for each.
    #[must_use]
    pub fn map_names(&self, f: &mut dyn FnMut(&str) -> Name) -> Answer {
        let mut types = |types: &[Type]| types.iter().map(|ty| ty.map_names(f)).collect();
        let (inputs, outputs) = (types(&self.inputs), types(&self.outputs));
        let params = self.params.iter();
        let params = params
            .map(|(label, dim)| (label.clone(), dim.map_names(f)))
            .collect();
        let attrs = self.attrs.iter();
        Answer {
            inputs,
            outputs,
            params,
            attrs: attrs
                .map(|(label, value)| (label.clone(), value.map_names(f)))
                .collect(),
            conditions: self.conditions.map_names(f),
            absent: self.absent.clone(),
        }
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
        list(f, &self.inputs, &self.absent)?;
        f.write_str(if self.inputs.is_empty() {
            "-> "
        } else {
            " -> "
        })?;
        list(f, &self.outputs, &[])?;
        for (i, condition) in self.conditions.iter().enumerate() {
            f.write_str(if i == 0 { " where " } else { ", " })?;
            condition.fmt(f)?;
        }
        Ok(())
    }
}

fn list(f: &mut fmt::Formatter<'_>, types: &[Type], absent: &[usize]) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        match absent.contains(&i) {
            true => f.write_str("-")?,
            false => fmt::Display::fmt(ty, f)?,
        }
    }
    Ok(())
}

/// The text.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads what an answer prints as. A value in its brackets is a parameter where it can be a size, else an attribute.
impl FromStr for Answer {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Answer, Diagnostic> {
        let parts = split_question(text)?;
        let types = |texts: &[&str]| {
            let types = texts.iter().map(|text| text.parse());
            types.collect::<Result<Vec<Type>, Diagnostic>>()
        };
        let is_absent = |(i, text): (usize, &&str)| (*text == "-").then_some(i);
        let mut inputs = parts.inputs.clone();
        for text in inputs.iter_mut().filter(|text| **text == "-") {
            *text = "?";
        }
        let mut answer = Answer {
            absent: parts
                .inputs
                .iter()
                .enumerate()
                .filter_map(is_absent)
                .collect(),
            inputs: types(&inputs)?,
            outputs: types(parts.outputs.as_deref().unwrap_or_default())?,
            conditions: parts.conditions.unwrap_or_default().parse()?,
            ..Answer::default()
        };
        for (name, value) in parts.values {
            match value.parse::<Dim>() {
                Ok(dim) => answer.params.push((Name::word(name), dim)),
                Err(_) => {
                    let Ok(value) = value.parse::<AttrValue>();
                    answer.attrs.push((Name::word(name), value));
                }
            }
        }
        Ok(answer)
    }
}

/// Does the relation hold?
///
/// ```
/// use kanshape::{Signature, Verdict};
///
/// let dot: Signature = "(d),(d)->()".parse()?;
/// assert_eq!(dot.check(&["f32[3]".parse()?, "f32[n]".parse()?], &[])?, Verdict::Depends);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl FromStr for Verdict {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Verdict, Diagnostic> {
        let all = [
            Verdict::Always,
            Verdict::Depends,
            Verdict::Never,
            Verdict::Unknown,
        ];
        let mut all = all.into_iter();
        all.find(|verdict| verdict.name() == text).ok_or_else(|| {
            let headline = format!("`{text}` is no verdict");
            Diagnostic::new(code::MISREAD, headline)
                .with_label(0..text.len(), "no verdict")
                .with_help("a verdict is `always`, `depends`, `never` or `unknown`")
                .with_source("verdict", text)
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
