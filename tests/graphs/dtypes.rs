//! Dtypes that are not known: they are calculated with as sizes are that have a name.

use super::text::model;
use kanshape::{Dtype, DtypeTerm, Shape, Tensor, Type};

/// What replaces `TYPE`, and the values whose types are read.
const GRAPHS: [(&str, &[&str]); 7] = [
    (
        "x: TYPE[N, 3]\ny: f32[M, 3]\nz = Relu(x)\nt = Add(z, y)",
        &["t"],
    ),
    ("x: TYPE[N]\ny: TYPE[M]\ns = Add(x, y)\nt = Not(s)", &["t"]),
    (
        "x: TYPE[A, B]\nt = Transpose(x)\np = MatMul(x, t)\nq = Softmax(p)",
        &["p", "q"],
    ),
    (
        "x: TYPE[A, B]\nc: bool[B]\nw = Where(c, x, x)\ne = Equal(w, x)",
        &["w", "e"],
    ),
    (
        "x: TYPE[A, B]\ny: i64[A, B]\nc = Concat(x, y) axis=0",
        &["c"],
    ),
    (
        "x: TYPE[A, B]\nc = Cast(x) to=1\nd = CastLike(c, x)\ns = Sum(d, x)",
        &["c", "s"],
    ),
    (
        "x: TYPE[N]\ni: TYPE[M]\nd: f16[A, B]\ng = Gather(d, i)\np = Pow(g, x)",
        &["g", "p"],
    ),
];

/// A dtype is allowed where the nodes run with it, and the outputs then have the types that the graph gives for it.
#[test]
fn an_open_dtype_is_any_that_the_nodes_take() {
    for (text, shown) in GRAPHS {
        let (open, values) = model(&text.replace("TYPE", "T"));
        for dtype in Dtype::ALL {
            let (mut known, own) = model(&text.replace("TYPE", &dtype.to_string()));
            let can_be = known.graph.problems().len() == 0;
            let given = Type::from(Tensor::new(dtype, Shape::unknown()));
            let mut assumed = open.graph.clone();
            let is_allowed = assumed.problems().len() == 0
                && assumed.assume(values["x"], &given).is_ok()
                && assumed.is_possible();
            assert_eq!(is_allowed, can_be, "{dtype}:\n{text}");
            let is_in_set = open.graph.dtypes(values["x"]).contains(dtype);
            assert!(!can_be || is_in_set, "{dtype}:\n{text}");
            if can_be {
                for name in shown {
                    let (found, wanted) = (assumed.ty(values[*name]), known.graph.ty(own[*name]));
                    assert_eq!(found.dtype(), wanted.dtype(), "{name} {dtype}:\n{text}");
                }
            }
        }
    }
}

/// A tensor is made the same as another one exactly where it may have that one's type, and then both have it, and so have the nodes
/// between them; else nothing has changed.
#[test]
fn an_open_dtype_is_equated() {
    let text = "x: T[N, 3]\ny: U[2, M]\nr = Neg(x)\nz: TYPE[2, 3]\ne = Elu(y)";
    for dtype in Dtype::ALL {
        let (graph, values) = model(&text.replace("TYPE", &dtype.to_string()));
        let wanted = format!("{dtype}[2, 3]");
        let same = |a: &str, b: &str| {
            let mut own = graph.graph.clone();
            let made = own.equate(values[a], values[b]).is_ok();
            (made, own)
        };
        let given = |name: &str| {
            let mut own = graph.graph.clone();
            let made = own.assume(values[name], &wanted.parse().unwrap()).is_ok();
            (made, own)
        };
        for (name, node) in [("x", "r"), ("y", "e")] {
            let ((is_equal, mut equal), (is_given, mut assumed)) = (same(name, "z"), given(name));
            assert_eq!(is_equal, is_given, "{name} {dtype}");
            for value in [name, node, "z"] {
                let (found, other) = (equal.ty(values[value]), assumed.ty(values[value]));
                assert_eq!(found, other, "{value} of {name}, {dtype}");
            }
            if is_equal {
                assert_eq!(equal.ty(values[node]).to_string(), wanted, "{node} {dtype}");
            }
        }
        // Two open ones: what one of them becomes, the other is as well.
        let (is_equal, mut both) = same("x", "y");
        assert!(is_equal);
        let is_float = given("y").0;
        let made = both.assume(values["r"], &wanted.parse().unwrap()).is_ok();
        assert_eq!(made, is_float, "{dtype}");
        if made {
            assert_eq!(both.ty(values["e"]).to_string(), wanted);
        }
    }
}

/// What has one dtype has one name for it, and what a node requires of it is noted.
#[test]
fn an_open_dtype_has_its_name() {
    let (mut m, values) = model("x: T[N]\ny: U[N]\nr = Neg(x)");
    let before = m.graph.clone();
    let dtype = |m: &mut super::Model, name: &str| match m.graph.ty(values[name]).as_tensor() {
        Some(tensor) => tensor.dtype.clone(),
        None => DtypeTerm::Hole,
    };
    assert_eq!(dtype(&mut m, "r"), DtypeTerm::Name("T".parse().unwrap()));
    assert!(m.graph.is_typed(values["r"]));
    let sum = m.add(
        "onnx::Add",
        &[Some(values["r"]), Some(values["y"])],
        vec![],
        1,
    );
    assert!(m.graph.asks_beyond(&before));
    let [x, y] = ["x", "y"].map(|name| dtype(&mut m, name));
    assert_eq!(x, y);
    let ty = m.graph.ty(sum[0]);
    assert_eq!(ty.as_tensor().map(|tensor| tensor.dtype.clone()), Some(x));
}
