//! What a name is: letters, digits and `_` of any script, as Unicode says for identifiers, and no digit first.
//!
//! The patterns of the lexers know only where one begins. Tables of all letters in each of their states would be most of
//! what there is to compile.

use logos::{Lexer, Logos};
use unicode_ident::{is_xid_continue, is_xid_start};

/// The name that a text begins with; empty if it begins with none.
pub(crate) fn first(text: &str) -> &str {
    &text[..behind(text, 0, false)]
}

/// The name of an operator behind that of its domain, `com.me::Norm.fast`, if a text begins with one.
pub(crate) fn qualified(text: &str) -> Option<&str> {
    let domain = behind(text, 0, true);
    if domain == 0 || !text[domain..].starts_with("::") {
        return None;
    }
    let operator = domain + "::".len();
    let end = behind(text, operator, true);
    (end > operator).then(|| &text[..end])
}

/// Reads the name on from its first character, which the lexer has read. It is an error if none begins with that.
pub(crate) fn read<'t, T>(lexer: &mut Lexer<'t, T>) -> Result<&'t str, ()>
where
    T: Logos<'t, Source = str>,
{
    let name = first(&lexer.source()[lexer.span().start..]);
    let more = name.len().checked_sub(lexer.slice().len()).ok_or(())?;
    lexer.bump(more);
    Ok(name)
}

/// Where the name ends that begins at `from`; `from` if none does. Dots can be parts of it.
fn behind(text: &str, from: usize, dots: bool) -> usize {
    let mut end = from;
    while let Some(&byte) = text.as_bytes().get(end) {
        let length = match byte {
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => 1,
            b'0'..=b'9' if end > from => 1,
            b'.' if dots && end > from => 1,
            0x80.. => match text[end..].chars().next() {
                Some(c) if end == from && is_xid_start(c) => c.len_utf8(),
                Some(c) if end > from && is_xid_continue(c) => c.len_utf8(),
                _ => break,
            },
            _ => break,
        };
        end += length;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::{first, qualified};

    #[test]
    fn a_name_ends_where_no_letter_follows() {
        for (text, name) in [
            ("n2 ", "n2"),
            ("_", "_"),
            ("größe→x", "größe"),
            ("и\u{301}x", "и\u{301}x"),
            ("a\u{a0}b", "a"),
            ("2n", ""),
            ("\u{301}x", ""),
            ("→", ""),
            ("", ""),
        ] {
            assert_eq!(first(text), name, "{text}");
        }
    }

    #[test]
    fn the_name_of_a_domain_has_dots() {
        for (text, name) in [
            ("com.mé::Norm.fast(", Some("com.mé::Norm.fast")),
            ("a::b::c", Some("a::b")),
            ("a..b::c", Some("a..b::c")),
            ("a.b", None),
            ("a::2", None),
            ("2::a", None),
        ] {
            assert_eq!(qualified(text), name, "{text}");
        }
    }
}
