//! [`Words`]: what the numbers in rules mean.

use super::operand::Labels;
use kanshape_engine::Int;
use kanshape_types::Nominal;
use std::sync::Arc;

/// What the numbers in the rules of a library denote.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// The labels of types with parts.
    pub labels: Labels,
    /// The texts; each is the number of its place.
    texts: Arc<Vec<Box<str>>>,
    /// The sizes with an identity that signatures speak of.
    pub identities: Vec<Nominal>,
}

impl Words {
    /// The place of a size with an identity.
    pub fn identity(&mut self, nominal: &Nominal) -> usize {
        let known = self.identities.iter().position(|own| own == nominal);
        known.unwrap_or_else(|| {
            self.identities.push(nominal.clone());
            self.identities.len() - 1
        })
    }

    /// The number of a text.
    pub fn text(&mut self, text: &str) -> Int {
        let known = self.texts.iter().position(|t| **t == *text);
        let place = known.unwrap_or_else(|| {
            Arc::make_mut(&mut self.texts).push(text.into());
            self.texts.len() - 1
        });
        place as Int
    }

    /// Makes these all texts, in this order. That is not done, and the answer is no, if those that there are do not stand at
    /// its beginning.
    pub fn extend_to(&mut self, all: &[&str]) -> bool {
        let known = self.texts.len();
        if known > all.len()
            || !self
                .texts
                .iter()
                .zip(all)
                .all(|(own, text)| **own == **text)
        {
            return false;
        }
        if known < all.len() {
            let more = all[known..].iter().map(|text| Box::from(*text));
            Arc::make_mut(&mut self.texts).extend(more);
        }
        true
    }

    /// The texts, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// How many texts have a number.
    pub fn text_count(&self) -> usize {
        self.texts.len()
    }

    /// The number of a text, if it has one.
    pub fn find_text(&self, text: &str) -> Option<Int> {
        let place = self.texts.iter().position(|t| **t == *text)?;
        Some(place as Int)
    }

    /// The text that a number denotes.
    pub fn text_of(&self, number: Int) -> Option<&str> {
        let place = usize::try_from(number).ok()?;
        self.texts.get(place).map(|t| &**t)
    }
}
