//! The way back: a module as text, with one blank where MLIR's printer writes one.

use std::fmt::{self, Display, Formatter};

use super::{Block, Entry, Item, Mark, Module, Op, Piece, PieceKind, Region, Signature};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { module: self, f };
        for item in &self.items {
            match item {
                Item::Alias(name, value) => {
                    printer.write(self.at(*name))?;
                    printer.write(" = ")?;
                    printer.pieces(value, false)?;
                }
                Item::Op(op) => printer.op(op, 0)?,
            }
            printer.write("\n")?;
        }
        Ok(())
    }
}

struct Printer<'p, 'f> {
    module: &'p Module,
    f: &'p mut Formatter<'f>,
}

impl Printer<'_, '_> {
    fn write(&mut self, text: &str) -> fmt::Result {
        self.f.write_str(text)
    }

    fn indent(&mut self, depth: usize) -> fmt::Result {
        (0..depth).try_for_each(|_| self.write("  "))
    }

    fn op(&mut self, op: &Op, depth: usize) -> fmt::Result {
        self.indent(depth)?;
        for (i, result) in op.results.iter().enumerate() {
            self.write(if i > 0 { ", " } else { "" })?;
            self.write(self.module.at(result.name))?;
            if let Some(count) = result.count {
                self.write(":")?;
                self.write(self.module.at(count))?;
            }
        }
        if !op.results.is_empty() {
            self.write(" = ")?;
        }
        self.write(self.module.at(op.name))?;
        let is_call =
            matches!(op.pieces.first(), Some(piece) if matches!(piece.kind, PieceKind::Group(_)));
        if !op.pieces.is_empty() {
            self.write(if is_call { "" } else { " " })?;
            self.pieces(&op.pieces, false)?;
        }
        if !op.properties.is_empty() {
            self.write(" <{")?;
            self.entries(&op.properties)?;
            self.write("}>")?;
        }
        if op.is_generic && !op.regions.is_empty() {
            self.write(" (")?;
            for (i, region) in op.regions.iter().enumerate() {
                self.write(if i > 0 { ", " } else { "" })?;
                self.region(region, depth)?;
            }
            self.write(")")?;
        } else {
            for region in &op.regions {
                self.write(" ")?;
                self.region(region, depth)?;
            }
        }
        if op.is_generic {
            self.attributes(op)?;
        }
        if let Some(types) = &op.types {
            self.write(" : ")?;
            self.signature(types)?;
        }
        if !op.is_generic {
            self.attributes(op)?;
        }
        self.trailers(op, depth)
    }

    fn attributes(&mut self, op: &Op) -> fmt::Result {
        if op.attributes.is_empty() {
            return Ok(());
        }
        self.write(" {")?;
        self.entries(&op.attributes)?;
        self.write("}")
    }

    fn trailers(&mut self, op: &Op, depth: usize) -> fmt::Result {
        for (i, trailer) in op.trailers.iter().enumerate() {
            match i {
                0 => {
                    self.write("\n")?;
                    self.indent(depth)?;
                    // A reducer stands one blank further in.
                    self.write(if trailer.groups.is_empty() { "" } else { " " })?;
                }
                _ => self.write(" ")?,
            }
            self.write(self.module.at(trailer.word))?;
            for (i, group) in trailer.groups.iter().enumerate() {
                self.write(if i > 0 { " " } else { "" })?;
                self.piece(group)?;
            }
            if !trailer.groups.is_empty() {
                self.write(" ")?;
            }
            self.write(" ")?;
            match &trailer.region {
                Some(region) => self.region(region, depth)?,
                None => {
                    self.write("{")?;
                    self.entries(&trailer.attributes)?;
                    self.write("}")?;
                }
            }
        }
        Ok(())
    }

    fn region(&mut self, region: &Region, depth: usize) -> fmt::Result {
        self.write("{\n")?;
        for block in &region.blocks {
            self.block(block, depth)?;
        }
        self.indent(depth)?;
        self.write("}")
    }

    fn block(&mut self, block: &Block, depth: usize) -> fmt::Result {
        if let Some(label) = block.label {
            self.indent(depth)?;
            self.write(self.module.at(label))?;
            if let Some(params) = &block.params {
                self.piece(params)?;
            }
            self.write(":\n")?;
        }
        for op in &block.ops {
            self.op(op, depth + 1)?;
            self.write("\n")?;
        }
        Ok(())
    }

    fn signature(&mut self, types: &Signature) -> fmt::Result {
        self.write(if types.has_parens { "(" } else { "" })?;
        self.commas(&types.inputs)?;
        self.write(if types.has_parens { ")" } else { "" })?;
        let Some(outputs) = &types.outputs else {
            return Ok(());
        };
        self.write(" -> ")?;
        match &outputs[..] {
            [one] => self.piece(one),
            several => {
                self.write("(")?;
                self.commas(several)?;
                self.write(")")
            }
        }
    }

    fn commas(&mut self, pieces: &[Piece]) -> fmt::Result {
        for (i, piece) in pieces.iter().enumerate() {
            self.write(if i > 0 { ", " } else { "" })?;
            self.piece(piece)?;
        }
        Ok(())
    }

    fn entries(&mut self, entries: &[Entry]) -> fmt::Result {
        for (i, entry) in entries.iter().enumerate() {
            self.write(if i > 0 { ", " } else { "" })?;
            self.write(self.module.at(entry.key))?;
            if !entry.value.is_empty() {
                self.write(" = ")?;
                self.pieces(&entry.value, false)?;
            }
        }
        Ok(())
    }

    /// Pieces with blanks between them. Within `bounds`, `0:4:2` has none.
    fn pieces(&mut self, pieces: &[Piece], bounds: bool) -> fmt::Result {
        for (i, piece) in pieces.iter().enumerate() {
            if let Some(before) = i.checked_sub(1).and_then(|i| pieces.get(i))
                && self.is_apart(before, piece, bounds)
            {
                self.write(" ")?;
            }
            self.piece(piece)?;
        }
        Ok(())
    }

    /// Whether a blank stands between two pieces.
    fn is_apart(&self, before: &Piece, piece: &Piece, bounds: bool) -> bool {
        let is_cross = |piece: &Piece| {
            matches!(piece.kind, PieceKind::Word) && self.module.at(piece.span) == "x"
        };
        match (&before.kind, &piece.kind) {
            (_, PieceKind::Mark(Mark::Comma | Mark::Colons))
            | (PieceKind::Mark(Mark::Colons), _) => false,
            // `[b, 0, f]x[0, i, o]->[b, 0, f]`, but `[0] x [1]`.
            (PieceKind::List(of), PieceKind::Word) if is_cross(piece) => !has_letters(of),
            (PieceKind::Word, PieceKind::List(of)) if is_cross(before) => !has_letters(of),
            (PieceKind::List(_), PieceKind::Mark(Mark::Arrow))
            | (PieceKind::Mark(Mark::Arrow), PieceKind::List(_)) => false,
            (_, PieceKind::Mark(Mark::Colon)) => !bounds && is_attribute(before),
            (PieceKind::Mark(Mark::Colon), _) => !bounds,
            (PieceKind::Symbol | PieceKind::Word | PieceKind::Successor, PieceKind::Group(_)) => {
                false
            }
            _ => true,
        }
    }

    fn piece(&mut self, piece: &Piece) -> fmt::Result {
        match &piece.kind {
            PieceKind::Group(inner) => {
                self.write("(")?;
                self.pieces(inner, false)?;
                self.write(")")
            }
            PieceKind::List(members) => {
                self.write("[")?;
                self.pieces(members, members.first().is_some_and(is_number))?;
                self.write("]")
            }
            PieceKind::Dict(entries) => {
                self.write("{")?;
                self.entries(entries)?;
                self.write("}")
            }
            PieceKind::Applies(name) => {
                self.write("applies ")?;
                self.write(self.module.at(*name))
            }
            _ => self.write(self.module.at(piece.span)),
        }
    }
}

/// Whether a `:` behind this piece stands apart from it: a value of an attribute and its type, and not a parameter and its.
fn is_attribute(piece: &Piece) -> bool {
    !matches!(piece.kind, PieceKind::Value | PieceKind::Word)
}

fn is_number(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::Number)
}

fn has_letters(pieces: &[Piece]) -> bool {
    pieces.iter().any(|p| matches!(p.kind, PieceKind::Word))
}
