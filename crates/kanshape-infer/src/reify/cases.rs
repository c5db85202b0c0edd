//! Do some cases together leave nothing out?

use super::minimal::contradict;
use crate::limits::MAX_DENIED_CASES;
use kanshape_engine::{is_over, work};
use kanshape_rules::encode::negations;
use kanshape_syntax::tree::Condition;
use kanshape_types::{Name, Promotion};

/// Is there no choice of sizes and dtypes that these conditions allow and in which no case holds? That it could not be found out
/// counts as no. The names of conditions that `is_user` does not know denote what the case makes them.
pub(crate) fn cover_all<'n>(
    given: &[Condition],
    cases: &[Vec<Condition>],
    is_user: &dyn Fn(&str) -> bool,
    dtypes: impl Iterator<Item = &'n Name> + Clone,
    promotion: Promotion,
) -> bool {
    // One way to deny each case: none of the combinations may be possible.
    let mut denials: Vec<Vec<Condition>> = vec![Vec::new()];
    for case in cases {
        let mut ways: Vec<Vec<Condition>> = Vec::new();
        for c in case {
            let mut about_names = true;
            c.for_each_name(&mut |n| about_names &= is_user(n));
            match negations(c) {
                Some(more) if about_names => ways.extend(more),
                _ => return false,
            }
        }
        work(denials.len() * ways.len());
        denials = denials
            .iter()
            .flat_map(|d| {
                ways.iter().map(|w| {
                    let mut all = d.clone();
                    all.extend(w.iter().cloned());
                    all
                })
            })
            .collect();
        if denials.len() > MAX_DENIED_CASES {
            return false;
        }
    }
    denials.iter().all(|d| {
        if is_over() {
            return false;
        }
        let all: Vec<Condition> = given.iter().chain(d).cloned().collect();
        contradict(&all, dtypes.clone(), promotion)
    })
}
