//! [`Context`]: what running a rule depends on, beside the rule.

use super::Library;
use crate::encode::{Identities, Texts};
use kanshape_engine::Int;
use kanshape_types::Promotion;
use std::sync::Arc;

/// What running a rule depends on, beside the rule.
#[derive(Debug)]
pub struct Context {
    pub library: Arc<Library>,
    pub promotion: Promotion,
    pub identities: Identities,
    /// The texts of the query that the library does not have.
    pub texts: Arc<Texts>,
}

impl Context {
    /// The text that a number denotes.
    pub fn text(&self, number: Int) -> Option<Arc<str>> {
        self.texts.text(&self.library.words, number)
    }

    /// The number that denotes a text.
    pub fn number_of(&self, text: &str) -> Int {
        self.texts.number(&self.library.words, text)
    }
}
