//! Sizes as torch's programs write them, in the notation of SymPy's `srepr`: `Add(Symbol('s0', integer=True), Integer(-1))`.

use kanshape::Dim;
use serde_json::Value;

use super::json::case;

/// Expressions nest no deeper where they are read.
const DEEPEST: usize = 48;
/// Longer texts are not read.
const LONGEST: usize = 1 << 15;

/// A size of a tensor, or a number of the program: `{"as_int": 3}`, `{"as_expr": {"expr_str": ..}}`. What can't be read is not
/// known.
pub(super) fn dim(value: &Value) -> Dim {
    let read = || match case(value)? {
        ("as_int", n) => n.as_u64().map(Dim::Size),
        ("as_expr", e) => self::text(e.get("expr_str")?.as_str()?)?.parse().ok(),
        _ => None,
    };
    read().unwrap_or(Dim::Hole)
}

/// The text of a number in kanshape's notation: that of a size, or one that may be negative; none if it is not known.
pub(super) fn number(value: &Value) -> Option<String> {
    match case(value)? {
        ("as_int", n) => n.as_i64().map(|n| n.to_string()),
        ("as_expr", e) => self::text(e.get("expr_str")?.as_str()?),
        _ => None,
    }
}

/// An expression in kanshape's notation; none if a part of it has none there.
fn text(source: &str) -> Option<String> {
    if source.len() > LONGEST {
        return None;
    }
    let mut reader = Reader { rest: source };
    let text = reader.expression(0)?;
    reader.rest.trim().is_empty().then_some(text)
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn expression(&mut self, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let word = self.word()?;
        if !self.skip('(') {
            return is_name(word).then(|| word.to_owned());
        }
        if let "Symbol" | "Integer" | "Dummy" = word {
            return self.leaf();
        }
        let mut parts = Vec::new();
        while !self.skip(')') {
            parts.push(self.expression(depth + 1)?);
            self.skip(',');
        }
        combined(word, &parts)
    }

    /// A name or a number, and what else is said of it.
    fn leaf(&mut self) -> Option<String> {
        let end = self.rest.find(')')?;
        let (inner, rest) = (self.rest.get(..end)?, self.rest.get(end + 1..)?);
        self.rest = rest;
        let own = inner.split(',').next()?.trim();
        if let Some(name) = own
            .strip_prefix('\'')
            .and_then(|own| own.strip_suffix('\''))
        {
            return is_name(name).then(|| name.to_owned());
        }
        let n: i64 = own.parse().ok()?;
        Some(match n < 0 {
            true => format!("(0 - {})", n.unsigned_abs()),
            false => n.to_string(),
        })
    }

    fn word(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let (word, rest) = rest.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn skip(&mut self, c: char) -> bool {
        let rest = self.rest.trim_start();
        let behind = rest.strip_prefix(c);
        self.rest = behind.unwrap_or(rest);
        behind.is_some()
    }
}

/// A function of these.
fn combined(function: &str, parts: &[String]) -> Option<String> {
    let joined = |op: &str| format!("({})", parts.join(op));
    Some(match (function, parts) {
        ("Add", [_, ..]) => sum(parts),
        ("Mul", [_, ..]) => joined("*"),
        ("FloorDiv" | "CleanDiv", [a, b]) => format!("({a}//{b})"),
        ("Mod" | "PythonMod", [a, b]) => format!("({a} % {b})"),
        ("CeilDiv", [a, b]) => format!("ceil({a}/{b})"),
        ("Max", [_, _, ..]) => format!("max({})", parts.join(", ")),
        ("Min", [_, _, ..]) => format!("min({})", parts.join(", ")),
        ("Pow", [a, n]) => {
            let n: usize = n.parse().ok().filter(|n| (1..=8).contains(n))?;
            format!("({})", vec![a.as_str(); n].join("*"))
        }
        ("Identity", [a]) => a.clone(),
        _ => return None,
    })
}

/// The sum of these, with those that are taken away behind the others.
fn sum(parts: &[String]) -> String {
    let taken = |part: &&String| part.starts_with("(0 - ");
    let (minus, plus): (Vec<&String>, Vec<&String>) = parts.iter().partition(taken);
    let mut text = match plus.is_empty() {
        true => "0".to_owned(),
        false => plus
            .iter()
            .map(|part| part.as_str())
            .collect::<Vec<_>>()
            .join(" + "),
    };
    for part in minus {
        let own = part.trim_start_matches("(0 - ").trim_end_matches(')');
        text.push_str(" - ");
        text.push_str(own);
    }
    format!("({text})")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_sympy_are_sizes() {
        let read = |source: &str| {
            let json = serde_json::json!({"as_expr": {"expr_str": source}});
            dim(&json).to_string()
        };
        let s = "Symbol('s53', positive=True, integer=True)";
        assert_eq!(read(s), "s53");
        assert_eq!(
            read(&format!(
                "Add(FloorDiv(Add({s}, Integer(-1)), Integer(16)), Integer(1))"
            )),
            "(s53 - 1)//16 + 1"
        );
        assert_eq!(read(&format!("Mul(Integer(4), {s})")), "4*s53");
        assert_eq!(
            read(&format!("Mod(FloorDiv({s}, Integer(4)), Integer(2))")),
            "(s53//4) % 2"
        );
        assert_eq!(read("ToFloat(Integer(2))"), "?");
        assert_eq!(read(&"Add(".repeat(100)), "?");
    }
}
