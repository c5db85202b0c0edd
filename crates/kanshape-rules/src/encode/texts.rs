//! Texts as the engine's integers: those of a library have numbers from the beginning, others get theirs when
//! they first come up in a query.

use super::Words;
use kanshape_engine::Int;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The texts of a query that its library does not have: their numbers come behind those of the library.
#[derive(Debug, Default)]
pub struct Texts {
    own: Mutex<Vec<Arc<str>>>,
}

impl Texts {
    /// The number of a text.
    pub fn number(&self, words: &Words, text: &str) -> Int {
        if let Some(number) = words.find_text(text) {
            return number;
        }
        let mut own = self.own();
        let known = own.iter().position(|t| **t == *text);
        let place = known.unwrap_or_else(|| {
            own.push(text.into());
            own.len() - 1
        });
        (words.text_count() + place) as Int
    }

    /// The text that a number denotes.
    pub fn text(&self, words: &Words, number: Int) -> Option<Arc<str>> {
        if let Some(text) = words.text_of(number) {
            return Some(text.into());
        }
        let place = usize::try_from(number).ok()?;
        let own = self.own();
        own.get(place.checked_sub(words.text_count())?).cloned()
    }

    fn own(&self) -> MutexGuard<'_, Vec<Arc<str>>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
