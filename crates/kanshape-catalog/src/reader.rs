//! From the text of a file to its entries, a line at a time.

use crate::code;
use crate::entry::{Entry, Parts};
use crate::example::{Example, Expected, Question};
use crate::text::{Piece, Text};
use kanshape_diag::{Diagnostic, suggest};

/// The fields that an operator can have.
const FIELDS: [&str; 4] = ["sig", "doc", "from", "also"];
/// The fields that it will have one day.
const RESERVED: [&str; 4] = ["attr", "in", "out", "rule"];

/// All operators of a file, in its order.
pub(crate) fn read(name: &str, text: &str) -> Result<Vec<Entry>, Diagnostic> {
    let text = Text::new(name, text);
    let mut reader = Reader::default();
    for line in lines(&text) {
        reader.line(&line)?;
    }
    reader.finish()?;
    Ok(reader.entries)
}

/// A line that is neither empty nor a comment, or the end of a paragraph.
#[derive(Debug)]
enum Line {
    Empty,
    Text { indent: usize, words: Piece },
}

fn lines(text: &Text) -> impl Iterator<Item = Line> {
    let all = text.as_str();
    let mut start = 0;
    let ends = all.match_indices('\n').map(|(i, _)| i + 1);
    ends.chain([all.len()]).filter_map(move |end| {
        let line = text.piece(start..end);
        start = end;
        let words = line.trim();
        match words.as_str().chars().next() {
            None => Some(Line::Empty),
            Some('#') => None,
            Some(_) => Some(Line::Text {
                indent: words.range().start - line.range().start,
                words,
            }),
        }
    })
}

#[derive(Default)]
struct Reader {
    entries: Vec<Entry>,
    /// Where the operators below are from.
    from: Option<Piece>,
    draft: Option<Draft>,
}

/// An operator whose end has not come yet.
struct Draft {
    name: Piece,
    fields: Vec<(Piece, Piece)>,
    examples: Vec<Example>,
    open: Open,
}

/// What the next line may go on with.
enum Open {
    /// Nothing.
    Nothing,
    /// The last field, which stands at this indentation.
    Field(usize),
    /// A query, and its answers so far.
    Query {
        indent: usize,
        query: Piece,
        answers: Vec<Piece>,
    },
}

impl Reader {
    fn line(&mut self, line: &Line) -> Result<(), Diagnostic> {
        match (line, &mut self.draft) {
            (Line::Empty, None) => Ok(()),
            (Line::Empty, Some(draft)) => draft.close(),
            (Line::Text { indent: 0, words }, _) => self.section(words),
            (Line::Text { indent, words }, Some(draft)) => draft.line(*indent, words),
            (Line::Text { words, .. }, None) => Err(mistake(
                words,
                code::OUTSIDE,
                "an indented line that belongs to no operator",
                "no `op` stands above",
            )),
        }
    }

    /// A line at the margin.
    fn section(&mut self, line: &Piece) -> Result<(), Diagnostic> {
        self.finish()?;
        let (word, rest) = word(line);
        match word.as_str() {
            "op" => {
                self.draft = Some(Draft::new(name(rest)?));
                Ok(())
            }
            "from" if !rest.as_str().is_empty() => {
                self.from = Some(rest);
                Ok(())
            }
            "from" => Err(empty(&word)),
            other => {
                let headline = format!("`{other}` begins neither an operator nor a section");
                let label = "expected `op` or `from`";
                let d = mistake(&word, code::NOT_A_SECTION, &headline, label);
                Err(if FIELDS.contains(&other) || other.starts_with('>') {
                    d.with_help("what belongs to an operator is indented")
                } else {
                    d
                })
            }
        }
    }

    /// Ends the operator above.
    fn finish(&mut self) -> Result<(), Diagnostic> {
        let Some(mut draft) = self.draft.take() else {
            return Ok(());
        };
        draft.close()?;
        self.entries.push(draft.entry(self.from.as_ref())?);
        Ok(())
    }
}

impl Draft {
    fn new(name: Piece) -> Draft {
        Draft {
            name,
            fields: Vec::new(),
            examples: Vec::new(),
            open: Open::Nothing,
        }
    }

    /// An indented line.
    fn line(&mut self, indent: usize, line: &Piece) -> Result<(), Diagnostic> {
        match &mut self.open {
            Open::Field(at) if indent > *at => {
                if let Some((_, text)) = self.fields.last_mut() {
                    *text = to(text, line);
                }
                return Ok(());
            }
            Open::Query {
                indent: at,
                query,
                answers,
            } if !line.as_str().starts_with('>') => {
                if indent > *at && answers.is_empty() {
                    *query = to(query, line);
                } else {
                    answers.push(line.clone());
                }
                return Ok(());
            }
            _ => {}
        }
        self.close()?;
        if let Some(query) = line.as_str().strip_prefix('>') {
            let from = line.as_str().len() - query.len();
            let query = line.part(from..line.as_str().len()).trim();
            if query.as_str().is_empty() {
                return Err(empty(line));
            }
            self.open = Open::Query {
                indent,
                query,
                answers: Vec::new(),
            };
            return Ok(());
        }
        self.field(indent, line)
    }

    fn field(&mut self, indent: usize, line: &Piece) -> Result<(), Diagnostic> {
        let (key, text) = word(line);
        let name = key.as_str();
        if !FIELDS.contains(&name) {
            return Err(unknown_field(&key, !self.examples.is_empty()));
        }
        if let Some((first, _)) = self.fields.iter().find(|f| f.0.as_str() == name) {
            let headline = format!("`{name}` is given twice");
            let d = mistake(&key, code::FIELD_TWICE, &headline, "here again");
            return Err(d.with_label(first.range(), "first here"));
        }
        if text.as_str().is_empty() {
            return Err(empty(&key));
        }
        self.fields.push((key, text));
        self.open = Open::Field(indent);
        Ok(())
    }

    /// Ends what a next line might have gone on with.
    fn close(&mut self) -> Result<(), Diagnostic> {
        if let Open::Query { query, answers, .. } = std::mem::replace(&mut self.open, Open::Nothing)
        {
            self.examples.push(Example {
                question: Question::read(&query)?,
                expected: expected(&query, &answers)?,
                query,
            });
        }
        Ok(())
    }

    fn entry(mut self, from: Option<&Piece>) -> Result<Entry, Diagnostic> {
        let mut take = |key: &str| {
            let at = self.fields.iter().position(|f| f.0.as_str() == key)?;
            Some(self.fields.swap_remove(at).1)
        };
        let (signature, doc, also) = (take("sig"), take("doc"), take("also"));
        let from = take("from").or_else(|| from.cloned());
        let missing = |key: &str| {
            let headline = format!("`{}` has no `{key}`", self.name.as_str());
            mistake(&self.name, code::FIELD_MISSING, &headline, "this operator")
        };
        let aliases = match also {
            Some(names) => names_of(&names)?,
            None => Vec::new(),
        };
        Ok(Entry::new(Parts {
            signature: signature.ok_or_else(|| missing("sig"))?,
            doc: one_line(doc.ok_or_else(|| missing("doc"))?.as_str()),
            from: from.ok_or_else(|| missing("from"))?,
            aliases,
            name: self.name,
            examples: self.examples,
        }))
    }
}

fn expected(query: &Piece, answers: &[Piece]) -> Result<Expected, Diagnostic> {
    let mut first: Vec<String> = answers.iter().map(|a| a.as_str().to_owned()).collect();
    match first.last().map(String::as_str) {
        None => Err(mistake(
            query,
            code::NO_ANSWER,
            "a query without an answer",
            "what does it answer?",
        )
        .with_help("the answers stand below the query, an answer a line, or `never`")),
        Some("never") if first.len() == 1 => Ok(Expected::Never),
        Some("...") => {
            first.pop();
            Ok(Expected::Answers { first, more: true })
        }
        Some(_) => Ok(Expected::Answers { first, more: false }),
    }
}

/// The first word of a line, and the rest.
fn word(line: &Piece) -> (Piece, Piece) {
    let all = line.as_str();
    let end = all.find(char::is_whitespace).unwrap_or(all.len());
    (line.part(0..end), line.part(end..all.len()).trim())
}

/// From the start of one to the end of the other.
fn to(from: &Piece, last: &Piece) -> Piece {
    from.file().piece(from.range().start..last.range().end)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn names_of(list: &Piece) -> Result<Vec<Piece>, Diagnostic> {
    let mut names = Vec::new();
    let mut start = 0;
    for part in list.as_str().split(',') {
        names.push(name(list.part(start..start + part.len()).trim())?);
        start += part.len() + 1;
    }
    Ok(names)
}

fn name(piece: Piece) -> Result<Piece, Diagnostic> {
    let is_word = |word: &str| {
        let mut chars = word.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    if piece.as_str().split('.').all(is_word) {
        return Ok(piece);
    }
    let headline = match piece.as_str() {
        "" => "an operator without a name".to_owned(),
        text => format!("`{text}` cannot be the name of an operator"),
    };
    let help = "a name is words with dots between them: `linalg.solve`";
    Err(mistake(&piece, code::BAD_NAME, &headline, "").with_help(help))
}

fn empty(at: &Piece) -> Diagnostic {
    let headline = format!("there is nothing after `{}`", at.as_str());
    mistake(at, code::EMPTY_FIELD, &headline, "")
}

fn unknown_field(key: &Piece, after_examples: bool) -> Diagnostic {
    let name = key.as_str();
    if after_examples {
        return mistake(
            key,
            code::NO_QUERY,
            "an answer without a query",
            "expected `>` and a query",
        )
        .with_help("fields come before examples, and an empty line ends the answers");
    }
    let headline = format!("operators have no field `{name}`");
    let d = mistake(key, code::UNKNOWN_FIELD, &headline, "not a field");
    if RESERVED.contains(&name) {
        return d.with_help("the word is kept for operators that one line cannot state");
    }
    d.with_help(match suggest(name, FIELDS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "the fields are `sig`, `doc`, `from` and `also`".to_owned(),
    })
}

fn mistake(at: &Piece, code: &'static str, headline: &str, label: &str) -> Diagnostic {
    at.file().mistake(code, headline, at.range(), label)
}
