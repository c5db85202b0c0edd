//! Parts that are picked, repeated, padded and shared, by sizes that the graph calculates.

use super::text::{finds, model};
use kanshape::Verdict;

const SMALL: &[&[(&str, u64)]] = &[&[("N", 2), ("T", 5)], &[("N", 3), ("T", 16)]];

/// `x[mask]`, and what is put back in its places.
#[test]
fn what_a_mask_picks_goes_back() {
    let text = "
        x: f32[N, T]
        mask: bool[N, T]
        places = NonZero(mask)
        turned = Transpose(places) perm=[1,0]
        picked = GatherND(x, turned)
        new = Neg(picked)
        back = ScatterND(x, turned, new)
    ";
    finds(text, "back", "f32[N, T]", SMALL);
}

/// `x.repeat(1, 2, 1)`, `x.repeat_interleave`, tiles that are calculated.
#[test]
fn tiles_are_counted() {
    let text = "
        x: f32[1, 7]
        like: f32[N, T]
        s = Shape(like)
        n = Slice(s, i64[1] = [0], i64[1] = [1])
        times = Concat(n, i64[1] = [2]) axis=0
        y = Tile(x, times)
        col = Unsqueeze(y, i64[1] = [2])
        wide = Expand(col, i64[3] = [1, 1, 4])
        to = Shape(y)
        four = Mul(to, i64[2] = [1, 4])
        flat = Reshape(wide, four)
    ";
    finds(text, "y", "f32[N, 14]", SMALL);
    finds(text, "flat", "f32[N, 56]", SMALL);
}

/// Sizes that are compared, and one of two taken.
#[test]
fn the_larger_of_two_sizes_is_taken() {
    let text = "
        x: f32[N, T, 8]
        s = Shape(x)
        t = Gather(s, i64[] = [1])
        most = Max(t, i64[] = [32])
        less = Sub(most, t)
        l1 = Unsqueeze(less, i64[1] = [0])
        pads = Concat(i64[4] = [0, 0, 0, 0], l1, i64[1] = [0]) axis=0
        y = Pad(x, pads)
    ";
    finds(text, "y", "f32[N, max(T, 32), 8]", SMALL);
}

/// A share of a size, rounded: a quarter of it is exact in floats.
#[test]
fn a_share_of_a_size_is_taken() {
    let text = "
        x: f32[N, T]
        s = Shape(x)
        t = Gather(s, i64[1] = [1])
        f = Cast(t) to=1
        quarter = Div(f, f32[] = [4.0])
        up = Ceil(quarter)
        k = Cast(up) to=7
        best, places = TopK(x, k) axis=1
    ";
    finds(text, "best", "f32[N, ceil(T/4)]", SMALL);
}

/// `torch.meshgrid` and `stack`.
#[test]
fn a_grid_is_stacked() {
    let text = "
        x: f32[1, 3, N, T]
        s = Shape(x)
        n = Gather(s, i64[] = [2])
        t = Gather(s, i64[] = [3])
        a = Range(i64[] = [0], n, i64[] = [1])
        b = Range(i64[] = [0], t, i64[] = [1])
        a1 = Reshape(a, i64[2] = [-1, 1])
        b1 = Reshape(b, i64[2] = [1, -1])
        n1 = Unsqueeze(n, i64[1] = [0])
        t1 = Unsqueeze(t, i64[1] = [0])
        to = Concat(n1, t1) axis=0
        ones = ConstantOfShape(to)
        af = Cast(a1) to=1
        bf = Cast(b1) to=1
        am = Add(af, ones)
        bm = Add(bf, ones)
        a3 = Unsqueeze(am, i64[1] = [-1])
        b3 = Unsqueeze(bm, i64[1] = [-1])
        grid = Concat(a3, b3) axis=-1
        flat = Flatten(grid) axis=2
    ";
    finds(text, "grid", "f32[N, T, 2]", SMALL);
    finds(text, "flat", "f32[N*T, 2]", SMALL);
}

/// Detectors pick boxes, and pick again among those that they have: of no size it says anything that the masks decide.
#[test]
fn what_masks_pick_in_a_row_requires_nothing() {
    let text = "
        x: f32[N]
        z: f32[T]
        first = NonZero(x)
        a = Shape(first) start=1
        rest = ConstantOfShape(a)
        second = NonZero(rest)
        other = NonZero(z)
        b = Shape(other) start=1
        few = Min(b, i64[1] = [400])
        both = Add(a, few)
        all = ConstantOfShape(both)
        picked = NonZero(all)
        again = Shape(picked) start=1
        left = ConstantOfShape(again)
        last = NonZero(left)
    ";
    let (mut m, values) = model(text);
    assert!(m.ty(values["last"]).starts_with("i64[1, d"));
    assert_eq!(m.verdict(), Verdict::Always);
}

/// As many parts as there are classes are put together, each of its own size.
#[test]
fn many_parts_of_open_sizes_are_joined() {
    let mut text = String::new();
    let count = 100;
    for i in 0..count {
        text += &format!("x{i}: f32[N{i}]\nm{i} = Identity(x{i})\n");
    }
    let parts: Vec<String> = (0..count).map(|i| format!("m{i}")).collect();
    text += &format!("all = Concat({}) axis=0\n", parts.join(", "));
    let (mut m, values) = model(&text);
    let sizes: Vec<String> = (0..count).map(|i| format!("N{i}")).collect();
    assert_eq!(m.ty(values["all"]), format!("f32[{}]", sizes.join(" + ")));
    assert_eq!(m.verdict(), Verdict::Always);
}
