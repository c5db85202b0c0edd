//! Goals about parts of shapes, and about shapes that are turned around.

use kanshape::tree::relation::Goal;

use super::{GoalTable, LARGEST_AXIS, PlainShape, WrittenShape, made};
use crate::program::{Program, Step};

/// Parts of shapes that are compared, beside those that the axes of a rule cut off.
const PARTS: [DimsPart; 6] = [
    DimsPart::from(1),
    DimsPart::to(-1),
    DimsPart::from(2),
    DimsPart::to(-2),
    DimsPart::between(1, -1),
    DimsPart::between(2, -1),
];
/// The most parts.
const MOST_PARTS: usize = 14;

/// A part of a shape: the dims from a place on, and those before one. A negative place counts from the end.
#[derive(Clone, Copy, PartialEq, Eq)]
struct DimsPart {
    from: Option<i64>,
    to: Option<i64>,
}

impl DimsPart {
    const fn from(place: i64) -> DimsPart {
        DimsPart {
            from: Some(place),
            to: None,
        }
    }

    const fn to(place: i64) -> DimsPart {
        DimsPart {
            from: None,
            to: Some(place),
        }
    }

    const fn between(from: i64, to: i64) -> DimsPart {
        DimsPart {
            from: Some(from),
            to: Some(to),
        }
    }

    /// The part of a shape; none if the shape has no such places, or not in this order.
    fn of(self, shape: &[u64]) -> Option<PlainShape> {
        let at = |place: Option<i64>, none: usize| match place {
            None => Some(none),
            Some(place) => match usize::try_from(place.unsigned_abs()).ok()? {
                n if place < 0 => shape.len().checked_sub(n),
                n => Some(n),
            },
        };
        let part = shape.get(at(self.from, 0)?..at(self.to, shape.len())?);
        part.map(<[u64]>::to_vec)
    }
}

/// The parts of shapes for which there are goals of a rule: those before and behind its axes are among them.
fn parts(program: &Program) -> Vec<DimsPart> {
    let mut parts = PARTS.to_vec();
    let is_axis = |n: &i64| n.unsigned_abs() <= LARGEST_AXIS;
    for axis in program.ints().into_iter().filter(is_axis) {
        // No place is before the first dim, and all are before the end.
        let places = [axis, axis + 1].into_iter().filter(|place| *place != 0);
        for part in places.flat_map(|place| [DimsPart::from(place), DimsPart::to(place)]) {
            if !parts.contains(&part) && parts.len() < MOST_PARTS {
                parts.push(part);
            }
        }
    }
    parts
}

/// A part of the shape of a leaf.
fn part_of(own: &WrittenShape, part: DimsPart) -> WrittenShape {
    let [from, to] = [part.from, part.to].map(|place| place.map(made::int));
    let shapes = own.shapes.map(|shape| part.of(shape));
    WrittenShape::new(made::part(&own.term, from, to), shapes)
}

/// Goals about parts of shapes.
pub(super) fn of_parts(program: &Program, leaves: &[&WrittenShape], all: &mut GoalTable) {
    let parts = parts(program);
    for part in &parts {
        let parts: Vec<WrittenShape> = leaves.iter().map(|own| part_of(own, *part)).collect();
        for (i, a) in parts.iter().enumerate() {
            for (j, b) in parts.iter().enumerate() {
                if i < j {
                    all.same(&[], a, b);
                    all.compatible(a, b);
                }
                if i != j {
                    all.stretched(&[], a, b);
                }
            }
            all.of_one(a);
            all.not_empty(a);
        }
    }
    of_shifted(&parts, leaves, all);
}

/// Parts that are as long as other ones: of the same shape those without the first and without the last dims, and whole shapes.
fn of_shifted(parts: &[DimsPart], leaves: &[&WrittenShape], all: &mut GoalTable) {
    for part in parts {
        for own in leaves {
            let a = part_of(own, *part);
            if let (Some(from @ 1..), None) = (part.from, part.to) {
                all.same(&[], &a, &part_of(own, DimsPart::to(-from)));
            }
            leaves.iter().for_each(|leaf| all.product(&a, leaf));
            for other in leaves.iter().filter(|other| other.term != own.term) {
                all.same(&[], &a, other);
                all.stretched(&[], &a, other);
                all.stretched(&[], other, &a);
            }
        }
    }
}

/// Shapes that are others from their ends, of a rule that turns shapes around.
pub(super) fn of_turned(program: &Program, leaves: &[&WrittenShape], all: &mut GoalTable) {
    let turns =
        |step: &Step| step.operator.full_name() == "onnx::Transpose" && step.attrs.is_empty();
    if !program.steps.iter().any(turns) {
        return;
    }
    for a in leaves {
        for b in leaves {
            let terms = [&a.term, &b.term].map(|term| made::nowhere(term.clone()));
            let goal = Goal::Call(made::ident("Reverse"), terms.into());
            all.both(goal, a, b, &|x, y| x.iter().rev().eq(y));
        }
    }
}
