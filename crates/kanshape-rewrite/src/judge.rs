//! [`Judge`]: one instance, calculated on contents that are drawn.

use std::sync::Arc;

use kanshape::tree::Spanned;
use kanshape::tree::relation::{Goal, Term};
use kanshape::{Contents, Dtype, DtypeSet, Tensor, Type};
use kanshape_eval::{Array, Number};

use contents::{DRAWS, Draw, EDGES, MORE, OF_CASTS, OF_ROUNDS, SPECIAL, drawn, with_contents};

use crate::check::{Checked, Compiled};
use crate::ground::Ground;
use crate::instances::{Instance, Random};
use crate::program::{ContentsGoal, conjuncts};
use crate::sides::{CalculatedSides, ComparedSides, array, sizes};
use crate::soundness::Case;

mod contents;

/// The most elements of all leaves of an instance together.
const MOST_ELEMENTS: usize = 512;
/// The most elements that are calculated for a rule, and products of expressions that are made.
const MOST_CALCULATED: usize = 400_000;
const MOST_PRODUCTS: usize = 1_200_000;
/// And for one instance.
const PRODUCTS_OF_ONE: usize = 200_000;
/// What fills a leaf of whose contents the precondition speaks, if nothing that is drawn does.
const FILLS: [f64; 5] = [0.0, 1.0, -1.0, 2.0, 0.5];
/// The most leaves that are filled.
const MOST_FILLED: usize = 3;

/// What is drawn to label one of many instances.
const FEW_DRAWS: [Draw; 3] = [Draw::Counted, Draw::Small, Draw::Reals];

/// Operators that make elements of one dtype those of another one.
const CASTS: [&str; 4] = ["Cast", "CastLike", "QuantizeLinear", "DequantizeLinear"];

/// Does a goal say that a dtype is one of integers?
fn speaks_of_ints(goal: &Goal) -> bool {
    match goal {
        Goal::Compare(first, rest) => {
            let all = || std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
            let is_dtype = |term: &Spanned<Term>| matches!(&term.node, Term::Call(name, _) if &*name.node == "dtype");
            let is_int = |term: &Spanned<Term>| {
                let dtype = match &term.node {
                    Term::Name(name) => Dtype::named(&name.node),
                    _ => None,
                };
                dtype.is_some_and(|own| DtypeSet::INT.union(DtypeSet::UINT).contains(own))
            };
            all().any(is_dtype) && all().any(is_int)
        }
        _ => false,
    }
}

/// What an instance shows.
pub(crate) enum Judged {
    Proved,
    /// For what was drawn; and why it is not proved.
    Same(String),
    Other(Box<Case>),
    Opaque(String),
    /// There is nothing in the outputs: they are the same, and it shows nothing.
    Empty,
    /// The left side had no value for what was drawn.
    None,
}

pub(crate) struct Judge<'a> {
    compiled: &'a Compiled,
    sides: &'a CalculatedSides<'a>,
    names: Vec<Box<str>>,
    /// The leaves of whose contents the precondition speaks.
    spoken: Vec<usize>,
    /// It finds which elements are NaN or infinite.
    is_about_special: bool,
    /// It makes elements of one dtype those of another one.
    has_casts: bool,
    /// Or its precondition says that it is about integers.
    is_about_ends: bool,
    /// It rounds.
    is_about_halves: bool,
    random: Random,
    /// The elements that may still be calculated, and the products of expressions that may still be made.
    elements: usize,
    products: usize,
    /// Why an instance is not proved: then no other one is tried to be.
    open: Option<String>,
}

impl<'a> Judge<'a> {
    /// With `proves` it is found out whether both sides are the same for all contents.
    pub(crate) fn new(
        checked: &Checked<'_>,
        compiled: &'a Compiled,
        sides: &'a CalculatedSides<'a>,
        proves: bool,
    ) -> Judge<'a> {
        let names: Vec<Box<str>> = compiled
            .program
            .leaves
            .iter()
            .map(|own| own.name.clone())
            .collect();
        let has = |ops: &[&str]| {
            let mut steps = compiled.program.steps.iter();
            steps.any(|step| ops.contains(&step.operator.name()))
        };
        let goals_of = &compiled.program.contents_goals;
        let spoken = (0..names.len()).filter(|leaf| goals_of[*leaf] == ContentsGoal::Constrained);
        Judge {
            spoken: spoken.collect(),
            is_about_special: has(&["IsNaN", "IsInf"]),
            has_casts: has(&CASTS),
            is_about_ends: has(&CASTS)
                || conjuncts(&checked.rule.body)
                    .iter()
                    .any(|goal| speaks_of_ints(&goal.node)),
            is_about_halves: has(&["Round", "Floor", "Ceil"]),
            compiled,
            sides,
            names,
            random: Random(1),
            elements: MOST_CALCULATED,
            products: MOST_PRODUCTS,
            open: (!proves).then(|| "that was not tried".into()),
        }
    }

    /// Does the precondition speak of contents, and not just say that all are one number?
    pub(crate) fn speaks_of_contents(&self) -> bool {
        !self.spoken.is_empty()
    }

    pub(crate) fn outcome(&mut self, instance: &Instance, ground: &mut Ground<'_>) -> Judged {
        let is_empty = |ty: &Arc<Type>| sizes(ty).is_none_or(|own| own.contains(&0));
        if instance.left.iter().all(is_empty) {
            return Judged::Empty;
        }
        let leaves = types(&instance.leaves);
        if elements(&leaves).is_none() {
            return Judged::None;
        }
        let given = match self.given(&leaves, ground) {
            Some(given) => given,
            None => return Judged::Opaque("contents for which the precondition holds".into()),
        };
        if self.elements == 0 {
            return Judged::None;
        }
        let special = if self.is_about_special {
            &SPECIAL[..]
        } else {
            &[]
        };
        let of_casts = if self.has_casts { &OF_CASTS[..] } else { &[] };
        let of_rounds = if self.is_about_halves {
            &OF_ROUNDS[..]
        } else {
            &[]
        };
        let draws = DRAWS.iter().chain(special).chain(of_casts);
        let draws = draws.chain(of_rounds);
        match self.calculated(&given, draws.copied()) {
            Ok(true) => {}
            Ok(false) => return Judged::None,
            Err(other) => return other,
        }
        if self.open.is_none() && self.products < PRODUCTS_OF_ONE {
            // What was proved until now is what counts: this one is not tried to be.
            return Judged::None;
        }
        match self.proved(&given) {
            None => Judged::Proved,
            Some(why) => self.tried_more(&given, why),
        }
    }

    /// What an instance shows that is not proved: it is calculated for more contents, which no other instance depends on.
    fn tried_more(&mut self, given: &[Vec<Type>], why: String) -> Judged {
        let random = std::mem::replace(&mut self.random, Random(3));
        let more = self.calculated(given, MORE);
        // What is proved is so for numbers that wrap around; what is not may differ at the ends of the dtype alone.
        let at_ends = self.calculated(given, EDGES);
        self.random = random;
        match more {
            Err(Judged::Other(case)) => Judged::Other(case),
            _ => match at_ends {
                Err(Judged::Other(case)) if self.is_about_ends => Judged::Other(case),
                Err(Judged::Other(case)) => {
                    let leaves = case.leaves.iter().map(|(name, ty)| format!("{name} {ty}"));
                    let leaves = leaves.collect::<Vec<_>>().join(", ");
                    Judged::Same(format!("it differs where integers wrap around: {leaves}"))
                }
                _ => Judged::Same(why),
            },
        }
    }

    /// Is something calculated of contents that are drawn like this, and the same on both sides? What it shows if it is not the same.
    fn calculated(
        &mut self,
        given: &[Vec<Type>],
        draws: impl IntoIterator<Item = Draw> + Clone,
    ) -> Result<bool, Judged> {
        let mut is_calculated = false;
        for leaves in given {
            for draw in draws.clone() {
                let Some(all) = drawn(leaves, draw, &mut self.random) else {
                    return Err(Judged::Opaque("a dtype that has no numbers".into()));
                };
                match self
                    .sides
                    .compared(&all, draw.are_real(), &mut self.elements)
                {
                    ComparedSides::NoLeft => {}
                    ComparedSides::Same => is_calculated = true,
                    ComparedSides::Opaque(why) => return Err(Judged::Opaque(why)),
                    ComparedSides::Other(left, right) => {
                        let case = self.case(&all, &left, right);
                        return Err(Judged::Other(Box::new(case)));
                    }
                }
            }
        }
        Ok(is_calculated)
    }

    /// Why it is not proved; none if it is.
    fn proved(&mut self, given: &[Vec<Type>]) -> Option<String> {
        if self.open.is_none() {
            // The precondition may hold of other contents than those that were tried.
            let are_all = self.spoken.is_empty() || given.iter().all(|own| self.are_known(own));
            let sides = self.sides;
            let mut work = PRODUCTS_OF_ONE;
            self.open = match are_all {
                true => given
                    .iter()
                    .find_map(|own| sides.proved(own, &mut work).err()),
                false => Some("the precondition speaks of contents".into()),
            };
            self.products = self.products.saturating_sub(PRODUCTS_OF_ONE - work);
        }
        self.open.clone()
    }

    /// Do the sides differ for what is drawn? None if nothing was calculated.
    pub(crate) fn differs(&mut self, instance: &Instance) -> Option<bool> {
        let leaves = types(&instance.leaves);
        elements(&leaves)?;
        let leaves = self.filled(leaves)?;
        let mut found = None;
        for draw in FEW_DRAWS {
            let all = drawn(&leaves, draw, &mut self.random)?;
            match self
                .sides
                .compared(&all, draw.are_real(), &mut self.elements)
            {
                ComparedSides::NoLeft => {}
                ComparedSides::Same => found = Some(false),
                ComparedSides::Opaque(_) => return None,
                ComparedSides::Other(..) => return Some(true),
            }
        }
        found
    }

    /// The same where all members of a leaf are one number. None as well if it is known what is in it, or if its dtype has no such number.
    pub(crate) fn differs_with(
        &mut self,
        instance: &Instance,
        leaf: usize,
        number: f64,
    ) -> Option<bool> {
        let ty = instance.leaves.get(leaf)?;
        if array(ty).is_some() {
            return None;
        }
        let mut instance = instance.clone();
        instance.leaves[leaf] = Arc::new(filled(ty, number)?);
        self.differs(&instance)
    }

    fn are_known(&self, leaves: &[Type]) -> bool {
        self.spoken
            .iter()
            .all(|leaf| array(&leaves[*leaf]).is_some())
    }

    /// The types of the leaves, with the number that all members of one are where the precondition says so; none if a dtype has no such number.
    fn filled(&self, mut leaves: Vec<Type>) -> Option<Vec<Type>> {
        for (ty, goal) in leaves.iter_mut().zip(&self.compiled.program.contents_goals) {
            if let (ContentsGoal::All(number), None) = (goal, array(ty)) {
                *ty = filled(ty, *number)?;
            }
        }
        Some(leaves)
    }

    /// The types of the leaves, with contents for which the precondition holds where it speaks of them; none if none were found.
    fn given(&self, leaves: &[Type], ground: &mut Ground<'_>) -> Option<Vec<Vec<Type>>> {
        let leaves = &*self.filled(leaves.to_vec())?;
        let open = self
            .spoken
            .iter()
            .filter(|leaf| array(&leaves[**leaf]).is_none());
        let open: Vec<usize> = open.copied().take(MOST_FILLED).collect();
        if open.is_empty() {
            return Some(vec![leaves.to_vec()]);
        }
        let mut fills = FILLS.to_vec();
        fills.extend(self.compiled.sizes().into_iter().take(4).map(|n| n as f64));
        let mut all = vec![leaves.to_vec()];
        for leaf in open {
            let filled = |own: &Vec<Type>| -> Vec<Vec<Type>> {
                let types = fills.iter().filter_map(|fill| filled(&own[leaf], *fill));
                let with = |ty| {
                    let mut own = own.clone();
                    own[leaf] = ty;
                    own
                };
                types.map(with).collect()
            };
            all = all.iter().flat_map(filled).collect();
        }
        all.retain(|own| {
            let own: Vec<Arc<Type>> = own.iter().cloned().map(Arc::new).collect();
            ground.holds_of(&own)
        });
        (!all.is_empty()).then_some(all)
    }

    fn case(
        &self,
        leaves: &[Array<Number>],
        left: &[Array<Number>],
        right: Result<Vec<Array<Number>>, String>,
    ) -> Case {
        let types = |all: &[Array<Number>]| all.iter().map(with_contents).collect::<Vec<Type>>();
        let names = self.names.iter().cloned();
        let (right, why) = match right {
            Ok(right) => (
                Some(types(&right)),
                "the right side is other numbers".to_owned(),
            ),
            Err(why) => (None, why),
        };
        Case {
            attrs: Vec::new(),
            leaves: names.zip(types(leaves)).collect(),
            left: types(left),
            right,
            why: Some(why),
        }
    }
}

pub(crate) fn types(all: &[Arc<Type>]) -> Vec<Type> {
    all.iter().map(|ty| Type::clone(ty)).collect()
}

/// How many elements there are in tensors of these types together; none if they are more than are calculated.
fn elements(leaves: &[Type]) -> Option<usize> {
    let mut all = leaves.iter();
    let count = all.try_fold(0_usize, |sum, ty| {
        let mut sizes = sizes(ty)?.into_iter();
        sum.checked_add(sizes.try_fold(1, usize::checked_mul)?)
    })?;
    (count <= MOST_ELEMENTS).then_some(count)
}

/// A type all of whose elements are this number; none if the dtype has no such.
fn filled(ty: &Type, fill: f64) -> Option<Type> {
    let tensor = ty.as_tensor()?;
    let dtype = tensor.dtype.known()?;
    let number = match dtype {
        Dtype::Bool if fill == 0.0 || fill == 1.0 => Number::Bool(fill == 1.0),
        Dtype::Bool => return None,
        _ if dtype.name().starts_with(['i', 'u']) && fill.fract() != 0.0 => return None,
        _ if dtype.name().starts_with('u') && fill < 0.0 => return None,
        _ if dtype.name().starts_with(['i', 'u']) => Number::Int(fill as i64),
        _ => Number::Float(fill),
    };
    let shape = sizes(ty)?;
    let count = elements(std::slice::from_ref(ty))?;
    if count == 0 {
        let plain = Tensor::new(dtype, tensor.shape.clone());
        return Some(plain.with_contents(Contents::new(Vec::<i64>::new())).into());
    }
    Some(with_contents(
        &Array::new(dtype, shape, vec![number; count]).ok()?,
    ))
}
