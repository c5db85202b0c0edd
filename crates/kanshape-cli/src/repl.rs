//! `kanshape repl`: one question after another.

use std::io::{self, BufRead, IsTerminal};

use kanshape::Diagnostic;
use kanshape::tree::split_question;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::args::ReplArgs;
use crate::exit::{Exit, Failure};
use crate::infer;
use crate::load::load;
use crate::query_text;
use crate::screen::Screen;
use kanshape_batch::effort::Effort;
use kanshape_batch::loaded::{Loaded, Subject};

const HELP: &str = "\
(m,n),(n,p)->(m,p)             a signature: the questions after it are about this one
matmul, onnx::Conv             so is the name of an operator in a catalog
f32[2,3], f32[3,4]             a question: these inputs, what about the outputs?
f32[2,n], ? -> f32[2,4]        inputs and outputs; `?` is one of which nothing is known
[s = ?] f32[9] -> f32[4]       a parameter in front: `[s = 2]` gives it, `[s = ?]` queries it
[axis = 1] f32[8,8] -> ?       so are attributes of an operator; `axis = ?` queries one
f32[n], - -> ? where n >= 3    conditions between the names; `-` is an operand that is left out
:signature                     show the signature
:signature t[n], A -> A        a signature that begins as a question does
:limit N                       show at most N answers
:quit                          end; so does the end of the input";

pub(crate) fn run(args: &ReplArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let mut session = Session {
        subject: None,
        loaded: load(&args.load, screen)?,
        limit: infer::LIMIT,
        effort: *effort,
        screen,
    };
    if let Some(text) = &args.signature {
        session.subject = Some(session.loaded.subject(text, None)?);
    }
    if io::stdin().is_terminal() {
        session.talk()?;
    } else {
        for line in io::stdin().lock().lines() {
            if !session.line(&line?)? {
                break;
            }
        }
    }
    Ok(Exit::Solved)
}

struct Session<'s> {
    subject: Option<Subject>,
    loaded: Loaded,
    limit: usize,
    effort: Effort,
    screen: &'s Screen,
}

impl Session<'_> {
    fn talk(&mut self) -> Result<(), Failure> {
        let mut editor = DefaultEditor::new().map_err(io::Error::other)?;
        self.screen
            .note("A signature first, then questions about it. :help says more.")?;
        loop {
            match editor.readline("kanshape> ") {
                Ok(line) => {
                    // A line that can't be remembered can still be answered.
                    let _ = editor.add_history_entry(&line);
                    if !self.line(&line)? {
                        return Ok(());
                    }
                }
                // As in other such programs: the line is given up, not the session.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(()),
                Err(error) => return Err(io::Error::other(error).into()),
            }
        }
    }

    /// Does what a line says; `false` if it says to end.
    fn line(&mut self, line: &str) -> Result<bool, Failure> {
        let line = line.trim();
        if matches!(line, ":q" | ":quit" | ":exit") {
            return Ok(false);
        }
        match self.obey(line) {
            Err(Failure::Text(diagnostic)) => self.screen.diagnostic(&diagnostic)?,
            done => done?,
        }
        Ok(true)
    }

    fn obey(&mut self, line: &str) -> Result<(), Failure> {
        if line.is_empty() {
            return Ok(());
        }
        if let Some(command) = line.strip_prefix(':') {
            return match command.split_once(char::is_whitespace) {
                Some(("s" | "signature", text)) => self.about(self.loaded.subject(text, None)?),
                _ => Ok(self.command(command)?),
            };
        }
        if let Some(subject) = as_subject(line, &self.loaded) {
            return self.about(subject?);
        }
        let Some(subject) = &self.subject else {
            self.screen
                .note("there is no signature yet: write one, such as (m,n),(n,p)->(m,p)")?;
            return Ok(());
        };
        let mut question = query_text::read(subject.clone(), line)?;
        question.limit = Some(self.limit);
        question.effort = self.effort;
        infer::answer(&question, false, self.screen)?;
        Ok(())
    }

    /// Takes a signature or an operator: the questions after it are about this one.
    fn about(&mut self, subject: Subject) -> Result<(), Failure> {
        self.screen.note(&subject)?;
        self.subject = Some(subject);
        Ok(())
    }

    fn command(&mut self, command: &str) -> io::Result<()> {
        let mut words = command.split_whitespace();
        match (words.next(), words.next(), &self.subject) {
            (Some("h" | "help" | "?"), ..) => self.screen.note(HELP),
            (Some("s" | "signature"), _, Some(subject)) => self.screen.note(subject),
            (Some("s" | "signature"), _, None) => self.screen.note("there is no signature yet"),
            (Some("limit"), Some(count), _) => match count.parse() {
                Ok(count) => {
                    self.limit = count;
                    Ok(())
                }
                Err(_) => self.screen.note("a limit is a natural number"),
            },
            _ => self
                .screen
                .note(format_args!("there is no command `:{command}`; see :help")),
        }
    }
}

/// A line that is a signature or the name of an operator, rather than a question. What begins with a type is a question, though
/// a signature can begin so too; else what reads as a signature is one, and whatever has an arrow
/// but no hole in it was meant to be one.
fn as_subject(line: &str, loaded: &Loaded) -> Option<Result<Subject, Diagnostic>> {
    if begins_with_type(line) {
        return None;
    }
    let read = loaded.subject(line, None);
    let is_word = !line.contains(|c: char| "[(<?".contains(c));
    let is_meant = line.contains("->") && !line.contains('?');
    (read.is_ok() || is_word || is_meant).then_some(read)
}

/// Does a line begin as a question does: with values, or with a word and a bracket?
fn begins_with_type(line: &str) -> bool {
    let Ok(question) = split_question(line) else {
        return false;
    };
    let is_type = |text: &&str| {
        let word = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        word.is_some_and(|word| word > 0 && text[word..].starts_with('['))
    };
    !question.values.is_empty() || question.inputs.first().is_some_and(is_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_told_from_questions() {
        for line in [
            "(m,n)->(m)",
            "+(),()->()",
            "(m n)->()",
            "[s] (a)->(a//s)",
            "A, A -> A",
            "RandomState, (n):t -> RandomState, (n):t",
            "(n), t[n] -> t[n]",
        ] {
            assert!(as_subject(line, &Loaded::default()).is_some(), "{line}");
        }
        for line in [
            "f32[2], ? -> f32[2]",
            "?",
            "?[2] -> ?",
            "f32[2]",
            "[s = ?] f32[2] -> f32[1]",
            "[s = n] f32[2] -> f32[1]",
            "f32[2], f32[2] -> f32[]",
        ] {
            assert!(as_subject(line, &Loaded::default()).is_none(), "{line}");
        }
    }
}
