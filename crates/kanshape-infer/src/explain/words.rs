//! A conflict in words.

use super::fact::{Argument, Fact, FactId, FactKind, Slot, part};
use super::place::{Mark, operand_args};
use crate::Query;
use kanshape_rules::rules::CallArg;
use kanshape_types::{Name, Type};

/// What the things of a query are called.
pub(super) struct Words<'q> {
    query: &'q Query,
    /// Of each operand where it stands in the call, and what a message calls it.
    operands: Vec<(Slot, String)>,
}

impl<'q> Words<'q> {
    pub(super) fn new(query: &'q Query) -> Words<'q> {
        let counts = [query.inputs.len(), query.outputs.len()];
        let mut slots: Vec<Slot> = (0..counts[0]).map(Slot::Input).collect();
        slots.extend((0..counts[1]).map(Slot::Output));
        let mut names: Vec<Option<&str>> = vec![None; slots.len()];
        if let Some(operator) = query.subject.called() {
            let formals = operator.inputs().chain(operator.outputs());
            let inputs = operator.inputs().count();
            let mut next = 0;
            for (i, (formal, arg)) in formals.zip(operand_args(query)).enumerate() {
                if i == inputs {
                    next = 0;
                }
                let all: &[usize] = match arg {
                    CallArg::Type(o) | CallArg::Present(o) | CallArg::Open(o) => {
                        std::slice::from_ref(o)
                    }
                    CallArg::Types(all) => all,
                    _ => {
                        next += 1;
                        continue;
                    }
                };
                for o in all {
                    if let Some(slot) = slots.get_mut(*o) {
                        *slot = match i < inputs {
                            true => Slot::Input(next),
                            false => Slot::Output(next),
                        };
                        names[*o] = Some(formal.name);
                    }
                    next += 1;
                }
            }
        }
        let labels = query.labels.as_deref();
        let operands = slots.into_iter().zip(names).enumerate();
        let operands = operands.map(|(o, (slot, name))| {
            if let Some(label) = labels.and_then(|labels| labels.operands.get(o)) {
                return (slot, label.to_string());
            }
            let place = match &slot {
                Slot::Output(i) => format!("output {i}"),
                Slot::Input(i) => format!("input {i}"),
                other => other.to_string(),
            };
            let called = match name {
                Some(name) => format!("{place} (`{name}`)"),
                None => place,
            };
            (slot, called)
        });
        Words {
            operands: operands.collect(),
            query,
        }
    }

    /// For a query of which the input and the output are two types that are compared.
    pub(super) fn of_two(query: &'q Query) -> Words<'q> {
        let mut words = Words::new(query);
        for (operand, called) in words.operands.iter_mut().zip(["the first", "the second"]) {
            operand.1 = called.into();
        }
        words
    }

    /// Where a fact was given.
    pub(super) fn slot(&self, at: Argument) -> Slot {
        match at {
            Argument::Operand(i) => self.operands[i].0.clone(),
            Argument::Param(i) => Slot::Param(Name::word(&*self.query.params[i].0)),
            Argument::Attr(i) => Slot::Attr(Name::word(&*self.query.attrs[i].0)),
            Argument::Given(i) => Slot::Given(i),
        }
    }

    /// `input 1 (`W`)`, `the attribute `axis``.
    pub(super) fn called(&self, at: Argument) -> String {
        match at {
            Argument::Operand(i) => self.operands[i].1.clone(),
            Argument::Param(i) => format!("the parameter `{}`", self.query.params[i].0),
            Argument::Attr(i) => format!("the attribute `{}`", self.query.attrs[i].0),
            Argument::Given(i) => format!("the condition `{}`", self.query.conditions[i]),
        }
    }

    /// What a message calls a place where something can be given.
    pub(super) fn called_slot(&self, slot: &Slot) -> String {
        match slot {
            Slot::Input(_) | Slot::Output(_) => {
                let operand = self.operands.iter().find(|operand| operand.0 == *slot);
                operand.map_or_else(|| slot.to_string(), |operand| operand.1.clone())
            }
            Slot::Param(name) => format!("the parameter `{name}`"),
            Slot::Attr(name) => format!("the attribute `{name}`"),
            Slot::Given(_) => "the condition".into(),
        }
    }

    fn of_part(&self, spot: &FactId) -> String {
        let mut called = self.called(spot.at);
        for i in &spot.part {
            called = format!("part {i} of {called}");
        }
        called
    }

    /// A fact with its words.
    pub(super) fn fact(&self, spot: &FactId, mark: Option<&Mark>) -> Fact {
        Fact {
            slot: self.slot(spot.at),
            part: spot.part.clone(),
            about: spot.about,
            says: self.sentence(spot),
            span: mark.map(|mark| mark.span.into()),
        }
    }

    fn ty(&self, spot: &FactId) -> Option<&'q Type> {
        match spot.at {
            Argument::Operand(i) => part(self.query.operand(i), &spot.part),
            _ => None,
        }
    }

    /// Is there a name for a run of dims? Then it is more than a number of dims that is given.
    fn has_named_run(&self, spot: &FactId) -> bool {
        let shape = self.ty(spot).and_then(Type::as_tensor).map(|t| &t.shape);
        let run = shape.and_then(|shape| shape.run());
        run.is_some_and(|run| run.name.is_some())
    }

    /// What a fact is, without what it says: `dim 1 of input 0`.
    fn subject(&self, spot: &FactId) -> String {
        let called = self.of_part(spot);
        match spot.about {
            FactKind::Dim(i) => format!("dim {i} of {called}"),
            FactKind::Content(i) => format!("element {i} of {called}"),
            FactKind::Member(i) => format!("member {i} of {called}"),
            FactKind::Dtype => format!("the dtype of {called}"),
            FactKind::Rank if self.has_named_run(spot) => format!("the shape of {called}"),
            FactKind::Rank => format!("the number of dims of {called}"),
            FactKind::Condition(_) => format!("a condition of {called}"),
            FactKind::Value | FactKind::Form => called,
        }
    }

    /// What it says: `3`, `3 dims`.
    fn value(&self, spot: &FactId) -> String {
        let query = self.query;
        match spot.at {
            Argument::Given(i) => return format!("`{}`", query.conditions[i]),
            Argument::Param(i) => return query.params[i].1.to_string(),
            Argument::Attr(i) => {
                return match (&query.attrs[i].1, spot.about) {
                    (crate::AttrValue::List(members), FactKind::Member(m)) => {
                        members.get(m).map(ToString::to_string).unwrap_or_default()
                    }
                    (value, _) => value.to_string(),
                };
            }
            Argument::Operand(_) => {}
        }
        let Some(ty) = self.ty(spot) else {
            return String::new();
        };
        let tensor = ty.as_tensor();
        match (spot.about, tensor) {
            (FactKind::Dim(i), Some(t)) => t.shape.known_dims()[i].to_string(),
            (FactKind::Content(i), Some(t)) => {
                let members = t.contents.as_ref().map(|c| c.as_slice());
                let member = members.and_then(|m| m.get(i));
                member.map(ToString::to_string).unwrap_or_default()
            }
            (FactKind::Dtype, Some(t)) => t.dtype.to_string(),
            (FactKind::Rank, Some(t)) if self.has_named_run(spot) => {
                format!("the shape {}", t.shape)
            }
            (FactKind::Rank, Some(t)) => match (t.shape.rank(), t.shape.known_dims().len()) {
                (Some(1), _) => "1 dim".into(),
                (Some(rank), _) => format!("{rank} dims"),
                (None, 1) => "1 dim or more".into(),
                (None, count) => format!("{count} dims or more"),
            },
            (FactKind::Condition(i), _) => {
                let condition = ty.conditions.as_slice().get(i);
                condition.map(|c| format!("`{c}`")).unwrap_or_default()
            }
            (_, Some(_)) => "a tensor".into(),
            _ => format!("`{ty}`"),
        }
    }

    /// The fact as a sentence: `input 0 is f32[2, 3]: its dim 1 is 3`.
    pub(super) fn sentence(&self, spot: &FactId) -> String {
        let value = self.value(spot);
        let whole = match spot.at {
            Argument::Operand(_) => match self.ty(spot) {
                Some(ty) => {
                    let ty = match spot.about {
                        FactKind::Content(_) => bare(ty),
                        // What it has in it is not what this is about.
                        _ => bare(ty).with_contents(None),
                    };
                    format!("{} is {ty}", self.of_part(spot))
                }
                None => self.of_part(spot),
            },
            Argument::Attr(i) => format!("{} is {}", self.called(spot.at), self.query.attrs[i].1),
            Argument::Given(_) => return format!("it is given that {value}"),
            Argument::Param(_) => return format!("{} is {value}", self.called(spot.at)),
        };
        match spot.about {
            FactKind::Dim(i) => format!("{whole}: its dim {i} is {value}"),
            FactKind::Content(i) => format!("{whole}: its element {i} is {value}"),
            FactKind::Member(i) => format!("{whole}: its member {i} is {value}"),
            FactKind::Dtype => format!("{whole}: its dtype is {value}"),
            FactKind::Rank => format!("{whole}: it has {value}"),
            FactKind::Condition(_) => format!("{whole}: it is given with {value}"),
            FactKind::Value => whole,
            FactKind::Form => match self.ty(spot).and_then(Type::as_tensor) {
                Some(_) => format!("{whole}: it is a tensor"),
                None => whole,
            },
        }
    }

    /// A few words to stand at a place in the text.
    pub(super) fn label(&self, spot: &FactId, mark: &Mark) -> String {
        let (called, value) = (self.of_part(spot), self.value(spot));
        match (spot.about, &mark.name) {
            (FactKind::Dim(_), Some(name)) => format!("{called} makes `{name}` {value}"),
            (FactKind::Dim(_), None) if mark.exact => format!("{called} has {value} here"),
            (FactKind::Dim(i), None) => format!("dim {i} of {called} is {value}"),
            (FactKind::Rank, _) => format!("{called} has {value}"),
            (FactKind::Content(i), _) => format!("element {i} of {called} is {value}"),
            (FactKind::Member(i), _) => format!("member {i} of {called} is {value}"),
            (FactKind::Condition(_), _) => format!("{called} is given with {value}"),
            _ => format!("{called} is {value}"),
        }
    }

    /// What is wrong, in one line.
    pub(super) fn headline(
        &self,
        core: &[FactId],
        marks: &[Option<Mark>],
        lacks_something: bool,
    ) -> String {
        if let Some(about) = self.about_one_name(core, marks) {
            return about;
        }
        match core {
            [] => match self.query.subject.called() {
                Some(operator) if lacks_something => {
                    format!("this call of `{}` lacks something", operator.full_name())
                }
                Some(operator) => format!("no call of `{}` is like this", operator.full_name()),
                None => "no shapes and dtypes satisfy this signature".into(),
            },
            [one] => match one.about {
                FactKind::Rank => format!("{} can't have {}", self.of_part(one), self.value(one)),
                FactKind::Value if matches!(one.at, Argument::Given(_)) => {
                    format!("{} can't hold", self.called(one.at))
                }
                FactKind::Condition(_) => {
                    format!("{} can't hold: {}", self.subject(one), self.value(one))
                }
                _ => format!("{} can't be {}", self.subject(one), self.value(one)),
            },
            [a, b] => format!(
                "{} and {} don't fit together",
                self.subject(a),
                self.subject(b)
            ),
            [a, b, c] => format!(
                "{}, {} and {} don't fit together",
                self.subject(a),
                self.subject(b),
                self.subject(c)
            ),
            all => format!("these {} facts can't hold together", all.len()),
        }
    }

    /// All facts are dims for which the text has one name.
    fn about_one_name(&self, core: &[FactId], marks: &[Option<Mark>]) -> Option<String> {
        let mut names = marks
            .iter()
            .map(|m| m.as_ref().and_then(|m| m.name.as_ref()));
        let name = names.next()??;
        if core.len() < 2 || !names.all(|other| other == Some(name)) {
            return None;
        }
        let mut operands: Vec<Argument> = core.iter().map(|spot| spot.at).collect();
        operands.dedup();
        let inputs = self.query.inputs.len();
        let who = match operands[..] {
            [one] => format!("the dims of {}", self.called(one)),
            [Argument::Operand(0), Argument::Operand(1)]
                if inputs == 2 && self.query.labels.is_none() =>
            {
                "the two inputs".into()
            }
            [a, b] => format!("{} and {}", self.called(a), self.called(b)),
            _ => format!("{} operands", operands.len()),
        };
        Some(format!("{who} disagree about `{name}`"))
    }
}

/// The type without what stands behind `where`.
fn bare(ty: &Type) -> Type {
    ty.clone().with_conditions(Default::default())
}
