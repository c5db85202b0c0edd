//! The smallest instances of a choice of ranks: sizes are put in for names, the smallest first.

use std::sync::Arc;

use kanshape::{
    Content, Contents, Dim, Dtype, DtypeTerm, Name, Shape, Tensor, Type, code, control::is_over,
};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ground::{Ground, Right, TypeNo};
use crate::program::Program;
use crate::symbolic::{NoDtypes, Ranks};

/// An instance for which the left side has a type.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The fewest dims first, then the smallest largest size, then the smallest sum of sizes.
    pub(crate) key: Key,
    pub(crate) leaves: Types,
    pub(crate) left: Types,
    pub(crate) right: Right,
    /// The condition of the rule holds.
    pub(crate) holds: bool,
}

impl Instance {
    /// The same instance, for which the right side is something else.
    pub(crate) fn refused(&self) -> Instance {
        Instance {
            right: Right::Other(Some(self.left.to_vec())),
            ..self.clone()
        }
    }
}

pub(crate) type Types = SmallVec<[Arc<Type>; 4]>;
pub(crate) type Key = (usize, i64, i64, SmallVec<[i64; 12]>);

/// A place of a leaf's type.
#[derive(Clone, Copy, Debug)]
enum SizePlace {
    Fixed(i64),
    Var(usize),
}

impl SizePlace {
    fn value(self, values: &[i64]) -> i64 {
        match self {
            SizePlace::Fixed(n) => n,
            SizePlace::Var(v) => values[v],
        }
    }
}

/// The types of the leaves with variables in them.
pub(crate) struct OpenShapes {
    dims: Vec<Vec<SizePlace>>,
    contents: Vec<Option<Vec<SizePlace>>>,
    dtypes: Vec<DtypeTerm>,
    /// For each variable: is it a member of contents alone?
    vars: Vec<bool>,
    rank: usize,
    /// The smallest size that is tried.
    least: i64,
    /// Values that are tried beside the small ones, the smallest first. Negative ones are for members of contents alone.
    sizes: Vec<i64>,
}

impl OpenShapes {
    pub(crate) fn of(ranks: &Ranks) -> Option<OpenShapes> {
        let mut names: Vec<Option<Name>> = Vec::new();
        let mut vars = Vec::new();
        let mut written = Vec::new();
        let mut place = |name: Option<&Name>, is_content: bool| {
            let known = name.and_then(|n| names.iter().position(|own| own.as_ref() == Some(n)));
            let at = known.unwrap_or_else(|| {
                names.push(name.cloned());
                vars.push(true);
                names.len() - 1
            });
            vars[at] &= is_content;
            SizePlace::Var(at)
        };
        let mut this = OpenShapes {
            dims: Vec::new(),
            contents: Vec::new(),
            dtypes: Vec::new(),
            vars: Vec::new(),
            rank: 0,
            least: 0,
            sizes: Vec::new(),
        };
        for (ty, is_open) in ranks.leaves.iter().zip(&ranks.with_contents) {
            let tensor = ty.as_tensor()?;
            tensor.shape.rank()?;
            this.dtypes.push(tensor.dtype.clone());
            let dims = tensor.shape.iter().map(|dim| match dim {
                Dim::Size(n) => {
                    i64::try_from(*n).map_or(SizePlace::Fixed(i64::MAX), SizePlace::Fixed)
                }
                Dim::Name(name) => place(Some(name), false),
                _ => place(None, false),
            });
            let dims: Vec<SizePlace> = dims.collect();
            this.rank += dims.len();
            this.dims.push(dims);
            let contents = tensor.contents.as_ref().map(|contents| {
                let members = contents.iter().map(|member| match member {
                    _ if *is_open => {
                        // What the goals say that it is, or the only size that it can be.
                        written.extend(member.int());
                        place(None, true)
                    }
                    Content::Int(n) => SizePlace::Fixed(*n),
                    Content::Name(name) => place(Some(name), true),
                    _ => place(None, true),
                });
                members.collect()
            });
            this.contents.push(contents);
        }
        this.vars = vars;
        Some(this.with_sizes(written))
    }

    /// These shapes alone, without contents.
    pub(crate) fn fixed(leaves: &[Arc<Type>]) -> Option<OpenShapes> {
        let dims = leaves.iter().map(|ty| {
            let dims = ty.as_tensor()?.shape.iter();
            let size = |dim: &Dim| Some(SizePlace::Fixed(i64::try_from(dim.size()?).ok()?));
            dims.map(size).collect::<Option<Vec<SizePlace>>>()
        });
        let dims = dims.collect::<Option<Vec<_>>>()?;
        Some(OpenShapes {
            contents: vec![None; leaves.len()],
            dtypes: vec![DtypeTerm::Hole; leaves.len()],
            vars: Vec::new(),
            rank: dims.iter().map(Vec::len).sum(),
            least: 0,
            sizes: Vec::new(),
            dims,
        })
    }

    /// The dims of a leaf and the members of its contents.
    fn places(&self, leaf: usize) -> impl Iterator<Item = SizePlace> + '_ {
        let contents = self.contents[leaf].iter().flatten();
        self.dims[leaf].iter().chain(contents).copied()
    }

    /// The variables of the leaf that stand in none before it.
    fn own_vars(&self, leaf: usize) -> Vec<usize> {
        let vars = |i: usize| {
            self.places(i).filter_map(|place| match place {
                SizePlace::Var(v) => Some(v),
                SizePlace::Fixed(_) => None,
            })
        };
        let before: Vec<usize> = (0..leaf).flat_map(vars).collect();
        let mut own: Vec<usize> = vars(leaf).filter(|v| !before.contains(v)).collect();
        own.sort_unstable();
        own.dedup();
        own
    }

    /// These sizes are tried as well.
    pub(crate) fn with_sizes(mut self, sizes: Vec<i64>) -> OpenShapes {
        self.sizes.extend(sizes);
        self.sizes.sort_unstable();
        self.sizes.dedup();
        self
    }

    /// No smaller size is tried.
    pub(crate) fn with_least(self, least: i64) -> OpenShapes {
        OpenShapes { least, ..self }
    }

    /// The same with 1 for every size but one, each in turn: few instances, also where there are many variables.
    pub(crate) fn singles(&self) -> impl Iterator<Item = OpenShapes> + '_ {
        let all_but = |v: usize, places: &Vec<SizePlace>| -> Vec<SizePlace> {
            let place = |place: &SizePlace| match place {
                SizePlace::Var(own) if *own != v && !self.vars[*own] => SizePlace::Fixed(1),
                place => *place,
            };
            places.iter().map(place).collect()
        };
        let of = move |v: usize| OpenShapes {
            dims: self.dims.iter().map(|dims| all_but(v, dims)).collect(),
            contents: {
                let all = self.contents.iter();
                all.map(|own| own.as_ref().map(|places| all_but(v, places)))
                    .collect()
            },
            dtypes: self.dtypes.clone(),
            vars: self.vars.clone(),
            rank: self.rank,
            least: self.least,
            sizes: Vec::new(),
        };
        let all = self.vars.iter().enumerate();
        all.filter(|(_, is_content)| !**is_content)
            .map(move |(v, _)| of(v))
    }

    /// The leaves whose dtype is open, those with the same name together.
    pub(crate) fn open_dtypes(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(&Name, Vec<usize>)> = Vec::new();
        let mut others = Vec::new();
        for (leaf, dtype) in self.dtypes.iter().enumerate() {
            match dtype {
                DtypeTerm::Known(_) => {}
                DtypeTerm::Name(name) => match groups.iter_mut().find(|g| g.0 == name) {
                    Some(group) => group.1.push(leaf),
                    None => groups.push((name, vec![leaf])),
                },
                DtypeTerm::Set(_) | DtypeTerm::Hole => others.push(vec![leaf]),
            }
        }
        groups.into_iter().map(|g| g.1).chain(others).collect()
    }

    fn ty(&self, leaf: usize, dtype: Dtype, values: &[i64]) -> Type {
        let value = |place: &SizePlace| match place {
            SizePlace::Fixed(n) => *n,
            SizePlace::Var(v) => values[*v],
        };
        let dims = self.dims[leaf]
            .iter()
            .map(|p| Dim::Size(value(p).max(0) as u64));
        let contents = self.contents[leaf]
            .as_ref()
            .and_then(|places| Contents::new(places.iter().map(|p| Content::Int(value(p)))));
        let tensor = Tensor::new(dtype, Shape::known(dims));
        tensor.with_contents(contents).into()
    }
}

/// Dtypes in the order in which they are tried.
pub(crate) fn dtypes_in_order() -> Vec<Dtype> {
    let first = [Dtype::F32, Dtype::I64, Dtype::Bool, Dtype::F64, Dtype::I32];
    let rest = Dtype::ALL.into_iter().filter(|d| !first.contains(d));
    first.into_iter().chain(rest).collect()
}

/// The first dtypes that the left side allows, leaf by leaf.
pub(crate) fn dtypes(ranks: &Ranks, shapes: &OpenShapes) -> Result<Vec<Dtype>, NoDtypes> {
    let found = ranks.dtypes.get_or_init(|| found_dtypes(ranks, shapes));
    found.clone()
}

fn found_dtypes(ranks: &Ranks, shapes: &OpenShapes) -> Result<Vec<Dtype>, NoDtypes> {
    let mut graph = ranks.graph.clone();
    let mut chosen = Vec::new();
    let mut is_first_choice = true;
    for (i, value) in ranks.values.iter().enumerate() {
        let known = shapes.dtypes[i].known().or_else(|| graph.dtype(*value));
        if let Some(dtype) = known {
            chosen.push(dtype);
            continue;
        }
        let mut is_refused = true;
        // What is not among these is refused.
        let allowed = graph.dtypes(*value);
        let mut some = dtypes_in_order().into_iter();
        let found = some.find(|dtype| {
            if !allowed.contains(*dtype) {
                return false;
            }
            let ty = Type::from(Tensor::new(*dtype, Shape::unknown()));
            let stated = graph.assume(*value, &ty);
            is_refused &= stated
                .as_ref()
                .is_err_and(|why| why.diagnostic.code == code::NEVER);
            stated.is_ok()
        });
        match found {
            Some(dtype) => chosen.push(dtype),
            // With another choice before it there might be one.
            None if is_first_choice && is_refused => return Err(NoDtypes::Never),
            None => return Err(NoDtypes::Open),
        }
        is_first_choice = false;
    }
    Ok(chosen)
}

/// Sizes that were put in, for which the left side has a type. The condition and the right side are evaluated on demand.
pub(crate) struct Candidate<'a, 'p> {
    shapes: &'a OpenShapes,
    values: &'a [i64],
    program: &'a Program,
    ground: &'a mut Ground<'p>,
    slots: &'a mut [TypeNo],
    /// No more are wanted.
    pub(crate) is_last: bool,
}

impl Candidate<'_, '_> {
    /// Does the condition of the rule hold? `None` if time is over: what was not found may be there.
    pub(crate) fn holds(&mut self) -> Option<bool> {
        let holds = self.ground.holds(self.slots);
        (!is_over()).then_some(holds)
    }

    /// What the right side comes to; `None` if time is over.
    pub(crate) fn right(&mut self) -> Option<Right> {
        let right = self.ground.right(self.slots);
        (!is_over()).then_some(right)
    }

    /// The same if the condition holds; `None` if it does not as well.
    pub(crate) fn right_if_holds(&mut self) -> Option<Right> {
        match self.holds()? {
            true => self.right(),
            false => None,
        }
    }

    /// Does the condition exclude it, though both sides are the same?
    pub(crate) fn is_lost(&mut self) -> bool {
        self.holds() == Some(false) && self.right() == Some(Right::Same)
    }

    /// How many dims each leaf has.
    pub(crate) fn ranks(&self) -> SmallVec<[usize; 4]> {
        self.shapes.dims.iter().map(Vec::len).collect()
    }

    /// Is it smaller than another one?
    pub(crate) fn is_below(&self, other: &Instance) -> bool {
        self.key() < other.key
    }

    /// It as a case in which both sides are the same.
    pub(crate) fn as_sound(&self, holds: bool) -> Instance {
        self.with(self.key(), Right::Same, holds)
    }

    /// The same with this size in place of all sizes below 2, if both sides have one type there. Leaves with contents stay.
    pub(crate) fn enlarged(&mut self, size: u64) -> Option<Instance> {
        let mut slots = self.ground.slots();
        let leaves = slots.iter_mut().zip(self.slots.iter());
        for (slot, given) in leaves.take(self.program.leaves.len()) {
            let own = Arc::clone(self.ground.ty(*given));
            let larger = own.as_tensor().filter(|own| own.contents.is_none());
            *slot = match larger {
                Some(own) => {
                    let dims = own.shape.iter().map(|dim| match dim {
                        Dim::Size(0 | 1) => Dim::Size(size),
                        own => own.clone(),
                    });
                    let ty = Tensor::new(own.dtype.clone(), Shape::known(dims)).into();
                    self.ground.number(&ty)
                }
                None => *given,
            };
        }
        let mut steps = self.program.left.steps.iter();
        if !steps.all(|step| self.ground.step(*step, &mut slots))
            || self.ground.right(&mut slots) != Right::Same
        {
            return None;
        }
        let known = |slot: &usize| Arc::clone(self.ground.ty(slots[*slot]));
        Some(Instance {
            key: self.key(),
            leaves: (0..self.program.leaves.len())
                .map(|leaf| known(&leaf))
                .collect(),
            left: self.program.left.roots.iter().map(known).collect(),
            right: Right::Same,
            holds: false,
        })
    }

    /// The dims of the leaf with the most dims.
    pub(crate) fn most_dims(&self) -> usize {
        self.shapes.dims.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The largest of the sizes that were put in.
    pub(crate) fn largest_size(&self) -> i64 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    fn key(&self) -> Key {
        let places = (0..self.program.leaves.len()).flat_map(|leaf| self.shapes.places(leaf));
        let sizes: SmallVec<[i64; 12]> = places.map(|place| place.value(self.values)).collect();
        let largest = sizes.iter().map(|n| n.abs()).max().unwrap_or(0);
        let sum = sizes.iter().map(|n| n.abs()).sum();
        // Of two that are as far from 0, the positive one is smaller.
        let order = |n: &i64| {
            n.saturating_abs()
                .saturating_mul(2)
                .saturating_add((*n < 0).into())
        };
        let order = sizes.iter().map(order).collect();
        (self.shapes.rank, largest, sum, order)
    }

    /// The instance, if it is smaller than the smallest one until now.
    pub(crate) fn keep_smallest(&self, smallest: &mut Option<Instance>, right: Right, holds: bool) {
        let key = self.key();
        if smallest.as_ref().is_none_or(|own| key < own.key) {
            *smallest = Some(self.with(key, right, holds));
        }
    }

    /// All of it; `None` if time is over.
    pub(crate) fn instance(&mut self) -> Option<Instance> {
        let (holds, right) = (self.holds()?, self.right()?);
        Some(self.with(self.key(), right, holds))
    }

    fn with(&self, key: Key, right: Right, holds: bool) -> Instance {
        let known = |slot: &usize| Arc::clone(self.ground.ty(self.slots[*slot]));
        Instance {
            key,
            leaves: (0..self.program.leaves.len())
                .map(|leaf| known(&leaf))
                .collect(),
            left: self.program.left.roots.iter().map(known).collect(),
            right,
            holds,
        }
    }
}

/// Puts in sizes up to `largest`, and hands on those for which the left side has a type. False if these were not all.
pub(crate) fn enumerate(
    shapes: &OpenShapes,
    dtypes: &[Dtype],
    largest: i64,
    program: &Program,
    ground: &mut Ground<'_>,
    budget: &mut u64,
    found: &mut dyn FnMut(&mut Candidate<'_, '_>),
) -> bool {
    let count = program.leaves.len();
    let ready = ready(program);
    let own: Vec<Vec<usize>> = (0..count).map(|leaf| shapes.own_vars(leaf)).collect();
    let mut values = vec![0; shapes.vars.len()];
    if count == 0 {
        let slots = &mut ground.slots();
        if ready[0].iter().all(|step| ground.step(*step, slots)) {
            found(&mut Candidate {
                shapes,
                values: &values,
                program,
                ground,
                slots,
                is_last: true,
            });
        }
        return !is_over();
    }
    // The values that are known once the leaves before each are, and what it makes known.
    let mut levels: Vec<Vec<TypeNo>> = vec![ground.slots(); count + 1];
    let mut types: Vec<FxHashMap<SmallVec<[i64; 6]>, TypeNo>> = vec![FxHashMap::default(); count];
    let mut fresh = true;
    // The leaf whose sizes are put in; all before it have theirs.
    let mut leaf = 0;
    loop {
        if *budget == 0 || is_over() {
            return false;
        }
        *budget = budget.saturating_sub(1 + ground.steps_taken());
        let is_there = match fresh {
            true => {
                own[leaf]
                    .iter()
                    .for_each(|v| values[*v] = least(shapes, *v));
                true
            }
            false => advance(&own[leaf], shapes, &mut values, largest),
        };
        if !is_there {
            if leaf == 0 {
                return true;
            }
            leaf -= 1;
            fresh = false;
            continue;
        }
        fresh = false;
        let (before, behind) = levels.split_at_mut(leaf + 1);
        let slots = &mut behind[0];
        slots.copy_from_slice(&before[leaf]);
        let key = shapes.places(leaf).map(|place| place.value(&values));
        slots[leaf] = *types[leaf]
            .entry(key.collect())
            .or_insert_with(|| ground.number(&shapes.ty(leaf, dtypes[leaf], &values)));
        if !ready[leaf].iter().all(|step| ground.step(*step, slots)) {
            continue;
        }
        if leaf + 1 < count {
            leaf += 1;
            fresh = true;
            continue;
        }
        let mut candidate = Candidate {
            shapes,
            values: &values,
            program,
            ground,
            slots,
            is_last: false,
        };
        found(&mut candidate);
        if candidate.is_last || is_over() {
            return false;
        }
    }
}

/// Numbers that look random, and are the same each time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n.max(1)
    }
}

/// The sizes that all but a few have, if they are drawn so.
const MOSTLY: [i64; 2] = [1, 2];

/// How sizes are drawn.
#[derive(Clone, Copy)]
enum SizesDraw {
    /// Each by itself, 1 more often than others.
    Any,
    /// One of two, so that some are the same.
    Few([i64; 2]),
    /// This one, but for two of them: many goals differ by the one dim that is not like the others.
    Mostly(i64, [usize; 2]),
}

/// Puts in sizes at random; none if the left side has no type.
pub(crate) fn drawn(
    shapes: &OpenShapes,
    dtypes: &[Dtype],
    largest: u64,
    program: &Program,
    ground: &mut Ground<'_>,
    random: &mut Random,
) -> Option<Instance> {
    // The sizes of the rule itself, and the next smaller and larger ones.
    let beyond = shapes.sizes.iter().filter(|n| **n > largest as i64);
    let beyond: SmallVec<[i64; 8]> = beyond.copied().collect();
    let size = |random: &mut Random| {
        if !beyond.is_empty() && random.below(3) == 0 {
            let at = random.below(beyond.len() as u64) as usize;
            return beyond[at] - random.below(2) as i64;
        }
        match random.below(largest + 2) as i64 {
            n if n > largest as i64 => 1,
            n => n,
        }
    };
    let draw = match random.below(4) {
        0 => SizesDraw::Any,
        1 => SizesDraw::Few([size(random), size(random)]),
        _ => {
            let mut at = || random.below(shapes.vars.len() as u64) as usize;
            let others = [at(), at()];
            SizesDraw::Mostly(MOSTLY[random.below(2) as usize], others)
        }
    };
    let value = |(at, is_content): (usize, &bool)| match (is_content, draw) {
        (true, _) => random.below(largest + 2) as i64 - 1,
        (false, SizesDraw::Few(few)) => few[random.below(2) as usize],
        (false, SizesDraw::Mostly(size, others)) if !others.contains(&at) => size,
        (false, SizesDraw::Any | SizesDraw::Mostly(..)) => size(random),
    };
    let values: Vec<i64> = shapes.vars.iter().enumerate().map(value).collect();
    let mut slots = ground.slots();
    for (leaf, dtype) in dtypes.iter().enumerate() {
        slots[leaf] = ground.number(&shapes.ty(leaf, *dtype, &values));
    }
    let is_there = program
        .left
        .steps
        .iter()
        .all(|step| ground.step(*step, &mut slots));
    let candidate = Candidate {
        shapes,
        values: &values,
        program,
        ground,
        slots: &mut slots,
        is_last: false,
    };
    is_there.then_some(candidate)?.instance()
}

/// A member of contents may be -1, or what is written.
fn least(shapes: &OpenShapes, var: usize) -> i64 {
    match shapes.vars[var] {
        true => shapes.sizes.first().map_or(-1, |size| *size.min(&-1)),
        false => shapes.least,
    }
}

/// The next values of these variables; false after the last.
fn advance(vars: &[usize], shapes: &OpenShapes, values: &mut [i64], largest: i64) -> bool {
    for v in vars.iter().rev() {
        let now = values[*v];
        let written = shapes.sizes.iter().copied().find(|size| *size > now);
        let next = match now {
            ..-1 => Some(written.map_or(-1, |size| size.min(-1))),
            _ if now < largest => Some(now + 1),
            _ => written,
        };
        if let Some(next) = next {
            values[*v] = next;
            return true;
        }
        values[*v] = least(shapes, *v);
    }
    false
}

/// For each leaf, the steps of the left side that can be done once it and all before it are known.
fn ready(program: &Program) -> Vec<Vec<usize>> {
    let count = program.leaves.len();
    let mut last = vec![0; program.slots];
    for (leaf, last) in last.iter_mut().enumerate().take(count) {
        *last = leaf;
    }
    let mut ready = vec![Vec::new(); count.max(1)];
    for step in &program.left.steps {
        let own = &program.steps[*step];
        let inputs = own.inputs.iter().flatten();
        let at = inputs.map(|slot| last[*slot]).max().unwrap_or(0);
        last[own.first..own.first + own.outputs].fill(at);
        ready[at].push(*step);
    }
    ready
}
