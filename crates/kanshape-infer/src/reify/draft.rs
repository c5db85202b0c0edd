//! Tensors as they are to be written, before what is unknown in them has a name.

use super::naming::Naming;
use super::symbol::Expr;
use kanshape_engine::{Part, State, Stop, Term, Var, work};
use kanshape_rules::encode::{Slot, dtypes, float, measure};
use kanshape_types::{Content, Dim, Dtype, DtypeSet, DtypeTerm, Name, TypeKind};

/// A tensor before its unknowns have names.
pub(super) struct Draft {
    /// The user's type variable that it is, and nothing more.
    pub called: Option<Name>,
    pub dtype: DraftDtype,
    pub dims: Vec<DraftDim>,
    /// What is known of the contents.
    pub contents: Option<Vec<DraftContent>>,
}

/// A member of the contents.
pub(super) enum DraftContent {
    Value(Content),
    Expr(Expr),
}

pub(super) enum DraftDtype {
    Known(Dtype),
    Open(Var),
}

pub(super) enum DraftDim {
    /// As the user wrote it.
    Given(Dim),
    Expr(Expr),
    Run(Var),
}

/// What is to be written of a tensor.
pub(super) fn draft(state: &State, naming: &mut Naming<'_>, slot: &Slot) -> Result<Draft, Stop> {
    let root = state.root(slot.dtype);
    let dtype = match dtypes(state.mask(root)).single() {
        Some(d) if !naming.dtypes.contains_key(&root) => DraftDtype::Known(d),
        _ => DraftDtype::Open(root),
    };
    // A dtype that the user has named keeps its name where it is written, and only there.
    let dtype = match (dtype, &slot.given.kind, dtypes(state.mask(root)).single()) {
        (DraftDtype::Open(_), TypeKind::Tensor(t), Some(d))
            if !matches!(t.dtype, DtypeTerm::Name(_)) =>
        {
            DraftDtype::Known(d)
        }
        (DraftDtype::Open(_), TypeKind::Unknown | TypeKind::Var(_), Some(d)) => {
            DraftDtype::Known(d)
        }
        (dtype, _, _) => dtype,
    };
    let parts = state.parts(&slot.shape);
    let called = match parts[..] {
        [Part::Run(run)] => naming.tensor(root, run),
        _ => None,
    };
    let (before, after) = match slot.given.as_tensor() {
        Some(t) => (t.shape.before(), t.shape.after()),
        None => (&[][..], &[][..]),
    };
    let mut dims = Vec::with_capacity(parts.len());
    let count = parts.len();
    for (i, part) in parts.into_iter().enumerate() {
        // What is written is memory: of the answer, and of its text.
        work(8);
        let written = if i < before.len() {
            before.get(i)
        } else {
            (i + after.len())
                .checked_sub(count)
                .and_then(|j| after.get(j))
        };
        dims.push(match (written, part) {
            (Some(dim), _) if *dim != Dim::Hole => DraftDim::Given(dim.clone()),
            (_, Part::One(l)) => DraftDim::Expr(naming.form(&l).ok_or(Stop::Overflow)?),
            (_, Part::Run(v)) => DraftDim::Run(v),
        });
    }
    Ok(Draft {
        called,
        contents: contents(state, naming, slot)?,
        dtype,
        dims,
    })
}

/// What is to be written of the contents, if they show.
fn contents(
    state: &State,
    naming: &mut Naming<'_>,
    slot: &Slot,
) -> Result<Option<Vec<DraftContent>>, Stop> {
    let Term::Seq(seq) = state.walk(&slot.contents) else {
        return Ok(None);
    };
    let dtypes = dtypes(state.mask(slot.dtype));
    let mut members = Vec::new();
    for part in state.parts(&seq) {
        let Part::One(l) = part else {
            return Ok(None);
        };
        let l = state.resolve(&l)?;
        let known = l.as_constant();
        let whole = match dtypes.is_subset(DtypeSet::FLOAT) {
            true => measure::whole(state, &l)?,
            false => None,
        };
        members.push(if dtypes.is_subset(DtypeSet::INT.union(DtypeSet::UINT)) {
            DraftContent::Expr(naming.form(&l).ok_or(Stop::Overflow)?)
        } else if let Some(whole) = whole {
            DraftContent::Expr(naming.form(&whole).ok_or(Stop::Overflow)?)
        } else {
            DraftContent::Value(match (dtypes, known) {
                (DtypeSet::BOOL, Some(n)) => Content::Bool(n != 0),
                (d, Some(n)) if d.is_subset(DtypeSet::FLOAT) => match float::value(n) {
                    Some(x) => Content::from(x),
                    None => Content::Hole,
                },
                _ => Content::Hole,
            })
        });
    }
    Ok(Some(members))
}
