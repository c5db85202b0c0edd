//! Values for the names that an answer makes up in its attributes and in what is in its operands: `[[d0, 3 - d0]]` is `[[0, 3]]`.

use std::collections::BTreeSet;

use kanshape::tree::{Expr, Spanned};
use kanshape::{Answer, AttrValue, Condition, Conditions, Content, Contents, Dim, Tensor, Type};

/// The most names that values are found for.
const MOST_NAMES: usize = 8;
/// The numbers that are tried for each of them, beside the sizes of the question.
const MOST_NUMBER: u64 = 8;
/// The most further sizes that are tried.
const MOST_SIZES: usize = 12;
/// The values that are tried for all of an answer.
const MOST_TRIED: usize = 2_000;
/// The most ways to fill one answer.
const MOST_WAYS: usize = 24;
/// What the names of the question denote where a condition is tried: sizes that are none of those that are tried.
const DENOTED: [u64; 8] = [1_009, 2_003, 3_001, 4_001, 5_003, 6_007, 7_001, 8_009];

/// What may be filled in.
pub(super) struct FillingValues {
    /// The names of the question.
    pub(super) users: BTreeSet<Box<str>>,
    all: Vec<FillingValue>,
}

#[derive(Clone)]
enum FillingValue {
    Number(u64),
    Name(Box<str>),
}

/// An answer with values for what it leaves open.
pub(super) struct Filling {
    pub(super) attrs: Vec<(Box<str>, AttrValue)>,
    pub(super) inputs: Vec<Option<Type>>,
}

impl FillingValues {
    /// Small numbers first, then the sizes and the names of these types.
    pub(super) fn of<'t>(types: impl Iterator<Item = &'t Type>) -> FillingValues {
        let (mut users, mut sizes) = (BTreeSet::new(), BTreeSet::new());
        for ty in types {
            ty.for_each_name(&mut |name| {
                users.insert(Box::from(name));
            });
            let dims = ty.as_tensor().into_iter().flat_map(|t| t.shape.iter());
            sizes.extend(dims.filter_map(Dim::size));
        }
        let sizes = sizes.into_iter().filter(|n| *n > MOST_NUMBER);
        let numbers = (0..=MOST_NUMBER).chain(sizes.take(MOST_SIZES));
        let names = users
            .iter()
            .take(DENOTED.len())
            .cloned()
            .map(FillingValue::Name);
        let all = numbers.map(FillingValue::Number).chain(names).collect();
        FillingValues { users, all }
    }

    /// A size for a name of the question.
    fn denoted(&self, name: &str) -> Option<u64> {
        let place = self.users.iter().position(|own| **own == *name)?;
        DENOTED.get(place).copied()
    }

    fn number(&self, value: &FillingValue) -> Option<u64> {
        match value {
            FillingValue::Number(n) => Some(*n),
            FillingValue::Name(name) => self.denoted(name),
        }
    }

    /// The answer with values for the names that it makes up, small numbers first. What conditions say of these names and of those of the
    /// question holds for some sizes; that it always does is for the caller to find out.
    pub(super) fn fillings(&self, answer: &Answer, inputs: &[Option<Type>]) -> Vec<Filling> {
        let names = self.made_up(answer, inputs);
        if names.len() > MOST_NAMES {
            return Vec::new();
        }
        let search = FillingSearch {
            values: self,
            answer,
            inputs,
            names: &names,
        };
        search.run()
    }

    /// Does an answer make up names?
    pub(super) fn has_made_up(&self, answer: &Answer, inputs: &[Option<Type>]) -> bool {
        !self.made_up(answer, inputs).is_empty()
    }

    /// The names in attributes and in operands that are none of the question.
    fn made_up(&self, answer: &Answer, inputs: &[Option<Type>]) -> Vec<Box<str>> {
        let mut names: Vec<Box<str>> = Vec::new();
        let mut note = |name: &str| {
            if !self.users.contains(name) && !names.iter().any(|own| **own == *name) {
                names.push(name.into());
            }
        };
        for (_, value) in &answer.attrs {
            numbers_of(value, &mut |dim| dim.for_each_name(&mut note));
        }
        for contents in inputs.iter().flatten().filter_map(Type::contents) {
            contents.for_each_name(&mut note);
        }
        names
    }
}

/// The search for values of names.
struct FillingSearch<'a> {
    values: &'a FillingValues,
    answer: &'a Answer,
    inputs: &'a [Option<Type>],
    names: &'a [Box<str>],
}

impl FillingSearch<'_> {
    fn run(&self) -> Vec<Filling> {
        let mut found = Vec::new();
        let conditions = self.answer.conditions.iter();
        let conditions: Vec<(&Condition, usize)> = conditions
            .filter_map(|condition| Some((condition, self.last_of(condition)?)))
            .collect();
        if self.names.is_empty() {
            found.extend(self.filled(&[]));
            return found;
        }
        // The places of the values of the first names.
        let mut chosen: Vec<usize> = vec![0];
        for _ in 0..MOST_TRIED {
            let depth = chosen.len();
            let value = |name: &str| self.number_of(name, &chosen);
            let mut own = conditions.iter().filter(|(_, last)| last + 1 == depth);
            let fits = own.all(|(condition, _)| holds(condition, &value) != Some(false));
            if fits && depth == self.names.len() {
                found.extend(self.filled(&chosen));
                if found.len() == MOST_WAYS {
                    break;
                }
            } else if fits {
                chosen.push(0);
                continue;
            }
            // The next value of the last name that has one.
            while chosen.last() == Some(&(self.values.all.len() - 1)) {
                chosen.pop();
            }
            match chosen.last_mut() {
                Some(last) => *last += 1,
                None => break,
            }
        }
        found
    }

    fn value_of(&self, name: &str, chosen: &[usize]) -> Option<&FillingValue> {
        let at = self.names.iter().position(|own| **own == *name)?;
        self.values.all.get(*chosen.get(at)?)
    }

    /// What a name denotes where a condition is tried.
    fn number_of(&self, name: &str, chosen: &[usize]) -> Option<u64> {
        match self.value_of(name, chosen) {
            Some(value) => self.values.number(value),
            None => self.values.denoted(name),
        }
    }

    /// The last of the made up names in a condition; `None` if it speaks of none, or of others than these and those of the question.
    fn last_of(&self, condition: &Condition) -> Option<usize> {
        let mut last = None;
        let mut others = false;
        let one: Conditions = std::iter::once(condition.clone()).collect();
        one.for_each_name(
            &mut |name| match self.names.iter().position(|own| **own == *name) {
                Some(at) => last = last.max(Some(at)),
                None => others |= !self.values.users.contains(name),
            },
        );
        last.filter(|_| !others)
    }

    /// The answer with these values. `None` if one of them is none that can be there.
    fn filled(&self, chosen: &[usize]) -> Option<Filling> {
        // An attribute is a number.
        let number = |name: &str| match self.value_of(name, chosen)? {
            FillingValue::Number(n) => Some(*n),
            FillingValue::Name(_) => None,
        };
        let attrs = self.answer.attrs.iter().map(|(name, own)| {
            let own = filled(own, &number)?;
            Some((Box::from(name.as_str()), own))
        });
        let inputs = self.inputs.iter().map(|ty| match ty {
            Some(ty) => self.filled_type(ty, chosen).map(Some),
            None => Some(None),
        });
        Some(Filling {
            attrs: attrs.collect::<Option<_>>()?,
            inputs: inputs.collect::<Option<_>>()?,
        })
    }

    fn filled_type(&self, ty: &Type, chosen: &[usize]) -> Option<Type> {
        let (Some(tensor), Some(contents)) = (ty.as_tensor(), ty.contents()) else {
            return Some(ty.clone());
        };
        let members = contents.iter().map(|own| self.filled_content(own, chosen));
        let members = Contents::new(members.collect::<Option<Vec<_>>>()?);
        let tensor = Tensor::new(tensor.dtype.clone(), tensor.shape.clone());
        Some(tensor.with_contents(members).into())
    }

    fn filled_content(&self, own: &Content, chosen: &[usize]) -> Option<Content> {
        let expr = match own {
            Content::Hole => return None,
            Content::Name(_) | Content::Expr(_) => own.expr()?,
            _ => return Some(own.clone()),
        };
        let number = |name: &str| match self.value_of(name, chosen)? {
            FillingValue::Number(n) => Some(*n),
            FillingValue::Name(_) => None,
        };
        if let Some(n) = Dim::expr(expr).integer_at(&number) {
            return Some(Content::Int(n));
        }
        // A sum of sizes and of what is chosen is what nobody writes.
        let mut is_chosen = false;
        own.for_each_name(&mut |name| is_chosen |= self.value_of(name, chosen).is_some());
        if is_chosen && matches!(own, Content::Expr(_)) {
            return None;
        }
        Some(
            own.map_leaves(&mut |leaf| match self.value_of(&leaf.node, chosen) {
                Some(FillingValue::Number(n)) => Expr::Int(*n),
                Some(FillingValue::Name(name)) => Expr::Name(Spanned {
                    node: name.clone(),
                    span: leaf.span,
                }),
                None => Expr::Name(leaf),
            }),
        )
    }
}

/// The numbers in a value.
pub(super) fn numbers_of(value: &AttrValue, f: &mut dyn FnMut(&Dim)) {
    match value {
        AttrValue::Dim(dim) => f(dim),
        AttrValue::List(members) => members.iter().for_each(|member| numbers_of(member, f)),
        _ => {}
    }
}

/// A value with numbers for its names. What is open besides stays so. `None` if a number is none.
fn filled(value: &AttrValue, names: &dyn Fn(&str) -> Option<u64>) -> Option<AttrValue> {
    Some(match value {
        AttrValue::Dim(Dim::Hole) => AttrValue::Hole,
        AttrValue::Dim(dim) => AttrValue::Int(dim.integer_at(names)?),
        AttrValue::List(members) => {
            let members = members.iter().map(|member| filled(member, names));
            AttrValue::List(members.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// Does a condition hold? `None` if that can't be calculated.
fn holds(condition: &Condition, names: &dyn Fn(&str) -> Option<u64>) -> Option<bool> {
    let value = |e: &Expr| Dim::expr(e.clone()).integer_at(names);
    match condition {
        Condition::Compare(first, rest) => {
            let mut left = value(first)?;
            for (op, right) in rest {
                let right = value(right)?;
                if !op.holds(left, right) {
                    return Some(false);
                }
                left = right;
            }
            Some(true)
        }
        Condition::In(of, list) => {
            let of = value(of)?;
            let list: Option<Vec<i64>> = list.iter().map(value).collect();
            Some(list?.contains(&of))
        }
        Condition::Dtype(..) => None,
    }
}
