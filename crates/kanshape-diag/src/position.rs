//! Bytes of a text as lines and columns.

/// A line and a column, as an editor counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Position {
    /// Where the byte `offset` of `text` is.
    pub fn of(text: &str, offset: usize) -> Self {
        let offset = floor(text, offset);
        let line = line_start(text, offset);
        Position {
            line: 1 + text.as_bytes()[..line]
                .iter()
                .filter(|b| **b == b'\n')
                .count(),
            column: 1 + text[line..offset].chars().count(),
        }
    }
}

/// The last place at or before `offset` where a character of `text` begins.
pub(crate) fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The first byte of the line that has the byte `offset`.
pub(crate) fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}
