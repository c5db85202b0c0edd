//! Answers in numbers at random: for tests that want some inputs that fit a rule, and some that just do not.
//!
//! What is open is chosen piece by piece - how many dims a run has, a size, a dtype - and the query is solved again with
//! each choice, so that what follows from it is never chosen. A choice that has no answer is taken back.

use crate::{Answer, AttrValue, Query, Verdict};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Span, Spanned};
use kanshape_types::{Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind};

/// The bounds of a sample where the query has none.
const MAX_RANK: u64 = 4;
const MAX_DIM: u64 = 5;

/// Of so many symbolic answers one is chosen.
const ALTERNATIVES: usize = 8;

/// So many times a sample is begun anew, and inputs are spoiled.
const TRIES: usize = 8;
const SPOILS: usize = 64;

/// So many choices are made for one sample at most.
const CHOICES: usize = 4096;

/// The steps for each choice.
const STEPS: u64 = 20_000;

impl Query {
    /// An answer in numbers, at random: no size, rank or dtype of it is open. Small sizes and ranks are preferred, and none
    /// is above [`Query::max_dim`] and [`Query::max_rank`] - 5 and 4 unless given - where the rule leaves a choice. `None`
    /// if none was found.
    ///
    /// ```
    /// use kanshape_infer::{Signature, Verdict};
    ///
    /// // Any source of random bits.
    /// let mut seed = 1u64;
    /// let mut random = || {
    ///     seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ///     seed >> 11
    /// };
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let sample = matmul.query().sample(&mut random)?.unwrap();
    /// assert!(sample.inputs.iter().all(|ty| ty.as_tensor().unwrap().shape.is_ground()));
    /// assert_eq!(matmul.check(&sample.inputs, &sample.outputs)?, Verdict::Always);
    ///
    /// let misfit = matmul.query().sample_misfit(&mut random)?.unwrap();
    /// assert_eq!(matmul.check(&misfit, &[])?, Verdict::Never);
    /// # Ok::<(), kanshape_diag::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::solve`].
    pub fn sample(&self, random: &mut dyn FnMut() -> u64) -> Result<Option<Answer>, Diagnostic> {
        let mut query = self.clone();
        query.ground = false;
        let max_rank = self.max_rank.unwrap_or(MAX_RANK);
        query.max_rank = Some(max_rank);
        let max_dim = query.max_dim.take().unwrap_or(MAX_DIM);
        query.budget = query.budget.min(STEPS);
        let mut sampling = Sampling {
            random,
            max_rank,
            max_dim,
        };
        query.solve()?;
        Ok((0..TRIES).find_map(|_| sampling.once(&query)))
    }

    /// Inputs that just do not fit: those of a sample with one dim, size or dtype changed, for which there is no answer.
    /// `None` if none were found, as where everything fits.
    ///
    /// # Errors
    /// As [`Query::solve`].
    pub fn sample_misfit(
        &self,
        random: &mut dyn FnMut() -> u64,
    ) -> Result<Option<Vec<Type>>, Diagnostic> {
        let mut bare = self.clone();
        (bare.ground, bare.max_dim) = (false, None);
        bare.budget = bare.budget.min(STEPS);
        for _ in 0..TRIES {
            let Some(sample) = self.sample(random)? else {
                return Ok(None);
            };
            for _ in 0..SPOILS / TRIES {
                let mut inputs = sample.inputs.clone();
                if !spoil(&mut inputs, random) {
                    continue;
                }
                let verdict = bare
                    .clone()
                    .inputs(inputs.iter().cloned())
                    .solve()?
                    .verdict();
                if verdict == Verdict::Never {
                    return Ok(Some(inputs));
                }
            }
        }
        Ok(None)
    }

    /// The answers that one comes to with each dtype of `among` for those that it leaves open: those of a ground query
    /// have sizes in numbers, and dtypes as they follow.
    ///
    /// ```
    /// use kanshape_infer::Signature;
    /// use kanshape_types::{Dtype, DtypeSet};
    ///
    /// let add: Signature = "+(),()->()".parse()?;
    /// let query = add.query().inputs(["?[2]".parse()?, "f32[]".parse()?]);
    /// let answer = query.one().unwrap();
    /// let among: DtypeSet = [Dtype::F16, Dtype::F64].into_iter().collect();
    /// let outputs: Vec<_> = query.with_dtypes(&answer, among)?.iter().map(|a| a.outputs[0].to_string()).collect();
    /// assert_eq!(outputs, ["f32[2]", "f64[2]"]);
    /// # Ok::<(), kanshape_diag::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::solve`].
    pub fn with_dtypes(&self, answer: &Answer, among: DtypeSet) -> Result<Vec<Answer>, Diagnostic> {
        let mut bare = self.clone();
        (bare.ground, bare.max_dim) = (false, None);
        let (mut found, mut open) = (Vec::new(), vec![answer.clone()]);
        while let Some(answer) = open.pop() {
            let Some(what) = open_dtype(&answer) else {
                found.push(answer);
                continue;
            };
            // The last one that is pushed is the first that is looked at.
            let each: Vec<Dtype> = (what.set() & among).into_iter().collect();
            for dtype in each.into_iter().rev() {
                let next = bare.restated(&answer, &Choice::Dtype(what.clone(), dtype));
                open.extend(next.solve()?.next());
            }
        }
        Ok(found)
    }

    /// The query of what an answer has found, and of a choice in it.
    fn restated(&self, answer: &Answer, choice: &Choice) -> Query {
        let mut query = self.clone();
        query.inputs.clone_from(&answer.inputs);
        query.outputs.clone_from(&answer.outputs);
        for (label, dim) in &answer.params {
            query = query.param(label, dim.clone());
        }
        query.conditions = answer.conditions.iter().cloned().collect();
        match choice {
            Choice::Nothing => {}
            Choice::Condition(condition) => query.conditions.push(condition.clone()),
            Choice::Operand(place, ty) => *query.operand_mut(*place) = ty.clone(),
            Choice::Param(label, size) => query = query.param(label, *size),
            Choice::Dtype(what, dtype) => match what {
                OpenDtype::At(place, _) => {
                    if let TypeKind::Tensor(tensor) = &mut query.operand_mut(*place).kind {
                        tensor.dtype = DtypeTerm::Known(*dtype);
                    }
                }
                OpenDtype::Named(name) => query
                    .conditions
                    .push(equal(name, Expr::Name(word(dtype.name())))),
            },
        }
        query
    }
}

/// What is chosen of an answer.
enum Choice {
    Nothing,
    /// What a name denotes.
    Condition(Condition),
    /// An operand, by its place, with one thing less that is open.
    Operand(usize, Type),
    Param(Name, u64),
    Dtype(OpenDtype, Dtype),
}

/// A dtype that an answer leaves open.
#[derive(Clone)]
enum OpenDtype {
    At(usize, DtypeSet),
    Named(Name),
}

impl OpenDtype {
    /// What it can be at most: what else restricts it is found out by solving.
    fn set(&self) -> DtypeSet {
        match self {
            OpenDtype::At(_, set) => *set,
            OpenDtype::Named(_) => DtypeSet::ANY,
        }
    }
}

fn open_dtype(answer: &Answer) -> Option<OpenDtype> {
    let operands = answer.inputs.iter().chain(&answer.outputs).enumerate();
    let mut tensors = operands.filter_map(|(place, ty)| Some((place, ty.as_tensor()?)));
    tensors.find_map(|(place, tensor)| match &tensor.dtype {
        DtypeTerm::Known(_) => None,
        DtypeTerm::Name(name) => Some(OpenDtype::Named(name.clone())),
        dtype => Some(OpenDtype::At(place, dtype.set())),
    })
}

fn word(text: &str) -> Spanned<Box<str>> {
    Spanned::new(text.into(), Span::default())
}

fn equal(name: &str, to: Expr) -> Condition {
    Condition::Compare(Expr::Name(word(name)), vec![(CmpOp::Eq, to)])
}

struct Sampling<'r> {
    random: &'r mut dyn FnMut() -> u64,
    max_rank: u64,
    max_dim: u64,
}

impl Sampling<'_> {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        ((self.random)() % (count.max(1) as u64)) as usize
    }

    fn shuffled<T>(&mut self, mut all: Vec<T>) -> Vec<T> {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
        all
    }

    /// One of the first answers to a query.
    fn answer(&mut self, query: &Query) -> Option<Answer> {
        let mut answers: Vec<Answer> = query.solve().ok()?.take(ALTERNATIVES).collect();
        match answers.len() {
            0 => None,
            count => Some(answers.swap_remove(self.below(count))),
        }
    }

    fn once(&mut self, query: &Query) -> Option<Answer> {
        let mut answer = self.answer(query)?;
        for _ in 0..CHOICES {
            let choices = self.choices(&answer);
            let Some(choices) = choices else {
                return Some(answer);
            };
            answer = choices
                .iter()
                .find_map(|choice| self.answer(&query.restated(&answer, choice)))?;
        }
        None
    }

    /// The choices for the first thing that is open, in the order in which they are tried. `None` if nothing is.
    fn choices(&mut self, answer: &Answer) -> Option<Vec<Choice>> {
        let operands: Vec<&Type> = answer.inputs.iter().chain(&answer.outputs).collect();
        for (place, ty) in operands.iter().enumerate() {
            match &ty.kind {
                TypeKind::Unknown | TypeKind::Var(_) => {
                    let any = Tensor::new(DtypeTerm::Hole, Shape::unknown());
                    return Some(vec![Choice::Operand(place, any.into())]);
                }
                TypeKind::Tensor(tensor) if tensor.shape.run().is_some() => {
                    return Some(self.ranks(place, tensor));
                }
                _ => {}
            }
        }
        for (place, ty) in operands.iter().enumerate() {
            if let Some(tensor) = ty.as_tensor() {
                for (axis, dim) in tensor.shape.iter().enumerate() {
                    if let Some(choices) = self.sizes(dim, &mut |size| {
                        let mut tensor = tensor.clone();
                        let dims = tensor.shape.iter().enumerate();
                        let dims = dims.map(|(i, own)| {
                            if i == axis {
                                Dim::Size(size)
                            } else {
                                own.clone()
                            }
                        });
                        tensor.shape = dims.collect();
                        Choice::Operand(place, tensor.into())
                    }) {
                        return Some(choices);
                    }
                }
            }
        }
        for (label, dim) in &answer.params {
            if let Some(choices) = self.sizes(dim, &mut |size| Choice::Param(label.clone(), size)) {
                return Some(choices);
            }
        }
        for (_, value) in &answer.attrs {
            if let AttrValue::Dim(dim) = value
                && !matches!(dim, Dim::Hole)
                && let Some(choices) = self.sizes(dim, &mut |_| Choice::Nothing)
            {
                return Some(choices);
            }
        }
        let open = open_dtype(answer)?;
        let dtypes = self.shuffled(open.set().into_iter().collect());
        Some(
            dtypes
                .into_iter()
                .map(|dtype| Choice::Dtype(open.clone(), dtype))
                .collect(),
        )
    }

    /// How many dims a run has.
    fn ranks(&mut self, place: usize, tensor: &Tensor) -> Vec<Choice> {
        let Some(run) = tensor.shape.run() else {
            return Vec::new();
        };
        let own = tensor.shape.dims().len() as u64;
        let lengths = (0..=self.max_rank.saturating_sub(own)).collect();
        let lengths = self.shuffled(lengths);
        let choice = |length: u64| match &run.name {
            Some(name) => {
                let dims = (0..length).map(|_| Spanned::new(DimItem::Hole, Span::default()));
                let list = Expr::List(dims.collect());
                Choice::Condition(Condition::Compare(
                    Expr::Run(Some(word(name))),
                    vec![(CmpOp::Eq, list)],
                ))
            }
            None => {
                let mut tensor = tensor.clone();
                let holes = (0..length).map(|_| Dim::Hole);
                let before = tensor.shape.before().iter().cloned();
                let dims = before
                    .chain(holes)
                    .chain(tensor.shape.after().iter().cloned());
                tensor.shape = dims.collect();
                Choice::Operand(place, tensor.into())
            }
        };
        lengths.into_iter().map(choice).collect()
    }

    /// The sizes of a dim, or of the first name in it. `None` if it is a number.
    fn sizes(&mut self, dim: &Dim, at: &mut dyn FnMut(u64) -> Choice) -> Option<Vec<Choice>> {
        let mut name: Option<Name> = None;
        dim.for_each_name(&mut |own| {
            name.get_or_insert_with(|| own.into());
        });
        if name.is_none() && *dim != Dim::Hole {
            return None;
        }
        // No dims of size 0 unless nothing else is left: they hide what is wrong.
        let mut sizes = self.shuffled((1..=self.max_dim).collect());
        sizes.push(0);
        // What a rule requires may be above the bound.
        sizes.extend(self.max_dim + 1..=4 * self.max_dim + 16);
        let choices = sizes.into_iter().map(|size| match &name {
            Some(name) => Choice::Condition(equal(name, Expr::Int(size))),
            None => at(size),
        });
        Some(choices.collect())
    }
}

/// Changes one dim, size or dtype of one of the types. `false` if there is nothing to change in it.
fn spoil(inputs: &mut [Type], random: &mut dyn FnMut() -> u64) -> bool {
    let mut below = |count: usize| (random() % (count.max(1) as u64)) as usize;
    let place = below(inputs.len());
    let Some(Type {
        kind: TypeKind::Tensor(tensor),
        ..
    }) = inputs.get_mut(place)
    else {
        return false;
    };
    tensor.contents = None;
    let mut dims: Vec<Dim> = tensor.shape.iter().cloned().collect();
    match below(4) {
        0 | 1 if !dims.is_empty() => {
            let axis = below(dims.len());
            let size = dims[axis].size().unwrap_or(0);
            dims[axis] = Dim::Size(if size > 1 && below(2) == 0 {
                size - 1
            } else {
                size + 1
            });
        }
        2 if !dims.is_empty() => {
            dims.remove(below(dims.len()));
        }
        3 => {
            let all: Vec<Dtype> = DtypeSet::ANY.into_iter().collect();
            tensor.dtype = all[below(all.len())].into();
        }
        _ => dims.insert(below(dims.len() + 1), Dim::Size(2)),
    }
    tensor.shape = dims.into_iter().collect();
    true
}
