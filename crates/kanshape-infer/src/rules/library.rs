//! A library: relations that can be run, and how files of them are added.

use super::compile::{Compiler, Draft};
use super::condition::Conditions;
use super::error;
use super::finish;
use super::native::{self, Native};
use super::op::{self, OpRule, OpSignature};
use super::rule::Rule;
use crate::encode::Kind;
use crate::encode::Words;
use crate::encode::kind::Kinds;
use crate::rules::plan::Plan;
use kanshape_diag::{Diagnostic, Source};
use kanshape_syntax::relation;
use kanshape_syntax::tree::{Ident, Span, Spanned};
use kanshape_types::Name;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// A file as it was loaded.
#[derive(Debug)]
pub(crate) struct File {
    pub name: Box<str>,
    pub text: Box<str>,
    pub tree: relation::File,
}

impl File {
    /// Says of a mistake which file it is in.
    pub(crate) fn blame(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.source.get_or_insert_with(|| Source {
            name: self.name.to_string(),
            text: self.text.to_string(),
        });
        diagnostic
    }
}

/// A clause of a relation, and where it stands.
#[derive(Debug)]
pub(crate) struct Placed {
    pub rule: usize,
    pub clause: usize,
    /// The place of its file among those that were loaded with it.
    pub file: usize,
    pub span: Span,
}

/// Where the relations of the standard library come from, once something calls one.
pub(crate) type Standard = fn() -> Arc<Library>;

/// Relations that can be run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    pub rules: Vec<Arc<Rule>>,
    numbers: HashMap<(Name, usize), usize>,
    /// Those that a user has stated in Rust.
    stated: BTreeSet<usize>,
    pub words: Words,
    /// The operators by name and then by domain, the newest version first.
    pub ops: FxHashMap<Name, BTreeMap<Name, Vec<Arc<OpRule>>>>,
    /// What signatures in it call.
    standard: Option<Standard>,
}

impl Library {
    /// Relations in Rust, and nothing else. What signatures call is in the `standard` library.
    pub(crate) fn of_natives(
        natives: impl IntoIterator<Item = Arc<dyn Native>>,
        standard: Standard,
    ) -> Library {
        let mut library = Library {
            standard: Some(standard),
            ..Library::default()
        };
        natives.into_iter().for_each(|n| library.add_native(n));
        library
    }

    /// A relation in the form in which it is calculated.
    pub(crate) fn plan(&self, number: usize) -> &Plan {
        self.plan_of(&self.rules[number], number)
    }

    /// The same of a rule that may have no number here.
    pub(crate) fn plan_of<'r>(&self, rule: &'r Rule, number: usize) -> &'r Plan {
        let plan = || Plan::new(&self.rules, rule, number);
        rule.planned.get_or_init(plan)
    }

    /// Adds a relation that a user has stated in Rust. It may hide one of the standard library, and nothing else.
    pub(crate) fn register(
        &mut self,
        relation: Arc<dyn Native>,
        standard: &Library,
    ) -> Result<(), Diagnostic> {
        let (name, arity) = native::key(&*relation);
        if let Some(known) = self.find(&name, arity) {
            let hidden = standard
                .rules
                .get(known)
                .is_some_and(|r| Arc::ptr_eq(r, &self.rules[known]));
            if !hidden {
                return Err(error::defined_already(&name, arity));
            }
        }
        self.stated.insert(self.rules.len());
        self.add_native(relation);
        Ok(())
    }

    fn add_native(&mut self, native: Arc<dyn Native>) {
        let key = native::key(&*native);
        self.numbers.insert(key.clone(), self.rules.len());
        self.rules.push(Arc::new(Rule {
            name: key.0,
            kinds: native.params().iter().map(native::Param::kind).collect(),
            clauses: Box::default(),
            native: Some(native),
            planned: OnceLock::new(),
        }));
    }

    /// The number of a relation, by its name and of how many things it is.
    pub(crate) fn find(&self, name: &str, arity: usize) -> Option<usize> {
        self.numbers.get(&(Name::from(name), arity)).copied()
    }

    /// Of how many things relations of this name are.
    pub(crate) fn arities(&self, name: &str) -> Vec<usize> {
        let all = self.numbers.keys().filter(|k| k.0.as_str() == name);
        let mut arities: Vec<usize> = all.map(|k| k.1).collect();
        arities.sort_unstable();
        arities
    }

    /// The names of its relations, in alphabetical order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.numbers.keys().map(|k| k.0.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Is there a relation of this name, of however many things?
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.numbers.keys().any(|k| k.0.as_str() == name)
    }

    /// The names of its relations that are about types alone, in alphabetical order.
    pub(crate) fn names_of_types(&self) -> Vec<&str> {
        let of_types = |number: usize| self.rules[number].kinds.iter().all(|k| *k == Kind::Type);
        let all = self.numbers.iter().filter(|(_, number)| of_types(**number));
        let mut names: Vec<&str> = all.map(|(key, _)| key.0.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The relation that is called with types.
    pub(crate) fn called_of_types(&self, name: &Ident, arity: usize) -> Result<usize, Diagnostic> {
        let number = self.called(name, arity)?;
        let mut kinds = self.rules[number].kinds.iter();
        match kinds.find(|k| **k != Kind::Type) {
            Some(kind) => Err(error::not_of_types(name, kind)),
            None => Ok(number),
        }
    }

    /// The relation that a call means.
    pub(crate) fn called(&self, name: &Ident, arity: usize) -> Result<usize, Diagnostic> {
        if let Some(number) = self.find(&name.node, arity) {
            return Ok(number);
        }
        let arities = self.arities(&name.node);
        Err(match arities.is_empty() {
            true => error::unknown_relation(name, &self.names()),
            false => error::call_arity(name, &arities, arity),
        })
    }

    /// Adds the relations of some files. What is defined there hides what was known by that name
    /// before. Returns where each of its clauses stands.
    pub(crate) fn add(&mut self, files: &[Arc<File>]) -> Result<Vec<Placed>, Diagnostic> {
        let first = self.rules.len();
        let mut compiler = Compiler {
            kinds: Kinds::default(),
            params: Vec::new(),
            words: std::mem::take(&mut self.words),
            needs: Vec::new(),
            standard: self.standard,
        };
        let mut drafts = self.declare(files, &mut compiler)?;
        for (i, file) in files.iter().enumerate() {
            compiler.kinds.file = i;
            for clause in &file.tree.clauses {
                let of = self.numbers[&key(&clause.node)];
                let draft = compiler
                    .clause(self, of, &clause.node)
                    .map_err(|d| file.blame(d))?;
                drafts.clauses[of - first].push((i, clause.node.name.span, draft));
            }
        }
        for (i, file) in files.iter().enumerate() {
            compiler.kinds.file = i;
            for op in &file.tree.ops {
                self.add_op(&mut compiler, &mut drafts, first, i, op, file)
                    .map_err(|d| file.blame(d))?;
            }
        }
        compiler.kinds.settle();
        let mut conditions = Conditions::of(&self.rules[..first]);
        for (i, clauses) in drafts.clauses.iter().enumerate() {
            if let [(_, _, draft)] = &clauses[..] {
                conditions.add(first + i, &draft.clause);
            }
        }
        for (i, clauses) in drafts.clauses.into_iter().enumerate() {
            if drafts.finished.contains(&(first + i)) {
                continue;
            }
            let kinds = compiler.params[first + i].iter();
            let kinds: Box<[Kind]> = kinds.map(|k| compiler.kinds.kind(*k)).collect();
            let mut done = Vec::with_capacity(clauses.len());
            for (file, span, mut draft) in clauses {
                let variables = draft.scope.variables.iter();
                let mut kinds = variables
                    .map(|v| (v.kind, v.place))
                    .chain(draft.head.iter().copied());
                if let Some((_, at)) = kinds.find(|(kind, _)| compiler.kinds.is_deep(*kind)) {
                    return Err(files[file].blame(error::deep(at)));
                }
                let asked = draft.needs.iter();
                let met = asked.map(|n| n.check(&compiler.kinds));
                met.collect::<Result<(), _>>()
                    .map_err(|d| files[file].blame(d))?;
                finish::clause(
                    &compiler.kinds,
                    &conditions,
                    &mut draft.clause,
                    &draft.scope,
                );
                drafts.places.push(Placed {
                    rule: first + i,
                    clause: done.len(),
                    file,
                    span,
                });
                done.push(draft.clause);
            }
            self.rules[first + i] = Arc::new(Rule {
                name: self.rules[first + i].name.clone(),
                kinds,
                clauses: done.into(),
                native: None,
                planned: OnceLock::new(),
            });
        }
        self.words = compiler.words;
        Ok(drafts.places)
    }

    /// Adds an operator and its rule.
    fn add_op(
        &mut self,
        compiler: &mut Compiler,
        drafts: &mut Drafts,
        first: usize,
        number: usize,
        op: &Spanned<relation::Op>,
        file: &File,
    ) -> Result<(), Diagnostic> {
        let signature = op::signature(&op.node, self.standard)?;
        let arity = op::arity(&op.node, signature.as_ref());
        let params = signature.as_ref().map_or(0, |s| s.compiled.params.len());
        let rule = self.rules.len();
        if let Some(own) = op::own_rule(&op.node, signature.as_ref()) {
            let kinds = own.kinds.iter().map(|k| compiler.kinds.known(k, None));
            compiler.params.push(kinds.collect());
            drafts.clauses.push(Vec::new());
            drafts.finished.insert(rule);
            for clause in 0..own.clauses.len() {
                drafts.places.push(Placed {
                    rule,
                    clause,
                    file: number,
                    span: op::place(op),
                });
            }
            self.rules.push(Arc::new(own));
            return self.index(op, file, signature, rule, first);
        }
        self.rules.push(Arc::new(Rule {
            name: op::rule_name(&op.node),
            kinds: Box::default(),
            clauses: Box::default(),
            native: None,
            planned: OnceLock::new(),
        }));
        let kinds = (0..arity).map(|_| compiler.kinds.open()).collect();
        compiler.params.push(kinds);
        drafts.clauses.push(Vec::new());
        let draft = compiler.op(self, rule, &op.node, params)?;
        drafts.clauses[rule - first].push((number, op::place(op), draft));
        self.index(op, file, signature, rule, first)
    }

    /// Enters an operator in the index, by each of its names.
    fn index(
        &mut self,
        op: &Spanned<relation::Op>,
        file: &File,
        signature: Option<OpSignature>,
        rule: usize,
        first: usize,
    ) -> Result<(), Diagnostic> {
        let text = file
            .text
            .get(op.span.start..op.span.end)
            .unwrap_or_default();
        let described = Arc::new(op::describe(&op.node, text, &file.name, signature, rule)?);
        for name in std::iter::once(&op.node.name).chain(&op.node.aliases) {
            let domains = self.ops.entry(Name::from(&*name.node)).or_default();
            let versions = domains.entry(described.domain.clone()).or_default();
            let place = versions.partition_point(|v| v.since > described.since);
            let described = Arc::clone(&described);
            match versions.get(place) {
                // What was loaded before is hidden; what is loaded now is said once.
                Some(other) if other.since == described.since && other.rule >= first => {
                    return Err(error::duplicate_operator(name, described.since, &file.name));
                }
                Some(other) if other.since == described.since => versions[place] = described,
                _ => versions.insert(place, described),
            }
        }
        Ok(())
    }

    /// Gives the relations of the files numbers.
    fn declare(
        &mut self,
        files: &[Arc<File>],
        compiler: &mut Compiler,
    ) -> Result<Drafts, Diagnostic> {
        for rule in &self.rules {
            let kinds = rule.kinds.iter().map(|k| compiler.kinds.known(k, None));
            compiler.params.push(kinds.collect());
        }
        let mut drafts = Drafts::default();
        let mut home: HashMap<(Name, usize), &File> = HashMap::new();
        for file in files {
            for clause in &file.tree.clauses {
                let key = key(&clause.node);
                match home.get(&key) {
                    Some(other) if std::ptr::eq(*other, &**file) => continue,
                    Some(other) => {
                        let d = error::duplicate(&clause.node.name, key.1, &other.name);
                        return Err(file.blame(d));
                    }
                    None => home.insert(key.clone(), file),
                };
                let known = self.numbers.get(&key);
                if known.is_some_and(|number| self.stated.contains(number)) {
                    let d = error::stated_in_rust(&clause.node.name, key.1);
                    return Err(file.blame(d));
                }
                self.numbers.insert(key.clone(), self.rules.len());
                self.rules.push(Arc::new(Rule {
                    name: key.0,
                    kinds: Box::default(),
                    clauses: Box::default(),
                    native: None,
                    planned: OnceLock::new(),
                }));
                let kinds = (0..key.1).map(|_| compiler.kinds.open()).collect();
                compiler.params.push(kinds);
                drafts.clauses.push(Vec::new());
            }
        }
        Ok(drafts)
    }
}

fn key(clause: &relation::Clause) -> (Name, usize) {
    (Name::from(&*clause.name.node), clause.params.len())
}

/// What has been compiled so far, by relation.
#[derive(Default)]
struct Drafts {
    clauses: Vec<Vec<(usize, Span, Draft)>>,
    /// The numbers of rules that are whole already.
    finished: BTreeSet<usize>,
    places: Vec<Placed>,
}
