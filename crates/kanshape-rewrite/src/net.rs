//! [`Net`]: a program as nodes and values with types, in which rules are matched. [`Match`]: a place where one does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use kanshape::graph::{Graph, ValueId};
use kanshape::tree::relation;
use kanshape::{AttrValue, Content, Diagnostic, Operator, Relations, Type, diag::Source};

use crate::condition::{self, Condition};
use crate::family;
use crate::program::{Program, Slot, domain};
use crate::symbolic::{RuleUse, Symbolic};

/// The steps of matching a rule.
const STEPS_OF_MATCHES: usize = 2_000_000;
/// The most matches of a rule that are followed at one time.
const MOST_MATCHES: usize = 20_000;

/// A node of a program.
#[derive(Clone, Debug, Default)]
pub struct NetNode {
    /// Its operator, without the domain.
    pub op: String,
    /// The domain of its operator, empty for ONNX's own.
    pub domain: String,
    /// Its attributes.
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// It has bodies, or attributes that can't be read: no rule takes it away.
    pub is_opaque: bool,
    /// The values that it takes; empty where one is left out.
    pub inputs: Vec<String>,
    /// The values that it gives.
    pub outputs: Vec<String>,
}

/// A program as nodes and values with types.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// The nodes, each behind those that it needs.
    pub nodes: Vec<NetNode>,
    /// The types of values.
    pub types: BTreeMap<String, Type>,
    /// The values that are constants.
    pub constants: BTreeSet<String>,
    /// The values that the program gives.
    pub outputs: BTreeSet<String>,
    /// The values that bodies use: they keep their names.
    pub kept: BTreeSet<String>,
    /// The version of ONNX's operators.
    pub opset: Option<u64>,
}

impl Net {
    /// The program that a graph of operators is, with these outputs. Values are called by their numbers: `v0`, `v1`.
    ///
    /// ```
    /// use kanshape::graph::Graph;
    /// use kanshape_rewrite::{Net, Rules};
    ///
    /// let catalog = kanshape::catalog();
    /// let mut graph = Graph::new(catalog);
    /// let x = graph.value(&"f32[N, 4]".parse()?)?;
    /// let neg = graph.call(&catalog.operator("onnx::Neg", None)?, vec![], &[true], &[true])?;
    /// let (_, once) = graph.add(neg, &[x]);
    /// let (_, twice) = graph.add(neg, &[once.get(0).unwrap()]);
    ///
    /// let rules = Rules::load_str(catalog, "own.kan", "rule twice: Neg(Neg(X)) => X")?;
    /// let net = Net::of_graph(&mut graph, [twice.get(0).unwrap()]);
    /// let found = rules.matches(&net)?;
    /// assert_eq!((&*found.all[0].rule, found.all[0].root()), ("twice", Some("v2")));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn of_graph(graph: &mut Graph, outputs: impl IntoIterator<Item = ValueId>) -> Net {
        let called = |value: ValueId| format!("v{}", value.index());
        let mut net = Net {
            outputs: outputs.into_iter().map(called).collect(),
            ..Net::default()
        };
        for node in graph.nodes() {
            let (Some((_, outputs)), call) = (graph.operands(node), graph.call_at(node)) else {
                continue;
            };
            let mut given = outputs.iter().map(called);
            let (Some(operator), Some(call)) = (graph.operator(node), call) else {
                // Nothing is known of what it does.
                let inputs = graph.operands(node).into_iter();
                net.nodes.push(NetNode {
                    is_opaque: true,
                    inputs: inputs
                        .flat_map(|(all, _)| all)
                        .map(|v| called(*v))
                        .collect(),
                    outputs: given.collect(),
                    ..NetNode::default()
                });
                continue;
            };
            let inputs = 0..call.inputs.len();
            let inputs = inputs.map(|i| graph.input_at(node, i).map(called).unwrap_or_default());
            let is_there = call.outputs.unwrap_or_default().into_iter();
            let outputs = is_there.map(|own| own.and_then(|_| given.next()).unwrap_or_default());
            net.nodes.push(NetNode {
                op: operator.name().to_owned(),
                domain: domain(&operator).to_owned(),
                attrs: call.attrs,
                is_opaque: false,
                inputs: inputs.collect(),
                outputs: outputs.collect(),
            });
        }
        let values = graph.each_value();
        let mut reading = graph.read();
        for value in values {
            net.types.insert(called(value), reading.ty(value));
        }
        net
    }
}

/// A place where a rule matches.
#[derive(Clone, Debug)]
pub struct Match {
    /// The name of the rule.
    pub rule: String,
    /// The node that gives the first output.
    pub node: usize,
    /// Does it hold there?
    pub held: Held,
    /// The nodes that are matched.
    pub(crate) nodes: BTreeSet<usize>,
    /// The values that the leaves are, and then what the steps of the left side give.
    pub(crate) values: Vec<Option<String>>,
    /// Its pattern, and the number of that: a rule with variables has several.
    pub(crate) pattern: Arc<RulePattern>,
    number: usize,
}

/// The places where rules match.
///
/// ```
/// use kanshape_rewrite::{Held, Net, NetNode, Rules};
///
/// let text = "rule twice: Neg(Neg(X)) => X\nrule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)";
/// let rules = Rules::load_str(kanshape::catalog(), "own.kan", text)?;
/// let node = |op: &str, inputs: &[&str], output: &str| NetNode {
///     op: op.into(),
///     inputs: inputs.iter().map(|name| (*name).into()).collect(),
///     outputs: vec![output.into()],
///     ..NetNode::default()
/// };
/// let mut net = Net::default();
/// net.nodes = vec![node("MatMul", &["a", "b"], "p"), node("Add", &["p", "c"], "y")];
/// for (name, ty) in [("a", "f32[N, 4]"), ("b", "f32[4, 8]"), ("c", "f32[M, 8]")] {
///     net.types.insert(name.into(), ty.parse()?);
/// }
/// net.outputs.insert("y".into());
///
/// let found = rules.matches(&net)?;
/// let [one] = &found.all[..] else { panic!("one match") };
/// assert_eq!((&*one.rule, one.node), ("gemm", 1));
/// // Gemm does not stretch a product of one row.
/// assert_eq!(one.held, Held::Depends(vec!["M in {1, N}".into()]));
/// assert!(found.cut_off.is_empty());
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Matches {
    /// The matches, in the order of the nodes.
    pub all: Vec<Match>,
    /// The rules of which there may be more, for the search has become too long or their sides can't be put into a graph.
    pub cut_off: BTreeSet<String>,
}

/// Does a rule hold where it matches?
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// Always: it can be applied.
    Always,
    /// Under these conditions.
    Depends(Vec<String>),
    /// It does not, for this reason.
    Never(String),
    /// That is not known, for this reason.
    Unknown(String),
}

/// A rule that is ready to be matched.
pub(crate) struct RulePattern {
    pub(crate) name: String,
    pub(crate) program: Program,
    condition: Option<Condition>,
    relations: Relations,
    /// The leaves that are constants, and those whose contents the rule speaks of.
    constants: Vec<bool>,
    contents: Vec<bool>,
    /// The step that makes a place, if one does.
    maker: Vec<Option<usize>>,
}

impl RulePattern {
    /// The patterns of a rule: one, or with variables in attributes one for each of their values.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    pub(crate) fn of(
        tree: &relation::Rule,
        relations: &Relations,
        source: Option<&Source>,
        opset: Option<u64>,
    ) -> Result<Vec<RulePattern>, Diagnostic> {
        let one = |tree| RulePattern::one(tree, relations, source, opset);
        match family::of(tree, relations, opset)? {
            None => Ok(vec![one(tree)?]),
            Some(family) => Ok(family.rules().filter_map(|tree| one(tree).ok()).collect()),
        }
    }

    fn one(
        tree: &relation::Rule,
        relations: &Relations,
        source: Option<&Source>,
        opset: Option<u64>,
    ) -> Result<RulePattern, Diagnostic> {
        let (program, condition) = match condition::compiled(tree, relations, source, opset)? {
            (_, Some((condition, program))) => (program, Some(condition)),
            (program, None) => (program, None),
        };
        let relations = condition
            .as_ref()
            .map_or_else(|| relations.clone(), |own| own.relations.clone());
        let has_contents = |name: &str| {
            let declared = tree.leaves.iter().find(|leaf| *leaf.name.node == *name);
            declared.is_some_and(|leaf| leaf.contents.is_some())
        };
        let mut maker = vec![None; program.slots];
        for (i, step) in program.steps.iter().enumerate() {
            maker[step.first..step.first + step.outputs].fill(Some(i));
        }
        Ok(RulePattern {
            name: tree.name.node.to_string(),
            constants: program.constants_of(tree),
            contents: program
                .leaves
                .iter()
                .map(|l| has_contents(&l.name))
                .collect(),
            program,
            condition,
            relations,
            maker,
        })
    }

    /// What its operators are operators of.
    pub(crate) fn relations(&self) -> &Relations {
        &self.relations
    }

    /// What has no operator on the right takes nothing but nodes away.
    pub(crate) fn only_takes_away(&self) -> bool {
        self.program.right.steps.is_empty()
    }
}

impl fmt::Debug for RulePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({})", self.name)
    }
}

/// What gives a value, and how often it is taken.
struct NetIndex<'n> {
    net: &'n Net,
    makers: BTreeMap<&'n str, (usize, usize)>,
    takers: BTreeMap<&'n str, BTreeSet<usize>>,
}

impl<'n> NetIndex<'n> {
    fn new(net: &'n Net) -> NetIndex<'n> {
        let mut index = NetIndex {
            net,
            makers: BTreeMap::new(),
            takers: BTreeMap::new(),
        };
        for (i, node) in net.nodes.iter().enumerate() {
            for (place, name) in node.outputs.iter().enumerate() {
                index.makers.insert(name, (i, place));
            }
            for name in &node.inputs {
                index.takers.entry(name).or_default().insert(i);
            }
        }
        index
    }
}

/// A match while it is looked for.
#[derive(Clone)]
struct PartialMatch {
    /// The values of places.
    values: Vec<Option<String>>,
    /// The nodes of steps.
    nodes: BTreeMap<usize, usize>,
}

/// All matches of these patterns, in the order of the nodes.
pub(crate) fn matches(net: &Net, patterns: &[Arc<RulePattern>]) -> Matches {
    let index = NetIndex::new(net);
    let mut found = Matches::default();
    for (number, pattern) in patterns.iter().enumerate() {
        let symbolic = Symbolic::new(
            &pattern.program,
            pattern.condition.as_ref(),
            &pattern.relations,
            0,
        );
        let (Ok(symbolic), (partials, is_cut_off)) = (symbolic, pattern.partials(&index)) else {
            found.cut_off.insert(pattern.name.clone());
            continue;
        };
        if is_cut_off {
            found.cut_off.insert(pattern.name.clone());
        }
        let all = partials.into_iter();
        let all = all.filter_map(|partial| pattern.finish(&index, partial, &symbolic, number));
        found.all.extend(all);
    }
    found.all.sort_by_key(|one| (one.node, one.number));
    found
}

impl RulePattern {
    /// The matches of the left side in the program, and whether there may be more.
    fn partials(&self, index: &NetIndex<'_>) -> (Vec<PartialMatch>, bool) {
        let mut steps = STEPS_OF_MATCHES;
        let mut is_cut_off = false;
        let mut all = vec![PartialMatch {
            values: vec![None; self.program.slots],
            nodes: BTreeMap::new(),
        }];
        for root in &self.program.left.roots {
            let Some(step) = self.maker[*root] else {
                // A side that is a leaf matches everything.
                return (Vec::new(), false);
            };
            let place = root - self.program.steps[step].first;
            let mut next = Vec::new();
            'partials: for partial in &all {
                if partial.values[*root].is_some() {
                    next.push(partial.clone());
                    continue;
                }
                for (i, node) in index.net.nodes.iter().enumerate() {
                    if steps == 0 || next.len() >= MOST_MATCHES {
                        is_cut_off = true;
                        break 'partials;
                    }
                    steps -= 1;
                    if node.op != self.program.steps[step].operator.name() {
                        continue;
                    }
                    let Some(name) = node.outputs.get(place).filter(|name| !name.is_empty()) else {
                        continue;
                    };
                    let mut partial = partial.clone();
                    // Two outputs of a rule are two nodes.
                    let is_taken = partial.nodes.values().any(|own| *own == i);
                    if !is_taken && self.unify(index, &mut partial, *root, name) {
                        next.push(partial);
                    }
                }
            }
            all = next;
        }
        (all, is_cut_off)
    }

    /// Is a place of the rule this value?
    fn unify(
        &self,
        index: &NetIndex<'_>,
        partial: &mut PartialMatch,
        root: Slot,
        name: &str,
    ) -> bool {
        let mut open: Vec<(Slot, String)> = vec![(root, name.to_owned())];
        while let Some((slot, name)) = open.pop() {
            if let Some(known) = &partial.values[slot] {
                if *known != name {
                    return false;
                }
                continue;
            }
            partial.values[slot] = Some(name.clone());
            if slot < self.program.leaves.len() {
                if self.constants[slot] && !index.net.constants.contains(&name) {
                    return false;
                }
                continue;
            }
            if let Some((_, ty)) = self.program.constants.iter().find(|own| own.0 == slot) {
                let is_same = index
                    .net
                    .types
                    .get(&name)
                    .is_some_and(|own| is_value(own, ty));
                if !is_same {
                    return false;
                }
                continue;
            }
            let Some(step) = self.maker[slot] else {
                return false;
            };
            let own = &self.program.steps[step];
            let Some((at, place)) = index.makers.get(&*name).copied() else {
                return false;
            };
            let node = &index.net.nodes[at];
            if place != slot - own.first
                || partial.nodes.get(&step).is_some_and(|other| *other != at)
                || !is_call(&own.operator, &own.attrs, node)
            {
                return false;
            }
            partial.nodes.insert(step, at);
            let left_out = |name: Option<&String>| name.is_none_or(String::is_empty);
            let given = node.inputs.iter().rposition(|name| !name.is_empty());
            if given.map_or(0, |last| last + 1) > own.inputs.len() {
                return false;
            }
            for (i, slot) in own.inputs.iter().enumerate() {
                let name = node.inputs.get(i);
                match slot {
                    None if left_out(name) => {}
                    Some(slot) if !left_out(name) => {
                        open.push((*slot, name.cloned().unwrap_or_default()));
                    }
                    _ => return false,
                }
            }
            for i in 0..own.outputs {
                if let Some(name) = node.outputs.get(i).filter(|name| !name.is_empty()) {
                    let slot = own.first + i;
                    if partial.values[slot].as_ref().is_some_and(|own| own != name) {
                        return false;
                    }
                    partial.values[slot] = Some(name.clone());
                }
            }
        }
        true
    }

    /// The match, if what it takes away is not needed elsewhere.
    fn finish(
        self: &Arc<RulePattern>,
        index: &NetIndex<'_>,
        partial: PartialMatch,
        symbolic: &Symbolic<'_>,
        number: usize,
    ) -> Option<Match> {
        let net = index.net;
        let nodes: BTreeSet<usize> = partial.nodes.values().copied().collect();
        let roots = &self.program.left.roots;
        let root_names: BTreeSet<&str> = roots
            .iter()
            .filter_map(|slot| partial.values[*slot].as_deref())
            .collect();
        // What is made between and taken elsewhere would be made twice.
        let is_free = |at: &usize| {
            let node = &net.nodes[*at];
            node.outputs
                .iter()
                .filter(|name| !name.is_empty())
                .all(|name| {
                    root_names.contains(&**name)
                        || !net.outputs.contains(name)
                            && !net.kept.contains(name)
                            && index
                                .takers
                                .get(&**name)
                                .is_none_or(|takers| takers.is_subset(&nodes))
                })
        };
        let is_root = |at: &usize| {
            net.nodes[*at]
                .outputs
                .iter()
                .any(|name| root_names.contains(&**name))
        };
        if !self.only_takes_away() && !nodes.iter().all(is_free)
            || !nodes.iter().filter(|at| is_root(at)).all(is_free)
        {
            return None;
        }
        let leaves = self.program.leaves.len();
        let mut types: Vec<Type> = Vec::with_capacity(leaves);
        for (i, name) in partial.values[..leaves].iter().enumerate() {
            let ty = net.types.get(name.as_ref()?).cloned().unwrap_or_default();
            let is_known = ty
                .as_tensor()
                .and_then(|t| t.contents.as_ref())
                .is_some_and(|all| all.iter().all(|member| !matches!(member, Content::Hole)));
            if self.contents[i] && !is_known {
                return None;
            }
            types.push(ty);
        }
        let held = match symbolic.on(&types) {
            RuleUse::Always(_) => Held::Always,
            RuleUse::Depends(needs) => Held::Depends(needs),
            RuleUse::Never(why) => Held::Never(why),
            RuleUse::Unknown(why) => Held::Unknown(why),
        };
        let node = index.makers.get(partial.values[roots[0]].as_deref()?)?.0;
        Some(Match {
            rule: self.name.clone(),
            node,
            held,
            nodes,
            values: partial.values,
            pattern: Arc::clone(self),
            number,
        })
    }
}

/// Is a value this constant?
fn is_value(own: &Type, constant: &Type) -> bool {
    let (Some(own), Some(constant)) = (own.as_tensor(), constant.as_tensor()) else {
        return false;
    };
    own.dtype == constant.dtype
        && own.shape == constant.shape
        && own.contents.is_some()
        && own.contents == constant.contents
}

/// Is a node a call of this operator with these attributes?
fn is_call(operator: &Operator, attrs: &[(Box<str>, AttrValue)], node: &NetNode) -> bool {
    if node.is_opaque || node.op != operator.name() || node.domain != domain(operator) {
        return false;
    }
    let given = |attrs: &[(Box<str>, AttrValue)], name: &str| {
        let own = attrs.iter().find(|own| *own.0 == *name);
        own.map(|own| own.1.clone())
    };
    let mut known = BTreeSet::new();
    for attribute in operator.attributes() {
        known.insert(attribute.name);
        let default = attribute.default.cloned();
        let own = given(attrs, attribute.name).or_else(|| default.clone());
        let other = given(&node.attrs, attribute.name).or(default);
        match (own, other) {
            (None, None) => {}
            (Some(one), Some(other)) if is_same(&one, &other) => {}
            _ => return false,
        }
    }
    node.attrs.iter().all(|(name, _)| known.contains(&**name))
}

/// Are two values of an attribute the same? Models have floats of 32 bits.
fn is_same(one: &AttrValue, other: &AttrValue) -> bool {
    match (one, other) {
        (AttrValue::Float(a), AttrValue::Float(b)) => a.get() as f32 == b.get() as f32,
        (AttrValue::List(a), AttrValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        _ => one.to_string() == other.to_string(),
    }
}
