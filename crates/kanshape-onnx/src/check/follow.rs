//! Where the sizes of a value come from, back to the inputs of the model: a [`Way`] for each dim.

use super::{Checker, ValueHome};
use crate::model::Model;
use crate::options::Options;
use crate::problem;
use crate::report::Report;
use crate::way::{Cause, Spot, Step, Way};
use hashbrown::{HashMap, HashSet};
use kanshape::graph::{Site, Sources, ValueId};
use kanshape::{Diagnostic, Dim, catalog};
use std::collections::VecDeque;

/// More steps are not taken for one dim.
const MOST: usize = 200;
/// No more nodes hand a size on in one step.
const LONGEST: usize = 10_000;

/// Says where the sizes of a value come from: `logits` for all of its dims, `logits:1` for one of them. `output` is the only output of a
/// model that has no value of that name.
///
/// # Errors
/// [`NO_SUCH_VALUE`](crate::code::NO_SUCH_VALUE) if there is no such value, or it has no such dim.
pub fn why<'a>(
    model: &Model<'a>,
    options: &Options,
    spot: &str,
) -> Result<(Vec<Way>, Report<'a>), Diagnostic> {
    let relations = options.relations.as_ref().unwrap_or_else(|| catalog());
    let steps = options.budget.unwrap_or(u64::MAX);
    options.control.run(steps, || {
        let mut checker = Checker::new(model, options, relations);
        checker.add_all();
        let ways = checker.ways(spot)?;
        Ok((ways, checker.finish(&model.graph)))
    })
}

/// A size of a value.
type SizeAt = (ValueId, Site);

impl Checker<'_, '_> {
    fn ways(&mut self, spot: &str) -> Result<Vec<Way>, Diagnostic> {
        let (value, axis) = self.spot(spot)?;
        let Some(id) = value.value else {
            return Err(problem::no_way(&value.name));
        };
        let ty = self.graph.ty(id);
        let rank = ty
            .as_tensor()
            .map_or(0, |tensor| tensor.shape.known_dims().len());
        let axes = match axis {
            None => 0..rank,
            Some(axis) => {
                let own = if axis < 0 { axis + rank as i64 } else { axis };
                match usize::try_from(own).ok().filter(|own| *own < rank) {
                    Some(axis) => axis..axis + 1,
                    None => return Err(problem::no_dim(&value.name, axis, &ty)),
                }
            }
        };
        let names = self.names();
        Ok(axes
            .map(|axis| self.way_of((id, Site::Dim(axis)), &names))
            .collect())
    }

    /// The value that a text speaks of, and which of its dims.
    fn spot(&self, text: &str) -> Result<(Spotted, Option<i64>), Diagnostic> {
        let mut found: HashMap<String, Option<ValueId>> = HashMap::new();
        for entry in &self.values {
            let path = &self.paths[entry.path as usize];
            let name = format!("{path}{}", self.symbols.name(entry.symbol));
            let value = match entry.value {
                ValueHome::Value(value) => Some(value),
                ValueHome::In(..) | ValueHome::Fixed(_) => None,
            };
            found.entry(name).or_insert(value);
        }
        let split = text.rsplit_once(':');
        let split = split.and_then(|(name, axis)| Some((name, axis.parse().ok()?)));
        let whole = (text, None);
        for (name, axis) in [Some(whole), split.map(|(n, a)| (n, Some(a)))]
            .into_iter()
            .flatten()
        {
            let name = match (name, &self.model.graph.outputs[..]) {
                ("output", [only]) if !found.contains_key(name) => only.name,
                _ => name,
            };
            if let Some(value) = found.get(name) {
                let (name, value) = (name.to_owned(), *value);
                return Ok((Spotted { name, value }, axis));
            }
        }
        let name = split.map_or(text, |(name, _)| name);
        let mut known: Vec<&str> = found.keys().map(String::as_str).collect();
        known.sort_unstable();
        Err(problem::no_value(name, known))
    }

    /// Back from a size, the nearest first. Where a size has names, only what has some is followed.
    fn way_of(&mut self, at: SizeAt, names: &HashMap<ValueId, String>) -> Way {
        let mut steps = Vec::new();
        let mut met: HashSet<SizeAt> = HashSet::from([at]);
        let mut next = VecDeque::from([at]);
        let mut is_cut = false;
        while let Some(at) = next.pop_front() {
            if steps.len() == MOST {
                is_cut = true;
                break;
            }
            let own = self.graph.size_at(at.0, at.1);
            let (cause, of) = self.step_from(at, names);
            let is_open = own.as_ref().is_some_and(has_names);
            for of in of {
                let is_followed = !is_open
                    || self
                        .graph
                        .size_at(of.0, of.1)
                        .as_ref()
                        .is_some_and(has_names);
                if is_followed && met.insert(of) {
                    next.push_back(of);
                }
            }
            steps.push(Step {
                at: self.named(at, names),
                cause,
            });
        }
        Way { steps, is_cut }
    }

    /// What a size comes from, and where that is to be followed.
    fn step_from(&mut self, at: SizeAt, names: &HashMap<ValueId, String>) -> (Cause, Vec<SizeAt>) {
        let mut through = Vec::new();
        let mut now = at;
        loop {
            let sources = self.graph.sources(now.0, now.1);
            match sources {
                Some(Sources {
                    node,
                    from,
                    is_computed: false,
                }) if from.len() == 1 && through.len() < LONGEST => {
                    through.extend(self.place_of(node));
                    now = from[0];
                }
                Some(Sources { node, from, .. }) if through.is_empty() => {
                    let of = from.iter().map(|of| self.named(*of, names)).collect();
                    let node = self.place_of(node);
                    return match from.is_empty() {
                        true => (Cause::Made { node }, Vec::new()),
                        false => (Cause::Computed { node, of }, from),
                    };
                }
                Some(_) => {
                    let of = self.named(now, names);
                    let end = None;
                    return (Cause::HandedOn { through, of, end }, vec![now]);
                }
                None if through.is_empty() => return (self.end(now), Vec::new()),
                None => {
                    let of = self.named(now, names);
                    let end = self.end(now);
                    let end = Some(Box::new(end));
                    return (Cause::HandedOn { through, of, end }, Vec::new());
                }
            }
        }
    }

    /// A size that no known node has made.
    fn end(&mut self, (value, site): SizeAt) -> Cause {
        if let Some((node, _)) = self.graph.maker(value) {
            return Cause::Made {
                node: self.place_of(node),
            };
        }
        let mut entries = self.values.iter().zip(0..);
        let is_it = |known: &ValueHome| matches!(known, ValueHome::Value(own) if *own == value);
        let place = entries.find(|(entry, _)| is_it(&entry.value));
        let required_by = match site {
            Site::Dim(axis) => self.graph.requirer(value, axis),
            Site::Element(_) => None,
        };
        let required_by = required_by.and_then(|node| self.place_of(node));
        match place {
            Some((_, i)) if i < self.inputs => Cause::Input { required_by },
            _ => Cause::Constant,
        }
    }

    fn named(&mut self, at: SizeAt, names: &HashMap<ValueId, String>) -> Spot {
        let size = self.graph.size_at(at.0, at.1);
        Spot {
            value: names.get(&at.0).cloned().unwrap_or_default(),
            site: at.1,
            size: size.map_or_else(|| "?".to_owned(), |size| size.to_string()),
        }
    }
}

/// A value that a user has named.
struct Spotted {
    name: String,
    /// None of one in a body that was tried and dropped.
    value: Option<ValueId>,
}

fn has_names(size: &Dim) -> bool {
    matches!(size, Dim::Name(_) | Dim::Expr(_))
}
