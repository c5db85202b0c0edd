//! What the catalog declares of an operator is what torch declares: each parameter is an operand or an attribute, with torch's default.

use kanshape::{AttrValue, Operator, catalog};
use kanshape_torch::Schema;
use serde_json::Value;

const SCHEMAS: &str = include_str!("../data/torch/aten_schemas.jsonl");

/// The parameters whose default is not torch's, and why.
const OTHER_DEFAULTS: [(&str, &str, &str); 1] = [(
    "aten::contiguous",
    "memory_format",
    "one rule with `clone`, of which it may be left out: it decides no type",
)];

fn schemas() -> impl Iterator<Item = Value> {
    SCHEMAS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

fn name(schema: &Value) -> &str {
    schema["op"].as_str().unwrap()
}

#[test]
fn every_overload_is_an_operator() {
    let missing: Vec<String> = schemas()
        .filter(|schema| catalog().operator(name(schema), None).is_err())
        .map(|schema| name(&schema).to_owned())
        .collect();
    assert_eq!(missing, [""; 0]);
    assert_eq!(schemas().count(), 728);
}

#[test]
fn every_operator_is_an_overload() {
    let names = ["aten", "torch"].into_iter().flat_map(|domain| {
        let own = catalog().operators_of(domain);
        own.flat_map(move |op| {
            let names = [op.name()].into_iter().chain(op.aliases());
            names
                .map(|name| format!("{domain}::{name}"))
                .collect::<Vec<_>>()
        })
    });
    let unknown: Vec<String> = names.filter(|name| Schema::of(name).is_none()).collect();
    assert_eq!(unknown, [""; 0]);
}

/// A function has the parameters that its operator declares, and no others.
#[test]
fn every_function_is_an_operator_with_its_parameters() {
    for schema in Schema::functions() {
        let operator = catalog().operator(&schema.full_name(), None).unwrap();
        let mut declared: Vec<&str> = operator
            .inputs()
            .map(|input| input.name)
            .chain(operator.attributes().map(|attribute| attribute.name))
            .collect();
        let mut own: Vec<&str> = schema.parameters().map(|p| p.name).collect();
        declared.sort_unstable();
        own.sort_unstable();
        assert_eq!(own, declared, "{}", schema.full_name());
    }
}

#[test]
fn the_table_has_the_parameters_in_their_order() {
    // It has overloads beside that functions stand on.
    assert!(Schema::all().count() >= 728);
    for schema in schemas() {
        let own = Schema::of(name(&schema)).unwrap();
        let args = schema["args"].as_array().unwrap().iter();
        let wanted: Vec<(&str, bool)> = args
            .map(|arg| {
                (
                    arg["name"].as_str().unwrap(),
                    arg.get("keyword_only").is_some(),
                )
            })
            .collect();
        let found: Vec<_> = own.parameters().map(|p| (p.name, p.keyword_only)).collect();
        assert_eq!(found, wanted, "{}", name(&schema));
        let returns = schema["returns"].as_array().unwrap().iter();
        let wanted: Vec<String> = returns
            .map(|r| r.as_str().unwrap().replace("List[Tensor]", "Tensor[]"))
            .collect();
        assert_eq!(
            own.results().collect::<Vec<_>>(),
            wanted,
            "{}",
            name(&schema)
        );
    }
}

#[test]
fn each_parameter_is_declared_with_its_default() {
    let mut wrong = Vec::new();
    for schema in schemas() {
        let operator = catalog().operator(name(&schema), None).unwrap();
        for arg in schema["args"].as_array().unwrap() {
            if let Some(why) = mistake(&operator, arg) {
                wrong.push(format!("{} {}: {why}", name(&schema), arg["name"]));
            }
        }
    }
    let listed = OTHER_DEFAULTS.map(|(op, name, _)| format!("{op} {name:?}: has no default"));
    assert_eq!(wrong, listed);
}

/// What is wrong with how a parameter is declared.
fn mistake(operator: &Operator, arg: &Value) -> Option<String> {
    let (name, kind) = (arg["name"].as_str().unwrap(), arg["type"].as_str().unwrap());
    if let Some(input) = operator.inputs().find(|input| input.name == name) {
        let is_list = matches!(kind, "List[Tensor]" | "List[Optional[Tensor]]");
        // One rule has the operands of several overloads: those that another one has not are optional.
        let may_be_none = kind.starts_with("Optional") && !input.optional;
        let no_operand = !kind.contains("Tensor") && !kind.contains("number");
        return match (is_list == input.variadic, may_be_none, no_operand) {
            (true, false, false) => None,
            _ => Some(format!("is the operand {input:?}")),
        };
    }
    let Some(attribute) = operator.attributes().find(|a| a.name == name) else {
        return Some("is not declared".into());
    };
    if kind.contains("Tensor") {
        return Some("is an attribute".into());
    }
    let default = attribute.default;
    match (arg.get("default"), default) {
        // What is left out has no default of its own, but for the value that means it.
        (Some(Value::Null), None) => (!attribute.optional).then(|| "has to be given".into()),
        (Some(Value::Null), Some(own)) => Some(format!("is {own} where it is left out")),
        (None, _) => None,
        (Some(wanted), Some(own)) => (!is_same(wanted, own)).then(|| format!("{wanted} is {own}")),
        (Some(_), None) => Some("has no default".into()),
    }
}

/// Is a default the one that torch has? Torch has numbers for dtypes and formats, of which 4 is i64 and 0 is contiguous.
fn is_same(wanted: &Value, own: &AttrValue) -> bool {
    match (wanted, own) {
        (Value::Number(n), AttrValue::Float(x)) => n.as_f64() == Some(x.get()),
        (Value::Number(n), AttrValue::Int(own)) => n.as_i64() == Some(*own),
        (Value::Number(n), AttrValue::Dtype(dtype)) => {
            n.as_i64() == Some(4) && dtype.name() == "i64"
        }
        (Value::Number(n), AttrValue::Text(text)) => {
            n.as_i64() == Some(0) && text.contains("contiguous")
        }
        (Value::Bool(truth), AttrValue::Bool(own)) => truth == own,
        (Value::String(text), AttrValue::Text(own)) => text.as_str() == &**own,
        (Value::Array(members), AttrValue::List(own)) => {
            members.len() == own.len()
                && members
                    .iter()
                    .zip(own)
                    .all(|(wanted, own)| is_same(wanted, own))
        }
        _ => false,
    }
}
