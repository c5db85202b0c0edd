//! [`Call`]: what an operation is called with, whichever form it is written in.

use super::attribute::{self, Attribute, Dense};
use super::ty::MlirType;
use super::{Entry, Mark, Module, Op, Piece, PieceKind, Region, forms};
use crate::tree::Span;

/// What an operation is called with.
#[derive(Clone, Debug)]
pub struct Call<'m> {
    /// `stablehlo.add`.
    pub name: &'m str,
    /// What it takes.
    pub operands: Vec<Operand<'m>>,
    /// Its attributes; those of a group are in a group.
    pub attributes: Vec<(Box<str>, Attribute)>,
    /// Its bodies.
    pub bodies: Vec<Body<'m>>,
    /// The types of its results, as they are declared.
    pub outputs: Vec<MlirType>,
}

impl Call<'_> {
    /// One of its attributes.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let mut all = self.attributes.iter();
        all.find(|(own, _)| **own == *name).map(|(_, value)| value)
    }
}

/// A value that an operation takes.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'m> {
    /// `%0` of `%0#1`.
    pub name: &'m str,
    /// Which result of the operation that is called so.
    pub index: usize,
    /// Where it stands.
    pub span: Span,
}

impl<'m> Operand<'m> {
    fn of(written: &'m str, span: Span) -> Operand<'m> {
        let (name, index) = written.split_once('#').unwrap_or((written, "0"));
        Operand {
            name,
            index: index.parse().unwrap_or(usize::MAX),
            span,
        }
    }
}

/// A parameter of a function or of a body.
#[derive(Clone, Copy, Debug)]
pub struct Param<'m> {
    /// `%arg0`.
    pub name: &'m str,
    /// Where it stands.
    pub span: Span,
    /// Where its type stands, which is that of an operand where it is not written.
    pub ty: Option<Span>,
}

/// A body of an operation.
#[derive(Clone, Debug)]
pub struct Body<'m> {
    /// Its parameters.
    pub params: Vec<Param<'m>>,
    /// Its operations.
    pub runs: Applied<'m>,
}

/// What a body does.
#[derive(Clone, Debug)]
pub enum Applied<'m> {
    /// These operations.
    Ops(&'m [Op]),
    /// One operation of two scalars: `applies stablehlo.add`.
    Operation(&'m str),
}

impl Module {
    /// What an operation is called with.
    pub fn call<'m>(&'m self, op: &'m Op) -> Call<'m> {
        let name = self.at(op.name).trim_matches('"');
        let mut reader = Reader {
            module: self,
            own: name.rsplit('.').next().unwrap_or(name),
            call: Call {
                name,
                operands: Vec::new(),
                attributes: Vec::new(),
                bodies: Vec::new(),
                outputs: Vec::new(),
            },
            behind: Vec::new(),
            params: Vec::new(),
            applied: None,
            words: Vec::new(),
        };
        if op.is_generic {
            reader.generic(op);
        } else {
            reader.pieces(&op.pieces);
            reader.finish(op);
        }
        reader.call.outputs = self.outputs(op);
        reader.call
    }

    /// The types of the results.
    fn outputs(&self, op: &Op) -> Vec<MlirType> {
        let Some(types) = &op.types else {
            return Vec::new();
        };
        let read = |piece: &Piece| self.ty(piece.span);
        if let Some(outputs) = &types.outputs {
            return outputs.iter().map(read).collect();
        }
        // Types that stand alone are those of the operands, of which the last ones are those of the results.
        let count = self.result_count(op);
        let skip = types.inputs.len().saturating_sub(count);
        types.inputs.iter().skip(skip).map(read).collect()
    }

    /// How many results an operation says that it has.
    pub fn result_count(&self, op: &Op) -> usize {
        let count = |result: &super::OpResult| match result.count {
            Some(count) => self.at(count).parse().unwrap_or(1),
            None => 1,
        };
        op.results.iter().map(count).fold(0, usize::saturating_add)
    }

    /// The type that a parameter is declared to have.
    pub fn declared(&self, param: &Param<'_>) -> Option<MlirType> {
        param.ty.map(|ty| self.ty(ty))
    }

    /// The parameters that stand in parentheses with their types.
    pub(super) fn params(&self, group: &Piece) -> Vec<Param<'_>> {
        let PieceKind::Group(inner) = &group.kind else {
            return Vec::new();
        };
        let params = inner.split(|piece| matches!(piece.kind, PieceKind::Mark(Mark::Comma)));
        params
            .filter_map(|param| {
                let name = param.first()?;
                let ty = param.iter().skip(1).find(|piece| is_type(piece));
                matches!(name.kind, PieceKind::Value).then(|| Param {
                    name: self.at(name.span),
                    span: name.span,
                    ty: ty.map(|piece| piece.span),
                })
            })
            .collect()
    }

    /// A region as a body; of several blocks, the first one.
    pub(super) fn body<'m>(&'m self, region: &'m Region) -> Body<'m> {
        let block = region.blocks.first();
        let params = block.and_then(|block| block.params.as_ref());
        Body {
            params: params.map_or_else(Vec::new, |group| self.params(group)),
            runs: Applied::Ops(block.map_or(&[], |block| &block.ops)),
        }
    }
}

/// Whether a piece is a type.
pub(super) fn is_type(piece: &Piece) -> bool {
    matches!(
        piece.kind,
        PieceKind::Tensor | PieceKind::Type | PieceKind::Word
    )
}

/// Reads the pieces of an operation.
struct Reader<'m> {
    module: &'m Module,
    /// The name of the operation without its dialect.
    own: &'m str,
    call: Call<'m>,
    /// Operands that stand behind all others: `init: %a`.
    behind: Vec<Operand<'m>>,
    /// Parameters of all bodies: `%i = %a`.
    params: Vec<Param<'m>>,
    /// `applies stablehlo.add`.
    applied: Option<&'m str>,
    /// Words that stand alone.
    words: Vec<&'m str>,
}

impl<'m> Reader<'m> {
    fn at(&self, span: Span) -> &'m str {
        self.module.at(span)
    }

    fn add(&mut self, name: &str, value: Attribute) {
        self.call.attributes.push((name.into(), value));
    }

    fn entries(&mut self, entries: &[Entry]) {
        let read = attribute::entries(self.module.text(), entries);
        self.call.attributes.extend(read);
    }

    fn generic(&mut self, op: &'m Op) {
        for piece in &op.pieces {
            if let PieceKind::Group(inner) = &piece.kind {
                let operands = inner.iter().filter(|p| matches!(p.kind, PieceKind::Value));
                let operands = operands.map(|p| Operand::of(self.module.at(p.span), p.span));
                self.call.operands.extend(operands);
            }
        }
        self.entries(&op.properties);
        self.entries(&op.attributes);
        let bodies = op.regions.iter().map(|region| self.module.body(region));
        self.call.bodies.extend(bodies);
    }

    /// Reads pieces: those of the operation, or of a group of it.
    fn pieces(&mut self, pieces: &'m [Piece]) {
        let mut rest = pieces;
        while let Some((piece, more)) = rest.split_first() {
            rest = more;
            match &piece.kind {
                PieceKind::Value if is_mark(more.first(), Mark::Equals) => {
                    self.params.push(Param {
                        name: self.at(piece.span),
                        span: piece.span,
                        ty: None,
                    });
                    rest = &more[1..];
                }
                // A parameter of a body, or what a block is given.
                PieceKind::Value if is_mark(more.first(), Mark::Colon) => rest = &more[1..],
                PieceKind::Value => self.operand(piece),
                PieceKind::Word if is_mark(more.first(), Mark::Equals) => {
                    let (value, behind) = value_of(&more[1..]);
                    self.named(self.at(piece.span), value);
                    rest = behind;
                }
                PieceKind::Word if is_mark(more.first(), Mark::Colon) => {
                    // `init: %a`.
                    if let Some(value) = more.get(1)
                        && matches!(value.kind, PieceKind::Value)
                    {
                        let operand = Operand::of(self.at(value.span), value.span);
                        self.behind.push(operand);
                        rest = &more[2..];
                    }
                }
                PieceKind::Word => self.words.push(self.at(piece.span)),
                PieceKind::Group(inner) => self.pieces(inner),
                PieceKind::Dict(entries) => self.entries(entries),
                PieceKind::Applies(name) => self.applied = Some(self.at(*name)),
                PieceKind::List(members) => self.list(members),
                PieceKind::Symbol => self.symbol(piece),
                PieceKind::Text => {
                    let name = self.at(piece.span).trim_matches('"');
                    self.add("name", Attribute::Text(name.into()));
                }
                PieceKind::Dense | PieceKind::Number | PieceKind::Attribute => {
                    let value = attribute::read(self.module.text(), std::slice::from_ref(piece));
                    self.add("value", value);
                }
                _ => {}
            }
        }
    }

    fn operand(&mut self, piece: &Piece) {
        let operand = Operand::of(self.at(piece.span), piece.span);
        self.call.operands.push(operand);
    }

    fn symbol(&mut self, piece: &Piece) {
        let name = attribute::symbol(self.at(piece.span));
        match self.own {
            "custom_call" => self.add("call_target_name", Attribute::Text(name)),
            _ => self.add("callee", Attribute::Symbol(name)),
        }
    }

    /// `dims = [1]`.
    fn named(&mut self, key: &'m str, value: &'m [Piece]) {
        let text = self.module.text();
        if let Some(both) = forms::of_both(key, value, text) {
            self.call.attributes.extend(both);
            return;
        }
        if key == "dim_numbers" {
            let axes = forms::convolution_axes(text, value);
            self.call.attributes.extend(axes.into_iter().flatten());
            return;
        }
        if let ("window", [piece]) = (key, value)
            && let PieceKind::Dict(entries) = &piece.kind
        {
            for (name, value) in attribute::entries(text, entries) {
                let name = forms::attribute_name(self.own, &name);
                // A window of which nothing is written in a list is as if the list were not there.
                if !matches!(&value, Attribute::List(members) if members.is_empty()) {
                    self.add(name, value);
                }
            }
            return;
        }
        let value = attribute::read(text, value);
        if let ("format", Attribute::Text(format)) = (key, &value) {
            let bits = format
                .strip_prefix('e')
                .and_then(|bits| bits.split_once('m'));
            if let Some((exponent, mantissa)) = bits
                && let (Ok(exponent), Ok(mantissa)) = (exponent.parse(), mantissa.parse())
            {
                self.add("exponent_bits", Attribute::Int(exponent));
                self.add("mantissa_bits", Attribute::Int(mantissa));
            }
            return;
        }
        let name = forms::attribute_name(self.own, key);
        self.add(name, value);
    }

    /// `[0:4:2]`, `[1]`.
    fn list(&mut self, members: &'m [Piece]) {
        let text = self.module.text();
        match self.own {
            "slice" => {
                let bounds = forms::slice_bounds(members, text);
                self.call.attributes.extend(bounds);
            }
            "get_tuple_element" => {
                if let Some(index) = members.first() {
                    let index = attribute::read(text, std::slice::from_ref(index));
                    self.add("index", index);
                }
            }
            _ => {}
        }
    }

    /// What the pieces together say.
    fn finish(&mut self, op: &'m Op) {
        let behind = std::mem::take(&mut self.behind);
        self.call.operands.extend(behind);
        self.entries(&op.attributes);
        if self.own == "compare" {
            let names = ["comparison_direction", "compare_type"];
            let words = std::mem::take(&mut self.words);
            for (name, word) in names.into_iter().zip(words) {
                self.add(name, Attribute::Text(word.into()));
            }
        }
        if self.own == "constant" {
            self.constant(op);
        }
        if let Some(name) = self.applied {
            self.call.bodies.push(Body {
                params: Vec::new(),
                runs: Applied::Operation(name),
            });
        }
        for region in &op.regions {
            let body = self.module.body(region);
            self.call.bodies.push(body);
        }
        for trailer in &op.trailers {
            self.entries(&trailer.attributes);
            let Some(region) = &trailer.region else {
                continue;
            };
            let mut body = self.module.body(region);
            if !self.params.is_empty() {
                body.params.clone_from(&self.params);
            }
            // `reducer(%a: T, %x: T) (%b: U, %y: U)`: the accumulators, and then the elements.
            let groups = trailer.groups.iter().map(|group| self.module.params(group));
            let groups: Vec<_> = groups.collect();
            for place in 0..2 {
                let params = groups.iter().filter_map(|group| group.get(place));
                body.params.extend(params.copied());
            }
            self.call.bodies.push(body);
        }
    }

    /// The value of a constant, whose type stands behind it.
    fn constant(&mut self, op: &Op) {
        let types = op.types.as_ref().map_or(&[][..], |types| &types.inputs);
        let ty = types.first().map(|ty| self.module.ty(ty.span));
        for (name, value) in &mut self.call.attributes {
            if **name != *"value" {
                continue;
            }
            match value {
                Attribute::Dense(dense) if dense.ty.is_none() => {
                    if let Some(ty) = &ty {
                        *dense = dense.clone().of_type(ty.clone());
                    }
                }
                Attribute::Dense(_) => {}
                _ => {
                    *value = Attribute::Dense(Dense {
                        elements: None,
                        ty: ty.clone(),
                    });
                }
            }
        }
    }
}

fn is_mark(piece: Option<&Piece>, mark: Mark) -> bool {
    piece.is_some_and(|piece| matches!(piece.kind, PieceKind::Mark(own) if own == mark))
}

/// The pieces of a value, up to a comma or to attributes behind it, and what stands behind.
fn value_of(pieces: &[Piece]) -> (&[Piece], &[Piece]) {
    let ends = |(i, piece): (usize, &Piece)| match piece.kind {
        PieceKind::Mark(Mark::Comma) => true,
        PieceKind::Dict(_) => i > 0,
        _ => false,
    };
    let end = pieces.iter().enumerate().position(ends);
    let (value, rest) = pieces.split_at(end.unwrap_or(pieces.len()));
    (value, rest)
}
