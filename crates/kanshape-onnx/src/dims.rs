//! [`Dims`]: what the dims of a model are called.

use hashbrown::{HashMap, HashSet};
use kanshape::tree::parse_symbolic;
use kanshape::{Dim, Dtype, Name, Type};
use std::collections::BTreeMap;

/// The names of the dims of a model.
///
/// A model may call a dim by any text, `batch size` or `2*N`; in a type a name is a word. So each text has a word that
/// denotes it, itself if it is one.
#[derive(Debug, Default)]
pub(crate) struct Dims<'a> {
    /// By text.
    dims: HashMap<&'a str, Dim>,
    taken: HashSet<Name>,
    /// Those that nobody has given.
    made_up: HashSet<Name>,
    /// The words that denote another text, with that.
    renamed: BTreeMap<Name, &'a str>,
    /// Names that denote sizes, and whether the model has them.
    set: BTreeMap<String, (u64, bool)>,
    /// The number of the next name for what has none.
    next: usize,
}

impl<'a> Dims<'a> {
    /// No names yet, of which these denote sizes.
    pub(crate) fn with(set: impl IntoIterator<Item = (String, u64)>) -> Dims<'a> {
        let set = set.into_iter().map(|(name, size)| (name, (size, false)));
        Dims {
            set: set.collect(),
            ..Dims::default()
        }
    }

    /// The dim that a model calls by this text.
    pub(crate) fn dim(&mut self, text: &'a str) -> Dim {
        if let Some(dim) = self.dims.get(text) {
            return dim.clone();
        }
        let dim = match text {
            // What some exporters write for a dim that they know nothing of.
            "" | "?" => Dim::Hole,
            _ => match self.expression(text) {
                Some(dim) => dim,
                None => self.named(text),
            },
        };
        self.dims.insert(text, dim.clone());
        dim
    }

    /// A text that is an expression over dims that have been met, and no name: `floor(height/2 - 1/2) + 1`.
    fn expression(&self, text: &str) -> Option<Dim> {
        if is_word(text) {
            return None;
        }
        let mut has_names = false;
        let expr = parse_symbolic(text, &mut |name| {
            has_names = true;
            match self.dims.get(name)? {
                Dim::Name(name) => Some(name.to_string()),
                Dim::Size(size) => Some(size.to_string()),
                _ => None,
            }
        })?;
        has_names.then(|| Dim::expr(expr))
    }

    fn named(&mut self, text: &'a str) -> Dim {
        let word = match is_word(text) {
            true => text.to_owned(),
            false => word_for(text),
        };
        let mut name = Name::word(word.as_str());
        let mut count = 1;
        while self.taken.contains(&name) {
            count += 1;
            name = Name::word(format!("{word}_{count}"));
        }
        self.taken.insert(name.clone());
        for known in [text, name.as_str()] {
            if let Some(size) = self.size_of(known) {
                return Dim::Size(size);
            }
        }
        if name != *text {
            self.renamed.insert(name.clone(), text);
        }
        Dim::Name(name)
    }

    /// A dim that nobody has named, with a name that nobody has given.
    pub(crate) fn fresh(&mut self) -> Dim {
        self.made_up("d")
    }

    /// The same for a dim that may be another one in each iteration of a loop: the engine makes up no such names.
    pub(crate) fn of_iteration(&mut self) -> Dim {
        self.made_up("i")
    }

    fn made_up(&mut self, letter: &str) -> Dim {
        let mut next = self.next;
        let name = loop {
            let name = Name::word(format!("{letter}{next}"));
            next += 1;
            if self.taken.insert(name.clone()) {
                break name;
            }
        };
        self.next = next;
        self.made_up.insert(name.clone());
        Dim::Name(name)
    }

    /// Is this a name that nobody has given?
    pub(crate) fn is_fresh(&self, name: &Name) -> bool {
        self.made_up.contains(name)
    }

    /// Is there a dim that is called like this?
    pub(crate) fn has(&self, name: &Name) -> bool {
        self.taken.contains(name)
    }

    /// The dim that a user writes, with the sizes that names denote.
    pub(crate) fn given(&mut self, dim: &Dim) -> Dim {
        match dim {
            Dim::Name(name) => match self.size_of(name) {
                Some(size) => Dim::Size(size),
                None => {
                    self.taken.insert(name.clone());
                    dim.clone()
                }
            },
            dim => dim.clone(),
        }
    }

    /// The type that a user writes, with the sizes that names denote.
    pub(crate) fn given_type(&mut self, ty: &Type) -> Type {
        match ty.as_tensor() {
            Some(tensor) => {
                let mut tensor = tensor.clone();
                let dims = tensor.shape.iter().map(|dim| self.given(dim));
                let shape = kanshape::Shape::known(dims.collect::<Vec<Dim>>());
                tensor.shape = match tensor.shape.run() {
                    Some(run) => shape.with_run(run.at, run.name.clone()),
                    None => shape,
                };
                Type::from(tensor).with_conditions(ty.conditions.clone())
            }
            None => ty.map_parts(&mut |part| self.given_type(part)),
        }
    }

    fn size_of(&mut self, name: &str) -> Option<u64> {
        let (size, met) = self.set.get_mut(name)?;
        *met = true;
        Some(*size)
    }

    /// The names that were to denote sizes, and that nothing is called by.
    pub(crate) fn never_met(&self) -> impl Iterator<Item = &str> {
        let set = self.set.iter().filter(|(_, (_, met))| !met);
        set.map(|(name, _)| name.as_str())
    }

    /// The words that denote another text, with that.
    pub(crate) fn renamed(&self) -> &BTreeMap<Name, &'a str> {
        &self.renamed
    }
}

/// Is a text the name of a dim in any type? A word is either a dtype or a dim.
fn is_word(text: &str) -> bool {
    let is_dtype = Dtype::ALL.iter().any(|dtype| dtype.name() == text);
    !is_dtype && Name::new(text).is_ok()
}

/// A word that looks like a text.
fn word_for(text: &str) -> String {
    // Who calls a dim by a novel means its beginning.
    let mut word = String::with_capacity(text.len().min(64) + 2);
    for c in text.chars().take(64) {
        match c.is_alphanumeric() {
            true => word.push(c),
            false if word.ends_with('_') => {}
            false => word.push('_'),
        }
    }
    let trimmed = word.trim_matches('_');
    let word = match is_word(trimmed) {
        true => trimmed.to_owned(),
        false => format!("dim_{trimmed}"),
    };
    match is_word(&word) {
        true => word,
        false => "dim".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_dim_where_types_are_read() {
        let words = "N é x_1 _ T and dim dtype fn forall in promote tensor Tensor tuple type Type where min max ceil broadcast f32 bool \
                     true false inf nan d0 i64 f16 str c64 f8e4m3fn uint8 float float32 PromotedDType TensorType 2x a.b a-b ... ? 3";
        for text in words.split_whitespace().chain([" n", "n ", ""]) {
            let reads_back = |dtype: Dtype| {
                let ty = format!("{dtype}[{text}]").parse::<Type>();
                ty.is_ok_and(|ty| ty == Type::tensor(dtype, [Dim::Name(Name::word(text))]))
            };
            assert_eq!(
                is_word(text),
                Dtype::ALL.iter().copied().all(reads_back),
                "`{text}`"
            );
        }
    }

    #[test]
    fn a_text_has_a_word() {
        let mut dims = Dims::default();
        let words = [
            ("N", "N"),
            ("batch size", "batch_size"),
            ("batch_size", "batch_size_2"),
            ("unk__7", "unk__7"),
            ("2*M", "dim_2_M"),
            ("floor(M/2 + 1)", "floor_M_2_1"),
            ("***", "dim_"),
            ("batch size", "batch_size"),
        ];
        for (text, word) in words {
            assert_eq!(dims.dim(text), Dim::Name(Name::word(word)), "{text}");
        }
        assert_eq!((dims.dim(""), dims.dim("?")), (Dim::Hole, Dim::Hole));
        let name = Name::word("batch_size");
        assert_eq!(dims.renamed().get(&name), Some(&"batch size"));
    }

    #[test]
    fn an_expression_over_known_dims_is_one() {
        let mut dims = Dims::with([("W".to_owned(), 9)]);
        for name in ["H", "W"] {
            dims.dim(name);
        }
        for (text, own) in [
            ("floor(H/2 - 1/2) + 1", "(H - 1)//2 + 1"),
            ("2*H", "2*H"),
            ("H*W", "H*9"),
        ] {
            assert_eq!(dims.dim(text).to_string(), own);
        }
        // Nobody knows what these are made of.
        assert_eq!(dims.dim("batch-size"), Dim::Name(Name::word("batch_size")));
    }

    #[test]
    fn a_name_may_stand_for_a_size() {
        let mut dims = Dims::with([("N".to_owned(), 8), ("M".to_owned(), 2)]);
        assert_eq!(dims.dim("N"), Dim::Size(8));
        assert_eq!(dims.never_met().collect::<Vec<_>>(), ["M"]);
    }
}
