//! [`Rules`]: the rules of files. [`Rule`]: one of them, ready to be checked.

mod given;

use std::fmt;
use std::sync::Arc;

use kanshape::tree::relation::{self, Dtypes, Formal, Goal, Term};
use kanshape::tree::{Ident, Spanned};
use kanshape::tree::{parse_relations, relation::parse_rule};
use kanshape::{
    Diagnostic, Relations,
    diag::{Source, suggest},
};

use crate::check::{Checked, STEPS, STEPS_OF_RULE};
use crate::code;
use crate::ground::Memory;
use crate::made;
use crate::net::{self, Matches, Net, RulePattern};
use crate::program::listed;
use crate::repair::Repair;
#[cfg(feature = "onnx")]
use crate::replay::{self, Sides};
use crate::soundness::{Bounds, Case, Soundness};
use crate::values::Values;
use given::{GivenLeaf, is_spoken_of, no_leaf, with_head_hint, with_literal};

/// The most times the usual steps that a budget allows.
const MOST_EFFORT: u64 = 1_000;

/// The rules of files, with the relations and operators that they speak of.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// A rule.
#[derive(Clone)]
pub struct Rule {
    tree: relation::Rule,
    /// The text in which it stands, unless parts of it stand in others.
    source: Option<Arc<Source>>,
    relations: Relations,
    opset: Option<u64>,
    bounds: Bounds,
    budget: Option<u64>,
    memory: Memory,
}

impl Rules {
    /// The rules of a text. The relations and operators that stand in it are known to them, beside those given.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the text can't be read, or if its relations can't be loaded.
    pub fn load_str(relations: &Relations, name: &str, text: &str) -> Result<Rules, Diagnostic> {
        let source = Arc::new(Source {
            name: name.into(),
            text: text.into(),
        });
        let file = parse_relations(text).map_err(|mut mistake| {
            mistake.source = Some(Source::clone(&source));
            mistake
        })?;
        let relations = match file.clauses.is_empty() && file.ops.is_empty() {
            true => relations.clone(),
            false => relations.with([(name, text)])?,
        };
        let memory = Memory::default();
        let rule = |tree: Spanned<relation::Rule>| Rule {
            source: Some(Arc::clone(&source)),
            ..Rule::new(tree.node, &relations, &memory)
        };
        Ok(Rules {
            rules: file.rules.into_iter().map(rule).collect(),
        })
    }

    /// These rules and, behind them, others.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Rule>) {
        self.rules.extend(others);
    }

    /// All rules in the order in which they are written.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter()
    }

    /// The places of a program where the rules match, in the order of its nodes.
    ///
    /// # Errors
    /// A [`Diagnostic`] if a rule speaks of what is not known.
    pub fn matches(&self, net: &Net) -> Result<Matches, Diagnostic> {
        Ok(net::matches(net, &self.patterns(net.opset)?))
    }

    /// The rules, ready to be matched. One whose operators this version does not have matches nothing.
    pub(crate) fn patterns(&self, opset: Option<u64>) -> Result<Vec<Arc<RulePattern>>, Diagnostic> {
        let mut patterns = Vec::new();
        for rule in &self.rules {
            let pattern =
                |opset| RulePattern::of(&rule.tree, &rule.relations, rule.source(), opset);
            match pattern(opset) {
                Ok(own) => patterns.extend(own.into_iter().map(Arc::new)),
                Err(_) if pattern(None).is_ok() => {}
                Err(mistake) => return Err(mistake),
            }
        }
        Ok(patterns)
    }

    /// The rule of this name.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there is none.
    pub fn rule(&self, name: &str) -> Result<&Rule, Diagnostic> {
        self.iter().find(|rule| rule.name() == name).ok_or_else(|| {
            let d = Diagnostic::new(code::NO_RULE, format!("there is no rule `{name}`"));
            match suggest(name, self.iter().map(Rule::name)) {
                Some(near) => d.with_help(format!("did you mean `{near}`?")),
                None => d,
            }
        })
    }
}

impl IntoIterator for Rules {
    type Item = Rule;
    type IntoIter = std::vec::IntoIter<Rule>;

    fn into_iter(self) -> Self::IntoIter {
        self.rules.into_iter()
    }
}

impl Rule {
    /// A rule that stands in no text. What is found out when it is checked is kept for other rules.
    pub(crate) fn new(mut tree: relation::Rule, relations: &Relations, memory: &Memory) -> Rule {
        let names: Vec<Box<str>> = tree
            .attrs
            .iter()
            .map(|attr| attr.name.node.clone())
            .collect();
        for node in tree.left.iter_mut().chain(&mut tree.right) {
            with_constants(&mut node.node, &names);
        }
        Rule {
            tree,
            source: None,
            relations: relations.clone(),
            opset: None,
            bounds: Bounds::default(),
            budget: None,
            memory: memory.clone(),
        }
    }

    /// A rule by itself, with or without its head, and what is known of its leaves: `("A", "T[m, k]")`. A leaf whose type the
    /// rule declares has both types.
    ///
    /// ```
    /// use kanshape_rewrite::{Rule, Sound};
    ///
    /// let text = "rule relu_twice (A: f32[m, k]): Relu(Relu(A)) => Relu(A)";
    /// let verdict = |leaf| Rule::read(kanshape::catalog(), text, [("A", leaf)]).map(|rule| rule.check().verdict);
    /// assert_eq!(verdict("f32[2, 3]")?, Sound::Always);
    /// assert_eq!(verdict("i32[2, 3]")?, Sound::Never);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the text or a type can't be read.
    pub fn read<'a>(
        relations: &Relations,
        text: &str,
        leaves: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Rule, Diagnostic> {
        let mut tree = parse_rule(text).map_err(|mistake| with_head_hint(mistake, text))?;
        let mut source = Some(Arc::new(Source {
            name: "rule".to_owned(),
            text: text.to_owned(),
        }));
        let known = names_of(&tree);
        for (name, ty) in leaves {
            if !known.iter().any(|own| own == name) {
                return Err(no_leaf(name, &known));
            }
            let given = GivenLeaf::read(name, ty)?;
            if let Some(literal) = given
                .literal
                .as_ref()
                .filter(|_| !is_spoken_of(&tree, name))
            {
                with_literal(&mut tree, name, literal);
                continue;
            }
            let (pattern, contents) = (given.pattern, given.contents);
            made::add(&mut tree.body, given.goals);
            let mut leaf = Formal {
                pattern: Some(pattern),
                contents,
                ..made::formal(name)
            };
            source = None;
            if let Some(at) = tree
                .leaves
                .iter()
                .position(|own| own.name.node == leaf.name.node)
            {
                let declared = tree.leaves.remove(at);
                leaf.contents = leaf.contents.or_else(|| declared.contents.clone());
                leaf.optional = declared.optional;
                made::add(&mut tree.body, declared_goals(declared, &leaf));
            }
            tree.leaves.push(leaf);
        }
        Ok(Rule {
            source,
            ..Rule::new(tree, relations, &Memory::default())
        })
    }

    /// Can this be given of a leaf: `T[m, k]`, `i64[n] = v`, `i64[1] = [3]`?
    ///
    /// # Errors
    /// A [`Diagnostic`] if it can't be read.
    pub fn read_leaf(text: &str) -> Result<(), Diagnostic> {
        GivenLeaf::read("", text).map(drop)
    }

    /// The operators are those of this version of their set.
    #[must_use]
    pub fn opset(mut self, version: Option<u64>) -> Rule {
        self.opset = version;
        self
    }

    /// How far it is checked.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Rule {
        self.bounds = bounds;
        self
    }

    /// The steps that it may take to check it. A budget beyond the usual one lets each part of the search take more as well.
    #[must_use]
    pub fn budget(mut self, steps: Option<u64>) -> Rule {
        self.budget = steps;
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.tree.name.node
    }

    /// The rule as it is written.
    pub fn tree(&self) -> &relation::Rule {
        &self.tree
    }

    pub(crate) fn relations(&self) -> &Relations {
        &self.relations
    }

    pub(crate) fn source(&self) -> Option<&Source> {
        self.source.as_deref()
    }

    /// The version of its operators.
    pub(crate) fn version(&self) -> Option<u64> {
        self.opset
    }

    /// The names of the leaves, in the order in which they stand on the left.
    pub(crate) fn leaf_names(&self) -> Vec<String> {
        names_of(&self.tree)
    }

    /// The left side as text.
    pub fn left(&self) -> String {
        listed(&self.tree.left)
    }

    /// The right side as text.
    pub fn right(&self) -> String {
        listed(&self.tree.right)
    }

    /// Is it sound, where not, and what does it need?
    ///
    /// A rule that can't be checked - an operator that is not known, a leaf on the right alone - is
    /// [`Sound::Unknown`](crate::Sound::Unknown), and says why. [`Rule::checked`] is the same with the mistake.
    pub fn check(&self) -> Soundness {
        match self.checked() {
            Ok(soundness) => soundness,
            Err(mistake) => Soundness::unknown(mistake.headline),
        }
    }

    /// The same.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    pub fn checked(&self) -> Result<Soundness, Diagnostic> {
        self.to_check().run()
    }

    /// Are both sides the same numbers, where they have one type and the precondition holds?
    ///
    /// ```
    /// use kanshape_rewrite::{Agreement, Rule};
    ///
    /// let rule = |text| Rule::read(kanshape::catalog(), text, []);
    /// assert_eq!(rule("Add(A, B) => Add(B, A)")?.values()?.verdict, Agreement::Proved);
    /// let values = rule("Sub(A, B) => Sub(B, A)")?.values()?;
    /// assert_eq!(values.verdict, Agreement::Refuted);
    /// assert_eq!(values.counterexample.unwrap().left[0].to_string(), "f32[] = [-1.0]");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    pub fn values(&self) -> Result<Values, Diagnostic> {
        self.to_check().values()
    }

    /// What is found out of its types and of its values. The goals that it needs, and what is said of its precondition, are about both: with such goals the
    /// sides have one type and, wherever that was tried, the same numbers.
    ///
    /// ```
    /// use kanshape_rewrite::{Agreement, Audit, Rule, Sound};
    ///
    /// let text = "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))";
    /// let (types, values) = Rule::read(kanshape::catalog(), text, [])?.checked_with_values()?;
    /// assert_eq!((types.verdict, values.verdict), (Sound::Depends, Agreement::Refuted));
    /// let text = format!("{text} :- rank(A) = 2, rank(B) = 2, rank(C) = 2");
    /// let (types, values) = Rule::read(kanshape::catalog(), &text, [])?.checked_with_values()?;
    /// assert_eq!((types.audit, values.verdict), (Some(Audit::Exact), Agreement::Proved));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    pub fn checked_with_values(&self) -> Result<(Soundness, Values), Diagnostic> {
        self.to_check().run_with_values()
    }

    /// Are both sides other numbers for some leaves?
    pub(crate) fn is_refuted(&self) -> bool {
        self.to_check().is_refuted()
    }

    /// Other right sides, of a rule that does not always hold: with each of them it is
    /// [`Sound::Always`](crate::Sound::Always), or needs less.
    ///
    /// ```
    /// use kanshape_rewrite::Rule;
    ///
    /// let rule = Rule::read(kanshape::catalog(), "Add(A, c) => A", [])?;
    /// assert_eq!(rule.repairs()?[0].right, "Expand(A, Shape(c))");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    pub fn repairs(&self) -> Result<Vec<Repair>, Diagnostic> {
        self.to_check().repairs()
    }

    /// The same of a rule whose values were found to be like this: a repair is one in values as well.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    pub fn repairs_with_values(&self, values: &Values) -> Result<Vec<Repair>, Diagnostic> {
        let own = Checked {
            values: Some(values.verdict),
            ..self.to_check()
        };
        own.repairs()
    }

    /// What both sides cost in sizes of the leaves, and which is cheaper; none of a rule with variables, or of one for which no
    /// ranks were found.
    ///
    /// ```
    /// use kanshape_rewrite::{Cheaper, Rule};
    ///
    /// let text = "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C)) :- A: T[m, k], B: T[k, n], C: T[n, p]";
    /// let cost = Rule::read(kanshape::catalog(), text, [])?.cost()?.unwrap();
    /// assert!(matches!(cost.multiply_adds.cheaper, Cheaper::Where(_)));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    #[cfg(feature = "onnx")]
    pub fn cost(&self) -> Result<Option<crate::RuleCost>, Diagnostic> {
        self.to_check().cost()
    }

    /// Both sides as ONNX models on the inputs of a case, such as a counterexample: leaves whose contents are known, and constants of
    /// the program, are initializers, other leaves are inputs of the graph, and the outputs are `y0`, `y1` and so on. None if a model can't
    /// have something of it.
    ///
    /// ```
    /// use kanshape_onnx::{Model, Options, check};
    /// use kanshape_rewrite::Rule;
    ///
    /// let rule = Rule::read(kanshape::catalog(), "Add(A, c) => A", [])?;
    /// let case = rule.check().counterexample.unwrap();
    /// let sides = rule.models(&case)?.unwrap();
    /// let model = Model::read(&sides.left)?;
    /// let report = check(&model, &Options::default());
    /// assert_eq!(*report.outputs[0].1, case.left[0]);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the rule speaks of what is not known.
    #[cfg(feature = "onnx")]
    pub fn models(&self, case: &Case) -> Result<Option<Sides>, Diagnostic> {
        replay::models(&self.tree, &self.relations, self.opset, case)
    }

    pub(crate) fn to_check(&self) -> Checked<'_> {
        let effort = (self.budget.unwrap_or(0) / STEPS_OF_RULE).clamp(1, MOST_EFFORT);
        Checked {
            wants_needs: true,
            wants_backward: true,
            sharing: 1,
            steps: STEPS.saturating_mul(effort),
            effort,
            values: None,
            rule: &self.tree,
            relations: &self.relations,
            source: self.source(),
            opset: self.opset,
            bounds: self.bounds,
            memory: &self.memory,
        }
    }
}

/// The names of the leaves, in the order in which they stand on the left.
fn names_of(tree: &relation::Rule) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open: Vec<&relation::Node> = tree.left.iter().rev().map(|n| &n.node).collect();
    while let Some(node) = open.pop() {
        match node {
            relation::Node::Leaf(name) | relation::Node::Constant(name) => {
                let name = name.node.to_string();
                if !found.contains(&name) {
                    found.push(name);
                }
            }
            relation::Node::Call(call) => {
                open.extend(call.args.iter().rev().map(|arg| &arg.node));
            }
            relation::Node::Literal(_) | relation::Node::None => {}
        }
    }
    found
}

/// What a rule declares of a leaf, as goals about the leaf as it is given.
fn declared_goals(declared: Formal, given: &Formal) -> Vec<Goal> {
    let named = |name: &Ident| Term::Name(name.clone());
    let mut goals = Vec::new();
    match declared.pattern.map(|pattern| pattern.node) {
        Some(relation::Pattern::Tensor { dtype, dims }) => {
            let dtype = match dtype.node {
                Dtypes::Name(name) => named(&name),
                Dtypes::Set(all) => {
                    let own = made::name(&format!("_{}_declared", declared.name.node));
                    let all = made::list(all.iter().map(named));
                    goals.push(Goal::In(made::nowhere(own.clone()), made::nowhere(all)));
                    own
                }
            };
            let tensor = made::call("Tensor", [Term::List(dims), dtype]);
            goals.push(made::equal(&named(&declared.name), &tensor));
        }
        Some(relation::Pattern::Term(term)) => {
            goals.push(made::equal(&named(&declared.name), &term.node));
        }
        None => {}
    }
    match (&declared.contents, &given.contents) {
        (Some(own), Some(other)) if own.node != other.node => {
            goals.push(made::equal(&named(own), &named(other)));
        }
        _ => {}
    }
    goals
}

/// A declared variable in the place of an input is a constant.
fn with_constants(node: &mut relation::Node, variables: &[Box<str>]) {
    match node {
        relation::Node::Leaf(name) if variables.contains(&name.node) => {
            let term = Spanned::new(relation::Term::Name(name.clone()), name.span);
            *node = relation::Node::Literal(term);
        }
        relation::Node::Call(call) => {
            let args = call.args.iter_mut();
            args.for_each(|arg| with_constants(&mut arg.node, variables));
        }
        _ => {}
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(f)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tree.bare())
    }
}
