//! [`Find`]: which operators make a type of others?
//!
//! Each operator is queried with the inputs and the output, its attributes open. Each answer is calculated forwards
//! before it counts: the output has to be of the type that is wanted, whatever the names in it denote.

mod fill;
mod operands;
mod ranking;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kanshape::operator::Attribute;
use kanshape::{
    Answer, AttrValue, Call, Condition, Conditions, Content, Control, Dim, Operator, Query,
    Relations, Type, Verdict, control::is_over, order,
};

use fill::{Filling, FillingValues};

use crate::reshape;

/// The steps of one question about an operator, and of all that have the same attributes open.
const STEPS_OF_OPERATOR: u64 = 20_000;
const STEPS_OF_ALL: u64 = 80_000;
/// The steps of one operator while but a few of its attributes are open, and of one such question.
const STEPS_OF_FEW: u64 = 150_000;
const STEPS_OF_ONE: u64 = 8_000;
/// The most attributes that are opened one by one and two by two.
const MOST_PAIRED: usize = 14;
/// The answers of one operator that are examined.
const MOST_ANSWERS: usize = 48;
/// The most outputs behind the first of an operator that has any number of them.
const MOST_MORE: usize = 3;
/// The calls of one operator that are returned.
const MOST_WAYS: usize = 3;
/// The types between the steps of a chain that are followed from one type.
const MOST_BETWEEN: usize = 200;
/// The operators of a chain.
const LONGEST_CHAIN: usize = 16;

/// A search for operators that make a type of others.
///
/// ```
/// use kanshape_rewrite::Find;
///
/// let from = "f32[N, 3, H, W]".parse()?;
/// let to = "f32[N, H, W, 3]".parse()?;
/// let finding = Find::new(kanshape::catalog(), [from], to).ops(["onnx::Transpose"]).run();
/// assert_eq!(finding.found[0].to_string(), "onnx::Transpose[perm = [0, 2, 3, 1]]");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Find<'r> {
    relations: &'r Relations,
    inputs: Vec<Type>,
    output: Type,
    depth: usize,
    ops: Vec<String>,
    opset: Option<u64>,
}

/// A call of an operator that gives what is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The operator, with its domain.
    pub op: String,
    /// The attributes that it needs; the others have their defaults.
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// Its inputs; `None` is one that is left out.
    pub inputs: Vec<Option<Operand>>,
    /// What it gives.
    pub output: Type,
}

/// An input of what was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// One of the inputs of the question, by its place, with its type.
    Given(usize, Type),
    /// A further one, with what it has to be.
    Further(Type),
    /// What another call gives.
    Made(Box<Found>),
}

impl Operand {
    /// Its type.
    pub fn ty(&self) -> &Type {
        match self {
            Operand::Given(_, ty) | Operand::Further(ty) => ty,
            Operand::Made(made) => &made.output,
        }
    }

    /// The call that makes it, if one does.
    pub fn made(&self) -> Option<&Found> {
        match self {
            Operand::Made(made) => Some(made),
            Operand::Given(..) | Operand::Further(_) => None,
        }
    }
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The calls, as a user of ONNX would look for them: of fewer operators first, then those of the domain of the query or of
    /// ONNX, those that need no operand of which a type is all that is known, those that move data before those that calculate and
    /// those that pad and index (calculating comes first where the output has the type of an input), those with fewer attributes and
    /// constants, and the common ones.
    pub found: Vec<Found>,
    /// The operators that were not searched as a whole: it was too much, or not all contents and numbers of which there are any were
    /// tried. Where nothing was found, one of them may do.
    pub cut_off: Vec<String>,
}

impl<'r> Find<'r> {
    /// Which operators make the output of these inputs, in this order? An input that is `?` may be anything.
    pub fn new(
        relations: &'r Relations,
        inputs: impl IntoIterator<Item = Type>,
        output: Type,
    ) -> Find<'r> {
        Find {
            relations,
            inputs: inputs.into_iter().collect(),
            output,
            depth: 1,
            ops: Vec::new(),
            opset: None,
        }
    }

    /// Chains of at most this many operators, and never of more than 16.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Find<'r> {
        self.depth = depth.clamp(1, LONGEST_CHAIN);
        self
    }

    /// Only these operators, `onnx::Transpose` or `Transpose`, or those of these domains, `onnx`.
    #[must_use]
    pub fn ops(mut self, ops: impl IntoIterator<Item = impl Into<String>>) -> Find<'r> {
        self.ops = ops.into_iter().map(Into::into).collect();
        self
    }

    /// The operators are those of this version of their set.
    #[must_use]
    pub fn opset(mut self, version: Option<u64>) -> Find<'r> {
        self.opset = version;
        self
    }

    /// Searches.
    pub fn run(&self) -> Finding {
        let operators = self.operators();
        let mut finding = Finding::default();
        let given: Vec<(Operand, Type)> = self.inputs.iter().enumerate().map(given).collect();
        self.search(&operators, &given, self.depth, &mut finding);
        self.sort(&mut finding.found);
        finding.cut_off.sort();
        finding.cut_off.dedup();
        finding
    }

    /// The newest version of each operator that is meant, those with the fewest operands and attributes first.
    fn operators(&self) -> Vec<Operator> {
        let newest = self.opset.unwrap_or(u64::MAX);
        let mut all: BTreeMap<(String, String), Operator> = BTreeMap::new();
        for operator in self.relations.operators() {
            if operator.since() > newest || !self.means(&operator) {
                continue;
            }
            let key = (operator.domain().to_owned(), operator.name().to_owned());
            match all.get(&key) {
                Some(other) if other.since() >= operator.since() => {}
                _ => drop(all.insert(key, operator)),
            }
        }
        let mut all: Vec<Operator> = all.into_values().collect();
        ranking::by_size(&mut all);
        all
    }

    fn means(&self, operator: &Operator) -> bool {
        let is = |op: &String| {
            *op == operator.name()
                || *op == operator.full_name()
                || *op == operator.domain()
                || *op == operator.domain_name()
                || operator.aliases().any(|alias| alias == op)
        };
        self.ops.is_empty() || self.ops.iter().any(is)
    }

    fn search(
        &self,
        operators: &[Operator],
        given: &[(Operand, Type)],
        depth: usize,
        finding: &mut Finding,
    ) {
        for operator in operators {
            if is_over() {
                finding.cut_off.push(operator.full_name());
                continue;
            }
            let (found, is_cut_off) = single(operator, given, Some(&self.output));
            finding.found.extend(found);
            if is_cut_off {
                finding.cut_off.push(operator.full_name());
            }
        }
        if depth < 2 {
            return;
        }
        // A chain goes on from what an operator makes of the inputs alone.
        let mut between: Vec<Found> = Vec::new();
        let is_given = |ty: &Type| given.iter().any(|(_, own)| own == ty);
        for operator in operators {
            if is_over() {
                finding.cut_off.push(operator.full_name());
                continue;
            }
            let (found, is_cut_off) = single(operator, given, None);
            let is_new = |one: &Found, all: &[Found]| {
                let rank = one.output.as_tensor().and_then(|t| t.shape.rank());
                rank.is_some()
                    && one.output != self.output
                    && !is_given(&one.output)
                    && !all.iter().any(|own| own.output == one.output)
                    && !one.has_further()
            };
            for one in found {
                if is_new(&one, &between) {
                    between.push(one);
                }
            }
            if is_cut_off || between.len() > MOST_BETWEEN {
                finding.cut_off.push(operator.full_name());
            }
        }
        between.truncate(MOST_BETWEEN);
        for one in between {
            let ty = one.output.clone();
            let next = [(Operand::Made(Box::new(one)), ty)];
            self.search(operators, &next, depth - 1, finding);
        }
    }
}

fn given((place, ty): (usize, &Type)) -> (Operand, Type) {
    match ty.is_unknown() {
        true => (Operand::Further(Type::UNKNOWN), Type::UNKNOWN),
        false => (Operand::Given(place, ty.clone()), ty.clone()),
    }
}

/// What one operator makes of the inputs: an output of this type, or any. Is something of it left that was too much?
fn single(
    operator: &Operator,
    given: &[(Operand, Type)],
    output: Option<&Type>,
) -> (Vec<Found>, bool) {
    let (found, is_cut_off) = asked(operator, given, output, false);
    // Lists that a call can't do without: `Slice` had its starts and ends so.
    let mut attributes = operator.attributes();
    let has_lists = attributes.any(|own| !may_be_left_out(&own) && own.is_list());
    match found.is_empty() && is_cut_off && output.is_some() && has_lists {
        true => asked(operator, given, output, true),
        false => (found, is_cut_off),
    }
}

/// The same; `asks_again` where an answer gave the members of a list names and says nothing of them.
fn asked(
    operator: &Operator,
    given: &[(Operand, Type)],
    output: Option<&Type>,
    asks_again: bool,
) -> (Vec<Found>, bool) {
    let formals: Vec<_> = operator.inputs().collect();
    let is_variadic = formals.last().is_some_and(|formal| formal.variadic);
    if formals.is_empty() || given.len() > formals.len() && !is_variadic {
        return (Vec::new(), false);
    }
    let is_needed = |formal: &&kanshape::operator::Formal<'_>| !formal.optional && !formal.variadic;
    let needed = formals.iter().filter(is_needed).count();
    let least = given.len().max(needed);
    // Operands that may be left out are there only if it does not do without them.
    let most = match formals.iter().filter(|formal| !formal.variadic).count() {
        count if count > least && output.is_some() => count,
        _ => least,
    };
    let mut found = Vec::new();
    let mut is_cut_off = false;
    let attributes = operator.attributes();
    let attributes = attributes.filter(|own| !own.is_type() && may_be_left_out(own));
    let all: Vec<&str> = attributes.map(|own| own.name).collect();
    let mut left = [STEPS_OF_ALL, STEPS_OF_FEW];
    // The fewest open attributes first. For a type between the steps of a chain it is all or none.
    let is_few = output.is_some() && all.len() <= MOST_PAIRED;
    let levels = levels(&all, is_few);
    let mut counts = vec![(least, 0), (most, 0)];
    counts.dedup();
    if operator.outputs().last().is_some_and(|own| own.variadic) && output.is_some() {
        counts.extend((1..=MOST_MORE).map(|more| (most, more)));
    }
    for (count, more) in counts {
        let ask = |open| Ask {
            operator,
            given,
            output,
            count,
            more,
            open,
            asks_again,
        };
        // The last level decides: its queries have the answers of the levels before it.
        let mut is_level_cut_off = false;
        for (level, open) in levels.iter().enumerate() {
            if !found.is_empty() && output.is_some() {
                break;
            }
            if level == 1 && ask(&all[..]).is_refused(&mut left[0]) {
                is_level_cut_off = false;
                break;
            }
            is_level_cut_off = false;
            for open in open {
                let ask = ask(open);
                let left = &mut left[usize::from(is_few && open.len() < all.len())];
                is_level_cut_off |=
                    Control::default().go_on(left, || ask.run(&mut found)) || *left == 0;
            }
        }
        is_cut_off |= is_level_cut_off;
        if !found.is_empty() && output.is_some() {
            break;
        }
    }
    (found, is_cut_off)
}

/// Which attributes are open, from none to all: with few, one by one and two by two between.
fn levels<'a>(all: &[&'a str], is_few: bool) -> Vec<Vec<Vec<&'a str>>> {
    let mut levels = vec![vec![Vec::new()]];
    if is_few {
        let ones = all.iter().map(|one| vec![*one]);
        levels.push(ones.collect());
        let pairs = all.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| all[i + 1..].iter().map(|b| vec![*a, *b]));
        levels.push(pairs.collect());
    }
    levels.push(vec![all.to_vec()]);
    levels.retain(|level| !level.is_empty());
    levels.dedup();
    levels
}

fn may_be_left_out(attribute: &Attribute<'_>) -> bool {
    attribute.optional || attribute.default.is_some()
}

/// A question about one operator.
struct Ask<'a> {
    operator: &'a Operator,
    given: &'a [(Operand, Type)],
    output: Option<&'a Type>,
    /// The number of its inputs.
    count: usize,
    /// The number of outputs behind the first, where there may be any number.
    more: usize,
    /// The attributes that are open, of those that may be left out.
    open: &'a [&'a str],
    /// Members of lists that have names without conditions are queried once more.
    asks_again: bool,
}

impl Ask<'_> {
    /// Adds what it answers. True if there may be more.
    fn run(&self, found: &mut Vec<Found>) -> bool {
        let call = self.call();
        let places = self.operator.places(&call);
        let Ok(query) = self.operator.query(call) else {
            return false;
        };
        let query: Query = query.limit(MOST_ANSWERS).budget(self.steps());
        let Ok(mut answers) = query.solve() else {
            return false;
        };
        let before = found.len();
        let types = self.given.iter().map(|given| &given.1).chain(self.output);
        let values = FillingValues::of(types);
        let mut is_open = false;
        for answer in answers.by_ref() {
            // What holds only under a condition on the names is no way to make the type.
            if answer
                .conditions
                .iter()
                .any(|own| speaks_of_all(own, &values.users))
            {
                continue;
            }
            let places = places.in_answer(&answer).inputs;
            let inputs = places
                .iter()
                .map(|place| answer.inputs.get((*place)?).cloned());
            let mut inputs: Vec<Option<Type>> = inputs.collect();
            while inputs.last() == Some(&None) {
                inputs.pop();
            }
            match self.of_answer(&answer, &inputs, &values) {
                Some(one) if !found.contains(&one) => found.push(one),
                Some(_) => {}
                // Not all that it may be filled with was tried.
                None => is_open |= self.is_open(&answer, &inputs, &values.users),
            }
            if found.len() - before >= MOST_WAYS && self.output.is_some() {
                return false;
            }
        }
        is_open || answers.is_stopped()
    }

    /// Is there no such call, whatever is open?
    fn is_refused(&self, left: &mut u64) -> bool {
        let Ok(query) = self.operator.query(self.call()) else {
            return true;
        };
        let query = query.budget(STEPS_OF_ONE);
        let control = Control::default();
        control.go_on(left, || {
            query
                .solve()
                .is_ok_and(|mut answers| answers.next().is_none() && answers.complete())
        })
    }

    /// The steps of a question.
    fn steps(&self) -> u64 {
        let all = self.operator.attributes().filter(may_be_left_out).count();
        match self.output.is_some() && !self.open.is_empty() && self.open.len() < all {
            true => STEPS_OF_ONE,
            false => STEPS_OF_OPERATOR,
        }
    }

    /// What an answer comes to forwards: with the attributes that it knows, then with contents for its operands and numbers for what it
    /// leaves open.
    fn of_answer(
        &self,
        answer: &Answer,
        inputs: &[Option<Type>],
        values: &FillingValues,
    ) -> Option<Found> {
        let known = answer.attrs.iter().filter(|(_, value)| is_known(value));
        let known = known.map(|(name, value)| (name.as_str().into(), value.clone()));
        let params = answer.params.iter().filter_map(|(name, dim)| match dim {
            Dim::Size(_) if self.operator.attribute(name.as_str()).is_ok() => {
                Some((name.as_str().into(), AttrValue::Dim(dim.clone())))
            }
            _ => None,
        });
        // A number that the types tell, the length of a run, need not be given.
        let known: Vec<(Box<str>, AttrValue)> = known.collect();
        let all: Vec<(Box<str>, AttrValue)> = known.iter().cloned().chain(params).collect();
        let mut one = self.forwards(known.clone(), inputs.to_vec());
        if one.is_none() && all.len() > known.len() {
            one = self.forwards(all.clone(), inputs.to_vec());
        }
        one.or_else(|| match values.has_made_up(answer, inputs) {
            true => self.filled(values.fillings(answer, inputs)),
            false => None,
        })
        .or_else(|| self.with_contents(&all, inputs, values))
        .or_else(|| self.with_numbers(answer, all, inputs, values))
    }

    /// The first of these that gives the output.
    fn filled(&self, fillings: Vec<Filling>) -> Option<Found> {
        let mut fillings = fillings.into_iter().take_while(|_| !is_over());
        fillings.find_map(|own| {
            let known = own.attrs.into_iter().filter(|(_, value)| is_known(value));
            self.forwards(known.collect(), own.inputs)
        })
    }

    /// May an input be left out of which nothing is known?
    fn may_be_absent(&self) -> Vec<usize> {
        let formals = self.operator.inputs().take(self.count).enumerate();
        let open = formals.filter(|(i, formal)| {
            let given = self.given.get(*i);
            let is_open = given.is_none_or(|(_, ty)| ty.is_unknown());
            is_open && formal.optional && !formal.variadic
        });
        open.map(|(i, _)| i).collect()
    }

    fn call(&self) -> Call {
        let mut inputs: Vec<Option<Type>> = self.given.iter().map(|g| Some(g.1.clone())).collect();
        inputs.resize(self.count, Some(Type::UNKNOWN));
        let outputs = self.outputs(self.output.cloned().unwrap_or(Type::UNKNOWN));
        let attrs = self.operator.attributes().filter_map(|attribute| {
            if attribute.is_type() {
                return None;
            }
            let is_open = self.open.contains(&attribute.name);
            match (is_open, may_be_left_out(&attribute)) {
                (true, true) => Some((attribute.name.into(), AttrValue::Unknown)),
                (_, false) => Some((attribute.name.into(), AttrValue::Hole)),
                (false, true) => None,
            }
        });
        Call {
            inputs,
            outputs: Some(outputs),
            attrs: attrs.collect(),
            may_be_absent: self.may_be_absent(),
        }
    }

    /// The outputs of a call, the first of which is of this type.
    fn outputs(&self, first: Type) -> Vec<Option<Type>> {
        let mut outputs = self.operator.sure_outputs();
        match outputs.first_mut() {
            Some(own) => *own = Some(first),
            None => outputs.push(Some(first)),
        }
        outputs.extend(vec![Some(Type::UNKNOWN); self.more]);
        outputs
    }

    /// The call with these attributes and inputs, if it gives the output whatever the names in it denote.
    fn forwards(
        &self,
        attrs: Vec<(Box<str>, AttrValue)>,
        inputs: Vec<Option<Type>>,
    ) -> Option<Found> {
        let given = self.given.iter().zip(&inputs);
        // An input that is known is not learned more of.
        if given.clone().any(|((operand, ty), now)| {
            !matches!(operand, Operand::Further(_))
                && now
                    .as_ref()
                    .is_none_or(|now| ty != now && order::same(ty, now) != Verdict::Always)
        }) {
            return None;
        }
        // One that is none without being given: with a default, it is none only if that is said.
        let is_default = |name: &str, value: &AttrValue| {
            let attribute = self.operator.attribute(name);
            let default = attribute.ok().and_then(|own| own.default);
            default.unwrap_or(&AttrValue::Absent) == value
        };
        let attrs: Vec<(Box<str>, AttrValue)> = attrs
            .into_iter()
            .filter(|(name, value)| !is_default(name, value))
            .collect();
        if self.may_be_refused(&attrs, &inputs) {
            return None;
        }
        let output = self.outputs_of(&attrs, inputs.clone())?;
        let does = self.output.is_none_or(|wanted| {
            wanted.is_unknown() || order::is_super(wanted, &output) == Verdict::Always
        });
        if !does {
            return None;
        }
        let operands = inputs.into_iter().enumerate().map(|(i, ty)| {
            let ty = ty?;
            Some(match self.given.get(i) {
                None | Some((Operand::Further(_), _)) => Operand::Further(ty),
                Some((operand, _)) => operand.clone(),
            })
        });
        let inputs = operands.collect();
        let mut found = Found {
            op: self.operator.full_name(),
            attrs,
            inputs,
            output,
        };
        self.name_dtypes(&mut found);
        Some(found)
    }

    /// Does a `Reshape` have a -1 beside a 0 that may copy a size of 0? Executors refuse it.
    fn may_be_refused(&self, attrs: &[(Box<str>, AttrValue)], inputs: &[Option<Type>]) -> bool {
        let ([Some(data), Some(shape)], false) = (inputs, !attrs.is_empty()) else {
            return false;
        };
        let copied = match reshape::is_reshape(self.operator) {
            true => reshape::copied(data, shape),
            false => Vec::new(),
        };
        copied.iter().any(|dim| dim.size().is_none_or(|n| n == 0))
    }

    /// What the call gives, if that is known and holds whatever the names denote.
    fn outputs_of(
        &self,
        attrs: &[(Box<str>, AttrValue)],
        inputs: Vec<Option<Type>>,
    ) -> Option<Type> {
        let outputs = self.outputs(Type::UNKNOWN);
        let call = Call {
            inputs,
            outputs: Some(outputs),
            attrs: attrs.to_vec(),
            ..Call::default()
        };
        let places = self.operator.places(&call).outputs;
        let query = self.operator.query(call).ok()?;
        let mut answers = query.budget(STEPS_OF_OPERATOR).solve().ok()?;
        let answer = answers.next()?;
        if !answer.conditions.is_empty() || answers.next().is_some() || !answers.complete() {
            return None;
        }
        Some(answer.outputs.get((*places.first()?)?)?.clone())
    }

    /// Writes the dtype of the output as a word where an attribute has its number: `to = i64` for `to = 7`.
    fn name_dtypes(&self, found: &mut Found) {
        let Some(dtype) = found.output.as_tensor().map(|t| t.dtype.to_string()) else {
            return;
        };
        for place in 0..found.attrs.len() {
            let (name, value) = &found.attrs[place];
            let is_number = matches!(value, AttrValue::Int(_) | AttrValue::Dim(Dim::Size(_)));
            if !is_number || !(&**name == "to" || name.ends_with("dtype")) {
                continue;
            }
            let mut attrs = found.attrs.clone();
            attrs[place].1 = AttrValue::Text(dtype.as_str().into());
            let inputs = found.inputs.iter();
            let inputs = inputs.map(|own| own.as_ref().map(|own| own.ty().clone()));
            if self.outputs_of(&attrs, inputs.collect()).as_ref() == Some(&found.output) {
                found.attrs = attrs;
            }
        }
    }
}

/// Is all that is in a tensor known? It is written as an attribute would be.
fn is_constant(ty: &Type) -> bool {
    let is_known = |own: &Content| !matches!(own, Content::Hole);
    ty.contents().is_some_and(|own| own.iter().all(is_known))
}

/// Has a condition names, and are all of them among these?
fn speaks_of_all(condition: &Condition, names: &BTreeSet<Box<str>>) -> bool {
    let (mut any, mut all) = (false, true);
    let one: Conditions = std::iter::once(condition.clone()).collect();
    one.for_each_name(&mut |name| {
        any = true;
        all &= names.contains(name);
    });
    any && all
}

/// Is nothing of a value open?
fn is_known(value: &AttrValue) -> bool {
    match value {
        AttrValue::Hole | AttrValue::Unknown => false,
        AttrValue::Dim(dim) => matches!(dim, Dim::Size(_)),
        AttrValue::Type(_) => false,
        AttrValue::List(members) => members.iter().all(is_known),
        _ => true,
    }
}

impl Found {
    fn has_further(&self) -> bool {
        self.inputs.iter().flatten().any(|operand| match operand {
            Operand::Given(..) => false,
            Operand::Further(_) => true,
            Operand::Made(made) => made.has_further(),
        })
    }

    /// Takes it the inputs of the question alone, each in its place?
    fn is_plain(&self) -> bool {
        let mut inputs = self.inputs.iter().enumerate();
        inputs.all(|(i, own)| matches!(own, Some(Operand::Given(place, _)) if *place == i))
    }
}

impl Found {
    /// Writes it with its operands, `x0` for the first input of the question, or without them.
    fn write(&self, f: &mut fmt::Formatter<'_>, with_operands: bool) -> fmt::Result {
        f.write_str(&self.op)?;
        for (i, (name, value)) in self.attrs.iter().enumerate() {
            let begin = if i == 0 { "[" } else { ", " };
            write!(f, "{begin}{name} = {value}")?;
        }
        if !self.attrs.is_empty() {
            f.write_str("]")?;
        }
        if !with_operands {
            return Ok(());
        }
        for (i, operand) in self.inputs.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            match operand {
                None => f.write_str("-")?,
                Some(Operand::Given(place, _)) => write!(f, "x{place}")?,
                Some(Operand::Further(ty)) => write!(f, "{ty}")?,
                Some(Operand::Made(made)) => made.write(f, true)?,
            }
        }
        f.write_str(")")
    }
}

impl fmt::Display for Found {
    /// `onnx::Transpose[perm = [1, 0]]`, with its operands where they are not the inputs of the question: `x0` is the
    /// first of these.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, !self.is_plain())
    }
}
