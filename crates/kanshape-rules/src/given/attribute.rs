//! The values of attributes as terms.

use super::expr;
use crate::AttrValue;
use crate::encode::{Kind, QueryVars, Trouble, Words, atoms, error, float, form, is_left_out};
use kanshape_engine::{Domain, Int, Linear, Part, Seq, State, Term};
use kanshape_types::Dim;

impl QueryVars {
    /// What an attribute of this kind is with this value.
    pub fn attribute(
        &mut self,
        state: &mut State,
        words: &Words,
        name: &str,
        kind: &Kind,
        value: &AttrValue,
    ) -> Result<Term, Trouble> {
        let wrong = |value: &AttrValue| Trouble::from(error::wrong_attribute(name, kind, value));
        if let (AttrValue::Text(text), false) = (value, matches!(kind, Kind::Text)) {
            let value = match kind {
                Kind::Option(of) if is_left_out(of, text) => return Ok(form::none()),
                Kind::Option(of) => return self.optional(state, words, name, of, value),
                kind => AttrValue::read(kind, text).ok_or_else(|| wrong(value))?,
            };
            return self.attribute(state, words, name, kind, &value);
        }
        Ok(match (kind, value) {
            (Kind::Option(_), AttrValue::Absent) => form::none(),
            (kind, AttrValue::Unknown) => form::fresh(state, kind),
            (Kind::Option(of), value) => return self.optional(state, words, name, of, value),
            (_, AttrValue::Absent) => return Err(wrong(value)),
            (kind, AttrValue::Hole) => form::fresh(state, kind),
            (Kind::Int, AttrValue::Int(n)) => number(Int::from(*n)),
            (Kind::Int, AttrValue::Bool(truth)) => number(Int::from(*truth)),
            (Kind::Int, AttrValue::Dim(dim)) => Term::Int(self.integer(state, dim)?),
            (Kind::Float, AttrValue::Float(x)) => number(float::code(x.get())),
            (Kind::Float, AttrValue::Int(n)) => number(float::code(*n as f64)),
            (Kind::Bool, AttrValue::Bool(truth)) => number(Int::from(*truth)),
            (Kind::Bool, AttrValue::Int(n @ (0 | 1))) => number(Int::from(*n)),
            (Kind::Text, AttrValue::Text(text)) => number(self.texts.number(words, text)),
            (Kind::Dtype, AttrValue::Dtype(dtype)) => {
                Term::Atom(state.atom(atoms((*dtype).into())))
            }
            (Kind::Type, AttrValue::Type(ty)) => {
                self.declare(state, ty)?;
                let operand = self.operand(state, ty, false)?;
                self.term(&operand)
            }
            (Kind::IntOrLists, AttrValue::List(lists)) if lists.iter().any(is_list) => {
                let mut all = vec![Term::Seq(Seq::default()), Term::Seq(Seq::default())];
                for list in lists {
                    let alone = [list.clone()].into_iter().collect();
                    let list = if is_list(list) { list } else { &alone };
                    all.push(self.attribute(state, words, name, &Kind::Int.list(), list)?);
                }
                form::chain(state, all.into_iter())
            }
            (Kind::IntOrInts | Kind::IntOrLists, AttrValue::List(_)) => {
                let list = self.attribute(state, words, name, &Kind::Int.list(), value)?;
                form::chain(state, [Term::Seq(Seq::default()), list].into_iter())
            }
            (Kind::IntOrInts | Kind::IntOrLists, value) => {
                let Term::Int(n) = self.attribute(state, words, name, &Kind::Int, value)? else {
                    return Err(wrong(value));
                };
                let one = Term::Seq(std::iter::once(Part::One(n)).collect());
                form::chain(state, [one].into_iter())
            }
            (Kind::List(of), AttrValue::List(members)) => {
                let mut terms = Vec::with_capacity(members.len());
                for member in members {
                    terms.push(self.attribute(state, words, name, of, member)?);
                }
                if !of.is_number() {
                    return Ok(form::chain(state, terms.into_iter()));
                }
                let ones = terms.into_iter().filter_map(|t| match t {
                    Term::Int(l) => Some(Part::One(l)),
                    _ => None,
                });
                Term::Seq(ones.collect())
            }
            (_, value) => return Err(wrong(value)),
        })
    }

    fn optional(
        &mut self,
        state: &mut State,
        words: &Words,
        name: &str,
        of: &Kind,
        value: &AttrValue,
    ) -> Result<Term, Trouble> {
        let of = self.attribute(state, words, name, of, value)?;
        Ok(form::node(state, form::SOME, [of]))
    }

    /// A number that need not be a size.
    fn integer(&mut self, state: &mut State, dim: &Dim) -> Result<Linear, Trouble> {
        Ok(match dim {
            Dim::Hole => Linear::var(state.int(Domain::ALL)),
            Dim::Expr(e) => expr(state, self, e)?,
            dim => self.dim(state, dim)?,
        })
    }
}

/// Is it a list?
fn is_list(value: &AttrValue) -> bool {
    matches!(value, AttrValue::List(_))
}

fn number(n: Int) -> Term {
    Term::Int(Linear::constant(n))
}
