//! Convolutions.

use crate::array::{Array, places};
use crate::context::{Calculate, Context, Outputs};
use crate::ops::linear::dot;
use crate::ops::movement::sizes;
use crate::ops::windows::{Windows, each};
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Conv" => conv,
        "ConvTranspose" => conv_transpose,
        _ => return None,
    })
}

/// The channels of an image and of a kernel, and the groups.
fn groups<S: Scalars>(c: &Context<'_, S>) -> Result<usize, Stop> {
    let (x, w) = (c.input(0)?, c.input(1)?);
    let group = sizes(&[c.int("group", 1)])?[0];
    if x.rank() < 3 || w.rank() != x.rank() || group == 0 {
        return Stop::refused("a convolution of no image");
    }
    if let Some(kernel) = c.ints("kernel_shape")
        && sizes(&kernel)? != w.shape[2..]
    {
        return Stop::refused("a kernel of another shape");
    }
    Ok(group)
}

/// The same with the bias of each channel.
fn with_bias<S: Scalars>(c: &mut Context<'_, S>, own: Array<S::Scalar>) -> Outputs<S::Scalar> {
    let Some(bias) = c.optional(2) else {
        return Ok(vec![own]);
    };
    if bias.shape != own.shape[1..2] {
        return Stop::refused("a bias that is not one number for each channel");
    }
    let own = Array::by(own.dtype, own.shape.clone(), |place| {
        let (x, bias) = (own.at(place)?, bias.at(&place[1..2])?);
        c.apply(F::Add, own.dtype, &[x, bias])
    })?;
    Ok(vec![own])
}

fn conv<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, w) = (c.input(0)?, c.input(1)?);
    let group = groups(c)?;
    let (channels, filters) = (w.shape[1], w.shape[0]);
    if x.shape[1] != channels * group || filters % group != 0 {
        return Stop::refused("channels that are not those of the groups");
    }
    let image = &x.shape[2..];
    let windows = Windows::of(c, image, w.shape[2..].to_vec())?;
    let shape = [&[x.shape[0], filters], &windows.counts[..]].concat();
    let own = Array::by(x.dtype, shape, |place| {
        let first = place[1] / (filters / group) * channels;
        let mut pairs = Vec::new();
        for in_kernel in places(&windows.kernel) {
            let Some(own) = windows.covered(&place[2..], &in_kernel, image) else {
                continue;
            };
            for channel in 0..channels {
                let of_x = x.at(&[&[place[0], first + channel], &own[..]].concat())?;
                let of_w = w.at(&[&[place[1], channel], &in_kernel[..]].concat())?;
                pairs.push((of_x, of_w));
            }
        }
        dot(c, x.dtype, &pairs)
    })?;
    with_bias(c, own)
}

/// The sizes of the output of a transposed convolution, and the places that are cut off before it.
fn transposed_sizes<S: Scalars>(
    c: &Context<'_, S>,
    image: &[usize],
    kernel: &[usize],
) -> Result<(Vec<usize>, Vec<i64>), Stop> {
    let rank = image.len();
    let strides = each(c, "strides", rank)?;
    let dilations = each(c, "dilations", rank)?;
    let more = c.ints("output_padding").unwrap_or_else(|| vec![0; rank]);
    let mut pads = c.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
    let given = c.ints("output_shape");
    let auto = c.text("auto_pad", "NOTSET");
    if more.len() != rank || pads.len() != 2 * rank || image.contains(&0) || kernel.contains(&0) {
        return Stop::refused("a convolution of other dims");
    }
    let mut wanted = Vec::new();
    for at in 0..rank {
        let (stride, size) = (strides[at] as i64, image[at] as i64);
        let span = (kernel[at] as i64 - 1) * dilations[at] as i64 + 1;
        let whole = stride * (size - 1) + more[at] + span;
        let fixed = match (&given, auto) {
            (Some(all), _) => Some(all.get(at).copied().unwrap_or(0)),
            (None, "SAME_UPPER" | "SAME_LOWER") => Some(size * stride),
            (None, "VALID") => Some(whole),
            _ => None,
        };
        if let Some(fixed) = fixed {
            let all = (whole - fixed).max(0);
            let less = all / 2;
            let is_upper = auto == "SAME_UPPER";
            pads[at] = if is_upper { less } else { all - less };
            pads[at + rank] = all - pads[at];
            wanted.push(fixed);
            continue;
        }
        wanted.push(whole - pads[at] - pads[at + rank]);
    }
    Ok((sizes(&wanted)?, pads[..rank].to_vec()))
}

fn conv_transpose<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, w) = (c.input(0)?, c.input(1)?);
    let group = groups(c)?;
    let (channels, each_filters) = (w.shape[0], w.shape[1]);
    if x.shape[1] != channels || channels % group != 0 {
        return Stop::refused("channels that are not those of the groups");
    }
    let (image, kernel) = (&x.shape[2..], &w.shape[2..]);
    let strides = each(c, "strides", image.len())?;
    let dilations = each(c, "dilations", image.len())?;
    let (sizes, before) = transposed_sizes(c, image, kernel)?;
    let shape = [&[x.shape[0], each_filters * group], &sizes[..]].concat();
    let own = Array::by(x.dtype, shape, |place| {
        let (number, filter) = (place[1] / each_filters, place[1] % each_filters);
        let each_channels = channels / group;
        let mut pairs = Vec::new();
        for in_kernel in places(kernel) {
            // The place of the image whose window has this place of the output in it.
            let own = (0..image.len()).map(|at| {
                let moved =
                    place[2 + at] as i64 + before[at] - (in_kernel[at] * dilations[at]) as i64;
                let (own, rest) = (
                    moved.div_euclid(strides[at] as i64),
                    moved.rem_euclid(strides[at] as i64),
                );
                usize::try_from(own)
                    .ok()
                    .filter(|own| rest == 0 && *own < image[at])
            });
            let Some(own) = own.collect::<Option<Vec<usize>>>() else {
                c.spend(1)?;
                continue;
            };
            for channel in number * each_channels..(number + 1) * each_channels {
                let of_x = x.at(&[&[place[0], channel], &own[..]].concat())?;
                let of_w = w.at(&[&[channel, filter], &in_kernel[..]].concat())?;
                pairs.push((of_x, of_w));
            }
        }
        dot(c, x.dtype, &pairs)
    })?;
    with_bias(c, own)
}
