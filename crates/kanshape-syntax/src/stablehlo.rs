//! The tree of a module in MLIR's text, as StableHLO's programs are written.
//!
//! ```text
//! func.func public @main(%arg0: tensor<?x8xf32>) -> tensor<?x8xf32> {
//!   %0 = stablehlo.tanh %arg0 : tensor<?x8xf32>
//!   return %0 : tensor<?x8xf32>
//! }
//! ```
//!
//! Start at [`Module`], then `grammar/stablehlo.lalrpop`. What an operation is called with is found out from its pieces by
//! [`Module::call`], whichever form it is written in. Brackets nest up to [`MAX_DEPTH`] deep, so recursion over a tree is safe. A part
//! of a tree is its place in the text of the module: nothing of a text is copied, and the contents of a constant are read by those
//! who want them.

mod attribute;
mod call;
pub(crate) mod failure;
mod forms;
mod function;
pub(crate) mod lex;
pub(crate) mod parse;
mod print;
mod quantized;
mod ty;

use std::collections::HashMap;

use crate::tree::Span;

pub use attribute::{Attribute, Dense};
pub use call::{Applied, Body, Call, Operand, Param};
pub use function::Function;
pub use parse::parse_stablehlo;
pub use quantized::Quantized;
pub use ty::MlirType;

/// How many brackets of a module may be open at a time.
pub const MAX_DEPTH: usize = 128;

/// How many names of names are followed.
const MOST_NAMES: usize = 32;

/// A module, or what else a file has at its top: operations, and names for attributes.
#[derive(Clone, Debug)]
pub struct Module {
    /// The text that the places are in.
    text: Box<str>,
    /// What stands in it.
    pub items: Vec<Item>,
    /// Where the types stand that have a name.
    named: HashMap<Box<str>, Span>,
}

impl Module {
    pub(crate) fn new(text: &str, items: Vec<Item>) -> Module {
        let mut named = HashMap::new();
        for item in &items {
            if let Item::Alias(name, value) = item
                && let (Some(name), Some(ty)) = (text.get(name.start..name.end), value.first())
                && name.starts_with('!')
            {
                named.entry(name.into()).or_insert(ty.span);
            }
        }
        Module {
            text: text.into(),
            items,
            named,
        }
    }

    /// The type that is written in a place, or what is called so.
    pub fn ty(&self, span: Span) -> MlirType {
        let mut span = span;
        for _ in 0..MOST_NAMES {
            match self.named.get(self.at(span)) {
                Some(of) => span = *of,
                None => break,
            }
        }
        MlirType::read(self.at(span))
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is written in a place of it.
    pub fn at(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }
}

/// A part of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `#loc1 = loc("x")`, `!t = tensor<f32>`: the name of an attribute or of a type, and what it is.
    Alias(Span, Vec<Piece>),
    /// An operation.
    Op(Op),
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Op {
    /// All of it.
    pub span: Span,
    /// `%0`, `%0:2`.
    pub results: Vec<OpResult>,
    /// `stablehlo.add`; in the generic form with its quotes.
    pub name: Span,
    /// It is written in the generic form: its operands are the one piece.
    pub is_generic: bool,
    /// What stands before its types.
    pub pieces: Vec<Piece>,
    /// What stands in `<{ .. }>`.
    pub properties: Vec<Entry>,
    /// The attributes in `{ .. }`: before the types in the generic form, after them in the others.
    pub attributes: Vec<Entry>,
    /// Its bodies.
    pub regions: Vec<Region>,
    /// Its types.
    pub types: Option<Signature>,
    /// What stands behind them.
    pub trailers: Vec<Trailer>,
}

impl Op {
    pub(crate) fn new(name: Span) -> Op {
        Op {
            span: name,
            results: Vec::new(),
            name,
            is_generic: false,
            pieces: Vec::new(),
            properties: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            types: None,
            trailers: Vec::new(),
        }
    }

    /// The same with what it defines, in this place.
    pub(crate) fn at(self, results: Vec<OpResult>, span: Span) -> Op {
        Op {
            results,
            span,
            ..self
        }
    }
}

/// What an operation defines.
#[derive(Clone, Copy, Debug)]
pub struct OpResult {
    /// `%0`.
    pub name: Span,
    /// The 2 of `%0:2`.
    pub count: Option<Span>,
}

/// The types of an operation.
#[derive(Clone, Debug)]
pub struct Signature {
    /// What stands before the arrow, or alone.
    pub inputs: Vec<Piece>,
    /// What stands behind it.
    pub outputs: Option<Vec<Piece>>,
    /// The first ones stand in parentheses.
    pub has_parens: bool,
}

/// `cond { .. }`, `reducer(%a: tensor<f32>) { .. }`, `attributes {a = 1}`.
#[derive(Clone, Debug)]
pub struct Trailer {
    /// The word.
    pub word: Span,
    /// What stands in parentheses.
    pub groups: Vec<Piece>,
    /// The body.
    pub region: Option<Region>,
    /// The attributes.
    pub attributes: Vec<Entry>,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Region {
    /// All of it, with its braces.
    pub span: Span,
    /// Its blocks: mostly one.
    pub blocks: Vec<Block>,
}

impl Region {
    pub(crate) fn new(first: Option<Vec<Op>>, mut rest: Vec<Block>, span: Span) -> Region {
        if let Some(ops) = first {
            let block = Block {
                label: None,
                params: None,
                ops,
            };
            rest.insert(0, block);
        }
        Region { span, blocks: rest }
    }
}

/// Operations in their order, and what they are given.
#[derive(Clone, Debug)]
pub struct Block {
    /// `^bb0`.
    pub label: Option<Span>,
    /// `(%a: tensor<f32>)`.
    pub params: Option<Piece>,
    /// The operations.
    pub ops: Vec<Op>,
}

/// An attribute with its name: `dimension = 0 : i64`. One without a value is there and no more.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `dimension`.
    pub key: Span,
    /// `0 : i64`.
    pub value: Vec<Piece>,
}

/// A piece of an operation.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Where it stands.
    pub span: Span,
}

/// What a piece of an operation is.
#[derive(Clone, Debug)]
pub enum PieceKind {
    /// `%0`, `%0#1`.
    Value,
    /// `dims`.
    Word,
    /// `^bb1`: where an operation goes on.
    Successor,
    /// `@f`.
    Symbol,
    /// `"x"`.
    Text,
    /// `0`, `-1.5e+00`, `0x7F`.
    Number,
    /// `tensor<2x?xf32>`.
    Tensor,
    /// `!stablehlo.token`, `tuple<tensor<f32>>`.
    Type,
    /// `dense<[1, 2]>`.
    Dense,
    /// `array<i64: 1, 2>`.
    Array,
    /// `#stablehlo<precision DEFAULT>`.
    Attribute,
    /// `loc("x")`.
    Location,
    /// `applies stablehlo.add`, and where the name stands.
    Applies(Span),
    /// `( .. )`.
    Group(Vec<Piece>),
    /// `[ .. ]`.
    List(Vec<Piece>),
    /// `{a = 1}`.
    Dict(Vec<Entry>),
    /// A mark between others.
    Mark(Mark),
}

/// A mark between other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `=`.
    Equals,
    /// `,`.
    Comma,
    /// `->`.
    Arrow,
    /// `:`.
    Colon,
    /// `::`.
    Colons,
    /// `?`.
    Question,
    /// `*`.
    Star,
}
