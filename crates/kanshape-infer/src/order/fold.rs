//! Dims under the name of the run that they are, where they have no other.

use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Spanned};
use kanshape_types::{Name, Shape, Tensor, Type, TypeKind};

/// The type with a user's run in place of its dims, if the conditions say which it has and some of
/// these could only be spoken of by a name of our own: `f32[...r] where ...r == [2, ?]` rather than
/// `f32[2, d0] where ...r == [2, d0]`.
pub(super) fn folded(ty: &Type, conditions: &[Condition], is_user: &dyn Fn(&str) -> bool) -> Type {
    let runs: Vec<Run<'_>> = conditions
        .iter()
        .filter_map(Run::of)
        .filter(|run| run.has_unknown(is_user))
        .collect();
    match runs.is_empty() {
        true => ty.clone(),
        false => of_type(ty, &runs),
    }
}

/// A run, and its dims.
struct Run<'c> {
    name: Name,
    dims: &'c [Spanned<DimItem>],
}

impl Run<'_> {
    fn of(c: &Condition) -> Option<Run<'_>> {
        match c {
            Condition::Compare(Expr::Run(Some(name)), rest) => match &rest[..] {
                [(CmpOp::Eq, Expr::List(dims))] => Some(Run {
                    name: Name::word(&*name.node),
                    dims,
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is there a name among the dims that is not the user's?
    fn has_unknown(&self, is_user: &dyn Fn(&str) -> bool) -> bool {
        let mut unknown = false;
        let mut look = |name: &str| unknown |= !is_user(name);
        for dim in self.dims {
            match &dim.node {
                DimItem::Dim(e) => e.for_each_name(&mut look),
                DimItem::Run(Some(name)) => look(&name.node),
                DimItem::Run(None) | DimItem::Hole => {}
            }
        }
        unknown
    }

    /// The shape with the run in place of its dims, if they are there.
    fn fold(&self, shape: &Shape) -> Option<Shape> {
        let dims = shape.to_tree();
        let count = self.dims.len();
        let at = dims.windows(count).position(|some| some == self.dims)?;
        let other = dims[..at].iter().chain(&dims[at + count..]);
        // There is room for one run.
        if other
            .into_iter()
            .any(|dim| matches!(dim.node, DimItem::Run(_)))
        {
            return None;
        }
        let all = shape.known_dims();
        let behind = dims.len() - at - count;
        let kept = all[..at].iter().chain(&all[all.len() - behind..]);
        let kept: Shape = kept.cloned().collect();
        Some(kept.with_run(at, Some(self.name.clone())))
    }
}

fn of_type(ty: &Type, runs: &[Run<'_>]) -> Type {
    match &ty.kind {
        TypeKind::Tensor(tensor) => {
            let shape = runs.iter().find_map(|run| run.fold(&tensor.shape));
            let shape = shape.unwrap_or_else(|| tensor.shape.clone());
            let tensor =
                Tensor::new(tensor.dtype.clone(), shape).with_contents(tensor.contents.clone());
            Type::from(tensor).with_conditions(ty.conditions.clone())
        }
        _ => ty.map_parts(&mut |part| of_type(part, runs)),
    }
}
