//! [`Screen`]: where a command writes, and how it looks there.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StderrLock, StdoutLock, Write};

use clap::ColorChoice;
use kanshape::Diagnostic;
use kanshape::diag::render_terminal;

use crate::args::Colour;
use crate::exit::{Exit, Failure};

/// The columns that are taken where nobody says how many there are.
const WIDTH: usize = 100;

/// The two streams of a command: what was requested goes to standard output, whatever else is to
/// be said to standard error.
pub(crate) struct Screen {
    out: StreamStyle,
    err: StreamStyle,
}

/// How text looks on one stream.
#[derive(Clone, Copy)]
struct StreamStyle {
    terminal: bool,
    colour: bool,
}

impl StreamStyle {
    fn diagnostic(self, diagnostic: &Diagnostic) -> String {
        match self.terminal || self.colour {
            true => render_terminal(diagnostic, width(), self.colour, draws_lines()),
            false => diagnostic.to_string(),
        }
    }
}

impl Screen {
    pub(crate) fn new(colour: Colour) -> Screen {
        let look = |terminal: bool| StreamStyle {
            terminal,
            colour: match colour {
                Colour::Always => true,
                Colour::Never => false,
                Colour::Auto => terminal && !is_colour_disabled(),
            },
        };
        Screen {
            out: look(io::stdout().is_terminal()),
            err: look(io::stderr().is_terminal()),
        }
    }

    /// Standard output, locked once. What is written appears when it is flushed.
    pub(crate) fn out(&self) -> BufWriter<StdoutLock<'static>> {
        BufWriter::new(io::stdout().lock())
    }

    /// Is somebody looking at standard output?
    pub(crate) fn is_watched(&self) -> bool {
        self.out.terminal
    }

    /// A remark beside what was requested: grey.
    pub(crate) fn grey(&self, text: impl Display) -> String {
        self.styled("2", text)
    }

    /// Something that is wrong.
    pub(crate) fn red(&self, text: impl Display) -> String {
        self.styled("31", text)
    }

    /// A text in a text.
    pub(crate) fn green(&self, text: impl Display) -> String {
        self.styled("32", text)
    }

    /// A word that means something by itself.
    pub(crate) fn blue(&self, text: impl Display) -> String {
        self.styled("34", text)
    }

    /// A heading.
    pub(crate) fn bold(&self, text: impl Display) -> String {
        self.styled("1", text)
    }

    fn styled(&self, code: &str, text: impl Display) -> String {
        if self.out.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    /// Shows a diagnostic on standard error.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic) -> io::Result<()> {
        writeln!(io::stderr().lock(), "{}", self.err.diagnostic(diagnostic))
    }

    /// A diagnostic as standard output shows it, where diagnostics are what was requested.
    pub(crate) fn shown(&self, diagnostic: &Diagnostic) -> String {
        self.out.diagnostic(diagnostic)
    }

    /// A line on standard error.
    pub(crate) fn note(&self, text: impl Display) -> io::Result<()> {
        let mut err: StderrLock<'_> = io::stderr().lock();
        if self.err.colour {
            writeln!(err, "\x1b[2m{text}\x1b[0m")
        } else {
            writeln!(err, "{text}")
        }
    }

    /// Says why a command failed. A closed pipe is no failure.
    pub(crate) fn failure(&self, failure: &Failure) -> Exit {
        // An error in writing to standard error can't be reported anywhere.
        match failure {
            Failure::Text(diagnostic) => {
                let _ = self.diagnostic(diagnostic);
                Exit::Wrong
            }
            Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Solved,
            Failure::Io(error) => {
                let _ = self.note(format_args!("error: {error}"));
                Exit::Wrong
            }
        }
    }
}

/// The colours of `--help`, which is printed before the arguments are known.
pub(crate) fn choice_of_help(args: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--color") => args.peek().and_then(|a| a.to_str()),
            Some(arg) => arg.strip_prefix("--color="),
            None => None,
        };
        match value {
            Some("always") => return ColorChoice::Always,
            Some("never") => return ColorChoice::Never,
            _ => {}
        }
    }
    ColorChoice::Auto
}

fn is_colour_disabled() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0))
}

/// Does the locale say that more than ASCII can be shown?
fn draws_lines() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty());
    locale.is_some_and(|value| {
        let value = value.to_string_lossy().to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}
