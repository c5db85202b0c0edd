//! A signature as clauses, one for each set of optional dims that may be there.

use super::condition::WriteConditions;
use super::variants::{Variant, variants};
use super::{
    DtypeForm, ItemForm, OperandForm, OptionalDim, RelationForm, RunLength, SignatureForm, TypeForm,
};
use crate::encode::Kind;
use crate::limits::MAX_SPELLED_OUT;
use crate::rules::compile::guard;
use crate::rules::rule::{Body, Clause, Kinded, Number, Piece, Step, Value};
use kanshape_engine::{INF, Int};
use kanshape_syntax::tree::{CmpOp, PrefixKind};
use kanshape_types::{DtypeSet, Nominal};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The clauses of a signature. `None` if its optional dims make too many.
pub(super) fn clauses(form: &SignatureForm) -> Option<Box<[Clause]>> {
    let ranks = vec![(0, INF); form.inputs.len()];
    let variants = variants(form, &ranks)?;
    let clauses = variants.iter().map(|v| Writer::new(form, v).clause());
    Some(clauses.collect())
}

impl SignatureForm {
    /// The kinds of the arguments: parameters, inputs, outputs.
    pub(super) fn kinds(&self) -> Box<[Kind]> {
        let params = self.params.iter().map(|_| Kind::Int);
        let operands = self.inputs.iter().chain(&self.outputs).map(|_| Kind::Type);
        params.chain(operands).collect()
    }
}

/// Writes one clause.
pub(super) struct Writer<'f> {
    pub form: &'f SignatureForm,
    variant: &'f Variant,
    kinds: Vec<Kind>,
    steps: Vec<Step>,
    /// The variables of names, runs, dtypes and types.
    names: Vec<usize>,
    runs: Vec<Run>,
    dtypes: Vec<usize>,
    types: Vec<usize>,
    /// The names that operands show as dims: sizes already.
    shown: Vec<bool>,
}

/// The dims that a run denotes: one variable for all of them, or one for each.
type Run = Vec<Piece>;

fn int() -> Kinded {
    Kinded::Is(Kind::Int)
}

pub(super) fn number(number: Number) -> Value {
    match number {
        Number::Int(n) => Value::Int(n),
        Number::Term(value) => value,
        number => Value::Number(Box::new(number)),
    }
}

pub(super) fn list(pieces: impl IntoIterator<Item = Piece>) -> Value {
    Value::List(pieces.into_iter().collect(), int())
}

impl<'f> Writer<'f> {
    fn new(form: &'f SignatureForm, variant: &'f Variant) -> Writer<'f> {
        let mut writer = Writer {
            form,
            variant,
            kinds: Vec::new(),
            steps: Vec::new(),
            names: Vec::new(),
            runs: Vec::new(),
            dtypes: Vec::new(),
            types: Vec::new(),
            shown: vec![false; form.names.len()],
        };
        let slots = |writer: &mut Writer<'f>, count: usize, kind: Kind| -> Vec<usize> {
            (0..count).map(|_| writer.slot(kind.clone())).collect()
        };
        writer.names = slots(&mut writer, form.names.len(), Kind::Int);
        writer.dtypes = slots(&mut writer, form.dtypes.len(), Kind::Dtype);
        writer.types = slots(&mut writer, form.types, Kind::Type);
        for r in 0..form.runs.len() {
            let run = writer.new_run(r);
            writer.runs.push(run);
        }
        writer
    }

    fn slot(&mut self, kind: Kind) -> usize {
        self.kinds.push(kind);
        self.kinds.len() - 1
    }

    /// The dims of a new run of this form.
    fn new_run(&mut self, r: usize) -> Run {
        let length = self.form.runs[r].length;
        if let RunLength::Fixed(n @ 0..=MAX_SPELLED_OUT) = length {
            return (0..n).map(|_| Piece::One(self.fresh(Kind::Int))).collect();
        }
        let run = self.fresh(Kind::Int.list());
        let length = match length {
            RunLength::Any => None,
            RunLength::Fixed(n) => Some(Value::Int(Int::from(n))),
            RunLength::Name(i) => Some(Value::Slot(self.names[i])),
        };
        if let Some(length) = length {
            let own = number(Number::Length(run.clone()));
            self.steps.push(Step::Equal(length, own));
        }
        vec![Piece::Rest(run)]
    }

    fn clause(mut self) -> Clause {
        let form = self.form;
        let mut head: Vec<Value> = Vec::new();
        head.extend(form.params.iter().map(|p| Value::Slot(self.names[p.1])));
        // What each input has of each run that broadcasts, and of the batch run.
        let mut own: Vec<Vec<Value>> = vec![Vec::new(); form.runs.len()];
        let batch = form.batch.map(|b| (b, self.fresh(Kind::Int.list())));
        let mut batches: Vec<Value> = Vec::new();
        for (i, operand) in form.inputs.iter().enumerate() {
            let front = batch.as_ref().map(|(b, run)| match b.kind {
                PrefixKind::Broadcast if form.inputs.len() > 1 => {
                    let run = self.fresh(Kind::Int.list());
                    batches.push(run.clone());
                    run
                }
                _ => run.clone(),
            });
            let bounds = self.variant.ranks.get(i).copied();
            let pattern = self.operand(operand, front, Some(&mut own), bounds);
            head.push(pattern);
        }
        for operand in &form.outputs {
            let front = batch.as_ref().map(|(_, run)| run.clone());
            let pattern = self.operand(operand, front, None, None);
            head.push(pattern);
        }
        if let Some((b, run)) = batch {
            if let Some(most) = b.max {
                self.rank(&run, CmpOp::Le, Int::from(most));
            }
            if form.inputs.is_empty() && b.kind == PrefixKind::Broadcast {
                self.steps.push(Step::Equal(run, list([])));
            } else if !batches.is_empty() {
                self.steps.push(Step::Broadcast(run, batches.into()));
            }
        }
        for (r, args) in own.into_iter().enumerate() {
            if !args.is_empty() {
                let out = list(self.runs[r].iter().cloned());
                self.steps.push(Step::Broadcast(out, args.into()));
            }
        }
        for relation in &form.relations {
            self.relation(relation);
        }
        if let Some(calls) = &form.calls {
            for (rule, args) in &calls.calls {
                let args = args.iter().map(|i| Value::Slot(self.types[*i]));
                self.steps.push(Step::Call(*rule, args.collect()));
            }
        }
        for condition in &form.conditions {
            self.condition(condition);
        }
        // A name that no operand shows is a natural number all the same. One that nothing else mentions needs no value.
        let mentioned = self.mentioned(&head);
        for (i, slot) in self.names.iter().enumerate() {
            if !self.shown[i] && mentioned.contains(slot) {
                let natural = Step::Compare(Value::Slot(*slot), CmpOp::Ge, Value::Int(0));
                self.steps.push(natural);
            }
        }
        Clause {
            slots: self.kinds.into(),
            head: head.into(),
            body: Body {
                guards: self.steps.iter().filter_map(guard).collect(),
                steps: self.steps.into(),
            },
        }
    }

    /// The variables that the head and the steps mention.
    fn mentioned(&self, head: &[Value]) -> BTreeSet<usize> {
        let mut mentioned = BTreeSet::new();
        let mut note = |slot: usize| {
            mentioned.insert(slot);
        };
        head.iter().for_each(|value| value.each_slot(&mut note));
        self.steps.iter().for_each(|step| step.each_slot(&mut note));
        mentioned
    }

    /// What an operand has to be. An input has a rank within these bounds.
    fn operand(
        &mut self,
        operand: &OperandForm,
        front: Option<Value>,
        own: Option<&mut Vec<Vec<Value>>>,
        bounds: Option<(Int, Int)>,
    ) -> Value {
        if let Some(whole) = &operand.whole {
            return self.whole(whole);
        }
        let mut pieces: Vec<Piece> = front.into_iter().map(Piece::Rest).collect();
        pieces.extend(self.pieces(&operand.items, own));
        let least = pieces.iter().filter(|p| matches!(p, Piece::One(_))).count() as Int;
        let is_exact = least == pieces.len() as Int;
        let mut shape = list(pieces);
        let bounds = bounds.filter(|(lo, hi)| *lo > least || *hi < INF);
        if let Some((lo, hi)) = bounds.filter(|_| is_exact) {
            if lo > least || hi < least {
                self.steps.push(Step::Fail);
            }
        } else if let Some((lo, hi)) = bounds {
            let whole = self.fresh(Kind::Int.list());
            self.steps.push(Step::Equal(whole.clone(), shape));
            shape = whole;
            if lo > least {
                self.rank(&shape, CmpOp::Ge, lo);
            }
            if hi < INF {
                self.rank(&shape, CmpOp::Le, hi);
            }
        }
        self.tensor(&operand.dtype, shape)
    }

    /// The list has this length.
    fn rank(&mut self, list: &Value, op: CmpOp, n: Int) {
        let length = number(Number::Length(list.clone()));
        self.steps.push(Step::Compare(length, op, Value::Int(n)));
    }

    fn tensor(&mut self, dtype: &DtypeForm, shape: Value) -> Value {
        let dtype = self.dtype(dtype);
        let contents = Value::Any(Kinded::Is(Kind::Int.list()));
        Value::Tensor(Box::new([shape, dtype, contents]))
    }

    fn pieces(&mut self, items: &[ItemForm], mut own: Option<&mut Vec<Vec<Value>>>) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(items.len());
        for item in items {
            let dim = match item {
                ItemForm::Size(n) | ItemForm::Optional(_, OptionalDim::Size(n))
                    if !self.is_dropped(item) =>
                {
                    Value::Int(Int::from(*n))
                }
                ItemForm::Name(i) | ItemForm::Optional(_, OptionalDim::Name(i))
                    if !self.is_dropped(item) =>
                {
                    self.shown[*i] = true;
                    Value::Slot(self.names[*i])
                }
                ItemForm::Expr(e) => number(self.number(e)),
                ItemForm::Hole => Value::Any(int()),
                ItemForm::OrOne(e) => {
                    let whole = self.number(e);
                    let dim = self.fresh(Kind::Int);
                    // 1 or the whole: broadcasting with the whole changes nothing.
                    let both = [Number::Term(dim.clone()), whole.clone()];
                    let value = number(Number::Broadcast(both.into()));
                    let whole = number(whole);
                    let natural = Step::Compare(whole.clone(), CmpOp::Ge, Value::Int(0));
                    self.steps.push(natural);
                    self.steps.push(Step::Equal(whole, value));
                    dim
                }
                ItemForm::Run(r) => {
                    match own.as_deref_mut() {
                        Some(own) if self.form.runs[*r].broadcast => {
                            let run = self.new_run(*r);
                            own[*r].push(list(run.iter().cloned()));
                            pieces.extend(run);
                        }
                        _ => pieces.extend(self.runs[*r].iter().cloned()),
                    }
                    continue;
                }
                _ => continue,
            };
            pieces.push(Piece::One(dim));
        }
        pieces
    }

    fn is_dropped(&self, item: &ItemForm) -> bool {
        matches!(item, ItemForm::Optional(i, _) if self.variant.dropped[*i])
    }

    /// An operand that is written as a type.
    fn whole(&mut self, form: &TypeForm) -> Value {
        match form {
            TypeForm::Any => Value::Any(Kinded::Is(Kind::Type)),
            TypeForm::Variable(i) => Value::Slot(self.types[*i]),
            TypeForm::Tensor(items, dtype) => {
                let shape = list(self.pieces(items, None));
                self.tensor(dtype, shape)
            }
            TypeForm::Node(label, parts) => {
                Value::Node(*label, parts.iter().map(|part| self.whole(part)).collect())
            }
        }
    }

    fn dtype(&mut self, form: &DtypeForm) -> Value {
        match form {
            DtypeForm::Known(dtype) => Value::Dtype(*dtype),
            DtypeForm::Among(set) if *set == DtypeSet::ANY => Value::Any(Kinded::Is(Kind::Dtype)),
            DtypeForm::Among(set) => {
                let dtype = self.fresh(Kind::Dtype);
                self.steps.push(Step::Class(dtype.clone(), *set));
                dtype
            }
            DtypeForm::Variable(i) => Value::Slot(self.dtypes[*i]),
            DtypeForm::Promote(args) => {
                Value::Promote(args.iter().map(|a| self.dtype(a)).collect())
            }
        }
    }

    /// A relation of the `forall` form.
    fn relation(&mut self, relation: &RelationForm) {
        let run = |r: &usize| list(self.runs[*r].iter().cloned());
        match relation {
            RelationForm::Broadcast(runs) => {
                if let Some((out, args)) = runs.split_last() {
                    let step = Step::Broadcast(run(out), args.iter().map(run).collect());
                    self.steps.push(step);
                }
            }
            RelationForm::Identity(runs) => {
                let pairs = runs.windows(2);
                let steps: Vec<Step> = pairs
                    .map(|pair| Step::Equal(run(&pair[0]), run(&pair[1])))
                    .collect();
                self.steps.extend(steps);
            }
        }
    }
}

impl WriteConditions for Writer<'_> {
    /// Every name of a condition has been noted where it was read.
    fn size(&mut self, name: &str) -> Value {
        match self.form.name(name) {
            Some(i) => Value::Slot(self.names[i]),
            None => Value::Any(int()),
        }
    }

    fn identity(&mut self, nominal: &Nominal) -> Number {
        let place = self.form.identities.iter().position(|own| own == nominal);
        Number::Nominal(place.unwrap_or(usize::MAX))
    }

    fn run(&mut self, name: Option<&str>) -> Vec<Piece> {
        match self.form.run(name) {
            Some(r) => self.runs[r].clone(),
            None => vec![Piece::Rest(Value::Any(Kinded::Is(Kind::Int.list())))],
        }
    }

    fn dtype_name(&mut self, name: &str) -> Option<Value> {
        let i = self.form.dtype(name)?;
        Some(Value::Slot(self.dtypes[i]))
    }

    fn is_dtype(&self, name: &str) -> Option<bool> {
        self.form.is_dtype(name)
    }

    fn fresh(&mut self, kind: Kind) -> Value {
        Value::Slot(self.slot(kind))
    }

    fn push(&mut self, step: Step) {
        self.steps.push(step);
    }
}

impl Clause {
    /// The clause `A, B :- A = A', B = B'` with this number of types on either side.
    pub fn identity(count: usize) -> Clause {
        let types = (0..count).chain(0..count).map(Value::Slot);
        Clause {
            slots: Arc::from(vec![Kind::Type; count]),
            head: types.collect(),
            body: Body::default(),
        }
    }
}
