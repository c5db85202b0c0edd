//! What exporters write: small graphs that calculate the shapes of others.

use super::text::{finds, model};
use kanshape::Verdict;
use std::fmt::Write as _;

const SMALL: &[&[(&str, u64)]] = &[
    &[("N", 1), ("H", 7), ("W", 8), ("T", 5)],
    &[("N", 4), ("H", 32), ("W", 33), ("T", 128)],
];

#[test]
fn an_image_is_resized_to_half_by_floats() {
    let text = "
        x: f32[N, 3, H, W]
        s = Shape(x)
        hw = Slice(s, i64[1] = [2], i64[1] = [4], i64[1] = [0])
        f = Cast(hw) to=1
        half = Mul(f, f32[] = [0.5])
        down = Floor(half)
        to = Cast(down) to=7
        nc = Slice(s, i64[1] = [0], i64[1] = [2], i64[1] = [0])
        sizes = Concat(nc, to) axis=0
        y = Resize(x, -, -, sizes)
    ";
    finds(text, "down", "f32[2] = [H//2, W//2]", SMALL);
    finds(text, "sizes", "i64[4] = [N, 3, H//2, W//2]", SMALL);
    finds(text, "y", "f32[N, 3, H//2, W//2]", SMALL);
}

/// Boxes of 90 classes behind each other, and of more classes than a size is calculated with: a node for which that is too much is
/// typed without what is in its inputs.
#[test]
fn boxes_of_many_classes() {
    for (count, is_followed) in [(90, true), (150, false)] {
        let mut text = String::new();
        for i in 0..count {
            writeln!(text, "x{i}: f32[n{i}, 4]").unwrap();
            writeln!(
                text,
                "s{i} = Slice(x{i}, i64[1] = [0], i64[1] = [400], i64[1] = [0])"
            )
            .unwrap();
        }
        let all: Vec<String> = (0..count).map(|i| format!("s{i}")).collect();
        writeln!(text, "all = Concat({}) axis=0", all.join(", ")).unwrap();
        text += "
            s = Shape(all)
            n = ReduceProd(s) keepdims=0
            none = Equal(n, i64[] = [0])
            same = Slice(all, i64[1] = [0], i64[1] = [9223372036854775807], i64[1] = [0])
            last = Gather(same, i64[] = [3]) axis=1
        ";
        let (mut m, values) = model(&text);
        assert_eq!(m.graph.ty(values["none"]).to_string(), "bool[]");
        let all = m.graph.ty(values["all"]).to_string();
        if is_followed {
            assert_eq!(m.graph.ty(values["same"]).to_string(), all);
        }
        assert_ne!(m.graph.read().verdict(), Verdict::Never);
    }
}

/// The numbers of a quantized table decide no size: that there are many makes nothing unknown.
#[test]
fn a_quantized_table_is_looked_up() {
    let list = |n: u32| {
        let all: Vec<String> = (0..n).map(|i| (i % 256).to_string()).collect();
        all.join(", ")
    };
    let text = format!(
        "
        x: f32[b, 17, 32]
        rows = Gather(u8[17, 32] = [{}], i64[1, 17] = [{}])
        f = DequantizeLinear(rows, f32[], u8[])
        y = Add(x, f)
    ",
        list(17 * 32),
        list(17)
    );
    let (mut m, values) = model(&text);
    assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[b, 17, 32]");
    assert_eq!(m.graph.read().verdict(), Verdict::Always);
}

#[test]
fn an_image_is_resized_by_scales() {
    let text = "
        x: f32[N, 3, H, W]
        y = Resize(x, -, f32[4] = [1.0, 1.0, 2.0, 0.5])
    ";
    finds(text, "y", "f32[N, 3, 2*H, W//2]", SMALL);
}

#[test]
fn places_are_counted_in_floats() {
    let text = "
        x: f32[N, T]
        s = Shape(x)
        t = Gather(s, i64[] = [1])
        limit = Cast(t) to=1
        r = Range(f32[] = [0.0], limit, f32[] = [1.0])
        q = Range(f32[] = [0.0], limit, f32[] = [0.5])
    ";
    finds(text, "r", "f32[T]", &[]);
    finds(text, "q", "f32[2*T]", &[]);
}

/// What the function that `Range` is calculates of its inputs.
#[test]
fn the_length_of_a_range_is_calculated_in_floats() {
    let text = "
        span = Sub(i32[] = [6], i32[] = [10])
        f = Cast(span) to=1
        by = Cast(i32[] = [-3]) to=1
        steps = Div(f, by)
        whole = Ceil(steps)
        some = Relu(whole)
        count = Cast(some) to=7
        any = Cast(some) to=9
    ";
    finds(text, "steps", "f32[] = [1.3333334]", &[]);
    finds(text, "count", "i64[] = [2]", &[]);
    finds(text, "any", "bool[] = [true]", &[]);
}

/// Padded to a multiple of a window, as exporters write it, on two axes.
const PADDED: &str = "
    x: f32[B, H, W, 16]
    b = Shape(x) start=0 end=1
    h = Shape(x) start=1 end=2
    w = Shape(x) start=2 end=3
    hr = Mod(h, i64[1] = [7])
    hs = Sub(i64[1] = [7], hr)
    hp = Mod(hs, i64[1] = [7])
    wr = Mod(w, i64[1] = [7])
    ws = Sub(i64[1] = [7], wr)
    wp = Mod(ws, i64[1] = [7])
    pads = Concat(i64[5] = [0, 0, 0, 0, 0], hp, wp, i64[1] = [0]) axis=0
    xp = Pad(x, pads)
    hl = Shape(xp) start=1 end=2
    wl = Shape(xp) start=2 end=3
    hn = Div(hl, i64[1] = [7])
    wn = Div(wl, i64[1] = [7])
    to = Concat(b, hn, i64[1] = [7], wn, i64[2] = [7, 16]) axis=0
    y = Reshape(xp, to)
    t = Transpose(y) perm=[0,1,3,2,4,5]
    z = Reshape(t, i64[4] = [-1, 7, 7, 16])
";

#[test]
fn windows_of_a_padded_image() {
    let finds = |value: &str, ty: &str| {
        finds(
            PADDED,
            value,
            ty,
            &[
                &[("B", 2), ("H", 8), ("W", 21)],
                &[("B", 1), ("H", 7), ("W", 1)],
            ],
        );
    };
    finds("xp", "f32[B, 7*ceil(H/7), 7*ceil(W/7), 16]");
    finds("y", "f32[B, ceil(H/7), 7, ceil(W/7), 7, 16]");
    finds("z", "f32[B*ceil(H/7)*ceil(W/7), 7, 7, 16]");
}

#[test]
fn what_a_division_leaves_over_is_made_of_sizes() {
    let text = "
        x: f32[H, W]
        h = Shape(x) start=0 end=1
        w = Shape(x) start=1 end=2
        r = Mod(h, i64[1] = [4])
        q = Mod(w, i64[1] = [4])
        down = Sub(h, r)
        below = Sub(w, q)
        sizes = Concat(down, below) axis=0
        y = ConstantOfShape(sizes)
        part = Div(down, i64[1] = [4])
        rest = Div(below, i64[1] = [4])
        to = Concat(part, i64[1] = [4], rest, i64[1] = [4]) axis=0
        z = Reshape(y, to)
    ";
    finds(text, "y", "f32[4*(H//4), 4*(W//4)]", &[]);
    finds(text, "z", "f32[H//4, 4, W//4, 4]", &[&[("H", 9), ("W", 4)]]);
}

/// Cut at `2 % H`, and joined the other way round.
#[test]
fn rolled_by_a_number_modulo_the_size() {
    let text = "
        x: f32[B, H]
        h = Shape(x) start=1 end=2
        r = Mod(i64[1] = [2], h)
        front = Slice(x, i64[1] = [0], r, i64[1] = [1])
        back = Slice(x, r, h, i64[1] = [1])
        y = Concat(back, front) axis=1
    ";
    finds(
        text,
        "y",
        "f32[B, H]",
        &[&[("B", 1), ("H", 1)], &[("B", 2), ("H", 5)]],
    );
}

/// As `torch.export` writes the size of what a convolution with a stride gives: `(H - 1)//8 + 1`, rounded towards 0.
#[test]
fn the_size_of_a_strided_convolution() {
    let text = "
        x: f32[1, 3, H]
        w: f32[3, 3, 3]
        a = Conv(x, w) strides=[8] pads=[1,1]
        h = Shape(x) start=2 end=3
        less = Sub(h, i64[1] = [1])
        part = Div(less, i64[1] = [8])
        size = Add(part, i64[1] = [1])
        to = Concat(i64[2] = [1, 3], size) axis=0
        b = ConstantOfShape(to)
        y = Add(a, b)
    ";
    finds(
        text,
        "y",
        "f32[1, 3, ceil(H/8)]",
        &[&[("H", 1)], &[("H", 17)]],
    );
}

/// `arange` as PyTorch 1 has exported it: the places of so many ones.
#[test]
fn places_of_ones_are_counted() {
    let text = "
        x: i64[B, S]
        table: f32[1024, 8]
        s = Shape(x)
        n = Gather(s, i64[1] = [1])
        ones = Expand(i64[1] = [1], n)
        nz = NonZero(ones)
        t = Transpose(nz) perm=[1,0]
        r = Squeeze(t, i64[1] = [1])
        row = Unsqueeze(r, i64[1] = [0])
        y = Gather(table, row)
        all = Expand(i64[1] = [3], s)
        each = NonZero(all)
        first = Expand(i64[1] = [0], s)
        none = NonZero(first)
    ";
    finds(text, "r", "i64[S]", &[]);
    finds(text, "y", "f32[1, S, 8]", &[]);
    finds(text, "each", "i64[2, B*S]", &[]);
    finds(text, "none", "i64[2, 0]", &[]);
}

/// Numbers of 8 bits wrap around: the sum is 0, wherever it stands.
#[test]
fn sums_that_wrap_around_are_not_followed() {
    let text = "
        x: f32[N]
        s = Shape(x)
        many = Expand(u8[1] = [200], s)
        sum = Add(many, u8[1] = [56])
        nz = NonZero(sum)
    ";
    finds(text, "nz", "i64[1, d0]", &[]);
}
