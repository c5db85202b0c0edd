//! Matches: patterns, the types of clauses, and the cases that are missing.

use kanshape::tree::relay::{Clause, ExprId, Pattern};
use kanshape::tree::{Span, Spanned};

use crate::cases;
use crate::code;
use crate::groups;
use crate::infer::unify::OpenSide;
use crate::infer::{Binding, Infer};
use crate::problem::{ErrorKind, Problem, counted};
use crate::table::{Node, Ty};

impl Infer<'_> {
    pub(crate) fn match_of(
        &mut self,
        scrutinee: ExprId,
        clauses: &[Clause],
        is_complete: bool,
        at: Span,
    ) -> Ty {
        let of = self.expr(scrutinee);
        let level = self.level;
        let problems = self.problems.len();
        // All patterns are typed before any body: what they say of the scrutinee is known in all of them.
        let mut vars: Vec<Vec<(Box<str>, Ty)>> = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let mut bound = Vec::new();
            self.pattern(&clause.pattern, of, &mut bound);
            vars.push(bound);
        }
        let is_typed = self.problems.len() == problems;
        let mut result: Option<(Ty, Span)> = None;
        for (clause, bound) in clauses.iter().zip(vars) {
            for (name, ty) in &bound {
                self.bind_var(name, Binding::Mono(*ty));
            }
            let ty = self.expr(clause.body);
            for (name, _) in &bound {
                self.unbind_var(name);
            }
            let place = self.program.span(groups::last(self.program, clause.body));
            result = Some(match result {
                None => (ty, place),
                Some((first, at)) => {
                    let joined = self.joined(first, ty, place, "this clause", at);
                    (joined, at)
                }
            });
        }
        if is_typed {
            self.cases(of, clauses, is_complete, at);
        }
        match result {
            Some((ty, _)) => ty,
            // There are no cases: what is given of them is of any type.
            None => {
                let ty = self.table.push(Node::Hole { level });
                self.absurd.push(ty);
                ty
            }
        }
    }

    /// Nesting is bounded by the reader.
    fn pattern(&mut self, pattern: &Spanned<Pattern>, of: Ty, bound: &mut Vec<(Box<str>, Ty)>) {
        let at = pattern.span;
        match &pattern.node {
            Pattern::Wildcard => {}
            Pattern::Var(name, written) => {
                if bound.iter().any(|(own, _)| *own == name.node) {
                    let headline = format!("the pattern binds `%{}` twice", name.node);
                    let problem = Problem::new(ErrorKind::Duplicate, headline, name.span);
                    self.problems.push(problem);
                }
                let ty = match written {
                    Some(_) => {
                        let ty = self.annotated(written.as_ref());
                        self.same(ty, of, OpenSide::First, at, &format!("`%{}`", name.node));
                        ty
                    }
                    None => of,
                };
                bound.push((name.node.clone(), ty));
            }
            Pattern::Tuple(fields) => {
                let level = self.level;
                let holes = fields.iter().map(|_| self.table.push(Node::Hole { level }));
                let holes: Vec<Ty> = holes.collect();
                let tuple = self.table.push(Node::Tuple(holes.clone().into()));
                self.same(of, tuple, OpenSide::Both, at, "the pattern");
                // The tuple itself may have fields of which more is known.
                let own = match self.table.get(of) {
                    Node::Tuple(own) if own.len() == holes.len() => own.to_vec(),
                    _ => holes,
                };
                for (field, ty) in fields.iter().zip(own) {
                    self.pattern(field, ty, bound);
                }
            }
            Pattern::Constructor(name, fields) => {
                let Some((adt, place)) = self.adts.constructor(&name.node) else {
                    let headline = format!("there is no constructor `{}`", name.node);
                    let problem = Problem::new(ErrorKind::Scope, headline, name.span);
                    self.problems.push(problem);
                    return;
                };
                let (ty, result) = match self.constructor(adt, place) {
                    Ok(found) => found,
                    Err(problem) => {
                        self.problems.push(problem);
                        return;
                    }
                };
                self.same(of, result, OpenSide::Both, at, "the pattern");
                let own = match self.table.get(ty).clone() {
                    Node::Fn(own, _) => own,
                    _ => [].into(),
                };
                if own.len() != fields.len() {
                    let headline = format!(
                        "`{}` has {}, and the pattern {}",
                        name.node,
                        counted(own.len(), "field"),
                        fields.len()
                    );
                    self.problems
                        .push(Problem::new(ErrorKind::PatternArity, headline, at));
                    return;
                }
                for (field, ty) in fields.iter().zip(own.iter()) {
                    self.pattern(field, *ty, bound);
                }
            }
        }
    }

    /// Cases that no clause has, and clauses that no value reaches.
    fn cases(&mut self, of: Ty, clauses: &[Clause], is_complete: bool, at: Span) {
        let patterns: Vec<&Pattern> = clauses.iter().map(|c| &c.pattern.node).collect();
        let is_empty = match self.table.get(of) {
            Node::Adt(adt, _) => {
                let adt = self.adts.get(*adt);
                adt.constructors.is_empty() && !adt.is_extern
            }
            _ => false,
        };
        if is_complete && !is_empty {
            let headline = match cases::missing(&patterns, &self.adts) {
                Some(missing) if missing.is_empty() => None,
                Some(missing) => {
                    let all: Vec<String> = missing.iter().map(|p| format!("`{p}`")).collect();
                    Some(format!("the match misses {}", all.join(", ")))
                }
                None => {
                    Some("whether the match misses a case takes too long to find out".to_owned())
                }
            };
            if let Some(headline) = headline {
                let problem = Problem::new(ErrorKind::NonExhaustive, headline, at);
                self.problems
                    .push(problem.help("write `match?` if these cases do not happen"));
            }
        }
        for i in cases::redundant(&patterns, &self.adts).unwrap_or_default() {
            let clause = &clauses[i].pattern;
            let headline = format!("no value reaches the clause `{}`", clause.node);
            let d = kanshape::Diagnostic::new(code::REDUNDANT, headline)
                .as_warning()
                .with_label(
                    clause.span.into(),
                    "the clauses before have all that it matches",
                );
            self.warnings.push(d);
        }
    }
}
