//! Is every value of one type a value of another?

use super::implied::names;
use super::instance::Instance;
use super::skolem::{Skolem, is_hole};
use super::{bare, conditions, contents, unify};
use crate::limits::MAX_ORDER_ANSWERS;
use crate::solve::verdict::Names;
use crate::{Answer, Query, Verdict};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{Type, TypeKind, order};

/// Is every value of `b` one of `a`?
///
/// [`Verdict::Always`] if so whatever the names in the two denote, [`Verdict::Never`] if for no
/// choice of them, [`Verdict::Depends`] if for some. The conditions of `b` are taken to hold; those of
/// `a` are queried. A type that has no values is below every other.
pub fn is_super(a: &Type, b: &Type) -> Verdict {
    match order::is_super(a, b) {
        Some(true) => Verdict::Always,
        Some(false) => Verdict::Never,
        None if a == b => Verdict::Always,
        // That a member is `true` says that the dtype is bool.
        None => Question::new(&contents::filled_in(a), b).verdict(),
    }
}

/// Have the two types the same values? Types that differ only in what their holes are called, or in
/// how a size is written, do.
pub fn same(a: &Type, b: &Type) -> Verdict {
    match (is_super(a, b), is_super(b, a)) {
        (Verdict::Never, _) | (_, Verdict::Never) => Verdict::Never,
        (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
        (Verdict::Always, Verdict::Always) => Verdict::Always,
        _ => Verdict::Depends,
    }
}

/// Whether each of the types `above` holds all that the one across from it in `below` does.
struct Question {
    above: Vec<Type>,
    below: Vec<Type>,
    /// What is known, and what has to be.
    facts: Vec<Condition>,
    goals: Vec<Condition>,
}

impl Question {
    fn new(a: &Type, b: &Type) -> Question {
        let mut question = Question {
            above: Vec::new(),
            below: Vec::new(),
            facts: conditions(b),
            goals: conditions(a),
        };
        question.pair(a, b);
        question
    }

    /// Takes the two apart where there are functions in them, since their parameters count the other way.
    fn pair(&mut self, a: &Type, b: &Type) {
        let functions = has_function(a) && has_function(b);
        match (&a.kind, &b.kind) {
            (TypeKind::Fn(f), TypeKind::Fn(g)) if f.params.len() == g.params.len() => {
                for (f, g) in f.params.iter().zip(&g.params) {
                    self.pair(g, f);
                }
                self.pair(&f.result, &g.result);
            }
            (TypeKind::Tuple(xs), TypeKind::Tuple(ys)) if functions && xs.len() == ys.len() => {
                xs.iter().zip(ys.iter()).for_each(|(x, y)| self.pair(x, y));
            }
            _ => {
                self.above.push(bare(a));
                self.below.push(bare(b));
            }
        }
    }

    fn verdict(&self) -> Verdict {
        let mut holes = Skolem::default();
        let below: Vec<Type> = self.below.iter().map(|ty| holes.ty(ty)).collect();
        let mut query = ask(&self.above, &below);
        let mut pending = std::mem::take(&mut query.conditions);
        query.conditions = self.facts.iter().chain(&holes.facts).cloned().collect();
        query.goals.extend(self.goals.iter().cloned());
        // That contents bound the dims, often in products, is mostly not needed, and makes it hard.
        while let Some(lightest) = pending.iter().map(weight).min() {
            let verdict = query.solve().map(|mut answers| answers.verdict());
            if verdict.is_ok_and(|verdict| verdict == Verdict::Always) {
                return Verdict::Always;
            }
            if self.above.len() != 1 {
                // What a function takes may be nothing, and says nothing of the names elsewhere.
                return Verdict::Unknown;
            }
            let next = pending.extract_if(.., |fact| weight(fact) == lightest);
            query.conditions.extend(next);
            let facts = &query.conditions;
            query.goals.retain(|goal| !facts.contains(goal));
        }
        let Ok(mut answers) = query.solve() else {
            return Verdict::Unknown;
        };
        match answers.verdict() {
            Verdict::Never if self.is_empty(&holes, &below) => Verdict::Always,
            Verdict::Depends if holes.count() > 0 => {
                if !Names::of(&query).any(|name| !is_hole(name)) {
                    // Nothing but the holes of `b` is there to depend on.
                    return Verdict::Never;
                }
                if self.fails_together(&holes, &below) {
                    return Verdict::Never;
                }
                let found: Vec<Answer> = answers.by_ref().take(MAX_ORDER_ANSWERS).collect();
                let holds = found.iter().any(|answer| !holes.limited_by(answer))
                    || found
                        .iter()
                        .any(|answer| self.holds_where(answer, &holes, &below));
                match holds {
                    true => Verdict::Depends,
                    false => Verdict::Unknown,
                }
            }
            verdict => verdict,
        }
    }

    /// Is every value of `b` one of `a` with what an answer says of the names alone? The answers may
    /// differ in what they say of the holes, and leave nothing out between them.
    fn holds_where(&self, answer: &Answer, holes: &Skolem, below: &[Type]) -> bool {
        let own: Vec<Condition> = self.facts.iter().chain(&self.goals).cloned().collect();
        let mut names = below.iter().chain(&self.above).flat_map(names);
        let names: Vec<String> = names.by_ref().filter(|name| !is_hole(name)).collect();
        let instance = Instance::of(answer, &own, &|name| names.iter().any(|n| n == name));
        let types = |types: &[Type]| types.iter().map(|ty| instance.ty(ty)).collect::<Vec<_>>();
        let conditions = |all: &[Condition]| -> Vec<Condition> {
            all.iter().map(|c| instance.condition(c)).collect()
        };
        let mut query = ask(&types(&self.above), &types(below));
        query.conditions.extend(conditions(&self.facts));
        query
            .conditions
            .extend(holes.facts.iter().chain(&instance.rest).cloned());
        query.goals.extend(conditions(&self.goals));
        let verdict = query.solve().map(|mut answers| answers.verdict());
        verdict.is_ok_and(|verdict| verdict == Verdict::Always)
    }

    /// Has `b` no values?
    fn is_empty(&self, holes: &Skolem, below: &[Type]) -> bool {
        let unknown = vec![Type::UNKNOWN; below.len()];
        let mut query = ask(&unknown, below);
        query
            .conditions
            .extend(self.facts.iter().chain(&holes.facts).cloned());
        match query.solve() {
            Ok(mut answers) => answers.verdict() == Verdict::Never,
            Err(_) => false,
        }
    }

    /// Is there no choice of the names with which several values of `b` are all in `a`?
    fn fails_together(&self, holes: &Skolem, below: &[Type]) -> bool {
        if below.iter().any(Skolem::bounds) {
            return false;
        }
        let (mut above, mut values) = (Vec::new(), Vec::new());
        for copy in 0..Skolem::COPIES {
            for (a, b) in self.above.iter().zip(below) {
                above.push(a.clone());
                values.push(holes.value(b, copy));
            }
        }
        let mut query = ask(&above, &values);
        query.conditions.extend(self.facts.iter().cloned());
        query.goals.extend(self.goals.iter().cloned());
        match query.solve() {
            Ok(mut answers) => answers.verdict() == Verdict::Never,
            Err(_) => false,
        }
    }
}

/// How hard it is to use a fact about a dtype, a dim, or several dims.
fn weight(fact: &Condition) -> u8 {
    match fact {
        Condition::In(..) | Condition::Dtype(..) => 0,
        Condition::Compare(Expr::Call(..), _) => 2,
        Condition::Compare(..) => 1,
    }
}

/// The question whether types hold those across from them, with what their contents say.
fn ask(above: &[Type], below: &[Type]) -> Query {
    let plain = |types: &[Type]| types.iter().map(contents::emptied).collect();
    let mut query = unify(plain(above), plain(below));
    query.conditions = below.iter().flat_map(contents::facts).collect();
    let pairs = above.iter().zip(below);
    query.goals = pairs.flat_map(|(a, b)| contents::expected(a, b)).collect();
    query
}

fn has_function(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Fn(_)) || ty.parts().any(has_function)
}
