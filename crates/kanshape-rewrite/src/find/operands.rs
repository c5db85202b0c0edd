//! Contents for the operands that an answer leaves open: the axes that `Unsqueeze` takes, the starts and the ends of `Slice`.

use std::collections::BTreeSet;

use kanshape::control::is_over;
use kanshape::{
    Answer, AttrValue, Call, Content, Contents, Dim, Dtype, Name, Shape, Tensor, Type, order,
};

use super::fill::{Filling, FillingValues};
use super::{
    Ask, Found, MOST_ANSWERS, Operand, STEPS_OF_ONE, STEPS_OF_OPERATOR, is_known, speaks_of_all,
};

/// The most integers in contents that are solved for.
const LONGEST: usize = 8;
/// The most integers for which negative numbers are tried, which a name never is.
const MOST_NEGATIVE: usize = 2;
/// The most attributes that are open where lengths and small numbers are tried.
const MOST_OPEN: usize = 1;
/// The most numbers in attributes that are queried once more where the first answer gave each a name without a condition.
const MOST_RENAMED: usize = 4;
/// The names of integers that are solved for begin so.
const OPEN: &str = "find_";

/// An operand of integers of which nothing is known that is in it.
struct OpenOperand {
    place: usize,
    shape: Shape,
    /// Its length, unless that is open as well.
    len: Option<usize>,
}

/// A call of which some operands and attributes are open.
struct PartialCall<'a> {
    attrs: &'a [(Box<str>, AttrValue)],
    inputs: &'a [Option<Type>],
    open: &'a [OpenOperand],
    /// The length of operands whose own is open.
    len: usize,
}

impl PartialCall<'_> {
    /// How many integers are in an operand.
    fn count(&self, own: &OpenOperand) -> usize {
        own.len.unwrap_or(self.len)
    }

    /// How many integers are in all open operands.
    fn total(&self) -> usize {
        let counts = self.open.iter().map(|own| self.count(own));
        counts.fold(0, usize::saturating_add)
    }

    /// The inputs with these integers in the open ones.
    fn with_members(&self, mut members: impl Iterator<Item = Content>) -> Vec<Option<Type>> {
        let mut inputs = self.inputs.to_vec();
        for own in self.open {
            let count = self.count(own);
            let shape = match (own.len, own.shape.rank()) {
                (Some(_), Some(_)) => own.shape.clone(),
                _ => Shape::known([Dim::Size(count as u64)]),
            };
            let contents = Contents::new(members.by_ref().take(count));
            let tensor = Tensor::new(Dtype::I64, shape).with_contents(contents);
            inputs[own.place] = Some(tensor.into());
        }
        inputs
    }
}

impl Ask<'_> {
    /// The further operands of integers with at most one dim of which no contents are known.
    fn open_operands(&self, inputs: &[Option<Type>]) -> Vec<OpenOperand> {
        let mut open = Vec::new();
        for (place, ty) in inputs.iter().enumerate() {
            let is_further = matches!(self.given.get(place), None | Some((Operand::Further(_), _)));
            let tensor = ty.as_ref().and_then(Type::as_tensor);
            let (Some(ty), Some(tensor), true) = (ty, tensor, is_further) else {
                continue;
            };
            let ints: Type = Tensor::new(Dtype::I64, tensor.shape.clone()).into();
            if tensor.contents.is_some() || order::meet(ty, &ints).is_err() {
                continue;
            }
            let len = match tensor.shape.rank() {
                Some(0) => Some(1),
                Some(1) => tensor.shape.iter().next().and_then(Dim::size),
                Some(_) => continue,
                None => None,
            };
            open.push(OpenOperand {
                place,
                shape: tensor.shape.clone(),
                len: len.map(|len| usize::try_from(len).unwrap_or(usize::MAX)),
            });
        }
        open
    }

    /// The most dims of a type in the query.
    fn largest_rank(&self) -> usize {
        let types = self.given.iter().map(|given| &given.1).chain(self.output);
        let ranks = types.filter_map(|ty| ty.as_tensor()?.shape.rank());
        ranks.max().unwrap_or(1).max(1)
    }

    /// The call with contents for its further operands: those that are solved for, the sizes that are wanted, or small numbers.
    pub(super) fn with_contents(
        &self,
        attrs: &[(Box<str>, AttrValue)],
        inputs: &[Option<Type>],
        values: &FillingValues,
    ) -> Option<Found> {
        self.output?;
        let open = self.open_operands(inputs);
        if open.is_empty() {
            return None;
        }
        // Attributes that are open take the steps: few are open where lengths are tried.
        let has_few_open = self.open.len() <= MOST_OPEN;
        let lengths = match open.iter().all(|own| own.len.is_some()) {
            true => 1..=1,
            false if !has_few_open => return None,
            false => 1..=LONGEST.min(2 * self.largest_rank()),
        };
        for len in lengths {
            let partial = PartialCall {
                attrs,
                inputs,
                open: &open,
                len,
            };
            let total = partial.total();
            if total == 0 || total > LONGEST || is_over() {
                break;
            }
            let found = self
                .wanted(&partial)
                .or_else(|| self.solved(&partial, values, STEPS_OF_OPERATOR))
                .or_else(|| match has_few_open {
                    true => self.small(&partial),
                    false => None,
                });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The call with numbers for the members of attributes of which an answer says how many there are, and no more: each has a name in a
    /// further question, whose answer says what the names have to do with each other.
    pub(super) fn with_numbers(
        &self,
        answer: &Answer,
        mut attrs: Vec<(Box<str>, AttrValue)>,
        inputs: &[Option<Type>],
        values: &FillingValues,
    ) -> Option<Found> {
        self.output?;
        let (mut count, mut made_up) = (0, 0);
        for (name, value) in &answer.attrs {
            let AttrValue::List(members) = value else {
                continue;
            };
            let is_made_up = |own: &AttrValue| match own {
                AttrValue::Dim(Dim::Name(name)) => {
                    self.asks_again && !values.users.contains(&**name)
                }
                _ => false,
            };
            let is_hole =
                |own: &AttrValue| matches!(own, AttrValue::Hole | AttrValue::Dim(Dim::Hole));
            if !members.iter().any(|own| is_hole(own) || is_made_up(own)) {
                continue;
            }
            let named = members.iter().map(|own| {
                if !is_hole(own) {
                    made_up += usize::from(is_made_up(own));
                    return own.clone();
                }
                count += 1;
                AttrValue::Dim(Dim::Name(Name::word(format!("{OPEN}number_{count}"))))
            });
            let named = AttrValue::List(named.collect());
            attrs.push((name.as_str().into(), named));
        }
        let steps = match (count, made_up) {
            (1..=LONGEST, 0) => STEPS_OF_OPERATOR,
            (0..=LONGEST, 1..=MOST_RENAMED) => STEPS_OF_ONE,
            _ => return None,
        };
        let partial = PartialCall {
            attrs: &attrs,
            inputs,
            open: &[],
            len: 0,
        };
        match is_over() {
            true => None,
            false => self.solved(&partial, values, steps),
        }
    }

    /// Contents that are solved for: each answer counts, with numbers for what it leaves open.
    fn solved(
        &self,
        partial: &PartialCall<'_>,
        values: &FillingValues,
        steps: u64,
    ) -> Option<Found> {
        let names = (0..).map(|i| Content::Name(Name::word(format!("{OPEN}{i}"))));
        let queried = partial.with_members(names);
        // What the answer knows of the attributes is given; the others are open still.
        let mut all = self.call().attrs;
        for (name, value) in partial.attrs {
            match all.iter_mut().find(|own| own.0 == *name) {
                Some(own) => own.1 = value.clone(),
                None => all.push((name.clone(), value.clone())),
            }
        }
        let call = Call {
            inputs: queried.clone(),
            outputs: Some(self.outputs(self.output.cloned()?)),
            attrs: all,
            ..Call::default()
        };
        let places = self.operator.places(&call);
        let query = self.operator.query(call).ok()?;
        let query = query.limit(MOST_ANSWERS).budget(steps);
        let answers = query.solve().ok()?.take_while(|_| !is_over());
        for mut answer in answers {
            let mut conditions = answer.conditions.iter();
            if conditions.any(|own| speaks_of_all(own, &values.users)) {
                continue;
            }
            let places = places.in_answer(&answer).inputs;
            let places = places.iter().zip(&queried);
            let found = places.map(|(place, own)| {
                own.as_ref()?;
                answer.inputs.get((*place)?).cloned()
            });
            let found: Vec<Option<Type>> = found.collect();
            // An attribute that is given is no part of the answer.
            for (name, value) in partial.attrs {
                if !answer.attrs.iter().any(|own| own.0.as_str() == &**name) {
                    answer.attrs.push((Name::word(&**name), value.clone()));
                }
            }
            if let Some(found) = self.filled(values.fillings(&answer, &found)) {
                return Some(found);
            }
        }
        None
    }

    /// The sizes of the output as contents: several would do, and these are what is meant mostly.
    fn wanted(&self, partial: &PartialCall<'_>) -> Option<Found> {
        let wanted = self.output?.as_tensor()?;
        let rank = wanted.shape.rank()?;
        let [one] = partial.open else { return None };
        if partial.count(one) != rank {
            return None;
        }
        let sizes = wanted.shape.iter().map(|dim| match dim {
            Dim::Size(n) => i64::try_from(*n).ok().map(Content::Int),
            Dim::Name(name) => Some(Content::Name(name.clone())),
            _ => None,
        });
        let sizes = sizes.collect::<Option<Vec<Content>>>()?;
        let inputs = partial.with_members(sizes.into_iter());
        self.forwards(partial.attrs.to_vec(), inputs)
    }

    /// A few small numbers as contents, among them those below 0.
    fn small(&self, partial: &PartialCall<'_>) -> Option<Found> {
        let total = partial.total();
        if total > MOST_NEGATIVE {
            return None;
        }
        let rank = i64::try_from(self.largest_rank()).ok()?.min(LONGEST as i64);
        let all: Vec<i64> = (0..=rank).chain((1..=rank).map(|n| -n)).collect();
        let fillings = (0..all.len().pow(total as u32)).map(|mut number| {
            let members = (0..total).map(|_| {
                let own = all[number % all.len()];
                number /= all.len();
                Content::Int(own)
            });
            let members: Vec<Content> = members.collect();
            Filling {
                attrs: partial.attrs.to_vec(),
                inputs: partial.with_members(members.into_iter()),
            }
        });
        self.filled(fillings.collect())
    }

    /// Does an answer leave open what is in an operand, or an attribute? Then others than those that were tried may do.
    pub(super) fn is_open(
        &self,
        answer: &Answer,
        inputs: &[Option<Type>],
        users: &BTreeSet<Box<str>>,
    ) -> bool {
        let has_made_up = |value: &AttrValue| {
            let mut has =
                !is_known(value) && !matches!(value, AttrValue::Dim(_) | AttrValue::List(_));
            super::fill::numbers_of(value, &mut |dim| {
                dim.for_each_name(&mut |name| has |= !users.contains(name));
            });
            has && !matches!(value, AttrValue::Absent)
        };
        self.output.is_some()
            && (!self.open_operands(inputs).is_empty()
                || answer.attrs.iter().any(|(_, value)| has_made_up(value)))
    }
}
