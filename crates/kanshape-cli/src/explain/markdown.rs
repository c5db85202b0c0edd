//! How a page looks on a screen: as it is written, with its headings bold and its code green where there are colours.

use std::io::{self, Write};

use crate::screen::Screen;

/// Writes a page.
pub(super) fn write(out: &mut impl Write, page: &str, screen: &Screen) -> io::Result<()> {
    let mut in_block = false;
    for line in page.lines() {
        let fence = line.starts_with("```");
        in_block ^= fence;
        if line.is_empty() {
            writeln!(out)?;
        } else if fence {
            writeln!(out, "{}", screen.grey(line))?;
        } else if in_block {
            writeln!(out, "{}", screen.green(line))?;
        } else if line.starts_with('#') {
            writeln!(out, "{}", screen.bold(line))?;
        } else {
            writeln!(out, "{}", prose(line, screen))?;
        }
    }
    Ok(())
}

/// A line with code between backticks.
fn prose(line: &str, screen: &Screen) -> String {
    let mut pieces = line.split('`');
    let mut shown = pieces.next().unwrap_or_default().to_owned();
    while let Some(code) = pieces.next() {
        match pieces.next() {
            Some(text) => shown += &(screen.green(format_args!("`{code}`")) + text),
            // It goes on in the next line.
            None => shown += &format!("`{code}"),
        }
    }
    shown
}
