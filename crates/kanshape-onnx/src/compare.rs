//! Two models against each other. Those of one system are compared node by node; of different ones (`systems`), it is compared which
//! sizes the second one still has.

mod systems;

use crate::model::Model;
use crate::pairs::{Pairs, Side};
use crate::problem::Place;
use crate::report::Report;
use hashbrown::{HashMap, HashSet};
use kanshape::{Dim, Type};
use std::borrow::Cow;
use std::fmt;

/// What is other in a second model than in a first one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Values with other types, or that only one model has: the name, and the types in both.
    pub values: Vec<(String, Option<Type>, Option<Type>)>,
    /// The names of inputs and outputs in both, if these are not the same in the same order.
    pub ports: Option<[Ports; 2]>,
    /// Nodes that are written otherwise, or that only one model has.
    pub nodes: Vec<(Option<NodeText>, Option<NodeText>)>,
    /// Conditions that only the first model has, and those that only the second one has.
    pub conditions: [Vec<String>; 2],
    /// How many values are the same in both under other names.
    pub renamed: usize,
    /// Sizes that are other ones, where the models are of different systems: nodes and names of values are not compared then.
    pub sizes: Vec<OtherSize>,
    /// The models are of different systems.
    pub across: bool,
}

/// A size that is another one in a second model, which is of another system.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherSize {
    /// The value, as the first model calls it.
    pub value: String,
    /// Which dim of it, from 0.
    pub axis: usize,
    /// The size in the first model, in words of the second one.
    pub first: Dim,
    /// The size in the second model.
    pub second: Dim,
    /// What has become of it.
    pub change: Change,
}

/// What has become of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is a number.
    Fixed,
    /// It is no longer known which one it is.
    Lost,
    /// It is the same as another one.
    Same,
    /// It may be any, and was a number.
    Open,
    /// It is another one.
    Other,
}

impl Change {
    /// It in a word: `fixed`, `lost`, `same`, `open`, `other`.
    pub fn word(self) -> &'static str {
        match self {
            Change::Fixed => "fixed",
            Change::Lost => "lost",
            Change::Same => "same",
            Change::Open => "open",
            Change::Other => "other",
        }
    }
}

impl fmt::Display for OtherSize {
    /// `dim 1 of mask: s27 is fixed to 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherSize {
            value,
            axis,
            first,
            second,
            change,
        } = self;
        write!(f, "dim {axis} of {value}: ")?;
        match change {
            Change::Fixed => write!(f, "{first} is fixed to {second}"),
            Change::Lost => write!(f, "{first} is lost, and any {second}"),
            Change::Same => write!(f, "{first} is the same size as others, {second}"),
            Change::Open => write!(f, "{first} may be any {second}"),
            Change::Other => write!(f, "{first} is {second}"),
        }
    }
}

/// The names of inputs and outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// The inputs.
    pub inputs: Vec<String>,
    /// The outputs.
    pub outputs: Vec<String>,
}

/// A node as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeText {
    /// Which node it is.
    pub place: Place,
    /// What it calls, with what: `Conv(x, w) -> (y) strides=[2, 2]`.
    pub text: String,
}

impl Difference {
    /// Is nothing other but names?
    pub fn is_none(&self) -> bool {
        let nothing = Difference {
            renamed: self.renamed,
            across: self.across,
            ..Difference::default()
        };
        *self == nothing
    }
}

/// What is other in a second model than in a first one. Names that nobody has given, such as `d0`, may be others. Nodes and values are
/// the same in both by what they are made of, and only then by their names; what is of the first model keeps its name. Of models that
/// have no domain of operators in common, it is compared which sizes they have.
pub fn diff(first: (&Model<'_>, &Report<'_>), second: (&Model<'_>, &Report<'_>)) -> Difference {
    if systems::are_different(first.0, second.0) {
        return systems::diff(first.1, second.1);
    }
    let mut names = Renaming::of(first.1, second.1);
    let sides = [first, second].map(|(model, report)| Side::of(model, report));
    let pairs = Pairs::of([&sides[0], &sides[1]]);
    let others = Others::of(&sides, &pairs);
    let types: [HashMap<&str, &Type>; 2] = [first.1, second.1].map(|report| {
        let values = report.values.iter().chain(&report.outputs);
        values.map(|(name, ty)| (&**name, &**ty)).collect()
    });
    let mut values = Vec::new();
    let mut renamed = 0;
    let mut met: HashSet<&str> = HashSet::new();
    let mut met_there: HashSet<String> = HashSet::new();
    for (name, ty) in &first.1.values {
        if !met.insert(name) {
            continue;
        }
        let own = others
            .name(name)
            .filter(|own| types[1].contains_key(&**own));
        let Some(own) = own else {
            values.push((name.to_string(), Some((**ty).clone()), None));
            continue;
        };
        let other = types[1][&*own];
        if !names.are_same(&ty.to_string(), &other.to_string()) {
            values.push((name.to_string(), Some((**ty).clone()), Some(other.clone())));
        }
        renamed += usize::from(own != **name);
        met_there.insert(own.into_owned());
    }
    for (name, ty) in &second.1.values {
        if met_there.insert(name.to_string()) {
            values.push((name.to_string(), None, Some((**ty).clone())));
        }
    }
    let ports = [first.1, second.1].map(Ports::of);
    Difference {
        values,
        ports: (ports[0] != ports[1]).then_some(ports),
        nodes: nodes(&sides, &pairs, &others),
        conditions: conditions(first.1, second.1, &mut names),
        sizes: Vec::new(),
        across: false,
        renamed,
    }
}

/// What values of a first model are called in a second one.
struct Others<'a> {
    values: HashMap<&'a str, &'a str>,
    taken: HashSet<&'a str>,
    /// The beginnings of the names of values in bodies of nodes that are called otherwise, and what they are there.
    bodies: Vec<[String; 2]>,
}

impl<'a> Others<'a> {
    fn of(sides: &[Side<'a>; 2], pairs: &Pairs<'_, 'a>) -> Others<'a> {
        let values = pairs.values();
        let taken = values.values().copied().collect();
        let both = pairs.forth.iter().enumerate();
        let both = both.filter_map(|(i, j)| Some((i, (*j)?)));
        let bodies = both.filter_map(|(i, j)| {
            let [one, two] = [&sides[0].nodes[i], &sides[1].nodes[j]].map(|node| &node.place.node);
            let has_body = sides[0].attrs[i].contains("={body}");
            (has_body && one != two).then(|| [one, two].map(|name| format!("{name}/")))
        });
        Others {
            values,
            taken,
            bodies: bodies.collect(),
        }
    }

    /// The name of a value there: its own where nothing else is called so.
    fn name<'n>(&self, name: &'n str) -> Option<Cow<'n, str>>
    where
        'a: 'n,
    {
        if let Some(own) = self.values.get(name) {
            return Some(Cow::Borrowed(own));
        }
        for [one, two] in &self.bodies {
            if let Some(rest) = name.strip_prefix(&**one) {
                return Some(Cow::Owned(format!("{two}{rest}")));
            }
        }
        (!self.taken.contains(name)).then_some(Cow::Borrowed(name))
    }
}

impl Ports {
    fn of(report: &Report<'_>) -> Ports {
        let names = |all: &[(std::borrow::Cow<'_, str>, std::sync::Arc<Type>)]| {
            all.iter().map(|(name, _)| name.to_string()).collect()
        };
        Ports {
            inputs: names(&report.inputs),
            outputs: names(&report.outputs),
        }
    }
}

fn conditions(first: &Report<'_>, second: &Report<'_>, names: &mut Renaming) -> [Vec<String>; 2] {
    let texts = |report: &Report<'_>| -> Vec<String> {
        let all = report.conditions.iter();
        all.map(|one| one.condition.to_string()).collect()
    };
    let (mut own, mut other) = (texts(first), texts(second));
    own.retain(|one| {
        let same = other.iter().position(|two| names.are_same(one, two));
        same.map(|at| other.remove(at)).is_none()
    });
    [own, other]
}

fn nodes<'a>(
    sides: &[Side<'a>; 2],
    pairs: &Pairs<'_, 'a>,
    others: &Others<'a>,
) -> Vec<(Option<NodeText>, Option<NodeText>)> {
    let text = |side: usize, at: usize| Some(NodeText::of(&sides[side], at));
    let mut found = Vec::new();
    for (i, pair) in pairs.forth.iter().enumerate() {
        let Some(j) = *pair else {
            found.push((text(0, i), None));
            continue;
        };
        let [one, two] = [&sides[0].nodes[i], &sides[1].nodes[j]];
        let mut inputs = one.inputs.iter().zip(&two.inputs);
        let are_same = one.inputs.len() == two.inputs.len()
            && inputs.all(|(a, b)| others.name(a).as_deref() == Some(*b))
            && one.outputs.len() == two.outputs.len()
            && sides[0].attrs[i] == sides[1].attrs[j];
        if !are_same {
            found.push((text(0, i), text(1, j)));
        }
    }
    let new = pairs
        .back
        .iter()
        .enumerate()
        .filter(|(_, pair)| pair.is_none());
    found.extend(new.map(|(j, _)| (None, text(1, j))));
    found
}

impl NodeText {
    fn of(side: &Side<'_>, at: usize) -> NodeText {
        let node = &side.nodes[at];
        let mut text = format!(
            "{}({}) -> ({})",
            node.place.op,
            node.inputs.join(", "),
            node.outputs.join(", ")
        );
        if !side.attrs[at].is_empty() {
            text.push(' ');
            text.push_str(&side.attrs[at]);
        }
        NodeText {
            place: node.place.clone(),
            text,
        }
    }
}

/// Which made-up name of a second report is which of a first one: `d0` of one model may be `d3` of another.
#[derive(Clone, Debug)]
pub struct Renaming {
    made_up: [HashSet<String>; 2],
    forth: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Renaming {
    /// The names that were made up in two reports, none of which is another one so far.
    pub fn of(first: &Report<'_>, second: &Report<'_>) -> Renaming {
        let made_up = |report: &Report<'_>| -> HashSet<String> {
            let dims = report.dims.iter().filter(|dim| !dim.named);
            dims.map(|dim| dim.name.to_string()).collect()
        };
        Renaming {
            made_up: [made_up(first), made_up(second)],
            forth: HashMap::new(),
            back: HashMap::new(),
        }
    }

    /// Are two texts the same but for names that were made up? If so, these are the same from now on.
    pub fn are_same(&mut self, first: &str, second: &str) -> bool {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        let (mut own, mut other) = (words(first), words(second));
        loop {
            match (own.next(), other.next()) {
                (None, None) => break,
                (Some(a), Some(b))
                    if self.made_up[0].contains(a) && self.made_up[1].contains(b) =>
                {
                    pairs.push((a, b));
                }
                (Some(a), Some(b)) if a == b => {}
                _ => return false,
            }
        }
        let before = (self.forth.clone(), self.back.clone());
        for (a, b) in pairs {
            let forth = self
                .forth
                .entry(a.to_owned())
                .or_insert_with(|| b.to_owned());
            let back = self
                .back
                .entry(b.to_owned())
                .or_insert_with(|| a.to_owned());
            if forth != b || back != a {
                (self.forth, self.back) = before;
                return false;
            }
        }
        true
    }
}

/// The words of a text, and what is between them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let other = |c: char| is_word(c) != is_word(first);
        let (word, behind) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        rest = behind;
        Some(word)
    })
}
