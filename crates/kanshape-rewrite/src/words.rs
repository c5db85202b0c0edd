//! The words in the text of a goal.

/// A text as its words and the characters between them, from left to right.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match is_part(first) {
            true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

/// Is a piece a word?
pub(crate) fn is_word(piece: &str) -> bool {
    piece.starts_with(is_part)
}

/// May a word have this character?
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{is_word, pieces};

    #[test]
    fn pieces_are_words_and_what_is_between() {
        let text = "prod(ß_1) = -2";
        let all: Vec<&str> = pieces(text).collect();
        assert_eq!(all.concat(), text);
        assert_eq!(all[..3], ["prod", "(", "ß_1"]);
        let words: Vec<&str> = pieces(text).filter(|piece| is_word(piece)).collect();
        assert_eq!(words, ["prod", "ß_1", "2"]);
    }
}
