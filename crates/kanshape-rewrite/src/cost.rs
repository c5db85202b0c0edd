//! [`Cost`]: what operators cost; [`RuleCost`]: what both sides of a rule cost, in sizes of its leaves, and which of
//! them is cheaper.
//!
//! A rule is counted for leaves of some ranks, with a name for each of their sizes. A value is counted once, however
//! often it is used; a value that both sides make is counted on both.

use std::collections::BTreeMap;

use kanshape::tree::{DimItem, Expr, MulOp, Sign};
use kanshape::{Diagnostic, Dim, Dtype, Shape, Tensor, Type};
use kanshape_onnx::{ASSUMED_SIZE, multiply_adds};

use crate::check::{AllRanks, Checked};
use crate::family;
use crate::find::{Finding, Found, Operand};
use crate::instances::{self, OpenShapes};
use crate::program::{Program, Slot};
use crate::symbolic::Ranks;

/// The ranks for which it is counted have this many dims at most.
const MOST_DIMS: usize = 2;

/// What operators cost together. A hole is a cost that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The elements that they give.
    pub elements: Dim,
    /// Their bytes.
    pub bytes: Dim,
    /// The multiplications, each with an addition, of the operators of which they are known.
    pub multiply_adds: Dim,
}

/// What both sides of a rule cost for leaves of these types.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleCost {
    /// The leaves, with names for their sizes.
    pub leaves: Vec<(Box<str>, Type)>,
    /// The elements that the operators give.
    pub elements: Compared,
    /// Their bytes.
    pub bytes: Compared,
    /// The multiplications, each with an addition, of the operators of which they are known.
    pub multiply_adds: Compared,
}

/// A cost of both sides. A hole is a cost that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Of the left side.
    pub left: Dim,
    /// Of the right side.
    pub right: Dim,
    /// Is the right side cheaper?
    pub cheaper: Cheaper,
}

/// For which sizes does a right side cost less? Sizes of 0 are left out: there both cost nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cheaper {
    /// For all.
    Always,
    /// For those of which this holds.
    Where(String),
    /// For none.
    Never,
    /// Both cost the same.
    Same,
    /// That is not known.
    Unknown,
}

impl Checked<'_> {
    /// What both sides cost; none if the rule has variables, or if no ranks are known for which it holds.
    pub(crate) fn cost(&self) -> Result<Option<RuleCost>, Diagnostic> {
        if family::of(self.rule, self.relations, self.opset)?.is_some() {
            return Ok(None);
        }
        let own = self.compile(self.rule)?;
        if own.program.leaves.is_empty() {
            return Ok(None);
        }
        let mut symbolic = self.symbolic(&own)?;
        let ranks = AllRanks::default().completed(&mut symbolic);
        let dims = |ranks: &Ranks| -> Vec<usize> {
            let all = ranks.leaves.iter().map(|ty| ty.as_tensor()?.shape.rank());
            all.map(|rank| rank.unwrap_or(usize::MAX)).collect()
        };
        let is_small = |ranks: &&&Ranks| dims(ranks).iter().all(|rank| *rank <= MOST_DIMS);
        // Those with most dims say most: where all are small, else the smallest.
        let sorted = ranks.sorted_by(|ranks| dims(ranks).iter().sum());
        let small = sorted.iter().rev().filter(is_small);
        for ranks in small.chain(sorted.iter()) {
            let Some(types) = self.leaf_types(ranks) else {
                continue;
            };
            // Where the sizes of leaves may differ and what is made of them has others, they are the same.
            let same = of_one_shape(&types);
            for types in [types, same] {
                let Some(all) = symbolic.typed(types) else {
                    continue;
                };
                let names = own.program.leaves.iter().map(|leaf| leaf.name.clone());
                let leaves = names.zip(all.iter().cloned()).collect();
                let cost = of_types(&own.program, &all, leaves);
                if cost.is_about_leaves() {
                    return Ok(Some(cost));
                }
            }
        }
        Ok(None)
    }

    /// The leaves with the first dtypes that the left side takes.
    fn leaf_types(&self, ranks: &Ranks) -> Option<Vec<Type>> {
        let shapes = OpenShapes::of(ranks)?;
        let dtypes = instances::dtypes(ranks, &shapes).ok()?;
        let types = ranks.leaves.iter().zip(dtypes).map(|(ty, dtype)| {
            let tensor = ty.as_tensor()?;
            let own = Tensor::new(dtype, tensor.shape.clone());
            Some(own.with_contents(tensor.contents.clone()).into())
        });
        types.collect()
    }
}

/// The types with the sizes of the first one that has as many dims.
fn of_one_shape(types: &[Type]) -> Vec<Type> {
    let rank = |ty: &Type| ty.as_tensor().and_then(|tensor| tensor.shape.rank());
    let own = |ty: &Type| -> Option<Type> {
        let tensor = ty.as_tensor()?;
        let first = types.iter().find(|other| rank(other) == rank(ty))?;
        let shape = first.as_tensor()?.shape.clone();
        let same = Tensor::new(tensor.dtype.clone(), shape);
        Some(same.with_contents(tensor.contents.clone()).into())
    };
    types
        .iter()
        .map(|ty| own(ty).unwrap_or_else(|| ty.clone()))
        .collect()
}

impl RuleCost {
    /// Are all names in it those of sizes of leaves?
    fn is_about_leaves(&self) -> bool {
        let tensors = self.leaves.iter().filter_map(|(_, ty)| ty.as_tensor());
        let sizes: Vec<String> = tensors
            .flat_map(|tensor| tensor.shape.iter().map(ToString::to_string))
            .collect();
        let known = |name: &str| sizes.iter().any(|own| own == name).then_some(1);
        let all = [&self.elements, &self.bytes, &self.multiply_adds];
        let is_known = |dim: &Dim| *dim == Dim::Hole || dim.at(&known).is_some();
        all.iter()
            .all(|own| is_known(&own.left) && is_known(&own.right))
    }
}

/// The costs where the values have these types.
fn of_types(program: &Program, types: &[Type], leaves: Vec<(Box<str>, Type)>) -> RuleCost {
    let [left, right] =
        [&program.left.roots, &program.right.roots].map(|roots| made(program, roots));
    let cost = |steps: &[usize]| {
        let steps = steps.iter().map(|step| {
            let own = &program.steps[*step];
            CostStep {
                op: own.operator.name(),
                inputs: own
                    .inputs
                    .iter()
                    .map(|slot| slot.map(|slot| &types[slot]))
                    .collect(),
                outputs: types[own.first..own.first + own.outputs].iter().collect(),
            }
        });
        Cost::of(&steps.collect::<Vec<_>>())
    };
    let (left, right) = (cost(&left), cost(&right));
    RuleCost {
        leaves,
        elements: compared(left.elements, right.elements),
        bytes: compared(left.bytes, right.bytes),
        multiply_adds: compared(left.multiply_adds, right.multiply_adds),
    }
}

/// An operator with the types of its values.
struct CostStep<'t> {
    op: &'t str,
    inputs: Vec<Option<&'t Type>>,
    outputs: Vec<&'t Type>,
}

impl Cost {
    fn of(steps: &[CostStep<'_>]) -> Cost {
        let outputs = || steps.iter().flat_map(|step| &step.outputs);
        // An element of a byte makes the number of bytes that of elements.
        let as_bytes = |ty: &&Type| {
            let shape = ty.as_tensor().map(|tensor| tensor.shape.clone());
            Tensor::new(Dtype::U8, shape.unwrap_or_else(Shape::unknown)).into()
        };
        let products = steps.iter().filter_map(|step| {
            let outputs: Vec<Option<&Type>> = step.outputs.iter().copied().map(Some).collect();
            multiply_adds(step.op, &step.inputs, &outputs)
        });
        Cost {
            elements: bytes(outputs().map(as_bytes).collect()),
            bytes: bytes(outputs().copied().cloned().collect()),
            multiply_adds: bytes(products.map(|n| Type::tensor(Dtype::U8, [n])).collect()),
        }
    }
}

impl Found {
    /// What its operators cost: the outputs that are used, and what makes them. Further operands are not counted: they
    /// are there already.
    ///
    /// ```
    /// use kanshape_rewrite::Find;
    ///
    /// let types = ["f32[N, 3]", "f32[3, 8]"].map(|text| text.parse().unwrap());
    /// let find = Find::new(kanshape::catalog(), types, "f32[N, 8]".parse()?).ops(["onnx::MatMul"]);
    /// let cost = find.run().found[0].cost();
    /// assert_eq!(cost.bytes.to_string(), "32*N");
    /// assert_eq!(cost.multiply_adds.to_string(), "24*N");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn cost(&self) -> Cost {
        let mut steps = Vec::new();
        let mut open = vec![self];
        while let Some(found) = open.pop() {
            steps.push(CostStep {
                op: found.op.rsplit("::").next().unwrap_or(&found.op),
                inputs: found
                    .inputs
                    .iter()
                    .map(|one| one.as_ref().map(Operand::ty))
                    .collect(),
                outputs: vec![&found.output],
            });
            open.extend(found.inputs.iter().flatten().filter_map(Operand::made));
        }
        Cost::of(&steps)
    }
}

impl Finding {
    /// The cheapest calls first: those of the fewest multiplications and, of these, of the fewest bytes, where every name is
    /// [`ASSUMED_SIZE`]. Those whose costs are not known come last; of the same cost, the simplest first.
    pub fn sort_by_cost(&mut self) {
        let size = |dim: &Dim| dim.at(&|_| Some(ASSUMED_SIZE));
        let key = |found: &Found| {
            let cost = found.cost();
            [cost.multiply_adds, cost.bytes].map(|dim| size(&dim).unwrap_or(u64::MAX))
        };
        self.found.sort_by_cached_key(key);
    }
}

/// The steps that make these values, each once.
fn made(program: &Program, roots: &[Slot]) -> Vec<usize> {
    let maker = |slot: Slot| {
        let makes =
            |step: &crate::program::Step| (step.first..step.first + step.outputs).contains(&slot);
        program.steps.iter().position(makes)
    };
    let mut found = Vec::new();
    let mut open: Vec<Slot> = roots.to_vec();
    while let Some(slot) = open.pop() {
        if let Some(step) = maker(slot)
            && !found.contains(&step)
        {
            found.push(step);
            open.extend(program.steps[step].inputs.iter().flatten());
        }
    }
    found
}

/// The bytes of values together; a hole if they are not known.
fn bytes(types: Vec<Type>) -> Dim {
    Type::tuple(types).memory_size().unwrap_or(Dim::Hole)
}

fn compared(left: Dim, right: Dim) -> Compared {
    let cheaper = cheaper(&left, &right).unwrap_or(Cheaper::Unknown);
    Compared {
        left,
        right,
        cheaper,
    }
}

/// Products of sizes, and how often each is taken. A product is its factors, sorted.
type Sums = BTreeMap<Vec<String>, i128>;

fn cheaper(left: &Dim, right: &Dim) -> Option<Cheaper> {
    let mut difference = sums(left)?;
    for (product, count) in sums(right)? {
        add(&mut difference, product, -count)?;
    }
    let is = |sign: i128| difference.values().any(|count| count.signum() == sign);
    Some(match (is(1), is(-1)) {
        (false, false) => Cheaper::Same,
        (true, false) => Cheaper::Always,
        (false, true) => Cheaper::Never,
        (true, true) => {
            shorten(&mut difference);
            let side = |sign: i128| {
                let terms = difference
                    .iter()
                    .filter(|(_, count)| count.signum() == sign);
                let terms = terms.map(|(product, count)| written(product, count.unsigned_abs()));
                terms.collect::<Vec<_>>().join(" + ")
            };
            Cheaper::Where(format!("{} > {}", side(1), side(-1)))
        }
    })
}

/// Leaves out the factors that all products have: they are no less than 1.
fn shorten(difference: &mut Sums) {
    let Some(first) = difference.keys().next().cloned() else {
        return;
    };
    for factor in first {
        if difference.keys().all(|product| product.contains(&factor)) {
            let all = std::mem::take(difference);
            for (mut product, count) in all {
                if let Some(at) = product.iter().position(|own| *own == factor) {
                    product.remove(at);
                }
                difference.insert(product, count);
            }
        }
    }
    let counts = difference.values().map(|count| count.unsigned_abs());
    // What is larger than this stays as it is.
    let divisor = i128::try_from(counts.fold(0, gcd)).unwrap_or(1);
    if divisor > 1 {
        difference.values_mut().for_each(|count| *count /= divisor);
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn written(product: &[String], count: u128) -> String {
    match (product, count) {
        ([], count) => count.to_string(),
        (product, 1) => product.join("*"),
        (product, count) => format!("{count}*{}", product.join("*")),
    }
}

fn add(all: &mut Sums, product: Vec<String>, count: i128) -> Option<()> {
    let own = all.entry(product.clone()).or_default();
    *own = own.checked_add(count)?;
    if *own == 0 {
        all.remove(&product);
    }
    Some(())
}

fn sums(dim: &Dim) -> Option<Sums> {
    match dim.to_tree() {
        DimItem::Dim(expr) => of_expr(&expr),
        DimItem::Hole | DimItem::Run(_) => None,
    }
}

/// A size as a sum of products. What is no sum and no product is a factor as it is written.
fn of_expr(expr: &Expr) -> Option<Sums> {
    let mut found = Sums::new();
    match expr {
        Expr::Int(n) => add(&mut found, Vec::new(), i128::from(*n))?,
        Expr::Sum(addends) => {
            for (sign, term) in addends {
                let sign = if *sign == Sign::Minus { -1 } else { 1 };
                for (product, count) in of_expr(term)? {
                    add(&mut found, product, count.checked_mul(sign)?)?;
                }
            }
        }
        Expr::Chain(first, rest) if rest.iter().all(|(op, _)| *op == MulOp::Mul) => {
            found = of_expr(first)?;
            for (_, factor) in rest {
                let mut next = Sums::new();
                for (product, count) in of_expr(factor)? {
                    for (own, times) in &found {
                        let mut factors = [&own[..], &product[..]].concat();
                        factors.sort_unstable();
                        add(&mut next, factors, times.checked_mul(count)?)?;
                    }
                }
                found = next;
            }
        }
        other => add(&mut found, vec![other.to_string()], 1)?,
    }
    Some(found)
}
