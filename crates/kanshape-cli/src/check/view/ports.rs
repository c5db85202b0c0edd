//! The inputs and outputs of a model.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use kanshape::Type;

use super::{View, count};
use kanshape_batch::model::short::short;

/// The most of each that fit on a screen beside all else.
const MOST: usize = 12;

impl View<'_, '_> {
    pub(super) fn ports(&self, text: &mut String) {
        self.side("input", &self.report.inputs, text);
        self.side("output", &self.report.outputs, text);
    }

    fn side(&self, what: &str, all: &[(Cow<'_, str>, Arc<Type>)], text: &mut String) {
        let most = match self.select.values {
            true => all.len(),
            false => MOST,
        };
        for (name, ty) in all.iter().take(most) {
            let ty = self.screen.green(short(ty));
            let _ = writeln!(text, "{what:6} {name}: {ty}");
        }
        if all.len() > most {
            let more = count(all.len() - most, &format!("more {what}"));
            let note = format!("       and {more}; --values shows all");
            let _ = writeln!(text, "{}", self.screen.grey(note));
        }
    }
}
