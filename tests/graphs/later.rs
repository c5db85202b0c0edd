//! What becomes known after the nodes were added: suspended rules give then what they would have given at once.

use super::Model;
use super::text::model;
use kanshape::Verdict;
use kanshape::graph::ValueId;
use std::collections::HashMap;

fn assumed(text: &str, given: &[(&str, &str)]) -> (Model, HashMap<String, ValueId>) {
    let (mut m, values) = model(text);
    for (name, ty) in given {
        let ty = ty.parse().unwrap();
        m.graph.assume(values[*name], &ty).unwrap();
    }
    (m, values)
}

/// The slice is stated while the rank of its start is not known, and its size is read; what is in it comes later.
#[test]
fn contents_come_with_the_rank_of_a_start() {
    let text = "
        s: i64[1] = [0]
        from: i64[1, ...]
        to: i64[1] = [1]
        part = Slice(s, from, to)
        x: f32[]
    ";
    let later = [("from", "i64[1] = [0]")];
    let (mut m, values) = assumed(text, &later);
    assert_eq!(m.graph.ty(values["part"]).to_string(), "i64[1] = [0]");

    // What takes it was calculated without.
    let text = format!("{text}\ny = Reshape(x, part)");
    let (mut m, values) = model(&text);
    let ty = later[0].1.parse().unwrap();
    assert!(m.graph.assume(values["from"], &ty).is_err());

    // Another part of it fits.
    let text = text
        .replace("i64[1] = [0]", "i64[2] = [0, 1]")
        .replace("to: i64[1] = [1]", "to: i64[1] = [2]");
    let (mut m, values) = assumed(&text, &[("from", "i64[1] = [1]")]);
    assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[1]");
    assert_eq!(m.graph.read().verdict(), Verdict::Always);
}

/// What is divided is a number of either sign at first. It becomes the size of an input, which has the name that is given to it.
#[test]
fn a_size_is_no_negative_number() {
    let text = "
        x: ?
        count = Size(x)
        y = Div(count, i64[] = [0])
    ";
    for (later, size) in [("f32[M]", "M"), ("f32[?]", "d0")] {
        let (mut m, values) = assumed(text, &[("x", "f32[...]"), ("x", later)]);
        assert_eq!(m.graph.ty(values["x"]).to_string(), format!("f32[{size}]"));
        assert_eq!(
            m.graph.ty(values["count"]).to_string(),
            format!("i64[] = [{size}]")
        );
        assert!(m.graph.read().conditions().is_empty());
    }
}

/// The product is stated while nothing is known of one of its factors, whose contents come last.
#[test]
fn contents_are_calculated_when_both_factors_are_known() {
    let text = "
        x: f32[0, ...]
        n: ?
        one: i64[] = [1]
        tiles = Tile(x, n)
        product = Mul(n, one)
        empty: f32[0]
    ";
    let later = [("x", "f32[0]"), ("n", "i64[1] = [1]")];
    let (mut m, values) = assumed(text, &later);
    assert_eq!(m.graph.ty(values["product"]).to_string(), "i64[1] = [1]");
    let (mut m, values) = model(&format!("{text}\ny = Reshape(empty, product)"));
    m.graph
        .assume(values["x"], &"f32[0]".parse().unwrap())
        .unwrap();
    assert!(
        m.graph
            .assume(values["n"], &"i64[1] = [1]".parse().unwrap())
            .is_err()
    );
}

/// No member of an axis is tiled: its size may be 0.
#[test]
fn an_empty_slice_and_no_tiles_are_of_any_size() {
    let text = "
        x: ?
        zero: i64[1] = [0]
        n: i64[...]
        part = Slice(x, zero, zero)
        tiles = Tile(x, n)
    ";
    let later = [
        ("n", "i64[3]"),
        ("x", "f32[N, 1, N]"),
        ("n", "i64[3] = [0, 0, 0]"),
    ];
    let (mut m, values) = assumed(text, &later);
    assert_eq!(m.graph.ty(values["tiles"]).to_string(), "f32[0, 0, 0]");
}

/// A member of contents that is a name at first, and becomes a number below 0.
#[test]
fn a_member_is_a_negative_number() {
    let text = "
        x: f32[8, N]
        s: i64[2] = [8, ?]
        y = Reshape(x, s)
    ";
    let (mut m, values) = assumed(text, &[("s", "i64[2] = [8, -1]")]);
    assert_eq!(m.graph.ty(values["s"]).to_string(), "i64[2] = [8, -1]");
    assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[8, N]");
}

/// The axes are known while the rank is not: a place is none of them where no member can be that.
#[test]
fn axes_are_counted_when_the_rank_is_known() {
    let text = "
        x: ?
        axes: i64[2] = [0, -1]
        y = ReduceMean(x, axes)
    ";
    let (mut m, values) = assumed(text, &[("x", "f32[4, N, 4]")]);
    assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[1, N, 1]");
}

/// A product of an input of unknown rank, which a later node finds out: the rule of the product is solved then.
#[test]
fn a_product_waits_for_the_rank_of_its_operand() {
    for (later, x, y) in [
        ("t = Transpose(x) perm=[1,0]", "f32[d0, 12]", "f32[d0, 3]"),
        ("t = Gemm(x, w)", "f32[d0, 12]", "f32[d0, 3]"),
        ("t = Concat(x, v) axis=0", "f32[12]", "f32[3]"),
    ] {
        let text = format!(
            "
            x: f32[...]
            w: f32[12, 3]
            v: f32[7]
            y = MatMul(x, w)
            {later}
            "
        );
        let (mut m, values) = model(&text);
        assert_eq!(m.graph.ty(values["x"]).to_string(), x, "{later}");
        assert_eq!(m.graph.ty(values["y"]).to_string(), y, "{later}");
        assert_eq!(m.graph.read().verdict(), Verdict::Always, "{later}");
    }
    // No rank is left for it.
    let (mut m, _) = model(
        "
        x: f32[...]
        w: f32[12, 3]
        v: f32[7, 13]
        y = MatMul(x, w)
        t = Concat(x, v) axis=0
        ",
    );
    assert_eq!(m.graph.read().verdict(), Verdict::Never);
    assert_eq!(m.graph.problems().count(), 1);
}

/// A refusal has the facts that conflict in the node that computes the value. The rules of other nodes have no part in it.
#[test]
fn the_node_that_gives_a_value_refuses_a_type() {
    let (m, values) = model("x: f32[3]\nb: f32[...]\ny = Add(x, b)\nz = MatMul(y, y)");
    let refused = |value: &str, ty: &str| {
        let problem = m.graph.refusal(values[value], &ty.parse().unwrap())?;
        Some(
            problem
                .facts
                .iter()
                .map(|f| f.says.clone())
                .collect::<Vec<_>>(),
        )
    };
    let facts = refused("y", "f32[2, 4]").unwrap();
    assert_eq!(
        facts,
        [
            "input 0 (`A`) is f32[3]: its dim 0 is 3",
            "output 0 (`C`) is f32[2, 4]: its dim 1 is 4"
        ]
    );
    assert_eq!(refused("y", "f32[2, 3]"), None);
    assert_eq!(refused("x", "f32[4]"), None);
    // The product of a matrix with itself requires as many rows as columns.
    assert!(!m.graph.admits(values["y"], &"f32[2, 3]".parse().unwrap()));
}

/// The first reshape says that the number of elements is 3 while the rank is not known; what becomes of that is the product that the
/// second one divides.
#[test]
fn a_number_of_elements_is_one_size_whenever_it_became_a_product() {
    let mut m = Model::new();
    let x = m.value("?");
    let three = m.value("i64[1] = [3]");
    let split = m.value("i64[2] = [3, -1]");
    let turned = m.node("Transpose", &[x], &[("perm", &[1, 2, 0])]);
    m.node("Reshape", &[turned, three], &[]);
    let assume = |m: &mut Model, ty: &str| m.graph.assume(x, &ty.parse().unwrap()).unwrap();
    assume(&mut m, "f32[1, ?, M]");
    let rows = m.node("Reshape", &[turned, split], &[]);
    assume(&mut m, "f32[1, N, M]");
    let mut reading = m.graph.read();
    assert_eq!(reading.ty(rows).to_string(), "f32[3, 1]");
    let conditions = reading.conditions().into_iter();
    let conditions: Vec<String> = conditions.map(|one| one.condition.to_string()).collect();
    assert_eq!(conditions, ["M*N == 3"]);
}

/// What a range of a length with a name holds is not followed, but sizes determine it: a node that takes it is tried with numbers.
#[test]
fn contents_that_sizes_determine_are_not_any_contents() {
    let text = "
        like: f32[N]
        x: f32[3, N]
        n = Size(like)
        asked = Range(i64[] = [2], n, i64[] = [-1])
        y = Expand(x, asked)
    ";
    let (mut m, _) = model(text);
    assert_eq!(m.graph.read().verdict(), Verdict::Unknown);
    // Positions are in the table, as is required.
    let text = "
        ids: i64[N, S]
        table: f32[512, 8]
        shape = Shape(ids)
        length = Gather(shape, i64[] = [1])
        places = Range(i64[] = [0], length, i64[] = [1])
        y = Gather(table, places)
    ";
    let (mut m, _) = model(text);
    let mut reading = m.graph.read();
    let conditions = reading.conditions();
    let conditions: Vec<String> = conditions.iter().map(|c| c.condition.to_string()).collect();
    assert_eq!(conditions, ["S <= 512"]);
    assert_eq!(reading.verdict(), Verdict::Depends);
}

/// The length of a range is known to be 1, whatever the size is: what is in it is known then.
#[test]
fn contents_are_known_once_the_length_is() {
    let text = "
        like: f32[M]
        x: f32[N]
        m = Size(like)
        k = Range(i64[] = [1], m, i64[] = [2])
        y, at = TopK(x, k)
    ";
    let (mut m, values) = model(text);
    assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[1]");
    let mut reading = m.graph.read();
    let conditions = reading.conditions();
    let conditions: Vec<String> = conditions.iter().map(|c| c.condition.to_string()).collect();
    assert_eq!(conditions, ["M in {2, 3}", "N >= 1"]);
}
