//! [`Subjects`]: the signatures and operators that were requested a short while ago.

use kanshape::{Diagnostic, Relations};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::loaded::{Loaded, Subject};

/// How many there are in a generation.
const MOST: usize = 512;
/// Longer texts are not kept.
const LONGEST: usize = 4096;

/// Signatures and operators by their text, in two generations: those requested lately, and those before. What
/// was not requested while a whole generation came and went is forgotten.
#[derive(Debug)]
pub struct Subjects {
    loaded: Arc<Loaded>,
    young: FxHashMap<Box<str>, Subject>,
    old: FxHashMap<Box<str>, Subject>,
    /// The key that is looked for.
    key: String,
}

impl Subjects {
    pub(super) fn new(loaded: Arc<Loaded>) -> Subjects {
        Subjects {
            loaded,
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            key: String::new(),
        }
    }

    /// All relations and operators.
    pub(super) fn relations(&self) -> &Relations {
        self.loaded.relations()
    }

    /// All that can be named.
    pub(super) fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The signature that a text is, or that has this name.
    pub(super) fn signature(&mut self, text: &str) -> Result<Subject, Diagnostic> {
        self.get(text, |loaded| {
            loaded.signature(text).map(Subject::Signature)
        })
    }

    /// An operator, as it is in a version.
    pub(super) fn operator(
        &mut self,
        name: &str,
        opset: Option<u64>,
    ) -> Result<Subject, Diagnostic> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        // No signature begins like this.
        let _ = write!(key, "@{} {name}", opset.unwrap_or(u64::MAX));
        let found = self.get(&key, |loaded| {
            loaded
                .relations()
                .operator(name, opset)
                .map(Subject::Operator)
        });
        self.key = key;
        found
    }

    fn get(
        &mut self,
        key: &str,
        read: impl FnOnce(&Loaded) -> Result<Subject, Diagnostic>,
    ) -> Result<Subject, Diagnostic> {
        if let Some(known) = self.young.get(key) {
            return Ok(known.clone());
        }
        let subject = match self.old.remove(key) {
            Some(known) => known,
            None => read(&self.loaded)?,
        };
        if key.len() <= LONGEST {
            if self.young.len() >= MOST {
                self.old = std::mem::take(&mut self.young);
            }
            self.young.insert(key.into(), subject.clone());
        }
        Ok(subject)
    }
}
