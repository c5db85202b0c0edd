//! Programs in Relay's text format.
