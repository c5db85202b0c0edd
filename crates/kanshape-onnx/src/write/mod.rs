//! A model with the types of all of its values written into it.
//!
//! What is not a declared type is copied byte by byte, weights and all: [`rewrite`] goes through the fields of a
//! message, and those that nobody wants to change stay as they are. `ty` writes a type over the declared one.

mod ty;

use crate::check::DEEPEST;
use crate::graph::label;
use crate::model::{GRAPH, Model};
use crate::proto::attribute::Attribute;
use crate::proto::node::{ATTRIBUTE, Label};
use crate::proto::value::Info;
use crate::report::Report;
use crate::wire::{put_bytes, put_message, rewrite};
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use kanshape::Type;
use ty::Words;

/// The numbers of the fields of a graph that are nodes and declared types.
const NODE: u32 = 1;
const INPUT: u32 = 11;
const OUTPUT: u32 = 12;
const BETWEEN: u32 = 13;

/// Writes a model out with the type of every value of its graph and of the bodies of its operators, as far as the
/// report on it knows them. Where it knows less than the model declares, that stays.
///
/// A dim that is a name or an expression is written as its text, one of which nothing is known is left open. Whatever
/// else stands in the model is copied byte by byte: so data in other files are still looked for where they were.
/// Functions stay as they are, since each call of one may have types of its own.
pub fn write(model: &Model<'_>, report: &Report<'_>) -> Vec<u8> {
    let writer = ModelWriter {
        types: types(report),
        words: Words::of(report),
    };
    let mut out = Vec::with_capacity(model.bytes.len() + model.bytes.len() / 8);
    rewrite(model.bytes, &mut out, |field, out| {
        let (GRAPH, Some(graph)) = (field.number, field.bytes()) else {
            return false;
        };
        put_message(GRAPH, out, |out| writer.graph(graph, "", 0, out));
        true
    });
    out
}

/// A type as a message, for a model that declares none; none if a model can't have it.
pub(crate) fn new_type(ty: &Type) -> Option<Vec<u8>> {
    Words::default().over(ty, &[])
}

/// The types of values by name, in bodies with what is around them. None for a name that two of them have: a node may
/// be called like another one, and a value like one in a body.
fn types<'r>(report: &'r Report<'_>) -> HashMap<&'r str, Option<&'r Type>> {
    let mut types = HashMap::with_capacity(report.values.len());
    for (name, ty) in &report.values {
        let ty: &Type = ty;
        match types.entry(&**name) {
            Entry::Vacant(entry) => {
                entry.insert(Some(ty));
            }
            Entry::Occupied(mut entry) if *entry.get() != Some(ty) => {
                entry.insert(None);
            }
            Entry::Occupied(_) => {}
        }
    }
    types
}

struct ModelWriter<'w> {
    types: HashMap<&'w str, Option<&'w Type>>,
    words: Words<'w>,
}

impl ModelWriter<'_> {
    /// Writes a graph with its types. `path` is the names of the nodes and bodies around it.
    fn graph(&self, message: &[u8], path: &str, depth: usize, out: &mut Vec<u8>) {
        let mut declared: HashSet<&str> = HashSet::new();
        let mut made: Vec<&str> = Vec::new();
        let mut nodes = 0;
        let is_whole = rewrite(message, out, |field, out| {
            let Some(bytes) = field.bytes() else {
                return false;
            };
            match field.number {
                NODE => {
                    let node = Label::read(bytes, &mut made);
                    nodes += 1;
                    depth < DEEPEST && self.node(bytes, node, (path, nodes - 1, depth), out)
                }
                INPUT | OUTPUT | BETWEEN => {
                    let Ok(info) = Info::read(bytes) else {
                        return false;
                    };
                    declared.insert(info.name);
                    let own = info.ty.unwrap_or_default();
                    let Some(ty) = self.ty(path, info.name, own) else {
                        return false;
                    };
                    put_message(field.number, out, |out| {
                        rewrite(bytes, out, |field, _| field.number == Info::TYPE);
                        put_bytes(Info::TYPE, &ty, out);
                    });
                    true
                }
                _ => false,
            }
        });
        if !is_whole {
            // Behind a mistake nothing can be distinguished.
            return;
        }
        for name in made {
            if name.is_empty() || !declared.insert(name) {
                continue;
            }
            if let Some(ty) = self.ty(path, name, &[]) {
                put_message(BETWEEN, out, |out| {
                    put_bytes(Info::NAME, name.as_bytes(), out);
                    put_bytes(Info::TYPE, &ty, out);
                });
            }
        }
    }

    /// Writes a node that has bodies; false if it has none.
    fn node(
        &self,
        message: &[u8],
        node: Label<'_>,
        (path, index, depth): (&str, u32, usize),
        out: &mut Vec<u8>,
    ) -> bool {
        if !node.has_bodies {
            return false;
        }
        let label = label(node.name, node.op, index);
        put_message(NODE, out, |out| {
            rewrite(message, out, |field, out| {
                let (ATTRIBUTE, Some(attribute)) = (field.number, field.bytes()) else {
                    return false;
                };
                let path = format!("{path}{label}/{}/", Attribute::name_of(attribute));
                put_message(ATTRIBUTE, out, |out| {
                    rewrite(attribute, out, |field, out| {
                        let (Attribute::GRAPH, Some(graph)) = (field.number, field.bytes()) else {
                            return false;
                        };
                        put_message(Attribute::GRAPH, out, |out| {
                            self.graph(graph, &path, depth + 1, out);
                        });
                        true
                    });
                });
                true
            });
        });
        true
    }

    /// The type of a value as a message, over the one that is declared; none if that is to stay.
    fn ty(&self, path: &str, name: &str, declared: &[u8]) -> Option<Vec<u8>> {
        let found = match path {
            "" => self.types.get(name),
            path => self.types.get(format!("{path}{name}").as_str()),
        };
        self.words.over((*found?)?, declared)
    }
}
