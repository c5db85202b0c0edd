//! `kanshape parse`: how a signature is read.

use std::fmt::Write as _;
use std::io::Write;

use kanshape::Signature;
use kanshape::tree::{self, DimItem, Item, Operand, Pattern, PrefixKind, Type};
use serde_json::{Value, json};

use crate::args::ParseArgs;
use crate::exit::{Exit, Failure};
use crate::names::{NameUses, labelled, names};
use crate::screen::Screen;
use kanshape_batch::loaded::Loaded;

pub(crate) fn run(args: &ParseArgs, screen: &Screen) -> Result<Exit, Failure> {
    let signature = Loaded::default().signature(&args.signature)?;
    let mut out = screen.out();
    if args.json {
        writeln!(out, "{}", as_json(&signature))?;
    } else {
        writeln!(out, "{}\n", screen.bold(&signature))?;
        out.write_all(as_text(signature.tree()).as_bytes())?;
    }
    out.flush()?;
    Ok(Exit::Solved)
}

/// The operands, the names and the conditions, in columns.
pub(crate) fn as_text(tree: &tree::Signature) -> String {
    let mut text = String::new();
    if let Some(prefix) = &tree.prefix {
        let kind = match prefix.kind {
            PrefixKind::Broadcast => "Dims before these broadcast",
            PrefixKind::Equal => "Dims before these are equal in all operands",
        };
        let most = prefix
            .max
            .map(|n| format!(", and are at most {n}"))
            .unwrap_or_default();
        let _ = writeln!(text, "{kind}{most}.\n");
    }
    let operands: Vec<[String; 3]> = labelled(tree)
        .map(|(label, operand)| [label, operand.to_string(), about(operand)])
        .collect();
    columns(&mut text, &operands);
    for relation in &tree.relations {
        let _ = writeln!(text, "\n{relation}");
    }
    let names: Vec<[String; 3]> = names(tree).iter().map(row).collect();
    if !names.is_empty() {
        text.push('\n');
        columns(&mut text, &names);
    }
    if !tree.conditions.is_empty() {
        text.push('\n');
        for condition in &tree.conditions {
            let _ = writeln!(text, "where {condition}");
        }
    }
    // In the short form a type says its dtype itself.
    let has_dtype = |o: &Operand| match o.pattern {
        Pattern::Type(_) => tree.variables.is_empty(),
        Pattern::Shape(_) => o.dtype.is_some(),
    };
    let bare = labelled(tree).filter(|o| !has_dtype(o.1)).count();
    let all = tree.inputs.len() + tree.outputs.len();
    if bare > 1 {
        let which = if bare == all {
            "All operands"
        } else {
            "Operands without a dtype"
        };
        let _ = writeln!(text, "\n{which} share one dtype.");
    }
    text
}

fn row(name: &NameUses) -> [String; 3] {
    [
        name.name.clone(),
        name.kind.text().to_owned(),
        name.places.join(", "),
    ]
}

/// How many dims an operand has, or what kind of type it is.
fn about(operand: &Operand) -> String {
    let mut dims = DimCount::default();
    match &operand.pattern {
        Pattern::Shape(items) => {
            for item in items {
                match &item.node {
                    Item::Dim(_) | Item::OrOne(_) => dims.plain += 1,
                    Item::Optional(_) => dims.optional += 1,
                    Item::Skip(n) => dims.plain = dims.plain.saturating_add(*n),
                    Item::Run(_) => dims.runs.push("a run of any length".to_owned()),
                    Item::SkipNamed(name) => dims.runs.push(format!("a run of {} dims", name.node)),
                }
            }
        }
        Pattern::Type(ty) => match &ty.node {
            Type::Name(_) | Type::Hole => return "any type".to_owned(),
            Type::Fn(..) => return "a function".to_owned(),
            Type::Tuple(_) => return "a tuple".to_owned(),
            Type::Adt(name, _) => return format!("a type `{}` with arguments", name.node),
            Type::Tensor { shape, .. } => {
                for item in shape {
                    match &item.node {
                        DimItem::Dim(_) | DimItem::Hole => dims.plain += 1,
                        DimItem::Run(_) => dims.runs.push("a run of any length".to_owned()),
                    }
                }
            }
        },
    }
    dims.text()
}

/// The dims of an operand, counted.
#[derive(Default)]
struct DimCount {
    plain: u64,
    optional: u64,
    runs: Vec<String>,
}

impl DimCount {
    fn text(self) -> String {
        let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut parts = Vec::new();
        if self.plain > 0 {
            parts.push(counted(self.plain, "dim"));
        } else if self.optional == 0 && self.runs.is_empty() {
            parts.push("a scalar".to_owned());
        }
        if self.optional > 0 {
            parts.push(counted(self.optional, "optional dim"));
        }
        parts.extend(self.runs);
        parts.join(", ")
    }
}

/// Writes rows with their columns below each other.
fn columns(text: &mut String, rows: &[[String; 3]]) {
    let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for [a, b, c] in rows {
        let line = format!("{a:first$}  {b:second$}  {c}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn as_json(signature: &Signature) -> Value {
    let tree = signature.tree();
    let operand = |o: &Operand| {
        json!({
            "text": o.to_string(),
            "dtype": o.dtype.as_ref().map(ToString::to_string),
            "start": o.span.start,
            "end": o.span.end,
        })
    };
    let texts = |all: &mut dyn Iterator<Item = String>| all.collect::<Vec<_>>();
    json!({
        "signature": signature.to_string(),
        "prefix": tree.prefix.as_ref().map(|p| match p.kind {
            PrefixKind::Broadcast => "+",
            PrefixKind::Equal => "=",
        }),
        "max_batch": tree.prefix.as_ref().and_then(|p| p.max),
        "params": tree.params.iter().map(|p| {
            json!({ "label": &*p.label.node, "name": &*p.name.node })
        }).collect::<Vec<_>>(),
        "inputs": tree.inputs.iter().map(operand).collect::<Vec<_>>(),
        "outputs": tree.outputs.iter().map(operand).collect::<Vec<_>>(),
        "names": names(tree).iter().map(|n| {
            json!({ "name": n.name, "kind": n.kind.text(), "in": n.places })
        }).collect::<Vec<_>>(),
        "relations": texts(&mut tree.relations.iter().map(ToString::to_string)),
        "where": texts(&mut tree.conditions.iter().map(ToString::to_string)),
    })
}
