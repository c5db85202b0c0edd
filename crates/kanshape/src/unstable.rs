//! What may change with any version: syntax trees and the engine.

/// Texts as trees: what is written, and where.
pub mod syntax {
    pub use kanshape_syntax::*;
}

/// Variables, constraints, a persistent store and search, which know no tensors.
pub mod engine {
    pub use kanshape_engine::*;
}
