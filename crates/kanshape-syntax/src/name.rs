//! What a name is: letters, digits and `_` of any script, as Unicode says for identifiers, and no digit first.
//!
//! The patterns of the lexers know only where one begins. Tables of all letters in each of their states would be most of
//! what there is to compile.

use logos::{Lexer, Logos};
use unicode_ident::{is_xid_continue, is_xid_start};

/// The name that a text begins with; empty if it begins with none.
pub(crate) fn first(text: &str) -> &str {
    match text.chars().next() {
        Some(first) if first == '_' || is_xid_start(first) => while_all(text, is_xid_continue),
        _ => "",
    }
}

/// The name of an operator behind that of its domain, `com.me::Norm.fast`, if a text begins with one.
pub(crate) fn qualified(text: &str) -> Option<&str> {
    let name = |text| {
        let part = |c| c == '.' || is_xid_continue(c);
        (!first(text).is_empty()).then(|| while_all(text, part).len())
    };
    let domain = name(text)?;
    let operator = text[domain..].strip_prefix("::")?;
    Some(&text[..domain + "::".len() + name(operator)?])
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

fn while_all(text: &str, part: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !part(c)).unwrap_or(text.len());
    &text[..end]
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
