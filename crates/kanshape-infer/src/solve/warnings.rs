//! What looks like a mistake in files of relations: clauses that can never hold, variables that are written once.

use super::never::can_never_hold;
use kanshape_diag::Diagnostic;
use kanshape_rules::rules::Library;
use kanshape_rules::rules::error;
use kanshape_rules::rules::library::{File, Placed};
use kanshape_syntax::relation;
use kanshape_syntax::tree::{Span, Spanned};
use kanshape_types::DtypeTerm;
use std::sync::{Arc, OnceLock};

/// What looks like a mistake, found out when it is queried: it takes a tenth as long as loading.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    clauses: Vec<Placed>,
    /// The files before these have warnings of their own.
    first: usize,
    found: OnceLock<Vec<Diagnostic>>,
}

impl Warnings {
    /// Those of files from the first one on, which have these clauses.
    pub(super) fn of(first: usize, clauses: Vec<Placed>) -> Warnings {
        Warnings {
            clauses,
            first,
            found: OnceLock::new(),
        }
    }

    /// All of them, in the order of the text.
    pub(super) fn found(&self, library: &Library, files: &[Arc<File>]) -> &[Diagnostic] {
        self.found.get_or_init(|| {
            let mut all = Vec::new();
            let files = files.get(self.first..).unwrap_or_default();
            for (i, file) in files.iter().enumerate() {
                let found = relation::warnings(file.tree(), &file.text, is_word);
                all.extend(found.into_iter().map(|d| (i, d)));
            }
            for one in &self.clauses {
                if can_never_hold(library, &library.rule(one.rule).clauses[one.clause]) {
                    all.push((one.file, error::never(one.span)));
                }
            }
            all.sort_by_key(|(file, d)| (*file, d.labels.first().map(|l| l.start)));
            let blamed = all.into_iter().map(|(file, d)| files[file].blame(d));
            blamed.collect()
        })
    }
}

/// Does a word denote itself?
fn is_word(word: &str) -> bool {
    let ident = Spanned::new(word.into(), Span::default());
    !matches!(DtypeTerm::from_ident(&ident), Ok(DtypeTerm::Name(_)))
}
