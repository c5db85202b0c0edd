//! What a model declares beside its nodes: inputs, initializers, constants, types of values.

use super::{Around, Checker, NamedValue, ValueHome};
use crate::graph::{Graph, Operand};
use crate::problem::{self, Problem};
use crate::proto::tensor::{Tensor, TensorMembers};
use crate::proto::ty::{self, Declared};
use crate::report::FreeDim;
use crate::symbols::Symbol;
use hashbrown::{HashMap, HashSet};
use kanshape::graph::{Elements, ValueId};
use kanshape::{AttrValue, Content, Contents, Dim, Dtype, DtypeTerm, Shape, Type, Verdict};
use std::sync::Arc;

/// In place of the name of an input: each of them.
const EACH: &str = "*";

/// The number of contradicted declared types for which the origin of the sizes is followed.
const MOST_FOLLOWED: usize = 4;

impl<'c, 'a> Checker<'c, 'a> {
    /// The inputs of the model. Those that have an initializer are none: it stands in the model what they are.
    pub(super) fn declare_inputs(&mut self, graph: &Graph<'a>, around: Around<'_, 'a>) {
        let before = self.values.len();
        // All that a dim is called by in the model is known before names are made up.
        let inputs = graph
            .inputs
            .iter()
            .filter(|i| self.scope.get(i.symbol).is_none());
        let inputs: Vec<Operand<'a>> = inputs.copied().collect();
        let given = self.options.inputs.iter();
        let given: HashMap<&str, &Type> = given.map(|(name, ty)| (name.as_str(), ty)).collect();
        let types = inputs.iter().map(|input| match given.get(input.name) {
            Some(ty) => {
                let declared = self.declared(input.name, input.ty);
                with_dtype(self.dims.given_type(ty), &declared)
            }
            None => self.declared(input.name, input.ty),
        });
        let types: Vec<Type> = types.collect();
        let types = self.with_batch(types);
        let types: Vec<Type> = inputs
            .iter()
            .zip(types)
            .map(|(i, ty)| self.with_dims(i.name, ty))
            .collect();
        for (input, ty) in inputs.iter().zip(types) {
            let ty = self.with_names(ty);
            let ty = self.with_contents(input.name, ty);
            self.note_free(input.name, &ty);
            let value = self.input(&ty, input.name);
            self.bind(graph, input.symbol, value, around);
        }
        self.declare_cuts();
        self.inputs = self.values.len() - before;
        self.values.rotate_right(self.inputs);
        let names: Vec<&str> = inputs.iter().map(|i| i.name).collect();
        let shapes = self.options.shapes.iter().map(|shape| &shape.0);
        let named = self.options.dims.iter().map(|dim| &dim.input).chain(shapes);
        let named = named.chain(self.options.inputs.iter().map(|(name, _)| name));
        for name in named {
            if name != EACH && !names.contains(&name.as_str()) {
                let d = problem::no_input(name, &names);
                self.problems.push(d.into());
            }
        }
    }

    /// Finds the values that are inputs only because the options say so.
    pub(super) fn find_cuts(&mut self, graph: &Graph<'a>) {
        if self.options.cuts.is_empty() {
            return;
        }
        let made = graph.nodes.iter().flat_map(|node| graph.outputs_of(node));
        let made = made.chain(graph.initializers.iter().map(|(symbol, _)| symbol));
        let made: HashSet<Symbol> = made.copied().filter(|s| *s != Symbol::NONE).collect();
        for (name, _) in &self.options.cuts {
            match self.symbols.get(name) {
                Some(symbol) if made.contains(&symbol) => {
                    self.cuts.insert(symbol);
                }
                _ => {
                    let known = made.iter().map(|symbol| self.symbols.name(*symbol));
                    let inputs = graph.inputs.iter().map(|input| input.name);
                    let d = problem::no_cut(name, known, inputs);
                    self.problems.push(d.into());
                }
            }
        }
    }

    /// Makes these values, as inputs.
    fn declare_cuts(&mut self) {
        for (name, ty) in &self.options.cuts {
            let symbol = self.symbols.get(name);
            let Some(symbol) = symbol.filter(|symbol| self.cuts.contains(symbol)) else {
                continue;
            };
            if self.scope.get(symbol).is_some() {
                // It is given twice.
                continue;
            }
            let ty = self.dims.given_type(ty);
            let ty = self.with_names(ty);
            self.note_free(name, &ty);
            let value = self.input(&ty, name);
            self.scope.bind(symbol, value);
            self.values.push(NamedValue {
                path: 0,
                symbol,
                value: ValueHome::Value(value),
            });
        }
    }

    /// The type that is declared for a value.
    pub(super) fn declared(&mut self, name: &str, message: Option<&'a [u8]>) -> Type {
        let Some(message) = message else {
            return Type::UNKNOWN;
        };
        match ty::read(message, &mut self.dims) {
            Ok(Declared { ty, wrong }) => {
                for wrong in wrong {
                    let d = problem::bad_type(name, &wrong.text());
                    self.problems.push(d.into());
                }
                if is_too_large(&ty) {
                    let d = problem::bad_type(name, "it has more elements than can be counted");
                    self.problems.push(d.into());
                }
                ty
            }
            Err(broken) => {
                let what = format!("the declared type of `{name}`");
                let d = problem::broken(self.model.bytes, &what, broken);
                self.problems.push(d.into());
                Type::UNKNOWN
            }
        }
    }

    /// The type of an input with what is in it, if that was given: what is made of it may depend on that, so it has to be
    /// known from the beginning. What else was given is examined in the end.
    fn with_contents(&self, name: &str, ty: Type) -> Type {
        let given = self.options.given.iter().find(|(own, _)| own == name);
        let given = given.and_then(|(_, ty)| ty.as_tensor());
        let (Some(given), Some(own)) = (given, ty.as_tensor()) else {
            return ty;
        };
        let (dims, own_dims) = (given.shape.known_dims(), own.shape.known_dims());
        let fits = |(own, dim): (&Dim, &Dim)| own == dim || *own == Dim::Hole;
        let is_like = own.dtype == given.dtype
            && own.shape.rank() == given.shape.rank()
            && own_dims.iter().zip(dims).all(fits);
        match &given.contents {
            Some(contents) if is_like => {
                let tensor = kanshape::Tensor::new(own.dtype.clone(), given.shape.clone());
                tensor.with_contents(Some(contents.clone())).into()
            }
            _ => ty,
        }
    }

    /// The type of an input with the dims that were given for it.
    fn with_dims(&mut self, name: &str, ty: Type) -> Type {
        let options = self.options;
        let given: Vec<_> = options.dims.iter().filter(|d| d.input == name).collect();
        let shapes: Vec<_> = options.shapes.iter().filter(|s| s.0 == name).collect();
        let ty = self.with_each(ty);
        if given.is_empty() && shapes.is_empty() {
            return ty;
        }
        let known = ty.as_tensor().filter(|tensor| tensor.shape.run().is_none());
        let Some(tensor) = known.cloned() else {
            self.problems.push(problem::no_dims(name, &ty).into());
            return ty;
        };
        let mut dims = tensor.shape.known_dims().to_vec();
        for (_, shape) in shapes {
            if shape.len() != dims.len() {
                let wrong = problem::other_rank(name, dims.len(), shape.len(), &ty);
                self.problems.push(wrong.into());
                continue;
            }
            self.replace(&mut dims, shape);
        }
        for one in given {
            match dims.get_mut(one.axis) {
                Some(dim) => *dim = self.dims.given(&one.dim),
                None => self
                    .problems
                    .push(problem::no_axis(name, one.axis, &ty).into()),
            }
        }
        kanshape::Tensor::new(tensor.dtype, Shape::known(dims)).into()
    }

    /// The type of an input with the dims that were given for each input that has them.
    fn with_each(&mut self, ty: Type) -> Type {
        let options = self.options;
        let each = || options.dims.iter().filter(|d| d.input == EACH);
        let shapes = || options.shapes.iter().filter(|s| s.0 == EACH);
        if each().next().is_none() && shapes().next().is_none() {
            return ty;
        }
        let Some(tensor) = ty.as_tensor().filter(|tensor| tensor.shape.run().is_none()) else {
            return ty;
        };
        let mut dims = tensor.shape.known_dims().to_vec();
        let rank = dims.len();
        for (_, shape) in shapes().filter(|(_, shape)| shape.len() == rank) {
            self.replace(&mut dims, shape);
        }
        for one in each() {
            if let Some(dim) = dims.get_mut(one.axis) {
                *dim = self.dims.given(&one.dim);
            }
        }
        kanshape::Tensor::new(tensor.dtype.clone(), Shape::known(dims)).into()
    }

    /// Puts dims that were given in place of these, which are as many.
    fn replace(&mut self, dims: &mut [Dim], given: &[Option<Dim>]) {
        for (dim, given) in dims.iter_mut().zip(given) {
            if let Some(given) = given {
                *dim = self.dims.given(given);
            }
        }
    }

    /// The types of inputs with the size of the batch that was given.
    fn with_batch(&mut self, mut types: Vec<Type>) -> Vec<Type> {
        let Some(batch) = &self.options.batch else {
            return types;
        };
        let first_dim = |ty: &Type| {
            let tensor = ty
                .as_tensor()
                .filter(|tensor| tensor.shape.run().is_none())?;
            tensor.shape.known_dims().first().cloned()
        };
        let Some(first) = types.iter().find_map(first_dim) else {
            self.problems.push(problem::no_batch().into());
            return types;
        };
        let batch = self.dims.given(batch);
        for ty in &mut types {
            if let (Some(own), Some(tensor)) = (first_dim(ty), ty.as_tensor())
                && own == first
            {
                let mut dims = tensor.shape.known_dims().to_vec();
                dims[0] = batch.clone();
                *ty = kanshape::Tensor::new(tensor.dtype.clone(), Shape::known(dims)).into();
            }
        }
        types
    }

    /// The type with names for its open dims, so that they stay the same in all that is read and written.
    fn with_names(&mut self, ty: Type) -> Type {
        let Some(tensor) = ty.as_tensor().filter(|tensor| tensor.shape.run().is_none()) else {
            return ty;
        };
        let dims = tensor.shape.iter().map(|dim| match dim {
            Dim::Hole => self.dims.fresh(),
            dim => dim.clone(),
        });
        let shape = Shape::known(dims.collect::<Vec<Dim>>());
        let named = kanshape::Tensor {
            shape,
            ..tensor.clone()
        };
        Type::from(named).with_conditions(ty.conditions.clone())
    }

    /// Notes which dims of an input are open.
    fn note_free(&mut self, input: &str, ty: &Type) {
        let dims = ty.as_tensor().map(|tensor| tensor.shape.known_dims());
        for (axis, dim) in dims.into_iter().flatten().enumerate() {
            if let Dim::Name(name) = dim {
                self.free.push(FreeDim {
                    input: input.to_owned(),
                    axis,
                    name: name.clone(),
                    named: !self.dims.is_fresh(name),
                });
            }
        }
    }

    /// An input of the model. That nothing is of its type, with all that is required of the names so far, is said of the
    /// whole model.
    fn input(&mut self, ty: &Type, name: &str) -> ValueId {
        let problems = self.problems.len();
        let value = self.value(ty, name);
        let mut new = self.problems[problems..].iter();
        self.contradicted |= new.any(|problem| problem.diagnostic.code == kanshape::code::NEVER);
        value
    }

    /// A value of a type; of an unknown one if there is none of this.
    pub(super) fn value(&mut self, ty: &Type, name: &str) -> ValueId {
        match self.graph.value(ty) {
            Ok(value) => value,
            Err(mut diagnostic) => {
                diagnostic.steps.push(format!("it is the type of `{name}`"));
                self.problems.push(diagnostic.into());
                self.graph.unknown()
            }
        }
    }

    /// The tensors that stand in a graph.
    pub(super) fn add_initializers(&mut self, graph: &Graph<'a>, around: Around<'_, 'a>) {
        for (symbol, tensor) in &graph.initializers {
            let value = self.tensor(tensor);
            self.bind(graph, *symbol, value, around);
        }
    }

    fn tensor(&mut self, tensor: &Tensor<'a>) -> ValueId {
        let known = match tensor.known_with(self.options.data.as_ref()) {
            Ok(known) => known,
            Err(size) => {
                let d = problem::bad_tensor(tensor.name, &format!("has a dim of {size}"));
                self.problems.push(d.into());
                return self.graph.unknown();
            }
        };
        if known.dtype.is_none() {
            let why = format!("has a dtype of the number {}, which none has", tensor.dtype);
            self.problems
                .push(problem::bad_tensor(tensor.name, &why).into());
        }
        if let Some(count) = known.misfit {
            let why = format!(
                "has data for {count} element{}, and is of the shape {:?}",
                if count == 1 { "" } else { "s" },
                known.sizes
            );
            self.problems
                .push(problem::bad_tensor(tensor.name, &why).into());
        }
        if tensor.is_external() && known.is_unread_list() {
            self.unread.push(tensor.name.to_owned());
        }
        match (known.dtype, &known.contents) {
            (Some(dtype), TensorMembers::Unknown) => self.graph.tensor(dtype, &known.sizes, None),
            (Some(dtype), TensorMembers::Ints(all)) => {
                self.graph
                    .tensor(dtype, &known.sizes, Some(Elements::Ints(all)))
            }
            (Some(dtype), TensorMembers::Floats(all)) => {
                self.graph
                    .tensor(dtype, &known.sizes, Some(Elements::Floats(all)))
            }
            _ => self.value(&known.ty(), tensor.name),
        }
    }

    /// The contents of an initializer are fixed, and those of an input can be chosen. So where they could not be read, the verdict is not
    /// known.
    pub(super) fn judge_unread(&mut self) {
        let Some(first) = self.unread.first() else {
            return;
        };
        let d = problem::unread(first, self.unread.len() - 1).as_warning();
        self.settled.judge(Verdict::Unknown);
        self.problems.push(d.into());
    }

    /// A node that is a value.
    pub(super) fn add_constant(&mut self, graph: &Graph<'a>, index: u32, around: Around<'_, 'a>) {
        let node = &graph.nodes[index as usize];
        let outputs = graph.outputs_of(node);
        let written = self.written(node, None, around);
        let ty = match (&written.attrs[..], written.bodies.is_empty(), outputs) {
            ([(name, value)], true, [_]) => constant(name, value),
            _ => None,
        };
        let Some(ty) = ty else {
            let why = "a constant has one output, and one attribute that is its value";
            let has_none = written.attrs.is_empty() && !written.unreadable;
            return match has_none && written.bodies.is_empty() {
                true => self.miscalled(graph, index, around, why.into()),
                false => self.untyped(graph, index, around, why.into()),
            };
        };
        let symbol = outputs[0];
        if symbol != Symbol::NONE {
            let value = self.value(&ty, self.symbols.name(symbol));
            self.bind(graph, symbol, value, around);
        }
    }

    /// What a graph declares of the outputs of one of its nodes, and the names of those of which it declares something. It is all that is
    /// known of them where nothing is known of the node.
    pub(super) fn declared_outputs(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        around: Around<'_, 'a>,
    ) -> (Vec<Type>, Vec<String>) {
        if self
            .declarations
            .as_ref()
            .is_none_or(|d| d.0 != around.path)
        {
            let outputs = graph.outputs.iter().map(|o| (o.symbol, o.ty));
            let mut all: HashMap<Symbol, &'a [u8]> = outputs
                .filter_map(|(symbol, ty)| Some((symbol, ty?)))
                .collect();
            for hint in &graph.hints {
                if let (Some(symbol), Some(ty)) = (self.symbols.get(hint.name), hint.ty) {
                    all.insert(symbol, ty);
                }
            }
            self.declarations = Some((around.path, all));
        }
        let node = &graph.nodes[index as usize];
        let own = graph.outputs_of(node).iter().copied();
        let own: Vec<Symbol> = own.filter(|symbol| *symbol != Symbol::NONE).collect();
        let mut names = Vec::new();
        let mut types = Vec::with_capacity(own.len());
        for symbol in own {
            let all = self.declarations.as_ref();
            let message = all.and_then(|all| all.1.get(&symbol).copied());
            let name = self.symbols.name(symbol);
            let ty = message.map_or(Type::UNKNOWN, |message| self.declared(name, Some(message)));
            let ty = self.in_names_of_inputs(ty);
            if ty != Type::UNKNOWN && !is_too_large(&ty) {
                names.push(name.to_owned());
                types.push(ty);
            } else {
                types.push(Type::UNKNOWN);
            }
        }
        (types, names)
    }

    /// A declared type without the names that no input has: they denote whatever they have to, and are no requirement.
    fn in_names_of_inputs(&self, ty: Type) -> Type {
        let Some(tensor) = ty.as_tensor().filter(|tensor| tensor.shape.run().is_none()) else {
            return ty;
        };
        let is_of_input = |name: &str| self.free.iter().any(|free| *free.name == *name);
        let dims = tensor.shape.known_dims().iter().map(|dim| {
            let mut has_other = false;
            match dim {
                Dim::Name(name) => has_other = !is_of_input(name),
                Dim::Expr(e) => e.for_each_name(&mut |name| has_other |= !is_of_input(name)),
                _ => {}
            }
            match has_other {
                true => Dim::Hole,
                false => dim.clone(),
            }
        });
        let shape = Shape::known(dims.collect::<Vec<Dim>>());
        kanshape::Tensor::new(tensor.dtype.clone(), shape).into()
    }

    /// Declared types are believed from now on, if they are to be.
    pub(super) fn trust(&mut self, graph: &Graph<'a>) {
        if !self.options.trust_annotations {
            return;
        }
        for output in &graph.outputs {
            self.trusted.extend(output.ty.map(|ty| (output.symbol, ty)));
        }
        for hint in &graph.hints {
            let symbol = self.symbols.of(hint.name);
            self.trusted.extend(hint.ty.map(|ty| (symbol, ty)));
        }
    }

    /// Takes the declared type of a value for true.
    pub(super) fn believe(&mut self, symbol: Symbol, value: ValueId) {
        let Some(message) = self.trusted.get(&symbol).copied() else {
            return;
        };
        let name = self.symbols.name(symbol);
        let ty = self.declared(name, Some(message));
        let ty = self.in_names_of_inputs(ty);
        if let Err(conflict) = self.graph.assume(value, &ty) {
            if conflict.is_undecided() {
                let problem = problem::given_undecided(name, &conflict);
                self.problems.push(problem.into());
                return;
            }
            let found = self.graph.clone().ty(value);
            // Most others follow from the first one.
            let why = match self.contradicted {
                true => Vec::new(),
                false => self.clash(value, &ty, &found).lines,
            };
            let problem = problem::hint(name, &ty, &found, why);
            self.problems.push(problem.into());
            self.contradicted = true;
        }
    }

    /// The types that were given for values.
    pub(super) fn assume_given(&mut self) {
        for (name, ty) in &self.options.given {
            let value = self
                .symbols
                .get(name)
                .and_then(|symbol| self.scope.get(symbol));
            let Some(value) = value else {
                let known = self.values.iter();
                let known = known.map(|entry| self.symbols.name(entry.symbol));
                self.problems.push(problem::no_value(name, known).into());
                continue;
            };
            self.assume_of(name, ty, value);
        }
    }

    /// A type that was given for a value.
    pub(super) fn assume_of(&mut self, name: &str, ty: &Type, value: ValueId) {
        let ty = self.dims.given_type(ty);
        let Err(conflict) = self.graph.assume(value, &ty) else {
            return;
        };
        if conflict.is_undecided() {
            let problem = problem::given_undecided(name, &conflict);
            self.problems.push(problem.into());
            return;
        }
        let found = self.graph.clone().ty(value);
        let clash = self.clash(value, &ty, &found);
        let mut steps = conflict.diagnostic.steps;
        steps.extend(clash.lines);
        let mut problem = problem::given(name, &ty, &found, steps);
        if let Some(fits) = clash.fits {
            problem = problem.with_help(format!("it would fit as {fits}"));
        }
        self.problems.push(problem.into());
        self.contradicted = true;
    }

    /// Where a declared type can't be.
    pub(super) fn check_hints(&mut self, graph: &Graph<'a>) {
        if self.options.trust_annotations {
            return;
        }
        let hints = graph.hints.iter().map(|hint| {
            let symbol = self.symbols.get(hint.name);
            (symbol.unwrap_or(Symbol::NONE), hint.name, hint.ty)
        });
        let outputs = graph.outputs.iter().map(|o| (o.symbol, o.name, o.ty));
        // An input with an initializer is what that is.
        let own: HashSet<Symbol> = match graph.inputs.len() > self.inputs {
            true => graph.initializers.iter().map(|i| i.0).collect(),
            false => HashSet::new(),
        };
        let inputs = graph.inputs.iter().filter(|i| own.contains(&i.symbol));
        let inputs = inputs.map(|i| (i.symbol, i.name, i.ty));
        let all = outputs.chain(hints).chain(inputs);
        let all: Vec<(ValueId, &'a str, &'a [u8])> = all
            .filter_map(|(symbol, name, message)| Some((self.scope.get(symbol)?, name, message?)))
            .collect();
        let found = self.graph.read().all_shared(all.iter().map(|hint| hint.0));
        let mut open: Vec<Hint<'a>> = Vec::new();
        for ((value, name, message), found) in all.into_iter().zip(found) {
            if ty::declares(message, &found) && !is_too_large(&found) {
                continue;
            }
            let ty = without_sizes_of_elements(self.declared(name, Some(message)));
            if !self.agrees(&ty, &found) {
                open.push(Hint {
                    value,
                    name,
                    ty,
                    found,
                });
            }
        }
        let mut makers: Option<HashMap<Symbol, u32>> = None;
        let mut left = MOST_FOLLOWED;
        for Hint {
            value,
            name,
            ty,
            found,
        } in self.refuted_of(open)
        {
            let why = match left.checked_sub(1) {
                Some(fewer) => {
                    left = fewer;
                    self.clash(value, &ty, &found).lines
                }
                None => Vec::new(),
            };
            self.refuted.insert(name);
            let problem = Problem::from(problem::hint(name, &ty, &found, why).as_warning());
            let makers = makers.get_or_insert_with(|| graph.makers());
            let node = self
                .symbols
                .get(name)
                .and_then(|symbol| makers.get(&symbol));
            self.problems.push(match node {
                Some(node) => problem.at(graph.place("", *node, &self.symbols)),
                None => problem,
            });
        }
    }

    /// Those of these declared types that can't be. Mostly all of them can be at once; where not, each half of them is tried by
    /// itself.
    fn refuted_of(&self, all: Vec<Hint<'a>>) -> Vec<Hint<'a>> {
        let mut refuted = Vec::new();
        let mut parts = vec![all];
        while let Some(mut part) = parts.pop() {
            let admits = match &part[..] {
                [] => true,
                [one] => self.graph.admits(one.value, &one.ty),
                several => {
                    let several = several.iter().map(|hint| (hint.value, &hint.ty));
                    self.graph.admits_all(several)
                }
            };
            if admits {
                continue;
            }
            match part.len() {
                1 => refuted.append(&mut part),
                many => {
                    let second = part.split_off(many / 2);
                    parts.extend([second, part]);
                }
            }
        }
        refuted
    }

    /// Does a look at two types show that they are alike? A name that stands in hints alone may be anything.
    fn agrees(&self, hint: &Type, found: &Type) -> bool {
        if found.is_unknown() || hint.is_unknown() {
            return true;
        }
        let (Some(hint), Some(found)) = (hint.as_tensor(), found.as_tensor()) else {
            return false;
        };
        let mut dims = hint.shape.iter().zip(found.shape.iter());
        let alike = hint.shape == Shape::unknown()
            || hint.shape.rank().is_some()
                && hint.shape.rank() == found.shape.rank()
                && dims.all(|(hint, found)| hint == found || *hint == Dim::Hole);
        alike && (hint.dtype == found.dtype || hint.dtype == DtypeTerm::Hole)
    }
}

/// A declared type that does not show by a look to be what was found.
struct Hint<'a> {
    value: ValueId,
    name: &'a str,
    ty: Type,
    found: Arc<Type>,
}

/// The type with a dtype if it has none.
fn with_dtype(ty: Type, declared: &Type) -> Type {
    match (ty.as_tensor(), declared.as_tensor()) {
        (Some(tensor), Some(declared)) if tensor.dtype == DtypeTerm::Hole => {
            let mut tensor = tensor.clone();
            tensor.dtype = declared.dtype.clone();
            Type::from(tensor).with_conditions(ty.conditions.clone())
        }
        _ => ty,
    }
}

/// What a constant is, by the one attribute that it has.
fn constant(name: &str, value: &AttrValue) -> Option<Type> {
    let scalar = |dtype, member: Content| {
        Type::tensor(dtype, [] as [Dim; 0]).with_contents(Contents::new([member]))
    };
    let vector =
        |dtype: Dtype, members: &[AttrValue], member: fn(&AttrValue) -> Option<Content>| {
            let all = members
                .iter()
                .map(member)
                .collect::<Option<Vec<Content>>>()?;
            Some(
                Type::tensor(dtype, [Dim::Size(members.len() as u64)])
                    .with_contents(Contents::new(all)),
            )
        };
    Some(match (name, value) {
        ("value" | "sparse_value", AttrValue::Type(ty)) => ty.clone(),
        ("value_int", AttrValue::Int(n)) => scalar(Dtype::I64, (*n).into()),
        ("value_float", AttrValue::Float(x)) => scalar(Dtype::F32, Content::Float(*x)),
        ("value_string", AttrValue::Text(text)) => scalar(Dtype::Str, (&**text).into()),
        ("value_ints", AttrValue::List(all)) => vector(Dtype::I64, all, |m| match m {
            AttrValue::Int(n) => Some((*n).into()),
            _ => None,
        })?,
        ("value_floats", AttrValue::List(all)) => vector(Dtype::F32, all, |m| match m {
            AttrValue::Float(x) => Some(Content::Float(*x)),
            _ => None,
        })?,
        ("value_strings", AttrValue::List(all)) => vector(Dtype::Str, all, |m| match m {
            AttrValue::Text(text) => Some((&**text).into()),
            _ => None,
        })?,
        _ => return None,
    })
}

/// Has a tensor more elements than any memory holds bytes?
fn is_too_large(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|tensor| {
        let sizes = tensor.shape.iter().filter_map(Dim::extent);
        let is_empty = tensor.shape.iter().any(|d| d.extent() == Some(0));
        !is_empty
            && sizes
                .map(u128::from)
                .try_fold(1u128, u128::checked_mul)
                .is_none_or(|n| n > i64::MAX as u128)
    })
}

/// What models declare of the sizes of a sequence's tensors is not always meant of all of them.
fn without_sizes_of_elements(ty: Type) -> Type {
    match ty.as_tensor() {
        Some(_) => ty,
        None => ty.map_parts(&mut |part| match part.as_tensor() {
            Some(tensor) => kanshape::Tensor::new(tensor.dtype.clone(), Shape::unknown()).into(),
            None => without_sizes_of_elements(part.clone()),
        }),
    }
}
