//! Layouts: in which order the axes of a tensor stand, and which are split in blocks. `NCHW16c` is a little language.

use super::{Native, Param, form, goal, is_number, list, number};
use crate::encode::{Kind, sizes};
use crate::rules::Context;
use crate::rules::native::{self, Arguments, Numbers};
use kanshape_engine::{Choice, Goal, Int, Linear, Look, Num, Stop, Term, View, Ways};
use std::sync::Arc;

/// `InLayout(layout, axes, sizes, dims)`: what has these sizes on these axes, `NCHW`, has these dims in a layout. In that, each axis
/// stands once, by its letter; a number in front of its small letter is a dim of blocks of so many, and the axis then the number
/// of blocks.
///
/// Where a layout is queried, those that are in use are answers, and one that leaves open which it is.
#[derive(Debug)]
pub(super) struct InLayout;

/// A dim of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LayoutDim {
    Axis(usize),
    /// A block of so many of an axis.
    Block(usize, i64),
}

/// A layout, by the numbers of its axes.
#[derive(Debug, PartialEq)]
struct Layout {
    places: Vec<LayoutDim>,
    axes: usize,
}

/// What stands in the text of a layout: the letter of an axis, in front of which is the size of its blocks where it is one of
/// those.
fn words(text: &str) -> Option<Vec<(char, Option<i64>)>> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| !c.is_ascii_digit()) {
        let (digits, letter) = rest.split_at(at);
        let letter = letter.chars().next()?;
        let word = match (letter.is_ascii_uppercase(), digits) {
            (true, "") => (letter, None),
            (false, _) => (letter.to_ascii_uppercase(), Some(block(digits)?)),
            (true, _) => return None,
        };
        words.push(word);
        rest = &rest[at + letter.len_utf8()..];
    }
    rest.is_empty().then_some(words)
}

impl Layout {
    /// `None` if it is no layout of these axes.
    fn read(text: &str, axes: &str) -> Option<Layout> {
        let mut places: Vec<LayoutDim> = Vec::new();
        for (letter, block) in words(text)? {
            let axis = axes.chars().position(|own| own == letter)?;
            places.push(block.map_or(LayoutDim::Axis(axis), |n| LayoutDim::Block(axis, n)));
        }
        let axes = axes.chars().count();
        let count = |is: &dyn Fn(&LayoutDim) -> bool| places.iter().filter(|own| is(own)).count();
        let is_whole = (0..axes).all(|axis| {
            let blocks = |own: &LayoutDim| matches!(own, LayoutDim::Block(of, _) if *of == axis);
            count(&|own| *own == LayoutDim::Axis(axis)) == 1 && count(&blocks) <= 1
        });
        is_whole.then_some(Layout { places, axes })
    }

    /// How many of an axis are in a block: one where it has none.
    fn block_of(&self, axis: usize) -> i64 {
        let block = self.places.iter().find_map(|place| match place {
            LayoutDim::Block(of, n) if *of == axis => Some(*n),
            _ => None,
        });
        block.unwrap_or(1)
    }

    /// The sizes on the axes, and the dims.
    fn state(&self, view: &mut View<'_>) -> Result<(Vec<Linear>, Vec<Linear>), Stop> {
        let outer: Vec<Linear> = (0..self.axes)
            .map(|_| Linear::var(view.int(sizes())))
            .collect();
        let mut all = Vec::with_capacity(outer.len());
        for (axis, blocks) in outer.iter().enumerate() {
            all.push(blocks.scaled(self.block_of(axis).into())?);
        }
        let dims = self.places.iter().map(|place| match place {
            LayoutDim::Axis(axis) => outer[*axis].clone(),
            LayoutDim::Block(_, n) => Linear::constant(Int::from(*n)),
        });
        Ok((all, dims.collect()))
    }
}

/// A number of elements in a block.
fn block(digits: &str) -> Option<i64> {
    let n: i64 = digits.parse().ok()?;
    (1..=i64::from(i32::MAX)).contains(&n).then_some(n)
}

/// The layouts that are in use, of images and of kernels: the first two axes; the orders, in which `*` is the axes of the image; and
/// behind the first of these blocks of `#`, with the sizes of blocks.
type Known = (&'static str, &'static [&'static str], &'static [Blocks]);
type Blocks = (&'static [u8], &'static [&'static str]);
const KNOWN: [Known; 2] = [
    (
        "NC",
        &["NC*", "N*C", "*CN", "C*N", "*NC"],
        &[
            (&[2, 4, 8, 16, 32, 64], &["#c"]),
            (&[2, 4, 8, 16], &["#n#c"]),
        ],
    ),
    (
        "OI",
        &["OI*", "IO*", "*IO", "*OI", "O*I", "I*O"],
        &[(&[4, 8, 16], &["#i#o", "#o#i", "#o"])],
    ),
];

/// The layouts of these axes that are in use.
fn known(axes: &str) -> Vec<String> {
    let of = |known: &&Known| axes.starts_with(known.0);
    let Some((first, orders, blocks)) = KNOWN.iter().find(of) else {
        return Vec::new();
    };
    let image = &axes[first.len()..];
    let mut all: Vec<String> = orders.iter().map(|own| own.replace('*', image)).collect();
    for (sizes, texts) in *blocks {
        for n in *sizes {
            let n = n.to_string();
            all.extend(
                texts
                    .iter()
                    .map(|text| format!("{axes}{}", text.replace('#', &n))),
            );
        }
    }
    all
}

impl Native for InLayout {
    fn name(&self) -> &'static str {
        "InLayout"
    }

    fn params(&self) -> Vec<Param> {
        let text = || Param::Is(Kind::Text);
        let ints = || Param::Is(Kind::Int.list());
        vec![text(), text(), ints(), ints()]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let axes = args.text(1)?.to_owned();
        let layout = match args.text(0) {
            Ok(layout) => layout,
            Err(native::Stop::Wait) => return Err(native::Stop::Leave),
            Err(stop) => return Err(stop),
        };
        let layout = Layout::read(layout, &axes).ok_or(native::Stop::Fail)?;
        match args.numbers(2) {
            Ok(sizes) => {
                let sizes: Numbers = sizes.into();
                let dims = packed(args, &layout, &sizes)?;
                args.say_numbers(3, &dims)
            }
            Err(native::Stop::Wait) => {
                let dims: Numbers = args.numbers(3).map_err(|_| native::Stop::Wait)?.into();
                let sizes = unpacked(args, &layout, &dims)?;
                args.say_numbers(2, &sizes)
            }
            Err(stop) => Err(stop),
        }
    }

    // Sizes give dims and the other way around, however many of either are known; and a layout may be queried.
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        is_number(look, &args[1])
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let axes = number(view, &args[1])?;
        let Some(axes) = context.text(axes) else {
            return Ok(Goal::fail());
        };
        let Some(layout) = form(view, &args[0])?.as_constant() else {
            return Ok(Goal::choice(OpenText {
                context: Arc::clone(context),
                text: args[0].clone(),
                known: known(&axes),
                then: Some(args.into()),
            }));
        };
        let layout = context.text(layout);
        let Some(layout) = layout.and_then(|text| Layout::read(&text, &axes)) else {
            return Ok(Goal::fail());
        };
        let (sizes, dims) = layout.state(view)?;
        Ok(Goal::all([
            Goal::equal(args[2].clone(), list(sizes)),
            Goal::equal(args[3].clone(), list(dims)),
        ]))
    }
}

/// The dims of what has these sizes.
fn packed(
    args: &mut dyn Arguments,
    layout: &Layout,
    sizes: &[Num],
) -> Result<Numbers, native::Stop> {
    if sizes.len() != layout.axes {
        return Err(native::Stop::Fail);
    }
    let mut dims = Numbers::new();
    for place in &layout.places {
        dims.push(match *place {
            LayoutDim::Block(_, n) => Num::new(n)?,
            LayoutDim::Axis(axis) => {
                let (size, block) = (sizes[axis], Num::new(layout.block_of(axis))?);
                match (args.exact_div(size, block), size.int()) {
                    (Some(blocks), _) => blocks,
                    (None, Some(_)) => return Err(native::Stop::Fail),
                    (None, None) => return Err(native::Stop::Leave),
                }
            }
        });
    }
    Ok(dims)
}

/// The sizes of what has these dims.
fn unpacked(
    args: &mut dyn Arguments,
    layout: &Layout,
    dims: &[Num],
) -> Result<Numbers, native::Stop> {
    if dims.len() != layout.places.len() {
        return Err(native::Stop::Fail);
    }
    let mut sizes = Numbers::from_elem(Num::ONE, layout.axes);
    for (place, dim) in layout.places.iter().zip(dims) {
        match *place {
            LayoutDim::Block(_, n) => args.equate(*dim, Num::new(n)?)?,
            LayoutDim::Axis(axis) => {
                sizes[axis] = args.multiply(*dim, Num::new(layout.block_of(axis))?)?;
            }
        }
    }
    Ok(sizes)
}

/// A text that is queried.
#[derive(Debug)]
struct OpenText {
    context: Arc<Context>,
    text: Term,
    /// What it may be. The last way leaves it open.
    known: Vec<String>,
    /// What holds of each.
    then: Option<Box<[Term]>>,
}

impl Choice for OpenText {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        let own = form(look, &self.text)?;
        look.note_form(&own);
        let Some(own) = own.as_constant() else {
            return Ok((0..=self.known.len()).collect());
        };
        let is_own = |text: &String| self.context.number_of(text) == own;
        let known = self.known.iter().position(is_own);
        Ok(Ways::from_slice(&[known.unwrap_or(self.known.len())]))
    }

    fn take(&self, way: usize, _: &mut View<'_>) -> Result<Goal, Stop> {
        let named: Arc<dyn Native> = Arc::new(Named);
        let then = self.then.clone();
        let stated = then.map(|args| goal(&self.context, &named, args));
        let text = self.known.get(way).map(|text| {
            let text = Linear::constant(self.context.number_of(text));
            Goal::equal(self.text.clone(), Term::Int(text))
        });
        Ok(Goal::all(text.into_iter().chain(stated)))
    }
}

/// The same of a layout that is known, or of which nothing can be said.
#[derive(Debug)]
struct Named;

impl Native for Named {
    fn name(&self) -> &'static str {
        InLayout.name()
    }

    fn params(&self) -> Vec<Param> {
        InLayout.params()
    }

    fn may_refuse(&self) -> bool {
        true
    }

    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        is_number(look, &args[0])
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        InLayout.say(context, view, args)
    }
}

/// `LayoutAxes(layout, other, axes)`: the axes of two layouts, of which one may be queried. Images and kernels have their axes in
/// the order that `InLayout` is given them in.
#[derive(Debug)]
pub(super) struct LayoutAxes;

/// The axes of images and of kernels.
const AXES: [&str; 6] = ["NCW", "NCHW", "NCDHW", "OIW", "OIHW", "OIDHW"];

/// The axes that a layout has; `None` if it is none.
fn axes_of(layout: &str) -> Option<String> {
    let words = words(layout)?.into_iter();
    let own: String = words
        .filter(|word| word.1.is_none())
        .map(|word| word.0)
        .collect();
    let is_same = |axes: &&&str| axes.len() == own.len() && axes.chars().all(|c| own.contains(c));
    Some(
        AXES.iter()
            .find(is_same)
            .map_or(own, |axes| (*axes).to_owned()),
    )
}

impl Native for LayoutAxes {
    fn name(&self) -> &'static str {
        "LayoutAxes"
    }

    fn params(&self) -> Vec<Param> {
        vec![
            Param::Is(Kind::Text),
            Param::Is(Kind::Text),
            Param::Is(Kind::Text),
        ]
    }

    // Axes may be queried.
    fn ready(&self, _: &Arc<Context>, _: &mut Look<'_>, _: &[Term]) -> Result<bool, Stop> {
        Ok(true)
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        for layout in &args[..2] {
            if let Some(layout) = form(view, layout)?.as_constant() {
                let layout = context.text(layout);
                let Some(axes) = layout.and_then(|text| axes_of(&text)) else {
                    return Ok(Goal::fail());
                };
                let axes = context.number_of(&axes);
                let axes = Term::Int(Linear::constant(axes));
                return Ok(Goal::equal(args[2].clone(), axes));
            }
        }
        Ok(Goal::choice(OpenText {
            context: Arc::clone(context),
            text: args[2].clone(),
            known: AXES.map(str::to_owned).to_vec(),
            then: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_has_each_axis_once() {
        use LayoutDim::{Axis, Block};
        let read = |text| Layout::read(text, "NCHW").map(|own| own.places);
        assert_eq!(read("NHWC"), Some(vec![Axis(0), Axis(2), Axis(3), Axis(1)]));
        let packed = vec![
            Axis(0),
            Axis(1),
            Axis(2),
            Axis(3),
            Block(1, 16),
            Block(0, 2),
        ];
        assert_eq!(read("NCHW16c2n"), Some(packed));
        for wrong in [
            "NCH", "NCHWD", "NCHHW", "NCHWc", "NCHW0c", "NC4HW", "NCHW4c4c", "NCHW4", "",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn layouts_in_use_are_layouts() {
        for axes in AXES {
            let all = known(axes);
            assert_eq!(all.len(), 15);
            assert!(all.iter().all(|text| Layout::read(text, axes).is_some()));
        }
    }
}
