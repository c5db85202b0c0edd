//! Rules with a little colour, on a terminal: words of the language, texts and comments.

use crate::screen::Screen;

/// The words that rules are made of.
const WORDS: [&str; 11] = [
    "op", "since", "known", "for", "in", "true", "false", "none", "some", "domain", "not",
];

/// A line of a rule.
pub(super) fn line(screen: &Screen, line: &str) -> String {
    let mut painted = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let len = length(rest, c);
        let (piece, behind) = rest.split_at(len);
        match c {
            '#' => painted.push_str(&screen.grey(piece)),
            '/' if piece.starts_with("///") => painted.push_str(&screen.grey(piece)),
            '"' => painted.push_str(&screen.green(piece)),
            _ if WORDS.contains(&piece) || matches!(piece, ":-" | "->" | "=>") => {
                painted.push_str(&screen.blue(piece));
            }
            _ => painted.push_str(piece),
        }
        rest = behind;
    }
    painted
}

/// How long the piece is that begins with `c`.
fn length(rest: &str, c: char) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    match c {
        '#' => rest.len(),
        '/' if rest.starts_with("///") => rest.len(),
        '"' => {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        }
        _ if is_part(c) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
        _ if [":-", "->", "=>"].iter().any(|sign| rest.starts_with(sign)) => 2,
        _ => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Colour;

    #[test]
    fn nothing_is_lost() {
        let text =
            r##"op Add [a: string = "x\"# y", é: int](X: T[..s]) -> (Y) since 7 :- T: Num # why"##;
        assert_eq!(line(&Screen::new(Colour::Never), text), text);
        let painted = line(&Screen::new(Colour::Always), text);
        let mut plain = String::new();
        for (i, piece) in painted.split("\x1b[").enumerate() {
            plain.push_str(if i == 0 {
                piece
            } else {
                piece.split_once('m').map_or("", |p| p.1)
            });
        }
        assert_eq!(plain, text);
        assert!(painted.contains("\x1b[2m# why"), "{painted}");
    }
}
