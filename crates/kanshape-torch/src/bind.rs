//! [`bind`]: arguments as torch has them become operands and attributes. [`resolve`]: which overload takes them.

use crate::code;
use crate::schema::Schema;
use crate::value::Value;
use kanshape::operator::Formal;
use kanshape::{Call, Diagnostic, Operator, Relations, Type, diag::suggest};

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
    let mut given = given(schema, args, kwargs)?;
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
/// all overloads of its name, of which the first that takes them is meant.
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
    if let Some(schema) = Schema::of(name) {
        let call = bind(&operator, &schema, args, kwargs)?;
        return Ok((operator, call));
    }
    let mut wrong = None;
    for schema in overloads(&operator, name) {
        let own = relations.operator(&schema.full_name(), None)?;
        let kwargs = kwargs
            .iter()
            .map(|(name, value)| (called(&schema, name).into(), value.clone()));
        match bind(&own, &schema, args.clone(), kwargs.collect()) {
            Ok(call) => return Ok((own, call)),
            Err(why) => drop(wrong.get_or_insert(why)),
        }
    }
    let none = || Diagnostic::new(code::ARGUMENTS, format!("`{name}` is no operator of torch"));
    Err(wrong.unwrap_or_else(none))
}

/// The overloads that a function stands for, of which this operator is one.
fn overloads(operator: &Operator, name: &str) -> Vec<Schema> {
    let plain = name.strip_suffix(".default").unwrap_or(name);
    let plain = plain.replace("::", "_").replace('.', "_");
    let is_meant = |packet: &str| {
        let before = plain.strip_suffix(packet);
        before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    let names = [operator.name()].into_iter().chain(operator.aliases());
    let packets = names.map(|own| own.split_once('.').map_or(own, |(packet, _)| packet));
    let packet = packets
        .filter(|packet| is_meant(packet))
        .max_by_key(|packet| packet.len());
    match packet {
        Some(packet) => Schema::all()
            .filter(|schema| schema.packet() == packet)
            .collect(),
        None => Vec::new(),
    }
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
type Given = Vec<(&'static str, Option<Value>)>;

/// Each parameter with what is given of it.
fn given(
    schema: &Schema,
    args: Vec<Value>,
    kwargs: Vec<(Box<str>, Value)>,
) -> Result<Given, Diagnostic> {
    let parameters: Vec<_> = schema.parameters().collect();
    let mut given: Given = parameters.iter().map(|p| (p.name, None)).collect();
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
