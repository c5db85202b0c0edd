//! [`Checked`]: a rule while it is checked.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use kanshape::control::is_over;
use kanshape::tree::relation;
use kanshape::{Control, Diagnostic, Dtype, Relations, Type, diag::Source};

use crate::condition::{self, Condition};
use crate::family::{self, Family};
use crate::ground::{self, ConditionMemory, Ground, Memory, Right};
use crate::instances::{self, Instance, OpenShapes};
use crate::program::Program;
use crate::soundness::{Agreement, Audit, Bounds, Case, CompleteUpTo, Sound, Soundness};
use crate::symbolic::{Ranks, StagedProgram, Symbolic, dims_of};

mod search;

use search::SearchFound;

/// The most steps that are spent on instances, for the counterexample and for the precondition each.
pub(crate) const STEPS: u64 = 300_000;
/// The same on one choice of ranks, at each bound of sizes.
pub(crate) const STEPS_OF_RANKS: u64 = 20_000;
/// The steps of the solver for a rule with all that is found out of it.
pub(crate) const STEPS_OF_RULE: u64 = 4_000_000;
/// And for each search: of the rule, of the other direction, with a precondition.
pub(crate) const STEPS_OF_SEARCH: u64 = 2_000_000;
/// The most sizes of which products and quotients are tried.
const MOST_WIDENED: usize = 6;
/// Constants above this are not tried as sizes.
const LARGEST_WRITTEN: u64 = 1 << 20;
/// The rank up to which a type of the left side is looked for, if it has none within the bound.
const LARGEST_RANK: u64 = 6;
/// A literal of a rule is not taken for an index where that takes more dims than this.
const LARGEST_REACH: u64 = 7;
/// A rule that was checked up to fewer dims is not called sound.
pub(crate) const LEAST_RANK: u64 = 2;
/// And mostly it is checked up to this size.
pub(crate) const LEAST_SIZE: i64 = 2;

/// A rule while it is checked.
pub(crate) struct Checked<'r> {
    pub(crate) rule: &'r relation::Rule,
    pub(crate) relations: &'r Relations,
    /// The text in which the rule stands, if it is one.
    pub(crate) source: Option<&'r Source>,
    pub(crate) opset: Option<u64>,
    pub(crate) bounds: Bounds,
    /// It is looked for what the rule needs where it does not always hold. For the members of a family that is found together.
    pub(crate) wants_needs: bool,
    /// It is found out whether it holds from right to left.
    pub(crate) wants_backward: bool,
    /// How many rules share the instances from which it is found what they need.
    pub(crate) sharing: usize,
    /// The most steps that are spent on instances to find a counterexample.
    pub(crate) steps: u64,
    /// How many times the usual steps may be taken: more where the user gives a larger budget.
    pub(crate) effort: u64,
    /// What was found out of the numbers of both sides, if they are judged as well as the types.
    pub(crate) values: Option<Agreement>,
    pub(crate) memory: &'r Memory,
}

/// A rule that is compiled, with its precondition.
pub(crate) struct Compiled {
    pub(crate) program: Program,
    /// The precondition, and the same steps of its relations.
    with: Option<(Condition, Program)>,
    /// What the condition comes to on leaves.
    held: ConditionMemory,
    /// The program in a graph, with the condition.
    stage: OnceStaged,
    any_shapes: OnceCell<Program>,
    any_stage: OnceStaged,
}

/// A [`StagedProgram`] that is made when it is first needed.
#[derive(Default)]
struct OnceStaged(OnceCell<Rc<StagedProgram>>);

impl OnceStaged {
    fn of(
        &self,
        make: impl FnOnce() -> Result<StagedProgram, Diagnostic>,
    ) -> Result<Rc<StagedProgram>, Diagnostic> {
        if let Some(own) = self.0.get() {
            return Ok(Rc::clone(own));
        }
        let own = Rc::new(make()?);
        Ok(Rc::clone(self.0.get_or_init(|| own)))
    }
}

impl Compiled {
    /// The program with nothing declared of its leaves but their dtypes.
    pub(crate) fn any_shapes(&self) -> &Program {
        self.any_shapes
            .get_or_init(|| self.program.without_shapes())
    }

    fn condition(&self) -> Option<&Condition> {
        self.with.as_ref().map(|with| &with.0)
    }

    /// The sizes that constants and attributes of the rule speak of, and those of its condition which are not tried anyway, with the next
    /// larger ones: they are tried as well, however large.
    pub(crate) fn sizes(&self) -> Vec<i64> {
        // A negative number counts from an end.
        let written = self.program.ints().into_iter().map(i64::unsigned_abs);
        let compared = self.condition().into_iter().flat_map(|own| &own.sizes);
        let compared = compared.filter(|n| **n > LEAST_SIZE.unsigned_abs());
        let all = written.chain(compared.copied());
        let all = all.filter(|n| *n <= LARGEST_WRITTEN);
        let all = all.flat_map(|n| [n as i64, n as i64 + 1]);
        // What one leaf declares may be what another one needs.
        let declared = self.declared().into_iter().map(|n| n as i64);
        all.chain(declared).collect()
    }

    /// The sizes that the types of the leaves declare, beside those that are tried anyway.
    fn declared(&self) -> Vec<u64> {
        let leaves = self.program.leaves.iter();
        let dims = leaves.flat_map(|leaf| leaf.dims.iter().flatten().flatten());
        let is_tried = |n: &u64| (LEAST_SIZE.unsigned_abs() + 1..=LARGEST_WRITTEN).contains(n);
        let mut all: Vec<u64> = dims.copied().filter(is_tried).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The same sizes, and their products and quotients: a number of groups times the channels of each. They are tried where no instance was
    /// found for which the rule holds.
    pub(crate) fn wider_sizes(&self) -> Vec<i64> {
        let leaves = self.program.leaves.iter();
        let dims = leaves.flat_map(|leaf| leaf.dims.iter().flatten().flatten());
        let ints = self.program.ints().into_iter().map(i64::unsigned_abs);
        let mut written: Vec<u64> = dims.copied().chain(ints).collect();
        written.retain(|n| (2..=LARGEST_WRITTEN).contains(n));
        written.sort_unstable();
        written.dedup();
        written.truncate(MOST_WIDENED);
        let pairs = written
            .iter()
            .flat_map(|a| written.iter().map(move |b| (*a, *b)));
        let wider = pairs.flat_map(|(a, b)| [a.saturating_mul(b), a / b]);
        let mut all: Vec<i64> = wider
            .chain(written.iter().copied())
            .filter(|n| (2..=LARGEST_WRITTEN).contains(n))
            .map(|n| n as i64)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What is judged.
pub(crate) enum RuleOrFamily {
    /// A rule without variables.
    One(Box<Compiled>),
    /// The rules that one with variables denotes.
    Family(Family),
}

/// The choices of ranks for which the left side may have a type.
#[derive(Default)]
pub(crate) struct AllRanks {
    pub(crate) all: Vec<Rc<Ranks>>,
    /// Those in which a leaf has as many dims or more are not among them, unless all are.
    pub(crate) next: usize,
    pub(crate) is_whole: bool,
    pub(crate) is_cut_off: bool,
}

impl From<Vec<Rc<Ranks>>> for AllRanks {
    fn from(all: Vec<Rc<Ranks>>) -> AllRanks {
        AllRanks {
            all,
            ..AllRanks::default()
        }
    }
}

impl AllRanks {
    /// Those of the left side; which of them are sound is not known of those that are added.
    pub(crate) fn completed(mut self, symbolic: &mut Symbolic<'_>) -> AllRanks {
        for _ in self.next..=symbolic.largest_rank() {
            self.extended(symbolic);
        }
        self.is_whole = true;
        self
    }

    /// Adds those in which the leaf with the most dims has one more, and gives these alone.
    pub(crate) fn extended(&mut self, symbolic: &mut Symbolic<'_>) -> AllRanks {
        let more = AllRanks::from(symbolic.of_left_and_rank(self.next));
        self.all.extend(more.all.iter().cloned());
        self.next += 1;
        self.is_cut_off |= symbolic.is_cut_off;
        more
    }

    /// Leaves out those in which a leaf has the most dims that any has.
    pub(crate) fn leave_out_largest(&mut self) {
        let largest = self.all.iter().map(|ranks| most_dims(ranks)).max();
        self.all.retain(|ranks| Some(most_dims(ranks)) != largest);
    }

    /// The same, each as it is shared.
    fn sorted(&self, key: impl Fn(&Ranks) -> usize) -> Vec<&Rc<Ranks>> {
        let mut all: Vec<&Rc<Ranks>> = self.all.iter().collect();
        all.sort_by_cached_key(|ranks| (key(ranks), ranks.dims()));
        all
    }

    /// Those for which this is least come first, and of these the ones with the fewest dims of the first leaves.
    pub(crate) fn sorted_by(&self, key: impl Fn(&Ranks) -> usize) -> Vec<&Ranks> {
        self.sorted(key).into_iter().map(|ranks| &**ranks).collect()
    }
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The smallest counterexample.
    Smallest,
    /// Whether there is one.
    Any,
}

/// The dims of all leaves.
pub(crate) fn all_dims(ranks: &Ranks) -> usize {
    ranks.leaves.iter().map(dims_of).sum()
}

/// The rank at which every literal of the rule that may be the index of a dim is one, with one more dim behind it; at least `max_rank`.
pub(crate) fn reach(program: &Program, max_rank: u64) -> u64 {
    let places = program.ints().into_iter().map(|place| match place {
        0.. => place.unsigned_abs().saturating_add(2),
        _ => place.unsigned_abs().saturating_add(1),
    });
    let reached = places.filter(|rank| *rank <= LARGEST_REACH);
    reached.fold(max_rank, u64::max)
}

/// The most dims that a leaf has.
pub(crate) fn most_dims(ranks: &Ranks) -> usize {
    ranks.leaves.iter().map(dims_of).max().unwrap_or(0)
}

impl Checked<'_> {
    pub(crate) fn run(&self) -> Result<Soundness, Diagnostic> {
        Control::default().run(self.times(STEPS_OF_RULE), || {
            self.run_subject(&self.subject()?)
        })
    }

    /// Are both sides other numbers for some leaves for which the precondition holds?
    pub(crate) fn is_known_refuted(&self) -> bool {
        self.values == Some(Agreement::Refuted)
    }

    /// As many times these steps as the user's budget allows.
    pub(crate) fn times(&self, steps: u64) -> u64 {
        steps.saturating_mul(self.effort)
    }

    pub(crate) fn subject(&self) -> Result<RuleOrFamily, Diagnostic> {
        Ok(match family::of(self.rule, self.relations, self.opset)? {
            Some(family) => RuleOrFamily::Family(family),
            None => RuleOrFamily::One(Box::new(self.compile(self.rule)?)),
        })
    }

    pub(crate) fn run_subject(&self, subject: &RuleOrFamily) -> Result<Soundness, Diagnostic> {
        match subject {
            RuleOrFamily::Family(family) => self.run_family(family),
            RuleOrFamily::One(own) => self.run_compiled(own),
        }
    }

    /// The same of a rule without variables.
    pub(crate) fn run_one(&self) -> Result<Soundness, Diagnostic> {
        self.run_compiled(&self.compile(self.rule)?)
    }

    fn run_compiled(&self, own: &Compiled) -> Result<Soundness, Diagnostic> {
        // Mostly it is seen at once that a permutation is none.
        let may_be_typed = self.symbolic(own)?.may_be_typed();
        let (found, ranks) = match may_be_typed {
            true => self.search(own, Aim::Smallest)?,
            false => (SearchFound::default(), AllRanks::default()),
        };
        let is_typed = found.counterexample.is_some() || found.some_sound || found.open.is_some();
        if !is_typed && may_be_typed && self.bounds.max_rank < LARGEST_RANK {
            // It may have a type where there are more dims: a permutation of five, a convolution of three.
            let bounds = Bounds {
                max_rank: self.bounds.max_rank + 1,
                ..self.bounds
            };
            return Checked { bounds, ..*self }.run_compiled(own);
        }
        let mut soundness = self.judged(own, &found);
        if let Some(other) = self.further(own, &mut soundness)? {
            return Ok(other);
        }
        soundness.forward = sure(soundness.verdict);
        if self.wants_backward {
            soundness.backward = self.backward(&found);
        }
        let is_concrete = own.program.leaves.iter().all(|leaf| leaf.is_concrete());
        let has_contents = |ranks: &Rc<Ranks>| ranks.with_contents.contains(&true);
        if is_concrete && !ranks.all.iter().any(has_contents) {
            // The question is about these leaves alone.
            if soundness.verdict == Sound::Depends {
                soundness.verdict = Sound::Never;
            }
            if soundness.verdict == Sound::Never {
                soundness.complete_up_to = None;
            }
            return Ok(soundness);
        }
        let has_condition = own.with.is_some();
        let is_decided = soundness.verdict != Sound::Unknown;
        if is_decided && (has_condition || soundness.verdict == Sound::Depends) {
            match (has_condition, &soundness.counterexample) {
                (true, Some(_)) => soundness.audit = Some(Audit::TooWeak),
                (true, None) if self.is_known_refuted() => {
                    soundness.audit = Some(Audit::TooWeak);
                }
                (true, None) if soundness.verdict == Sound::Always || self.is_typed(own)? => {
                    if soundness.verdict == Sound::Never {
                        let why = "the precondition holds nowhere where the left side has a type";
                        soundness.why = Some(why.into());
                    }
                    self.audit(&mut soundness, own)?;
                }
                _ => {}
            }
            if soundness.verdict == Sound::Depends && self.wants_needs {
                let domain = self.domain(own, Some(ranks))?;
                self.find_needs(&mut soundness, own, domain)?;
            }
        }
        Ok(soundness)
    }

    /// Tries a rule that is always or never sound up to the bound on a few instances of small sizes, with leaves of as many dims as its
    /// literals may index. If that is not so there, it is checked up to that rank, and the result is that check's.
    fn further(
        &self,
        own: &Compiled,
        soundness: &mut Soundness,
    ) -> Result<Option<Soundness>, Diagnostic> {
        let bound = soundness.complete_up_to;
        let is_wrong = match soundness.verdict {
            Sound::Always if bound.is_some() => false,
            Sound::Never | Sound::Unknown if soundness.counterexample.is_some() => true,
            _ => return Ok(None),
        };
        let max_rank = reach(&own.program, self.bounds.max_rank);
        if max_rank <= self.bounds.max_rank {
            return Ok(None);
        }
        let with_dim = |max_dim| Checked {
            bounds: Bounds { max_rank, max_dim },
            ..*self
        };
        let further = Checked {
            // The dims that it lacks may be the last ones that are tried.
            steps: self.times(if is_wrong { STEPS } else { STEPS_OF_RANKS }),
            ..with_dim(self.bounds.max_dim.min(1))
        };
        let (found, _) = further.search(own, Aim::Any)?;
        let is_other = match is_wrong {
            true => found.some_sound,
            false => found.counterexample.is_some(),
        };
        if is_other {
            return with_dim(self.bounds.max_dim).run_compiled(own).map(Some);
        }
        let further = further.judged(own, &found);
        let is_more = |own: CompleteUpTo| bound.is_some_and(|bound| own.rank > bound.rank);
        let is_further = |own: CompleteUpTo| own.dim.is_none() && is_more(own);
        if !is_wrong
            && further.verdict == Sound::Always
            && further.complete_up_to.is_none_or(is_further)
        {
            soundness.complete_up_to = further.complete_up_to;
        }
        Ok(None)
    }

    pub(crate) fn compile(&self, rule: &relation::Rule) -> Result<Compiled, Diagnostic> {
        let (program, with) = condition::compiled(rule, self.relations, self.source, self.opset)?;
        Ok(Compiled {
            program,
            with,
            held: ConditionMemory::default(),
            stage: OnceStaged::default(),
            any_shapes: OnceCell::new(),
            any_stage: OnceStaged::default(),
        })
    }

    pub(crate) fn ground<'c>(
        &self,
        program: &'c Program,
        own: &'c Compiled,
    ) -> Result<Ground<'c>, Diagnostic> {
        let condition = own.condition().map(|condition| (condition, &own.held));
        Ground::new(program, condition, self.relations, self.memory)
    }

    /// Looks for an instance for which the rule does not hold. Ranks that could not make it smaller are left out.
    pub(crate) fn search(
        &self,
        own: &Compiled,
        aim: Aim,
    ) -> Result<(SearchFound, AllRanks), Diagnostic> {
        let steps = self.times(STEPS_OF_SEARCH);
        Control::default().run(steps, || {
            let (mut found, ranks) = self.searched(own, aim)?;
            if is_over() {
                // What was not found may be there.
                let why = format!("the search ended by its {steps} steps, or by the time or the budget of the question");
                found.open.get_or_insert(why);
            }
            Ok((found, ranks))
        })
    }

    pub(crate) fn symbolic<'c>(&'c self, own: &'c Compiled) -> Result<Symbolic<'c>, Diagnostic> {
        let max_rank = usize::try_from(self.bounds.max_rank).unwrap_or(usize::MAX);
        let (program, condition, relations) = match &own.with {
            Some((condition, program)) => (program, Some(condition), &condition.relations),
            None => (&own.program, None, self.relations),
        };
        let stage = own
            .stage
            .of(|| StagedProgram::new(program, condition, relations))?;
        Ok(Symbolic::on_stage(program, stage, max_rank))
    }

    /// The same with nothing declared of the leaves but their dtypes, whether the condition holds or not.
    pub(crate) fn symbolic_of_any<'c>(
        &self,
        own: &'c Compiled,
        max_rank: u64,
    ) -> Result<Symbolic<'c>, Diagnostic> {
        let max_rank = usize::try_from(max_rank).unwrap_or(usize::MAX);
        let program = own.any_shapes();
        let stage = own
            .any_stage
            .of(|| StagedProgram::new(program, None, self.relations))?;
        Ok(Symbolic::on_stage(program, stage, max_rank))
    }

    pub(crate) fn judged(&self, own: &Compiled, found: &SearchFound) -> Soundness {
        let mut soundness = Soundness::unknown(String::new());
        soundness.why = None;
        let counterexample = found.counterexample.as_ref();
        soundness.counterexample = counterexample.map(|one| self.case(own, one));
        let bound = |dim| {
            Some(CompleteUpTo {
                rank: self.bounds.max_rank,
                dim,
            })
        };
        soundness.verdict = match (counterexample, found.some_sound, &found.open) {
            (Some(_), true, _) => Sound::Depends,
            (_, _, Some(why)) if counterexample.is_none() || !found.some_sound => {
                soundness.why = Some(why.clone());
                Sound::Unknown
            }
            (Some(_), false, _) => {
                soundness.why = Some("the right side is never what the left side is".into());
                soundness.complete_up_to = found.by_sizes.or(bound(Some(self.bounds.max_dim)));
                Sound::Never
            }
            (None, true, _) => {
                soundness.needs = Some(Vec::new());
                soundness.complete_up_to = match (found.by_sizes, found.all_ranks) {
                    (Some(reached), _) => Some(reached),
                    (None, false) => bound(None),
                    (None, true) => None,
                };
                Sound::Always
            }
            (None, false, _) => {
                soundness.why = Some("the left side never has a type".into());
                soundness.complete_up_to = bound(Some(self.bounds.max_dim));
                Sound::Never
            }
        };
        soundness
    }

    pub(crate) fn case(&self, own: &Compiled, one: &Instance) -> Case {
        let names = own.program.leaves.iter().map(|leaf| leaf.name.clone());
        let types =
            |all: &[Arc<Type>]| -> Vec<Type> { all.iter().map(|ty| Type::clone(ty)).collect() };
        let right = match &one.right {
            Right::Same | Right::Unknown => Some(types(&one.left)),
            Right::Other(right) => right.as_deref().map(types),
        };
        let why = match &one.right {
            Right::Other(None) => ground::why(&own.program, &one.leaves, self.relations),
            Right::Other(Some(_)) => Some("the right side is of another type".into()),
            Right::Same | Right::Unknown => None,
        };
        Case {
            attrs: Vec::new(),
            leaves: names.zip(types(&one.leaves)).collect(),
            left: types(&one.left),
            right,
            why,
        }
    }

    /// Is the rule sound from right to left? `found` is what was found from left to right.
    fn backward(&self, found: &SearchFound) -> Option<bool> {
        let mut rule = self.rule.clone();
        std::mem::swap(&mut rule.left, &mut rule.right);
        let own = self.compile(&rule).ok()?;
        if own.program.leaves.is_empty() {
            return None;
        }
        let is_typed = |one: &Instance| matches!(one.right, Right::Other(Some(_)));
        if found.some_sound && found.counterexample.as_ref().is_some_and(is_typed) {
            // Where both sides have types which are not the same, it is a counterexample either way.
            return Some(false);
        }
        let (found, _) = self.search(&own, Aim::Any).ok()?;
        sure(self.judged(&own, &found).verdict)
    }
}

/// Yes or no, if that is known.
fn sure(verdict: Sound) -> Option<bool> {
    match verdict {
        Sound::Always => Some(true),
        Sound::Depends | Sound::Never => Some(false),
        Sound::Unknown => None,
    }
}

/// Other dtypes for the leaves whose dtype is open, as far as the left side allows them: few, each leaf by itself and
/// all of them together.
pub(crate) fn other_dtypes(ranks: &Ranks, shapes: &OpenShapes, first: &[Dtype]) -> Vec<Vec<Dtype>> {
    let open = shapes.open_dtypes();
    let mut all = Vec::new();
    for group in &open {
        for dtype in instances::dtypes_in_order() {
            let mut dtypes = first.to_vec();
            group.iter().for_each(|leaf| dtypes[*leaf] = dtype);
            if dtypes != first && ranks.allow(&dtypes) {
                all.push(dtypes);
            }
        }
    }
    if let [one, other] = &open[..] {
        for a in instances::dtypes_in_order() {
            for b in instances::dtypes_in_order() {
                let mut dtypes = first.to_vec();
                one.iter().for_each(|leaf| dtypes[*leaf] = a);
                other.iter().for_each(|leaf| dtypes[*leaf] = b);
                if !all.contains(&dtypes) && dtypes != first && ranks.allow(&dtypes) {
                    all.push(dtypes);
                }
            }
        }
    }
    all
}
