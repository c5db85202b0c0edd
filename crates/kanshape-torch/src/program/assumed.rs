//! What torch assumed of sizes, and the calls of a program do not require: a dim that is a number, one that is taken for another one,
//! and between which numbers a symbol is.
//!
//! The program is typed once more with a name for each dim of its inputs, and without torch's ranges. What is then required is compared
//! with torch's ranges and numbers. A size that the program computes keeps the expression that its calls have for it; where it computes
//! another one, that both are equal is a condition. So the conditions are sufficient, and may be stronger than necessary.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::tree::{CmpOp, DimItem, Expr, Span, Spanned};
use kanshape::{Condition, Dim, Name, Relations, Shape, Tensor, Type, Verdict, explain};
use kanshape_onnx::{Assumed, How, Model, Options, Report, Required, check};

use super::json::{Program, Range};
use super::translate::{self, tensor_name};

/// The node that reads a size of a tensor.
const READ_SIZE: &str = "torch.ops.aten.sym_size.int";

/// The steps that finding it out may take, several times.
const STEPS: u64 = 50_000;

/// All that torch assumes beyond what the calls require. Nothing, where that can't be found out.
pub(super) fn assumed(program: &Program, relations: &Relations, options: &Options) -> Vec<Assumed> {
    let mut all = Vec::new();
    for places in [SymbolPlaces::All, SymbolPlaces::Each] {
        let opened = || Opened::of(program, relations, places);
        if places == SymbolPlaces::Each && !opened().has_repeated() {
            break;
        }
        // Some programs hold for sizes of 0 in a way that is too much to find out.
        let mut found = [0, 1]
            .into_iter()
            .filter_map(|least| opened().assumed(program, relations, options, least));
        let found = found.next().unwrap_or_default().into_iter();
        all.extend(found.filter(|one| (one.how == How::Same) == (places == SymbolPlaces::Each)));
    }
    all.sort_by_key(|one| match one.how {
        How::Fixed => 0,
        How::Same => 1,
        How::Bound => 2,
    });
    all
}

/// Where a symbol of torch stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SymbolPlaces {
    /// In all of its places.
    All,
    /// In one of them; the others have a name each.
    Each,
}

/// A dim of what a user gives.
struct GivenDim {
    input: usize,
    axis: usize,
    name: Name,
    /// What torch has there, if that is not the name.
    was: Option<Dim>,
}

/// The inputs with a name for each dim.
struct Opened {
    inputs: Vec<(String, Type)>,
    dims: Vec<GivenDim>,
}

impl Opened {
    fn of(program: &Program, relations: &Relations, places: SymbolPlaces) -> Opened {
        let mut inputs = translate::user_inputs(program, relations);
        let mut taken: BTreeSet<String> = program.range_constraints.keys().cloned().collect();
        for (_, ty) in &inputs {
            for dim in ty.dims().unwrap_or_default() {
                dim.for_each_name(&mut |name| {
                    taken.insert(name.to_owned());
                });
            }
        }
        let mut fresh = (0..).map(|i| format!("d{i}"));
        let mut fresh = move || fresh.find(|name| !taken.contains(name)).unwrap_or_default();
        let readers = readers(program);
        let mut dims: Vec<GivenDim> = Vec::new();
        for input in 0..inputs.len() {
            let (own, ty) = &inputs[input];
            let Some(tensor) = ty.as_tensor().filter(|t| t.shape.run().is_none()) else {
                continue;
            };
            let mut new = tensor.shape.known_dims().to_vec();
            for (axis, dim) in new.iter_mut().enumerate() {
                // A dim is called the same whichever are open.
                let own = Name::word(fresh());
                let was = match dim {
                    Dim::Size(_) => Some(dim.clone()),
                    Dim::Name(symbol) => {
                        let is_read =
                            |input: &str, axis: usize| readers.contains(&(input.to_owned(), axis));
                        let place = place_of(symbol, &inputs, &is_read);
                        let is_other = place != Some((input, axis));
                        if is_other && places == SymbolPlaces::All {
                            continue;
                        }
                        is_other.then(|| dim.clone())
                    }
                    _ => continue,
                };
                let name = match (&was, &*dim) {
                    (None, Dim::Name(symbol)) => symbol.clone(),
                    _ => own,
                };
                *dim = Dim::Name(name.clone());
                dims.push(GivenDim {
                    input,
                    axis,
                    name,
                    was,
                });
            }
            let opened = Tensor::new(tensor.dtype.clone(), Shape::known(new));
            inputs[input] = (own.clone(), opened.into());
        }
        Opened { inputs, dims }
    }

    /// Has an input a size of this name?
    fn has(&self, name: &str) -> bool {
        let mut dims = self
            .inputs
            .iter()
            .flat_map(|(_, ty)| ty.dims().unwrap_or_default());
        dims.any(|dim| speaks_of(dim, name))
    }

    /// Is there a symbol with several places?
    fn has_repeated(&self) -> bool {
        let mut was = self.dims.iter().filter_map(|dim| dim.was.as_ref());
        was.any(|was| matches!(was, Dim::Name(_)))
    }

    /// What is assumed, if no size is below `least`. `None` if it can't be found out.
    fn assumed(
        mut self,
        program: &Program,
        relations: &Relations,
        options: &Options,
        least: i64,
    ) -> Option<Vec<Assumed>> {
        let open = || Range {
            min_val: Some(least),
            max_val: None,
        };
        let names = self.dims.iter().map(|dim| dim.name.to_string());
        let names: BTreeSet<String> = names
            .chain(program.range_constraints.keys().cloned())
            .collect();
        let ranges: BTreeMap<String, Range> =
            names.iter().map(|name| (name.clone(), open())).collect();
        if least > 0 {
            let given = self.dims.iter();
            let given = given.map(|dim| compared(&dim.name, CmpOp::Ge, number(least)));
            let given = given.collect();
            if let Some((_, first)) = self.inputs.first_mut() {
                *first = std::mem::take(first).with_conditions(given);
            }
        }
        let exported = translate::opened(program, relations, &ranges, self.inputs.clone()).ok()?;
        let model = Model::read(&exported.model).ok()?;
        let options = Options {
            inputs: exported.inputs,
            facts: exported.facts,
            control: options.control.clone(),
            budget: Some(options.budget.map_or(STEPS, |own| own.min(STEPS))),
            relations: Some(relations.clone()),
            ..Options::default()
        };
        let report = check(&model, &options);
        let holds = matches!(report.verdict, Verdict::Always | Verdict::Depends);
        if !holds || report.has_errors() || !report.untyped.is_empty() {
            return None;
        }
        let found = OpenRequirements::of(self, &report)?;
        let dims = found.dims();
        let ranges = program.range_constraints.iter();
        let ranges = ranges.flat_map(|(name, range)| found.range(name, range));
        Some(dims.into_iter().chain(ranges).collect())
    }
}

/// What is required where all dims are open.
struct OpenRequirements {
    opened: Opened,
    /// What the dims are then.
    dims: Vec<Dim>,
    conditions: Vec<Condition>,
}

impl OpenRequirements {
    fn of(opened: Opened, report: &Report<'_>) -> Option<OpenRequirements> {
        let dims = opened.dims.iter().map(|dim| {
            let input = &opened.inputs[dim.input].0;
            let found = report.inputs.iter().find(|(name, _)| name == input)?;
            found.1.dims()?.get(dim.axis).cloned()
        });
        let dims = dims.collect::<Option<_>>()?;
        let conditions = report.conditions.iter().map(|one| match &one.condition {
            Required::Condition(condition) if one.under.is_empty() => Some(condition.clone()),
            _ => None,
        });
        let mut conditions: Vec<Condition> = conditions.collect::<Option<_>>()?;
        conditions.retain(|one| match one {
            Condition::Compare(a, rest) => !matches!(&rest[..], [(CmpOp::Eq, b)] if a == b),
            _ => true,
        });
        Some(OpenRequirements {
            dims,
            conditions,
            opened,
        })
    }

    /// The dims that are numbers, or taken for others.
    fn dims(&self) -> Vec<Assumed> {
        let dims = self.opened.dims.iter().zip(&self.dims);
        let found = dims.filter_map(|(dim, now)| {
            let was = dim.was.as_ref()?;
            let how = match was {
                Dim::Size(_) => How::Fixed,
                _ => How::Same,
            };
            if matches!(now, Dim::Size(_)) || self.is(was) == Some(now) {
                return None;
            }
            let Dim::Name(_) = now else { return None };
            let [is, is_not] =
                [CmpOp::Eq, CmpOp::Ne].map(|op| Some(compared(&dim.name, op, expr(was)?)));
            self.beyond(dim, now, how, is?, is_not?)
        });
        found.collect()
    }

    /// What the dim of this name is.
    fn is(&self, name: &Dim) -> Option<&Dim> {
        let Dim::Name(name) = name else { return None };
        let mut dims = self.opened.dims.iter().zip(&self.dims);
        let (_, now) = dims.find(|(dim, _)| dim.name == *name && dim.was.is_none())?;
        Some(now)
    }

    /// The dim that a symbol is, or the first one whose expression has it.
    fn symbol(&self, name: &str) -> Option<(GivenDim, Dim)> {
        let of = |input: usize, axis: usize| GivenDim {
            input,
            axis,
            name: Name::word(name),
            was: None,
        };
        let mut dims = self.opened.dims.iter().zip(&self.dims);
        if let Some((dim, now)) = dims.find(|(dim, _)| *dim.name == *name) {
            return Some((of(dim.input, dim.axis), now.clone()));
        }
        let inputs = self.opened.inputs.iter().enumerate();
        let mut dims = inputs.flat_map(|(i, (_, ty))| {
            let dims = ty.dims().unwrap_or_default().iter().enumerate();
            dims.map(move |(axis, dim)| (i, axis, dim))
        });
        let (input, axis, _) = dims.find(|(_, _, dim)| speaks_of(dim, name))?;
        let own = of(input, axis);
        let now = Dim::Name(own.name.clone());
        Some((own, now))
    }

    /// Between which numbers a symbol is.
    fn range(&self, name: &str, range: &Range) -> Vec<Assumed> {
        let Some((dim, now)) = self.symbol(name) else {
            return Vec::new();
        };
        if !matches!(now, Dim::Name(_)) {
            return Vec::new();
        }
        let (dim, now) = (&dim, &now);
        let name = Name::word(name);
        let bound = |op, n: i64| compared(&name, op, number(n));
        let least = range.min_val.filter(|least| *least > 0);
        let least = least.map(|n| (bound(CmpOp::Ge, n), bound(CmpOp::Le, n - 1)));
        let most = range.max_val.filter(|most| *most >= 0);
        let most = most.and_then(|n| Some((n, n.checked_add(1)?)));
        let most = most.map(|(n, next)| (bound(CmpOp::Le, n), bound(CmpOp::Ge, next)));
        let both = least.into_iter().chain(most);
        let found = both.filter_map(|(is, is_not)| self.beyond(dim, now, How::Bound, is, is_not));
        found.collect()
    }

    /// Something that is assumed of a dim, where there is a size for which it does not hold, and all that is required does.
    fn beyond(
        &self,
        dim: &GivenDim,
        now: &Dim,
        how: How,
        assumes: Condition,
        fails: Condition,
    ) -> Option<Assumed> {
        let mut requires: Vec<Condition> = self.conditions.clone();
        requires.retain(|one| {
            let mut is = false;
            one.for_each_name(&mut |name| is |= *name == *dim.name || is_name(now, name));
            is
        });
        if !is_name(now, &dim.name) {
            let same = compared(&dim.name, CmpOp::Eq, expr(now)?);
            requires.retain(|one| *one != same);
            requires.insert(0, same);
        }
        // A condition on a size that no input has says nothing to the user.
        let is_shown = |one: &Condition| {
            let mut is = true;
            one.for_each_name(&mut |name| is &= self.opened.has(name));
            is
        };
        if requires.contains(&assumes) || !requires.iter().all(is_shown) {
            return None;
        }
        let mut all = requires.clone();
        all.push(fails);
        let (example, _) = explain::sizes(&all, all.len() - 1);
        Some(Assumed {
            input: self.opened.inputs[dim.input].0.clone(),
            axis: dim.axis,
            name: dim.name.clone(),
            how,
            assumes,
            requires,
            example: example?,
        })
    }
}

fn is_name(dim: &Dim, name: &str) -> bool {
    matches!(dim, Dim::Name(own) if **own == *name)
}

/// Is a name one of a dim's?
fn speaks_of(dim: &Dim, name: &str) -> bool {
    let mut is = false;
    dim.for_each_name(&mut |own| is |= own == name);
    is
}

fn compared(name: &Name, op: CmpOp, other: Expr) -> Condition {
    let name = Spanned::new(name.as_str().into(), Span::default());
    Condition::Compare(Expr::Name(name), vec![(op, other)])
}

fn expr(dim: &Dim) -> Option<Expr> {
    match dim.to_tree() {
        DimItem::Dim(e) => Some(e),
        _ => None,
    }
}

/// An integer that is not negative.
fn number(n: i64) -> Expr {
    Expr::Int(n.unsigned_abs())
}

/// The dims of inputs that nodes read as sizes.
fn readers(program: &Program) -> BTreeSet<(String, usize)> {
    let nodes = program.graph_module.graph.nodes.iter();
    let nodes = nodes.filter(|node| node.target == READ_SIZE);
    let read = nodes.filter_map(|node| {
        let of = node
            .inputs
            .iter()
            .find_map(|input| tensor_name(&input.arg))?;
        let axis = node.inputs.iter().find(|input| input.name == "dim")?;
        let axis = axis.arg.get("as_int")?.as_u64()?;
        Some((of.to_owned(), usize::try_from(axis).ok()?))
    });
    read.collect()
}

/// Which of the dims that torch gives this symbol has it: the first one that is read, or else the first one.
fn place_of(
    symbol: &str,
    inputs: &[(String, Type)],
    is_read: &dyn Fn(&str, usize) -> bool,
) -> Option<(usize, usize)> {
    let mut first = None;
    for (i, (own, ty)) in inputs.iter().enumerate() {
        for (axis, dim) in ty.dims().unwrap_or_default().iter().enumerate() {
            if is_name(dim, symbol) {
                if is_read(own, axis) {
                    return Some((i, axis));
                }
                first = first.or(Some((i, axis)));
            }
        }
    }
    first
}
