//! [`Signatures`]: those that were read a short while ago.

use kanshape::{Diagnostic, Signature};
use rustc_hash::FxHashMap;

use crate::question;

/// How many signatures a generation has.
const MOST: usize = 512;
/// Longer texts are not kept.
const LONGEST: usize = 4096;

/// Signatures by their text, in two generations: those asked for lately, and those before. What was
/// not asked for while a whole generation came and went is forgotten.
#[derive(Default)]
pub(super) struct Signatures {
    young: FxHashMap<Box<str>, Signature>,
    old: FxHashMap<Box<str>, Signature>,
}

impl Signatures {
    pub(super) fn get(&mut self, text: &str) -> Result<Signature, Diagnostic> {
        if let Some(known) = self.young.get(text) {
            return Ok(known.clone());
        }
        let signature = match self.old.remove(text) {
            Some(known) => known,
            None => question::signature(text)?,
        };
        if text.len() <= LONGEST {
            if self.young.len() >= MOST {
                self.old = std::mem::take(&mut self.young);
            }
            self.young.insert(text.into(), signature.clone());
        }
        Ok(signature)
    }
}
