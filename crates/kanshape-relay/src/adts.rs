//! The algebraic data types of a program, by number.

use kanshape::tree::relay::{Binder, Constructor, Item, Program, Type};
use kanshape::tree::{Span, Spanned};
use rustc_hash::FxHashMap;

use crate::cases::Constructors;
use crate::kinds::{Handles, Kind, Kinds, is_dtype};
use crate::problem::{ErrorKind, Problem};

/// An algebraic data type.
#[derive(Clone, Debug)]
pub(crate) struct Adt {
    pub(crate) name: Box<str>,
    pub(crate) binders: Vec<Binder>,
    pub(crate) constructors: Vec<Constructor>,
    pub(crate) is_extern: bool,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adts {
    all: Vec<Adt>,
    by_name: FxHashMap<Box<str>, u32>,
    constructors: FxHashMap<Box<str>, (u32, usize)>,
    /// Names that nothing defines are types as well, of as many arguments as they are given.
    pub(crate) is_open: bool,
}

impl Adts {
    /// Those that a program defines, and what is wrong with their definitions.
    pub(crate) fn of(program: &Program, problems: &mut Vec<Problem>) -> Adts {
        let mut adts = Adts::default();
        // A type and a constructor cannot have one name: in Relay both are names of the module.
        let mut names: FxHashMap<Box<str>, Span> = FxHashMap::default();
        let mut define = |name: &Spanned<Box<str>>, problems: &mut Vec<Problem>| {
            let first = names.insert(name.node.clone(), name.span);
            if let Some(first) = first {
                let headline = format!("`{}` is defined twice", name.node);
                let problem = Problem::new(ErrorKind::Duplicate, headline, name.span);
                problems.push(problem.also(first, "and here"));
            }
            first.is_none()
        };
        let mut all = Vec::new();
        for item in &program.items {
            let Item::Data(data) = item else { continue };
            if !define(&data.name, problems) {
                continue;
            }
            let mut adt = Adt {
                name: data.name.node.clone(),
                binders: data.binders.clone(),
                constructors: data.constructors.clone(),
                is_extern: data.is_extern,
            };
            if data.is_open {
                adt.binders.extend(free_names(data, program));
            }
            all.push(adt);
            for constructor in &data.constructors {
                define(&constructor.name, problems);
            }
        }
        for adt in all {
            adts.push(adt);
        }
        for adt in &adts.all {
            let kinds = adt.binders.iter();
            let kinds = kinds.map(|b| b.kind.as_ref().map_or(Ok(Kind::Type), Kind::read));
            let kinds: Vec<Kind> = match kinds.collect() {
                Ok(kinds) => kinds,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let names = adt.binders.iter().map(|b| b.name.node.clone());
            let scope = names.zip(kinds.iter().copied()).collect();
            for (binder, kind) in adt.binders.iter().zip(&kinds) {
                if *kind != Kind::Type {
                    let headline = format!(
                        "the parameter `{}` of the data type `{}` is of kind `{}`",
                        binder.name.node,
                        adt.name,
                        kind.name()
                    );
                    let problem = Problem::new(ErrorKind::Kind, headline, binder.name.span);
                    problems.push(problem.help("the parameters of a data type are of kind `Type`"));
                }
            }
            let mut kinds = Kinds {
                handles: &adts,
                scope,
                binds: false,
            };
            for field in adt.constructors.iter().flat_map(|c| &c.fields) {
                match kinds.of(field) {
                    Ok(Kind::Type) => {}
                    Ok(kind) => {
                        let headline = format!("a field of kind `{}`", kind.name());
                        problems.push(Problem::new(ErrorKind::Kind, headline, field.span));
                    }
                    Err(problem) => problems.push(problem),
                }
            }
        }
        adts
    }

    pub(crate) fn push(&mut self, adt: Adt) -> u32 {
        let number = self.all.len() as u32;
        self.by_name.insert(adt.name.clone(), number);
        for (i, constructor) in adt.constructors.iter().enumerate() {
            let name = constructor.name.node.clone();
            self.constructors.entry(name).or_insert((number, i));
        }
        self.all.push(adt);
        number
    }

    /// The number of a type by its name.
    pub(crate) fn number(&mut self, name: &str, args: usize) -> Option<u32> {
        if let Some(number) = self.by_name.get(name) {
            return Some(*number);
        }
        if !self.is_open {
            return None;
        }
        let at = Span::default();
        let binder = |i: usize| Binder {
            name: Spanned::new(format!("T{i}").into(), at),
            is_rigid: false,
            kind: None,
        };
        Some(self.push(Adt {
            name: name.into(),
            binders: (0..args).map(binder).collect(),
            constructors: Vec::new(),
            is_extern: true,
        }))
    }

    pub(crate) fn get(&self, number: u32) -> &Adt {
        &self.all[number as usize]
    }

    /// The constructor of this name: its type, and its place among those of the type.
    pub(crate) fn constructor(&self, name: &str) -> Option<(u32, usize)> {
        self.constructors.get(name).copied()
    }

    /// The names of all constructors.
    pub(crate) fn constructors(&self) -> impl Iterator<Item = &str> {
        let all = self.all.iter().flat_map(|adt| &adt.constructors);
        all.map(|constructor| &*constructor.name.node)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

impl Handles for Adts {
    fn parameters(&self, name: &str) -> Option<usize> {
        let number = self.by_name.get(name)?;
        Some(self.get(*number).binders.len())
    }

    fn is_open(&self) -> bool {
        self.is_open
    }
}

impl Constructors for Adts {
    fn siblings(&self, name: &str) -> Vec<(Box<str>, usize)> {
        let Some((adt, _)) = self.constructor(name) else {
            return Vec::new();
        };
        let all = self.get(adt).constructors.iter();
        all.map(|c| (c.name.node.clone(), c.fields.len())).collect()
    }
}

/// The names in the fields of `data List { .. }` that nothing defines, in their order.
fn free_names(data: &kanshape::tree::relay::Data, program: &Program) -> Vec<Binder> {
    let mut found: Vec<Binder> = Vec::new();
    let mut todo: Vec<&Spanned<Type>> = data.constructors.iter().flat_map(|c| &c.fields).collect();
    todo.reverse();
    while let Some(ty) = todo.pop() {
        match &ty.node {
            Type::Name(name) => {
                let is_defined = program.items.iter().any(|item| match item {
                    Item::Data(data) => data.name.node == name.node,
                    Item::Def(_) => false,
                });
                let is_bound =
                    |binders: &[Binder]| binders.iter().any(|b| b.name.node == name.node);
                let is_new = !is_defined
                    && !is_dtype(&name.node)
                    && !is_bound(&data.binders)
                    && !is_bound(&found);
                if is_new {
                    found.push(Binder {
                        name: name.clone(),
                        is_rigid: false,
                        kind: None,
                    });
                }
            }
            Type::Apply(_, parts) | Type::Tuple(parts) => todo.extend(parts.iter().rev()),
            Type::Fn(function) => {
                todo.push(&function.result);
                todo.extend(function.params.iter().rev());
            }
            Type::Ref(inner) => todo.push(inner),
            _ => {}
        }
    }
    found
}
