//! The part of a text worth showing: one line, cut around a place, with nothing in it that a
//! terminal would obey.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::diagnostic::Label;
use crate::position::{Position, floor, line_start};

/// What denotes the rest of a line. Not dots, which mean something in a signature.
const CUT: &str = "~~";

/// A line or a part of one, ready to be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The line's number.
    pub(crate) line: usize,
    /// What to show.
    pub(crate) text: String,
    /// The places in it.
    pub(crate) marks: Vec<Mark>,
    /// The bytes of the source that `text` shows.
    window: Range<usize>,
    /// How many bytes of `text` stand before them.
    left: usize,
}

/// A place in an excerpt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Bytes of [`Excerpt::text`].
    pub(crate) span: Range<usize>,
    /// Which of the labels.
    pub(crate) label: usize,
}

/// The excerpts of `source` that show `labels`, each at most about `width` columns wide.
pub(crate) fn excerpts(source: &str, labels: &[Label], width: usize) -> Vec<Excerpt> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|i| labels[*i].start);
    let mut all: Vec<Excerpt> = Vec::new();
    for i in order {
        let start = floor(source, labels[i].start);
        let end = floor(source, labels[i].end).max(start);
        let shown = all.last().is_some_and(|last| last.shows(start));
        if !shown {
            all.push(Excerpt::around(source, start, end, width));
        }
        if let Some(last) = all.last_mut() {
            last.mark(source, start..end, i);
        }
    }
    all
}

impl Excerpt {
    fn around(source: &str, start: usize, end: usize, width: usize) -> Self {
        let line = line_of(source, start);
        let window = window(source, line.clone(), start..end, width);
        let cut = |missing: bool| if missing { CUT } else { "" };
        let left = cut(window.start > line.start);
        let right = cut(window.end < line.end);
        Excerpt {
            line: Position::of(source, start).line,
            text: format!("{left}{}{right}", harmless(&source[window.clone()])),
            marks: Vec::new(),
            window,
            left: left.len(),
        }
    }

    fn shows(&self, offset: usize) -> bool {
        self.window.start <= offset && offset <= self.window.end
    }

    fn mark(&mut self, source: &str, span: Range<usize>, label: usize) {
        let place = |offset: usize| {
            let offset = offset.clamp(self.window.start, self.window.end);
            self.left + harmless(&source[self.window.start..offset]).len()
        };
        let span = place(span.start)..place(span.end);
        self.marks.push(Mark { span, label });
    }
}

/// The line that has the byte `offset`, without what ends it.
fn line_of(source: &str, offset: usize) -> Range<usize> {
    let start = line_start(source, offset);
    let rest = &source[offset..];
    let end = offset + rest.find('\n').unwrap_or(rest.len());
    let line = &source[start..end];
    start
        ..start
            + line
                .strip_suffix('\r')
                .unwrap_or(line)
                .len()
                .max(offset - start)
}

/// The bytes of `line` to show: all, or about `width` columns around `span`.
fn window(source: &str, line: Range<usize>, span: Range<usize>, width: usize) -> Range<usize> {
    let mut start = span.start;
    let mut end = span.start;
    let mut used = 0;
    // A third of the room for what stands before, the rest for the place and what follows, and
    // what that leaves for what stands before again.
    for (room, forward) in [(width / 3, false), (width, true), (width, false)] {
        if forward {
            for c in source[end..line.end].chars() {
                if used + columns(c) > room {
                    break;
                }
                used += columns(c);
                end += c.len_utf8();
            }
        } else {
            for c in source[line.start..start].chars().rev() {
                if used + columns(c) > room {
                    break;
                }
                used += columns(c);
                start -= c.len_utf8();
            }
        }
    }
    start..end
}

/// How many columns a character takes, at least one, so that a window is short in bytes as well.
fn columns(c: char) -> usize {
    match harmful(c) {
        Some(instead) => instead.len(),
        None => c.width().unwrap_or(1).max(1),
    }
}

/// How wide a text is that went through [`harmless`].
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text with everything escaped that would move the cursor or reorder what is shown.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| harmful(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match harmful(c) {
            Some(instead) => shown.push_str(&instead),
            None => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// What is shown instead of a character that is no good for a terminal.
fn harmful(c: char) -> Option<String> {
    match c {
        '\t' => Some(" ".repeat(4)),
        // Format characters that take no room or change the direction of the text.
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => Some(c.escape_unicode().to_string()),
        _ if c.is_control() => Some(c.escape_unicode().to_string()),
        _ => None,
    }
}
