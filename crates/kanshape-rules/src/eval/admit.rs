//! An output that was calculated, against what is given of it.

use super::store::{TensorVal, Val};
use super::{Evaluator, Stop};
use crate::encode::Labels;
use kanshape_types::{DtypeTerm, Tensor, Type, TypeKind};

impl Evaluator<'_> {
    /// From now on a type that was calculated is the given one, of which not everything need be known.
    pub(super) fn admit(&mut self, given: &Type, found: Val, labels: &Labels) -> Result<(), Stop> {
        if !given.conditions.is_empty() {
            return Err(Stop::Leave);
        }
        match (&given.kind, found) {
            (TypeKind::Unknown, _) => Ok(()),
            (TypeKind::Tensor(given), Val::Tensor(found)) => {
                self.admit_tensor(given, self.store.tensor(found))
            }
            (
                TypeKind::Tuple(_) | TypeKind::Adt(..) | TypeKind::User(..),
                Val::Node(label, cells),
            ) if labels.find(given) == Some(label) && given.parts().count() == cells.len() => {
                for (i, part) in given.parts().enumerate() {
                    let found = self.store.cells(cells)[i];
                    self.admit(part, found, labels)?;
                }
                Ok(())
            }
            _ => Err(Stop::Leave),
        }
    }

    fn admit_tensor(&mut self, given: &Tensor, found: TensorVal<'_>) -> Result<(), Stop> {
        match &given.dtype {
            DtypeTerm::Known(own) => self.dtype_among(found.dtype, (*own).into())?,
            DtypeTerm::Hole => {}
            _ => return Err(Stop::Leave),
        }
        let (shape, rank) = (&given.shape, found.shape.len());
        let known = shape.known_dims().len();
        match shape.run() {
            Some(run) if run.name.is_some() => return Err(Stop::Leave),
            Some(_) if known <= rank => {}
            None if known == rank => {}
            _ => return Err(Stop::Fail),
        }
        // What stands behind a run is counted from the end.
        let (before, after) = (shape.before(), shape.after());
        let places = (0..before.len()).chain(rank - after.len()..rank);
        for (dim, place) in before.iter().chain(after).zip(places) {
            if let Some(dim) = self.load_dim(dim)? {
                let found = self.store.number(found.shape, place);
                self.same_number(dim, found)?;
            }
        }
        match (&given.contents, found.contents) {
            (None, _) => Ok(()),
            (Some(own), Some(found)) if own.len() == found.len() => {
                for (i, member) in own.iter().enumerate() {
                    let own = self.load_member(given.dtype.known(), member)?;
                    self.same_number(own, self.store.number(found, i))?;
                }
                Ok(())
            }
            (Some(_), _) => Err(Stop::Leave),
        }
    }
}
