//! A diagnostic as a terminal shows it.

use std::borrow::Cow;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use crate::diagnostic::{Diagnostic, Severity, Source};
use crate::excerpt::{Mark, excerpts, harmless, width};
use crate::position::floor;

/// What stands left of an excerpt: the line's number and a rule.
const GUTTER: usize = 10;

/// Longer texts are never shown as a whole.
const LONGEST: usize = 1 << 12;

/// The narrowest excerpt, however narrow the terminal.
const NARROWEST: usize = 20;

/// The diagnostic for a terminal of `width` columns, with colours or without, with drawn lines
/// or in ASCII.
///
/// ```
/// use kanshape_diag::{Diagnostic, render_terminal};
///
/// let d = Diagnostic::new("K0001", "two dims without a comma")
///     .with_label(3..4, "expected `,` or `)`")
///     .with_source("signature", "(m n)->()");
/// assert_eq!(render_terminal(&d, 80, false, true), "\
/// error[K0001]: two dims without a comma
///   ╭▸ signature:1:4
///   │
/// 1 │ (m n)->()
///   ╰╴   ━ expected `,` or `)`");
/// ```
pub fn render_terminal(d: &Diagnostic, width: usize, color: bool, unicode: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let style = if unicode {
        DecorStyle::Unicode
    } else {
        DecorStyle::Ascii
    };
    let renderer = renderer.decor_style(style).term_width(width.max(NARROWEST));
    renderer.render(&[group(d, width)])
}

fn group(d: &Diagnostic, width: usize) -> Group<'_> {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(harmless(&d.headline)).id(d.code);
    let mut group = Group::with_title(title);
    if let Some(source) = &d.source {
        let room = width.saturating_sub(GUTTER).max(NARROWEST);
        group = if source.text.is_empty() {
            group.element(origin(d, source))
        } else if is_presentable(&source.text, room) {
            group.element(whole(d, source))
        } else {
            group
                .element(origin(d, source))
                .elements(cut(d, source, room))
        };
    }
    let steps = d
        .steps
        .iter()
        .map(|step| Level::NOTE.message(harmless(step)));
    let help = d
        .help
        .iter()
        .map(|help| Level::HELP.message(harmless(help)));
    group.elements(steps.chain(help).map(Element::from))
}

/// Whether the renderer can be given the text as it is: it is neither long, nor wide, nor does it
/// have anything in it that must be escaped.
fn is_presentable(text: &str, room: usize) -> bool {
    text.len() <= LONGEST
        && text
            .lines()
            .all(|line| width(line) <= room && matches!(harmless(line), Cow::Borrowed(_)))
}

/// The text with all places in it. What is between them, the renderer leaves out.
fn whole<'d>(d: &'d Diagnostic, source: &'d Source) -> Snippet<'d, Annotation<'d>> {
    let marks = d.labels.iter().enumerate().map(|(label, place)| {
        let start = floor(&source.text, place.start);
        let end = floor(&source.text, place.end).max(start);
        let span = start..end;
        annotation(d, Mark { span, label })
    });
    Snippet::source(&source.text)
        .path(harmless(&source.name))
        .annotations(marks)
}

/// Parts of the text around the places.
fn cut<'d>(
    d: &'d Diagnostic,
    source: &'d Source,
    room: usize,
) -> impl Iterator<Item = Snippet<'d, Annotation<'d>>> {
    let excerpts = excerpts(&source.text, &d.labels, room).into_iter();
    excerpts.map(|excerpt| {
        let marks = excerpt.marks.into_iter().map(|mark| annotation(d, mark));
        Snippet::source(excerpt.text)
            .line_start(excerpt.line)
            .annotations(marks)
    })
}

/// What the text is called, and where in it the main place is; the renderer would count by what
/// it shows.
fn origin<'d>(d: &Diagnostic, source: &'d Source) -> Origin<'d> {
    let origin = Origin::path(harmless(&source.name));
    match d.position() {
        Some(at) => origin.line(at.line).char_column(at.column),
        None => origin,
    }
}

fn annotation(d: &Diagnostic, mark: Mark) -> Annotation<'_> {
    let kind = if mark.label == 0 {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    let text = &d.labels[mark.label].text;
    kind.span(mark.span)
        .label((!text.is_empty()).then(|| harmless(text)))
}
