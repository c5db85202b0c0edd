//! A library: relations that can be run, and how files of them are added.

use super::compile::{Compiler, Draft};
use super::condition::Conditions;
use super::error;
use super::indexed::Index;
use super::known::{OpEntry, SymbolTable};
use super::native::{self, Native};
use super::op::{self, OpRule, OpSignature};
use super::rule::Rule;
use crate::encode::Kind;
use crate::encode::Words;
use crate::rules::plan::Plan;
use kanshape_diag::{Diagnostic, Source};
use kanshape_syntax::relation;
use kanshape_syntax::tree::{Ident, Span, Spanned};
use kanshape_types::{Constructor, Name, Vocabulary};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// A file as it was loaded.
#[derive(Debug)]
pub struct File {
    pub name: Cow<'static, str>,
    pub text: Cow<'static, str>,
    tree: OnceLock<relation::File>,
}

impl File {
    /// Reads a file.
    pub fn read(name: &str, text: &str) -> Result<File, Diagnostic> {
        let file = File::unread(name.to_owned(), text.to_owned());
        let tree = kanshape_syntax::parse_relations(text).map_err(|mut diagnostic| {
            diagnostic.source = None;
            file.blame(diagnostic)
        })?;
        let _ = file.tree.set(tree);
        Ok(file)
    }

    /// A file that an index says to be right: it is read when its tree is needed.
    pub fn unread(name: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> File {
        File {
            name: name.into(),
            text: text.into(),
            tree: OnceLock::new(),
        }
    }

    /// Operators that are made, and stand in no text.
    pub fn made(ops: impl IntoIterator<Item = relation::Op>) -> File {
        let ops = ops.into_iter().map(|op| Spanned::new(op, Span::default()));
        let tree = relation::File {
            ops: ops.collect(),
            ..relation::File::default()
        };
        File {
            tree: OnceLock::from(tree),
            ..File::unread("", "")
        }
    }

    /// What is written in it.
    pub fn tree(&self) -> &relation::File {
        let read = || kanshape_syntax::parse_relations(&self.text).unwrap_or_default();
        self.tree.get_or_init(read)
    }

    /// Says of a mistake which file it is in. The places in what is made are of a text that is not known here.
    pub fn blame(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if self.text.is_empty() {
            return diagnostic;
        }
        diagnostic.source.get_or_insert_with(|| Source {
            name: self.name.to_string(),
            text: self.text.to_string(),
        });
        diagnostic
    }
}

/// A clause of a relation, and where it stands.
#[derive(Debug)]
pub struct Placed {
    pub rule: usize,
    pub clause: usize,
    /// The place of its file among those that were loaded with it.
    pub file: usize,
    pub span: Span,
}

/// Where the relations of the standard library come from, once something calls one.
pub type Standard = fn() -> Arc<Library>;

/// A rule of a library.
#[derive(Clone, Debug)]
enum RuleEntry {
    Read(Arc<Rule>),
    /// It is one of this index, and is compiled when it is first used.
    Indexed(u32),
}

/// Relations that can be run.
#[derive(Clone, Debug, Default)]
pub struct Library {
    rules: Vec<RuleEntry>,
    /// The indexes that some of its rules are in.
    indexes: Vec<Arc<Index>>,
    pub known: Arc<SymbolTable>,
    /// Those that a user has stated in Rust.
    stated: BTreeSet<usize>,
    /// Those that are conditions on dtypes and nothing else, as far as they are in no index.
    conditions: FxHashSet<usize>,
    pub words: Words,
    /// The types that rules can speak of.
    pub types: Vocabulary,
    /// What signatures in it call.
    standard: Option<Standard>,
}

impl Library {
    /// Relations in Rust, and nothing else. What signatures call is in the `standard` library.
    pub fn of_natives(
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

    /// How many rules it has: their numbers are those below.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Has it no rules?
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// A rule by its number. It is compiled now if it has not been yet.
    pub fn rule(&self, number: usize) -> &Arc<Rule> {
        match &self.rules[number] {
            RuleEntry::Read(rule) => rule,
            RuleEntry::Indexed(at) => {
                let index = &self.indexes[*at as usize];
                &index.rule(number).read(self, index).rule
            }
        }
    }

    /// The same, if there is a rule of this number.
    pub fn get(&self, number: usize) -> Option<&Arc<Rule>> {
        (number < self.rules.len()).then(|| self.rule(number))
    }

    /// The kinds of the arguments of a rule.
    pub fn kinds(&self, number: usize) -> &[Kind] {
        match &self.rules[number] {
            RuleEntry::Read(rule) => &rule.kinds,
            RuleEntry::Indexed(at) => &self.indexes[*at as usize].rule(number).kinds,
        }
    }

    /// The name of a rule.
    pub fn name(&self, number: usize) -> &Name {
        match &self.rules[number] {
            RuleEntry::Read(rule) => &rule.name,
            RuleEntry::Indexed(at) => &self.indexes[*at as usize].rule(number).name,
        }
    }

    /// A relation that is stated in Rust.
    pub(super) fn native(&self, number: usize) -> Option<&Arc<dyn Native>> {
        match &self.rules[number] {
            RuleEntry::Read(rule) => rule.native.as_ref(),
            RuleEntry::Indexed(_) => None,
        }
    }

    /// Is a relation a condition on dtypes and nothing else?
    pub fn is_condition(&self, number: usize) -> bool {
        match &self.rules[number] {
            RuleEntry::Read(_) => self.conditions.contains(&number),
            RuleEntry::Indexed(at) => self.indexes[*at as usize].rule(number).is_condition,
        }
    }

    /// What an operator is, beside its rule.
    pub fn op(&self, entry: &OpEntry) -> Arc<OpRule> {
        let read = entry.described.clone().or_else(|| {
            let RuleEntry::Indexed(at) = self.rules.get(entry.rule)? else {
                return None;
            };
            let index = &self.indexes[*at as usize];
            index.rule(entry.rule).read(self, index).op.clone()
        });
        read.unwrap_or_else(|| {
            let [domain, name] = [&entry.domain, &entry.name].map(Name::clone);
            Arc::new(OpRule::unknown(domain, name, entry.since, entry.rule))
        })
    }

    /// A relation in the form in which it is calculated.
    pub fn plan(&self, number: usize) -> &Plan {
        self.plan_of(self.rule(number), number)
    }

    /// The same of a rule that may have no number here.
    pub fn plan_of<'r>(&self, rule: &'r Rule, number: usize) -> &'r Plan {
        rule.planned.get_or_init(|| Plan::new(self, rule, number))
    }

    /// Adds a relation that a user has stated in Rust. It may hide one of the standard library, and nothing else.
    pub fn register(
        &mut self,
        relation: Arc<dyn Native>,
        standard: &Library,
    ) -> Result<(), Diagnostic> {
        let (name, arity) = native::key(&*relation);
        if let Some(known) = self.find(&name, arity) {
            let hidden = standard
                .get(known)
                .is_some_and(|r| Arc::ptr_eq(r, self.rule(known)));
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
        Arc::make_mut(&mut self.known).insert(key.clone(), self.rules.len());
        self.rules.push(RuleEntry::Read(Arc::new(Rule {
            name: key.0,
            kinds: native.params().iter().map(native::Param::kind).collect(),
            clauses: Box::default(),
            native: Some(native),
            planned: OnceLock::new(),
        })));
    }

    /// A rule of this name, which is compiled later.
    fn push(&mut self, name: Name) {
        self.rules.push(RuleEntry::Read(Arc::new(Rule {
            name,
            ..Rule::of_clauses(Box::default(), Box::default())
        })));
    }

    /// The number of a relation, by its name and arity.
    pub fn find(&self, name: &str, arity: usize) -> Option<usize> {
        self.known.find(name, arity)
    }

    /// The names of its relations, in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        self.known.names(|_| true)
    }

    /// The names of its relations that are about types alone, in alphabetical order.
    pub fn names_of_types(&self) -> Vec<&str> {
        let of_types = |number: usize| self.kinds(number).iter().all(|k| *k == Kind::Type);
        self.known.names(of_types)
    }

    /// The relation that is called with types.
    pub fn called_of_types(&self, name: &Ident, arity: usize) -> Result<usize, Diagnostic> {
        let number = self.known.called(name, arity)?;
        let mut kinds = self.kinds(number).iter();
        match kinds.find(|k| **k != Kind::Type) {
            Some(kind) => Err(error::not_of_types(name, kind)),
            None => Ok(number),
        }
    }

    /// Adds the relations of some files. What is defined there hides what was known by that name
    /// before. Returns where each of its clauses stands.
    pub fn add(&mut self, files: &[Arc<File>]) -> Result<Vec<Placed>, Diagnostic> {
        let first = self.rules.len();
        self.declare_types(files)?;
        let places = self.declare(files)?;
        let mut compiler = Compiler::new(
            Arc::clone(&self.known),
            std::mem::take(&mut self.words),
            self.types.clone(),
            self.standard,
        );
        let mut drafts = Drafts::default();
        for (number, (_, arity)) in (first..).zip(&places) {
            compiler.declare(number, *arity);
            drafts.clauses.push(Vec::new());
        }
        for (i, file) in files.iter().enumerate() {
            compiler.kinds.file = i;
            for clause in &file.tree().clauses {
                let (name, arity) = key(&clause.node);
                let of = self.find(&name, arity).unwrap_or_default();
                let draft = compiler
                    .clause(self, of, &clause.node)
                    .map_err(|d| file.blame(d))?;
                drafts.clauses[of - first].push((i, clause.node.name.span, draft));
            }
        }
        for (i, file) in files.iter().enumerate() {
            compiler.kinds.file = i;
            for op in &file.tree().ops {
                let rule = self.rules.len();
                self.add_op(&mut compiler, &mut drafts, first, i, op, file)
                    .map_err(|d| file.blame(d))?;
                let op = &op.node;
                for name in std::iter::once(&op.name).chain(&op.aliases) {
                    compiler.enter(&op.domain, &name.node, op.since, rule);
                }
            }
        }
        compiler.kinds.settle();
        let mut conditions = Conditions::of(self);
        for (i, clauses) in drafts.clauses.iter().enumerate() {
            if let [(_, _, draft)] = &clauses[..] {
                conditions.add(first + i, &draft.clause);
            }
        }
        let mut rules = Vec::with_capacity(drafts.clauses.len());
        for (number, clauses) in (first..).zip(drafts.clauses) {
            if drafts.finished.contains(&number) {
                continue;
            }
            let mut done = Vec::with_capacity(clauses.len());
            for (file, span, draft) in clauses {
                let clause = compiler.finish(&conditions, draft);
                drafts.places.push(Placed {
                    rule: number,
                    clause: done.len(),
                    file,
                    span,
                });
                done.push(clause.map_err(|d| files[file].blame(d))?);
            }
            rules.push((
                number,
                Rule {
                    name: self.name(number).clone(),
                    ..Rule::of_clauses(compiler.found(number), done.into())
                },
            ));
        }
        let conditions: Vec<usize> = conditions.added().collect();
        self.conditions.extend(conditions);
        for (number, rule) in rules {
            self.rules[number] = RuleEntry::Read(Arc::new(rule));
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
        let signature = op::signature(&op.node, &self.types, self.standard)?;
        let arity = op::arity(&op.node, signature.as_ref());
        let params = signature.as_ref().map_or(0, |s| s.compiled.params.len());
        let rule = self.rules.len();
        if let Some(own) = op::own_rule(&op.node, signature.as_ref()) {
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
            self.rules.push(RuleEntry::Read(Arc::new(own)));
            return self.enter(op, file, signature, rule, first);
        }
        self.push(op::rule_name(&op.node));
        compiler.declare(rule, arity);
        drafts.clauses.push(Vec::new());
        let draft = compiler.op(self, rule, &op.node, params)?;
        drafts.clauses[rule - first].push((number, op::place(op), draft));
        self.enter(op, file, signature, rule, first)
    }

    /// This library with the rules that an index gives, each of which is compiled when it is first used. `None` if it is the index of
    /// other files.
    pub fn with_index(mut self, files: &[Arc<File>], text: Cow<'static, str>) -> Option<Library> {
        let index = Arc::new(Index::new(
            files,
            text,
            self.rules.len(),
            self.words,
            self.types.clone(),
            self.standard,
            Arc::unwrap_or_clone(self.known),
        )?);
        let at = u32::try_from(self.indexes.len()).ok()?;
        let rules = (0..index.len()).map(|_| RuleEntry::Indexed(at));
        self.rules.extend(rules);
        self.words = index.words.clone();
        self.known = Arc::new(SymbolTable::of(Arc::clone(&index)));
        self.indexes.push(index);
        Some(self)
    }

    /// Enters an operator by each of its names.
    fn enter(
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
        let described = op::describe(&op.node, text, &file.name, signature, rule)?;
        let entry = OpEntry {
            name: described.name.clone(),
            domain: described.domain.clone(),
            since: described.since,
            rule,
            described: Some(Arc::new(described)),
        };
        let known = Arc::make_mut(&mut self.known);
        for name in std::iter::once(&op.node.name).chain(&op.node.aliases) {
            let replaced = known.enter(Name::word(&*name.node), entry.clone());
            // What was loaded before is hidden; what is loaded now is defined once.
            if replaced.is_some_and(|other| other.rule >= first) {
                return Err(error::duplicate_operator(name, entry.since, &file.name));
            }
        }
        Ok(())
    }

    /// Adds the types of the files to those that are known.
    fn declare_types(&mut self, files: &[Arc<File>]) -> Result<(), Diagnostic> {
        for file in files {
            for ty in &file.tree().types {
                let declared = declared(&ty.node).and_then(|own| {
                    let own = Vocabulary::empty().with(own)?;
                    self.types.clone().and(&own)
                });
                let place = ty.node.name.span;
                self.types = declared
                    .map_err(|d| file.blame(d.with_label(place.into(), "declared here")))?;
            }
        }
        Ok(())
    }

    /// Gives the relations of the files numbers: their names and arities, in this order.
    fn declare(&mut self, files: &[Arc<File>]) -> Result<Vec<(Name, usize)>, Diagnostic> {
        let mut declared = Vec::new();
        let mut home: HashMap<(Name, usize), &File> = HashMap::new();
        for file in files {
            for clause in &file.tree().clauses {
                let key = key(&clause.node);
                match home.get(&key) {
                    Some(other) if std::ptr::eq(*other, &**file) => continue,
                    Some(other) => {
                        let d = error::duplicate(&clause.node.name, key.1, &other.name);
                        return Err(file.blame(d));
                    }
                    None => home.insert(key.clone(), file),
                };
                let known = self.find(&key.0, key.1);
                if known.is_some_and(|number| self.stated.contains(&number)) {
                    let d = error::stated_in_rust(&clause.node.name, key.1);
                    return Err(file.blame(d));
                }
                Arc::make_mut(&mut self.known).insert(key.clone(), self.rules.len());
                self.push(key.0.clone());
                declared.push(key);
            }
        }
        Ok(declared)
    }
}

/// The constructor that a declaration is.
fn declared(ty: &relation::NewType) -> Result<Constructor, Diagnostic> {
    let name = &*ty.name.node;
    if super::terms::CONSTRUCTORS.contains(&name) || error::is_function(name) {
        return Err(error::known_type(name));
    }
    let params = ty.params.iter().map(|name| &*name.node);
    Constructor::declared(&ty.name.node, params, &ty.doc.join("\n"))
}

fn key(clause: &relation::Clause) -> (Name, usize) {
    (Name::word(&*clause.name.node), clause.params.len())
}

/// What has been compiled so far, by relation.
#[derive(Default)]
struct Drafts {
    clauses: Vec<Vec<(usize, Span, Draft)>>,
    /// The numbers of rules that are whole already.
    finished: BTreeSet<usize>,
    places: Vec<Placed>,
}
