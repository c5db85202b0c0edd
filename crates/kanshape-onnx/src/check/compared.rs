//! What a model declares of its values against what has been found.

use super::Checker;
use crate::declared::{Agreement, DeclaredType};
use crate::graph::Graph;
use crate::proto::ty::{self, Declared};
use crate::symbols::Symbol;
use hashbrown::HashSet;
use kanshape::graph::ValueId;
use kanshape::{Condition, Dim};

impl<'a> Checker<'_, 'a> {
    /// What the model declares of outputs and values between against what has been found.
    pub(super) fn compare_declared(&mut self, graph: &Graph<'a>) {
        if !self.options.declared {
            return;
        }
        let outputs = graph.outputs.iter().map(|o| (o.symbol, o.name, o.ty));
        let hints = graph.hints.iter().map(|hint| {
            let symbol = self.symbols.get(hint.name);
            (symbol.unwrap_or(Symbol::NONE), hint.name, hint.ty)
        });
        let all = outputs.chain(hints);
        let all: Vec<(ValueId, &'a str, &'a [u8])> = all
            .filter_map(|(symbol, name, message)| Some((self.scope.get(symbol)?, name, message?)))
            .collect();
        let found = self.graph.read().all_shared(all.iter().map(|one| one.0));
        let free: HashSet<&str> = self
            .free
            .iter()
            .filter(|f| f.named)
            .map(|f| &*f.name)
            .collect();
        for ((_, name, message), found) in all.into_iter().zip(found) {
            // What is wrong with it has been reported.
            let Ok(Declared { ty, .. }) = ty::read(message, &mut self.dims) else {
                continue;
            };
            let found = (*found).clone().with_contents(None);
            let is_known = |name: &str| free.contains(name);
            let reading = self.graph.read();
            let are_equal = |own: &Dim, other: &Dim| {
                let equation = format!("{own} == {other}").parse::<Condition>();
                equation.is_ok_and(|one| reading.follow(&[], &[one]))
            };
            let mut one = DeclaredType::new(name, ty, found, &is_known, &are_equal);
            if self.refuted.contains(name) {
                one.agreement = Agreement::Contradicted;
            }
            self.compared.push(one);
        }
    }
}
