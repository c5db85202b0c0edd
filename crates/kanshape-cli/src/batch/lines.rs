//! [`Lines`]: an input cut into lines, of which no more than one is in memory.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is read.
const LONGEST: usize = 8 << 20;
/// A buffer that one long line has made larger than this is given back.
const KEPT: usize = 1 << 20;

/// What is between two ends of line.
pub(super) enum Cut<'l> {
    /// Nothing, or nothing but spaces.
    Blank,
    /// A line, without its end.
    Line(&'l [u8]),
    /// A line longer than this, which was passed over.
    TooLong(usize),
}

pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    first: bool,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: BufReader<R>) -> Lines<R> {
        Lines {
            input,
            line: Vec::new(),
            first: true,
        }
    }

    /// The next line, none after the last.
    pub(super) fn next(&mut self) -> io::Result<Option<Cut<'_>>> {
        self.line.clear();
        self.line.shrink_to(KEPT);
        let most = LONGEST as u64 + 1;
        let read = (&mut self.input)
            .take(most)
            .read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        if self.line.last() != Some(&b'\n') && self.line.len() > LONGEST {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Cut::TooLong(LONGEST)));
        }
        let mut line = self.line.as_slice();
        if std::mem::take(&mut self.first) {
            // A mark of the byte order says nothing in UTF-8.
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        let line = line.trim_ascii_end();
        Ok(Some(if line.is_empty() {
            Cut::Blank
        } else {
            Cut::Line(line)
        }))
    }
}
