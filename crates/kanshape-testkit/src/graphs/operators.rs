//! How calls of the commonest operators are made up.

use super::Member;
use super::generate::{Builder, Wanted, members};

/// One for each operator, or for a few that are called alike. Common ones stand here twice.
pub(super) const OPERATORS: &[fn(&mut Builder) -> Option<Wanted>] = &[
    unary,
    elementwise,
    elementwise,
    matmul,
    matmul,
    gemm,
    conv,
    conv,
    pool,
    pool,
    global_pool,
    conv_transpose,
    resize,
    blocks,
    reshape,
    reshape,
    reshape,
    transpose,
    flatten,
    squeeze,
    unsqueeze,
    shape,
    shape,
    size,
    expand,
    tile,
    pad,
    slice,
    slice,
    split,
    concat,
    concat,
    gather,
    gather,
    constant_of_shape,
    range,
    reduce,
    reduce,
    arg_max,
    top_k,
    cumulative,
    softmax,
    cast,
    batch_norm,
    layer_norm,
    choose,
    einsum,
    arithmetic,
    arithmetic,
    arithmetic,
    computed_reshape,
    gather_nd,
    gather_elements,
    one_hot,
];

fn list(members: &[i64]) -> String {
    let members: Vec<String> = members.iter().map(i64::to_string).collect();
    format!("[{}]", members.join(", "))
}

fn call(op: &'static str, inputs: &[&String]) -> Wanted {
    Wanted {
        op,
        attrs: Vec::new(),
        inputs: inputs.iter().map(|i| Some((*i).clone())).collect(),
        outputs: 1,
    }
}

impl Wanted {
    fn with(mut self, name: &'static str, value: impl ToString) -> Option<Wanted> {
        self.attrs.push((name, value.to_string()));
        Some(self)
    }

    fn also(mut self, name: &'static str, value: impl ToString) -> Wanted {
        self.attrs.push((name, value.to_string()));
        self
    }
}

/// An axis of a tensor of this rank, counted from either end.
fn axis(b: &mut Builder, rank: usize) -> i64 {
    let axis = b.rng.below(rank) as i64;
    match b.rng.percent(25) {
        true => axis - rank as i64,
        false => axis,
    }
}

fn unary(b: &mut Builder) -> Option<Wanted> {
    let op = *b.rng.one(&["Relu", "Sigmoid", "Sqrt", "Identity"])?;
    let x = b.float(0, 4);
    Some(call(op, &[&x]))
}

fn elementwise(b: &mut Builder) -> Option<Wanted> {
    let op = *b
        .rng
        .one(&["Add", "Sub", "Mul", "Div", "Max", "Pow", "Equal"])?;
    let x = b.float(1, 4);
    let y = beside(b, &x);
    Some(call(op, &[&x, &y]))
}

/// A value that broadcasts with another.
fn beside(b: &mut Builder, x: &str) -> String {
    let dims = b.of(x).dims.clone();
    if b.rng.percent(40) {
        let fits = |t: &super::Concrete| {
            let pairs = t.dims.iter().rev().zip(dims.iter().rev());
            t.dtype == "f32" && pairs.into_iter().all(|(a, b)| a == b || *a == 1 || *b == 1)
        };
        if let Some(y) = b.there(&fits) {
            return y;
        }
    }
    let from = match b.rng.percent(60) {
        true => 0,
        false => b.rng.below(dims.len() + 1),
    };
    let mut dims = dims[from..].to_vec();
    for dim in &mut dims {
        if b.rng.percent(20) {
            *dim = 1;
        } else if *dim == 1 && b.rng.percent(30) {
            *dim = b.any_size();
        }
    }
    b.tensor("f32", &dims)
}

fn matmul(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let dims = b.of(&x).dims.clone();
    let inner = *dims.last()?;
    let mut right = match b.rng.percent(30) && dims.len() > 2 {
        true => dims[..dims.len() - 2].to_vec(),
        false => Vec::new(),
    };
    right.push(inner);
    if !b.rng.percent(10) {
        let outer = b.any_size();
        right.push(outer);
    }
    let w = match b.rng.percent(20) {
        true => {
            b.there(&|t| t.dtype == "f32" && t.dims.len() > 1 && t.dims[t.dims.len() - 2] == inner)?
        }
        false => b.tensor("f32", &right),
    };
    Some(call("MatMul", &[&x, &w]))
}

fn gemm(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(2, 2);
    let dims = b.of(&x).dims.clone();
    let (left, right) = (b.rng.percent(25), b.rng.percent(50));
    let (m, k) = if left {
        (dims[1], dims[0])
    } else {
        (dims[0], dims[1])
    };
    let n = b.any_size();
    let w = b.tensor("f32", &if right { [n, k] } else { [k, n] });
    let mut node = call("Gemm", &[&x, &w]);
    if b.rng.percent(50) {
        let bias = match b.rng.below(4) {
            0 => vec![m, n],
            1 => vec![m, 1],
            2 => vec![1],
            _ => vec![n],
        };
        node.inputs.push(Some(b.tensor("f32", &bias)));
    }
    if left {
        node = node.also("transA", 1);
    }
    if right {
        node = node.also("transB", 1);
    }
    Some(node)
}

/// Strides, pads and dilations of a window over this many axes.
fn sliding(b: &mut Builder, mut node: Wanted, axes: usize, with_dilations: bool) -> Wanted {
    if b.rng.percent(50) {
        let strides: Vec<i64> = (0..axes).map(|_| 1 + b.rng.below(3) as i64).collect();
        node = node.also("strides", list(&strides));
    }
    match b.rng.below(10) {
        0..=3 => {
            let pads: Vec<i64> = (0..2 * axes).map(|_| b.rng.below(3) as i64).collect();
            node = node.also("pads", list(&pads));
        }
        4 => node = node.also("auto_pad", "SAME_UPPER"),
        5 => node = node.also("auto_pad", "VALID"),
        _ => {}
    }
    if with_dilations && b.rng.percent(15) {
        let dilations: Vec<i64> = (0..axes).map(|_| 1 + b.rng.below(2) as i64).collect();
        node = node.also("dilations", list(&dilations));
    }
    node
}

fn image(b: &mut Builder) -> String {
    if let Some(x) = b.there(&|t| t.dtype == "f32" && (3..=4).contains(&t.dims.len()))
        && b.rng.percent(60)
    {
        return x;
    }
    let axes = 1 + b.rng.below(2);
    let mut dims = b.any_dims(2);
    for _ in 0..axes {
        let size = match b.rng.percent(60) {
            true => b.any_size(),
            false => b.rng.size(&[4, 5, 6, 7, 8, 16]),
        };
        dims.push(size);
    }
    b.tensor("f32", &dims)
}

fn conv(b: &mut Builder) -> Option<Wanted> {
    let x = image(b);
    let dims = b.of(&x).dims.clone();
    let axes = dims.len() - 2;
    let channels = dims[1];
    let group = match b.rng.percent(20) {
        true => b.rng.size(&[channels.max(1), 2]),
        false => 1,
    };
    let out = group * b.any_size();
    let mut kernel = vec![out, channels / group];
    for _ in 0..axes {
        kernel.push(b.rng.size(&[1, 2, 3, 3]));
    }
    let w = b.tensor("f32", &kernel);
    let mut node = call("Conv", &[&x, &w]);
    if b.rng.percent(30) {
        node.inputs.push(Some(b.tensor("f32", &[out])));
    }
    if group > 1 {
        node = node.also("group", group);
    }
    Some(sliding(b, node, axes, true))
}

fn conv_transpose(b: &mut Builder) -> Option<Wanted> {
    let x = image(b);
    let dims = b.of(&x).dims.clone();
    let axes = dims.len() - 2;
    let mut kernel = vec![dims[1], b.any_size()];
    for _ in 0..axes {
        kernel.push(b.rng.size(&[1, 2, 3]));
    }
    let w = b.tensor("f32", &kernel);
    let node = call("ConvTranspose", &[&x, &w]);
    Some(sliding(b, node, axes, true))
}

fn pool(b: &mut Builder) -> Option<Wanted> {
    let op = *b.rng.one(&["MaxPool", "AveragePool"])?;
    let x = image(b);
    let axes = b.of(&x).dims.len() - 2;
    let kernel: Vec<i64> = (0..axes).map(|_| 1 + b.rng.below(4) as i64).collect();
    let node = call(op, &[&x]).also("kernel_shape", list(&kernel));
    let mut node = sliding(b, node, axes, false);
    if b.rng.percent(15) {
        node = node.also("ceil_mode", 1);
    }
    Some(node)
}

fn global_pool(b: &mut Builder) -> Option<Wanted> {
    let x = image(b);
    Some(call("GlobalAveragePool", &[&x]))
}

fn resize(b: &mut Builder) -> Option<Wanted> {
    let x = image(b);
    let rank = b.of(&x).dims.len();
    let mut node = call("Resize", &[&x]);
    node.inputs.push(None);
    match b.rng.percent(60) {
        true => {
            let mut scales = vec![Member::Other("1.0".into()); 2];
            for _ in 2..rank {
                let scale = *b.rng.one(&["2.0", "2.0", "0.5", "3.0", "1.5"])?;
                scales.push(Member::Other(scale.into()));
            }
            node.inputs
                .push(Some(b.constant("f32", &[rank as u64], scales)));
        }
        false => {
            node.inputs.push(None);
            let mut sizes: Vec<i64> = b.of(&x).dims.iter().map(|n| *n as i64).collect();
            for size in &mut sizes[2..] {
                *size = 1 + b.rng.below(8) as i64;
            }
            node.inputs.push(Some(b.ints(&sizes)));
        }
    }
    Some(node)
}

fn blocks(b: &mut Builder) -> Option<Wanted> {
    let size = 1 + b.rng.below(3) as u64;
    match b.rng.percent(50) {
        true => {
            let x = match b
                .there(&|t| t.dtype == "f32" && t.dims.len() == 4 && t.dims[1] % (size * size) == 0)
            {
                Some(x) => x,
                None => {
                    let dims = [
                        b.any_size(),
                        size * size * b.any_size(),
                        b.any_size(),
                        b.any_size(),
                    ];
                    b.tensor("f32", &dims)
                }
            };
            call("DepthToSpace", &[&x]).with("blocksize", size)
        }
        false => {
            let x = match b.there(&|t| {
                t.dtype == "f32"
                    && t.dims.len() == 4
                    && t.dims[2] % size == 0
                    && t.dims[3] % size == 0
            }) {
                Some(x) => x,
                None => {
                    let dims = [
                        b.any_size(),
                        b.any_size(),
                        size * b.any_size(),
                        size * b.any_size(),
                    ];
                    b.tensor("f32", &dims)
                }
            };
            call("SpaceToDepth", &[&x]).with("blocksize", size)
        }
    }
}

/// A shape of as many elements: dims taken together, split, copied, or left to be found out.
fn other_shape(b: &mut Builder, dims: &[u64]) -> Vec<i64> {
    let mut to: Vec<i64> = dims.iter().map(|n| *n as i64).collect();
    for _ in 0..1 + b.rng.below(2) {
        match b.rng.below(3) {
            0 if to.len() > 1 => {
                let at = b.rng.below(to.len() - 1);
                let size = to.remove(at);
                to[at] *= size;
            }
            1 if !to.is_empty() => {
                let at = b.rng.below(to.len());
                let divisor = b.rng.size(&[2, 3, 4]) as i64;
                if to[at] % divisor == 0 {
                    to[at] /= divisor;
                    to.insert(at + b.rng.below(2), divisor);
                }
            }
            _ => to.insert(b.rng.below(to.len() + 1), 1),
        }
    }
    if !to.is_empty() && b.rng.percent(65) {
        let at = b.rng.below(to.len());
        to[at] = -1;
    }
    for (i, size) in to.iter_mut().enumerate() {
        if dims.get(i).is_some_and(|d| *d as i64 == *size) && b.rng.percent(40) {
            *size = 0;
        }
    }
    to
}

fn reshape(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let dims = b.of(&x).dims.clone();
    let to = other_shape(b, &dims);
    let to = b.ints(&to);
    let node = call("Reshape", &[&x, &to]);
    match b.rng.percent(5) {
        true => node.with("allowzero", 1),
        false => Some(node),
    }
}

/// A reshape to a shape that was computed.
fn computed_reshape(b: &mut Builder) -> Option<Wanted> {
    let to = b.numbers(1)?;
    let wanted = members(b.of(&to))?;
    // A computed number may be any: a count that overflows is that of no tensor.
    let count = wanted.iter().try_fold(1i64, |n, m| n.checked_mul(*m));
    let size = |dims: &[u64]| {
        let dims = dims.iter().map(|n| i64::try_from(*n).ok());
        dims.into_iter().try_fold(1i64, |n, m| n.checked_mul(m?))
    };
    let x = match b.there(&|t| t.dtype == "f32" && count.is_some() && size(&t.dims) == count) {
        Some(x) => x,
        None if wanted.iter().all(|n| *n >= 0) && wanted.len() < 5 => {
            let mut dims: Vec<u64> = wanted.iter().map(|n| *n as u64).collect();
            b.rng.shuffle(&mut dims);
            b.tensor("f32", &dims)
        }
        None => b.float(1, 4),
    };
    Some(call("Reshape", &[&x, &to]))
}

fn transpose(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let mut perm: Vec<i64> = (0..b.of(&x).dims.len() as i64).collect();
    b.rng.shuffle(&mut perm);
    match b.rng.percent(15) {
        true => Some(call("Transpose", &[&x])),
        false => call("Transpose", &[&x]).with("perm", list(&perm)),
    }
}

fn flatten(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let axis = b.rng.below(b.of(&x).dims.len() + 1);
    call("Flatten", &[&x]).with("axis", axis)
}

fn squeeze(b: &mut Builder) -> Option<Wanted> {
    let x = b
        .there(&|t| t.dims.contains(&1))
        .unwrap_or_else(|| b.float(1, 4));
    let dims = b.of(&x).dims.clone();
    let ones: Vec<i64> = (0..dims.len())
        .filter(|i| dims[*i] == 1)
        .map(|i| i as i64)
        .collect();
    let axis = match b.rng.one(&ones) {
        Some(axis) => *axis,
        None => axis(b, dims.len()),
    };
    let axes = b.ints(&[axis]);
    match b.rng.percent(8) {
        true => Some(call("Squeeze", &[&x])),
        false => Some(call("Squeeze", &[&x, &axes])),
    }
}

fn unsqueeze(b: &mut Builder) -> Option<Wanted> {
    let x = match b.numbers(0).filter(|_| b.rng.percent(50)) {
        Some(x) => x,
        None => b.float(0, 4),
    };
    let axis = axis(b, b.of(&x).dims.len() + 1);
    let axes = b.ints(&[axis]);
    Some(call("Unsqueeze", &[&x, &axes]))
}

fn shape(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let node = call("Shape", &[&x]);
    match b.rng.percent(20) {
        true => {
            let (from, to) = (axis(b, 4), axis(b, 4));
            node.also("start", from).with("end", to)
        }
        false => Some(node),
    }
}

fn size(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    Some(call("Size", &[&x]))
}

fn expand(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 3);
    if let Some(to) = b.numbers(1)
        && b.rng.percent(50)
    {
        return Some(call("Expand", &[&x, &to]));
    }
    let mut to: Vec<i64> = b.of(&x).dims.iter().map(|n| *n as i64).collect();
    for size in &mut to {
        if *size == 1 {
            *size = b.any_size() as i64;
        } else if b.rng.percent(30) {
            *size = 1;
        }
    }
    if b.rng.percent(40) {
        to.insert(0, b.any_size() as i64);
    }
    let to = b.ints(&to);
    Some(call("Expand", &[&x, &to]))
}

fn tile(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 3);
    let rank = b.of(&x).dims.len();
    let repeats: Vec<i64> = (0..rank).map(|_| b.rng.below(4) as i64).collect();
    let repeats = match b.numbers(1) {
        Some(to) if b.of(&to).dims == [rank as u64] && b.rng.percent(50) => to,
        _ => b.ints(&repeats),
    };
    Some(call("Tile", &[&x, &repeats]))
}

fn pad(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let rank = b.of(&x).dims.len();
    let pads: Vec<i64> = (0..2 * rank).map(|_| b.rng.below(5) as i64 - 1).collect();
    let pads = match b.numbers(1) {
        Some(to) if b.of(&to).dims == [2 * rank as u64] => to,
        _ => b.ints(&pads),
    };
    Some(call("Pad", &[&x, &pads]))
}

fn slice(b: &mut Builder) -> Option<Wanted> {
    let x = match b.numbers(1).filter(|_| b.rng.percent(40)) {
        Some(x) => x,
        None => b.float(1, 4),
    };
    let rank = b.of(&x).dims.len();
    let axis = axis(b, rank);
    let ends = [1, 2, 3, 4, 8, 100, -1, -2, 0, i64::MAX];
    let starts = [0, 0, 1, 1, 2, 3, -1, -2, -3];
    let place = |b: &mut Builder, of: &[i64]| match b.numbers(1) {
        Some(n) if b.of(&n).dims == [1] && b.rng.percent(40) => n,
        _ => {
            let n = *b.rng.one(of).unwrap_or(&0);
            b.ints(&[n])
        }
    };
    let (from, to) = (place(b, &starts), place(b, &ends));
    let along = b.ints(&[axis]);
    let mut node = call("Slice", &[&x, &from, &to, &along]);
    if b.rng.percent(30) {
        let step = *b.rng.one(&[1, 2, 3, -1, -2])?;
        node.inputs.push(Some(b.ints(&[step])));
    }
    Some(node)
}

fn split(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let dims = b.of(&x).dims.clone();
    let axis = axis(b, dims.len());
    let size = dims[axis.rem_euclid(dims.len() as i64) as usize];
    let outputs = 2 + b.rng.below(2);
    let mut node = call("Split", &[&x]);
    node.outputs = outputs;
    match b.rng.percent(60) {
        true => node = node.also("num_outputs", outputs),
        false => {
            let mut parts: Vec<i64> = (0..outputs).map(|_| b.rng.below(3) as i64).collect();
            parts[0] = (size as i64 - parts[1..].iter().sum::<i64>()).max(0);
            node.inputs.push(Some(b.ints(&parts)));
        }
    }
    node.with("axis", axis)
}

fn concat(b: &mut Builder) -> Option<Wanted> {
    // Of numbers: the parts of a shape.
    if let Some(first) = b.numbers(1)
        && b.rng.percent(60)
    {
        let constant = *b.rng.one(&[1, 2, 4, -1, 0, 8])?;
        let constant = b.ints(&[constant]);
        let other = match b.numbers(1).filter(|_| b.rng.percent(40)) {
            Some(other) => other,
            None => constant,
        };
        let (left, right) = if b.rng.percent(50) {
            (first, other)
        } else {
            (other, first)
        };
        return call("Concat", &[&left, &right]).with("axis", 0);
    }
    let x = b.float(1, 4);
    let dims = b.of(&x).dims.clone();
    let axis = axis(b, dims.len());
    let at = axis.rem_euclid(dims.len() as i64) as usize;
    let fits = |t: &super::Concrete| {
        let same = |i: usize| i == at || t.dims[i] == dims[i];
        t.dtype == "f32" && t.dims.len() == dims.len() && (0..dims.len()).all(same)
    };
    let y = match b.there(&fits).filter(|_| b.rng.percent(50)) {
        Some(y) => y,
        None => {
            let mut dims = dims.clone();
            dims[at] = b.any_size();
            b.tensor("f32", &dims)
        }
    };
    call("Concat", &[&x, &y]).with("axis", axis)
}

fn gather(b: &mut Builder) -> Option<Wanted> {
    let x = match b.numbers(1).filter(|_| b.rng.percent(65)) {
        Some(x) => x,
        None => b.float(1, 4),
    };
    let dims = b.of(&x).dims.clone();
    let axis = axis(b, dims.len());
    let size = dims[axis.rem_euclid(dims.len() as i64) as usize];
    let index = b.rng.below(size.clamp(1, 8) as usize) as i64;
    let index = match b.rng.percent(20) {
        true => index - size as i64,
        false => index,
    };
    let at = match b.rng.below(4) {
        0 => b.int(index),
        1 => b.ints(&[index, 0]),
        2 if b.rng.percent(50) => {
            let dims = b.any_dims(1);
            b.tensor("i64", &dims)
        }
        _ => b.ints(&[index]),
    };
    call("Gather", &[&x, &at]).with("axis", axis)
}

fn gather_nd(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let rank = b.of(&x).dims.len();
    let k = 1 + b.rng.below(rank) as u64;
    let n = b.any_size();
    let at = b.tensor("i64", &[n, k]);
    Some(call("GatherND", &[&x, &at]))
}

fn gather_elements(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 3);
    let mut dims = b.of(&x).dims.clone();
    let axis = axis(b, dims.len());
    let at = axis.rem_euclid(dims.len() as i64) as usize;
    dims[at] = b.any_size();
    let at = b.tensor("i64", &dims);
    call("GatherElements", &[&x, &at]).with("axis", axis)
}

fn one_hot(b: &mut Builder) -> Option<Wanted> {
    let rank = 1 + b.rng.below(2);
    let dims = b.any_dims(rank);
    let at = b.tensor("i64", &dims);
    let depth = b.numbers(0).unwrap_or_else(|| b.int(4));
    let values = b.constant(
        "f32",
        &[2],
        vec![Member::Other("0.0".into()), Member::Other("1.0".into())],
    );
    let axis = axis(b, rank + 1);
    call("OneHot", &[&at, &depth, &values]).with("axis", axis)
}

fn constant_of_shape(b: &mut Builder) -> Option<Wanted> {
    let to = b.numbers(1)?;
    Some(call("ConstantOfShape", &[&to]))
}

fn range(b: &mut Builder) -> Option<Wanted> {
    let limit = b.numbers(0)?;
    let (start, step) = (*b.rng.one(&[0, 0, 1, 2])?, *b.rng.one(&[1, 1, 2, 3, -1])?);
    let (start, step) = (b.int(start), b.int(step));
    Some(call("Range", &[&start, &limit, &step]))
}

fn reduce(b: &mut Builder) -> Option<Wanted> {
    let op = *b.rng.one(&["ReduceSum", "ReduceMean", "ReduceMax"])?;
    let x = match b
        .numbers(1)
        .filter(|_| op == "ReduceSum" && b.rng.percent(20))
    {
        Some(x) => x,
        None => b.float(1, 4),
    };
    let rank = b.of(&x).dims.len();
    let mut node = call(op, &[&x]);
    if b.rng.percent(85) {
        let mut axes = vec![axis(b, rank)];
        if rank > 1 && b.rng.percent(30) {
            axes = vec![0, -1];
        }
        node.inputs.push(Some(b.ints(&axes)));
    }
    match b.rng.percent(50) {
        true => node.with("keepdims", 0),
        false => Some(node),
    }
}

fn arg_max(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let axis = axis(b, b.of(&x).dims.len());
    let node = call("ArgMax", &[&x]).also("axis", axis);
    match b.rng.percent(50) {
        true => node.with("keepdims", 0),
        false => Some(node),
    }
}

fn top_k(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let axis = axis(b, b.of(&x).dims.len());
    let k = 1 + b.rng.below(4) as i64;
    let k = match b.numbers(1) {
        Some(k) if b.of(&k).dims == [1] => k,
        _ => b.ints(&[k]),
    };
    let mut node = call("TopK", &[&x, &k]).also("axis", axis);
    node.outputs = 2;
    Some(node)
}

fn cumulative(b: &mut Builder) -> Option<Wanted> {
    if b.rng.percent(50) {
        let x = b.float(2, 4);
        return Some(call("Trilu", &[&x]));
    }
    let x = b.float(1, 4);
    let axis = axis(b, b.of(&x).dims.len());
    let axis = b.int(axis);
    Some(call("CumSum", &[&x, &axis]))
}

fn softmax(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 4);
    let axis = axis(b, b.of(&x).dims.len());
    call("Softmax", &[&x]).with("axis", axis)
}

fn cast(b: &mut Builder) -> Option<Wanted> {
    if let Some(x) = b.there(&|t| t.dtype == "bool" || t.dtype == "f16") {
        return call("Cast", &[&x]).with("to", 1);
    }
    let x = b.float(0, 4);
    let to = b.rng.size(&[1, 10, 10, 9]);
    call("Cast", &[&x]).with("to", to)
}

fn batch_norm(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(2, 4);
    let channels = b.of(&x).dims[1];
    let parts: Vec<String> = (0..4).map(|_| b.tensor("f32", &[channels])).collect();
    Some(call(
        "BatchNormalization",
        &[&x, &parts[0], &parts[1], &parts[2], &parts[3]],
    ))
}

fn layer_norm(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(2, 4);
    let dims = b.of(&x).dims.clone();
    let scale = b.tensor("f32", &dims[dims.len() - 1..]);
    call("LayerNormalization", &[&x, &scale]).with("axis", -1)
}

fn choose(b: &mut Builder) -> Option<Wanted> {
    let x = b.float(1, 3);
    let y = beside(b, &x);
    let condition = match b.there(&|t| t.dtype == "bool") {
        Some(c) => c,
        None => {
            let dims = b.of(&x).dims.clone();
            b.tensor("bool", &dims)
        }
    };
    Some(call("Where", &[&condition, &x, &y]))
}

fn einsum(b: &mut Builder) -> Option<Wanted> {
    let equation = *b.rng.one(&[
        "bij,bjk->bik",
        "bij,bkj->bik",
        "ij,jk->ik",
        "bi,bj->bij",
        "ii->i",
        "bij->bji",
    ])?;
    let left = equation.split("->").next()?;
    let mut sizes = std::collections::BTreeMap::new();
    let mut inputs = Vec::new();
    for (i, letters) in left.split(',').enumerate() {
        let there = match i {
            0 => b.there(&|t| t.dtype == "f32" && t.dims.len() == letters.len()),
            _ => None,
        };
        if let Some(x) = &there {
            sizes.extend(letters.chars().zip(b.of(x).dims.clone()));
        }
        inputs.push(match there {
            Some(x) => x,
            None => {
                let dims: Vec<u64> = letters
                    .chars()
                    .map(|l| *sizes.entry(l).or_insert_with(|| b.any_size()))
                    .collect();
                b.tensor("f32", &dims)
            }
        });
    }
    let inputs: Vec<&String> = inputs.iter().collect();
    call("Einsum", &inputs).with("equation", format!("\"{equation}\""))
}

/// Calculation with sizes.
fn arithmetic(b: &mut Builder) -> Option<Wanted> {
    let op = *b
        .rng
        .one(&["Add", "Sub", "Mul", "Mul", "Div", "Div", "Max"])?;
    let rank = b.rng.below(2);
    let x = b.numbers(rank).or_else(|| b.numbers(1 - rank))?;
    let n = *b.rng.one(&[1, 2, 2, 3, 4])?;
    let y = match b.numbers(rank).filter(|_| b.rng.percent(35)) {
        Some(y) => y,
        None => b.int(n),
    };
    match b.rng.percent(85) {
        true => Some(call(op, &[&x, &y])),
        false => Some(call(op, &[&y, &x])),
    }
}
