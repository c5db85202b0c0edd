//! [`Values`]: whether both sides of a rule are the same numbers, where they have one type.
//!
//! Instances with small sizes are calculated on contents that are drawn, and refute the rule if the sides differ. What is not refuted is
//! compared as expressions, which are the same for all contents. If all operators calculate element by element, scalars stand for all shapes.

use std::rc::Rc;
use std::sync::Arc;

use kanshape::control::is_over;
use kanshape::{Control, Diagnostic, Dim, Dtype, Shape, Tensor, Type};
use rustc_hash::FxHashSet;

use crate::check::{Checked, Compiled, LEAST_RANK, RuleOrFamily, STEPS_OF_RULE, all_dims};
use crate::definition;
use crate::ground::{Ground, Right};
use crate::instances::{self, Candidate, Instance, OpenShapes, Random, Types};
use crate::judge::{Judge, Judged};
use crate::made;
use crate::sides::CalculatedSides;
use crate::soundness::{Agreement, Case, Sound, Soundness};
use crate::symbolic::{LONGEST, NoDtypes, Ranks};

mod needs;

use needs::Needed;

/// The steps of the solver that are spent on it, and for the instances of one choice of ranks with some sizes.
const STEPS_OF_VALUES: u64 = 2_000_000;
const STEPS_OF_CHOICE: u64 = 1_500;
/// The most instances of a rule, of one that calculates element by element, of one of a family, and of one that is refuted or not.
const MOST_INSTANCES: usize = 160;
const MOST_ELEMENTWISE: usize = 32;
const MOST_OF_MEMBER: usize = 12;
const MOST_OF_REFUTED: usize = 64;
/// The most instances with a size that is a multiple of numbers of the rule, and the largest such size.
const MOST_WIDER: usize = 24;
const LARGEST_WIDER: i64 = 64;
/// The most choices of ranks that are tried, and the steps that are spent to find those with as many dims.
const MOST_CHOICES: usize = 100;
const STEPS_OF_RANK: u64 = 300_000;
/// The products of expressions that are made to show it for all sizes.
const PRODUCTS_OF_SIZES: usize = 2_000_000;
/// The most members of a family.
const MOST_MEMBERS: usize = 72;

/// The sizes from which instances are made: different ones distinguish axes, equal ones are what wrong rules are silent about, and 1 broadcasts.
const PASSES: [(i64, i64); 4] = [(2, 2), (2, 3), (1, 2), (1, 3)];
/// How many instances of a choice of ranks with as many dims in all are made in each pass, where there are more sizes than one.
const OF_FEW_DIMS: [usize; 7] = [1, 4, 20, 12, 8, 4, 4];
const OF_MANY_DIMS: usize = 3;
/// How often sizes are drawn for a choice of ranks, and the largest one.
const DRAWN: usize = 24;
const LARGEST_DRAWN: u64 = 3;

/// What is found out of the values of a rule, where both sides have one type and the precondition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// Are they the same?
    pub verdict: Agreement,
    /// It is proved for all ranks and sizes.
    pub all_ranks: bool,
    /// It is proved for all sizes, where no leaf has more dims than this.
    pub all_sizes: Option<u64>,
    /// The most dims of a leaf, and the largest size, of the instances that were calculated.
    pub up_to: Option<(u64, u64)>,
    /// How many instances were calculated.
    pub instances: usize,
    /// Leaves with contents, for which both sides have the contents that are there.
    pub counterexample: Option<Case>,
    /// Goals with which both sides have one type and were the same numbers wherever that was tried, of a rule that is refuted, or for whose types no
    /// weakest goals were found; none if none were found.
    /// Sound cases of sizes below 2 are not considered: there values are equal by accident.
    pub needs: Option<Vec<String>>,
    /// The smallest sound case that these goals exclude: then they are sufficient, and not the weakest ones. None if they exclude none that was tried.
    pub loses: Option<Case>,
    /// Why it is not calculated or not proved, or proved for the instances that were tried and not for all sizes.
    pub why: Option<String>,
}

/// What instances have shown until now.
#[derive(Default)]
struct ShownByInstances {
    instances: usize,
    proved: usize,
    /// Those with nothing in their outputs.
    empty: usize,
    rank: u64,
    size: u64,
    counterexample: Option<Case>,
    /// The instance for which it is one.
    wrong: Option<Instance>,
    /// Why one is not proved.
    open: Option<String>,
    /// Why one is not calculated.
    opaque: Option<String>,
    /// The rules that were tried are not all.
    is_cut_off: bool,
    /// The question is about leaves that are given.
    is_concrete: bool,
    all_ranks: bool,
    /// What was not tried of contents that are sizes or axes.
    limited: Option<String>,
    /// The most dims with which it is proved for all sizes and why not with more, or why it is not with any.
    all_sizes: Option<Result<(u64, Option<String>), String>>,
}

impl ShownByInstances {
    fn add(&mut self, instance: &Instance, outcome: Judged) {
        let sizes = || {
            let leaves = instance.leaves.iter().filter_map(|ty| ty.as_tensor());
            leaves.map(|own| {
                own.shape
                    .iter()
                    .filter_map(|dim| dim.size())
                    .collect::<Vec<_>>()
            })
        };
        match outcome {
            Judged::None => return,
            Judged::Empty => {
                self.empty += 1;
                return;
            }
            Judged::Opaque(why) => {
                self.opaque.get_or_insert(why);
                return;
            }
            Judged::Other(case) => {
                self.counterexample = Some(*case);
                self.wrong = Some(instance.clone());
            }
            Judged::Proved => self.proved += 1,
            Judged::Same(why) => {
                self.open.get_or_insert(why);
            }
        }
        self.instances += 1;
        let rank = sizes().map(|own| own.len() as u64).max();
        self.rank = self.rank.max(rank.unwrap_or(0));
        self.size = self.size.max(sizes().flatten().max().unwrap_or(0));
    }

    fn values(mut self) -> Values {
        if self.instances == 0 && self.empty > 0 {
            // Outputs with nothing in them are the same.
            self.instances = self.empty;
            match self.is_concrete || matches!(self.all_sizes, Some(Ok(_))) {
                true => self.proved = self.empty,
                false => self.open = Some("nothing is in the outputs of the leaves for which both sides have one type, of those that were tried".into()),
            }
        }
        let is_proved = self.proved == self.instances && self.opaque.is_none() && !self.is_cut_off;
        let verdict = match (&self.counterexample, self.instances) {
            (Some(_), _) => Agreement::Refuted,
            (None, 0) => Agreement::Opaque,
            (None, _) if is_proved => Agreement::Proved,
            (None, _) => Agreement::Tested,
        };
        let no_instance = || "no instance was found for which both sides have one type".to_owned();
        let all_ranks = self.all_ranks && verdict == Agreement::Proved;
        let (all_sizes, not_all) = match self.all_sizes {
            Some(Ok((rank, why))) if verdict == Agreement::Proved && !all_ranks => {
                // With fewer dims than that it says less than the instances do.
                match rank >= self.rank.min(LEAST_RANK) {
                    true => (Some(rank), self.limited),
                    false => (
                        None,
                        why.or(Some("there are too many choices of ranks".into())),
                    ),
                }
            }
            Some(Err(why)) if !all_ranks => (None, Some(why)),
            _ => (None, None),
        };
        let why = match verdict {
            Agreement::Proved => not_all,
            Agreement::Refuted => None,
            Agreement::Opaque => Some(self.opaque.unwrap_or_else(no_instance)),
            Agreement::Tested => self.open.or(self.opaque),
        };
        Values {
            all_ranks,
            all_sizes,
            up_to: (self.instances > 0).then_some((self.rank, self.size)),
            instances: self.instances,
            counterexample: self.counterexample,
            needs: None,
            loses: None,
            verdict,
            why,
        }
    }
}

/// The choices of ranks for which the left side may have a type, those with few dims first.
struct ChoicesOfRanks {
    all: Vec<Rc<Ranks>>,
    /// Those with as few dims as have to be tried are not all there.
    is_short: bool,
    /// The most dims of a leaf of which all are.
    complete: Option<usize>,
    /// Contents are tried that may be longer.
    tries_contents: bool,
}

impl Checked<'_> {
    /// What is found out of the types, and of the values: the goals that it needs, and the audit, are about both.
    pub(crate) fn run_with_values(&self) -> Result<(Soundness, Values), Diagnostic> {
        let subject = Control::default().run(self.times(STEPS_OF_VALUES), || self.subject())?;
        let mut values = self.values_of_subject(&subject)?;
        let is_refuted = values.verdict == Agreement::Refuted;
        let own = Checked {
            // Goals with which both sides have one type are not what it needs then.
            wants_needs: self.wants_needs && !is_refuted,
            values: Some(values.verdict),
            ..*self
        };
        let steps = own.times(STEPS_OF_RULE);
        let mut soundness = Control::default().run(steps, || own.run_subject(&subject))?;
        if is_refuted {
            soundness.needs.clone_from(&values.needs);
            if soundness.verdict == Sound::Depends {
                soundness.complete_up_to = None;
            }
        } else if soundness.verdict == Sound::Depends
            && soundness.needs.is_none()
            && matches!(values.verdict, Agreement::Proved | Agreement::Tested)
            && let RuleOrFamily::One(own) = &subject
        {
            match self.needs_of_values(own, None)? {
                // They are not known to be the weakest ones, and say what they exclude.
                Some(needed) => {
                    values.needs = Some(made::written(&needed.goals));
                    values.loses = needed.loses;
                    soundness.needs.clone_from(&values.needs);
                }
                None => Control::default().run(steps, || {
                    let domain = self.domain(own, None)?;
                    self.find_needs(&mut soundness, own, domain)
                })?,
            }
        }
        Ok((soundness, values))
    }

    /// Are both sides the same numbers?
    pub(crate) fn values(&self) -> Result<Values, Diagnostic> {
        Control::default().run(self.times(STEPS_OF_VALUES), || {
            self.values_of_subject(&self.subject()?)
        })
    }

    fn values_of_subject(&self, subject: &RuleOrFamily) -> Result<Values, Diagnostic> {
        Control::default().run(self.times(STEPS_OF_VALUES), || {
            let mut shown = ShownByInstances::default();
            match subject {
                RuleOrFamily::One(own) => {
                    self.values_of(own, &mut shown, MOST_INSTANCES, true)?;
                    let needs = match shown.wrong.take() {
                        Some(wrong) if self.wants_needs => self.found_needs_for(own, wrong)?,
                        _ => None,
                    };
                    let (needs, loses) = match needs {
                        Some(own) => (Some(made::written(&own.goals)), own.loses),
                        None => (None, None),
                    };
                    return Ok(Values {
                        needs,
                        loses,
                        ..shown.values()
                    });
                }
                RuleOrFamily::Family(family) => {
                    for (i, member) in family.included().enumerate() {
                        if i >= MOST_MEMBERS || is_over() {
                            shown.is_cut_off = true;
                            break;
                        }
                        let own = Checked {
                            rule: &member.rule,
                            ..*self
                        };
                        let found = own.compile(own.rule).and_then(|compiled| {
                            own.values_of(&compiled, &mut shown, MOST_OF_MEMBER, true)
                        });
                        if found.is_err() {
                            // An attribute has no such value.
                            continue;
                        }
                        shown.all_ranks = false;
                        let why = "its attributes are tried one by one";
                        shown.all_sizes = Some(Err(why.to_owned()));
                        if let Some(case) = &mut shown.counterexample {
                            case.attrs = member.values.clone();
                            break;
                        }
                    }
                }
            }
            Ok(shown.values())
        })
    }

    /// Goals with which a rule that is refuted for an instance computes the same numbers.
    fn found_needs_for(
        &self,
        own: &Compiled,
        wrong: Instance,
    ) -> Result<Option<Needed>, Diagnostic> {
        let lists = own.program.with_contents.get();
        // Goals about lists of sizes and axes are tried before goals about the tensor that these are applied to.
        if lists.is_some_and(|all| all.contains(&true))
            && let Some(found) = self.needs_of_values(own, Some(wrong.clone()))?
        {
            return Ok(Some(found));
        }
        match self.needs_of_contents(own, &wrong)? {
            None => self.needs_of_values(own, Some(wrong)),
            found => Ok(found),
        }
    }

    /// Are both sides of a rule without variables other numbers for some of a few leaves?
    pub(crate) fn is_refuted(&self) -> bool {
        Control::default().run(STEPS_OF_VALUES, || {
            let mut shown = ShownByInstances::default();
            let found = self
                .compile(self.rule)
                .and_then(|own| self.values_of(&own, &mut shown, MOST_OF_REFUTED, false));
            found.is_ok() && shown.counterexample.is_some()
        })
    }

    /// An instance of a rule without variables for which they are.
    pub(crate) fn refuted_instance(&self, own: &Compiled) -> Result<Option<Instance>, Diagnostic> {
        Control::default().run(STEPS_OF_VALUES, || {
            let mut shown = ShownByInstances::default();
            self.values_of(own, &mut shown, MOST_INSTANCES, false)?;
            Ok(shown.wrong.map(|one| one.refused()))
        })
    }

    /// The same of a rule without variables.
    fn values_of(
        &self,
        own: &Compiled,
        shown: &mut ShownByInstances,
        most: usize,
        proves: bool,
    ) -> Result<(), Diagnostic> {
        let sides = CalculatedSides::of(&own.program);
        if let Some(why) = &sides.opaque {
            shown.opaque.get_or_insert_with(|| why.clone());
            return Ok(());
        }
        let is_elementwise = self.is_elementwise(own);
        let most = if is_elementwise {
            most.min(MOST_ELEMENTWISE)
        } else {
            most
        };
        let most = shown.instances + most;
        let mut judge = Judge::new(self, own, &sides, proves);
        let mut ground = self.ground(&own.program, own)?;
        let ChoicesOfRanks {
            all: choices,
            is_short,
            complete,
            tries_contents,
        } = self.choices(own)?;
        if is_short && !is_elementwise {
            shown.is_cut_off = true;
            let why = "there are too many choices of ranks";
            shown.open.get_or_insert_with(|| why.to_owned());
        }
        shown.is_concrete = own.program.leaves.iter().all(|leaf| leaf.is_concrete());
        let mut seen: FxHashSet<Types> = FxHashSet::default();
        let mut random = Random(2);
        let passes = PASSES.iter().map(|sizes| Some(*sizes));
        // What is drawn has sizes that the passes before it did not put together.
        'all: for pass in passes.chain([None]) {
            for ranks in &choices {
                let found = match pass {
                    Some(sizes) => self.found(ranks, own, &mut ground, sizes),
                    None => self.drawn_in(ranks, own, &mut ground, &mut random),
                };
                for instance in found {
                    if shown.instances >= most || is_over() {
                        break 'all;
                    }
                    if !seen.insert(instance.leaves.clone()) {
                        continue;
                    }
                    let outcome = judge.outcome(&instance, &mut ground);
                    shown.add(&instance, outcome);
                    if shown.counterexample.is_some() {
                        break 'all;
                    }
                }
            }
        }
        shown.all_ranks = is_elementwise && shown.instances > 0;
        let is_empty = shown.instances == 0 && shown.empty > 0;
        let is_proved = shown.proved > 0 || is_empty;
        let is_proved = is_proved && shown.open.is_none() && shown.opaque.is_none();
        if tries_contents {
            shown.limited = Some(format!("operands of up to {LONGEST} members were tried"));
        }
        if proves && is_proved && !shown.all_ranks && shown.counterexample.is_none() {
            let mut unshown = None;
            shown.all_sizes = Some(match judge.speaks_of_contents() {
                true => Err("the precondition speaks of contents".into()),
                false => for_all_sizes(&sides, &choices, complete, &mut unshown),
            });
            // The sizes for which it is not shown may be others than those that were calculated.
            for leaves in unshown.iter().flatten() {
                if let Some(instance) = self.with_sizes(leaves, own, &mut ground)
                    && shown.counterexample.is_none()
                    && seen.insert(instance.leaves.clone())
                {
                    let outcome = judge.outcome(&instance, &mut ground);
                    shown.add(&instance, outcome);
                }
            }
        }
        let is_for_all = shown.all_ranks || matches!(shown.all_sizes, Some(Ok((_, None))));
        if proves && !is_for_all && !shown.is_concrete {
            // A number of blocks or groups may have to divide a size.
            for ranks in &choices {
                for instance in self.wider(ranks, own, &mut ground) {
                    if shown.counterexample.is_some() || shown.instances >= most + MOST_WIDER {
                        break;
                    }
                    if seen.insert(instance.leaves.clone()) {
                        let outcome = judge.outcome(&instance, &mut ground);
                        shown.add(&instance, outcome);
                    }
                }
            }
        }
        ground.keep();
        Ok(())
    }

    fn choices(&self, own: &Compiled) -> Result<ChoicesOfRanks, Diagnostic> {
        let mut symbolic = self.symbolic(own)?;
        let mut all: Vec<Rc<Ranks>> = Vec::new();
        let last = symbolic.largest_rank();
        let mut is_short = false;
        let mut complete = None;
        for rank in 0..=last {
            let (new, is_cut_off) = Control::default().run(self.times(STEPS_OF_RANK), || {
                let new = symbolic.of_left_and_rank(rank);
                (new, is_over())
            });
            all.extend(new);
            if all.len() > MOST_CHOICES || is_cut_off {
                is_short = rank < last && (rank as u64) < LEAST_RANK;
                break;
            }
            complete = Some(rank);
        }
        all.sort_by_cached_key(|ranks| (all_dims(ranks), ranks.dims()));
        all.truncate(MOST_CHOICES);
        Ok(ChoicesOfRanks {
            all,
            is_short,
            complete,
            tries_contents: symbolic.tries_contents(),
        })
    }

    /// A few instances of a choice of ranks for which both sides have one type and the precondition holds.
    fn found(
        &self,
        ranks: &Ranks,
        own: &Compiled,
        ground: &mut Ground<'_>,
        (least, largest): (i64, i64),
    ) -> Vec<Instance> {
        let mut all = Vec::new();
        let Some(shapes) = OpenShapes::of(ranks) else {
            return all;
        };
        let Ok(first) = instances::dtypes(ranks, &shapes) else {
            return all;
        };
        let shapes = shapes.with_sizes(own.sizes()).with_least(least);
        let mut dtypes = vec![first.clone()];
        if (least, largest) == (2, 3) {
            dtypes.extend(of_ints(ranks, &shapes, &first));
        }
        let each = OF_FEW_DIMS.get(all_dims(ranks)).unwrap_or(&OF_MANY_DIMS);
        for dtypes in dtypes {
            let most = all.len() + each;
            let mut take = |one: &mut Candidate<'_, '_>| {
                if one.right_if_holds().is_some() {
                    all.extend(one.instance().filter(has_one_type));
                }
                one.is_last = all.len() >= most;
            };
            let mut budget = self.times(STEPS_OF_CHOICE);
            let program = &own.program;
            instances::enumerate(
                &shapes,
                &dtypes,
                largest,
                program,
                ground,
                &mut budget,
                &mut take,
            );
        }
        all
    }

    /// The same with one size that is a multiple of numbers that the rule is about, and 1 for the others.
    fn wider(&self, ranks: &Ranks, own: &Compiled, ground: &mut Ground<'_>) -> Vec<Instance> {
        let mut all = Vec::new();
        let sizes = own.wider_sizes();
        let sizes = sizes
            .iter()
            .flat_map(|n| (1..=3).map(move |times| n.saturating_mul(times)));
        let sizes: Vec<i64> = sizes.filter(|n| *n <= LARGEST_WIDER).collect();
        let (Some(shapes), false) = (OpenShapes::of(ranks), sizes.is_empty()) else {
            return all;
        };
        let Ok(dtypes) = instances::dtypes(ranks, &shapes) else {
            return all;
        };
        for shapes in shapes.singles() {
            let shapes = shapes.with_sizes(sizes.clone()).with_least(1);
            let mut take = |one: &mut Candidate<'_, '_>| {
                if one.right_if_holds().is_some() {
                    all.extend(one.instance().filter(has_one_type));
                }
            };
            let mut budget = self.times(STEPS_OF_CHOICE);
            let program = &own.program;
            instances::enumerate(&shapes, &dtypes, 1, program, ground, &mut budget, &mut take);
        }
        all
    }

    /// The same of leaves of these types.
    fn with_sizes(
        &self,
        leaves: &[Arc<Type>],
        own: &Compiled,
        ground: &mut Ground<'_>,
    ) -> Option<Instance> {
        let shapes = OpenShapes::fixed(leaves)?;
        let dtypes = leaves.iter().map(|ty| ty.as_tensor()?.dtype.known());
        let dtypes: Vec<Dtype> = dtypes.collect::<Option<_>>()?;
        let mut found = None;
        let mut take = |one: &mut Candidate<'_, '_>| {
            if one.right_if_holds().is_some() {
                found = one.instance().filter(has_one_type);
            }
            one.is_last = true;
        };
        let mut budget = self.times(STEPS_OF_CHOICE);
        let program = &own.program;
        instances::enumerate(
            &shapes,
            &dtypes,
            LARGEST_DRAWN as i64,
            program,
            ground,
            &mut budget,
            &mut take,
        );
        found
    }

    /// The same with sizes that are drawn.
    fn drawn_in(
        &self,
        ranks: &Ranks,
        own: &Compiled,
        ground: &mut Ground<'_>,
        random: &mut Random,
    ) -> Vec<Instance> {
        let mut all = Vec::new();
        let Some(shapes) = OpenShapes::of(ranks) else {
            return all;
        };
        let Ok(dtypes) = instances::dtypes(ranks, &shapes) else {
            return all;
        };
        let shapes = shapes.with_sizes(own.sizes());
        for _ in 0..DRAWN {
            if is_over() {
                break;
            }
            let (largest, program) = (LARGEST_DRAWN, &own.program);
            let one = instances::drawn(&shapes, &dtypes, largest, program, ground, random);
            all.extend(one.filter(|one| one.holds && has_one_type(one)));
        }
        all
    }

    /// Is every element of the outputs calculated of one element of each leaf, whatever the shapes are? Then one element stands for all of them.
    fn is_elementwise(&self, own: &Compiled) -> bool {
        let mut steps = own.program.steps.iter();
        let is_elementwise = steps
            .all(|step| step.outputs == 1 && kanshape_eval::is_elementwise(step.operator.name()));
        is_elementwise && definition::broadcasts(&own.program)
    }
}

/// The most dims, of those of which all choices of ranks are there, with which both sides are the same for all sizes; or why they are with none.
/// `unshown` is some leaves for which they may not be.
fn for_all_sizes(
    sides: &CalculatedSides<'_>,
    choices: &[Rc<Ranks>],
    complete: Option<usize>,
    unshown: &mut Option<Vec<Vec<Arc<Type>>>>,
) -> Result<(u64, Option<String>), String> {
    let mut work = PRODUCTS_OF_SIZES;
    let mut shown = Err("there are too many choices of ranks".to_owned());
    let most = |ranks: &Ranks| ranks.dims().into_iter().max().unwrap_or(0);
    for rank in 0..=complete.unwrap_or(0) {
        let mut is_there = false;
        for ranks in choices.iter().filter(|own| most(own) == rank) {
            match is_for_all_sizes(sides, ranks, &mut work, unshown) {
                // What was shown with fewer dims is.
                Err(why) => return shown.map(|rank| (rank, Some(why.clone()))).map_err(|_| why),
                Ok(own) => is_there |= own,
            }
        }
        if is_there && complete.is_some() {
            shown = Ok(rank as u64);
        }
    }
    shown.map(|rank| (rank, None))
}

/// The same of one choice of ranks: are there such leaves?
fn is_for_all_sizes(
    sides: &CalculatedSides<'_>,
    ranks: &Ranks,
    work: &mut usize,
    unshown: &mut Option<Vec<Vec<Arc<Type>>>>,
) -> Result<bool, String> {
    let open = || "a choice of ranks without sizes or dtypes".to_owned();
    let shapes = OpenShapes::of(ranks).ok_or_else(open)?;
    let first = match instances::dtypes(ranks, &shapes) {
        Ok(first) => first,
        Err(NoDtypes::Never) => return Ok(false),
        Err(_) => return Err(open()),
    };
    let ints = of_ints(ranks, &shapes, &first);
    let mut is_there = false;
    for dtypes in std::iter::once(first).chain(ints) {
        if is_over() {
            return Err("the budget ran out".into());
        }
        match sides.proved_for_all_sizes(&ranks.leaves, &dtypes, work) {
            Ok(own) => is_there |= own,
            Err(own) => {
                let of_types = |sizes: &Vec<Vec<u64>>| {
                    let types = dtypes.iter().zip(sizes).map(|(dtype, sizes)| {
                        let shape = Shape::known(sizes.iter().map(|size| Dim::Size(*size)));
                        Arc::new(Type::from(Tensor::new(*dtype, shape)))
                    });
                    types.collect()
                };
                let has_contents = ranks.leaves.iter().any(|ty| ty.contents().is_some());
                if !has_contents {
                    *unshown = Some(own.sizes.iter().map(of_types).collect());
                }
                return Err(own.why);
            }
        }
    }
    Ok(is_there)
}

/// Are both sides of one type, whatever their contents are?
fn has_one_type(one: &Instance) -> bool {
    match &one.right {
        Right::Same => true,
        Right::Other(Some(right)) => {
            right.len() == one.left.len()
                && right
                    .iter()
                    .zip(&one.left)
                    .all(|(a, b)| plain(a) == plain(b))
        }
        Right::Other(None) | Right::Unknown => false,
    }
}

/// The dtype and the shape of a tensor.
fn plain(ty: &Type) -> Option<(&kanshape::DtypeTerm, &kanshape::Shape)> {
    ty.as_tensor().map(|own| (&own.dtype, &own.shape))
}

/// The same leaves of integers, if the left side takes such: as many of them as may be.
fn of_ints(ranks: &Ranks, shapes: &OpenShapes, first: &[Dtype]) -> Option<Vec<Dtype>> {
    if first.contains(&Dtype::I64) {
        return None;
    }
    let open = shapes.open_dtypes();
    let with = |groups: &[Vec<usize>]| {
        let mut own = first.to_vec();
        let leaves = groups.iter().flatten();
        leaves.for_each(|leaf| own[*leaf] = Dtype::I64);
        own
    };
    let all = std::iter::once(with(&open));
    let mut all = all.chain(open.iter().map(|group| with(std::slice::from_ref(group))));
    all.find(|own| own != first && ranks.allow(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    /// What is shown by names for sizes alone, without the instances that refute a rule before.
    fn shown(text: &str) -> Result<u64, String> {
        let rule = Rule::read(kanshape::catalog(), text, []).expect("a rule");
        let checked = rule.to_check();
        Control::default().run(STEPS_OF_VALUES, || {
            let own = checked
                .compile(checked.rule)
                .map_err(|_| "no program".to_owned())?;
            let choices = checked.choices(&own).expect("choices of ranks");
            let sides = CalculatedSides::of(&own.program);
            for_all_sizes(&sides, &choices.all, choices.complete, &mut None).map(|own| own.0)
        })
    }

    #[test]
    fn sums_and_parts_are_the_same_for_all_sizes() {
        for text in [
            "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C)) :- rank(A) = 2, rank(B) = 2, rank(C) = 2",
            "MatMul(Concat[axis = 1](A, B), Concat[axis = 0](C, D)) => Add(MatMul(A, C), MatMul(B, D)) :- rank(A) = 2, rank(B) = 2, rank(C) = 2, rank(D) = 2, shape(A)[1] = shape(C)[0]",
            "Add(MatMul(A, B), C) => Gemm(A, B, C)",
            "Div(Exp(X), ReduceSum(Exp(X), [-1])) => Softmax(X)",
            "Flatten[axis = 1](Flatten[axis = 2](X)) => Flatten[axis = 2](X)",
            "ReduceSum[keepdims = 0](ReduceSum[keepdims = 0](X, [1]), [0]) => ReduceSum[keepdims = 0](X, [0, 1])",
            "Slice(Transpose(X), [0], [1], [1]) => Transpose(Slice(X, [0], [1], [0])) :- rank(X) = 2",
            "Slice(MatMul(A, B), [0], [2], [0]) => MatMul(Slice(A, [0], [2], [0]), B) :- rank(A) = 2, rank(B) = 2",
            "Slice(Slice(X, [1], [9223372036854775807], [0]), [0], [1], [0]) => Slice(X, [1], [2], [0])",
            "Concat[axis = 0](Slice(X, [0], [1], [0]), Slice(X, [1], [9223372036854775807], [0])) => X :- rank(X) <= 2",
            "Slice(Pad(X, [1, 0]), [1], [9223372036854775807], [0]) => X :- rank(X) = 1",
            "Pad(Relu(X), [1, 1, 0, 2]) => Relu(Pad(X, [1, 1, 0, 2]))",
            "Pad(Pad(X, [1, 0]), [0, 1]) => Pad(X, [1, 1])",
            // Where both sides have one type, `A` has two places, or `B` none and `A` fewer.
            "Slice(Concat[axis = 0](A, B), [0], [2]) => A",
            "Conv(X, Neg(W)) => Neg(Conv(X, W))",
            "Conv[auto_pad = \"SAME_UPPER\"](A, Add(B, C)) => Add(Conv[auto_pad = \"SAME_UPPER\"](A, B), Conv[auto_pad = \"SAME_UPPER\"](A, C)) :- shape(B) = shape(C)",
            "Conv[pads = [1, 1]](Concat[axis = 1](A, B), Concat[axis = 1](C, D)) => Add(Conv[pads = [1, 1]](A, C), Conv[pads = [1, 1]](B, D)) :- rank(A) = 3, shape(A)[1] = shape(C)[1]",
            "Concat[axis = 0](Conv[strides = [2]](A, B), Conv[strides = [2]](C, B)) => Conv[strides = [2]](Concat[axis = 0](A, C), B)",
            "Conv[group = 2](X, Concat[axis = 0](V, W)) => Concat[axis = 1](Conv(Slice(X, [0], [2], [1]), V), Conv(Slice(X, [2], [4], [1]), W)) :- X: T[n, 4, l], V: T[3, 2, k], W: T[3, 2, k]",
            "Conv(X, W) => Unsqueeze(MatMul(Squeeze(X, [2]), Transpose[perm = [1, 0]](Squeeze(W, [2]))), [2])",
            "BatchNormalization(Conv(X, W), s, b, m, v) => Conv(X, Mul(W, Unsqueeze(Div(s, Sqrt(Add(v, 0.00001))), [1, 2])), Sub(b, Div(Mul(m, s), Sqrt(Add(v, 0.00001))))) :- rank(X) = 3",
            "AveragePool[kernel_shape = [2]](Add(X, Y)) => Add(AveragePool[kernel_shape = [2]](X), AveragePool[kernel_shape = [2]](Y)) :- shape(X) = shape(Y)",
            "MaxPool[kernel_shape = [2]](Relu(X)) => Relu(MaxPool[kernel_shape = [2]](X))",
            "ReduceMax(ReduceMax(X, [1]), [0]) => ReduceMax(X, [0, 1])",
            "ReduceMax(Neg(X), [0]) => Neg(ReduceMin(X, [0])) :- dtype(X) = f32",
            "Einsum[equation = \"bij,bjk->bik\"](A, B) => MatMul(A, B)",
            "Gather[axis = 0](Relu(X), i) => Relu(Gather[axis = 0](X, i))",
            "Gather[axis = 0](A, [1, 2]) => Slice(A, [1], [3], [0])",
            "Split[num_outputs = 1](X) => X",
            "MatMul(X, V), MatMul(X, W) => Split[axis = -1, num_outputs = 2](MatMul(X, Concat[axis = -1](V, W)))",
            "Flatten[axis = 1](X) => Reshape(X, [0, -1])",
            "Reshape(Reshape(X, [3, 2]), [2, 3]) => Reshape(X, [2, 3])",
            "Reshape(Reshape(X, a), b) => Reshape(X, b)",
            "Reshape(Relu(X), a) => Relu(Reshape(X, a))",
            "Slice(X, s, e) => X",
            "Unsqueeze(ReduceSum[keepdims = 0](X, a), a) => ReduceSum[keepdims = 1](X, a)",
            "Concat[axis = 0](Mul(A, B), Mul(B, C)) => Mul(Concat[axis = 0](A, B), Concat[axis = 0](B, C))",
            "Slice(Pad(A, [1, 2]), [1], [-2], [0]) => A",
            "Pad(A, [-1, 2]) => Slice(Pad(A, [0, 2]), [1], [9223372036854775807], [0])",
        ] {
            let is_of_one_dim = ["[1, 0]), ", "[1, 2])", "[-1, 2]", "[2, 3]"];
            let least = u64::from(!is_of_one_dim.iter().any(|own| text.contains(own))) + 1;
            let rank = shown(text);
            assert!(
                rank.as_ref().is_ok_and(|rank| *rank >= least),
                "{text}: {rank:?}"
            );
        }
    }

    #[test]
    fn other_numbers_are_not_shown_to_be_the_same() {
        for text in [
            "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))",
            "MatMul(A, B) => MatMul(B, A) :- rank(A) = 2, rank(B) = 2",
            "Transpose[perm = [0, 2, 1]](Transpose[perm = [1, 0, 2]](X)) => Transpose[perm = [2, 0, 1]](X)",
            "Gemm(Transpose[perm = [0, 1]](A), B, C) => Gemm[transA = 1](A, B, C)",
            "Add(MatMul(A, B), Unsqueeze(b, [1])) => Gemm(A, B, b)",
            "Concat[axis = 0](A, B) => Concat[axis = 0](B, A)",
            "ReduceSum(Mul(A, B), [0]) => Mul(ReduceSum(A, [0]), ReduceSum(B, [0])) :- shape(A) = shape(B)",
            "ReduceMean(X, [0]) => ReduceSum(X, [0])",
            "Mul(ReduceSum[keepdims = 0](X, [0]), c) => ReduceSum[keepdims = 0](Add(X, c), [0])",
            "MatMul(A, B) => ReduceSum[keepdims = 0](Mul(A, B), [-1])",
            "Flatten[axis = 1](X) => Transpose[perm = [1, 0]](Flatten[axis = 1](X))",
            "Exp(ReduceSum(X, [0])) => ReduceSum(Exp(X), [0])",
            "Reshape(Transpose(X), [-1]) => Reshape(X, [-1])",
            "Slice(Concat[axis = 0](A, B), [1], [3]) => A",
            "Slice(X, [0], [1]) => Slice(X, [1], [2])",
            "Slice(ReduceSum(X, [0]), [0], [1], [0]) => ReduceSum(Slice(X, [0], [1], [0]), [0])",
            "Concat[axis = 0](Slice(X, [1], [9223372036854775807], [0]), Slice(X, [0], [1], [0])) => X :- rank(X) <= 2",
            "MatMul(Slice(A, [0], [1], [1]), Slice(B, [0], [1], [0])) => MatMul(A, B) :- rank(A) = 2, rank(B) = 2",
            "Slice(Concat[axis = 0](A, X), [0], [1], [0]) => Slice(Concat[axis = 0](X, A), [0], [1], [0])",
            "Slice(Add(X, Y), [0], [1], [0]) => Slice(Add(X, Slice(Y, [1], [2], [0])), [0], [1], [0]) :- rank(X) = 2, rank(Y) = 2",
            "Pad(X, [1, 1, 0, 0]) => Pad(X, [1, 0, 0, 1])",
            "Pad(X, [1, 0, 0, 0]) => Pad(X, [0, 0, 1, 0])",
            "Pad(X, [1, 0, 0, 0], 1.0) => Pad(X, [1, 0, 0, 0])",
            "Pad(Exp(X), [1, 0, 0, 0]) => Exp(Pad(X, [1, 0, 0, 0]))",
            "Shape(Transpose(X)) => Shape(X)",
            "Conv(X, W) => Conv(W, X)",
            "Conv[auto_pad = \"SAME_UPPER\"](X, W) => Conv[auto_pad = \"SAME_LOWER\"](X, W)",
            "Conv[dilations = [1]](X, W) => Conv[dilations = [2]](X, W)",
            "Conv[pads = [1, 0]](X, W) => Conv[pads = [0, 1]](X, W)",
            "Conv(Concat[axis = 1](A, B), Concat[axis = 1](C, D)) => Add(Conv(A, D), Conv(B, C)) :- rank(A) = 3",
            "Conv(Concat[axis = 2](A, B), W) => Concat[axis = 2](Conv(A, W), Conv(B, W))",
            "Conv(Transpose[perm = [0, 1, 3, 2]](X), W) => Transpose[perm = [0, 1, 3, 2]](Conv(X, W))",
            "Conv(Mul(X, Y), W) => Mul(Conv(X, W), Y)",
            "Conv[group = 2](X, Concat[axis = 0](V, W)) => Concat[axis = 1](Conv(Slice(X, [0], [2], [1]), W), Conv(Slice(X, [2], [4], [1]), V)) :- X: T[n, 4, l], V: T[3, 2, k], W: T[3, 2, k]",
            "Conv[group = 2](X, W) => Conv(X, Concat[axis = 1](W, W))",
            "Relu(Conv(X, W)) => Conv(Relu(X), W)",
            "BatchNormalization(X, s, b, m, v) => BatchNormalization(X, s, b, v, m)",
            "BatchNormalization(X, s, b, m, v) => BatchNormalization(X, b, s, m, v)",
            "MaxPool[kernel_shape = [2]](Neg(X)) => Neg(MaxPool[kernel_shape = [2]](X))",
            "MaxPool[kernel_shape = [2]](X) => AveragePool[kernel_shape = [2]](X)",
            "MaxPool[kernel_shape = [2], strides = [2]](X) => MaxPool[kernel_shape = [2], strides = [2], ceil_mode = 1](X)",
            "MaxPool[kernel_shape = [3], pads = [1, 1]](X) => MaxPool[kernel_shape = [3], auto_pad = \"SAME_UPPER\", strides = [2]](X)",
            "AveragePool[kernel_shape = [3], pads = [1, 1]](X) => AveragePool[kernel_shape = [3], pads = [1, 1], count_include_pad = 1](X)",
            "ReduceMax(Neg(X), [0]) => Neg(ReduceMax(X, [0]))",
            "ReduceMax(Add(X, Y), [0]) => Add(ReduceMax(X, [0]), ReduceMax(Y, [0])) :- shape(X) = shape(Y)",
            "ReduceMax(X, [0]) => ReduceMin(X, [0])",
            "ReduceL1(X, [0]) => ReduceL2(X, [0])",
            "Einsum[equation = \"bij,bjk->bik\"](A, B) => MatMul(B, A)",
            "Einsum[equation = \"ij,kj->ik\"](A, B) => MatMul(A, B)",
            "Gather[axis = 0](X, i) => X",
            "Gather[axis = 0](X, i) => Gather[axis = 0](X, Neg(i))",
            "Gather[axis = 0](A, [2, 1]) => Slice(A, [1], [3], [0])",
            "Split[axis = -1, num_outputs = 2](MatMul(X, Concat[axis = -1](V, W))) => MatMul(X, W), MatMul(X, V)",
            "Reshape(Transpose(X), a) => Reshape(X, a)",
            "Reshape(Transpose[perm = [1, 0]](X), [-1, 3]) => Reshape(X, [-1, 3])",
            "Reshape(Add(X, Y), a) => Add(Reshape(X, a), Reshape(Y, a))",
            "Slice(Add(X, X), s, e) => X",
            "Unsqueeze(ReduceSum[keepdims = 0](X, a), a) => ReduceSum[keepdims = 1](Neg(X), a)",
            "Concat[axis = 0](Mul(A, B), Mul(B, C)) => Mul(Concat[axis = 0](B, A), Concat[axis = 0](B, C))",
            "Slice(Pad(A, [1, 2]), [1], [-1], [0]) => A",
            "Slice(Pad(A, [1, 2]), [0], [-3], [0]) => A",
            "Pad(A, [-1, 2]) => Pad(A, [0, 1])",
        ] {
            assert!(!shown(text).is_ok_and(|rank| rank >= 2), "{text}");
        }
    }

    /// Each written number by itself one more or one less: what names for sizes show then is not refuted by instances.
    #[test]
    fn what_names_show_of_rules_that_were_changed_is_not_refuted() {
        let mut shown_of_changed = 0;
        for text in [
            "Slice(Transpose(X), [0], [1], [1]) => Transpose(Slice(X, [0], [1], [0])) :- rank(X) = 2",
            "Slice(MatMul(A, B), [0], [2], [0]) => MatMul(Slice(A, [0], [2], [0]), B) :- rank(A) = 2, rank(B) = 2",
            "Slice(Slice(X, [1], [9223372036854775807], [0]), [0], [1], [0]) => Slice(X, [1], [2], [0])",
            "Concat[axis = 0](Slice(X, [0], [1], [0]), Slice(X, [1], [9223372036854775807], [0])) => X :- rank(X) <= 2",
            "Slice(Concat[axis = 0](A, B), [0], [2]) => A",
            "Slice(Pad(X, [1, 0]), [1], [9223372036854775807], [0]) => X :- rank(X) = 1",
            "Pad(Relu(X), [1, 1, 0, 2]) => Relu(Pad(X, [1, 1, 0, 2]))",
            "Pad(Pad(X, [1, 0]), [0, 1]) => Pad(X, [1, 1])",
            "Pad(Slice(X, [0], [1], [0]), [0, 0, 1, 0]) => Slice(Pad(X, [0, 0, 1, 0]), [0], [2], [0])",
        ] {
            let end = text.find(":-").unwrap_or(text.len());
            let bytes = text.as_bytes();
            let is_alone = |at: usize| {
                bytes[at].is_ascii_digit()
                    && !bytes[at - 1].is_ascii_alphanumeric()
                    && !bytes[at + 1].is_ascii_alphanumeric()
            };
            for at in (1..end - 1).filter(|at| is_alone(*at)) {
                for other in [bytes[at] + 1, bytes[at].saturating_sub(1)] {
                    if !other.is_ascii_digit() {
                        continue;
                    }
                    let changed = [&text[..at], &char::from(other).to_string(), &text[at + 1..]];
                    let changed = changed.concat();
                    if !shown(&changed).is_ok_and(|rank| rank >= 1) {
                        continue;
                    }
                    let rule = Rule::read(kanshape::catalog(), &changed, []).expect("a rule");
                    let verdict = rule.values().map(|own| own.verdict);
                    assert_ne!(verdict, Ok(Agreement::Refuted), "{changed}");
                    shown_of_changed += 1;
                }
            }
        }
        assert!(shown_of_changed > 0);
    }
}
