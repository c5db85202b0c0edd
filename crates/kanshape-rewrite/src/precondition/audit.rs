//! The author's precondition, compared with the weakest one.

use std::cell::RefCell;

use kanshape::{Control, Diagnostic};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::TIMES_DOUBTED;
use super::domain::{DRAWN_OF_RANKS, Leaves, SizesToTry, shapes_of};
use crate::check::{
    AllRanks, Checked, Compiled, LEAST_RANK, LEAST_SIZE, STEPS_OF_RANKS, STEPS_OF_SEARCH, all_dims,
};
use crate::ground::Right;
use crate::instances::{self, Candidate, Instance};
use crate::judge::Judge;
use crate::sides::CalculatedSides;
use crate::soundness::{Audit, CompleteUpTo, Soundness};
use crate::symbolic::{Ranks, dims_of};

/// A case that a condition excludes is first looked for among leaves of up to this number of dims.
const MOST_DIMS_LOST: usize = 2;
/// The most cases of which the values are compared.
const MOST_COMPARED: usize = 400;
/// Sizes below 2 make values equal by accident: the same with these sizes shows it.
const LARGER: [u64; 2] = [2, 3];

/// How many dims each leaf has.
type OfLeaves = SmallVec<[usize; 4]>;

/// What a condition excludes though both sides are the same.
struct Excluded<'j> {
    /// Compares values, if they count.
    judge: Option<Judge<'j>>,
    compared: usize,
    /// The smallest case of each choice of ranks; of one choice for all if values do not count.
    smallest: FxHashMap<OfLeaves, Instance>,
    /// The ranks for which the condition holds with some sizes.
    allowed: FxHashSet<OfLeaves>,
}

impl<'j> Excluded<'j> {
    fn new(
        checked: &Checked<'_>,
        own: &'j Compiled,
        sides: &'j CalculatedSides<'j>,
    ) -> Excluded<'j> {
        let judges = checked.values.is_some() && sides.opaque.is_none();
        Excluded {
            judge: judges.then(|| Judge::new(checked, own, sides, false)),
            compared: 0,
            smallest: FxHashMap::default(),
            allowed: FxHashSet::default(),
        }
    }

    fn see(&mut self, one: &mut Candidate<'_, '_>) {
        let Some(judge) = &mut self.judge else {
            let is_smaller = |known: &Instance| one.is_below(known);
            let known = self.smallest.get(&OfLeaves::new());
            if known.is_none_or(is_smaller) && one.is_lost() {
                self.smallest.insert(OfLeaves::new(), one.as_sound(false));
            }
            return;
        };
        let ranks = one.ranks();
        if one.holds() == Some(true) {
            self.allowed.insert(ranks);
            return;
        }
        let known = self.smallest.get(&ranks);
        if known.is_some_and(|known| !one.is_below(known))
            || self.compared >= MOST_COMPARED
            || !one.is_lost()
        {
            return;
        }
        self.compared += 1;
        let own = one.as_sound(false);
        if is_same(one, &own, judge) {
            self.smallest.insert(ranks, own);
        }
    }

    /// May an instance of a choice of ranks be what is reported? Not one with more dims than a case of the ranks for which the condition holds, nor one
    /// of other ranks with more dims than any case.
    fn may_change(&self, ranks: &Ranks, admitted: Option<&FxHashSet<OfLeaves>>) -> bool {
        let Some((smallest, is_allowed)) = self.found() else {
            return true;
        };
        let may_be_allowed = admitted.is_none_or(|all| all.contains(&OfLeaves::from(ranks.dims())));
        smallest.key.0 >= all_dims(ranks) || !is_allowed && may_be_allowed
    }

    /// The smallest case that the condition excludes: of the ranks for which it holds at all, if there is one, and then it is too strong. What else it is about
    /// is for the author to say where values count, as it is for a dtype.
    fn found(&self) -> Option<(&Instance, bool)> {
        let all = self.smallest.iter();
        let all =
            all.map(|(ranks, one)| (one, self.judge.is_none() || self.allowed.contains(ranks)));
        all.min_by(|(one, is_allowed), (other, is_other)| {
            is_other
                .cmp(is_allowed)
                .then_with(|| one.key.cmp(&other.key))
        })
    }

    /// Cases that were drawn.
    fn add(&mut self, drawn: Vec<Instance>) {
        for one in drawn {
            let ranks: OfLeaves = match self.judge {
                Some(_) => one.leaves.iter().map(|ty| dims_of(ty)).collect(),
                None => OfLeaves::new(),
            };
            if one.holds {
                self.allowed.insert(ranks);
                continue;
            }
            let known = self.smallest.get(&ranks);
            let is_below = known.is_none_or(|known| one.key < known.key);
            if one.right != Right::Same || !is_below || self.compared >= MOST_COMPARED {
                continue;
            }
            let is_same = match &mut self.judge {
                None => true,
                Some(judge) => {
                    self.compared += 1;
                    !has_small_sizes(&one) && judge.differs(&one) == Some(false)
                }
            };
            if is_same {
                self.smallest.insert(ranks, one);
            }
        }
    }
}

/// Are both sides the same numbers, and not because sizes are small?
fn is_same(one: &mut Candidate<'_, '_>, own: &Instance, judge: &mut Judge<'_>) -> bool {
    let differs = judge.differs(own);
    match differs {
        Some(true) => return false,
        Some(false) if !has_small_sizes(own) => return true,
        _ => {}
    }
    let mut shown = !has_nothing(own) && differs == Some(false);
    for size in LARGER {
        let larger = one.enlarged(size);
        match larger.and_then(|larger| judge.differs(&larger)) {
            Some(true) => return false,
            Some(false) => shown = true,
            None => {}
        }
    }
    shown
}

fn sizes(one: &Instance) -> impl Iterator<Item = u64> + '_ {
    let leaves = one.leaves.iter().filter_map(|ty| ty.as_tensor());
    leaves.flat_map(|own| own.shape.iter().filter_map(|dim| dim.size()))
}

fn has_small_sizes(one: &Instance) -> bool {
    sizes(one).any(|size| size < 2)
}

fn has_nothing(one: &Instance) -> bool {
    sizes(one).any(|size| size == 0)
}

impl Checked<'_> {
    /// Has the left side a type for some leaves, whether the author's condition holds of them or not?
    pub(crate) fn is_typed(&self, own: &Compiled) -> Result<bool, Diagnostic> {
        Control::default().run(self.times(STEPS_OF_SEARCH), || {
            let mut is_typed = false;
            let each = &mut |one: &mut Candidate<'_, '_>| {
                is_typed = true;
                one.is_last = true;
            };
            let sizes = SizesToTry {
                dim: LEAST_SIZE,
                own: own.sizes(),
                is_last: true,
            };
            self.each_instance(own, Leaves::Any, None, &sizes, &|_| true, each)?;
            Ok(is_typed)
        })
    }

    /// Compares the author's condition, with which the rule is sound, with the weakest one.
    pub(crate) fn audit(
        &self,
        soundness: &mut Soundness,
        own: &Compiled,
    ) -> Result<(), Diagnostic> {
        let sides = CalculatedSides::of(&own.program);
        let mut excluded = Excluded::new(self, own, &sides);
        let (is_whole, ranks) = self.look_at_few_dims(own, &mut excluded)?;
        if is_whole && let Some((lost, true)) = excluded.found() {
            soundness.lost = Some(self.case(own, lost));
            soundness.audit = Some(Audit::TooStrong);
            return Ok(());
        }
        if !is_whole {
            excluded.smallest.clear();
        }
        let bound = Control::default().run(self.times(STEPS_OF_SEARCH), || {
            let mut bound = CompleteUpTo::default();
            let mut ranks = ranks;
            let admitted = self.admitted(own)?;
            let seen = RefCell::new(&mut excluded);
            let is_wanted = |ranks: &Ranks| seen.borrow().may_change(ranks, admitted.as_ref());
            for tried in self.sizes_to_try(own) {
                let each = &mut |one: &mut Candidate<'_, '_>| seen.borrow_mut().see(one);
                let all = Some(ranks);
                let reached =
                    self.each_instance(own, Leaves::Any, all, &tried, &is_wanted, each)?;
                (bound, ranks) = (reached.bound, reached.ranks);
                if bound.rank >= reached.fewest {
                    break;
                }
            }
            if bound.dim.is_some_and(|dim| dim < LEAST_SIZE.unsigned_abs()) {
                // Few sizes were tried of all ranks: others are drawn.
                let drawn = self.drawn_of(own, &ranks, 0, TIMES_DOUBTED, DRAWN_OF_RANKS)?;
                excluded.add(drawn);
            }
            Ok::<_, Diagnostic>(bound)
        })?;
        let lost = excluded.found();
        soundness.lost = lost.map(|(one, _)| self.case(own, one));
        soundness.audit = match lost {
            Some((_, true)) => Some(Audit::TooStrong),
            // Too few ranks were enumerated to decide it.
            _ if bound.rank < LEAST_RANK.min(self.bounds.max_rank) => None,
            _ => {
                soundness.audit_up_to = Some(bound);
                Some(Audit::Exact)
            }
        };
        Ok(())
    }

    /// The dims of the leaves for which the author's condition may hold; none if not all choices of ranks were tried.
    fn admitted(&self, own: &Compiled) -> Result<Option<FxHashSet<OfLeaves>>, Diagnostic> {
        let mut symbolic = self.symbolic(own)?;
        let ranks = AllRanks::default().completed(&mut symbolic);
        let dims = ranks.all.iter().map(|ranks| ranks.dims().into());
        Ok((!ranks.is_cut_off).then(|| dims.collect()))
    }

    /// Looks at the instances of few dims: whether that were all up to the smallest case that is excluded, and the ranks that were tried.
    fn look_at_few_dims(
        &self,
        own: &Compiled,
        excluded: &mut Excluded<'_>,
    ) -> Result<(bool, AllRanks), Diagnostic> {
        Control::default().run(self.times(STEPS_OF_SEARCH), || {
            let program = own.any_shapes();
            let mut symbolic = self.symbolic_of(own, Leaves::Any)?;
            let mut ground = self.ground(program, own)?;
            let mut budget = self.times(STEPS_OF_RANKS);
            let mut ranks = AllRanks::default();
            let lost = |excluded: &Excluded<'_>| {
                let found = excluded.found().filter(|own| own.1);
                found.map(|(one, _)| one.key.0)
            };
            for rank in 0..=MOST_DIMS_LOST.min(symbolic.largest_rank()) {
                for choice in ranks.extended(&mut symbolic).sorted_by(all_dims) {
                    if lost(excluded).is_some_and(|dims| all_dims(choice) > dims) {
                        break;
                    }
                    let Some((shapes, dtypes)) = shapes_of(choice, own) else {
                        continue;
                    };
                    let each = &mut |one: &mut Candidate<'_, '_>| excluded.see(one);
                    let largest = self.largest_size(program);
                    let is_whole = instances::enumerate(
                        &shapes,
                        &dtypes,
                        largest,
                        program,
                        &mut ground,
                        &mut budget,
                        each,
                    );
                    if !is_whole {
                        return Ok((false, ranks));
                    }
                }
                if lost(excluded).is_some_and(|dims| dims <= rank) {
                    break;
                }
            }
            let is_whole = lost(excluded).is_some_and(|dims| dims < ranks.next);
            ground.keep();
            Ok((is_whole, ranks))
        })
    }
}
