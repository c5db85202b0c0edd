//! From the tree of a clause to what can be run: names get numbers, words their meaning, and kinds are found
//! out.

use super::condition::Conditions;
use super::error;
use super::finish;
use super::known::SymbolTable;
use super::library::{Library, Standard};
use super::rule::{Body, Clause, Either, Guard, Number, Piece, Renumbering, Side, Step, Value};
use super::scope::Scope;
use super::signature::Compiled;
use crate::encode::Kind;
use crate::encode::Words;
use crate::encode::kind::{Kinds, Open};
use kanshape_diag::Diagnostic;
use kanshape_engine::Int;
use kanshape_syntax::relation::{self, Element, Goal, Term};
use kanshape_syntax::tree::{CmpOp, Ident, Sign, Span, Spanned};
use kanshape_types::{DtypeSet, DtypeTerm, Vocabulary};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A clause whose kinds are not known yet.
pub(super) struct Draft {
    pub clause: Clause,
    pub scope: Scope,
    /// What has to be checked yet.
    pub needs: Vec<Need>,
    /// The kinds of the arguments, and where they are.
    pub head: Vec<(Open, Span)>,
}

/// Something that can be checked when kinds are known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    /// What has this kind can be distinguished by `!=`.
    Disequal(Open, Span),
    /// The members of a list that is taken apart are numbers.
    Numbers(Open, Span),
}

impl Need {
    fn check(self, kinds: &Kinds) -> Result<(), Diagnostic> {
        match self {
            Need::Disequal(kind, place) => match kinds.kind(kind) {
                Kind::Dtype => Ok(()),
                kind if kind.is_number() => Ok(()),
                kind => Err(error::not_apart(&kind, place)),
            },
            Need::Numbers(members, place) => match kinds.kind(members) {
                kind if kind.is_number() => Ok(()),
                kind => Err(error::part_of_list(&kind.list(), place)),
            },
        }
    }
}

/// What is known while files are compiled.
pub(super) struct Compiler {
    pub kinds: Kinds,
    /// Which relation a call means.
    pub known: Arc<SymbolTable>,
    /// The kinds of the arguments of the relations that have been needed.
    params: FxHashMap<usize, Vec<Open>>,
    /// The operators that have been compiled with these files, by their full names: the version and the number of the newest.
    operators: FxHashMap<Box<str>, (u64, usize)>,
    pub words: Words,
    /// The types of one's own that terms can call.
    pub types: Vocabulary,
    pub needs: Vec<Need>,
    /// What signatures call.
    pub standard: Option<Standard>,
}

impl Compiler {
    pub(super) fn new(
        known: Arc<SymbolTable>,
        words: Words,
        types: Vocabulary,
        standard: Option<Standard>,
    ) -> Compiler {
        Compiler {
            kinds: Kinds::default(),
            known,
            params: FxHashMap::default(),
            operators: FxHashMap::default(),
            words,
            types,
            needs: Vec::new(),
            standard,
        }
    }

    /// Declares a relation of this arity, whose kinds are inferred.
    pub(super) fn declare(&mut self, number: usize, arity: usize) {
        let kinds = (0..arity).map(|_| self.kinds.open()).collect();
        self.params.insert(number, kinds);
    }

    /// From now on an operator can be called.
    pub(super) fn enter(&mut self, domain: &str, name: &str, since: u64, number: usize) {
        let full = format!("{domain}::{name}").into();
        let own = self.operators.entry(full).or_insert((since, number));
        if own.0 <= since {
            *own = (since, number);
        }
    }

    /// The rule that a call means.
    fn called(&self, name: &Ident, arity: usize) -> Result<usize, Diagnostic> {
        match self.operators.get(&name.node) {
            Some((_, number)) => Ok(*number),
            None => self.known.called(name, arity),
        }
    }

    /// The kinds of the arguments of a relation of this library, or of one that was declared.
    pub(super) fn params(&mut self, library: &Library, number: usize) -> &[Open] {
        let kinds = &mut self.kinds;
        self.params.entry(number).or_insert_with(|| {
            let known = library.kinds(number).iter();
            known.map(|kind| kinds.known(kind, None)).collect()
        })
    }

    /// The kinds that the arguments of a declared relation have been found to have.
    pub(super) fn found(&self, number: usize) -> Box<[Kind]> {
        let kinds = self.params.get(&number).map_or(&[][..], |kinds| kinds);
        kinds.iter().map(|kind| self.kinds.kind(*kind)).collect()
    }

    /// The clause of a draft, once all kinds are found.
    pub(super) fn finish(
        &self,
        conditions: &Conditions<'_>,
        mut draft: Draft,
    ) -> Result<Clause, Diagnostic> {
        let variables = draft.scope.variables.iter();
        let mut kinds = variables
            .map(|v| (v.kind, v.place))
            .chain(draft.head.iter().copied());
        if let Some((_, at)) = kinds.find(|(kind, _)| self.kinds.is_deep(*kind)) {
            return Err(error::deep(at));
        }
        for need in &draft.needs {
            need.check(&self.kinds)?;
        }
        finish::clause(&self.kinds, conditions, &mut draft.clause, &draft.scope);
        Ok(draft.clause)
    }

    pub(super) fn clause(
        &mut self,
        library: &Library,
        of: usize,
        tree: &relation::Clause,
    ) -> Result<Draft, Diagnostic> {
        let mut scope = Scope::default();
        let mut head = Vec::with_capacity(tree.params.len());
        let mut kinds_of_head = Vec::with_capacity(tree.params.len());
        for (param, i) in tree.params.iter().zip(0..) {
            let kind = self.params(library, of)[i];
            if let Some(ident) = &param.kind {
                let named = Kind::named(&ident.node).ok_or_else(|| error::unknown_kind(ident))?;
                let declared = self.kinds.known(&named, Some(ident.span));
                self.same(kind, declared, ident.span, None)?;
            }
            head.push(self.term(&mut scope, &param.term, kind)?);
            kinds_of_head.push((kind, param.term.span));
        }
        let body = self.body(library, &mut scope, &tree.body)?;
        Ok(Draft {
            clause: Clause {
                slots: Arc::default(),
                head: head.into(),
                body,
            },
            scope,
            needs: std::mem::take(&mut self.needs),
            head: kinds_of_head,
        })
    }

    /// From now on the two kinds are one; `b` is that of what stands at `place`.
    pub(super) fn same(
        &mut self,
        a: Open,
        b: Open,
        place: Span,
        name: Option<&str>,
    ) -> Result<(), Diagnostic> {
        let unified = self.kinds.unify(a, b);
        unified.map_err(|c| error::clash(&c, name, place))
    }

    pub(super) fn body(
        &mut self,
        library: &Library,
        scope: &mut Scope,
        goal: &Spanned<Goal>,
    ) -> Result<Body, Diagnostic> {
        let mut steps = Vec::new();
        self.goal(library, scope, goal, &mut steps)?;
        Ok(Body {
            guards: steps.iter().filter_map(guard).collect(),
            steps: steps.into(),
        })
    }

    fn goal(
        &mut self,
        library: &Library,
        scope: &mut Scope,
        goal: &Spanned<Goal>,
        steps: &mut Vec<Step>,
    ) -> Result<(), Diagnostic> {
        match &goal.node {
            Goal::True => {}
            Goal::False => steps.push(Step::Fail),
            Goal::All(goals) => {
                for goal in goals {
                    self.goal(library, scope, goal, steps)?;
                }
            }
            Goal::Any(goals) => {
                let mark = scope.mark();
                let mut ways = Vec::with_capacity(goals.len());
                for goal in goals {
                    ways.push(self.body(library, scope, goal)?);
                }
                steps.push(either(ways, scope.since(mark, &[])));
            }
            Goal::Call(name, args) => {
                if &*name.node == "Fields" {
                    // It makes tuples.
                    self.words.labels.functions();
                }
                let number = self.called(name, args.len())?;
                let arity = self.params(library, number).len();
                if arity != args.len() {
                    return Err(error::call_arity(name, &[arity], args.len()));
                }
                let mut values = Vec::with_capacity(args.len());
                // What is stated in Rust may take numbers of any sort, and others the next time.
                let native = library.native(number);
                let own = native.map(|n| n.params());
                for (i, arg) in args.iter().enumerate() {
                    let kind = match &own {
                        Some(params) => params[i].open(&mut self.kinds),
                        None => self.params(library, number)[i],
                    };
                    values.push(self.term(scope, arg, kind)?);
                }
                steps.push(Step::Call(number, values.into()));
            }
            Goal::Signature(text, args) => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    let kind = self.kinds.known(&Kind::Type, Some(text.span));
                    values.push(self.term(scope, arg, kind)?);
                }
                self.signature(scope, text, &values, steps)?;
            }
            Goal::Compare(first, rest) => {
                let mut left = first;
                for (op, right) in rest {
                    steps.push(self.compare(scope, left, *op, right)?);
                    left = right;
                }
            }
            Goal::In(term, list) => steps.push(self.member(scope, term, list)?),
            Goal::Known(terms, goal) => {
                let mut values = Vec::with_capacity(terms.len());
                for term in terms {
                    let kind = self.kinds.open();
                    values.push(self.term(scope, term, kind)?);
                }
                let mark = scope.mark();
                let body = self.body(library, scope, goal)?;
                // Those that are waited for come back as what they are known to be.
                let mut shared = scope.since(mark, &[]).into_vec();
                shared.extend(values.iter().filter_map(|v| match v {
                    Value::Slot(slot) => Some(*slot),
                    _ => None,
                }));
                steps.push(Step::Known(
                    values.into(),
                    one_of(vec![body], shared.into()),
                ));
            }
            Goal::Class(name, class) => {
                let kind = self.kinds.known(&Kind::Dtype, Some(class.span));
                let dtype = self.term(scope, &named(name), kind)?;
                let set = DtypeSet::class(&class.node);
                let set = set.ok_or_else(|| error::unknown_class(name, class))?;
                steps.push(Step::Class(dtype, set));
            }
        }
        Ok(())
    }

    /// A signature as a goal: its clauses stand where it is called. That it reads, and its arity, has
    /// been seen to by whoever has made the tree.
    pub(super) fn signature(
        &mut self,
        scope: &mut Scope,
        text: &Spanned<Box<str>>,
        operands: &[Value],
        steps: &mut Vec<Step>,
    ) -> Result<(), Diagnostic> {
        let tree = kanshape_syntax::parse_signature(&text.node);
        let compiled = tree.and_then(|tree| Compiled::new(&tree, &self.types, self.standard));
        let compiled = compiled.map_err(|d| error::in_signature(d, text.span))?;
        let identities = compiled.identities.iter();
        let labels = compiled.labels.iter();
        let here = Renumbering {
            identities: identities.map(|own| self.words.identity(own)).collect(),
            labels: labels.map(|ty| self.words.labels.of(ty)).collect(),
        };
        let mut ways = Vec::with_capacity(compiled.rule.clauses.len());
        for clause in &compiled.rule.clauses {
            let base = scope.variables.len();
            for kind in clause.slots.iter() {
                let kind = self.kinds.known(kind, None);
                scope.add(kind, text.span);
            }
            let mut clause = clause.moved(base);
            clause
                .head
                .iter_mut()
                .for_each(|value| value.renumber(&here));
            let mut way = Vec::new();
            // The parameters of a goal are unknown; those of an operator are its attributes.
            let unnamed = clause.head.len().saturating_sub(operands.len());
            let patterns = clause.head.iter().skip(unnamed);
            for (operand, pattern) in operands.iter().zip(patterns) {
                equate(operand, pattern, &mut way);
            }
            for step in &mut clause.body.steps {
                step.each_term_mut(&mut |value| value.renumber(&here));
                if let Step::Among(_, numbers) = step {
                    numbers.iter_mut().for_each(|n| n.renumber(&here));
                }
            }
            way.extend(clause.body.steps);
            ways.push(Body {
                guards: way.iter().filter_map(guard).collect(),
                steps: way.into(),
            });
        }
        match <[Body; 1]>::try_from(ways) {
            Ok([only]) => steps.extend(only.steps),
            Err(ways) => {
                let mut shared = Vec::new();
                operands
                    .iter()
                    .for_each(|v| v.each_slot(&mut |slot| shared.push(slot)));
                shared.sort_unstable();
                shared.dedup();
                steps.push(either(ways, shared.into()));
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        scope: &mut Scope,
        left: &Spanned<Term>,
        op: CmpOp,
        right: &Spanned<Term>,
    ) -> Result<Step, Diagnostic> {
        let kind = match op {
            CmpOp::Eq | CmpOp::Ne => self.kinds.open(),
            CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge => {
                self.kinds.known(&Kind::Int, Some(left.span.to(right.span)))
            }
        };
        if op == CmpOp::Ne {
            let place = left.span.to(right.span);
            self.needs.push(Need::Disequal(kind, place));
        }
        let left = self.term(scope, left, kind)?;
        let right = self.term(scope, right, kind)?;
        Ok(match op {
            CmpOp::Eq => Step::Equal(left, right),
            op => Step::Compare(left, op, right),
        })
    }

    fn member(
        &mut self,
        scope: &mut Scope,
        term: &Spanned<Term>,
        list: &Spanned<Term>,
    ) -> Result<Step, Diagnostic> {
        if let Some(set) = dtypes(list)? {
            let kind = self.kinds.known(&Kind::Dtype, Some(list.span));
            return Ok(Step::Class(self.term(scope, term, kind)?, set));
        }
        let Some(members) = listed(list) else {
            let of = self.kinds.open();
            let lists = self.kinds.list(of, list.span);
            let term = self.term(scope, term, of)?;
            return Ok(Step::Member(term, self.term(scope, list, lists)?));
        };
        let kind = self.kinds.open();
        let value = self.term(scope, term, kind)?;
        let mark = scope.mark();
        let mut values = Vec::with_capacity(members.len());
        for member in members {
            values.push(self.term(scope, member, kind)?);
        }
        let number = |v: &Value| match v {
            Value::Int(n) => Some(Number::Int(*n)),
            _ => None,
        };
        if let Some(numbers) = values.iter().map(number).collect() {
            return Ok(Step::Among(value, numbers));
        }
        let ways = values.into_iter().map(|v| {
            let step = Step::Equal(value.clone(), v);
            Body {
                guards: guard(&step).into_iter().collect(),
                steps: [step].into(),
            }
        });
        let mut shared = scope.since(mark, &[]).into_vec();
        if let Value::Slot(slot) = value {
            shared.push(slot);
        }
        Ok(either(ways.collect(), shared.into()))
    }
}

/// States that an operand is what a pattern says. What both show is compared part by part.
fn equate(operand: &Value, pattern: &Value, steps: &mut Vec<Step>) {
    match (operand, pattern) {
        (Value::Any(_), _) | (_, Value::Any(_)) => {}
        (Value::Tensor(own), Value::Tensor(parts)) => {
            own.iter()
                .zip(parts.iter())
                .for_each(|(a, b)| equate(a, b, steps));
        }
        (own, Value::List(pieces, _)) => match &**pieces {
            [Piece::Rest(all)] => equate(own, all, steps),
            _ => steps.push(Step::Equal(operand.clone(), pattern.clone())),
        },
        _ => steps.push(Step::Equal(operand.clone(), pattern.clone())),
    }
}

pub(super) fn either(ways: Vec<Body>, shared: Box<[usize]>) -> Step {
    Step::Either(one_of(ways, shared))
}

fn one_of(ways: Vec<Body>, shared: Box<[usize]>) -> Arc<Either> {
    Arc::new(Either {
        ways: ways.into(),
        shared,
        slots: Arc::default(),
    })
}

fn named(name: &Ident) -> Spanned<Term> {
    Spanned::new(Term::Name(name.clone()), name.span)
}

/// The members of a list that is written out.
fn listed(list: &Spanned<Term>) -> Option<Vec<&Spanned<Term>>> {
    let Term::List(elements) = &list.node else {
        return None;
    };
    let ones = elements.iter().map(|e| match e {
        Element::One(term) => Some(term),
        Element::Rest(_) => None,
    });
    ones.collect()
}

/// The dtypes that a class or a list of nothing but dtypes and classes denotes.
fn dtypes(list: &Spanned<Term>) -> Result<Option<DtypeSet>, Diagnostic> {
    let names: Vec<&Ident> = match &list.node {
        Term::Name(name) => vec![name],
        _ => {
            let Some(members) = listed(list) else {
                return Ok(None);
            };
            let names = members.into_iter().map(|t| match &t.node {
                Term::Name(name) => Some(name),
                _ => None,
            });
            match names.collect() {
                Some(names) => names,
                None => return Ok(None),
            }
        }
    };
    let mut all = DtypeSet::EMPTY;
    for name in names {
        match DtypeTerm::from_ident(name)? {
            DtypeTerm::Name(_) => return Ok(None),
            term => all = all.union(term.set()),
        }
    }
    Ok((all != DtypeSet::EMPTY).then_some(all))
}

/// What a look can decide of a step, if it can.
pub(crate) fn guard(step: &Step) -> Option<Guard> {
    if let Step::Equal(Value::Slot(slot), like) | Step::Equal(like, Value::Slot(slot)) = step
        && let Value::None | Value::Some(_) | Value::Dtype(_) | Value::Node(..) | Value::Tensor(_) =
            like
    {
        return Some(Guard::Like(*slot, like.clone()));
    }
    if let Step::Class(Value::Slot(slot), set) = step {
        return Some(Guard::Class(*slot, *set));
    }
    let side = |v: &Value| match v {
        Value::Slot(slot) => Some(Side::Slot(*slot)),
        Value::Int(n) => Some(Side::Int(*n)),
        Value::Number(number) => match &**number {
            Number::Length(Value::Slot(slot)) => Some(Side::Length(*slot)),
            _ => None,
        },
        _ => None,
    };
    let (left, op, right) = match step {
        Step::Equal(left, right) => (left, CmpOp::Eq, right),
        Step::Compare(left, op, right) => (left, *op, right),
        _ => return None,
    };
    Some(Guard::Compare(side(left)?, op, side(right)?))
}

/// The number that a sum of numbers is.
pub(super) fn constant(number: &Number) -> Option<Int> {
    match number {
        Number::Int(n) => Some(*n),
        Number::Sum(terms) => terms.iter().try_fold(0, |sum: Int, (sign, term)| {
            let term = constant(term)?;
            match sign {
                Sign::Plus => sum.checked_add(term),
                Sign::Minus => sum.checked_sub(term),
            }
        }),
        _ => None,
    }
}
