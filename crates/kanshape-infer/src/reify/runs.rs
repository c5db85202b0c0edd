//! What the user's runs have come to be: open runs keep their names, of the others it is said which
//! dims they have.

use super::naming::{Naming, compare};
use super::symbol::{Condition, DimItem, Expr, Symbol};
use kanshape_engine::{Part, Seq, Stop, Var};
use kanshape_rules::encode::{QueryVars, What};
use kanshape_syntax::tree::{CmpOp, Span, Spanned};
use kanshape_types::Name;

fn run(name: &Name) -> Expr {
    Expr::Run(Some(name.into()))
}

impl Naming<'_> {
    /// Calls a run that is still open by the user's name, or says that it is one with a name already.
    pub(super) fn name_run(&mut self, v: Var, called: &Name) {
        let [Part::Run(root)] = self.state.parts(&Seq::run(v))[..] else {
            return;
        };
        match self.runs.get(&root) {
            None => {
                self.runs.insert(root, called.clone());
            }
            Some(first) => {
                let same = compare(run(called), CmpOp::Eq, run(first));
                self.facts.push(same);
            }
        }
    }

    /// Says of each of the user's runs that is no open run which dims it has. All else should have its
    /// name before.
    pub(super) fn settled_runs(&mut self, given: &QueryVars) -> Result<Vec<Condition>, Stop> {
        let mut known: Vec<(Vec<Part>, &Name)> = Vec::new();
        let mut facts = Vec::new();
        for user in &given.names {
            let What::Run(v) = user.what else { continue };
            let parts = self.parts(v)?;
            if matches!(parts[..], [Part::Run(_)]) {
                continue;
            }
            let ground = |part: &Part| matches!(part, Part::One(l) if l.as_constant().is_some());
            let first = known.iter().find(|k| k.0 == parts).map(|k| k.1);
            let value = match first.filter(|_| !parts.iter().all(ground)) {
                Some(first) => run(first),
                None => Expr::List(self.list(&parts)?),
            };
            facts.push(compare(run(&user.name), CmpOp::Eq, value));
            known.push((parts, &user.name));
        }
        Ok(facts)
    }

    fn parts(&self, v: Var) -> Result<Vec<Part>, Stop> {
        let parts = self.state.parts(&Seq::run(v)).into_iter();
        let resolved = parts.map(|part| match part {
            Part::One(l) => Ok(Part::One(self.state.resolve(&l)?)),
            run => Ok(run),
        });
        resolved.collect()
    }

    fn list(&mut self, parts: &[Part]) -> Result<Vec<Spanned<DimItem>>, Stop> {
        let items = parts.iter().map(|part| {
            let item = match part {
                Part::One(l) => DimItem::Dim(self.form(l).ok_or(Stop::Overflow)?),
                Part::Run(v) => {
                    let user = self.runs.get(v).map(Symbol::from);
                    DimItem::Run(Some(user.unwrap_or(Symbol::Open(*v))))
                }
            };
            Ok(Spanned::new(item, Span::default()))
        });
        items.collect()
    }
}
