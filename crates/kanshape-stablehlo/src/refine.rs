//! A module with the types that have been found, as text.
//!
//! A type stands in many places: where a value is defined, where it is used, in the head of a function and at its calls. MLIR wants all
//! of them to be the same. So values that have to have one type are classes ([`Classes`]): an argument and its parameter, what
//! a body returns and what its loop gives, the operands that are written with one type. A size is written where it is a number for
//! all values of a class, in all calls; everything else stays as it is declared.

use kanshape::Relations;
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Applied, Attribute, Body, Call, Function, MlirType, Op, Param};
use rustc_hash::FxHashMap;
use std::slice;

use crate::check::{self, Defined, DefinedSizes, Findings, Kept, Leaf};
use crate::program::{Options, Program};
use crate::report::Report;

impl Program {
    /// Types the module as [`Program::check`] does, and writes it with the sizes that have been found: a `?` is a number where
    /// it is that number in all calls. There is no text of a module that something is wrong with.
    ///
    /// ```
    /// use kanshape_stablehlo::{Options, Program};
    ///
    /// let text = "func.func @main(%x: tensor<?x3xf32>) -> tensor<?xf32> {
    ///   %s = stablehlo.constant dense<12> : tensor<1xi64>
    ///   %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<?xf32>
    ///   return %0 : tensor<?xf32>
    /// }";
    /// let (_, written) = Program::parse("x.mlir", text)?.refined(kanshape::catalog(), &Options::default());
    /// assert_eq!(written.unwrap_or_default(), text.replace("?x3x", "4x3x").replace('?', "12"));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn refined(&self, relations: &Relations, options: &Options) -> (Report, Option<String>) {
        let kept = Kept {
            defined: Some(Defined::default()),
            ..Kept::default()
        };
        let Findings { report, sizes, .. } = check::run(self, relations, options, kept);
        let written = (!report.is_wrong()).then(|| Classes::of(self, sizes, &report).text());
        (report, written)
    }
}

/// A value of the text.
#[derive(Clone, Debug)]
struct Def {
    /// The classes of the tensors in it.
    nodes: Vec<usize>,
    /// Where its type stands.
    ty: Option<Span>,
}

/// What is known of a class.
#[derive(Clone, Debug)]
enum KnownClass {
    /// Nothing is defined by it: a result of a function.
    Slot,
    /// This is.
    Sizes(Leaf),
}

/// What a function has in its head.
#[derive(Clone, Debug)]
struct FunctionHead {
    params: Vec<Def>,
    results: Vec<Def>,
}

/// The values of a module, of which those of one class have one type.
struct Classes<'m> {
    program: &'m Program,
    sizes: DefinedSizes,
    parents: Vec<usize>,
    known: Vec<KnownClass>,
    heads: FxHashMap<Box<str>, FunctionHead>,
    scopes: Vec<FxHashMap<&'m str, Vec<Def>>>,
    /// Where types stand, and what they are.
    sites: Vec<(Span, Vec<usize>)>,
}

impl<'m> Classes<'m> {
    fn of(program: &'m Program, sizes: DefinedSizes, report: &Report) -> Classes<'m> {
        let mut classes = Classes {
            program,
            sizes,
            parents: Vec::new(),
            known: Vec::new(),
            heads: FxHashMap::default(),
            scopes: Vec::new(),
            sites: Vec::new(),
        };
        let functions = program.module().functions();
        for function in &functions {
            let head = classes.head(function);
            // Whoever calls it from outside may have other sizes.
            let is_outside = !function.is_private && *function.name != *report.entry;
            if is_outside || function.is_declared {
                classes.pin_all(&head.params);
                classes.pin_all(&head.results);
            }
            classes.heads.entry(function.name.clone()).or_insert(head);
        }
        for function in &functions {
            classes.function(function);
        }
        classes
    }

    fn head(&mut self, function: &Function<'m>) -> FunctionHead {
        let mut params = Vec::with_capacity(function.params.len());
        for param in &function.params {
            params.push(self.param(param, None));
        }
        let mut results = Vec::with_capacity(function.outputs.len());
        for at in &function.outputs {
            let count = self.tensors(*at);
            let nodes = (0..count).map(|_| self.node(KnownClass::Slot)).collect();
            results.push(Def {
                nodes,
                ty: Some(*at),
            });
        }
        for (at, def) in function.inputs.iter().zip(&params) {
            self.site(*at, def);
        }
        for def in &results {
            self.own_site(def);
        }
        FunctionHead { params, results }
    }

    fn function(&mut self, function: &Function<'m>) {
        let Some(head) = self.heads.get(&function.name).cloned() else {
            return;
        };
        self.scopes = vec![FxHashMap::default()];
        for (param, def) in function.params.iter().zip(&head.params) {
            self.bind(param.name, vec![def.clone()]);
        }
        self.ops(function.ops, Some(&head.results));
        self.scopes.clear();
    }

    fn ops(&mut self, ops: &'m [Op], returned: Option<&[Def]>) {
        for op in ops {
            self.op(op, returned);
        }
    }

    /// An operation, in a body that gives these values where it returns.
    fn op(&mut self, op: &'m Op, returned: Option<&[Def]>) {
        let call = self.program.module().call(op);
        let operands: Vec<Def> = call
            .operands
            .iter()
            .map(|operand| self.value(operand.name, operand.index))
            .collect();
        let results = self.results(op);
        match call.name {
            // The type of a tuple has those of its members in it.
            "stablehlo.tuple" => results.iter().for_each(|def| self.own_site(def)),
            _ => self.written(op, &operands, &results),
        }
        match call.name {
            "return" | "func.return" | "stablehlo.return" => {
                if let Some(returned) = returned {
                    self.are_same(&operands, returned);
                }
            }
            "call" | "func.call" => self.calls(call.attribute("callee"), &operands, &results),
            "stablehlo.composite" => {
                self.calls(call.attribute("decomposition"), &operands, &results);
            }
            "stablehlo.while" => self.are_same(&operands, &results),
            "stablehlo.tuple" => self.are_same(&[joined(&operands)], &results),
            "stablehlo.get_tuple_element" => self.is_member(&call, &operands, &results),
            _ => self.is_left(&call, &operands, &results),
        }
        for body in &call.bodies {
            self.body(&call, body, &results);
        }
        let mut rest = results.into_iter();
        for result in &op.results {
            let count = self.count(result.count);
            let own = rest.by_ref().take(count).collect();
            self.bind(self.program.module().at(result.name), own);
        }
    }

    fn body(&mut self, call: &Call<'m>, body: &Body<'m>, results: &[Def]) {
        let Applied::Ops(ops) = body.runs else {
            return;
        };
        let is_loop = call.name == "stablehlo.while";
        self.scopes.push(FxHashMap::default());
        for (i, param) in body.params.iter().enumerate() {
            let result = results.get(i).filter(|_| is_loop);
            let def = self.param(param, result);
            if let Some(result) = result {
                self.are_same(slice::from_ref(&def), slice::from_ref(result));
            }
            self.bind(param.name, vec![def]);
        }
        // What a loop goes on for is no value of it, and what other bodies give are elements.
        let is_condition = is_loop
            && matches!(call.bodies.first(), Some(Body { runs: Applied::Ops(first), .. }) if std::ptr::eq(*first, ops));
        let gives = match call.name {
            "stablehlo.while" => !is_condition,
            "stablehlo.if" | "stablehlo.case" => true,
            _ => false,
        };
        self.ops(ops, gives.then_some(results));
        self.scopes.pop();
    }

    /// The results of an operation, each with the place of its type.
    fn results(&mut self, op: &'m Op) -> Vec<Def> {
        let count = self.program.module().result_count(op);
        let types: Vec<Span> = match &op.types {
            Some(types) => match &types.outputs {
                Some(outputs) => outputs.iter().map(|piece| piece.span).collect(),
                None => {
                    let skip = types.inputs.len().saturating_sub(count);
                    let last = types.inputs.iter().skip(skip);
                    last.map(|piece| piece.span).collect()
                }
            },
            None => Vec::new(),
        };
        let mut results = Vec::new();
        for result in &op.results {
            for i in 0..self.count(result.count) {
                // What has fewer types than results is not well written.
                if results.len() > types.len() {
                    return results;
                }
                let ty = types.get(results.len()).copied();
                results.push(self.def((result.name.start, i), ty));
            }
        }
        results
    }

    /// Which types of an operation are those of which values.
    fn written(&mut self, op: &'m Op, operands: &[Def], results: &[Def]) {
        let Some(types) = &op.types else {
            return self.pin_all(operands);
        };
        if types.outputs.is_some() {
            match types.inputs.len() == operands.len() {
                true => {
                    for (piece, def) in types.inputs.iter().zip(operands) {
                        self.site(piece.span, def);
                    }
                }
                false => self.pin_all(operands),
            }
            results.iter().for_each(|def| self.own_site(def));
            return;
        }
        // One type is that of several values.
        results.iter().for_each(|def| self.own_site(def));
        let places: Vec<Span> = types.inputs.iter().map(|piece| piece.span).collect();
        let skip = places.len().saturating_sub(results.len());
        let is_each = places.len() == operands.len()
            && (places.iter().zip(operands)).all(|(at, def)| self.is_written_like(def, *at));
        let mut first: Vec<Option<Def>> = vec![None; places.len()];
        for (first, result) in first.iter_mut().skip(skip).zip(results) {
            *first = Some(result.clone());
        }
        for (i, operand) in operands.iter().enumerate() {
            let place = match is_each {
                true => Some(i),
                false => (0..places.len())
                    .find(|at| self.is_written_like(operand, places[*at]))
                    .or_else(|| {
                        (0..places.len()).find(|at| self.has_dims_of(operand, places[*at]))
                    }),
            };
            let Some(place) = place else {
                self.pin_all(slice::from_ref(operand));
                continue;
            };
            match &first[place] {
                Some(other) => self.are_same(slice::from_ref(operand), slice::from_ref(other)),
                None => {
                    self.site(places[place], operand);
                    first[place] = Some(operand.clone());
                }
            }
        }
    }

    /// Whether a value is declared with the text that stands here.
    fn is_written_like(&self, def: &Def, at: Span) -> bool {
        let module = self.program.module();
        def.ty.is_some_and(|ty| module.at(ty) == module.at(at))
    }

    /// Whether it is, but for its elements.
    fn has_dims_of(&self, def: &Def, at: Span) -> bool {
        let read = |at: Span| match MlirType::read(self.program.module().at(at)) {
            MlirType::Tensor { dims, .. } => Some(dims),
            _ => None,
        };
        def.ty
            .and_then(read)
            .is_some_and(|dims| read(at) == Some(dims))
    }

    fn calls(&mut self, callee: Option<&Attribute>, operands: &[Def], results: &[Def]) {
        let head = match callee {
            Some(Attribute::Symbol(name)) => self.heads.get(name).cloned(),
            _ => None,
        };
        match head {
            Some(head) => {
                self.are_same(operands, &head.params);
                self.are_same(results, &head.results);
            }
            None => self.pin_all(operands),
        }
    }

    fn is_member(&mut self, call: &Call<'m>, operands: &[Def], results: &[Def]) {
        let index = match call.attribute("index") {
            Some(Attribute::Int(index)) => usize::try_from(*index).ok(),
            _ => None,
        };
        let ty = operands.first().and_then(|def| def.ty);
        let ty = ty.map(|ty| MlirType::read(self.program.module().at(ty)));
        if let (Some(index), Some(MlirType::Tuple(members)), [tuple]) = (index, ty, operands)
            && let Some(member) = members.get(index)
        {
            let before: usize = members[..index].iter().map(MlirType::tensors).sum();
            let nodes = tuple.nodes.get(before..before + member.tensors());
            let nodes = nodes.unwrap_or_default().to_vec();
            self.are_same(&[Def { nodes, ty: None }], results);
        } else {
            self.pin_all(operands);
            self.pin_all(results);
        }
    }

    /// Any other operation: functions that it names keep their types, and what it lays into its results.
    fn is_left(&mut self, call: &Call<'m>, operands: &[Def], results: &[Def]) {
        let mut left: Vec<&Attribute> = call.attributes.iter().map(|(_, value)| value).collect();
        while let Some(attribute) = left.pop() {
            match attribute {
                Attribute::Symbol(name) => {
                    if let Some(head) = self.heads.get(name).cloned() {
                        self.pin_all(&head.params);
                        self.pin_all(&head.results);
                    }
                }
                Attribute::List(members) => left.extend(members),
                Attribute::Group(members) => left.extend(members.iter().map(|(_, value)| value)),
                _ => {}
            }
        }
        let Some(Attribute::List(aliases)) = call.attribute("output_operand_aliases") else {
            return;
        };
        for alias in aliases {
            match aliased(alias, operands, results) {
                Some([operand, result]) => self.are_same(&[operand], &[result]),
                None => {
                    self.pin_all(operands);
                    self.pin_all(results);
                }
            }
        }
    }

    fn count(&self, written: Option<Span>) -> usize {
        written.map_or(1, |count| {
            self.program.module().at(count).parse().unwrap_or(1)
        })
    }

    fn bind(&mut self, name: &'m str, defs: Vec<Def>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, defs);
        }
    }

    /// What a name denotes; of what nothing defines, nothing is known.
    fn value(&self, name: &str, index: usize) -> Def {
        let defs = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        let def = defs.and_then(|defs| defs.get(index)).cloned();
        def.unwrap_or(Def {
            nodes: Vec::new(),
            ty: None,
        })
    }

    /// A parameter. One without a type has that of a value of the loop.
    fn param(&mut self, param: &Param<'m>, of: Option<&Def>) -> Def {
        let ty = param.ty.or_else(|| of.and_then(|def| def.ty));
        let def = self.def((param.span.start, 0), ty);
        if param.ty.is_some() {
            self.own_site(&def);
        }
        def
    }

    /// The value whose name stands here.
    fn def(&mut self, key: (usize, usize), ty: Option<Span>) -> Def {
        let count = ty.map_or(0, |ty| self.tensors(ty));
        // The parameters of a loop are those of both of its bodies.
        let known = self
            .sizes
            .get(&key)
            .cloned()
            .filter(|known| known.len() == count);
        let known = known.unwrap_or_else(|| vec![None; count]);
        let nodes = known
            .into_iter()
            .map(|leaf| self.node(KnownClass::Sizes(leaf)));
        Def {
            nodes: nodes.collect(),
            ty,
        }
    }

    fn tensors(&self, at: Span) -> usize {
        MlirType::read(self.program.module().at(at)).tensors()
    }

    fn node(&mut self, known: KnownClass) -> usize {
        self.known.push(known);
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn site(&mut self, at: Span, def: &Def) {
        self.sites.push((at, def.nodes.clone()));
    }

    fn own_site(&mut self, def: &Def) {
        if let Some(at) = def.ty {
            self.site(at, def);
        }
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    /// Values side by side have one type.
    fn are_same(&mut self, some: &[Def], others: &[Def]) {
        if some.len() != others.len() {
            self.pin_all(some);
            self.pin_all(others);
        }
        for (def, other) in some.iter().zip(others) {
            if def.nodes.len() != other.nodes.len() {
                self.pin_all(&[def.clone(), other.clone()]);
                continue;
            }
            for (a, b) in def.nodes.iter().zip(&other.nodes) {
                let (a, b) = (self.root(*a), self.root(*b));
                if a != b {
                    let other = std::mem::replace(&mut self.known[b], KnownClass::Slot);
                    self.parents[b] = a;
                    let own = std::mem::replace(&mut self.known[a], KnownClass::Slot);
                    self.known[a] = both(own, other);
                }
            }
        }
    }

    /// These have the types that are declared.
    fn pin_all(&mut self, defs: &[Def]) {
        for node in defs.iter().flat_map(|def| &def.nodes) {
            let root = self.root(*node);
            self.known[root] = KnownClass::Sizes(None);
        }
    }

    /// The text with the types that have been found.
    fn text(mut self) -> String {
        let text = self.program.module().text();
        let mut sites = std::mem::take(&mut self.sites);
        sites.sort_by_key(|(at, _)| at.start);
        sites.dedup_by_key(|(at, _)| at.start);
        let mut out = String::with_capacity(text.len());
        let mut end = 0;
        for (at, nodes) in sites {
            let written = self.program.module().at(at);
            if at.start < end || MlirType::read(written).tensors() != nodes.len() {
                continue;
            }
            let mut known = nodes.into_iter().map(|node| {
                let root = self.root(node);
                match &self.known[root] {
                    KnownClass::Sizes(leaf) => leaf.clone(),
                    KnownClass::Slot => None,
                }
            });
            out.push_str(text.get(end..at.start).unwrap_or_default());
            out.push_str(&MlirType::filled(written, &mut known));
            end = at.end;
        }
        out.push_str(text.get(end..).unwrap_or_default());
        out
    }
}

/// The operand and the result that lie in one place; none where it is a part of one of them.
fn aliased(alias: &Attribute, operands: &[Def], results: &[Def]) -> Option<[Def; 2]> {
    let Attribute::Group(members) = alias else {
        return None;
    };
    let member = |name: &str| {
        members
            .iter()
            .find(|(own, _)| **own == *name)
            .map(|(_, value)| value)
    };
    let list = |name: &str| match member(name) {
        None => Some(&[][..]),
        Some(Attribute::List(list)) => Some(&list[..]),
        Some(_) => None,
    };
    let number = |value: &Attribute| match value {
        Attribute::Int(n) => usize::try_from(*n).ok(),
        _ => None,
    };
    let operand = operands.get(number(member("operand_index")?)?)?;
    let result = match (list("output_tuple_indices")?, results) {
        ([], [one]) => one,
        ([at], several) => several.get(number(at)?)?,
        _ => return None,
    };
    let is_whole = list("operand_tuple_indices")?.is_empty();
    is_whole.then(|| [operand.clone(), result.clone()])
}

/// What is known of both.
fn both(own: KnownClass, other: KnownClass) -> KnownClass {
    match (own, other) {
        (KnownClass::Slot, known) | (known, KnownClass::Slot) => known,
        (KnownClass::Sizes(mut own), KnownClass::Sizes(other)) => {
            check::meet(&mut own, other);
            KnownClass::Sizes(own)
        }
    }
}

/// A tuple of values.
fn joined(defs: &[Def]) -> Def {
    Def {
        nodes: defs
            .iter()
            .flat_map(|def| def.nodes.iter().copied())
            .collect(),
        ty: None,
    }
}
