//! Calls of an operator whose operands are chosen.

use super::Choose;
use crate::{Answer, AttrValue, Call, Operator};
use kanshape_engine::{Chooser, pick};
use kanshape_rules::encode::Kind;
use kanshape_types::Type;

/// The most operands that are chosen for one place.
const MOST: usize = 3;

impl Operator {
    /// A call with operands of which nothing is known, as many as are chosen: optional ones are there or not, of one that can be repeated
    /// there are up to three. Attributes that have to be given are open, and of the others at most one is.
    ///
    /// ```
    /// use kanshape::{Relations, choice::By};
    ///
    /// let text = "op Pad [n: int] (a: f32[k], b: f32[]?) -> (c: f32[k + n])";
    /// let relations = Relations::load_str("mine.kan", text)?;
    /// let pad = relations.operator("Pad", None)?;
    /// assert_eq!(pad.some_call(&mut By(|_| 0)).to_string(), "[n = ?] ?");
    /// assert_eq!(pad.some_call(&mut By(|ways| ways - 1)).to_string(), "[n = ?] ?, ?");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn some_call(&self, rng: &mut (impl Choose + ?Sized)) -> Call {
        let choose: &mut Chooser<'_> = &mut |ways| rng.choose(ways);
        let mut inputs = Vec::new();
        for formal in self.inputs() {
            let (least, most) = match (formal.variadic, formal.optional) {
                (true, true) => (0, MOST),
                (true, false) => (1, MOST),
                (false, _) => (1, 1),
            };
            if formal.optional && !formal.variadic {
                let is_there = pick(choose, 2) == 1;
                inputs.push(is_there.then_some(Type::UNKNOWN));
                continue;
            }
            let count = least + pick(choose, most - least + 1);
            inputs.extend(vec![Some(Type::UNKNOWN); count]);
        }
        while inputs.last() == Some(&None) {
            inputs.pop();
        }
        let needed = |attr: &crate::Attribute<'_>| !attr.optional && attr.default.is_none();
        let mut attrs: Vec<(Box<str>, AttrValue)> = Vec::new();
        let mut others = Vec::new();
        for attr in self.attributes() {
            match needed(&attr) {
                true => attrs.push((attr.name.into(), AttrValue::Hole)),
                false if is_chosen(attr.kind_of()) => others.push(attr.name),
                false => {}
            }
        }
        if let Some(at) = pick(choose, others.len() + 1).checked_sub(1) {
            attrs.push((others[at].into(), AttrValue::Hole));
        }
        Call {
            inputs,
            attrs,
            ..Call::default()
        }
    }
}

impl Call {
    /// The call with the types and values of an answer to it.
    pub fn filled(&self, operator: &Operator, answer: &Answer) -> Call {
        let places = operator.places(self).in_answer(answer);
        let inputs = places.inputs.iter();
        let inputs = inputs.map(|place| place.and_then(|place| answer.inputs.get(place).cloned()));
        let params = answer.params.iter();
        let params = params.map(|(name, dim)| (name.as_str().into(), AttrValue::Dim(dim.clone())));
        let known = |name: &str| self.attrs.iter().any(|own| &*own.0 == name);
        let mut attrs = self.attrs.clone();
        attrs.retain(|(_, value)| !is_queried(value));
        let own = answer.attrs.iter();
        let own = own.map(|(name, value)| (Box::from(name.as_str()), value.clone()));
        let params = params.filter(|(name, _): &(Box<str>, _)| known(name));
        attrs.extend(own.chain(params));
        Call {
            inputs: inputs.collect(),
            attrs,
            ..Call::default()
        }
    }
}

fn is_queried(value: &AttrValue) -> bool {
    matches!(value, AttrValue::Hole | AttrValue::Unknown)
}

/// Are values of this kind chosen where one need not be given?
fn is_chosen(kind: &Kind) -> bool {
    match kind {
        Kind::Option(of) => is_chosen(of),
        Kind::List(of) => matches!(**of, Kind::Int),
        kind => matches!(kind, Kind::Int | Kind::Bool | Kind::Dtype),
    }
}
