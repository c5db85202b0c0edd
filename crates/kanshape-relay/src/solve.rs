//! Single questions about types.
