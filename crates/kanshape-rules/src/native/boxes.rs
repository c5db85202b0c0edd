//! Boxes that overlap.

use super::count::says;
use super::{Native, Param};
use crate::encode::{Kind, float};
use crate::limits::MAX_BOXES;
use crate::rules::native::{Arguments, Stop};
use kanshape_engine::Int;

/// `SelectedBoxes(boxes, scores, images, count, centers, most, overlap, least, k)`: `k` boxes are left of those of so
/// many images, `count` in each, four numbers a box. Of every class at most `most`, the best ones, with a score above
/// `least` and none that shares more than `overlap` of its area with a better one. `overlap` and `least` are lists of
/// one number, or empty where nobody says it.
///
/// As ONNX's `NonMaxSuppression` has it, in 32 bits. Where the same in 64 bits selects others, nothing is said.
#[derive(Debug)]
pub(super) struct SelectedBoxes;

/// The places of boxes, scores, `overlap` and `least`.
const LISTS: [usize; 4] = [0, 1, 6, 7];

/// A box by two of its corners.
#[derive(Clone, Copy)]
struct Corners {
    low: [f64; 2],
    high: [f64; 2],
}

/// Rounds to the precision of the arithmetic.
type Round = fn(f64) -> f64;

impl Corners {
    fn new([a, b, c, d]: [f64; 4], by_center: bool, round: Round) -> Corners {
        match by_center {
            // The middle along both axes, and how far it reaches along them.
            true => {
                let (along, across) = (round(c / 2.0), round(d / 2.0));
                Corners {
                    low: [round(a - along), round(b - across)],
                    high: [round(a + along), round(b + across)],
                }
            }
            false => Corners {
                low: [a.min(c), b.min(d)],
                high: [a.max(c), b.max(d)],
            },
        }
    }

    fn area(&self, round: Round) -> f64 {
        let [along, across] = [0, 1].map(|axis| round(self.high[axis] - self.low[axis]));
        round(along * across)
    }

    /// Do the two share more than this part of what both of them cover?
    fn overlaps(&self, other: &Corners, part: f64, round: Round) -> bool {
        let shared = Corners {
            low: [0, 1].map(|axis| self.low[axis].max(other.low[axis])),
            high: [0, 1].map(|axis| self.high[axis].min(other.high[axis])),
        };
        if (0..2).any(|axis| shared.high[axis] <= shared.low[axis]) {
            return false;
        }
        let areas = [self, other, &shared].map(|corners| corners.area(round));
        if areas.iter().any(|area| *area <= 0.0) {
            return false;
        }
        let all = round(round(areas[0] + areas[1]) - areas[2]);
        all > 0.0 && round(areas[2] / all) > part
    }
}

/// Which boxes of one class are left, the best first.
fn selected(
    boxes: &[Corners],
    scores: &[f64],
    (most, overlap, least): (usize, f64, f64),
    round: Round,
) -> Vec<usize> {
    let above = (0..scores.len()).filter(|i| scores[*i] > least);
    let mut best: Vec<usize> = above.collect();
    best.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut left: Vec<usize> = Vec::new();
    for i in best {
        if left.len() >= most {
            break;
        }
        let covered = |kept: &usize| boxes[i].overlaps(&boxes[*kept], overlap, round);
        if !left.iter().any(covered) {
            left.push(i);
        }
    }
    left
}

fn floats(codes: Vec<Int>) -> Option<Vec<f64>> {
    let codes = codes.into_iter();
    codes
        .map(|code| float::value(code).filter(|x| !x.is_nan()))
        .collect()
}

/// The number in a list of at most one.
fn only(list: &[f64], none: f64) -> f64 {
    list.first().copied().unwrap_or(none)
}

/// How many boxes are left of all images and classes, if that is certain.
fn count(
    [boxes, scores, overlap, least]: [&[f64]; 4],
    [images, each, most]: [usize; 3],
    by_center: bool,
) -> Option<usize> {
    let is_whole = boxes.len() == images.checked_mul(each)?.checked_mul(4)?;
    if each == 0 || !is_whole || each > MAX_BOXES {
        return (each == 0).then_some(0);
    }
    let rows = scores.len().checked_div(each)?;
    let classes = rows.checked_div(images)?;
    let rules = (most, only(overlap, 0.0), only(least, f64::NEG_INFINITY));
    let mut left = 0;
    for (row, scores) in scores.chunks(each).enumerate() {
        let own = boxes.chunks(4 * each).nth(row.checked_div(classes)?)?;
        let in_bits = |round: Round| {
            let corners = own.chunks(4).map(|numbers| match *numbers {
                [a, b, c, d] => Some(Corners::new([a, b, c, d], by_center, round)),
                _ => None,
            });
            let corners: Vec<Corners> = corners.collect::<Option<_>>()?;
            Some(selected(&corners, scores, rules, round))
        };
        let short = in_bits(|x| f64::from(x as f32))?;
        if short != in_bits(|x| x)? {
            return None;
        }
        left += short.len();
    }
    Some(left)
}

impl Native for SelectedBoxes {
    fn name(&self) -> &'static str {
        "SelectedBoxes"
    }

    fn params(&self) -> Vec<Param> {
        let int = || Param::Is(Kind::Int);
        let cells = || Param::Cells;
        vec![
            cells(),
            cells(),
            int(),
            int(),
            int(),
            int(),
            cells(),
            cells(),
            int(),
        ]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        let mut lists = Vec::with_capacity(4);
        for i in LISTS {
            lists.push(args.ints(i)?);
        }
        let size = |n: Int| usize::try_from(n.max(0)).unwrap_or(usize::MAX);
        let sizes = [size(args.int(2)?), size(args.int(3)?), size(args.int(5)?)];
        let by_center = args.int(4)? != 0;
        args.begin(0)?;
        let lists: Option<Vec<Vec<f64>>> = lists.into_iter().map(floats).collect();
        let Some([boxes, scores, overlap, least]) = lists.as_deref() else {
            return Ok(());
        };
        match count([boxes, scores, overlap, least], sizes, by_center) {
            Some(left) => says(args, 8, left),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Three boxes: the second covers most of the first, the third stands apart.
    const BOXES: [f64; 12] = [0.0, 0.0, 1.0, 1.0, 0.0, 0.1, 1.0, 1.1, 0.0, 10.0, 1.0, 11.0];

    fn left(scores: &[f64], overlap: f64, least: &[f64], most: usize) -> Option<usize> {
        count([&BOXES, scores, &[overlap], least], [1, 3, most], false)
    }

    #[test]
    fn a_box_goes_where_a_better_one_covers_it() {
        assert_eq!(left(&[0.9, 0.8, 0.7], 0.5, &[], 3), Some(2));
        assert_eq!(left(&[0.9, 0.8, 0.7], 0.9, &[], 3), Some(3));
        assert_eq!(left(&[0.9, 0.8, 0.7], 0.5, &[], 1), Some(1));
        assert_eq!(left(&[0.9, 0.8, 0.7], 0.5, &[0.75], 3), Some(1));
        assert_eq!(left(&[0.9, 0.8, 0.7], 0.5, &[0.9], 3), Some(0));
    }

    #[test]
    fn each_class_is_for_itself() {
        let scores = [0.9, 0.8, 0.7, 0.0, 0.0, 0.5];
        assert_eq!(left(&scores, 0.5, &[0.0], 3), Some(3));
    }

    #[test]
    fn boxes_without_an_area_cover_nothing() {
        let boxes = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
        let all = count([&boxes, &[0.9, 0.8], &[0.0], &[]], [1, 2, 5], false);
        assert_eq!(all, Some(2));
    }

    #[test]
    fn boxes_may_be_given_by_their_centers() {
        let boxes = [0.5, 0.5, 1.0, 1.0, 0.5, 0.6, 1.0, 1.0];
        let all = |overlap| count([&boxes, &[0.9, 0.8], &[overlap], &[]], [1, 2, 5], true);
        assert_eq!((all(0.5), all(0.9)), (Some(1), Some(2)));
    }

    #[test]
    fn what_turns_on_rounding_is_not_said() {
        // The one shares exactly 1/7 with the other: in 32 bits that is a little more.
        let boxes = [0.0, 0.0, 1.0, 1.0, 0.5, 0.5, 1.5, 1.5];
        let all = |overlap| count([&boxes, &[0.9, 0.8], &[overlap], &[]], [1, 2, 5], false);
        assert_eq!(all(f64::from(1.0f32 / 7.0)), Some(2));
        assert_eq!(all(1.0 / 7.0 + 1e-10), None);
    }
}
