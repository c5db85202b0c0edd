//! [`Function`]: the functions of a module, whichever form they are written in.

use super::attribute::{self, Attribute};
use super::call::is_type;
use super::ty::MlirType;
use super::{Item, Mark, Module, Op, Piece, PieceKind};
use crate::tree::Span;

/// A function of a module.
#[derive(Clone, Debug)]
pub struct Function<'m> {
    /// `main` of `@main`.
    pub name: Box<str>,
    /// Where it begins.
    pub span: Span,
    /// Its parameters, and their types.
    pub params: Vec<(&'m str, MlirType)>,
    /// The types of its results.
    pub outputs: Vec<MlirType>,
    /// Its operations.
    pub ops: &'m [Op],
}

impl Module {
    /// The functions of the module, in their order: those in a module that is an operation as well.
    pub fn functions(&self) -> Vec<Function<'_>> {
        let mut functions = Vec::new();
        let items = self.items.iter().filter_map(|item| match item {
            Item::Op(op) => Some(op),
            Item::Alias(..) => None,
        });
        let mut left: Vec<&Op> = items.collect();
        left.reverse();
        while let Some(op) = left.pop() {
            match self.at(op.name).trim_matches('"') {
                "func.func" => functions.extend(self.function(op)),
                "module" | "builtin.module" => {
                    let blocks = op.regions.iter().flat_map(|region| &region.blocks);
                    let start = left.len();
                    left.extend(blocks.flat_map(|block| &block.ops));
                    left[start..].reverse();
                }
                _ => {}
            }
        }
        functions
    }

    fn function<'m>(&'m self, op: &'m Op) -> Option<Function<'m>> {
        let block = op.regions.first().and_then(|region| region.blocks.first());
        let mut function = Function {
            name: "".into(),
            span: op.name,
            params: Vec::new(),
            outputs: Vec::new(),
            ops: block.map_or(&[], |block| &block.ops),
        };
        let any = || MlirType::Other("".into());
        let params = |group: &'m Piece| {
            let params = self.params(group).into_iter();
            let params = params.map(|(name, ty)| (name, ty.unwrap_or_else(any)));
            params.collect()
        };
        if op.is_generic {
            let attributes = attribute::entries(self.text(), &op.properties);
            let attributes = attributes
                .into_iter()
                .chain(attribute::entries(self.text(), &op.attributes));
            for (key, value) in attributes {
                if let ("sym_name", Attribute::Text(name)) = (&*key, value) {
                    function.name = name;
                }
            }
            let entries = op.properties.iter().chain(&op.attributes);
            for entry in entries.filter(|entry| self.at(entry.key) == "function_type") {
                function.outputs = self.results(&entry.value);
            }
            if let Some(group) = block.and_then(|block| block.params.as_ref()) {
                function.params = params(group);
            }
            return Some(function);
        }
        for (i, piece) in op.pieces.iter().enumerate() {
            match &piece.kind {
                PieceKind::Symbol => function.name = attribute::symbol(self.at(piece.span)),
                PieceKind::Group(_) if function.params.is_empty() && i <= 2 => {
                    function.params = params(piece);
                }
                PieceKind::Mark(Mark::Arrow) => {
                    function.outputs = self.results(&op.pieces[i..]);
                    break;
                }
                _ => {}
            }
        }
        Some(function)
    }

    /// The types behind an arrow.
    fn results(&self, pieces: &[Piece]) -> Vec<MlirType> {
        let arrow = pieces
            .iter()
            .position(|p| matches!(p.kind, PieceKind::Mark(Mark::Arrow)));
        let behind = arrow.and_then(|arrow| pieces.get(arrow + 1));
        let read = |piece: &Piece| MlirType::read(self.at(piece.span));
        match behind {
            Some(Piece {
                kind: PieceKind::Group(inner),
                ..
            }) => inner
                .split(|p| matches!(p.kind, PieceKind::Mark(Mark::Comma)))
                .filter_map(|one| one.first().filter(|p| is_type(p)).map(read))
                .collect(),
            Some(piece) if is_type(piece) => vec![read(piece)],
            _ => Vec::new(),
        }
    }
}
