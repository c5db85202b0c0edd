//! Kinds: what sort of thing a term is, found out by comparing all places where it is used.

use crate::limits::MAX_KIND_DEPTH;
use kanshape_syntax::tree::Span;
use std::fmt;

/// What sort of thing a term is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A type, a tensor's or any other.
    Type,
    /// A dtype.
    Dtype,
    /// An integer: a dim, an axis, a length.
    Int,
    /// A number that need not be whole.
    Float,
    /// A text.
    Text,
    /// True or false.
    Bool,
    /// A list of things of one kind; of integers, a shape.
    List(Box<Kind>),
    /// Something that may be left out.
    Option(Box<Kind>),
    /// A number or a list of them, as an attribute is given. In rules it is a list of lists: `[[n]]` of a number,
    /// `[[], list]` of a list.
    IntOrInts,
    /// The same, or a list of lists: `[[], [], ..lists]`. A number among these is a list of one.
    IntOrLists,
}

impl Kind {
    /// Do integers denote it? Lists of these are sequences.
    pub fn is_number(&self) -> bool {
        matches!(self, Kind::Int | Kind::Float | Kind::Text | Kind::Bool)
    }

    /// Is it a text, or made of texts?
    pub fn is_of_texts(&self) -> bool {
        match self {
            Kind::Text => true,
            Kind::List(of) | Kind::Option(of) => of.is_of_texts(),
            _ => false,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Type => "a type",
            Kind::Dtype => "a dtype",
            Kind::Int => "a number",
            Kind::Float => "a float",
            Kind::Text => "a text",
            Kind::Bool => "a truth value",
            Kind::Option(_) => "an optional thing",
            Kind::IntOrInts => "a number or a list of numbers",
            Kind::IntOrLists => "a number, a list of numbers or a list of lists",
            Kind::List(of) => match **of {
                Kind::Type => "a list of types",
                Kind::Dtype => "a list of dtypes",
                Kind::Int => "a list of numbers",
                Kind::Float => "a list of floats",
                Kind::Text => "a list of texts",
                Kind::Bool => "a list of truth values",
                Kind::List(_) => "a list of lists",
                Kind::Option(_) => "a list of optional things",
                Kind::IntOrInts | Kind::IntOrLists => "a list of numbers and lists of numbers",
            },
        })
    }
}

/// The names of kinds that a head can use.
pub const NAMES: [&str; 23] = [
    "Type",
    "Shape",
    "ShapeVar",
    "BaseType",
    "int",
    "ints",
    "int_or_ints",
    "int_or_lists",
    "int_lists",
    "dim",
    "dtype",
    "dtypes",
    "float",
    "floats",
    "string",
    "strings",
    "bool",
    "bools",
    "tensor",
    "tensors",
    "type",
    "types",
    "fn",
];

impl Kind {
    /// How one such value can be written, where that can be said in a word.
    pub fn literal(&self) -> Option<&'static str> {
        Some(match self {
            Kind::Type => "f32[2, n]",
            Kind::Dtype => "f32",
            Kind::Int => "2",
            Kind::Float => "0.5",
            Kind::Text => "\"SAME_UPPER\"",
            Kind::Bool => "true",
            Kind::List(of) if **of == Kind::Int => "[2, 2]",
            Kind::List(of) if **of == Kind::Float => "[0.5, 1.0]",
            Kind::List(of) if **of == Kind::Text => "[\"a\", \"b\"]",
            Kind::IntOrInts | Kind::IntOrLists => "2",
            Kind::List(_) | Kind::Option(_) => return None,
        })
    }

    /// A kind by its name.
    pub fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "Type" | "type" | "tensor" | "fn" => Kind::Type,
            "BaseType" | "dtype" => Kind::Dtype,
            "ShapeVar" | "int" | "dim" => Kind::Int,
            "float" => Kind::Float,
            "floats" => Kind::Float.list(),
            "string" => Kind::Text,
            "bool" => Kind::Bool,
            "Shape" | "ints" => Kind::Int.list(),
            "int_or_ints" => Kind::IntOrInts,
            "int_or_lists" => Kind::IntOrLists,
            "int_lists" => Kind::Int.list().list(),
            "optional_ints" => Kind::Option(Box::new(Kind::Int)).list(),
            "types" | "tensors" => Kind::Type.list(),
            "dtypes" => Kind::Dtype.list(),
            "strings" => Kind::Text.list(),
            "bools" => Kind::Bool.list(),
            _ => return None,
        })
    }

    /// Lists of these.
    pub fn list(self) -> Kind {
        Kind::List(Box::new(self))
    }
}

/// A kind that is being found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open(usize);

/// What a kind is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Type,
    Dtype,
    Int,
    Float,
    Text,
    Bool,
    List(Open),
    Option(Open),
}

#[derive(Clone, Copy, Debug)]
enum Cell {
    Open,
    Same(Open),
    /// What it is, and in which file and where that was seen.
    Is(Form, Option<(usize, Span)>),
}

/// Two uses that do not agree.
#[derive(Debug)]
pub struct Clash {
    /// What the one place makes of it, and where, if that is in the same file.
    pub first: (Kind, Option<Span>),
    /// What the other does.
    pub second: Kind,
}

/// All kinds that are being found out.
#[derive(Debug, Default)]
pub struct Kinds {
    cells: Vec<Cell>,
    /// The file that is being examined.
    pub file: usize,
}

impl Kinds {
    /// A kind of which nothing is known.
    pub fn open(&mut self) -> Open {
        self.cells.push(Cell::Open);
        Open(self.cells.len() - 1)
    }

    /// A kind that is made so, as `place` shows.
    pub fn is(&mut self, form: Form, place: Option<Span>) -> Open {
        let place = place.map(|p| (self.file, p));
        self.cells.push(Cell::Is(form, place));
        Open(self.cells.len() - 1)
    }

    /// A list of such.
    pub fn list(&mut self, of: Open, place: Span) -> Open {
        self.is(Form::List(of), Some(place))
    }

    /// A kind that is known already, as `place` shows.
    pub fn known(&mut self, kind: &Kind, place: Option<Span>) -> Open {
        let form = match kind {
            Kind::Type => Form::Type,
            Kind::Dtype => Form::Dtype,
            Kind::Int => Form::Int,
            Kind::Float => Form::Float,
            Kind::Text => Form::Text,
            Kind::Bool => Form::Bool,
            Kind::List(of) => Form::List(self.known(of, place)),
            Kind::Option(of) => Form::Option(self.known(of, place)),
            Kind::IntOrInts | Kind::IntOrLists => Form::List(self.known(&Kind::Int.list(), place)),
        };
        self.is(form, place)
    }

    /// The kind that this one has come to be the same as.
    fn root(&self, mut kind: Open) -> Open {
        while let Cell::Same(other) = self.cells[kind.0] {
            kind = other;
        }
        kind
    }

    /// The same, and whoever comes this way again takes half of the steps.
    fn find(&mut self, mut kind: Open) -> Open {
        while let Cell::Same(other) = self.cells[kind.0] {
            if let Cell::Same(_) = self.cells[other.0] {
                self.cells[kind.0] = self.cells[other.0];
            }
            kind = other;
        }
        kind
    }

    /// From now on the two are one kind.
    ///
    /// # Errors
    /// The [`Clash`] if they can't be: `a` is the older use.
    pub fn unify(&mut self, a: Open, b: Open) -> Result<(), Clash> {
        let (mut a, mut b) = (self.find(a), self.find(b));
        let whole = (a, b);
        // A kind has one part at most, so that there is never more than one pair to look at.
        loop {
            if a == b {
                return Ok(());
            }
            let parts = match (self.cells[a.0], self.cells[b.0]) {
                (Cell::Is(f, _), Cell::Is(g, _)) => match (f, g) {
                    (Form::List(x), Form::List(y)) | (Form::Option(x), Form::Option(y)) => {
                        Some((x, y))
                    }
                    _ if f == g => None,
                    _ => return Err(self.clash(whole)),
                },
                (Cell::Open, _) if self.contains(b, a) => return Err(self.clash(whole)),
                (_, Cell::Open) if self.contains(a, b) => return Err(self.clash(whole)),
                (Cell::Open, _) => {
                    self.cells[a.0] = Cell::Same(b);
                    return Ok(());
                }
                _ => None,
            };
            self.cells[b.0] = Cell::Same(a);
            let Some((x, y)) = parts else {
                return Ok(());
            };
            (a, b) = (self.find(x), self.find(y));
        }
    }

    /// Is `part` somewhere inside of `whole`? What is deeper inside is too deep anyhow ([`Kinds::is_deep`]).
    fn contains(&self, whole: Open, part: Open) -> bool {
        let mut at = self.root(whole);
        for _ in 0..MAX_KIND_DEPTH {
            let Cell::Is(Form::List(of) | Form::Option(of), _) = self.cells[at.0] else {
                return false;
            };
            at = self.root(of);
            if at == part {
                return true;
            }
        }
        false
    }

    fn clash(&self, (a, b): (Open, Open)) -> Clash {
        let place = match self.cells[self.root(a).0] {
            Cell::Is(_, Some((file, place))) if file == self.file => Some(place),
            _ => None,
        };
        Clash {
            first: (self.kind(a), place),
            second: self.kind(b),
        }
    }

    /// When all uses have been seen: lists and optional things of which nothing says what is in them have
    /// numbers in them.
    pub fn settle(&mut self) {
        for i in 0..self.cells.len() {
            if let Cell::Same(_) = self.cells[i] {
                self.cells[i] = Cell::Same(self.find(Open(i)));
            }
            if let Cell::Is(Form::List(of) | Form::Option(of), _) = self.cells[i] {
                let of = self.find(of);
                if let Cell::Open = self.cells[of.0] {
                    self.cells[of.0] = Cell::Is(Form::Int, None);
                }
            }
        }
    }

    /// Are there lists in lists in it, and so on, beyond all measure?
    pub fn is_deep(&self, kind: Open) -> bool {
        let mut at = self.root(kind);
        for _ in 0..MAX_KIND_DEPTH {
            match self.cells[at.0] {
                Cell::Is(Form::List(of) | Form::Option(of), _) => at = self.root(of),
                _ => return false,
            }
        }
        true
    }

    /// What a kind has come to be. One without constraints is a type.
    pub fn kind(&self, kind: Open) -> Kind {
        let mut wraps = Vec::new();
        let mut at = self.root(kind);
        let mut kind = loop {
            match self.cells[at.0] {
                // Those are refused ([`Kinds::is_deep`]).
                Cell::Is(..) if wraps.len() > 4 * MAX_KIND_DEPTH => break Kind::Int,
                Cell::Is(Form::List(of), _) => {
                    wraps.push(true);
                    at = self.root(of);
                }
                Cell::Is(Form::Option(of), _) => {
                    wraps.push(false);
                    at = self.root(of);
                }
                Cell::Is(Form::Type, _) => break Kind::Type,
                Cell::Is(Form::Dtype, _) => break Kind::Dtype,
                Cell::Is(Form::Int, _) => break Kind::Int,
                Cell::Is(Form::Float, _) => break Kind::Float,
                Cell::Is(Form::Text, _) => break Kind::Text,
                Cell::Is(Form::Bool, _) => break Kind::Bool,
                Cell::Open | Cell::Same(_) => break Kind::Type,
            }
        };
        for list in wraps.into_iter().rev() {
            kind = match list {
                true => Kind::List(Box::new(kind)),
                false => Kind::Option(Box::new(kind)),
            };
        }
        kind
    }
}
