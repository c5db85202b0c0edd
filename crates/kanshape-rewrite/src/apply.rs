//! [`Match::apply`]: the nodes that a match inserts into a program and removes from it. A [`Net`] and a model share this code.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::graph::{Graph, ValueId};
use kanshape::{AttrValue, Operator, Relations, Type, Verdict, order};

use crate::net::{Held, Match, Net, NetNode};
use crate::program::{self, Slot};

/// A node that is inserted.
pub(crate) struct NewNode {
    pub(crate) node: NetNode,
    /// Its operator; none of a constant.
    pub(crate) operator: Option<Operator>,
}

/// A change of a program.
#[derive(Default)]
pub(crate) struct Change {
    /// The nodes that are removed, by their numbers.
    pub(crate) removed: BTreeSet<usize>,
    /// Those that are inserted, each where the node of this number is or was.
    pub(crate) added: Vec<(usize, NewNode)>,
    /// Values that are renamed.
    pub(crate) renamed: BTreeMap<String, String>,
}

impl Match {
    /// The value that is the first output of the left side.
    pub fn root(&self) -> Option<&str> {
        let root = *self.pattern.program.left.roots.first()?;
        self.values.get(root)?.as_deref()
    }

    /// Puts the right side into the program in which the match was found. New values have the types that their operators
    /// give them, and a value that was there has the type that it had, or a more precise one. Other matches were found in the
    /// program as it was.
    ///
    /// ```
    /// use kanshape_rewrite::{Net, NetNode, Rules};
    ///
    /// let text = "rule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)";
    /// let rules = Rules::load_str(kanshape::catalog(), "own.kan", text)?;
    /// let node = |op: &str, inputs: &[&str], output: &str| NetNode {
    ///     op: op.into(),
    ///     inputs: inputs.iter().map(|name| (*name).into()).collect(),
    ///     outputs: vec![output.into()],
    ///     ..NetNode::default()
    /// };
    /// let mut net = Net::default();
    /// net.nodes = vec![node("MatMul", &["a", "b"], "p"), node("Add", &["p", "c"], "y")];
    /// for (name, ty) in [("a", "f32[N, 4]"), ("b", "f32[4, 8]"), ("c", "f32[8]")] {
    ///     net.types.insert(name.into(), ty.parse()?);
    /// }
    /// net.outputs.insert("y".into());
    ///
    /// for one in rules.matches(&net)?.all {
    ///     one.apply(&mut net).expect("a rule that always holds");
    /// }
    /// assert_eq!(net.nodes.len(), 1);
    /// assert_eq!((&*net.nodes[0].op, &*net.nodes[0].inputs), ("Gemm", &["a".into(), "b".into(), "c".into()][..]));
    /// assert_eq!(net.types["y"].to_string(), "f32[N, 8]");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// What is known of whether the rule holds, if that is not [`Held::Always`], or why it cannot be applied here. The program is
    /// then what it was.
    pub fn apply(&self, net: &mut Net) -> Result<(), Held> {
        if self.held != Held::Always {
            return Err(self.held.clone());
        }
        if !self.is_in(net) {
            return Err(Held::Unknown("the program has changed since".into()));
        }
        let mut changes = Changes::new(net, &|_| true);
        match changes.take(self) {
            Taken::Yes => {}
            Taken::Later => return Err(Held::Unknown("it takes a value twice".into())),
            Taken::Never(why) => return Err(Held::Never(why.into())),
        }
        let change = changes.finish();
        let types = types_of(net, &change, self.pattern.relations())?;
        net.put(change);
        net.types.extend(types);
        Ok(())
    }

    /// Are its nodes still where it was found, and do they take and give what they did?
    fn is_in(&self, net: &Net) -> bool {
        let is_value = |name: &String| self.values.iter().flatten().any(|own| own == name);
        self.nodes.iter().all(|at| {
            let Some(node) = net.nodes.get(*at) else {
                return false;
            };
            let mut inputs = node.inputs.iter().filter(|name| !name.is_empty());
            inputs.all(is_value) && node.outputs.iter().any(is_value)
        })
    }
}

/// The types of the values that new nodes give.
fn types_of(
    net: &Net,
    change: &Change,
    relations: &Relations,
) -> Result<Vec<(String, Type)>, Held> {
    let mut graph = Graph::new(relations).without_reasons();
    let mut values: BTreeMap<&str, ValueId> = BTreeMap::new();
    let mut types = Vec::new();
    for (_, NewNode { node, operator }) in &change.added {
        let Some(operator) = operator else {
            if let Some((_, AttrValue::Type(ty))) = node.attrs.first()
                && let [name] = &node.outputs[..]
            {
                types.push((name.clone(), ty.clone()));
                values.extend(graph.value(ty).map(|value| (&**name, value)));
            }
            continue;
        };
        let unknown = |why: &dyn std::fmt::Display| Held::Unknown(why.to_string());
        let mut inputs = Vec::new();
        for name in node.inputs.iter().filter(|name| !name.is_empty()) {
            let value = match values.get(&**name) {
                Some(value) => *value,
                None => {
                    let ty = net.types.get(name).unwrap_or(&Type::UNKNOWN);
                    graph.value(ty).map_err(|why| unknown(&why))?
                }
            };
            values.insert(name, value);
            inputs.push(value);
        }
        let given: Vec<bool> = node.inputs.iter().map(|name| !name.is_empty()).collect();
        let wanted: Vec<bool> = node.outputs.iter().map(|name| !name.is_empty()).collect();
        let call = graph.call(operator, node.attrs.clone(), &given, &wanted);
        let (_, outputs) = graph.add(call.map_err(|why| unknown(&why))?, &inputs);
        if let Some(problem) = graph.problems().next() {
            return Err(Held::Never(problem.diagnostic.headline.clone()));
        }
        let names = node.outputs.iter().filter(|name| !name.is_empty());
        for (name, value) in names.zip(outputs.iter()) {
            let ty = graph.ty(value);
            values.insert(name, value);
            match net.types.get(name) {
                // What was known of it is still true, and may be more.
                Some(old) if order::is_super(&ty, old) == Verdict::Always => {}
                Some(old) if order::is_super(old, &ty) != Verdict::Always => {
                    let why = format!("`{name}` is `{old}`, and would be `{ty}`");
                    return Err(Held::Unknown(why));
                }
                _ => types.push((name.clone(), ty)),
            }
        }
    }
    Ok(types)
}

impl Net {
    /// Makes a change. Each node stays behind those that it needs.
    fn put(&mut self, change: Change) {
        let mut added: BTreeMap<usize, Vec<NetNode>> = BTreeMap::new();
        for (at, NewNode { node, operator }) in change.added {
            if operator.is_none() {
                self.constants.extend(node.outputs.iter().cloned());
            }
            added.entry(at).or_default().push(node);
        }
        let outputs = self.nodes.iter().flat_map(|node| &node.outputs);
        let was_given: BTreeSet<String> = outputs.cloned().collect();
        let now = |name: &mut String| {
            if let Some(other) = change.renamed.get(name) {
                name.clone_from(other);
            }
        };
        let mut nodes = Vec::new();
        for (at, mut node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            nodes.extend(added.remove(&at).unwrap_or_default());
            if change.removed.contains(&at) {
                continue;
            }
            node.inputs.iter_mut().for_each(now);
            node.outputs.iter_mut().for_each(now);
            nodes.push(node);
        }
        self.nodes = in_order(nodes);
        // A renamed value keeps its type.
        for (old, new) in &change.renamed {
            if let Some(ty) = self.types.remove(old) {
                self.types.entry(new.clone()).or_insert(ty);
            }
            if self.constants.remove(old) {
                self.constants.insert(new.clone());
            }
        }
        let given: BTreeSet<&String> = self.nodes.iter().flat_map(|node| &node.outputs).collect();
        let is_dropped = |name: &String| was_given.contains(name) && !given.contains(name);
        self.types.retain(|name, _| !is_dropped(name));
        self.constants.retain(|name| !is_dropped(name));
    }
}

/// The nodes, each behind those that it needs, and else in the order in which they are. Nodes that need each other are last.
fn in_order(nodes: Vec<NetNode>) -> Vec<NetNode> {
    let mut makers: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, node) in nodes.iter().enumerate() {
        let given = node.outputs.iter().filter(|name| !name.is_empty());
        makers.extend(given.map(|name| (&**name, i)));
    }
    let mut takers: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut waits = vec![0; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        let needed = node.inputs.iter().filter_map(|name| makers.get(&**name));
        for maker in needed.collect::<BTreeSet<_>>() {
            takers[*maker].push(i);
            waits[i] += 1;
        }
    }
    let mut ready: BTreeSet<usize> = (0..nodes.len()).filter(|i| waits[*i] == 0).collect();
    let mut left: Vec<Option<NetNode>> = nodes.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(left.len());
    while let Some(i) = ready.pop_first() {
        sorted.extend(left[i].take());
        for taker in &takers[i] {
            waits[*taker] -= 1;
            if waits[*taker] == 0 {
                ready.insert(*taker);
            }
        }
    }
    sorted.extend(left.into_iter().flatten());
    sorted
}

/// Collects the changes of several matches.
pub(crate) struct Changes<'n> {
    net: &'n Net,
    /// Does the program use the operators of this domain?
    has_domain: &'n dyn Fn(&str) -> bool,
    change: Change,
    /// The nodes of the matches that are taken.
    nodes: BTreeSet<usize>,
    /// The values that new nodes give, or that are others now.
    replaced: BTreeSet<String>,
    /// The outputs of left sides that are given by something else now.
    superseded: BTreeSet<String>,
    made: usize,
}

/// Is a match applied?
pub(crate) enum Taken {
    Yes,
    /// Others are applied first.
    Later,
    Never(&'static str),
}

impl<'n> Changes<'n> {
    pub(crate) fn new(net: &'n Net, has_domain: &'n dyn Fn(&str) -> bool) -> Changes<'n> {
        Changes {
            net,
            has_domain,
            change: Change::default(),
            nodes: BTreeSet::new(),
            replaced: BTreeSet::new(),
            superseded: BTreeSet::new(),
            made: 0,
        }
    }

    /// Adds the change of a match.
    pub(crate) fn take(&mut self, one: &Match) -> Taken {
        if one.nodes.iter().any(|node| self.nodes.contains(node)) {
            return Taken::Later;
        }
        let program = &one.pattern.program;
        let mut values = one.values.clone();
        let mut renamed: Vec<(String, String)> = Vec::new();
        let mut given: BTreeMap<Slot, String> = BTreeMap::new();
        let mut superseded: Vec<String> = Vec::new();
        let roots = program.left.roots.iter().zip(&program.right.roots);
        for (left, right) in roots {
            let Some(name) = one.values[*left].clone() else {
                return Taken::Never("an output of the left side is left out");
            };
            let existing = one.values[*right]
                .clone()
                .or_else(|| given.get(right).cloned());
            match existing {
                // The output is a value that there is.
                Some(other) if other == name => {}
                Some(other) => match self.rename(&name, &other) {
                    Ok(pair) => {
                        renamed.push(pair);
                        superseded.push(name);
                    }
                    Err(taken) => return taken,
                },
                None => {
                    superseded.push(name.clone());
                    given.insert(*right, name);
                }
            }
        }
        let mut added = Vec::new();
        for (slot, ty) in &program.constants {
            let is_of_right = program
                .right
                .steps
                .iter()
                .any(|step| program.steps[*step].inputs.contains(&Some(*slot)));
            if values[*slot].is_none() && (is_of_right || given.contains_key(slot)) {
                let name = given
                    .get(slot)
                    .cloned()
                    .unwrap_or_else(|| self.fresh(&one.rule));
                let node = NetNode {
                    op: "Constant".into(),
                    outputs: vec![name.clone()],
                    attrs: vec![("value".into(), AttrValue::Type(ty.clone()))],
                    ..NetNode::default()
                };
                added.push(NewNode {
                    node,
                    operator: None,
                });
                values[*slot] = Some(name);
            }
        }
        for step in &program.right.steps {
            let own = &program.steps[*step];
            let domain = program::domain(&own.operator);
            if !(self.has_domain)(domain) {
                return Taken::Never("the model does not use the domain of the right side");
            }
            let outputs: Vec<String> = (own.first..own.first + own.outputs)
                .map(|slot| {
                    given
                        .get(&slot)
                        .cloned()
                        .unwrap_or_else(|| self.fresh(&one.rule))
                })
                .collect();
            for (i, name) in outputs.iter().enumerate() {
                values[own.first + i] = Some(name.clone());
            }
            let inputs = own.inputs.iter().map(|slot| match slot {
                None => Some(String::new()),
                Some(slot) => values[*slot].clone(),
            });
            let Some(inputs) = inputs.collect::<Option<Vec<String>>>() else {
                return Taken::Never("a leaf of the right side has no value");
            };
            let node = NetNode {
                op: own.operator.name().to_owned(),
                domain: domain.to_owned(),
                attrs: own.attrs.clone(),
                is_opaque: false,
                inputs,
                outputs,
            };
            added.push(NewNode {
                node,
                operator: Some(own.operator.clone()),
            });
        }
        let at = one.node;
        self.change
            .added
            .extend(added.into_iter().map(|node| (at, node)));
        self.change.renamed.extend(renamed);
        self.replaced.extend(given.into_values());
        self.superseded.extend(superseded);
        self.nodes.extend(&one.nodes);
        Taken::Yes
    }

    /// Which of two values gets the name of the other one, where the first is the second from now on.
    fn rename(&self, old: &str, new: &str) -> Result<(String, String), Taken> {
        let net = self.net;
        let is_fixed = |name: &str| net.outputs.contains(name) || net.kept.contains(name);
        let pair = match (is_fixed(old), is_fixed(new)) {
            (false, _) => (old.to_owned(), new.to_owned()),
            (true, true) => {
                return Err(Taken::Never(
                    "two values that have names outside would be one",
                ));
            }
            (true, false) => {
                let mut outputs = net.nodes.iter().flat_map(|node| &node.outputs);
                if !outputs.any(|name| name == new) {
                    return Err(Taken::Never(
                        "an output of the model would be an input of it",
                    ));
                }
                (new.to_owned(), old.to_owned())
            }
        };
        let is_other = |name: &String| {
            self.change.renamed.contains_key(name)
                || self.replaced.contains(name)
                || self.change.renamed.values().any(|own| own == name)
        };
        match is_other(&pair.0) || self.change.renamed.contains_key(&pair.1) {
            true => Err(Taken::Later),
            false => Ok(pair),
        }
    }

    /// A name that no value has.
    fn fresh(&mut self, rule: &str) -> String {
        let taken = |name: &String| {
            self.net.types.contains_key(name)
                || self.net.kept.contains(name)
                || self
                    .net
                    .nodes
                    .iter()
                    .any(|node| node.inputs.contains(name) || node.outputs.contains(name))
        };
        loop {
            self.made += 1;
            let name = format!("{rule}_{}", self.made);
            if !taken(&name) {
                return name;
            }
        }
    }

    /// The change that all matches make together.
    pub(crate) fn finish(mut self) -> Change {
        let renamed = self.change.renamed.clone();
        let now = |name: &String| {
            let mut name = name.clone();
            for _ in 0..renamed.len() {
                match renamed.get(&name) {
                    Some(next) => name.clone_from(next),
                    None => break,
                }
            }
            name
        };
        for (_, NewNode { node, .. }) in &mut self.change.added {
            node.inputs.iter_mut().for_each(|name| *name = now(name));
            node.outputs.iter_mut().for_each(|name| *name = now(name));
        }
        let all: BTreeMap<String, String> =
            renamed.keys().map(|old| (old.clone(), now(old))).collect();
        self.change.renamed = all;
        // What a match has taken away, as far as nothing needs it any more.
        let mut candidates = self.nodes.clone();
        loop {
            let mut used: BTreeSet<String> =
                self.net.outputs.union(&self.net.kept).cloned().collect();
            for (i, node) in self.net.nodes.iter().enumerate() {
                if !self.change.removed.contains(&i) {
                    used.extend(node.inputs.iter().map(&now));
                }
            }
            for (_, NewNode { node, .. }) in &self.change.added {
                used.extend(node.inputs.iter().cloned());
            }
            let is_dead = |at: &usize| {
                let outputs = self.net.nodes[*at].outputs.iter();
                outputs
                    .filter(|name| !name.is_empty())
                    .all(|name| self.superseded.contains(name) || !used.contains(&now(name)))
            };
            let dead: Vec<usize> = candidates.iter().copied().filter(is_dead).collect();
            if dead.is_empty() {
                break;
            }
            for at in dead {
                candidates.remove(&at);
                self.change.removed.insert(at);
            }
        }
        self.change
    }
}
