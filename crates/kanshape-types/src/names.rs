//! The names in a type: visited, replaced, and the conditions that are about them.

use crate::dtype::{Lookup, look_up};
use crate::{
    Conditions, Content, Contents, Dim, DtypeSet, DtypeTerm, FnType, Name, Shape, Tensor, Type,
    TypeKind,
};
use kanshape_syntax::tree::{Condition, DtypeExpr, Expr, Ident, Spanned};
use std::collections::HashSet;
use std::sync::Arc;

impl Dim {
    /// Calls `f` with every name in it.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        match self {
            Dim::Name(name) => f(name),
            Dim::Expr(expr) => expr.for_each_name(f),
            Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
        }
    }

    /// The same with another name for each.
    #[must_use]
    pub fn map_names(&self, f: &mut dyn FnMut(&str) -> Name) -> Dim {
        match self {
            Dim::Name(name) => Dim::Name(f(name)),
            Dim::Expr(expr) => {
                Dim::expr(Expr::clone(expr).map_names(&mut |ident| renamed(ident, f)))
            }
            dim => dim.clone(),
        }
    }
}

impl Type {
    /// Calls `f` with every name in it: of sizes, runs, dtypes and types, and those of its conditions. Words for dtypes
    /// are no names.
    ///
    /// ```
    /// use kanshape::Type;
    ///
    /// let mut names = Vec::new();
    /// "T[...b, 2*n] where T: Float".parse::<Type>()?.for_each_name(&mut |name| names.push(name.to_owned()));
    /// assert_eq!(names, ["T", "b", "n", "T"]);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        self.kind_names(f);
        let sizes = self.sizes_like_dtypes();
        let mut of = |condition| names_of(condition, &sizes, f);
        self.conditions.iter().for_each(&mut of);
    }

    /// The names outside of its conditions.
    fn kind_names(&self, f: &mut dyn FnMut(&str)) {
        match &self.kind {
            TypeKind::Unknown => {}
            TypeKind::Tensor(tensor) => tensor.for_each_name(f),
            TypeKind::Tuple(types) | TypeKind::Adt(_, types) | TypeKind::User(_, types) => {
                types.iter().for_each(|ty| ty.for_each_name(f));
            }
            TypeKind::Fn(function) => {
                function.params.iter().for_each(|ty| ty.for_each_name(f));
                function.result.for_each_name(f);
            }
            TypeKind::Var(name) => f(name),
        }
    }

    /// The sizes in it whose names are also words for dtypes, if it has conditions that could speak of them.
    fn sizes_like_dtypes(&self) -> Vec<String> {
        let mut sizes = Vec::new();
        if !self.conditions.is_empty() {
            self.kind_names(&mut |name| {
                if is_dtype_word(name) {
                    sizes.push(name.to_owned());
                }
            });
        }
        sizes
    }

    /// The same with another name for each that [`Type::for_each_name`] visits.
    ///
    /// ```
    /// use kanshape::{Name, Type};
    ///
    /// let ty: Type = "f32[n, 2*n] where n >= 1".parse()?;
    /// let renamed = ty.map_names(&mut |name| Name::new(&format!("conv1_{name}")).unwrap());
    /// assert_eq!(renamed.to_string(), "f32[conv1_n, 2*conv1_n] where conv1_n >= 1");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn map_names(&self, f: &mut dyn FnMut(&str) -> Name) -> Type {
        let mut all =
            |types: &[Type]| -> Vec<Type> { types.iter().map(|ty| ty.map_names(f)).collect() };
        let kind = match &self.kind {
            TypeKind::Unknown => TypeKind::Unknown,
            TypeKind::Tuple(types) => TypeKind::Tuple(all(types).into()),
            TypeKind::Adt(name, types) => TypeKind::Adt(name.clone(), all(types).into()),
            TypeKind::User(constructor, types) => {
                TypeKind::User(constructor.clone(), all(types).into())
            }
            TypeKind::Fn(function) => TypeKind::Fn(Arc::new(FnType {
                params: all(&function.params).into(),
                result: function.result.map_names(f),
            })),
            TypeKind::Tensor(tensor) => TypeKind::Tensor(tensor.map_names(f)),
            TypeKind::Var(name) => TypeKind::Var(f(name)),
        };
        let sizes = self.sizes_like_dtypes();
        let conditions = self.conditions.iter().cloned();
        let conditions = conditions.map(|condition| with_names(condition, &sizes, f));
        Type {
            kind,
            conditions: conditions.collect(),
        }
    }
}

impl Tensor {
    fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        if let DtypeTerm::Name(name) = &self.dtype {
            f(name);
        }
        self.shape
            .before()
            .iter()
            .for_each(|dim| dim.for_each_name(f));
        if let Some(name) = self.shape.run().and_then(|run| run.name.as_ref()) {
            f(name);
        }
        self.shape
            .after()
            .iter()
            .for_each(|dim| dim.for_each_name(f));
        self.contents
            .iter()
            .for_each(|contents| contents.for_each_name(f));
    }

    fn map_names(&self, f: &mut dyn FnMut(&str) -> Name) -> Tensor {
        let dtype = match &self.dtype {
            DtypeTerm::Name(name) => DtypeTerm::Name(f(name)),
            dtype => dtype.clone(),
        };
        let dims: Vec<Dim> = self.shape.iter().map(|dim| dim.map_names(f)).collect();
        let mut shape = Shape::known(dims);
        if let Some(run) = self.shape.run() {
            shape = shape.with_run(run.at, run.name.as_ref().map(|name| f(name)));
        }
        let contents = self.contents.as_ref().and_then(|contents| {
            let members = contents.iter().map(|member| match member {
                Content::Name(name) => Content::Name(f(name)),
                Content::Expr(expr) => {
                    Content::number(Expr::clone(expr).map_names(&mut |ident| renamed(ident, f)))
                }
                member => member.clone(),
            });
            Contents::new(members.collect::<Vec<_>>())
        });
        Tensor {
            dtype,
            shape,
            contents,
        }
    }
}

impl Conditions {
    /// Calls `f` with every name in them. Words for dtypes are no names.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        self.iter()
            .for_each(|condition| names_of(condition, &[], f));
    }

    /// The same with another name for each.
    #[must_use]
    pub fn map_names(&self, f: &mut dyn FnMut(&str) -> Name) -> Conditions {
        let conditions = self.iter().cloned();
        conditions
            .map(|condition| with_names(condition, &[], f))
            .collect()
    }

    /// Those that are about the names of a type, and about names that these relate them to.
    ///
    /// ```
    /// use kanshape::Conditions;
    ///
    /// let conditions: Conditions = "n == 2*k, k >= 1, m >= 1".parse()?;
    /// assert_eq!(conditions.about(&"f32[n]".parse()?).to_string(), "n == 2*k, k >= 1");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn about(&self, ty: &Type) -> Conditions {
        let mut names: HashSet<String> = HashSet::new();
        ty.for_each_name(&mut |name| {
            names.insert(name.to_owned());
        });
        let mut is_about = vec![false; self.len()];
        loop {
            let mut more = false;
            for (condition, is_about) in self.iter().zip(&mut is_about) {
                let (mut own, mut meets) = (Vec::new(), false);
                names_of(condition, &[], &mut |name| own.push(name.to_owned()));
                // A size of the type may have the name of a dtype.
                condition.for_each_name(&mut |name| meets |= names.contains(name));
                if meets && !*is_about {
                    *is_about = true;
                    more = true;
                    names.extend(own);
                }
            }
            if !more {
                break;
            }
        }
        let conditions = self.iter().zip(is_about);
        conditions
            .filter(|(_, is_about)| *is_about)
            .map(|(condition, _)| condition.clone())
            .collect()
    }
}

/// A word for a dtype or a class of them, which a condition has where a name could stand.
fn is_dtype_word(word: &str) -> bool {
    !matches!(look_up(word), Lookup::Unknown) || DtypeSet::class(word).is_some()
}

/// Is a name in a condition a word for dtypes? It is not where the condition is about sizes, or the name is one of `sizes`.
fn is_word_in<'s>(condition: &Condition, sizes: &'s [String]) -> impl Fn(&str) -> bool + use<'s> {
    let has_words = !condition.is_about_sizes();
    move |name| has_words && is_dtype_word(name) && !sizes.iter().any(|own| own == name)
}

/// Calls `f` with the names of a condition; `sizes` are known to be no dtypes.
fn names_of(condition: &Condition, sizes: &[String], f: &mut dyn FnMut(&str)) {
    let is_word = is_word_in(condition, sizes);
    let mut name = |name: &str| {
        if !is_word(name) {
            f(name);
        }
    };
    condition.for_each_name(&mut name);
    if let Condition::Dtype(_, dtype) = condition {
        names_of_dtype(dtype, &mut name);
    }
}

fn names_of_dtype(dtype: &DtypeExpr, f: &mut dyn FnMut(&str)) {
    match dtype {
        DtypeExpr::Name(name) => f(&name.node),
        DtypeExpr::Set(names) => names.iter().for_each(|name| f(&name.node)),
        DtypeExpr::Promote(parts) => parts.iter().for_each(|part| names_of_dtype(part, f)),
        DtypeExpr::Hole => {}
    }
}

fn with_names(
    condition: Condition,
    sizes: &[String],
    f: &mut dyn FnMut(&str) -> Name,
) -> Condition {
    let is_word = is_word_in(&condition, sizes);
    let mut name = |ident: Ident| match is_word(&ident.node) {
        true => ident,
        false => renamed(ident, f),
    };
    match condition.map_names(&mut name) {
        Condition::Dtype(about, dtype) => {
            Condition::Dtype(about, dtype_with_names(dtype, &mut name))
        }
        condition => condition,
    }
}

fn dtype_with_names(dtype: DtypeExpr, f: &mut dyn FnMut(Ident) -> Ident) -> DtypeExpr {
    match dtype {
        DtypeExpr::Name(name) => DtypeExpr::Name(f(name)),
        DtypeExpr::Set(names) => DtypeExpr::Set(names.into_iter().map(f).collect()),
        DtypeExpr::Promote(parts) => DtypeExpr::Promote(
            parts
                .into_iter()
                .map(|part| dtype_with_names(part, f))
                .collect(),
        ),
        DtypeExpr::Hole => DtypeExpr::Hole,
    }
}

fn renamed(ident: Ident, f: &mut dyn FnMut(&str) -> Name) -> Ident {
    Spanned::new(f(&ident.node).as_str().into(), ident.span)
}
