//! [`Find`]: which operators make a type of others?
//!
//! Each operator is queried with the inputs and the output, its attributes open. Each answer is calculated forwards
//! before it counts: the output has to be of the type that is wanted, whatever the names in it denote.

use std::collections::BTreeMap;
use std::fmt;

use kanshape::{
    AttrValue, Call, Content, Contents, Control, Dim, Dtype, Operator, Query, Relations, Tensor,
    Type, Verdict, order, unstable::engine::is_over,
};

/// The steps of one operator.
const STEPS_OF_OPERATOR: u64 = 20_000;
/// The answers of one operator that are examined.
const MOST_ANSWERS: usize = 48;
/// The calls of one operator that are returned.
const MOST_WAYS: usize = 3;
/// The most integers in contents that are solved for.
const LONGEST: usize = 8;
/// The names of integers that are solved for begin so.
const OPEN: &str = "find_";
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
    /// Its inputs; none is one that is left out.
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
    /// The calls, the simplest first.
    pub found: Vec<Found>,
    /// The operators that were too much to search as a whole.
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
        // What needs no further operand is simpler, then what has fewer steps and attributes.
        finding.found.sort_by_key(Found::weight);
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
        all.sort_by_key(|own| (own.inputs().count(), own.attributes().count()));
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
    let mut left = STEPS_OF_OPERATOR;
    let mut found = Vec::new();
    let mut is_cut_off = false;
    let has_attributes = operator.attributes().next().is_some();
    for count in if most > least {
        vec![least, most]
    } else {
        vec![least]
    } {
        for is_open in [false, true] {
            let is_found = !found.is_empty() && output.is_some();
            if is_found || is_open && !has_attributes {
                continue;
            }
            let ask = Ask {
                operator,
                given,
                output,
                count,
                is_open,
            };
            is_cut_off |= Control::default().go_on(&mut left, || ask.run(&mut found));
        }
    }
    (found, is_cut_off || left == 0)
}

/// A question about one operator.
struct Ask<'a> {
    operator: &'a Operator,
    given: &'a [(Operand, Type)],
    output: Option<&'a Type>,
    /// The number of its inputs.
    count: usize,
    /// Its attributes are open.
    is_open: bool,
}

impl Ask<'_> {
    /// Adds what it answers. True if there may be more.
    fn run(&self, found: &mut Vec<Found>) -> bool {
        let call = self.call();
        let places = self.operator.places(&call);
        let Ok(query) = self.operator.query(call) else {
            return false;
        };
        let query: Query = query.limit(MOST_ANSWERS).budget(STEPS_OF_OPERATOR);
        let Ok(mut answers) = query.solve() else {
            return false;
        };
        let before = found.len();
        for answer in answers.by_ref() {
            // What holds only under a condition on the names is no way to make the type.
            if !answer.conditions.is_empty() {
                continue;
            }
            let inputs: Option<Vec<Type>> = places
                .inputs
                .iter()
                .map(|place| answer.inputs.get((*place)?).cloned())
                .collect();
            let Some(inputs) = inputs else {
                continue;
            };
            let own = answer.attrs.iter().filter(|(_, value)| is_known(value));
            let mut attrs: Vec<(Box<str>, AttrValue)> = own
                .map(|(name, value)| (name.as_str().into(), value.clone()))
                .collect();
            let params = answer.params.iter();
            attrs.extend(params.filter_map(|(name, dim)| match dim {
                Dim::Size(_) if self.is_open => {
                    Some((name.as_str().into(), AttrValue::Dim(dim.clone())))
                }
                _ => None,
            }));
            let one = self.forwards(attrs.clone(), inputs.clone());
            let Some(one) = one.or_else(|| {
                let inputs = self.with_contents(&attrs, inputs)?;
                self.forwards(attrs, inputs)
            }) else {
                continue;
            };
            if !found.contains(&one) {
                found.push(one);
            }
            if found.len() - before >= MOST_WAYS && self.output.is_some() {
                return false;
            }
        }
        answers.out_of_budget()
    }

    fn call(&self) -> Call {
        let mut inputs: Vec<Option<Type>> = self.given.iter().map(|g| Some(g.1.clone())).collect();
        inputs.resize(self.count, Some(Type::UNKNOWN));
        let outputs = self.outputs(self.output.cloned().unwrap_or(Type::UNKNOWN));
        let attrs = self.operator.attributes().filter_map(|attribute| {
            if attribute.is_type() {
                return None;
            }
            let has_default = attribute.optional || attribute.default.is_some();
            match (self.is_open, has_default) {
                (true, true) => Some((attribute.name.into(), AttrValue::Unknown)),
                (_, false) => Some((attribute.name.into(), AttrValue::Hole)),
                (false, true) => None,
            }
        });
        Call {
            inputs,
            outputs: Some(outputs),
            attrs: attrs.collect(),
            ..Call::default()
        }
    }

    /// The outputs of a call, the first of which is of this type.
    fn outputs(&self, first: Type) -> Vec<Option<Type>> {
        let mut outputs = self.operator.sure_outputs();
        match outputs.first_mut() {
            Some(own) => *own = Some(first),
            None => outputs.push(Some(first)),
        }
        outputs
    }

    /// The inputs with contents for the further ones, as the output determines them: the sizes that `Reshape` takes.
    fn with_contents(
        &self,
        attrs: &[(Box<str>, AttrValue)],
        inputs: Vec<Type>,
    ) -> Option<Vec<Type>> {
        let mut count = 0;
        let mut open: Vec<usize> = Vec::new();
        let mut queried = inputs.clone();
        for (i, ty) in queried.iter_mut().enumerate() {
            let is_further = matches!(self.given.get(i), None | Some((Operand::Further(_), _)));
            let Some(tensor) = ty.as_tensor().filter(|_| is_further) else {
                continue;
            };
            let len = match tensor.shape.rank() {
                Some(0) => 1,
                Some(1) => usize::try_from(tensor.shape.iter().next()?.size()?).ok()?,
                _ => continue,
            };
            let ints: Type = Tensor::new(Dtype::I64, tensor.shape.clone()).into();
            if tensor.contents.is_some() || len > LONGEST || order::meet(ty, &ints).is_err() {
                continue;
            }
            let names = (count..count + len).map(|i| Content::Name(format!("{OPEN}{i}").into()));
            let contents = Contents::new(names);
            count += len;
            open.push(i);
            *ty = Tensor::new(Dtype::I64, tensor.shape.clone())
                .with_contents(contents)
                .into();
        }
        if open.is_empty() {
            return None;
        }
        let outputs = self.outputs(self.output.cloned()?);
        let call = Call {
            inputs: queried.into_iter().map(Some).collect(),
            outputs: Some(outputs),
            attrs: attrs.to_vec(),
            ..Call::default()
        };
        let places = self.operator.places(&call).inputs;
        let query = self.operator.query(call).ok()?.budget(STEPS_OF_OPERATOR);
        let answer = query.solve().ok()?.next()?;
        let mut inputs = inputs;
        for i in open {
            let found = answer.inputs.get((*places.get(i)?)?)?;
            let tensor = found.as_tensor()?;
            let members = tensor.contents.as_ref()?;
            let is_open = |member: &Content| {
                let mut is = matches!(member, Content::Hole);
                member.for_each_name(&mut |name| is |= name.starts_with(OPEN));
                is
            };
            inputs[i] = match members.iter().any(is_open) {
                false => found.clone(),
                // Several would do: the sizes that are wanted are tried.
                true => {
                    let wanted = self.output?.as_tensor()?;
                    let sizes = wanted.shape.iter().map(|dim| match dim {
                        Dim::Size(n) => i64::try_from(*n).ok().map(Content::Int),
                        Dim::Name(name) => Some(Content::Name(name.clone())),
                        _ => None,
                    });
                    let sizes = sizes.collect::<Option<Vec<Content>>>()?;
                    if wanted.shape.rank()? != members.len() {
                        return None;
                    }
                    let ty = Tensor::new(Dtype::I64, tensor.shape.clone());
                    ty.with_contents(Contents::new(sizes)).into()
                }
            };
        }
        Some(inputs)
    }

    /// The call with these attributes and inputs, if it gives the output whatever the names in it denote.
    fn forwards(&self, attrs: Vec<(Box<str>, AttrValue)>, inputs: Vec<Type>) -> Option<Found> {
        let given = self.given.iter().zip(&inputs);
        // An input that is known is not learned more of.
        if given.clone().any(|((operand, ty), now)| {
            !matches!(operand, Operand::Further(_))
                && ty != now
                && order::same(ty, now) != Verdict::Always
        }) {
            return None;
        }
        let default = |name: &str| {
            let attribute = self.operator.attribute(name).ok()?;
            attribute.default.cloned()
        };
        let attrs: Vec<(Box<str>, AttrValue)> = attrs
            .into_iter()
            .filter(|(name, value)| default(name).as_ref() != Some(value))
            .collect();
        let outputs = self.outputs(Type::UNKNOWN);
        let call = Call {
            inputs: inputs.iter().cloned().map(Some).collect(),
            outputs: Some(outputs),
            attrs: attrs.clone(),
            ..Call::default()
        };
        let places = self.operator.places(&call).outputs;
        let query = self.operator.query(call).ok()?;
        let mut answers = query.budget(STEPS_OF_OPERATOR).solve().ok()?;
        let answer = answers.next()?;
        if !answer.conditions.is_empty() || answers.next().is_some() || !answers.complete() {
            return None;
        }
        let output = answer.outputs.get((*places.first()?)?)?.clone();
        let does = self.output.is_none_or(|wanted| {
            wanted.is_unknown() || order::is_super(wanted, &output) == Verdict::Always
        });
        if !does {
            return None;
        }
        let operands = inputs.into_iter().enumerate().map(|(i, ty)| {
            Some(match self.given.get(i) {
                None | Some((Operand::Further(_), _)) => Operand::Further(ty),
                Some((operand, _)) => operand.clone(),
            })
        });
        Some(Found {
            op: self.operator.full_name(),
            attrs,
            inputs: operands.collect(),
            output,
        })
    }
}

/// Is nothing of a value open?
fn is_known(value: &AttrValue) -> bool {
    match value {
        AttrValue::Hole | AttrValue::Absent | AttrValue::Unknown => false,
        AttrValue::Dim(dim) => matches!(dim, Dim::Size(_)),
        AttrValue::Type(_) => false,
        AttrValue::List(members) => members.iter().all(is_known),
        _ => true,
    }
}

impl Found {
    /// The operators of it, the further operands and the attributes.
    fn weight(&self) -> (usize, usize, usize) {
        let mut weight = (1, 0, self.attrs.len());
        for operand in self.inputs.iter().flatten() {
            match operand {
                Operand::Given(..) => {}
                Operand::Further(_) => weight.1 += 1,
                Operand::Made(made) => {
                    let own = made.weight();
                    weight = (weight.0 + own.0, weight.1 + own.1, weight.2 + own.2);
                }
            }
        }
        weight
    }

    fn has_further(&self) -> bool {
        self.weight().1 > 0
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
