//! Rules that are compiled when they are first used.
//!
//! An index ([`super::indexed`]) gives what other rules have to know of a rule before: its name, the kinds of its
//! arguments, and where its text is. So a process that uses three operators of a catalog compiles these three and what
//! they call. That both ways of loading give the same rules is a test.

use super::compile::Compiler;
use super::condition::Conditions;
use super::indexed::Index;
use super::known::SymbolTable;
use super::library::{File, Library};
use super::op::{self, OpRule};
use super::rule::Rule;
use crate::encode::Kind;
use kanshape_diag::Diagnostic;
use kanshape_types::Name;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A rule that has not been compiled, or has been since.
#[derive(Debug)]
pub(super) struct Unread {
    pub name: Name,
    pub number: usize,
    pub kinds: Box<[Kind]>,
    /// If it is an operator's.
    pub op: Option<OpName>,
    /// Is it a condition on dtypes and nothing else?
    pub is_condition: bool,
    pub file: Option<Arc<File>>,
    /// Where in the file it is written.
    pub places: Box<[Range<usize>]>,
    pub read: OnceLock<Read>,
}

/// What an operator is known by.
#[derive(Debug)]
pub(super) struct OpName {
    pub domain: Name,
    pub since: u64,
    /// Its name and its other names: one at least.
    pub names: Vec<Name>,
}

/// A rule that has been compiled.
#[derive(Debug)]
pub(super) struct Read {
    pub rule: Arc<Rule>,
    pub op: Option<Arc<OpRule>>,
}

impl Unread {
    /// A rule of whose line in the index nothing can be read. No name means it.
    pub(super) fn unreadable(number: usize) -> Unread {
        Unread {
            name: Name::word(""),
            number,
            kinds: Box::default(),
            op: None,
            is_condition: false,
            file: None,
            places: Box::default(),
            read: OnceLock::new(),
        }
    }

    /// The rule, which is compiled the first time. `library` has at least the rules of its index.
    pub(super) fn read(&self, library: &Library, index: &Arc<Index>) -> &Read {
        self.read.get_or_init(|| {
            self.compile(library, index).unwrap_or_else(|mistake| {
                // The index was made by compiling this text.
                debug_assert!(false, "{}: {mistake}", self.name);
                Read {
                    rule: Arc::new(Rule::of_clauses(self.kinds.clone(), Box::default())),
                    op: None,
                }
            })
        })
    }

    fn compile(&self, library: &Library, index: &Arc<Index>) -> Result<Read, Diagnostic> {
        let (types, standard) = (&index.types, index.standard);
        let (file, written) = match &self.file {
            Some(file) => (&*file.name, &*file.text),
            None => Default::default(),
        };
        let mut text = String::new();
        for place in &self.places {
            text.push_str(written.get(place.clone()).unwrap_or_default());
            text.push('\n');
        }
        let mut tree = kanshape_syntax::parse_relations(&text)?;
        let known = Arc::new(SymbolTable::of(Arc::clone(index)));
        let mut compiler = Compiler::new(known, index.words.clone(), types.clone(), standard);
        let mut drafts = Vec::new();
        let mut described = None;
        if let Some((op, name)) = tree.ops.pop().zip(self.op.as_ref()) {
            let mut op = op;
            op.node.domain = name.domain.as_str().into();
            let signature = op::signature(&op.node, types, standard)?;
            let params = signature.as_ref().map_or(0, |s| s.compiled.params.len());
            let own = op::own_rule(&op.node, signature.as_ref());
            if own.is_none() {
                drafts.push(compiler.op(library, self.number, &op.node, params)?);
            }
            let text = text.get(op.span.start..op.span.end).unwrap_or_default();
            let op = op::describe(&op.node, text, file, signature, self.number)?;
            described = Some(Arc::new(op));
            if let Some(own) = own {
                return Ok(Read {
                    rule: Arc::new(own),
                    op: described,
                });
            }
        }
        for clause in &tree.clauses {
            drafts.push(compiler.clause(library, self.number, &clause.node)?);
        }
        compiler.kinds.settle();
        let conditions = Conditions::of(library);
        let clauses = drafts.into_iter();
        let clauses = clauses.map(|draft| compiler.finish(&conditions, draft));
        let clauses = clauses.collect::<Result<_, _>>()?;
        let rule = Rule {
            name: self.name.clone(),
            ..Rule::of_clauses(self.kinds.clone(), clauses)
        };
        Ok(Read {
            rule: Arc::new(rule),
            op: described,
        })
    }
}
