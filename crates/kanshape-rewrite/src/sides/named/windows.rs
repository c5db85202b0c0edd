//! Windows that slide over dims whose sizes have names: convolutions and pools.
//!
//! How many windows there are, which place of the image one covers at a place of the kernel, and whether it is beside the image, are
//! functions of the sizes of the image and the kernel. What they are is written out only where it is simple: everything else is the same of the same.

use kanshape::Dtype;
use kanshape_eval::{Attr, Function as F, Number, Scalars};

use super::operators::input;
use super::sizes::{self, Dim, Halt, Key, Made, open};
use super::{Named, NamedElement, single};
use crate::program::Step;
use crate::sides::algebra::{ElementIndex, Expr, IndexPlace, IndexTerm};

/// The most places of the kernel of a pool.
const MOST_OF_KERNEL: usize = 16;

/// Functions whose values are indices, by their numbers.
#[derive(Default)]
pub(super) struct Functions(Vec<Made>);

impl Functions {
    pub(super) fn get(&self, number: usize) -> &Made {
        &self.0[number]
    }

    pub(super) fn number(&mut self, made: Made) -> usize {
        match self.0.iter().position(|own| *own == made) {
            Some(known) => known,
            None => {
                self.0.push(made);
                self.0.len() - 1
            }
        }
    }
}

/// How the windows lie along one dim.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Window {
    stride: i64,
    dilation: i64,
    before: i64,
    behind: i64,
    /// 0 if the pads are given, 1 and 2 if the output is to be as large, with more pads behind or before.
    same: i64,
    is_ceil: bool,
}

/// A convolution or a pool of one image.
#[derive(Clone)]
pub(super) struct Windows {
    number: usize,
    windows: Vec<Window>,
    /// The kernel of a pool.
    kernel: Option<Vec<usize>>,
    group: usize,
    kind: WindowKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WindowKind {
    Conv,
    MaxPool,
    AveragePool { counts_pads: bool },
}

impl Window {
    fn numbers(&self) -> Vec<i64> {
        vec![
            self.stride,
            self.dilation,
            self.before,
            self.behind,
            self.same,
            self.is_ceil.into(),
        ]
    }

    /// Is no place of a window beside the image?
    fn is_always_inside(&self) -> bool {
        self.same == 0 && self.before == 0 && self.behind == 0 && !self.is_ceil
    }

    /// Is each window of one place, and that the one of its number?
    fn is_identity(&self, kernel: &Dim) -> bool {
        let has_pads = self.same == 0 && (self.before, self.behind) != (0, 0);
        sizes::is_one(kernel) && self.stride == 1 && !has_pads
    }

    /// How many windows there are.
    fn count(
        &self,
        named: &mut Named<'_, '_>,
        image: &Dim,
        kernel: &Dim,
        key: Key,
    ) -> Result<Dim, Halt> {
        let is_same = self.same > 0 && self.stride == 1;
        if is_same || self.is_identity(kernel) {
            return Ok(image.clone());
        }
        if sizes::is_counted(image) && sizes::is_counted(kernel) {
            let (size, span) = (image.len() as i64, self.span(kernel));
            let (before, behind) = self.pads(image, kernel);
            let room = size + before + behind - span;
            if room < 0 || kernel.is_empty() {
                return Err(Halt::NoSuchSizes);
            }
            if self.is_ceil && room % self.stride != 0 {
                return open("windows that are not full");
            }
            return sizes::places((room / self.stride + 1) as usize);
        }
        named.sizes.made(
            Made {
                name: "windows",
                numbers: self.numbers(),
                dims: vec![image.clone(), kernel.clone()],
            },
            key,
        )
    }

    fn span(&self, kernel: &Dim) -> i64 {
        self.dilation * (kernel.len() as i64 - 1) + 1
    }

    /// The pads of an image and a kernel whose places are counted.
    fn pads(&self, image: &Dim, kernel: &Dim) -> (i64, i64) {
        if self.same == 0 {
            return (self.before, self.behind);
        }
        let size = image.len() as i64;
        let count = (size + self.stride - 1) / self.stride;
        let all = ((count - 1) * self.stride + self.span(kernel) - size).max(0);
        match self.same {
            1 => (all / 2, all - all / 2),
            _ => (all - all / 2, all / 2),
        }
    }

    /// The place of the image that a window covers at a place of the kernel, and whether it is one: 1, or else an expression that is 0 or 1. None if
    /// it is none.
    fn covered(
        &self,
        named: &mut Named<'_, '_>,
        (image, kernel): (&Dim, &Dim),
        window: &IndexPlace,
        in_kernel: &IndexPlace,
    ) -> Result<Option<(IndexPlace, Option<Expr>)>, Halt> {
        if self.is_identity(kernel) {
            return Ok(Some((window.clone(), None)));
        }
        if sizes::is_counted(image) && sizes::is_counted(kernel) {
            let at = window.part as i64 * self.stride + in_kernel.part as i64 * self.dilation
                - self.pads(image, kernel).0;
            let own = usize::try_from(at).ok().filter(|at| *at < image.len());
            return Ok(own.map(|at| (single(at), None)));
        }
        let [part] = &image[..] else {
            return open("windows over a sum of sizes");
        };
        if part.len() > 1 {
            return open("windows over a product of sizes");
        }
        let function = named.functions.number(Made {
            name: "covered",
            numbers: self.numbers(),
            dims: vec![image.clone(), kernel.clone()],
        });
        let term = named.algebra.term(IndexTerm {
            function,
            places: vec![window.clone(), in_kernel.clone()],
            exprs: Vec::new(),
        });
        let inside = (!self.is_always_inside()).then(|| named.algebra.inside(term));
        let at = part.iter().map(|_| ElementIndex::Term(term)).collect();
        Ok(Some((IndexPlace { part: 0, at }, inside)))
    }
}

impl Windows {
    pub(super) fn of(named: &Named<'_, '_>, number: usize) -> Result<Windows, Halt> {
        let step = &named.sides.program.steps[number];
        let rank = named.rank(input(step, 0)?)?;
        if rank < 3 {
            return Err(Halt::NoSuchSizes);
        }
        let dims = rank - 2;
        let int = |name: &str, or: i64| match named.attr(number, name) {
            Some(Attr::Int(n)) => Ok(*n),
            None => Ok(or),
            Some(_) => open("an attribute"),
        };
        let ints = |name: &str, count: usize, or: i64| match named.attr(number, name) {
            Some(Attr::Ints(all)) if all.len() == count => Ok(all.clone()),
            Some(Attr::Ints(_)) => Err(Halt::NoSuchSizes),
            None => Ok(vec![or; count]),
            Some(_) => open("an attribute"),
        };
        let kind = match step.operator.name() {
            "Conv" => WindowKind::Conv,
            "MaxPool" => WindowKind::MaxPool,
            _ => WindowKind::AveragePool {
                counts_pads: int("count_include_pad", 0)? != 0,
            },
        };
        let auto = match named.attr(number, "auto_pad") {
            Some(Attr::Text(own)) => own.as_str(),
            None => "NOTSET",
            Some(_) => return open("an attribute"),
        };
        let (strides, dilations) = (ints("strides", dims, 1)?, ints("dilations", dims, 1)?);
        let pads = ints("pads", 2 * dims, 0)?;
        let positive = strides.iter().chain(&dilations).all(|own| *own > 0);
        if !positive || pads.iter().any(|own| *own < 0) {
            return open("strides or pads that are no numbers of places");
        }
        let is_ceil = int("ceil_mode", 0)? != 0;
        let same = match auto {
            "SAME_UPPER" => 1,
            "SAME_LOWER" => 2,
            "NOTSET" | "VALID" => 0,
            _ => return open("an attribute"),
        };
        let given = auto == "NOTSET";
        let windows = (0..dims).map(|at| Window {
            stride: strides[at],
            dilation: dilations[at],
            before: if given { pads[at] } else { 0 },
            behind: if given { pads[dims + at] } else { 0 },
            same,
            is_ceil,
        });
        let kernel = match named.attr(number, "kernel_shape") {
            None if kind == WindowKind::Conv => None,
            Some(Attr::Ints(_)) => {
                let own = ints("kernel_shape", dims, 1)?;
                let own = own.iter().map(|own| usize::try_from(*own).ok());
                Some(own.collect::<Option<_>>().ok_or(Halt::NoSuchSizes)?)
            }
            _ => return open("an attribute"),
        };
        let group = usize::try_from(int("group", 1)?).unwrap_or(0);
        if group == 0 {
            return Err(Halt::NoSuchSizes);
        }
        Ok(Windows {
            number,
            windows: windows.collect(),
            kernel,
            group,
            kind,
        })
    }

    /// The dims of the kernel.
    fn kernel(&self, named: &Named<'_, '_>, step: &Step) -> Result<Vec<Dim>, Halt> {
        if self.kind == WindowKind::Conv {
            return Ok(named.dims(input(step, 1)?)?.split_off(2));
        }
        let own = self.kernel.iter().flatten();
        own.map(|own| sizes::places(*own)).collect()
    }

    /// A part of a dim of channels for each group.
    fn of_group(&self, named: &mut Named<'_, '_>, dim: &Dim, key: Key) -> Result<Dim, Halt> {
        if self.group == 1 {
            return Ok(dim.clone());
        }
        if sizes::is_counted(dim) {
            return match dim.len().is_multiple_of(self.group) {
                true => sizes::places(dim.len() / self.group),
                false => Err(Halt::NoSuchSizes),
            };
        }
        let of_group = |own: &Dim| Made {
            name: "channels of a group",
            numbers: vec![self.group as i64],
            dims: vec![own.clone()],
        };
        // A dim that is a multiple of another one is not introduced again.
        let parts = dim.len() / self.group;
        if parts > 0
            && dim.len().is_multiple_of(self.group)
            && dim.chunks(parts).all(|own| *own == dim[..parts])
        {
            return Ok(dim[..parts].to_vec());
        }
        let own = named.sizes.made(of_group(dim), key)?;
        named
            .sizes
            .equal(dim, &vec![own.clone(); self.group].concat())?;
        named.sizes.resolved(&own)
    }

    pub(super) fn dims(&self, named: &mut Named<'_, '_>, step: &Step) -> Result<Vec<Dim>, Halt> {
        let image = named.dims(input(step, 0)?)?;
        let mut all = image[..2].to_vec();
        if self.kind == WindowKind::Conv {
            let weights = named.dims(input(step, 1)?)?;
            if weights.len() != image.len() {
                return Err(Halt::NoSuchSizes);
            }
            let channels = vec![weights[1].clone(); self.group].concat();
            named.sizes.equal(&image[1], &channels)?;
            for (dim, size) in weights[2..].iter().zip(self.kernel.iter().flatten()) {
                named.sizes.equal(dim, &sizes::places(*size)?)?;
            }
            self.of_group(named, &weights[0], Key::Made(self.number, usize::MAX))?;
            all[1] = named.sizes.resolved(&weights[0])?;
            if let Some(Some(bias)) = step.inputs.get(2) {
                match &named.dims(*bias)?[..] {
                    [dim] => named.sizes.equal(dim, &all[1])?,
                    _ => return Err(Halt::NoSuchSizes),
                }
            }
        }
        let kernel = self.kernel(named, step)?;
        for (at, window) in self.windows.iter().enumerate() {
            let key = Key::Made(self.number, at);
            all.push(window.count(named, &image[2 + at], &kernel[at], key)?);
        }
        Ok(all)
    }

    pub(super) fn element(
        &self,
        named: &mut Named<'_, '_>,
        step: &Step,
        place: &[IndexPlace],
        dtype: Dtype,
    ) -> Result<NamedElement, Halt> {
        let x = input(step, 0)?;
        let image = named.dims(x)?;
        let kernel = self.kernel(named, step)?;
        let own = match self.kind {
            WindowKind::Conv => {
                let w = input(step, 1)?;
                let weights = named.dims(w)?;
                let filters = weights[0].len() / self.group;
                let group = place[1].part.checked_div(filters).unwrap_or(0);
                let first = group * weights[1].len();
                let mut all = named.sum(&weights[1], &mut |named, channel| {
                    let of_x = IndexPlace {
                        part: first + channel.part,
                        ..channel.clone()
                    };
                    let own = vec![place[0].clone(), of_x];
                    let of_w = vec![place[1].clone(), channel];
                    self.over_kernel(
                        named,
                        (&image[2..], &kernel),
                        &place[2..],
                        own,
                        of_w,
                        &mut |named, own, in_kernel| {
                            let one = named.element(x, own)?.1;
                            let other = named.element(w, in_kernel)?.1;
                            named.applied(F::Mul, dtype, &[one, other])
                        },
                    )
                })?;
                if let Some(Some(bias)) = step.inputs.get(2) {
                    let bias = named.element(*bias, &place[1..2])?.1;
                    all = named.applied(F::Add, dtype, &[all, bias])?;
                }
                all
            }
            WindowKind::AveragePool { counts_pads } => {
                let has_pads = !self.windows.iter().all(Window::is_always_inside);
                if counts_pads && self.windows.iter().any(|own| own.is_ceil) {
                    return open("windows that are not full");
                }
                let one = named.algebra.number(Number::Int(1));
                let own = place[..2].to_vec();
                let dims = (&image[2..], &kernel[..]);
                let rest = &place[2..];
                let all = self.over_kernel(
                    named,
                    dims,
                    rest,
                    own.clone(),
                    Vec::new(),
                    &mut |named, own, _| Ok(named.element(x, own)?.1),
                )?;
                let count = match has_pads && !counts_pads {
                    true => {
                        self.over_kernel(named, dims, rest, own, Vec::new(), &mut |_, _, _| {
                            Ok(one)
                        })?
                    }
                    false => {
                        let count: usize = self.kernel.iter().flatten().product();
                        named.algebra.number(Number::Int(count as i64))
                    }
                };
                named.applied(F::Div, dtype, &[all, count])?
            }
            WindowKind::MaxPool => self.largest(named, step, place, dtype)?,
        };
        Ok((dtype, own))
    }

    /// The sum over the places of the kernel of what is at a place of the image and of the kernel.
    fn over_kernel(
        &self,
        named: &mut Named<'_, '_>,
        (image, kernel): (&[Dim], &[Dim]),
        window: &[IndexPlace],
        own: Vec<IndexPlace>,
        in_kernel: Vec<IndexPlace>,
        of: OfBoth<'_>,
    ) -> Result<Expr, Halt> {
        let Some((dim, rest)) = image.split_first() else {
            return of(named, &own, &in_kernel);
        };
        let at = self.windows.len() - image.len();
        named.sum(&kernel[0], &mut |named, k| {
            let dims = (dim, &kernel[0]);
            let found = self.windows[at].covered(named, dims, &window[0], &k)?;
            let Some((covered, inside)) = found else {
                return Ok(named.algebra.number(Number::Int(0)));
            };
            let own = [&own[..], &[covered]].concat();
            let in_kernel = [&in_kernel[..], &[k]].concat();
            let rest = (rest, &kernel[1..]);
            let all = self.over_kernel(named, rest, &window[1..], own, in_kernel, of)?;
            match inside {
                Some(inside) => named.applied(F::Mul, Dtype::F64, &[inside, all]),
                None => Ok(all),
            }
        })
    }

    /// The largest of the elements that a window covers.
    fn largest(
        &self,
        named: &mut Named<'_, '_>,
        step: &Step,
        place: &[IndexPlace],
        dtype: Dtype,
    ) -> Result<Expr, Halt> {
        let x = input(step, 0)?;
        let image = named.dims(x)?;
        let kernel = self.kernel(named, step)?;
        let mut all = vec![(place[..2].to_vec(), None)];
        for (at, window) in self.windows.iter().enumerate() {
            let (image, kernel) = (&image[2 + at], &kernel[at]);
            let mut longer = Vec::new();
            for (own, inside) in &all {
                for k in named.parts(kernel) {
                    let dims = (image, kernel);
                    let found = window.covered(named, dims, &place[2 + at], &k)?;
                    let Some((covered, also)) = found else {
                        continue;
                    };
                    let inside = match (*inside, also) {
                        (Some(one), Some(other)) => {
                            Some(named.applied(F::Mul, Dtype::F64, &[one, other])?)
                        }
                        (one, other) => one.or(other),
                    };
                    longer.push(([&own[..], &[covered]].concat(), inside));
                }
            }
            if longer.len() > MOST_OF_KERNEL {
                return open("a kernel that is large");
            }
            all = longer;
        }
        let mut members = Vec::new();
        for (own, inside) in all {
            members.push((named.element(x, &own)?.1, inside));
        }
        if members.iter().all(|own| own.1.is_none()) {
            let mut largest = None;
            for (own, _) in members {
                largest = Some(match largest {
                    None => own,
                    Some(largest) => named.applied(F::Max, dtype, &[largest, own])?,
                });
            }
            return largest.ok_or(Halt::NoSuchSizes);
        }
        let one = named.algebra.number(Number::Int(1));
        let args = members
            .into_iter()
            .flat_map(|(own, inside)| [own, inside.unwrap_or(one)]);
        Ok(named.algebra.pooled(args.collect()))
    }
}

/// What is calculated of a place of an image and one of a kernel.
type OfBoth<'f> =
    &'f mut dyn FnMut(&mut Named<'_, '_>, &[IndexPlace], &[IndexPlace]) -> Result<Expr, Halt>;
