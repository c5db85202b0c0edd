//! [`Scope`]: which value a name denotes.

use kanshape::graph::ValueId;
use rustc_hash::FxHashMap;

/// The values that names denote in a function, of the bodies around a place as well.
#[derive(Debug, Default)]
pub(super) struct Scope<'m> {
    frames: Vec<FxHashMap<&'m str, Vec<ValueId>>>,
}

impl<'m> Scope<'m> {
    /// A function, or a body in it, begins.
    pub(super) fn enter(&mut self) {
        self.frames.push(FxHashMap::default());
    }

    /// It ends.
    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// From now on a name denotes these.
    pub(super) fn bind(&mut self, name: &'m str, values: Vec<ValueId>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(name, values);
        }
    }

    /// What a name denotes.
    pub(super) fn get(&self, name: &str, index: usize) -> Option<ValueId> {
        let mut frames = self.frames.iter().rev();
        let values = frames.find_map(|frame| frame.get(name))?;
        values.get(index).copied()
    }
}
