//! Cases that were wrong once, as they are written down.

use kanshape_testkit::graphs::{Case, judge};

use super::claims::{Plan, graph};
use super::numbers::Numbers;

/// Cases that were wrong once, each with its name.
const WRITTEN: &[(&str, &str)] = &[
    (
        "a product of three open sums",
        "x: f32[N, 8, H, W]
         s: i64[2] = [1, 8]
         p = AveragePool(x) {kernel_shape = [3, 3]}
         y = Reshape(p, s)",
    ),
    (
        "a product of two open sums",
        "x: f32[1, 8, H, W]
         s: i64[2] = [2, 16]
         p = AveragePool(x) {kernel_shape = [2, 2]; strides = [2, 2]}
         y = Reshape(p, s)",
    ),
    (
        "the rest of an open product",
        "x: f32[N, C, H, 1]
         s: i64[3] = [2, -1, 3]
         y = Reshape(x, s)",
    ),
    (
        "a reshape to the shape of another",
        "x: f32[1, M, M]
         z: f32[N, M]
         s = Shape(z)
         y = Reshape(x, s)",
    ),
    (
        "a broadcast that nothing shows",
        "x: f32[N]
         m: f32[M]
         z = Add(x, m)
         y = ReduceSum(z) {keepdims = 0}",
    ),
    (
        "two broadcasts",
        "x: f32[N]
         m: f32[M]
         w: f32[K]
         z = Add(x, m)
         y = Add(z, w)",
    ),
    (
        "a half that is expanded",
        "x: f32[H, 4]
         a, b = Split(x) {num_outputs = 2}
         r: i64[2] = [3, 1]
         y = Expand(a, r)",
    ),
    (
        "half a channel",
        "x: f32[H, 4]
         s: i64[2] = [3, 1]
         y = Expand(x, s)",
    ),
    (
        "a slice of a shared axis",
        "x: f32[N, 4]
         f: i64[1] = [1]
         t: i64[1] = [2]
         a: i64[1] = [0]
         w: f32[M, 5]
         z = Slice(x, f, t, a)
         y = Gemm(z, w) {transA = 1}",
    ),
    (
        "a computed 0 copies a dim",
        "x: f32[N, 4]
         m: f32[M]
         s = Shape(m)
         r: i64[1] = [4]
         t = Concat(s, r) {axis = 0}
         y = Reshape(x, t)",
    ),
    (
        "a reshape that only copies",
        "x: f32[4, 6, N]
         z: f32[N, N, 2*N]
         s = Shape(z)
         y = Reshape(x, s)",
    ),
    (
        "a size of another tensor",
        "x: f32[K, N]
         m: f32[2*M]
         s = Shape(m)
         y = Reshape(x, s)",
    ),
    (
        "a computed size among numbers",
        "x: f32[3]
         m: f32[M]
         s = Shape(m)
         y = Reshape(x, s)",
    ),
    (
        "a computed size that can't be 0",
        "x: f32[N]
         f = Flatten(x) {axis = 0}
         s = Shape(f)
         y = Reshape(x, s)",
    ),
    (
        "a computed 0 and the rest",
        "x: f32[2, N]
         m: f32[M]
         s = Shape(m)
         r: i64[1] = [-1]
         t = Concat(s, r) {axis = 0}
         y = Reshape(x, t)",
    ),
    (
        "a view of blocks",
        "x: f32[N, 1, H, H]
         w: f32[6, 1, 5, 5]
         s: i64[2] = [-1, 24]
         c = Conv(x, w)
         p = MaxPool(c) {kernel_shape = [2, 2]; strides = [2, 2]}
         y = Reshape(p, s)",
    ),
    (
        "a flattened image into a product",
        "x: f32[N, 1, H, W]
         w: f32[6, 1, 3, 3]
         v: f32[10, 24]
         c = Conv(x, w)
         f = Flatten(c)
         y = Gemm(f, v) {transB = 1}",
    ),
    (
        "three dims flattened into a product",
        "x: f32[1, 1, D, H, W]
         w: f32[8, 1, 3, 3, 3]
         v: f32[10, 8]
         c = Conv(x, w)
         f = Flatten(c)
         y = Gemm(f, v) {transB = 1}",
    ),
    (
        "attention over an image",
        "x: f32[N, 3, H, W]
         w: f32[8, 3, 3, 3]
         s: i64[3] = [0, 8, -1]
         a = Conv(x, w)
         b = Reshape(a, s)
         c = Transpose(b) {perm = [0, 2, 1]}
         d = MatMul(c, b)
         e = Softmax(d) {axis = -1}
         f = MatMul(e, c)
         g = Transpose(f) {perm = [0, 2, 1]}
         h = Shape(a)
         y = Reshape(g, h)",
    ),
    (
        "halves that are to have the same size",
        "x: f32[N]
         one: f32[1]
         a, b = Split(x) {num_outputs = 2}
         more = Concat(a, one) {axis = 0}
         most = Concat(b, one) {axis = 0}
         s = Shape(most)
         y = Reshape(more, s)",
    ),
    (
        "thirds that are to have the same size",
        "x: f32[N]
         one: f32[1]
         a, b, c = Split(x) {num_outputs = 3}
         more = Concat(a, one) {axis = 0}
         most = Concat(c, one) {axis = 0}
         s = Shape(most)
         y = Reshape(more, s)",
    ),
    (
        "a difference of any sign",
        "x: f32[N]
         z: f32[M]
         n = Shape(x)
         m = Shape(z)
         s = Sub(n, m)
         y = Reshape(x, s)",
    ),
    (
        "a number of elements is an index",
        "x: f32[N]
         t: i64[2] = [7, 8]
         n = Size(x)
         y = Gather(t, n)",
    ),
    (
        "members of a range that only numbers decide",
        "x: f32[M]
         from: i64[] = [2]
         by: i64[] = [-1]
         y: f32[]
         n = Size(x)
         s = Range(from, n, by)
         z = Reshape(y, s)",
    ),
];

#[test]
fn written_cases_are_true_of_every_binding() {
    let mut numbers = Numbers::new();
    let mut report = String::new();
    for (name, text) in WRITTEN {
        let case: Case = text.parse().unwrap();
        let claim = graph(&case, &Plan::default()).unwrap();
        match judge(&case, &claim, &mut numbers) {
            Ok(stats) if stats.loose == 0 => {}
            Ok(stats) => report += &format!("--- {name}\n{case}claimed: {claim}\n{stats:?}\n\n"),
            Err(why) => report += &format!("--- {name}\n{case}claimed: {claim}\n{why}\n\n"),
        }
    }
    assert!(report.is_empty(), "{report}");
}
