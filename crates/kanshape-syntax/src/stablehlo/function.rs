//! [`Function`]: the functions of a module, whichever form they are written in.

use super::attribute::{self, Attribute};
use super::call::{Param, is_type};
use super::{Item, Mark, Module, Op, Piece, PieceKind};
use crate::tree::Span;

/// A function of a module.
#[derive(Clone, Debug)]
pub struct Function<'m> {
    /// `main` of `@main`.
    pub name: Box<str>,
    /// Where it begins.
    pub span: Span,
    /// Nothing outside of the module calls it.
    pub is_private: bool,
    /// Its parameters.
    pub params: Vec<Param<'m>>,
    /// Where the types of its parameters are written once more: in the generic form.
    pub inputs: Vec<Span>,
    /// Where the types of its results are written.
    pub outputs: Vec<Span>,
    /// It has no body: what it does is not in the module.
    pub is_declared: bool,
    /// Its operations, up to where they go on elsewhere.
    pub ops: &'m [Op],
    /// Where the module that contains it begins: names are unique in one module.
    pub module: usize,
    /// It has more than one block: what it does is no list of operations.
    pub has_blocks: bool,
}

impl Module {
    /// The functions of the module, in their order: those in a module that is an operation as well.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let mut functions = Vec::new();
        let items = self.items.iter().filter_map(|item| match item {
            Item::Op(op) => Some(op),
            Item::Alias(..) => None,
        });
        let mut left: Vec<(usize, &Op)> = items.map(|op| (0, op)).collect();
        left.reverse();
        while let Some((module, op)) = left.pop() {
            match self.at(op.name).trim_matches('"') {
                "func.func" => functions.extend(self.function(op, module)),
                "module" | "builtin.module" => {
                    let blocks = op.regions.iter().flat_map(|region| &region.blocks);
                    let start = left.len();
                    let ops = blocks.flat_map(|block| &block.ops);
                    left.extend(ops.map(|inner| (op.span.start, inner)));
                    left[start..].reverse();
                }
                _ => {}
            }
        }
        functions
    }

    fn function<'m>(&'m self, op: &'m Op, module: usize) -> Option<Function<'m>> {
        let block = op.regions.first().and_then(|region| region.blocks.first());
        let mut function = Function {
            name: "".into(),
            span: op.name,
            is_private: false,
            params: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            is_declared: block.is_none(),
            ops: block.map_or(&[], |block| &block.ops),
            module,
            has_blocks: op
                .regions
                .first()
                .is_some_and(|region| region.blocks.len() > 1),
        };
        if op.is_generic {
            let attributes = attribute::entries(self.text(), &op.properties);
            let attributes = attributes
                .into_iter()
                .chain(attribute::entries(self.text(), &op.attributes));
            for (key, value) in attributes {
                match (&*key, value) {
                    ("sym_name", Attribute::Text(name)) => function.name = name,
                    ("sym_visibility", Attribute::Text(word)) => {
                        function.is_private = &*word == "private";
                    }
                    _ => {}
                }
            }
            let entries = op.properties.iter().chain(&op.attributes);
            for entry in entries.filter(|entry| self.at(entry.key) == "function_type") {
                function.inputs = entry.value.first().map(types).unwrap_or_default();
                function.outputs = results(&entry.value);
            }
            if let Some(group) = block.and_then(|block| block.params.as_ref()) {
                function.params = self.params(group);
            }
            if function.is_declared {
                function.params = function.inputs.iter().map(|ty| nameless(*ty)).collect();
            }
            return Some(function);
        }
        for (i, piece) in op.pieces.iter().enumerate() {
            match &piece.kind {
                PieceKind::Word if i == 0 => function.is_private = self.at(piece.span) == "private",
                PieceKind::Symbol => function.name = attribute::symbol(self.at(piece.span)),
                PieceKind::Group(_) if function.params.is_empty() && i <= 2 => {
                    function.params = self.params(piece);
                    if function.is_declared && function.params.is_empty() {
                        function.params = types(piece).into_iter().map(nameless).collect();
                    }
                }
                PieceKind::Mark(Mark::Arrow) => {
                    function.outputs = results(&op.pieces[i..]);
                    break;
                }
                _ => {}
            }
        }
        Some(function)
    }
}

/// A parameter of which only the type is written.
fn nameless<'m>(ty: Span) -> Param<'m> {
    Param {
        name: "",
        span: ty,
        ty: Some(ty),
    }
}

/// Where the types behind an arrow stand.
fn results(pieces: &[Piece]) -> Vec<Span> {
    let arrow = pieces
        .iter()
        .position(|p| matches!(p.kind, PieceKind::Mark(Mark::Arrow)));
    let behind = arrow.and_then(|arrow| pieces.get(arrow + 1));
    behind.map(types).unwrap_or_default()
}

/// Where a type stands, or several in parentheses.
fn types(piece: &Piece) -> Vec<Span> {
    match &piece.kind {
        PieceKind::Group(inner) => inner
            .split(|p| matches!(p.kind, PieceKind::Mark(Mark::Comma)))
            .filter_map(|one| one.first().filter(|p| is_type(p)))
            .map(|piece| piece.span)
            .collect(),
        _ if is_type(piece) => vec![piece.span],
        _ => Vec::new(),
    }
}
