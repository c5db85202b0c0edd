//! Names of unknowns, numbered anew for the part of an answer that is printed.
//!
//! An answer names an unknown that stands in two places. Where only one of the places is printed,
//! the name says nothing, and `?` denotes it: `t0[7], t0[] -> t0[7]` shows its output as `?[7]`.

use std::collections::HashMap;
use std::ops::Range;

/// Texts of types and conditions, to be printed one after the other.
pub struct Renaming<'u> {
    /// The words that the user wrote: those are never touched.
    users: &'u [String],
}

impl<'u> Renaming<'u> {
    /// That keeps these words.
    pub fn new(users: &'u [String]) -> Renaming<'u> {
        Renaming { users }
    }

    /// Rewrites the texts: `types` are printed first, then `conditions`.
    pub fn apply(&self, types: &mut [String], conditions: &mut [String]) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for text in types.iter().chain(conditions.iter()) {
            for word in words(text) {
                let word = &text[word];
                if self.is_fresh(word) {
                    *seen.entry(word.to_owned()).or_default() += 1;
                }
            }
        }
        if seen.is_empty() {
            return;
        }
        let mut names: HashMap<String, String> = HashMap::new();
        let mut next = [0, 0];
        for text in types.iter_mut() {
            *text = self.rewrite(text, &seen, &mut names, &mut next, true);
        }
        for text in conditions {
            *text = self.rewrite(text, &seen, &mut names, &mut next, false);
        }
    }

    fn rewrite(
        &self,
        text: &str,
        seen: &HashMap<String, usize>,
        names: &mut HashMap<String, String>,
        next: &mut [usize; 2],
        is_type: bool,
    ) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for at in words(text) {
            let word = &text[at.clone()];
            if !self.is_fresh(word) {
                continue;
            }
            out.push_str(&text[done..at.start]);
            done = at.end;
            if is_type && seen.get(word) == Some(&1) {
                if text[..at.start].ends_with("...") {
                    // `...` alone is a run of its own.
                    continue;
                }
                if stands_alone(text, &at) {
                    out.push('?');
                    continue;
                }
            }
            let name = names
                .entry(word.to_owned())
                .or_insert_with(|| self.name(&word[..1], next));
            out.push_str(name);
        }
        out.push_str(&text[done..]);
        out
    }

    /// The next name with this letter that the user has not taken.
    fn name(&self, letter: &str, next: &mut [usize; 2]) -> String {
        let next = &mut next[usize::from(letter == "t")];
        loop {
            let name = format!("{letter}{next}");
            *next += 1;
            if !self.users.contains(&name) {
                return name;
            }
        }
    }

    /// Is this a name that the answer has made up?
    fn is_fresh(&self, word: &str) -> bool {
        let digits = word.strip_prefix(['d', 't']).unwrap_or_default();
        !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !self.users.iter().any(|user| user == word)
    }
}

/// The words in a text, without the identities: `district` of `6@district` names nothing.
pub fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    let all = std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let len = text[start..].find(|c| !is_part(c));
        at = len.map_or(text.len(), |len| start + len);
        Some(start..at)
    });
    all.filter(|word| !text[..word.start].ends_with('@'))
}

/// Is this word of a type a whole dim or a whole dtype, where `?` can stand as well?
fn stands_alone(text: &str, at: &Range<usize>) -> bool {
    let before = text[..at.start].trim_end().chars().next_back();
    let after = text[at.end..].trim_start().chars().next();
    let is_dtype = matches!(before, None | Some('(' | ',')) && after == Some('[');
    // A dim of Relay's stands in parentheses.
    let is_dim = matches!(before, Some('[' | '(' | ',')) && matches!(after, Some(']' | ')' | ','));
    is_dtype || is_dim
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(users: &[&str], types: &[&str], conditions: &[&str]) -> String {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let (mut types, mut conditions) = (owned(types), owned(conditions));
        Renaming::new(&owned(users)).apply(&mut types, &mut conditions);
        format!("{} where {}", types.join("; "), conditions.join(", "))
    }

    #[test]
    fn what_is_shown_once_is_a_hole() {
        assert_eq!(renamed(&[], &["t0[8, 7]"], &[]), "?[8, 7] where ");
        assert_eq!(renamed(&[], &["f32[d3, 2]"], &[]), "f32[?, 2] where ");
        assert_eq!(renamed(&[], &["f32[2*d3]"], &[]), "f32[2*d0] where ");
        assert_eq!(renamed(&[], &["f32[...d3, 2]"], &[]), "f32[..., 2] where ");
    }

    #[test]
    fn what_is_shown_twice_is_numbered_as_it_comes() {
        let shown = renamed(&[], &["t1[d4, d2]", "t1[d2]"], &["d4 >= 2"]);
        assert_eq!(shown, "t0[d0, d1]; t0[d1] where d0 >= 2");
    }

    #[test]
    fn an_identity_is_no_name() {
        let shown = renamed(&[], &["f32[6@d1, d1, d2]"], &["d1 != 7@d2"]);
        assert_eq!(shown, "f32[6@d1, d0, ?] where d0 != 7@d2");
    }

    #[test]
    fn the_names_of_the_user_stay() {
        let shown = renamed(&["d0"], &["f32[d0, d1]"], &["d0 <= d1"]);
        assert_eq!(shown, "f32[d0, d1] where d0 <= d1");
    }
}
