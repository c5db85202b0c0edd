//! What exporters write: small graphs that calculate the shapes of others.

use super::text::finds;

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
