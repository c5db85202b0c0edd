//! [`bind`]: arguments as torch has them become operands and attributes. [`resolve`]: which overload takes them.

use crate::code;
use crate::schema::{FUNCTIONS, OPERATORS, Schema};
use crate::value::Value;
use kanshape::operator::Formal;
use kanshape::{
    AttrValue, Call, Diagnostic, Dim, Operator, Query, Relations, Type, Verdict, diag::suggest,
};

/// The call of an operator with these arguments, positional ones and named ones.
///
/// What is an operand of the operator becomes one: a number is a `Scalar` there, what is left out of a list of tensors is
/// an empty tuple. All else is an attribute of its name.
///
/// # Errors
/// A [`Diagnostic`] if there are more arguments than parameters, one that no parameter has, one given twice, one missing that
/// has no default, or one that is no value of its kind.
pub fn bind(
    operator: &Operator,
    schema: &Schema,
    args: Vec<Value>,
    kwargs: Vec<(Box<str>, Value)>,
) -> Result<Call, Diagnostic> {
    let given = given(operator, schema, args, kwargs)?;
    call(operator, schema, given)
}

/// The call with what is given of each parameter.
fn call(
    operator: &Operator,
    schema: &Schema,
    mut given: GivenArgument,
) -> Result<Call, Diagnostic> {
    let mut call = Call::default();
    for formal in operator.inputs() {
        let own = given.iter_mut().find(|(name, _)| *name == formal.name);
        let value = own.and_then(|(_, value)| value.take());
        operands(schema, &formal, value, &mut call.inputs)?;
    }
    while let Some(None) = call.inputs.last() {
        call.inputs.pop();
    }
    for (name, value) in given {
        let attribute = match value {
            Some(value) => {
                let attribute = operator.attribute(name)?;
                let kind = value.kind();
                let wrong = || wrong_kind(schema, name, kind, &attribute.kind());
                let of_floats = matches!(&*attribute.kind(), "a float" | "a list of floats");
                // A text is a value by itself, and not the name of a size.
                if matches!(value, Value::Text(_)) && !of_floats && attribute.kind() != "a text" {
                    return Err(wrong());
                }
                value.into_attribute(of_floats).ok_or_else(wrong)?
            }
            None => match operator.attributes().find(|a| a.name == name) {
                Some(a) if a.default.is_none() && !a.optional => return Err(missing(schema, name)),
                _ => continue,
            },
        };
        call.attrs.push((name.into(), attribute));
    }
    Ok(call)
}

/// The operator of this name that takes these arguments, and the call of it. A function - `torch.max`, `aten::max` - stands for
/// all overloads of its name, of which the first is meant that takes them: whose parameters they are, and whose rule they may fulfil. It is
/// called as torch's Python calls it: `input` is what an operator calls `self`, sizes may stand one by one, and a number is no tensor.
///
/// ```
/// use kanshape::catalog;
/// use kanshape_torch::{Value, resolve};
///
/// let x = Value::Tensor("f32[2, n]".parse()?);
/// let (max, call) = resolve(catalog(), "torch.max", vec![x, Value::Int(1)], vec![])?;
/// assert_eq!(max.query(call)?.solve()?.next().ok_or("it fits")?.outputs.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A [`Diagnostic`] if there is no operator of this name, or as [`bind`] says of the first overload.
pub fn resolve(
    relations: &Relations,
    name: &str,
    args: Vec<Value>,
    kwargs: Vec<(Box<str>, Value)>,
) -> Result<(Operator, Call), Diagnostic> {
    let operator = relations.operator(name, None)?;
    let own = Schema::of(name).filter(|_| operator.domain() == OPERATORS);
    if let Some(schema) = own {
        let call = bind(&operator, &schema, args, kwargs)?;
        return Ok((operator, call));
    }
    let forms = forms(&operator, name);
    let methods = forms.iter().filter_map(|schema| schema.as_method());
    let mut turns = [forms.clone(), methods.collect()];
    if is_method(name) {
        turns.reverse();
    }
    let mut found: Option<Fitting> = None;
    let mut wrong = None;
    for schemas in turns {
        for one_by_one in [false, true] {
            for schema in &schemas {
                let own = relations.operator(&schema.full_name(), None)?;
                let args = match one_by_one {
                    false => args.clone(),
                    true => match listed(&own, schema, &args) {
                        Some(args) => args,
                        None => continue,
                    },
                };
                match bind_function(&own, schema, args, kwargs.clone()) {
                    Ok(call) => {
                        let next = Fitting::of(own, call);
                        found = Some(match found {
                            Some(first) if first.fit <= next.fit => first,
                            _ => next,
                        });
                    }
                    Err(why) => drop(wrong.get_or_insert(why)),
                }
            }
            // What it refuses for its sizes is refused, however else it could be read.
            if let Some(fitting) = found.take_if(|found| found.fit < Fit::NoKind) {
                return Ok((fitting.operator, fitting.call));
            }
        }
    }
    match (found, wrong) {
        (Some(fitting), _) => Ok((fitting.operator, fitting.call)),
        (None, Some(wrong)) => Err(wrong),
        (None, None) => Err(Diagnostic::new(
            code::ARGUMENTS,
            format!("`{name}` is no operator of torch"),
        )),
    }
}

/// The operators that a function of torch may call: all overloads of the name under which it was found, in their order.
/// None, where the name is that of one operator, or of no function of torch.
pub fn overloads(relations: &Relations, name: &str, operator: &Operator) -> Vec<Operator> {
    let is_exact = operator.domain() == OPERATORS && Schema::of(name).is_some();
    if is_exact || ![OPERATORS, FUNCTIONS].contains(&operator.domain()) {
        return Vec::new();
    }
    all_overloads(relations, name, operator)
}

/// The same, where the name is that of one operator as well: `aten::conv2d` is the first overload of its name.
pub fn all_overloads(relations: &Relations, name: &str, operator: &Operator) -> Vec<Operator> {
    let forms = forms(operator, name);
    let found = forms
        .iter()
        .filter_map(|schema| relations.operator(&schema.full_name(), None).ok());
    found.collect()
}

/// How many of these attributes are a word that the operator takes for the name of a size: another overload may take it for a text.
pub fn words_for_sizes(operator: &Operator, attrs: &[(Box<str>, AttrValue)]) -> usize {
    let is_name = |(name, value): &&(Box<str>, AttrValue)| match value {
        AttrValue::Dim(Dim::Name(_)) => true,
        AttrValue::Text(_) => operator.attribute(name).is_ok_and(|own| !own.is_text()),
        _ => false,
    };
    attrs.iter().filter(is_name).count()
}

/// May a query hold, as far as some steps say it?
pub fn may_hold(query: Result<Query, Diagnostic>) -> bool {
    let answers = query.and_then(|query| query.budget(STEPS).limit(1).solve());
    answers.is_ok_and(|mut answers| answers.verdict() != Verdict::Never)
}

/// A call that a function may be, and how it fits.
struct Fitting {
    operator: Operator,
    call: Call,
    fit: Fit,
}

/// How a call fits an operator, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It may hold.
    May,
    /// It can't hold.
    Never,
    /// Arguments are not of the kinds that it has.
    NoKind,
}

/// The steps after which a call counts as one that may hold.
const STEPS: u64 = 20_000;

impl Fitting {
    fn of(operator: Operator, call: Call) -> Fitting {
        let query = operator.query(call.clone());
        let fit = match query.and_then(|query| query.budget(STEPS).limit(1).solve()) {
            Err(_) => Fit::NoKind,
            Ok(mut answers) => match answers.verdict() {
                Verdict::Never => Fit::Never,
                _ => Fit::May,
            },
        };
        Fitting {
            operator,
            call,
            fit,
        }
    }
}

/// Is a function named as a method of tensors?
fn is_method(name: &str) -> bool {
    name.starts_with("Tensor.") || name.starts_with("torch.Tensor.")
}

/// The overloads that a function stands for, of which this operator is one.
fn forms(operator: &Operator, name: &str) -> Vec<Schema> {
    let plain = name.strip_suffix(".default").unwrap_or(name);
    let plain = plain.replace("::", "_").replace('.', "_");
    let is_meant = |packet: &str| {
        let packet = packet.replace('.', "_");
        let before = plain.strip_suffix(&*packet);
        before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    let names = [operator.name()].into_iter().chain(operator.aliases());
    let packets = names.map(|own| match operator.domain() {
        // What follows a dot is the overload.
        OPERATORS => own.split_once('.').map_or(own, |(packet, _)| packet),
        _ => own,
    });
    let packet = packets
        .filter(|packet| is_meant(packet))
        .max_by_key(|packet| packet.len());
    packet.map_or_else(Vec::new, |packet| Schema::forms(operator.domain(), packet))
}

/// The call of a function, as torch's Python calls it.
fn bind_function(
    operator: &Operator,
    schema: &Schema,
    args: Vec<Value>,
    mut kwargs: Vec<(Box<str>, Value)>,
) -> Result<Call, Diagnostic> {
    kwargs.retain(|(name, value)| !says_nothing(schema, name, value));
    for (name, _) in &mut kwargs {
        *name = called(schema, name).into();
    }
    let given = given(operator, schema, args, kwargs)?;
    for parameter in schema.parameters().filter(|p| !p.number) {
        let operand = operator.inputs().find(|f| f.name == parameter.name);
        let value = given.iter().find(|(name, _)| *name == parameter.name);
        if operand.is_some()
            && let Some((_, Some(value))) = value
            && value.is_number()
        {
            return Err(wrong_kind(schema, parameter.name, value.kind(), "a tensor"));
        }
    }
    call(operator, schema, given)
}

/// What no type turns on, and is no parameter of operators: whether gradients are wanted, and a result that is not given.
fn says_nothing(schema: &Schema, name: &str, value: &Value) -> bool {
    let is_free = !schema.parameters().any(|p| p.name == name);
    is_free
        && match name {
            "requires_grad" => matches!(value, Value::Bool(_)),
            "out" => *value == Value::None,
            _ => false,
        }
}

/// The arguments with sizes that stand one by one as a list, where it is the only parameter besides the tensor of a method.
fn listed(operator: &Operator, schema: &Schema, args: &[Value]) -> Option<Vec<Value>> {
    let positional: Vec<_> = schema.parameters().filter(|p| !p.keyword_only).collect();
    let before = usize::from(positional.first().is_some_and(|p| p.name == "self"));
    let [only] = positional[before..] else {
        return None;
    };
    let attribute = operator.attribute(only.name).ok()?;
    let (front, sizes) = args.split_at_checked(before)?;
    let is_size = |value: &Value| matches!(value, Value::Int(_) | Value::Size(_));
    let fits = attribute.kind() == "a list of numbers" && !sizes.is_empty();
    (fits && sizes.iter().all(is_size)).then(|| {
        let sizes = Value::List(sizes.to_vec());
        front.iter().cloned().chain([sizes]).collect()
    })
}

/// What a parameter is called in the operator that a function calls `input`.
fn called<'n>(schema: &Schema, name: &'n str) -> &'n str {
    let has = |own: &str| schema.parameters().any(|p| p.name == own);
    match name == "input" && !has(name) && has("self") {
        true => "self",
        false => name,
    }
}

/// What is given of each parameter.
type GivenArgument = Vec<(&'static str, Option<Value>)>;

/// Each parameter with what is given of it.
fn given(
    operator: &Operator,
    schema: &Schema,
    mut args: Vec<Value>,
    kwargs: Vec<(Box<str>, Value)>,
) -> Result<GivenArgument, Diagnostic> {
    let parameters: Vec<_> = schema.parameters().collect();
    let mut given: GivenArgument = parameters.iter().map(|p| (p.name, None)).collect();
    if let Some(place) = parameters.iter().position(|p| p.variadic)
        && args.len() > place
    {
        let rest = args.split_off(place);
        let is_operand = operator.inputs().any(|f| f.name == parameters[place].name);
        args.push(match <[Value; 1]>::try_from(rest) {
            // A list of tensors is them.
            Ok([Value::List(members)]) if is_operand => Value::List(members),
            Ok([one]) => Value::List(vec![one]),
            Err(rest) => Value::List(rest),
        });
    }
    let positional = parameters.iter().filter(|p| !p.keyword_only).count();
    if args.len() > positional {
        return Err(too_many(schema, positional, args.len()));
    }
    for (place, value) in given.iter_mut().zip(args) {
        place.1 = Some(value);
    }
    for (name, value) in kwargs {
        match given.iter_mut().find(|(own, _)| **own == *name) {
            None => return Err(no_parameter(schema, &name)),
            Some((_, Some(_))) => return Err(twice(schema, &name)),
            Some((_, place)) => *place = Some(value),
        }
    }
    Ok(given)
}

/// Adds what an operand is.
fn operands(
    schema: &Schema,
    formal: &Formal<'_>,
    value: Option<Value>,
    inputs: &mut Vec<Option<Type>>,
) -> Result<(), Diagnostic> {
    let wrong = |kind, wanted| wrong_kind(schema, formal.name, kind, wanted);
    match (value, formal.variadic) {
        (None | Some(Value::None), true) => {}
        (Some(Value::List(members)), true) => {
            for member in members {
                let kind = member.kind();
                let member = member
                    .into_member()
                    .ok_or_else(|| wrong(kind, "a tensor"))?;
                inputs.push(Some(member));
            }
        }
        (Some(value), true) => return Err(wrong(value.kind(), "a list of tensors")),
        (None, false) if !formal.optional => {
            return Err(missing(schema, formal.name));
        }
        (None, false) => inputs.push(None),
        (Some(value), false) => {
            let kind = value.kind();
            let operand = value
                .into_operand()
                .ok_or_else(|| wrong(kind, "a tensor or a number"))?;
            if operand.is_none() && !formal.optional {
                return Err(wrong(kind, "a tensor"));
            }
            inputs.push(operand);
        }
    }
    Ok(())
}

fn too_many(schema: &Schema, most: usize, count: usize) -> Diagnostic {
    let headline = format!(
        "`{}` has {most} positional arguments at most, and {count} are given",
        schema.full_name()
    );
    Diagnostic::new(code::ARGUMENTS, headline).with_help(parameters(schema))
}

fn no_parameter(schema: &Schema, name: &str) -> Diagnostic {
    let headline = format!("`{}` has no argument `{name}`", schema.full_name());
    let d = Diagnostic::new(code::ARGUMENTS, headline);
    match suggest(name, schema.parameters().map(|p| p.name)) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(parameters(schema)),
    }
}

fn twice(schema: &Schema, name: &str) -> Diagnostic {
    let headline = format!(
        "`{}` is given its argument `{name}` twice",
        schema.full_name()
    );
    Diagnostic::new(code::ARGUMENTS, headline)
}

fn missing(schema: &Schema, name: &str) -> Diagnostic {
    let headline = format!("`{}` needs its argument `{name}`", schema.full_name());
    Diagnostic::new(code::ARGUMENTS, headline).with_help(parameters(schema))
}

fn wrong_kind(schema: &Schema, name: &str, kind: &str, wanted: &str) -> Diagnostic {
    let headline = format!(
        "the argument `{name}` of `{}` is {kind}",
        schema.full_name()
    );
    Diagnostic::new(code::NO_ARGUMENT, headline).with_help(format!("it has to be {wanted}"))
}

/// All parameters in a line.
fn parameters(schema: &Schema) -> String {
    let names: Vec<_> = schema
        .parameters()
        .map(|p| format!("`{}`", p.name))
        .collect();
    match names.is_empty() {
        true => "it has no arguments".into(),
        false => format!("its arguments are {}", names.join(", ")),
    }
}
