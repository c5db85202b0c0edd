//! What the goals of a rule require of the contents of its leaves.

use kanshape::tree::relation::{Goal, Rule, Term};
use kanshape::tree::{CmpOp, Sign};

/// What goals require of the contents of a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ContentsGoal {
    #[default]
    Free,
    /// All members are this number; `true` is 1.
    All(f64),
    /// They are constrained otherwise.
    Constrained,
}

impl ContentsGoal {
    /// What a rule requires of a leaf. Its contents have a name where it is declared, `(c: T[..s] = v)`, or in a goal, `c = Tensor(_, _, v)`.
    pub(super) fn of(rule: &Rule, leaf: &str) -> ContentsGoal {
        let goals = super::conjuncts(&rule.body).into_iter();
        let goals: Vec<&Goal> = goals.map(|goal| &goal.node).collect();
        let declared = rule.leaves.iter().filter(|own| *own.name.node == *leaf);
        let declared = declared.filter_map(|own| own.contents.as_ref().map(|name| &*name.node));
        let named = goals.iter().flat_map(|goal| contents_of(goal, leaf));
        let names: Vec<&str> = declared.chain(named).collect();
        if names.is_empty() {
            // It may be in a case.
            let mut nested = goals
                .iter()
                .filter(|goal| matches!(goal, Goal::Any(_) | Goal::Known(..)));
            return match nested.any(|goal| has_contents_of(goal, leaf)) {
                true => ContentsGoal::Constrained,
                false => ContentsGoal::Free,
            };
        }
        let all = goals.iter().flat_map(|goal| equations(goal));
        let mut filled = all.filter_map(|(a, b)| {
            number_of_all(a, b, &names).or_else(|| number_of_all(b, a, &names))
        });
        filled
            .next_back()
            .map_or(ContentsGoal::Constrained, ContentsGoal::All)
    }
}

/// The terms that are equated, two and two.
fn equations(goal: &Goal) -> Vec<(&Term, &Term)> {
    let Goal::Compare(first, rest) = goal else {
        return Vec::new();
    };
    let before = std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
    let pairs = before.zip(rest);
    let equal = pairs.filter(|(_, (op, _))| *op == CmpOp::Eq);
    equal.map(|(a, (_, b))| (&a.node, &b.node)).collect()
}

/// The names that a goal gives to the contents of a leaf.
fn contents_of<'g>(goal: &'g Goal, leaf: &str) -> Vec<&'g str> {
    let of = |a: &Term, b: &'g Term| match (a, b) {
        (Term::Name(name), Term::Call(function, args))
            if *name.node == *leaf && &*function.node == "Tensor" =>
        {
            match args.get(2).map(|own| &own.node) {
                Some(Term::Name(contents)) => Some(&*contents.node),
                _ => None,
            }
        }
        _ => None,
    };
    let all = equations(goal).into_iter();
    all.filter_map(|(a, b)| of(a, b).or_else(|| of(b, a)))
        .collect()
}

/// Does a goal give them a name anywhere in it?
fn has_contents_of(goal: &Goal, leaf: &str) -> bool {
    let mut left = vec![goal];
    while let Some(goal) = left.pop() {
        match goal {
            Goal::All(all) | Goal::Any(all) => left.extend(all.iter().map(|own| &own.node)),
            Goal::Known(_, inner) => left.push(&inner.node),
            other if !contents_of(other, leaf).is_empty() => return true,
            _ => {}
        }
    }
    false
}

/// The number that all members of a list of one of these names are: `v = [0 for _ in v]`.
fn number_of_all(list: &Term, each: &Term, names: &[&str]) -> Option<f64> {
    let (Term::Name(name), Term::Each { body, lists, .. }) = (list, each) else {
        return None;
    };
    let is_own = |own: &Term| matches!(own, Term::Name(other) if other.node == name.node);
    match &lists[..] {
        [one] if is_own(&one.node) && names.contains(&&*name.node) => number(&body.node),
        _ => None,
    }
}

fn number(term: &Term) -> Option<f64> {
    match term {
        Term::Int(n) => Some(*n as f64),
        Term::Float(x) => Some(x.get()),
        Term::Bool(own) => Some(f64::from(u8::from(*own))),
        Term::Sum(all) => match &all[..] {
            [(Sign::Minus, one)] => match &one.node {
                Term::Int(n) => Some(-(*n as f64)),
                Term::Float(x) => Some(-x.get()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
