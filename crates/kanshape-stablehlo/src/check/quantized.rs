//! [`Quantization`]: how the elements of values are quantized.
//!
//! In the graph a quantized tensor is a tensor of the floats that its elements express. The constraints on how the elements are stored are those
//! of another operator of the same name, in the domain `stablehlo.quantized`, which is a node of its own on the same values.

use kanshape::graph::{CallId, ValueId};
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Call, MlirType, Quantized};
use kanshape::{
    AttrValue, Content, Contents, Dim, Dtype, DtypeTerm, Operator, Shape, Tensor, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;
use crate::attr;
use crate::code;
use crate::ty;

/// How the elements of values are quantized.
#[derive(Debug, Default)]
pub(super) struct Quantization {
    /// The ways that have been met.
    ways: Vec<ElementScale>,
    /// Which of them an element type is.
    read: FxHashMap<Box<str>, Option<usize>>,
    /// Which of them values have.
    of: FxHashMap<ValueId, usize>,
    /// The value that is passed as the quantization of a value that is not quantized.
    none: Option<ValueId>,
    /// Scalars of some dtypes.
    scalars: FxHashMap<Dtype, ValueId>,
    /// The operators of which it is known that they hold of these values.
    held: FxHashSet<(CallId, Vec<ValueId>)>,
}

/// A way in which elements are quantized.
#[derive(Debug)]
struct ElementScale {
    quantized: Quantized,
    /// The same as a value of the graph.
    value: ValueId,
    /// Whether all that it says is in that value.
    is_whole: bool,
}

/// Whether a type is written as one of quantized elements.
pub(super) fn is_written(declared: &MlirType) -> bool {
    matches!(declared, MlirType::Tensor { element, .. } if element.starts_with("!quant."))
}

impl<'m> Checker<'m> {
    /// What a declared type says, for the graph.
    pub(super) fn says(&self, declared: &MlirType) -> Option<Type> {
        match self.reads_quantized() {
            true => ty::expressed(declared),
            false => ty::of(declared),
        }
    }

    /// Is there more to a declared type than the graph knows?
    pub(super) fn is_beyond(&mut self, declared: &MlirType) -> bool {
        match is_written(declared) {
            true => self.way(declared).is_none(),
            false => ty::is_open(declared),
        }
    }

    /// A model has no quantized elements: there they are not known.
    fn reads_quantized(&self) -> bool {
        self.recorded.is_none()
    }

    /// The way that a type is declared to be quantized in.
    fn way(&mut self, declared: &MlirType) -> Option<usize> {
        let MlirType::Tensor { element, .. } = declared else {
            return None;
        };
        if !is_written(declared) || !self.reads_quantized() {
            return None;
        }
        if let Some(way) = self.quantization.read.get(element) {
            return *way;
        }
        let way = Quantized::read(element).ok().and_then(|quantized| {
            let (ty, is_whole) = described(&quantized)?;
            ty::expressed(declared)?.dtype()?;
            let value = self.graph.value(&ty).ok()?;
            let ways = &mut self.quantization.ways;
            ways.push(ElementScale {
                quantized,
                value,
                is_whole,
            });
            Some(ways.len() - 1)
        });
        self.quantization.read.insert(element.clone(), way);
        way
    }

    /// The elements of a value are quantized as is declared for it.
    pub(super) fn is_quantized(&mut self, value: ValueId, declared: &MlirType, at: Span) {
        if !is_written(declared) || !self.reads_quantized() {
            return;
        }
        if let MlirType::Tensor { element, .. } = declared
            && let Err(Some(why)) = Quantized::read(element)
        {
            self.error(code::DECLARED, &why, at, "here");
        }
        let Some(way) = self.way(declared) else {
            return;
        };
        self.quantization.of.insert(value, way);
        let ElementScale {
            value: own,
            is_whole,
            ..
        } = self.quantization.ways[way];
        self.is_open |= !is_whole;
        if let Some(operator) = self.quantized_operator("value") {
            let tensor = self.representative(value, &[Some(way)]);
            self.put_quantized(&operator, Vec::new(), vec![tensor, own], at);
        }
    }

    /// The elements of a value are quantized as those of another one.
    pub(super) fn is_quantized_as(&mut self, value: ValueId, other: ValueId) {
        if let Some(way) = self.quantization.of.get(&other) {
            self.quantization.of.insert(value, *way);
        }
    }

    /// What the element type of a value is called, where it is quantized.
    pub(super) fn element(&self, value: ValueId) -> Option<String> {
        let way = self.quantization.of.get(&value)?;
        let way = self.quantization.ways.get(*way)?;
        Some(way.quantized.to_string())
    }

    /// Is a value known to be quantized as is declared, or known not to be?
    pub(super) fn has_elements(&mut self, value: ValueId, declared: &MlirType) -> bool {
        if self.quantization.of.is_empty() && !is_written(declared) {
            return true;
        }
        self.quantization.of.get(&value).copied() == self.way(declared)
    }

    /// Checks a declaration of how a value is quantized. Returns whether it is wrong; then it has been reported.
    pub(super) fn claims_elements(
        &mut self,
        value: ValueId,
        declared: &MlirType,
        at: Span,
    ) -> bool {
        if self.has_elements(value, declared) || !matches!(declared, MlirType::Tensor { .. }) {
            return false;
        }
        // How it is declared can't be read.
        if self.is_beyond(declared) {
            return false;
        }
        let own = self.quantization.of.get(&value).copied();
        let claimed = self.way(declared);
        if own.is_none() && self.graph.dtype(value).is_none() {
            self.is_quantized(value, declared, at);
            return false;
        }
        let ways = own.zip(claimed);
        if ways.is_some_and(|(own, claimed)| self.are_like(own, claimed)) {
            // Programs are allowed to mix them here and there.
            self.is_open = true;
            return false;
        }
        let named = |way: Option<usize>| match way {
            Some(way) => format!("`{}`", self.quantization.ways[way].quantized),
            None => "not quantized".to_owned(),
        };
        let headline = match claimed {
            Some(_) => format!("its elements can't be {}, as is declared", named(claimed)),
            None => "its elements are quantized, and declared as if they were not".to_owned(),
        };
        let d = kanshape::Diagnostic::new(code::DECLARED, headline);
        let d = d.with_step(format!("they are {}", named(own)));
        self.push(d.with_label(at.into(), "here"));
        true
    }

    /// Values that have to have one type are quantized in one way.
    pub(super) fn have_same_elements(&mut self, a: ValueId, b: ValueId, at: Span) {
        let of = |value: ValueId| self.quantization.of.get(&value).copied();
        match (of(a), of(b)) {
            (a, b) if a == b => {}
            (Some(a), Some(b)) if self.are_like(a, b) => self.is_open = true,
            _ => {
                let texts = [a, b].map(|value| match self.element(value) {
                    Some(element) => format!("`{element}`"),
                    None => "not quantized".to_owned(),
                });
                let [a, b] = texts;
                let headline = format!("elements are {a} here and {b} there");
                self.error(code::DECLARED, &headline, at, "here");
            }
        }
    }

    fn are_like(&self, a: usize, b: usize) -> bool {
        let ways = &self.quantization.ways;
        ways[a].quantized.is_like(&ways[b].quantized)
    }

    /// Is anything quantized of what an operation takes and gives?
    pub(super) fn meets_quantized(&self, call: &Call<'m>, inputs: &[ValueId]) -> bool {
        self.reads_quantized()
            && (call.outputs.iter().any(is_written)
                || !self.quantization.of.is_empty()
                    && inputs
                        .iter()
                        .any(|value| self.quantization.of.contains_key(value)))
    }

    /// The operator that says of an operation what it makes of quantized elements.
    pub(super) fn quantized_operator(&mut self, name: &str) -> Option<Operator> {
        let relations = self.relations;
        relations
            .operator_of("stablehlo.quantized", name, None)
            .ok()
    }

    /// Adds the node that constrains the quantized elements of an operation.
    pub(super) fn quantized(
        &mut self,
        operator: &Operator,
        call: &Call<'m>,
        inputs: &[ValueId],
        outputs: &[ValueId],
        at: Span,
    ) {
        let all = inputs.iter().chain(outputs);
        let ways: Vec<Option<usize>> = all
            .clone()
            .map(|value| self.quantization.of.get(value).copied())
            .collect();
        let mut values = Vec::with_capacity(2 * ways.len());
        for (value, way) in all.zip(&ways) {
            let own = match way {
                Some(way) => self.quantization.ways[*way].value,
                None => self.not_quantized(),
            };
            values.extend([self.representative(*value, &ways), own]);
        }
        // No rule relates the elements inside of a body to those around it.
        self.is_open |= !call.bodies.is_empty();
        let attrs = attr::values(operator, &call.attributes);
        self.put_quantized(operator, attrs, values, at);
    }

    fn put_quantized(
        &mut self,
        operator: &Operator,
        attrs: Vec<(Box<str>, AttrValue)>,
        values: Vec<ValueId>,
        at: Span,
    ) {
        let are_there = vec![true; values.len()];
        let id = match self.graph.call(operator, attrs, &are_there, &[]) {
            Ok(id) => id,
            Err(diagnostic) => return self.push(diagnostic.with_label(at.into(), "here")),
        };
        let key = (id, values);
        if self.quantization.held.contains(&key) {
            return;
        }
        let before = self.graph.problems().len();
        let (node, _) = self.graph.add(id, &key.1);
        self.origins.insert(node, at);
        // Each place has its own problem.
        if self.graph.problems().len() == before {
            self.quantization.held.insert(key);
        }
    }

    /// The value to be passed for `value` to a rule about elements that are quantized in these ways. Where none of them has an axis, no size
    /// matters, so that one scalar of the dtype is passed for all such values and the call is solved once.
    fn representative(&mut self, value: ValueId, ways: &[Option<usize>]) -> ValueId {
        let has_axis = |way: &usize| self.quantization.ways[*way].quantized.axis.is_some();
        let Some(dtype) = self.graph.dtype(value) else {
            return value;
        };
        if ways.iter().flatten().any(has_axis) {
            return value;
        }
        if let Some(scalar) = self.quantization.scalars.get(&dtype) {
            return *scalar;
        }
        let scalar = self.graph.value(&Type::tensor(dtype, [] as [Dim; 0]));
        let scalar = scalar.unwrap_or(value);
        self.quantization.scalars.insert(dtype, scalar);
        scalar
    }

    fn not_quantized(&mut self) -> ValueId {
        if let Some(none) = self.quantization.none {
            return none;
        }
        let none = self.graph.value(&Type::tuple([] as [Type; 0]));
        let none = none.unwrap_or_else(|_| self.graph.unknown());
        self.quantization.none = Some(none);
        none
    }

    /// A value of which nothing but the shape is known, where its elements are quantized.
    pub(super) fn without_elements(&mut self, value: ValueId, at: Span) -> ValueId {
        match self.quantization.of.contains_key(&value) {
            true => self.in_shape(value, &Type::UNKNOWN, at),
            false => value,
        }
    }

    /// A value with quantized elements, where such are declared for it.
    pub(super) fn with_elements(
        &mut self,
        value: ValueId,
        declared: &MlirType,
        at: Span,
    ) -> ValueId {
        if self.way(declared).is_none() {
            return value;
        }
        let ty = self.says(declared).unwrap_or(Type::UNKNOWN);
        let own = self.in_shape(value, &ty, at);
        self.is_quantized(own, declared, at);
        own
    }

    /// A tensor of the same shape, with elements as they are declared.
    fn in_shape(&mut self, value: ValueId, declared: &Type, at: Span) -> ValueId {
        let relations = self.relations;
        let operator = relations.operator_of("stablehlo", "uniform_quantize", None);
        let id =
            operator.and_then(|operator| self.graph.call(&operator, Vec::new(), &[true], &[true]));
        let Ok(id) = id else {
            return self.graph.unknown();
        };
        let declared = std::slice::from_ref(declared);
        let (node, outputs, _) = self.graph.add_declared(id, &[value], declared);
        self.origins.insert(node, at);
        match outputs.get(0) {
            Some(value) => value,
            None => self.graph.unknown(),
        }
    }
}

/// A way in which elements are quantized, as a type, and whether that type contains all of it.
fn described(way: &Quantized) -> Option<(Type, bool)> {
    let sign = if way.is_signed { "i" } else { "u" };
    let stored: Dtype = format!("{sign}{}", way.bits).parse().ok()?;
    let list = |dtype: Dtype, contents: Vec<Content>| {
        let count = contents.len() as u64;
        let contents = Contents::new(contents);
        let is_whole = contents.is_some();
        let tensor = Tensor::new(DtypeTerm::from(dtype), Shape::known([Dim::Size(count)]));
        (Type::from(tensor).with_contents(contents), is_whole)
    };
    let axis = match way.axis {
        Some(axis) => vec![Content::Int(i64::try_from(axis).ok()?)],
        None => Vec::new(),
    };
    let scales = way.scales.iter().map(|scale| Content::from(*scale));
    let zero_points = way.zero_points.iter().map(|point| Content::Int(*point));
    let parts = [
        list(stored, vec![Content::Int(way.low), Content::Int(way.high)]),
        list(Dtype::I64, axis),
        list(Dtype::F64, scales.collect()),
        list(Dtype::I64, zero_points.collect()),
    ];
    let is_whole = parts.iter().all(|(_, is_whole)| *is_whole);
    Some((Type::tuple(parts.map(|(ty, _)| ty)), is_whole))
}
