//! What both sides say together, for a choice of ranks.

use kanshape::{Dim, Type};

use super::{Ranks, Slots, Symbolic, types};
use crate::program::Side;
use crate::reshape;

impl Ranks {
    /// The sizes of the leaves that both sides together determine: numbers that only the other side may say.
    pub(crate) fn sizes_of_both(&self) -> Vec<i64> {
        let Some((mut both, right)) = self.both.clone() else {
            return Vec::new();
        };
        let left = types(&mut both, &self.left);
        for (value, ty) in right.iter().zip(&left) {
            if both.assume(*value, ty).is_err() {
                return Vec::new();
            }
        }
        let leaves = types(&mut both, &self.values);
        let dims = leaves.iter().filter_map(Type::as_tensor);
        let dims = dims.flat_map(|tensor| tensor.shape.iter().filter_map(Dim::size));
        dims.filter_map(|n| i64::try_from(n).ok()).collect()
    }
}

impl Symbolic<'_> {
    /// Are the sizes that a `Reshape` of the right side copies beside a -1 not 0, or copied so by the left side as well? An executor
    /// takes no other ones.
    pub(super) fn copies_no_zero(&self, ranks: &Ranks, slots: &Slots) -> bool {
        let reshapes = |side: &Side| -> Vec<usize> {
            let steps = side.steps.iter().copied();
            steps
                .filter(|step| self.program.is_reshape(*step))
                .collect()
        };
        let right = reshapes(&self.program.right);
        let Some((both, _)) = ranks.both.as_ref().filter(|_| !right.is_empty()) else {
            return true;
        };
        let mut both = both.clone();
        let mut copied = |steps: &[usize]| -> Vec<Dim> {
            let types = steps.iter().filter_map(|step| {
                let inputs = &self.program.steps[*step].inputs;
                let value = |i: usize| slots[(*inputs.get(i)?)?];
                Some(types(&mut both, &[value(0)?, value(1)?]))
            });
            types
                .flat_map(|own| reshape::copied(&own[0], &own[1]))
                .collect()
        };
        let before = copied(&reshapes(&self.program.left));
        let after = copied(&right);
        after.iter().all(|dim| match dim {
            Dim::Size(n) => *n > 0,
            Dim::Hole => false,
            dim => before.contains(dim),
        })
    }
}
