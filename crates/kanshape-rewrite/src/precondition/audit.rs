//! The author's precondition, compared with the weakest one.

use kanshape::{Control, Diagnostic};

use super::TIMES_DOUBTED;
use super::domain::{DRAWN_OF_RANKS, Leaves, SizesToTry, shapes_of};
use crate::check::{
    AllRanks, Checked, Compiled, LEAST_RANK, LEAST_SIZE, STEPS_OF_RANKS, STEPS_OF_SEARCH, all_dims,
};
use crate::ground::Right;
use crate::instances::{self, Candidate, Instance};
use crate::soundness::{Audit, CompleteUpTo, Soundness};

/// A case that a condition excludes is first looked for among leaves of up to this number of dims.
const MOST_DIMS_LOST: usize = 2;

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
            self.each_instance(own, Leaves::Any, None, &sizes, each)?;
            Ok(is_typed)
        })
    }

    /// Compares the author's condition, with which the rule is sound, with the weakest one.
    pub(crate) fn audit(
        &self,
        soundness: &mut Soundness,
        own: &Compiled,
    ) -> Result<(), Diagnostic> {
        let (lost, ranks) = self.lost(own)?;
        if let Some(lost) = lost {
            soundness.lost = Some(self.case(own, &lost));
            soundness.audit = Some(Audit::TooStrong);
            return Ok(());
        }
        let mut lost = None;
        let bound = Control::default().run(self.times(STEPS_OF_SEARCH), || {
            let each = &mut |one: &mut Candidate<'_, '_>| {
                if one.is_lost() {
                    one.keep_smallest(&mut lost, Right::Same, false);
                }
            };
            let mut bound = CompleteUpTo::default();
            let mut ranks = ranks;
            for tried in self.sizes_to_try(own) {
                let reached = self.each_instance(own, Leaves::Any, Some(ranks), &tried, each)?;
                (bound, ranks) = (reached.bound, reached.ranks);
                if bound.rank >= reached.fewest {
                    break;
                }
            }
            if bound.dim.is_some_and(|dim| dim < LEAST_SIZE.unsigned_abs()) {
                // Few sizes were tried of all ranks: others are drawn.
                let mut drawn = self.drawn_of(own, &ranks, 0, TIMES_DOUBTED, DRAWN_OF_RANKS)?;
                drawn.retain(|one| !one.holds && one.right == Right::Same);
                let smallest = lost.take().into_iter().chain(drawn);
                lost = smallest.min_by(|a, b| a.key.cmp(&b.key));
            }
            Ok::<_, Diagnostic>(bound)
        })?;
        soundness.lost = lost.as_ref().map(|one| self.case(own, one));
        soundness.audit = match lost {
            Some(_) => Some(Audit::TooStrong),
            // Too few ranks were enumerated to decide it.
            None if bound.rank < LEAST_RANK.min(self.bounds.max_rank) => None,
            None => {
                soundness.audit_up_to = Some(bound);
                Some(Audit::Exact)
            }
        };
        Ok(())
    }

    /// The smallest sound instance that the condition excludes, if it has few dims, and the ranks that were tried.
    fn lost(&self, own: &Compiled) -> Result<(Option<Instance>, AllRanks), Diagnostic> {
        Control::default().run(self.times(STEPS_OF_SEARCH), || {
            let program = own.any_shapes();
            let mut symbolic = self.symbolic_of(own, Leaves::Any)?;
            let mut ground = self.ground(program, own)?;
            let mut budget = self.times(STEPS_OF_RANKS);
            let mut ranks = AllRanks::default();
            let mut lost: Option<Instance> = None;
            for rank in 0..=MOST_DIMS_LOST.min(symbolic.largest_rank()) {
                for choice in ranks.extended(&mut symbolic).sorted_by(all_dims) {
                    let is_smaller = |one: &Instance| all_dims(choice) <= one.key.0;
                    if !lost.as_ref().is_none_or(is_smaller) {
                        break;
                    }
                    let Some((shapes, dtypes)) = shapes_of(choice, own) else {
                        continue;
                    };
                    let each = &mut |one: &mut Candidate<'_, '_>| {
                        if one.is_lost() {
                            one.keep_smallest(&mut lost, Right::Same, false);
                        }
                    };
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
                        return Ok((None, ranks));
                    }
                }
                if lost.as_ref().is_some_and(|one| one.key.0 <= rank) {
                    break;
                }
            }
            let lost = lost.filter(|one| one.key.0 < ranks.next);
            ground.keep();
            Ok((lost, ranks))
        })
    }
}
