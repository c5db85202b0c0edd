//! What contents say, as conditions that the engine can weigh, and contents of what two types say.
//!
//! A member is compared with the one across from it as a number; that there are as many members as
//! elements is a condition on the dims, and that the members have a dtype one on the dtype. The types
//! themselves go to the engine without contents.

mod bounds;

pub(super) use bounds::{facts, filled, filled_in, settled};

use self::bounds::{count, settled_count, worth_saying};
use super::implied::Facts;
use crate::explain;
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{CmpOp, Condition, Expr, Ident, Sign};
use kanshape_types::{Content, Contents, Shape, Tensor, Type, TypeKind};

/// The type without contents.
pub(super) fn emptied(ty: &Type) -> Type {
    match &ty.kind {
        TypeKind::Tensor(tensor) if tensor.contents.is_none() => ty.clone(),
        TypeKind::Tensor(tensor) => {
            let plain = Tensor::new(tensor.dtype.clone(), tensor.shape.clone());
            Type::from(plain).with_conditions(ty.conditions.clone())
        }
        _ => ty.map_parts(&mut emptied),
    }
}

/// Calls `f` with the tensors that stand in the same place of two types.
fn pairs(a: &Type, b: &Type, f: &mut dyn FnMut(&Tensor, &Tensor)) {
    match (a.as_tensor(), b.as_tensor()) {
        (Some(a), Some(b)) => f(a, b),
        _ => a.parts().zip(b.parts()).for_each(|(a, b)| pairs(a, b, f)),
    }
}

/// The contents of a tensor that may be another as well: numbers are those of a dtype that both have.
fn as_in(contents: &Contents, tensor: &Tensor, other: &Tensor) -> Contents {
    contents.as_of(tensor.dtype.set().intersection(other.dtype.set()))
}

/// The contents of two tensors of which one may be the other.
fn across(a: &Tensor, b: &Tensor) -> (Option<Contents>, Option<Contents>) {
    (
        a.contents.as_ref().map(|contents| as_in(contents, a, b)),
        b.contents.as_ref().map(|contents| as_in(contents, b, a)),
    )
}

fn equal(a: Expr, b: Expr) -> Condition {
    Condition::Compare(a, vec![(CmpOp::Eq, b)])
}

/// How two members are compared.
enum Pair {
    /// They are the same, or one of them is not known.
    Same,
    /// They are the same if this holds.
    If(Condition),
    /// They are not.
    Differ,
}

impl Pair {
    fn of(a: &Content, b: &Content) -> Pair {
        if a == b || matches!((a, b), (Content::Hole, _) | (_, Content::Hole)) {
            return Pair::Same;
        }
        match (number(a), number(b)) {
            (Some(a), Some(b)) if is_number(&a) && is_number(&b) && a != b => Pair::Differ,
            (Some(a), Some(b)) if a == b => Pair::Same,
            (Some(a), Some(b)) => Pair::If(equal(a, b)),
            _ => Pair::Differ,
        }
    }
}

/// The number that a member is; a truth value is 0 or 1, and its dtype tells it from the numbers.
fn number(member: &Content) -> Option<Expr> {
    match member {
        Content::Bool(bool) => Some(Expr::Int((*bool).into())),
        member => member.expr(),
    }
}

fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Int(_) => true,
        Expr::Sum(terms) => matches!(terms[..], [(Sign::Minus, Expr::Int(_))]),
        _ => false,
    }
}

/// What has to hold if every value of `below` has the contents that `above` requires.
pub(super) fn expected(above: &Type, below: &Type) -> Vec<Condition> {
    let never = || equal(Expr::Int(0), Expr::Int(1));
    let mut goals = Vec::new();
    pairs(above, below, &mut |above, below| {
        let (Some(expected), given) = across(above, below) else {
            return;
        };
        match given {
            Some(given) if given.len() == expected.len() => {
                for (expected, given) in expected.iter().zip(&given) {
                    match Pair::of(expected, given) {
                        Pair::Same if *given == Content::Hole && *expected != Content::Hole => {
                            goals.push(never());
                        }
                        Pair::Same => {}
                        Pair::If(condition) => goals.push(condition),
                        Pair::Differ => goals.push(never()),
                    }
                }
            }
            Some(_) => goals.push(never()),
            None => {
                goals.extend(count(&below.shape, expected.len()));
                if expected.say_something() {
                    goals.push(never());
                }
            }
        }
    });
    goals
}

/// What has to hold if a value is to have the contents of both types.
///
/// # Errors
/// Contents that no value has.
pub(super) fn shared(a: &Type, b: &Type) -> Result<Vec<Condition>, Box<Diagnostic>> {
    let mut all = worth_saying(a);
    all.extend(worth_saying(b));
    let mut clash = None;
    pairs(a, b, &mut |x, y| match across(x, y) {
        (Some(p), Some(q)) if p.len() == q.len() => {
            for (i, (p, q)) in p.iter().zip(&q).enumerate() {
                // No tensor has both `true` and 1.0 among its members, though they are the same number.
                let pair = match p.dtypes().intersection(q.dtypes()).is_empty() {
                    true => Pair::Differ,
                    false => Pair::of(p, q),
                };
                match pair {
                    Pair::Same => {}
                    Pair::If(condition) => all.push(condition),
                    Pair::Differ => {
                        let say = |which, tensor: &Tensor, what: &Content| {
                            let what = what.to_tree(tensor.dtype.known());
                            format!("member {i} of the contents of {which} is {what}")
                        };
                        let steps = [say("the first", x, p), say("the second", y, q)];
                        clash.get_or_insert(steps);
                    }
                }
            }
        }
        (Some(p), Some(q)) => {
            let say = |which, n| format!("the contents of {which} have {n} members");
            let steps = [say("the first", p.len()), say("the second", q.len())];
            clash.get_or_insert(steps);
        }
        (Some(contents), None) => all.extend(settled_count(&y.shape, contents.len())),
        (None, Some(contents)) => all.extend(settled_count(&x.shape, contents.len())),
        (None, None) => {}
    });
    match clash {
        None => Ok(all),
        Some(steps) => Err(Box::new(explain::nothing_is_both(a, b, steps.into()))),
    }
}

/// The type with the contents of two types that it is below, each member as it is best known.
pub(super) fn attached(ty: &Type, a: &Type, b: &Type) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        let (mut xs, mut ys) = (a.parts(), b.parts());
        return ty.map_parts(&mut |part| {
            let (x, y) = (xs.next(), ys.next());
            attached(
                part,
                x.unwrap_or(&Type::UNKNOWN),
                y.unwrap_or(&Type::UNKNOWN),
            )
        });
    };
    let contents = match (a.contents(), b.contents()) {
        (Some(a), Some(b)) => Contents::new(a.iter().zip(b).map(|(a, b)| better(a, b))),
        (a, b) => a.or(b).cloned(),
    };
    let kept = contents.filter(|contents| says_more(contents, &tensor.shape));
    ty.clone().with_contents(kept)
}

/// The type with the numbers in its contents that conditions say names are.
pub(super) fn with_values(ty: &Type, conditions: &[Condition]) -> Type {
    let value = |name: Ident| {
        let known = conditions.iter().find_map(|c| match c {
            Condition::Compare(Expr::Name(n), rest) if n.node == name.node => match &rest[..] {
                [(CmpOp::Eq, size @ Expr::Int(_))] => Some(size.clone()),
                _ => None,
            },
            _ => None,
        });
        known.unwrap_or(Expr::Name(name))
    };
    match ty.as_tensor() {
        None => ty.map_parts(&mut |part| with_values(part, conditions)),
        Some(_) => {
            // In an expression the name says where the number comes from.
            let contents = ty.contents().map(|contents| {
                contents.map(&mut |member| match member {
                    Content::Name(_) => member.map_leaves(&mut |name| value(name)),
                    member => member.clone(),
                })
            });
            ty.clone().with_contents(contents)
        }
    }
}

/// Can a value have the contents that the type says, in a shape and of a dtype that it says?
pub(super) fn possible(ty: &Type) -> bool {
    let here = ty.as_tensor().is_none_or(|tensor| {
        tensor.contents.as_ref().is_none_or(|contents| {
            Contents::fit(&tensor.shape, contents.len())
                && !(tensor.dtype.set() & contents.dtypes()).is_empty()
        })
    });
    here && ty.parts().all(possible)
}

/// Do the contents say more than the shape does?
fn says_more(contents: &Contents, shape: &Shape) -> bool {
    let counted = shape.is_ground() && Contents::fit(shape, contents.len());
    contents.say_something() || !counted
}

/// The one of two members that are the same which says it best.
fn better(a: &Content, b: &Content) -> Content {
    let rank = |member: &Content| match member {
        // These tell the dtype as well.
        Content::Bool(_) | Content::Float(_) | Content::Text(_) => 0,
        Content::Int(_) => 1,
        Content::Name(_) => 2,
        Content::Expr(_) => 3,
        Content::Hole => 4,
    };
    match rank(a) <= rank(b) {
        true => a.clone(),
        false => b.clone(),
    }
}

/// The contents that two tensors both have, whose least common shape and dtype are those of `above`.
pub(super) fn joined(
    above: &Tensor,
    (a, of_a): (&Tensor, &Facts),
    (b, of_b): (&Tensor, &Facts),
) -> Option<Contents> {
    // A tensor with this number of elements, all unknown.
    let open = |tensor: &Tensor, len: usize| {
        let so_many = tensor.shape.elements() == Some(len as u64);
        so_many.then(|| Contents::new(vec![Content::Hole; len]))?
    };
    let (x, y) = match (&a.contents, &b.contents) {
        (Some(x), Some(y)) => (x.clone(), y.clone()),
        (Some(x), None) => (x.clone(), open(b, x.len())?),
        (None, Some(y)) => (open(a, y.len())?, y.clone()),
        (None, None) => return None,
    };
    if x.len() != y.len() {
        return None;
    }
    let set = above.dtype.set();
    let (seen_x, seen_y) = (as_in(&x, a, b), as_in(&y, b, a));
    // What is the same in both is written as it is in the one that has more dtypes.
    let wider = match a.dtype.set().is_subset(b.dtype.set()) {
        true => &y,
        false => &x,
    };
    let implied = |facts: &Facts, c: &Condition| {
        let calculates = c.parts().iter().any(|e| !e.parts().is_empty());
        (calculates || !facts.are_none()) && facts.imply(c)
    };
    let member = |i: usize| {
        let (x, y) = (&x.as_slice()[i], &y.as_slice()[i]);
        let same = match Pair::of(&seen_x.as_slice()[i], &seen_y.as_slice()[i]) {
            Pair::Same => [x, y].into_iter().find(|&m| *m == Content::Hole),
            Pair::If(condition) if implied(of_a, &condition) => Some(y),
            Pair::If(condition) if implied(of_b, &condition) => Some(x),
            Pair::If(_) | Pair::Differ => Some(&Content::Hole),
        };
        let same = same.unwrap_or(&wider.as_slice()[i]);
        // Among several dtypes a number is written as one that all have.
        match (same, same.int()) {
            (Content::Bool(bool), _) if set.single().is_none() => Content::Int((*bool).into()),
            (_, Some(int)) if set.single().is_none() => Content::Int(int),
            _ => same.clone(),
        }
    };
    let contents = Contents::new((0..x.len()).map(member))?;
    says_more(&contents, &above.shape).then_some(contents)
}

/// The members that a type requires in its contents and of which another does not know whether they
/// are there: conditions on names, or `None` if no condition says it.
pub(super) fn unknown(expected: &Tensor, given: &Tensor) -> Option<Vec<Condition>> {
    let (expected, known) = match across(expected, given) {
        (Some(expected), known) => (expected, known),
        (None, _) => return Some(Vec::new()),
    };
    let given = match known {
        Some(given) if given.len() == expected.len() => given,
        None if !expected.say_something() => {
            return count(&given.shape, expected.len()).map(|c| vec![c]);
        }
        _ => return None,
    };
    let mut all = Vec::new();
    for (expected, given) in expected.iter().zip(&given) {
        match Pair::of(expected, given) {
            Pair::Same if *given == Content::Hole && *expected != Content::Hole => return None,
            Pair::Same => {}
            Pair::If(condition) => all.push(condition),
            Pair::Differ => return None,
        }
    }
    Some(all)
}
