//! [`Symbolic`]: both sides in a graph, with a name for every size, for each choice of ranks.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kanshape::graph::{CallId, Graph, ValueId};
use kanshape::{
    Condition as Stated, Content, Contents, Diagnostic, Dim, Dtype, DtypeTerm, Name, Relations,
    Shape, Tensor, Type, Verdict, control::is_over, order,
};

use crate::condition::Condition;
use crate::ground::{OnLeaves, calls, condition_calls};
use crate::program::{Program, Slot};

mod both;

/// The longest operand whose contents are tried.
pub(crate) const LONGEST: usize = 2;
/// The most leaves and steps of the left side that are put into graphs, for all choices of ranks together: it is what they take
/// in time and memory.
const MOST_ADDED: usize = 40_000;

/// A step that still takes as many leaves is tried before their ranks are chosen.
const MANY_LEAVES: usize = 3;

/// Beyond the bound, all ranks are tried for up to `FEW_LEAVES` leaves, and three for `LEAVES_BEYOND`.
const FEW_LEAVES: usize = 2;
const LEAVES_BEYOND: usize = 3;

/// The most conditions that are shown to follow from others, for all choices of ranks together.
const MOST_IMPLIED: usize = 100;

/// A choice of ranks for which the left side may have a type.
pub(crate) struct Ranks {
    /// The types of the leaves, with what the left side says of them.
    pub(crate) leaves: Vec<Type>,
    /// The leaves that were given contents. The graph takes these for sizes, though a member may be negative, or a 0 that copies a dim.
    pub(crate) with_contents: Vec<bool>,
    /// Nothing is added by the right side, and the types of both sides are the same.
    pub(crate) is_sound: bool,
    /// The graph of the left side.
    pub(crate) graph: Graph,
    pub(crate) values: Vec<ValueId>,
    left: Vec<ValueId>,
    /// The leaves in the order in which the steps of the left side take them.
    order: Rc<[usize]>,
    /// Where its values are in the graph.
    slots: Slots,
    /// The first dtypes that the left side allows, once they are found.
    pub(crate) dtypes: Rc<OnceCell<Result<Vec<Dtype>, NoDtypes>>>,
    /// The graph of both sides, with the outputs of the right one; none if the right side can't be.
    both: Option<(Graph, Vec<ValueId>)>,
}

impl Ranks {
    /// The same choice by the left side alone.
    fn of_left(&self) -> Ranks {
        Ranks {
            leaves: self.leaves.clone(),
            with_contents: self.with_contents.clone(),
            is_sound: false,
            graph: self.graph.clone(),
            values: self.values.clone(),
            left: self.left.clone(),
            order: Rc::clone(&self.order),
            slots: self.slots.clone(),
            dtypes: Rc::clone(&self.dtypes),
            both: None,
        }
    }

    /// How many dims each leaf has, in the order in which the left side takes them.
    pub(crate) fn dims(&self) -> Vec<usize> {
        let leaves = self.order.iter().map(|leaf| &self.leaves[*leaf]);
        leaves.map(dims_of).collect()
    }

    /// Are the contents of an output of the left side known?
    fn knows_contents(&self, root: usize) -> bool {
        let ty = self.graph.clone().ty(self.left[root]);
        ty.contents().is_some()
    }

    /// Does a dtype take part in what the right side adds? Yes as well if it can't be.
    pub(crate) fn is_about_dtypes(&self) -> bool {
        let Some((mut both, right)) = self.both.clone() else {
            return true;
        };
        let before = read(&mut self.graph.clone(), &self.values, &self.left, &[]);
        let after = read(&mut both, &self.values, &self.left, &right);
        let dtypes = |types: &[Type]| {
            let dtype = |ty: &Type| ty.as_tensor().map(|t| t.dtype.clone());
            types.iter().map(dtype).collect::<Vec<_>>()
        };
        let about = |conditions: &Option<WrittenConditions>| {
            let all = conditions.iter().flatten();
            let all = all.filter(|(_, condition)| speaks_of_dtypes(condition));
            all.map(|(text, _)| text.clone()).collect::<Vec<_>>()
        };
        // Where there are alternatives, what has to hold can't be written.
        let allowed = |graph: &Graph| -> Vec<_> {
            let values = self.values.iter();
            values.map(|value| graph.dtypes(*value)).collect()
        };
        allowed(&self.graph) != allowed(&both)
            || dtypes(&before.leaves) != dtypes(&after.leaves)
            || dtypes(&after.left) != dtypes(&after.right)
            || about(&before.conditions) != about(&after.conditions)
    }

    /// May the leaves have these dtypes, for all that the left side says?
    pub(crate) fn allow(&self, dtypes: &[Dtype]) -> bool {
        let all = || self.values.iter().zip(dtypes);
        // Mostly a look is enough.
        if !all().all(|(value, dtype)| self.graph.dtypes(*value).contains(*dtype)) {
            return false;
        }
        let mut graph = self.graph.clone();
        all().all(|(value, dtype)| {
            let ty = Type::from(Tensor::new(*dtype, Shape::unknown()));
            graph.assume(*value, &ty).is_ok()
        })
    }
}

/// The name of the dtype of a leaf begins with this.
const DTYPE: &str = "dtype_";

/// Does a condition speak of the dtype of a leaf?
fn speaks_of_dtypes(condition: &Stated) -> bool {
    let mut speaks = false;
    condition.for_each_name(&mut |name| speaks |= name.starts_with(DTYPE));
    speaks
}

/// No dtypes were found for the leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoDtypes {
    /// There are none.
    Never,
    /// There may be some.
    Open,
}

/// A program in a graph, and what has been found of its left side there: once for all searches of a rule.
pub(crate) struct StagedProgram {
    /// With the constants.
    graph: Graph,
    slots: Slots,
    calls: Vec<CallId>,
    /// The calls that state the condition, with their leaves.
    condition: Vec<OnLeaves>,
    /// What is done in which order: a leaf when it is first taken.
    actions: Vec<Action>,
    order: Rc<[usize]>,
    /// The choices of ranks, by the most dims with which leaves are tried and the most that one has.
    found: RefCell<BTreeMap<(usize, usize), FoundRanks>>,
}

/// All choices of ranks for which the left side may have a type, with the same most dims.
#[derive(Clone)]
struct FoundRanks {
    all: Vec<Rc<Ranks>>,
    /// The leaves and steps that were put into graphs for them.
    added: usize,
}

impl StagedProgram {
    pub(crate) fn new(
        program: &Program,
        condition: Option<&Condition>,
        relations: &Relations,
    ) -> Result<StagedProgram, Diagnostic> {
        let mut graph = Graph::new(relations).without_reasons();
        let calls = calls(&mut graph, program)?;
        let condition = condition.map(|own| condition_calls(&mut graph, own));
        let condition = condition.transpose()?.unwrap_or_default();
        let actions = actions(program, !condition.is_empty());
        let leaves = actions.iter().filter_map(|action| match action {
            Action::Leaf(leaf) => Some(*leaf),
            _ => None,
        });
        let mut slots: Slots = vec![None; program.slots];
        for (slot, ty) in &program.constants {
            slots[*slot] = graph.value(ty).ok();
        }
        Ok(StagedProgram {
            order: leaves.collect(),
            actions,
            graph,
            slots,
            calls,
            condition,
            found: RefCell::default(),
        })
    }
}

pub(crate) struct Symbolic<'p> {
    program: &'p Program,
    stage: Rc<StagedProgram>,
    max_rank: usize,
    /// The ranks with which leaves are tried, if not all up to the bound are.
    tried: Box<[usize]>,
    /// The leaves whose contents shape the left side.
    contents: Arc<[bool]>,
    /// How many conditions may still be shown to follow from others.
    implied: Cell<usize>,
    /// The leaves and steps that have been put into graphs.
    added: usize,
    /// Not all choices of ranks have been checked.
    pub(crate) is_cut_off: bool,
}

/// What is done next to build the left side.
#[derive(Clone, Copy)]
enum Action {
    Leaf(usize),
    Step(usize),
    Condition,
}

/// How many dims a tensor has; 0 if that is open.
pub(crate) fn dims_of(ty: &Type) -> usize {
    ty.as_tensor().and_then(|t| t.shape.rank()).unwrap_or(0)
}

type Slots = Vec<Option<ValueId>>;

/// The leaves and steps of the left side, and the condition.
fn actions(program: &Program, has_condition: bool) -> Vec<Action> {
    let count = program.leaves.len();
    let mut seen = vec![false; count];
    let mut actions = Vec::new();
    for step in &program.left.steps {
        let inputs = program.steps[*step].inputs.iter().flatten();
        for slot in inputs.filter(|slot| **slot < count) {
            if !std::mem::replace(&mut seen[*slot], true) {
                actions.push(Action::Leaf(*slot));
            }
        }
        actions.push(Action::Step(*step));
    }
    let rest = (0..count).filter(|leaf| !seen[*leaf]);
    actions.extend(rest.map(Action::Leaf));
    if has_condition {
        actions.push(Action::Condition);
    }
    actions
}

impl<'p> Symbolic<'p> {
    pub(crate) fn new(
        program: &'p Program,
        condition: Option<&Condition>,
        relations: &Relations,
        max_rank: usize,
    ) -> Result<Symbolic<'p>, Diagnostic> {
        let stage = Rc::new(StagedProgram::new(program, condition, relations)?);
        Ok(Symbolic::on_stage(program, stage, max_rank))
    }

    /// The same of a program that is in a graph.
    pub(crate) fn on_stage(
        program: &'p Program,
        stage: Rc<StagedProgram>,
        max_rank: usize,
    ) -> Symbolic<'p> {
        let mut this = Symbolic {
            program,
            stage,
            max_rank,
            tried: Box::default(),
            contents: Arc::default(),
            implied: Cell::new(MOST_IMPLIED),
            added: 0,
            is_cut_off: false,
        };
        let contents = program.with_contents.get_or_init(|| this.with_contents());
        this.contents = Arc::clone(contents);
        this
    }

    /// The leaves whose contents may shape the left side: integers of which there is a list at most.
    fn with_contents(&self) -> Arc<[bool]> {
        let count = self.program.leaves.len();
        let types = (0..count).map(|leaf| self.open(leaf, 0)).collect();
        let Some((graph, slots)) = self.left_of(types) else {
            return vec![false; count].into();
        };
        let is_int = |ty: &Type| {
            let tensor = ty.as_tensor();
            let dtype = tensor.and_then(|t| t.dtype.known());
            matches!(dtype, Some(Dtype::I64 | Dtype::I32))
        };
        let mut typed = graph.clone();
        let values = slots[..count].iter().flatten().copied();
        let (ints, others): (Vec<ValueId>, Vec<ValueId>) =
            values.partition(|value| is_int(&typed.ty(*value)));
        let of = |dtype| Type::from(Tensor::new(dtype, Shape::unknown()));
        let (float, int) = (of(Dtype::F32), of(Dtype::I64));
        // Usually all of them may be floats at once, and none has to be checked alone.
        let may_float = graph.admits_all(others.iter().map(|value| (*value, &float)));
        let must_be_int =
            |value| !may_float && !graph.admits(value, &float) && graph.admits(value, &int);
        let is = |leaf: usize| {
            slots[leaf].is_some_and(|value| ints.contains(&value) || must_be_int(value))
                && !self.admits(leaf, 2)
        };
        (0..count).map(is).collect()
    }

    /// May the leaf have as many dims or more, whatever the others are?
    fn admits(&self, leaf: usize, rank: usize) -> bool {
        let own = self.program.leaves[leaf].dims.as_ref();
        if own.is_some_and(|dims| dims.len() < rank) {
            return false;
        }
        let count = self.program.leaves.len();
        let types = (0..count).map(|i| self.open(i, if i == leaf { rank } else { 0 }));
        self.left_of(types.collect()).is_some()
    }

    /// The contents of some leaf are tried, up to [`LONGEST`], though it may have more members.
    pub(crate) fn tries_contents(&self) -> bool {
        let leaves = self.program.leaves.iter().zip(&*self.contents);
        let mut tried = leaves.filter(|(_, is)| **is).map(|(leaf, _)| leaf);
        tried.any(|leaf| !leaf.is_concrete())
    }

    /// May the left side have a type, and the condition hold, for some ranks?
    pub(crate) fn may_be_typed(&self) -> bool {
        let count = self.program.leaves.len();
        let types = (0..count).map(|i| self.open(i, self.program.leaves[i].least));
        self.left_of(types.collect()).is_some()
    }

    /// No leaf can have more dims than are checked.
    pub(crate) fn ranks_are_bounded(&self) -> bool {
        let mut leaves = self.program.leaves.iter().enumerate();
        leaves.all(|(i, leaf)| leaf.dims.is_some() || !self.admits(i, self.max_rank + 1))
    }

    /// Do both sides agree where the leaves have any rank? The contents of an output may be known for each of `some` choices of
    /// ranks and not where ranks are open: then they are not compared there, and it is not shown.
    pub(crate) fn holds_for_all_ranks(&self, some: &[&Ranks]) -> bool {
        let count = self.program.leaves.len();
        let types = (0..count).map(|i| self.open(i, self.program.leaves[i].least));
        let Some((graph, slots)) = self.left_of(types.collect()) else {
            return false;
        };
        let Some(open) = self
            .ranks(graph, slots)
            .map(|ranks| self.judged(ranks))
            .filter(|ranks| ranks.is_sound)
        else {
            return false;
        };
        let roots = self.program.left.roots.iter();
        let mut roots = roots.zip(&self.program.right.roots).enumerate();
        roots.all(|(i, (left, right))| {
            left == right
                || open.knows_contents(i)
                || !some.iter().any(|ranks| ranks.knows_contents(i))
        })
    }

    /// A leaf with this many dims at least.
    fn open(&self, leaf: usize, least: usize) -> Type {
        let own = &self.program.leaves[leaf];
        if let Some(dims) = &own.dims {
            return self.ty(leaf, &self.dims(leaf, dims), None);
        }
        let dims = vec![None; least];
        let shape = Shape::known(self.dims(leaf, &dims));
        let run = Name::word(format!("run_{}", own.name));
        Tensor::new(self.dtype(leaf), shape.with_run(least, Some(run))).into()
    }

    fn dims(&self, leaf: usize, dims: &[Option<u64>]) -> Vec<Dim> {
        let name = &self.program.leaves[leaf].name;
        let dims = dims.iter().enumerate().map(|(i, size)| match size {
            Some(size) => Dim::Size(*size),
            None => Dim::Name(Name::word(format!("{name}_{i}"))),
        });
        dims.collect()
    }

    fn dtype(&self, leaf: usize) -> DtypeTerm {
        let own = &self.program.leaves[leaf];
        match own.dtype {
            Some(dtype) => DtypeTerm::Known(dtype),
            None => DtypeTerm::Name(Name::word(format!("{DTYPE}{}", own.name))),
        }
    }

    fn ty(&self, leaf: usize, dims: &[Dim], contents: Option<Contents>) -> Type {
        let shape = Shape::known(dims.iter().cloned());
        Tensor::new(self.dtype(leaf), shape)
            .with_contents(contents)
            .into()
    }

    /// The types that a leaf is tried with, with the fewest dims first.
    fn choices(&self, leaf: usize) -> Vec<Type> {
        let own = &self.program.leaves[leaf];
        if self.contents[leaf] {
            let name = &own.name;
            let members = |n: usize| {
                let names = (0..n).map(|i| Content::Name(Name::word(format!("{name}_v{i}"))));
                Contents::new(names)
            };
            let fits = |dims: &[u64]| {
                own.dims.as_ref().is_none_or(|known| {
                    known.len() == dims.len()
                        && known
                            .iter()
                            .zip(dims)
                            .all(|(k, d)| k.is_none_or(|k| k == *d))
                })
            };
            let mut all = Vec::new();
            if fits(&[]) {
                all.push(self.ty(leaf, &[], members(1)));
            }
            for n in 0..=LONGEST {
                if fits(&[n as u64]) {
                    all.push(self.ty(leaf, &[Dim::Size(n as u64)], members(n)));
                }
            }
            return all;
        }
        match &own.dims {
            Some(dims) => vec![self.ty(leaf, &self.dims(leaf, dims), None)],
            None => (own.least..=self.max_rank.max(own.least))
                .filter(|rank| self.tried.is_empty() || self.tried.contains(rank))
                .map(|rank| self.ty(leaf, &self.dims(leaf, &vec![None; rank]), None))
                .collect(),
        }
    }

    fn start(&self) -> (Graph, Slots) {
        (self.stage.graph.clone(), self.stage.slots.clone())
    }

    /// Does an action; false if nothing can be like this.
    fn act(&self, action: Action, ty: Option<&Type>, graph: &mut Graph, slots: &mut Slots) -> bool {
        match action {
            Action::Leaf(leaf) => {
                let value = ty.and_then(|ty| graph.value(ty).ok());
                slots[leaf] = value;
                value.is_some()
            }
            Action::Step(step) => self.step(step, graph, slots),
            Action::Condition => {
                for (call, leaves) in &self.stage.condition {
                    let leaves = leaves.iter().map(|leaf| slots[*leaf]);
                    if let Some(leaves) = leaves.collect::<Option<Vec<_>>>() {
                        graph.add(*call, &leaves);
                    }
                }
                graph.problems().len() == 0
            }
        }
    }

    fn step(&self, step: usize, graph: &mut Graph, slots: &mut Slots) -> bool {
        let own = &self.program.steps[step];
        let inputs = own.inputs.iter().flatten().map(|slot| slots[*slot]);
        let Some(inputs) = inputs.collect::<Option<Vec<ValueId>>>() else {
            return false;
        };
        let (_, outputs) = graph.add(self.stage.calls[step], &inputs);
        for (i, value) in outputs.iter().enumerate() {
            slots[own.first + i] = Some(value);
        }
        graph.problems().len() == 0
    }

    /// The graph of the left side and the condition, on leaves of these types.
    fn left_of(&self, types: Vec<Type>) -> Option<(Graph, Slots)> {
        let (mut graph, mut slots) = self.start();
        for action in &self.stage.actions {
            let ty = match *action {
                Action::Leaf(leaf) => types.get(leaf),
                _ => None,
            };
            if !self.act(*action, ty, &mut graph, &mut slots) {
                return None;
            }
        }
        Some((graph, slots))
    }

    /// The choices of ranks for which the left side may have a type, and in which the leaf with the most dims has this many.
    pub(crate) fn of_rank(&mut self, rank: usize) -> Vec<Rc<Ranks>> {
        let mut judged = Vec::new();
        for own in self.of_left_and_rank(rank) {
            if is_over() {
                self.is_cut_off = true;
                break;
            }
            judged.push(Rc::new(self.judged(own.of_left())));
        }
        judged
    }

    /// The same where the right side plays no part: of none it is found out whether it is sound.
    pub(crate) fn of_left_and_rank(&mut self, rank: usize) -> Vec<Rc<Ranks>> {
        let key = (self.max_rank, rank);
        let known = self.stage.found.borrow().get(&key).cloned();
        if let Some(known) = known
            && self.tried.is_empty()
            && self.added + known.added <= MOST_ADDED
        {
            self.added += known.added;
            return known.all;
        }
        let before = (self.added, std::mem::take(&mut self.is_cut_off));
        let found = self.each(rank);
        if self.tried.is_empty() && !self.is_cut_off {
            let own = FoundRanks {
                all: found.clone(),
                added: self.added - before.0,
            };
            self.stage.found.borrow_mut().insert(key, own);
        }
        self.is_cut_off |= before.1;
        found
    }

    /// The same of a rule that is known to be sound.
    pub(crate) fn sound_of_rank(&mut self, rank: usize) -> Vec<Rc<Ranks>> {
        let all = self.of_left_and_rank(rank);
        let sound = all.iter().map(|own| Ranks {
            is_sound: true,
            ..own.of_left()
        });
        sound.map(Rc::new).collect()
    }

    /// Choices beyond the bound: some leaf has more dims than are checked, up to this number. Of several leaves these have as many, as
    /// many as are checked, or one.
    pub(crate) fn beyond(&mut self, reach: usize) -> Vec<Rc<Ranks>> {
        let bound = self.max_rank;
        let mut found = Vec::new();
        for rank in bound + 1..=reach {
            let few: &[usize] = match self.program.leaves.len() {
                0..=FEW_LEAVES => &[],
                LEAVES_BEYOND => &[rank, bound, 1],
                _ => &[rank, 1],
            };
            self.max_rank = rank;
            self.tried = few.into();
            found.extend(self.of_left_and_rank(rank));
        }
        self.tried = Box::default();
        self.max_rank = bound;
        found
    }

    /// The most dims with which a leaf is tried.
    pub(crate) fn largest_rank(&self) -> usize {
        let leaves = (0..self.program.leaves.len()).map(|leaf| self.choices(leaf));
        let most = leaves.flat_map(|choices| choices.iter().map(dims_of).max());
        most.max().unwrap_or(0)
    }

    fn each(&mut self, rank: usize) -> Vec<Rc<Ranks>> {
        let count = self.program.leaves.len();
        let choices: Vec<Vec<Type>> = (0..count).map(|leaf| self.choices(leaf)).collect();
        let actions = &self.stage.actions;
        // The last leaf that may have as many dims: it has them where no other one has.
        let has_rank = |action: &Action| match *action {
            Action::Leaf(leaf) => choices[leaf].iter().any(|ty| dims_of(ty) == rank),
            _ => false,
        };
        let last = match actions.iter().rposition(has_rank) {
            Some(last) => last,
            // Without leaves there is one choice.
            None if count == 0 && rank == 0 => 0,
            None => return Vec::new(),
        };
        let (graph, slots) = self.start();
        let mut found = Vec::new();
        let (mut added, mut is_cut_off) = (self.added, false);
        // The choices still to be checked; the next one is the last.
        let mut open = vec![(0, graph, slots, false)];
        while let Some((mut at, mut graph, mut slots, has_it)) = open.pop() {
            let mut can_be = true;
            while can_be && let Some(action) = actions.get(at) {
                if let Action::Leaf(leaf) = *action {
                    let fits = |ty: &&Type| match dims_of(ty) {
                        dims if dims == rank => true,
                        dims => dims < rank && (has_it || at < last),
                    };
                    for ty in choices[leaf].iter().rev().filter(fits) {
                        let (mut graph, mut slots) = (graph.clone(), slots.clone());
                        if self.act(*action, Some(ty), &mut graph, &mut slots)
                            && self.may_go_on(at + 1, &graph, &slots, &mut added)
                        {
                            let has_it = has_it || dims_of(ty) == rank;
                            open.push((at + 1, graph, slots, has_it));
                        }
                    }
                    can_be = false;
                } else {
                    can_be = self.act(*action, None, &mut graph, &mut slots);
                    at += 1;
                }
            }
            added += actions.len();
            if added > MOST_ADDED || is_over() {
                is_cut_off = true;
                break;
            }
            if can_be {
                found.extend(self.ranks(graph, slots).map(Rc::new));
            }
        }
        self.added = added;
        self.is_cut_off |= is_cut_off;
        found
    }

    /// Can the next step be typed for some ranks of the other leaves that it takes? This is checked only where there are many of them:
    /// then few choices of ranks fit together, as in a `Concat`.
    fn may_go_on(&self, at: usize, graph: &Graph, slots: &Slots, added: &mut usize) -> bool {
        let next = self.stage.actions[at..].iter();
        let leaves = next.map_while(|action| match *action {
            Action::Leaf(leaf) => Some(leaf),
            _ => None,
        });
        let leaves: Vec<usize> = leaves.collect();
        let Some(Action::Step(step)) = self.stage.actions.get(at + leaves.len()) else {
            return true;
        };
        if leaves.len() < MANY_LEAVES {
            return true;
        }
        *added += leaves.len();
        let (mut graph, mut slots) = (graph.clone(), slots.clone());
        let open = |leaf: usize| self.open(leaf, self.program.leaves[leaf].least);
        let mut all = leaves.into_iter();
        all.all(|leaf| {
            self.act(
                Action::Leaf(leaf),
                Some(&open(leaf)),
                &mut graph,
                &mut slots,
            )
        }) && self.step(*step, &mut graph, &mut slots)
    }

    fn values_of(roots: &[Slot], slots: &Slots) -> Option<Vec<ValueId>> {
        roots.iter().map(|slot| slots[*slot]).collect()
    }

    /// A choice of ranks, by the graph of its left side.
    fn ranks(&self, mut graph: Graph, slots: Slots) -> Option<Ranks> {
        let leaves = slots[..self.program.leaves.len()].iter().copied();
        let values: Vec<ValueId> = leaves.collect::<Option<_>>()?;
        let left = Symbolic::values_of(&self.program.left.roots, &slots)?;
        let leaves = types(&mut graph, &values);
        let has_members = |ty: &Type| ty.contents().is_some_and(|contents| !contents.is_empty());
        let with_contents = self.contents.iter().zip(&leaves);
        let with_contents: Vec<bool> = with_contents
            .map(|(is, ty)| *is && has_members(ty))
            .collect();
        Some(Ranks {
            leaves,
            with_contents,
            is_sound: false,
            graph,
            values,
            left,
            order: Rc::clone(&self.stage.order),
            slots,
            dtypes: Rc::default(),
            both: None,
        })
    }

    /// The same, and what the right side adds to it.
    fn judged(&self, mut ranks: Ranks) -> Ranks {
        let mut both = ranks.graph.clone();
        let mut slots = ranks.slots.clone();
        let mut steps = self.program.right.steps.iter();
        if steps.all(|step| self.step(*step, &mut both, &mut slots)) {
            let right = Symbolic::values_of(&self.program.right.roots, &slots);
            ranks.both = right.map(|right| (both, right));
        }
        // With contents it is decided by numbers.
        let mut implied = self.implied.get();
        ranks.is_sound = !ranks.with_contents.contains(&true)
            && self.copies_no_zero(&ranks, &slots)
            && ranks.nothing_is_added(&mut implied);
        self.implied.set(implied);
        if ranks.is_sound {
            // All that it requires is known.
            ranks.both = None;
        }
        ranks
    }
}

impl Ranks {
    /// Are the types of both sides the same, and does nothing have to hold beside what the left side says?
    ///
    /// `implied` is how many conditions may still be shown to follow from others.
    fn nothing_is_added(&mut self, implied: &mut usize) -> bool {
        let Some((both, right)) = &mut self.both else {
            return false;
        };
        // Mostly nothing is stated that was not before, and the types are the same.
        let mut values = self.graph.each_value();
        if !both.asks_beyond(&self.graph) && values.all(|value| self.graph.is_typed(value)) {
            let mut roots = self.left.iter().zip(&*right);
            if roots.all(|(a, b)| both.is_known_same(*a, *b)) {
                return true;
            }
        }
        // Types are read fast. Mostly they decide.
        let before = types(&mut self.graph, &self.left);
        let leaves = types(both, &self.values);
        let after = types(both, &self.left);
        let others = types(both, right);
        let same = |((one, other), (a, b)): ((&Type, &Type), (&ValueId, &ValueId))| {
            a == b || agree(one, other)
        };
        if leaves != self.leaves
            || before != after
            || !after
                .iter()
                .zip(&others)
                .zip(self.left.iter().zip(&*right))
                .all(same)
        {
            return false;
        }
        let before = read(&mut self.graph, &self.values, &self.left, &[]);
        let after = read(both, &self.values, &self.left, right);
        let (Some(known), Some(needed)) = (before.conditions, after.conditions) else {
            return false;
        };
        let new = needed.iter().filter(|(text, _)| !known.contains_key(*text));
        let new: Vec<Stated> = new.map(|(_, condition)| condition.clone()).collect();
        if new.is_empty() {
            return true;
        }
        // What is added may follow from what was there.
        let Some(left) = implied.checked_sub(new.len()) else {
            return false;
        };
        *implied = left;
        let known: Vec<Stated> = known.into_values().collect();
        both.read().follow(&known, &new)
    }
}

/// What is written of a graph.
struct WrittenGraph {
    leaves: Vec<Type>,
    left: Vec<Type>,
    right: Vec<Type>,
    /// None if not all that has to hold can be written.
    conditions: Option<WrittenConditions>,
}

/// What has to hold, by how it is written.
type WrittenConditions = BTreeMap<String, Stated>;

fn types(graph: &mut Graph, values: &[ValueId]) -> Vec<Type> {
    let mut reading = graph.read();
    values.iter().map(|value| reading.ty(*value)).collect()
}

fn read(
    graph: &mut Graph,
    leaves: &[ValueId],
    left: &[ValueId],
    right: &[ValueId],
) -> WrittenGraph {
    let mut reading = graph.read();
    let mut types = |values: &[ValueId]| values.iter().map(|v| reading.ty(*v)).collect();
    let (leaves, left, right) = (types(leaves), types(left), types(right));
    let conditions = reading.unreduced().map(|all| {
        let texts = all.into_iter().map(|one| (one.to_string(), one));
        texts.collect()
    });
    WrittenGraph {
        leaves,
        left,
        right,
        conditions,
    }
}

/// What a rule comes to on leaves of some types.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RuleUse {
    /// Its goals hold, and its right side has these types.
    Always(Vec<Type>),
    /// It holds under these conditions.
    Depends(Vec<String>),
    /// It can't be used.
    Never(String),
    /// That could not be found out.
    Unknown(String),
}

impl Symbolic<'_> {
    /// The types of all values where the leaves have any rank; none if that can't be.
    pub(crate) fn values(&self) -> Option<Vec<Option<Type>>> {
        let count = self.program.leaves.len();
        let types = (0..count).map(|i| self.open(i, self.program.leaves[i].least));
        let (mut graph, mut slots) = self.left_of(types.collect())?;
        let right = &self.program.right.steps;
        let can_be = right
            .iter()
            .all(|step| self.step(*step, &mut graph, &mut slots));
        let mut reading = graph.read();
        let types = slots.iter().map(|slot| Some(reading.ty((*slot)?)));
        can_be.then(|| types.collect())
    }

    /// The types of all values where the leaves have these types; none if that can't be.
    #[cfg(feature = "onnx")]
    pub(crate) fn typed(&self, leaves: Vec<Type>) -> Option<Vec<Type>> {
        let (mut graph, mut slots) = self.left_of(leaves)?;
        let right = &self.program.right.steps;
        let can_be = right
            .iter()
            .all(|step| self.step(*step, &mut graph, &mut slots));
        let mut reading = graph.read();
        let types = slots.iter().map(|slot| Some(reading.ty((*slot)?)));
        types.collect::<Option<_>>().filter(|_| can_be)
    }

    /// What the rule comes to on leaves of these types, whose names are those of a program.
    pub(crate) fn on(&self, types: &[Type]) -> RuleUse {
        let (mut graph, mut slots) = self.start();
        for (leaf, ty) in types.iter().enumerate() {
            slots[leaf] = graph.value(ty).ok();
        }
        let steps = &self.program.left.steps;
        let is_typed = |slots: &Slots| slots[..types.len()].iter().all(Option::is_some);
        if !is_typed(&slots)
            || !steps
                .iter()
                .all(|step| self.step(*step, &mut graph, &mut slots))
        {
            return RuleUse::Never("the left side has no type here".into());
        }
        let of = |roots: &[Slot], slots: &Slots| {
            let roots = roots.iter().map(|slot| slots[*slot]);
            roots.collect::<Option<Vec<ValueId>>>()
        };
        let leaves: Vec<ValueId> = slots[..types.len()].iter().copied().flatten().collect();
        let Some(left) = of(&self.program.left.roots, &slots) else {
            return RuleUse::Unknown("the left side has no type".into());
        };
        let mut both = graph.clone();
        if !self.act(Action::Condition, None, &mut both, &mut slots) {
            return RuleUse::Never("its precondition does not hold here".into());
        }
        let steps = &self.program.right.steps;
        if !steps
            .iter()
            .all(|step| self.step(*step, &mut both, &mut slots))
        {
            return RuleUse::Never("the right side has no type here".into());
        }
        let Some(right) = of(&self.program.right.roots, &slots) else {
            return RuleUse::Unknown("the right side has no type".into());
        };
        let before = read(&mut graph, &leaves, &left, &[]);
        let after = read(&mut both, &leaves, &left, &right);
        let same = before.left.iter().zip(&after.right);
        let is_wrong = same.clone().any(|(old, new)| differs(old, new));
        if is_wrong {
            return RuleUse::Never("the right side is of another type here".into());
        }
        let (Some(known), Some(needed)) = (&before.conditions, &after.conditions) else {
            return RuleUse::Unknown("what has to hold can't be written".into());
        };
        let new = needed.keys().filter(|text| !known.contains_key(*text));
        let mut needs: Vec<String> = new.cloned().collect();
        if needs.is_empty() {
            // Names that have become sizes, or other names.
            let pairs = before.leaves.iter().zip(&after.leaves);
            let pairs = pairs.chain(before.left.iter().zip(&after.left));
            let other = pairs.filter(|(old, new)| old != new);
            needs = other.map(|(old, new)| format!("{old} is {new}")).collect();
        }
        if !needs.is_empty() {
            return RuleUse::Depends(needs);
        }
        let is_kept = |(old, new): (&Type, &Type)| order::is_super(old, new) == Verdict::Always;
        match same.clone().all(is_kept) {
            true => RuleUse::Always(after.right),
            false => RuleUse::Unknown("the right side is known less precisely here".into()),
        }
    }
}

/// Are two types surely not the same?
fn differs(a: &Type, b: &Type) -> bool {
    order::meet(a, b).is_err()
}

/// Is nothing of two types different? Where something of one is not known they differ, but for contents.
fn agree(a: &Type, b: &Type) -> bool {
    let (Some(one), Some(other)) = (a.as_tensor(), b.as_tensor()) else {
        return a == b && !a.is_unknown() && a.parts().next().is_none();
    };
    let is_known = one.dtype != DtypeTerm::Hole
        && one.shape.iter().all(|dim| *dim != Dim::Hole)
        && one.shape.run().is_none_or(|run| run.name.is_some());
    let contents = match (&one.contents, &other.contents) {
        (Some(x), Some(y)) => {
            let is_open = |c: &Content| *c == Content::Hole;
            x.iter()
                .zip(y)
                .all(|(c, d)| c == d || is_open(c) || is_open(d))
        }
        _ => true,
    };
    is_known && one.dtype == other.dtype && one.shape == other.shape && contents
}
