//! Windows that slide over an image.

use kanshape_types::Dtype;

use crate::array::{Array, places};
use crate::context::{Calculate, Context, Outputs};
use crate::ops::elementwise::divided;
use crate::ops::movement::sizes;
use crate::ops::reduce::{mean, reduced};
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "MaxPool" => max_pool,
        "AveragePool" => average_pool,
        "GlobalAveragePool" => |c| global(c, mean),
        "GlobalMaxPool" => |c| global(c, |c, d, all| c.fold(F::Max, d, all, None)),
        _ => return None,
    })
}

/// How windows lie over the dims behind the channels.
pub(crate) struct Windows {
    pub(crate) kernel: Vec<usize>,
    pub(crate) strides: Vec<usize>,
    pub(crate) dilations: Vec<usize>,
    pub(crate) before: Vec<i64>,
    pub(crate) behind: Vec<i64>,
    /// How many windows there are along each dim.
    pub(crate) counts: Vec<usize>,
}

/// Positive numbers, one for each dim; ones if none are given.
pub(crate) fn each<S: Scalars>(
    c: &Context<'_, S>,
    name: &str,
    rank: usize,
) -> Result<Vec<usize>, Stop> {
    let all = match c.ints(name) {
        Some(all) => sizes(&all)?,
        None => vec![1; rank],
    };
    match all.len() == rank && !all.contains(&0) && all.iter().all(|n| *n < 1 << 16) {
        true => Ok(all),
        false => Stop::refused(format!("{name} that are not one for each dim")),
    }
}

impl Windows {
    pub(crate) fn of<S: Scalars>(
        c: &Context<'_, S>,
        image: &[usize],
        kernel: Vec<usize>,
    ) -> Result<Windows, Stop> {
        let rank = image.len();
        let strides = each(c, "strides", rank)?;
        let dilations = each(c, "dilations", rank)?;
        let pads = c.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
        if kernel.len() != rank || kernel.contains(&0) || pads.len() != 2 * rank {
            return Stop::refused("a window of other dims than the image");
        }
        let mut this = Windows {
            before: pads[..rank].to_vec(),
            behind: pads[rank..].to_vec(),
            counts: Vec::new(),
            kernel,
            strides,
            dilations,
        };
        for (at, size) in image.iter().enumerate() {
            this.place(c, at, *size as i64)?;
        }
        Ok(this)
    }

    /// Sets the pads of a dim and how many windows there are.
    fn place<S: Scalars>(&mut self, c: &Context<'_, S>, at: usize, size: i64) -> Result<(), Stop> {
        let stride = self.strides[at] as i64;
        let span = self.dilations[at] as i64 * (self.kernel[at] as i64 - 1) + 1;
        let auto = c.text("auto_pad", "NOTSET");
        match auto {
            "NOTSET" => {}
            "VALID" => (self.before[at], self.behind[at]) = (0, 0),
            "SAME_UPPER" | "SAME_LOWER" => {
                let count = (size + stride - 1) / stride;
                let all = ((count - 1) * stride + span - size).max(0);
                let (less, more) = (all / 2, all - all / 2);
                let is_upper = auto == "SAME_UPPER";
                (self.before[at], self.behind[at]) =
                    if is_upper { (less, more) } else { (more, less) };
            }
            _ => return Stop::opaque(format!("auto_pad {auto}")),
        }
        let room = size
            .saturating_add(self.before[at])
            .saturating_add(self.behind[at])
            - span;
        if room < 0 {
            return Stop::refused("a window that is larger than the image");
        }
        let mut count = room / stride + 1;
        let is_ceil = c.int("ceil_mode", 0) != 0 && room % stride != 0;
        // A window that begins behind the image has nothing in it.
        if is_ceil && count * stride < size + self.before[at] {
            count += 1;
        }
        self.counts.push(count as usize);
        Ok(())
    }

    /// The places of the image that a window covers; none for those beside it.
    pub(crate) fn covered(
        &self,
        window: &[usize],
        in_kernel: &[usize],
        image: &[usize],
    ) -> Option<Vec<usize>> {
        let all = (0..image.len()).map(|at| {
            let own = (window[at] * self.strides[at] + in_kernel[at] * self.dilations[at]) as i64;
            let own = usize::try_from(own - self.before[at]).ok()?;
            (own < image[at]).then_some(own)
        });
        all.collect()
    }
}

/// A pool: a function of the elements that each window covers, and of how many places of the padded image it covers.
fn pool<S: Scalars>(
    c: &mut Context<'_, S>,
    mut element: impl FnMut(&mut Context<'_, S>, Dtype, &[S::Scalar], usize) -> Result<S::Scalar, Stop>,
) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    if x.rank() < 3 {
        return Stop::refused("a pool of no image");
    }
    let image = &x.shape[2..];
    let kernel = match c.ints("kernel_shape") {
        Some(all) => sizes(&all)?,
        None => return Stop::refused("a pool without a window"),
    };
    let windows = Windows::of(c, image, kernel)?;
    let shape = [&x.shape[..2], &windows.counts[..]].concat();
    let own = Array::by(x.dtype, shape, |place| {
        let mut all = Vec::new();
        let mut padded = 0;
        for in_kernel in places(&windows.kernel) {
            c.spend(1)?;
            let window = &place[2..];
            let is_padded = (0..image.len()).all(|at| {
                let own = window[at] * windows.strides[at] + in_kernel[at] * windows.dilations[at];
                (own as i64) < image[at] as i64 + windows.before[at] + windows.behind[at]
            });
            padded += usize::from(is_padded);
            if let Some(own) = windows.covered(window, &in_kernel, image) {
                all.push(x.at(&[&place[..2], &own[..]].concat())?);
            }
        }
        element(c, x.dtype, &all, padded)
    })?;
    Ok(vec![own])
}

fn max_pool<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    if c.call.outputs > 1 {
        return Stop::opaque("the indices of MaxPool");
    }
    pool(c, |c, d, all, _| match all.is_empty() {
        true => Stop::refused("a window with nothing in it"),
        false => c.fold(F::Max, d, all, None),
    })
}

fn average_pool<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let includes_pads = c.int("count_include_pad", 0) != 0;
    pool(c, |c, d, all, padded| {
        let count = if includes_pads { padded } else { all.len() };
        let sum = c.sum(d, all)?;
        divided(c, d, sum, count as f64)
    })
}

fn global<S: Scalars>(
    c: &mut Context<'_, S>,
    element: impl Fn(&mut Context<'_, S>, Dtype, &[S::Scalar]) -> Result<S::Scalar, Stop>,
) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let axes: Vec<usize> = (2..x.rank()).collect();
    Ok(vec![reduced(x, &axes, |all| element(c, x.dtype, all))?])
}
