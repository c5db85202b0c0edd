//! What PyTorch's exporter writes: shapes that are taken apart, calculated with, and put together again.

use super::text::finds;

const SMALL: &[&[(&str, u64)]] = &[
    &[("N", 2), ("H", 7), ("W", 8), ("T", 5)],
    &[("N", 4), ("H", 32), ("W", 33), ("T", 128)],
];

/// `x.view(x.size(0), -1, 12, 64)`.
#[test]
fn a_view_is_a_reshape_to_a_concatenation() {
    let text = "
        x: f32[N, T, 768]
        s = Shape(x)
        n = Gather(s, i64[] = [0])
        n1 = Unsqueeze(n, i64[1] = [0])
        to = Concat(n1, i64[1] = [-1], i64[1] = [12], i64[1] = [64]) axis=0
        y = Reshape(x, to)
        z = Transpose(y) perm=[0,2,1,3]
    ";
    finds(text, "to", "i64[4] = [N, -1, 12, 64]", &[]);
    finds(text, "z", "f32[N, 12, T, 64]", SMALL);
}

/// `x.expand(n, -1, -1)`: a shape of which some members say that the dim stays.
#[test]
fn an_expand_asks_where_its_shape_is_minus_one() {
    let text = "
        x: f32[1, 1, 256]
        like: f32[N, T, 3]
        s = Shape(like)
        n = Gather(s, i64[] = [0])
        n1 = Unsqueeze(n, i64[1] = [0])
        target = Concat(n1, i64[1] = [-1], i64[1] = [-1]) axis=0
        flat = Reshape(target, i64[1] = [-1])
        rank = Shape(flat)
        ones = ConstantOfShape(rank) value=1
        minus = Mul(ones, i64[] = [-1])
        is = Equal(flat, minus)
        to = Where(is, ones, flat)
        y = Expand(x, to)
    ";
    let text = text.replace(
        "ConstantOfShape(rank) value=1",
        "Expand(i64[1] = [1], rank)",
    );
    finds(&text, "to", "i64[3] = [N, 1, 1]", SMALL);
    finds(&text, "y", "f32[N, 1, 256]", SMALL);
}

/// `torch.arange(t)` and a causal mask made of it.
#[test]
fn a_causal_mask_has_the_length_of_the_sequence() {
    let text = "
        ids: i64[N, T]
        s = Shape(ids)
        t = Gather(s, i64[] = [1])
        r = Range(i64[] = [0], t, i64[] = [1])
        row = Unsqueeze(r, i64[1] = [0])
        column = Unsqueeze(r, i64[1] = [1])
        mask = LessOrEqual(row, column)
        m4 = Unsqueeze(mask, i64[2] = [0, 1])
        x: f32[N, 8, T, T]
        y = Where(m4, x, f32[] = [-1.0])
    ";
    finds(text, "r", "i64[T]", SMALL);
    finds(text, "mask", "bool[T, T]", SMALL);
    finds(text, "y", "f32[N, 8, T, T]", SMALL);
}

/// A position embedding that is cut to the length of the sequence, and half of a rotary embedding.
#[test]
fn slices_end_where_sizes_say() {
    let text = "
        x: f32[N, 8, T, 64]
        table: f32[1, 512, 64]
        s = Shape(x)
        t = Slice(s, i64[1] = [2], i64[1] = [3], i64[1] = [0])
        cut = Slice(table, i64[1] = [0], t, i64[1] = [1])
        d = Gather(s, i64[] = [3])
        half = Div(d, i64[] = [2])
        h1 = Unsqueeze(half, i64[1] = [0])
        a = Slice(x, i64[1] = [0], h1, i64[1] = [3])
        b = Slice(x, h1, i64[1] = [9223372036854775807], i64[1] = [3])
        minus = Neg(b)
        turned = Concat(minus, a) axis=-1
    ";
    finds(text, "cut", "f32[1, min(T, 512), 64]", SMALL);
    finds(text, "a", "f32[N, 8, T, 32]", SMALL);
    finds(text, "turned", "f32[N, 8, T, 64]", SMALL);
}

/// `F.pad` to a multiple of 32, as detectors and windowed attention do.
#[test]
fn an_image_is_padded_to_a_multiple() {
    let text = "
        x: f32[N, 3, H, W]
        s = Shape(x)
        h = Gather(s, i64[] = [2])
        w = Gather(s, i64[] = [3])
        hr = Mod(h, i64[] = [32])
        hm = Sub(i64[] = [32], hr)
        hp = Mod(hm, i64[] = [32])
        wr = Mod(w, i64[] = [32])
        wm = Sub(i64[] = [32], wr)
        wp = Mod(wm, i64[] = [32])
        hp1 = Unsqueeze(hp, i64[1] = [0])
        wp1 = Unsqueeze(wp, i64[1] = [0])
        pads = Concat(i64[6] = [0, 0, 0, 0, 0, 0], hp1, wp1) axis=0
        y = Pad(x, pads)
    ";
    let padded = "f32[N, 3, 32*ceil(H/32), 32*ceil(W/32)]";
    finds(text, "y", padded, SMALL);
}

/// `torch.chunk`, and sizes of parts that are calculated.
#[test]
fn a_split_has_computed_sizes() {
    let text = "
        x: f32[N, T, 96]
        a, b, c = Split(x) axis=-1 num_outputs=3
        s = Shape(x)
        t = Gather(s, i64[1] = [1])
        less = Sub(t, i64[1] = [1])
        sizes = Concat(i64[1] = [1], less) axis=0
        first, rest = Split(x, sizes) axis=1
    ";
    finds(text, "b", "f32[N, T, 32]", SMALL);
    finds(text, "first", "f32[N, 1, 96]", SMALL);
    finds(text, "rest", "f32[N, T - 1, 96]", SMALL);
}

/// `torch.topk(x, min(t, 100))`.
#[test]
fn the_best_are_no_more_than_there_are() {
    let text = "
        x: f32[N, T]
        s = Shape(x)
        t = Gather(s, i64[1] = [1])
        k = Min(t, i64[1] = [100])
        best, places = TopK(x, k) axis=1
    ";
    finds(text, "places", "i64[N, min(T, 100)]", SMALL);
}

/// `x.flatten(2).transpose(1, 2)`, with the product of a shape.
#[test]
fn a_shape_is_multiplied() {
    let text = "
        x: f32[N, 32, H, W]
        s = Shape(x)
        hw = Slice(s, i64[1] = [2], i64[1] = [4])
        area = ReduceProd(hw) keepdims=1
        nc = Slice(s, i64[1] = [0], i64[1] = [2])
        to = Concat(nc, area) axis=0
        flat = Reshape(x, to)
        y = Transpose(flat) perm=[0,2,1]
    ";
    finds(text, "y", "f32[N, H*W, 32]", SMALL);
}
