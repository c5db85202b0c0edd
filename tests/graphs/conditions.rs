//! What has to hold, as a person would write it.

use super::Model;
use super::text::model;
use kanshape::graph::Graph;
use kanshape::{Type, Verdict, catalog};

/// The conditions of a graph.
fn conditions(text: &str) -> Vec<String> {
    let (mut m, _) = model(text);
    let mut reading = m.graph.read();
    let stated = reading.conditions().into_iter();
    stated.map(|one| one.condition.to_string()).collect()
}

/// A window of 7 by 7, and one row of 8: nothing but one image of 7 by 7 fits.
#[test]
fn a_product_that_is_one_fixes_its_factors() {
    let found = conditions(
        "
        x: f32[N, 8, H, W]
        p = AveragePool(x) kernel_shape=[7,7]
        y = Reshape(p, i64[2] = [1, 8])
        ",
    );
    assert_eq!(found, ["N == 1", "H == 7", "W == 7"]);
}

#[test]
fn products_are_conditions_as_they_are() {
    let found = conditions(
        "
        x: f32[N, 1, H, W]
        w: f32[8, 1, 3, 3]
        c = Conv(x, w)
        y = Reshape(c, i64[2] = [-1, 288])
        ",
    );
    assert_eq!(found, ["H >= 2", "W >= 2", "N*(H - 2)*(W - 2) == 36*d0"]);
}

/// Which sizes are representable is no condition of a node.
#[test]
fn limits_of_sizes_are_no_conditions() {
    let found = conditions(
        "
        x: f32[1, M, M]
        m: f32[N, M]
        s = Shape(m)
        y = Reshape(x, s)
        ",
    );
    assert_eq!(found, ["M*M == M*max(N, 1)"]);
}

/// Coarse features are added to finer ones: either they are twice as many, or there is one.
#[test]
fn features_that_are_added_are_multiples() {
    let found = conditions(
        "
        x: f32[N, 3, H, 4]
        w: f32[3, 3, 3, 3]
        a = Conv(x, w) strides=[2,1] pads=[1,1,1,1]
        b = Conv(a, w) strides=[2,1] pads=[1,1,1,1]
        u = Resize(b, -, f32[4] = [1.0, 1.0, 2.0, 1.0]) mode=nearest
        y = Add(a, u)
        ",
    );
    assert_eq!(found, ["ceil(H/2) in {1, 2*ceil(H/4)}"]);
}

/// What broadcasts with a part of what it is broadcast to is that again.
#[test]
fn what_is_broadcast_twice_is_broadcast_once() {
    let found = conditions(
        "
        x: f32[N]
        m: f32[M]
        a = Add(x, m)
        y = Add(a, x)
        ",
    );
    assert_eq!(found, ["broadcast(N, M) >= 0"]);
}

/// The product of the dims that are left is that of the dims they are made of, which is no condition.
#[test]
fn nothing_is_required_of_a_batch_that_stays() {
    for text in [
        "x: f32[B, T, C]\nto: i64[2] = [B, -1]\nz = Reshape(x, to)",
        "x: f32[B, T]\nto: i64[2] = [B, -1]\nz = Reshape(x, to)",
    ] {
        assert!(conditions(text).is_empty(), "{text}");
    }
}

/// A type that nothing can have leaves nothing behind: neither names nor what they denote.
#[test]
fn the_names_of_a_refused_type_are_forgotten() {
    let types =
        |texts: &[&str]| -> Vec<Type> { texts.iter().map(|t| t.parse().unwrap()).collect() };
    let refused = types(&[
        "f32[M] where N == 1, N == 2",
        "T[M, N, ...r] where T: Float, T: Int",
        "(f32[M], f32[N]) where M >= 3, M <= 2",
    ]);
    let later = types(&[
        "f32[A, B, C]",
        "T[N, A]",
        "f32[M, ...r]",
        "(f32[r], f32[T])",
    ]);
    for ty in refused {
        let mut graph = Graph::new(catalog());
        assert!(graph.value(&ty).is_err(), "{ty}");
        for ty in &later[..3] {
            let value = graph.value(ty).unwrap();
            assert_eq!(graph.ty(value), *ty);
        }
        // What was a run or a dtype may be a size.
        let mut graph = Graph::new(catalog());
        assert!(graph.value(&ty).is_err());
        let value = graph.value(&later[3]).unwrap();
        assert_eq!(graph.ty(value), later[3]);
    }
}

/// Of one operand not even the rank is known. The others say what the size of the output is all the same.
#[test]
fn a_size_inside_of_a_suspended_broadcast_is_not_free() {
    let mut m = Model::new();
    let chosen = m.value("bool[2, 1]");
    let x = m.value("?");
    let y = m.value("f32[2, 2]");
    let z = m.node("onnx::Where", &[chosen, x, y], &[]);
    m.graph.assume(z, &"f32[2, S]".parse().unwrap()).unwrap();
    assert_ne!(m.verdict(), Verdict::Always);
}

/// Of two alternatives the one holds for one size, the other for another one: that is required of the size, whatever the suspended choice
/// depended on when it was examined.
#[test]
fn a_choice_between_two_sizes_is_not_free() {
    let mut m = Model::new();
    let x = m.value("f32[8, 64, 7, 7]");
    let weight = m.value("f32[N]");
    m.node("aten::prelu", &[x, weight], &[]);
    assert_ne!(m.verdict(), Verdict::Always);
}

/// Positions of a sequence, counted up in the graph: as many as the table has rows.
#[test]
fn positions_stand_in_their_table() {
    let table = |positions: &str| {
        conditions(&format!(
            "
            x: i64[B, S]
            past: f32[P]
            table: f32[1024, 8]
            s = Shape(x)
            n = Gather(s, i64[] = [1])
            p = Size(past)
            {positions}
            y = Gather(table, at)
            "
        ))
    };
    let from_0 = "r = Range(i64[] = [0], n, i64[] = [1])";
    assert_eq!(table(&from_0.replace("r =", "at =")), ["S <= 1024"]);
    let row = format!("{from_0}\n at = Unsqueeze(r, i64[1] = [0])");
    assert_eq!(table(&row), ["S <= 1024"]);
    let behind = "end = Add(p, n)\n at = Range(p, end, i64[] = [1])";
    assert_eq!(table(behind), ["min(S, 1)*P + S <= 1024"]);
    let backwards = "last = Sub(n, i64[] = [1])\n at = Range(last, i64[] = [-1], i64[] = [-1])";
    assert_eq!(table(backwards), ["S <= 1024"]);
    let with_offset = format!("{from_0}\n at = Add(r, i64[] = [2])");
    assert_eq!(table(&with_offset), ["S <= 1022"]);
    // In a batch that is empty nothing is looked up.
    let of_batch = format!("{from_0}\n at = Expand(r, s)");
    assert_eq!(table(&of_batch), ["min(B*S, 1)*S <= 1024"]);
    // The last one is even.
    let every_other = "at = Range(i64[] = [0], n, i64[] = [2])";
    assert_eq!(table(every_other), ["S <= 1024"]);
}

/// It holds of the sizes of which it says so, and of no other.
#[test]
fn positions_are_places_as_numbers_are() {
    let text = |m: &str| {
        format!(
            "
            x: f32[{m}]
            n = Size(x)
            end = Mul(n, i64[] = [3])
            r = Range(i64[] = [-2], end, i64[] = [3])
            y = Gather(f32[9], r)
            "
        )
    };
    let (mut named, _) = model(&text("M"));
    assert_eq!(named.graph.read().verdict(), Verdict::Depends);
    for m in 0..12u64 {
        let (mut own, _) = model(&text(&m.to_string()));
        let holds = match own.graph.read().verdict() {
            Verdict::Always => true,
            Verdict::Never => false,
            other => panic!("M = {m}: {other:?}"),
        };
        // The last of them is 3*M - 2.
        let is_place = m == 0 || 3 * m - 2 < 9;
        assert_eq!(holds, is_place, "M = {m}");
    }
}

/// As many axes as a name says, of which nothing is known: of three dims there are at most three.
#[test]
fn a_number_of_axes_is_at_most_that_of_dims() {
    for x in ["f32[N, 4, 5]", "f32[a, b, c]"] {
        let text = format!("x: {x}\naxes: i64[N]\ny = ReduceSum(x, axes) keepdims=0");
        assert_eq!(conditions(&text), ["N in {0, 1, 2, 3}"]);
        let (mut m, _) = model(&text);
        assert_eq!(m.graph.read().verdict(), Verdict::Depends);
    }
}

/// What a size that a kernel leaves is broadcast with is a condition, before it is known that the size is none below 0.
#[test]
fn a_broadcast_of_what_a_kernel_leaves_is_a_condition() {
    let (mut m, values) = model(
        "
        x: f32[2, K, M]
        w: f32[N, K, K]
        other: f32[M, N, K]
        y = Conv(x, w)
        z = Unsqueeze(y, i64[1] = [2])
        p = MatMul(z, other)
        ",
    );
    let mut reading = m.graph.read();
    assert_eq!(reading.ty(values["p"]).to_string(), "f32[2, d0, 1, K]");
    let stated = reading.conditions().into_iter();
    let stated: Vec<String> = stated.map(|one| one.condition.to_string()).collect();
    let broadcast = "d0 == broadcast(M - K + 1, M)";
    assert_eq!(stated, ["N == M - K + 1", "K >= 1", broadcast]);
}
