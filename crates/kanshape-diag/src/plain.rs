//! A diagnostic as plain text.

use std::fmt::{self, Display, Formatter};

use crate::diagnostic::{Diagnostic, Source};
use crate::excerpt::{Excerpt, excerpts, harmless, width};

/// How much of a line is shown.
const WIDTH: usize = 100;

/// The text; its fields with `{:#?}`.
impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return Display::fmt(self, f);
        }
        let Diagnostic {
            severity,
            code,
            headline,
            source,
            labels,
            steps,
            help,
        } = self;
        f.debug_struct("Diagnostic")
            .field("severity", severity)
            .field("code", code)
            .field("headline", headline)
            .field("source", source)
            .field("labels", labels)
            .field("steps", steps)
            .field("help", help)
            .finish()
    }
}

impl Display for Diagnostic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let severity = self.severity.name();
        write!(f, "{severity}[{}]: {}", self.code, harmless(&self.headline))?;
        let excerpts = match &self.source {
            Some(source) => excerpts(&source.text, &self.labels, WIDTH),
            None => Vec::new(),
        };
        let gutter = excerpts.iter().map(|e| digits(e.line)).max().unwrap_or(1);
        if let Some(source) = &self.source {
            self.origin(f, source, gutter)?;
        }
        for (i, excerpt) in excerpts.iter().enumerate() {
            let follows = i > 0 && excerpts[i - 1].line + 1 == excerpt.line;
            if !follows {
                let rule = if i == 0 { "|" } else { "~" };
                write!(f, "\n{:gutter$} {rule}", "")?;
            }
            self.excerpt(f, excerpt, gutter)?;
        }
        let notes = self.steps.iter().map(|step| ("note", step));
        let notes = notes.chain(self.help.iter().map(|help| ("help", help)));
        for (i, (kind, note)) in notes.enumerate() {
            if i == 0 && !excerpts.is_empty() {
                write!(f, "\n{:gutter$} |", "")?;
            }
            write!(f, "\n{:gutter$} = {kind}: {}", "", harmless(note))?;
        }
        Ok(())
    }
}

impl Diagnostic {
    fn origin(&self, f: &mut Formatter<'_>, source: &Source, gutter: usize) -> fmt::Result {
        write!(f, "\n{:gutter$}--> {}", "", harmless(&source.name))?;
        match self.position() {
            Some(at) => write!(f, ":{}:{}", at.line, at.column),
            None => Ok(()),
        }
    }

    fn excerpt(&self, f: &mut Formatter<'_>, excerpt: &Excerpt, gutter: usize) -> fmt::Result {
        let space = if excerpt.text.is_empty() { "" } else { " " };
        write!(f, "\n{:>gutter$} |{space}{}", excerpt.line, excerpt.text)?;
        for mark in &excerpt.marks {
            let before = width(&excerpt.text[..mark.span.start]);
            let length = width(&excerpt.text[mark.span.clone()]).max(1);
            // The main place stands out.
            let sign = if mark.label == 0 { "^" } else { "-" };
            let sign = sign.repeat(length);
            let text = harmless(&self.labels[mark.label].text);
            let space = if text.is_empty() { "" } else { " " };
            write!(f, "\n{:gutter$} | {:before$}{sign}{space}{text}", "", "")?;
        }
        Ok(())
    }
}

fn digits(n: usize) -> usize {
    n.to_string().len()
}
