//! Written types as types of the table.

use std::rc::Rc;

use kanshape::tree::relay::{
    Binder, Dim as WrittenDim, Dtype as WrittenDtype, FnType, Shape as WrittenShape, Type,
};
use kanshape::tree::{Expr as Size, Ident, Span, Spanned};
use kanshape::{Dim, Dtype, DtypeTerm, Name, Shape, Tensor};

use crate::infer::operators::Origin;
use crate::infer::{BoundParam, Infer, uses_of};
use crate::kinds::{Handles, Kind, Kinds, is_dtype};
use crate::problem::{ErrorKind, Problem};
use crate::table::{BOUND, Node, Probe, Quantified, Ty};

impl Infer<'_> {
    /// A written type, after its kind has been checked.
    pub(crate) fn annotation(&mut self, ty: &Spanned<Type>) -> Result<Ty, Problem> {
        let scope = self.params.iter().flatten();
        let scope = scope
            .map(|(name, param)| (name.clone(), param.kind()))
            .collect();
        let mut kinds = Kinds {
            handles: &self.adts as &dyn Handles,
            scope,
            binds: false,
        };
        let kind = kinds.of(ty)?;
        if kind != Kind::Type {
            let headline = format!(
                "`{}` is of kind `{}`, and no type of a value",
                ty.node,
                kind.name()
            );
            return Err(Problem::new(ErrorKind::Kind, headline, ty.span));
        }
        self.written(&ty.node, ty.span)
    }

    /// Nesting is bounded by the reader.
    pub(crate) fn written(&mut self, ty: &Type, at: Span) -> Result<Ty, Problem> {
        let level = self.level;
        Ok(match ty {
            Type::Hole => self.table.push(Node::Hole { level }),
            Type::Named(name) => match self.holes.get(&name.node) {
                Some(ty) => *ty,
                None => {
                    let ty = self.table.push(Node::Hole { level });
                    self.holes.insert(name.node.clone(), ty);
                    ty
                }
            },
            Type::Rigid(name, _) => match self.param(&name.node) {
                Some(BoundParam::Type(ty)) => *ty,
                Some(_) => return Err(no_type(ty, at)),
                None => {
                    let rigid = self.table.rigid(format!("'{}", name.node), 0);
                    let ty = self.table.push(Node::Rigid(rigid));
                    let free = BoundParam::Type(ty);
                    if let Some(scope) = self.params.first_mut() {
                        scope.insert(name.node.clone(), free);
                    }
                    ty
                }
            },
            Type::Tensor(shape, dtype) => self.written_tensor(&shape.node, dtype, at)?,
            Type::Name(name) => match self.param(&name.node) {
                Some(BoundParam::Type(ty)) => *ty,
                Some(_) => return Err(no_type(ty, at)),
                None if is_dtype(&name.node) => {
                    let dtype = WrittenDtype::Name(name.clone());
                    self.written_tensor(&WrittenShape::Dims(Vec::new()), &dtype, at)?
                }
                None => self.adt(name, &[])?,
            },
            Type::Apply(name, args) => self.adt(name, args)?,
            Type::Tuple(fields) => {
                let fields = self.all_written(fields)?;
                self.table.push(Node::Tuple(fields))
            }
            Type::Fn(function) => self.function_type(function, at)?,
            Type::Ref(inner) => {
                let inner = self.written(&inner.node, inner.span)?;
                self.table.push(Node::Ref(inner))
            }
            Type::Handle(name, _) => self.adt(name, &[])?,
            Type::Data(_) | Type::Relation(_) | Type::Shape(_) | Type::Size(_) => {
                return Err(no_type(ty, at));
            }
        })
    }

    /// A function type, with what it binds and requires itself.
    fn function_type(&mut self, function: &FnType, at: Span) -> Result<Ty, Problem> {
        let function = &with_result(function);
        let types = || function.params.iter().chain([&function.result]);
        let mut binders = function.binders.clone();
        if !function.constraints.is_empty() {
            // `fn(t1, t2) -> t3 where Broadcast`: what nothing defines is bound by it.
            for ty in types() {
                each_name(&ty.node, &mut |name| {
                    let is_bound = binders.iter().any(|own| own.name.node == name.node);
                    if !is_bound && !self.is_type(name) {
                        binders.push(Binder {
                            name: name.clone(),
                            is_rigid: false,
                            kind: None,
                        });
                    }
                });
            }
        }
        let uses = std::mem::take(&mut self.uses);
        self.uses = uses_of(types());
        let bound = self.bound(&binders, BOUND);
        self.uses = uses;
        let rigids = bound?;
        let built = self.quantified(function, &binders, rigids, at);
        self.params.pop();
        built
    }

    /// The same with its type parameters in scope.
    fn quantified(
        &mut self,
        function: &FnType,
        binders: &[Binder],
        rigids: Vec<u32>,
        at: Span,
    ) -> Result<Ty, Problem> {
        let params = self.all_written(&function.params)?;
        let result = self.written(&function.result.node, function.result.span)?;
        let mut goals = Vec::with_capacity(function.constraints.len());
        for relation in &function.constraints {
            goals.push(self.goal(relation, &params, result)?);
        }
        let inner = self.table.push(Node::Fn(params, result));
        let mut sizes = Vec::new();
        for binder in binders {
            if let Some(BoundParam::Size(_) | BoundParam::Shape(_) | BoundParam::Dtype(_)) =
                self.param(&binder.name.node)
            {
                sizes.push(self.probe(&binder.name.node, Kind::Shape)?);
            }
        }
        if rigids.is_empty() && sizes.is_empty() && goals.is_empty() {
            return Ok(inner);
        }
        let mut around = Vec::new();
        if !sizes.is_empty() {
            let types = function.params.iter().chain([&function.result]);
            let own = |name: &str| binders.iter().any(|binder| *binder.name.node == *name);
            let mut names: Vec<(Box<str>, Kind)> = uses_of(types).into_iter().collect();
            names.retain(|(name, _)| !own(name) && !is_dtype(name));
            names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            for (name, kind) in names {
                around.push(self.probe(&name, kind)?.ty);
            }
        }
        Ok(self.table.push(Node::Poly(Rc::new(Quantified {
            rigids: rigids.into(),
            sizes: sizes.into(),
            around: around.into(),
            goals: goals.into(),
            at,
            inner,
        }))))
    }

    /// A type of which a type parameter is the only part, or a name of this kind that nothing binds.
    pub(crate) fn probe(&mut self, name: &str, kind: Kind) -> Result<Probe, Problem> {
        let at = Span::default();
        let ident: Ident = Spanned::new(name.into(), at);
        let found = self.param(name).cloned();
        let kind = match &found {
            Some(BoundParam::Type(ty)) => {
                return Ok(Probe {
                    kind: Kind::Type,
                    ty: *ty,
                });
            }
            Some(param) => param.kind(),
            None => kind,
        };
        let (shape, dtype) = match kind {
            Kind::ShapeVar => {
                let size = WrittenDim::Expr(Size::Name(ident));
                let dims = vec![Spanned::new(size, at)];
                (WrittenShape::Dims(dims), WrittenDtype::Hole)
            }
            Kind::BaseType => (WrittenShape::Dims(Vec::new()), WrittenDtype::Name(ident)),
            _ => (WrittenShape::Name(ident), WrittenDtype::Hole),
        };
        let ty = self.written_tensor(&shape, &dtype, at)?;
        Ok(Probe { kind, ty })
    }

    /// Is there a type of this name?
    fn is_type(&self, name: &Ident) -> bool {
        self.param(&name.node).is_some()
            || is_dtype(&name.node)
            || self.adts.is_open()
            || self.adts.parameters(&name.node).is_some()
    }

    fn all_written(&mut self, types: &[Spanned<Type>]) -> Result<Box<[Ty]>, Problem> {
        let all = types.iter().map(|ty| self.written(&ty.node, ty.span));
        all.collect()
    }

    fn adt(&mut self, name: &Ident, args: &[Spanned<Type>]) -> Result<Ty, Problem> {
        let args = self.all_written(args)?;
        let Some(adt) = self.adts.number(&name.node, args.len()) else {
            let headline = format!("there is no type `{}`", name.node);
            return Err(Problem::new(ErrorKind::Kind, headline, name.span));
        };
        Ok(self.table.push(Node::Adt(adt, args)))
    }

    /// Opens a scope with these type parameters, those of kind `Type` rigid ones of this level.
    pub(crate) fn bound(&mut self, binders: &[Binder], level: u32) -> Result<Vec<u32>, Problem> {
        let mut scope = crate::infer::Params::default();
        let mut rigids = Vec::new();
        for binder in binders {
            let name = &binder.name.node;
            let kind = match &binder.kind {
                Some(kind) => Kind::read(kind)?,
                None => self.kind_of_use(name).unwrap_or(Kind::Type),
            };
            let param = match kind {
                Kind::Type | Kind::Constraint | Kind::AdtHandle | Kind::TypeData => {
                    let rigid = match binder.is_rigid {
                        true => self.table.rigid(format!("'{name}"), level),
                        false => self.table.rigid(name.clone(), level),
                    };
                    rigids.push(rigid);
                    BoundParam::Type(self.table.push(Node::Rigid(rigid)))
                }
                Kind::ShapeVar => BoundParam::Size(self.fresh_name(name)),
                Kind::Shape => BoundParam::Shape(self.fresh_name(name)),
                Kind::BaseType => BoundParam::Dtype(self.fresh_name(name)),
            };
            if scope.insert(name.clone(), param).is_some() {
                let headline = format!("the type parameter `{name}` is bound twice");
                let problem = Problem::new(ErrorKind::Duplicate, headline, binder.name.span);
                self.problems.push(problem);
            }
        }
        self.params.push(scope);
        Ok(rigids)
    }

    /// The kind of a parameter whose kind is not written, by where it is used.
    fn kind_of_use(&self, name: &str) -> Option<Kind> {
        self.uses.get(name).copied()
    }

    pub(crate) fn param(&self, name: &str) -> Option<&BoundParam> {
        self.params.iter().rev().find_map(|scope| scope.get(name))
    }

    /// The name in the graph of a size, shape or dtype: one for each global that uses it.
    fn name_of(&mut self, name: &str) -> Name {
        if let Some(BoundParam::Size(own) | BoundParam::Shape(own) | BoundParam::Dtype(own)) =
            self.param(name)
        {
            return own.clone();
        }
        if let Some(own) = self.sizes.get(name) {
            return own.clone();
        }
        let own = self.fresh_name(name);
        self.sizes.insert(name.into(), own.clone());
        own
    }

    /// A name that the graph does not have.
    pub(crate) fn fresh_name(&mut self, name: &str) -> Name {
        let count = self.names.entry(name.into()).or_insert(0);
        let own = match *count {
            0 => Name::word(name),
            n => Name::word(format!("{name}_{n}")),
        };
        *count += 1;
        if self.originals.contains_key(&own) {
            return self.fresh_name(name);
        }
        self.originals.insert(own.clone(), name.into());
        own
    }

    /// The same for what nobody has named.
    pub(crate) fn made_name(&mut self, name: &str) -> Name {
        let own = self.fresh_name(name);
        self.made.insert(own.clone());
        own
    }

    fn written_tensor(
        &mut self,
        shape: &WrittenShape,
        dtype: &WrittenDtype,
        at: Span,
    ) -> Result<Ty, Problem> {
        let dtype = match dtype {
            WrittenDtype::Hole => DtypeTerm::Hole,
            WrittenDtype::Name(name) => match Dtype::named(&name.node) {
                Some(dtype) if self.param(&name.node).is_none() => DtypeTerm::Known(dtype),
                _ => match self.param(&name.node) {
                    Some(BoundParam::Dtype(own)) => DtypeTerm::Name(own.clone()),
                    Some(other) => return Err(wrong_kind(name, other.kind(), Kind::BaseType)),
                    None if is_misspelt(&name.node) => {
                        let headline = format!("there is no dtype `{}`", name.node);
                        return Err(Problem::new(ErrorKind::Kind, headline, name.span));
                    }
                    None => DtypeTerm::Name(self.name_of(&name.node)),
                },
            },
        };
        let mut any = 0u64;
        let shape = match shape {
            WrittenShape::Hole => Shape::unknown(),
            WrittenShape::Name(name) => {
                let own = match self.param(&name.node) {
                    Some(BoundParam::Shape(own)) => own.clone(),
                    Some(other) => return Err(wrong_kind(name, other.kind(), Kind::Shape)),
                    None => self.name_of(&name.node),
                };
                Shape::unknown().with_run(0, Some(own))
            }
            WrittenShape::Dims(dims) => {
                let mut shape = Shape::known(std::iter::empty::<Dim>());
                let mut run = None;
                for (i, dim) in dims.iter().enumerate() {
                    match &dim.node {
                        WrittenDim::Any => {
                            if i < 64 {
                                any |= 1 << i;
                            }
                            shape.push(Dim::Hole);
                        }
                        WrittenDim::Expr(size) => {
                            let size = self.size(size, dim.span)?;
                            shape.push(Dim::expr(size));
                        }
                        WrittenDim::Rest(name) => {
                            let name = name.as_ref().map(|name| self.name_of(&name.node));
                            if run.replace((shape.known_dims().len(), name)).is_some() {
                                let headline = "a shape has one `..` at most";
                                return Err(Problem::new(ErrorKind::Kind, headline, dim.span));
                            }
                        }
                    }
                }
                match run {
                    Some((i, name)) => {
                        any = 0;
                        shape.with_run(i, name)
                    }
                    None => shape,
                }
            }
        };
        let ty: kanshape::Type = Tensor::new(dtype, shape).into();
        let value = self.graph.value(&ty).map_err(|_| {
            let ty = crate::notation::Written(&ty);
            Problem::new(
                ErrorKind::Kind,
                format!("nothing is of the type `{ty}`"),
                at,
            )
        })?;
        let level = self.level;
        let ty = self.tensor(value, any, level);
        if at != Span::default() {
            let of = [].into();
            self.origins.insert(ty, Origin { at, of });
        }
        Ok(ty)
    }

    /// A size with the names of this global.
    fn size(&mut self, size: &Size, at: Span) -> Result<Size, Problem> {
        let mut wrong = None;
        let size = size.clone().map_leaves(&mut |ident| {
            if let Some(other) = self.param(&ident.node)
                && !matches!(other, BoundParam::Size(_))
            {
                wrong = Some(wrong_kind(&ident, other.kind(), Kind::ShapeVar));
            }
            let own = self.name_of(&ident.node);
            Size::Name(Spanned::new(own.as_str().into(), at))
        });
        wrong.map_or(Ok(size), Err)
    }
}

/// `(L, R) -> Broadcast(L, R)` gives what is in that relation with its parameters.
fn with_result(function: &FnType) -> FnType {
    let mut function = function.clone();
    if let Type::Relation(relation) = &function.result.node {
        let at = function.result.span;
        let mut relation = relation.clone();
        let name: Ident = Spanned::new("Out".into(), at);
        let result = Spanned::new(Type::Name(name.clone()), at);
        relation
            .args
            .get_or_insert_with(|| function.params.clone())
            .push(result.clone());
        function.binders.push(Binder {
            name,
            is_rigid: false,
            kind: None,
        });
        function.constraints.push(Spanned::new(*relation, at));
        function.result = result;
    }
    function
}

/// Calls `f` with each name that is a type by itself.
fn each_name(ty: &Type, f: &mut dyn FnMut(&Ident)) {
    match ty {
        Type::Name(name) => f(name),
        Type::Apply(_, parts) | Type::Tuple(parts) => {
            parts.iter().for_each(|part| each_name(&part.node, f));
        }
        Type::Ref(inner) => each_name(&inner.node, f),
        _ => {}
    }
}

fn no_type(ty: &Type, at: Span) -> Problem {
    Problem::new(ErrorKind::Kind, format!("`{ty}` is no type of a value"), at)
}

/// Is a name one of a family of dtypes, with a number of bits that none of them has?
fn is_misspelt(name: &str) -> bool {
    const FAMILIES: [&str; 5] = ["float", "int", "uint", "bfloat", "complex"];
    let bits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    bits.len() < name.len() && FAMILIES.contains(&bits)
}

fn wrong_kind(name: &Ident, own: Kind, wanted: Kind) -> Problem {
    let headline = format!(
        "`{}` is of kind `{}`, and `{}` is wanted here",
        name.node,
        own.name(),
        wanted.name()
    );
    Problem::new(ErrorKind::Kind, headline, name.span)
}
