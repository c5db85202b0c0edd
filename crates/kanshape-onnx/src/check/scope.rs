//! [`Scope`]: which value a name denotes, in bodies that see what is around them and functions that don't.

use crate::symbols::Symbol;
use kanshape::graph::ValueId;

/// Which values names denote.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// By symbol: the value, and the frame in which it was bound.
    values: Vec<Option<(ValueId, u32)>>,
    frames: Vec<ScopeFrame>,
    /// What names stood for before they were bound again.
    hidden: Vec<(Symbol, Option<(ValueId, u32)>)>,
}

/// A body, or the graph of the model.
#[derive(Clone, Copy, Debug)]
struct ScopeFrame {
    /// The first frame that it sees.
    sees: u32,
    /// How much was hidden before it.
    hidden: usize,
}

impl Scope {
    /// Goes into a graph. A function does not see what is around it.
    pub(super) fn enter(&mut self, is_function: bool) {
        let own = self.frames.len() as u32;
        let sees = match (is_function, self.frames.last()) {
            (false, Some(around)) => around.sees,
            _ => own,
        };
        self.frames.push(ScopeFrame {
            sees,
            hidden: self.hidden.len(),
        });
    }

    /// Goes out again. What was bound there is forgotten.
    pub(super) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        for (symbol, value) in self.hidden.drain(frame.hidden..).rev() {
            self.values[symbol.index()] = value;
        }
    }

    /// Reserves room for this number of names.
    pub(super) fn reserve(&mut self, names: usize) {
        if names > self.values.len() {
            self.values.resize(names, None);
        }
    }

    /// The value that a name denotes.
    #[inline]
    pub(super) fn get(&self, symbol: Symbol) -> Option<ValueId> {
        let (value, frame) = (*self.values.get(symbol.index())?)?;
        let sees = self.frames.last().map_or(0, |frame| frame.sees);
        (frame >= sees).then_some(value)
    }

    /// From now on a name denotes a value.
    #[inline]
    pub(super) fn bind(&mut self, symbol: Symbol, value: ValueId) {
        let frame = (self.frames.len() as u32).saturating_sub(1);
        self.reserve(symbol.index() + 1);
        let slot = &mut self.values[symbol.index()];
        if frame > 0 {
            self.hidden.push((symbol, *slot));
        }
        *slot = Some((value, frame));
    }
}
