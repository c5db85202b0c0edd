//! Programs in Relay's text format: types as they are recorded, long and deep programs, what `--write` writes.

mod properties;
mod recorded;
mod solver;
