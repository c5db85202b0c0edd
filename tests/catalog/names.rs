//! Look-ups by name.

use kanshape::catalog;

fn full(name: &str) -> Result<String, (String, String)> {
    match catalog().operator(name, None) {
        Ok(operator) => Ok(operator.full_name()),
        Err(d) => Err((d.code.to_owned(), d.help.join("; "))),
    }
}

#[test]
fn a_name_alone_works_where_it_is_unique() {
    for (name, meant) in [
        ("solve", "numpy::solve"),
        ("linalg.solve", "numpy::solve"),
        ("numpy::linalg.solve", "numpy::solve"),
        ("multiply", "numpy::add"),
        ("cat", "numpy::concat"),
        ("conv2d", "aten::conv2d"),
        ("Conv", "onnx::Conv"),
        ("Attention", "onnx::Attention"),
        ("QLinearAdd", "com.microsoft::QLinearAdd"),
        ("ReorderInput", "com.microsoft.nchwc::ReorderInput"),
        ("onnx::Conv", "onnx::Conv"),
        ("ai.onnx::Conv", "onnx::Conv"),
        ("onnx::LabelEncoder", "onnx.ml::LabelEncoder"),
        ("einsum.matmul", "numpy::einsum.matmul"),
        ("language.shape", "kanshape::language.shape"),
    ] {
        assert_eq!(full(name).as_deref(), Ok(meant), "{name}");
    }
}

#[test]
fn of_a_domain_and_those_within_it_the_outer_one_counts() {
    assert_eq!(full("matmul").as_deref(), Ok("numpy::matmul"));
    assert_eq!(
        full("numpy.gufuncs::matmul").as_deref(),
        Ok("numpy.gufuncs::matmul")
    );
    assert_eq!(
        full("numpy::linalg.cholesky_lo").as_deref(),
        Ok("numpy.gufuncs::linalg.cholesky_lo")
    );
}

#[test]
fn an_ambiguous_name_is_an_error_that_lists_the_full_ones() {
    let own = "domain \"mine\"\nop Conv, solve (x) -> (y)\ndomain \"yours\"\nop conv2d(x) -> (y)";
    let relations = catalog().with([("own.kan", own)]).unwrap();
    let wrong = |name: &str| relations.operator(name, None).unwrap_err();
    assert_eq!(wrong("Conv").code, "K0320");
    assert_eq!(
        wrong("Conv").help,
        ["write one of `onnx::Conv`, `mine::Conv`"]
    );
    // By the names that they are written with.
    assert_eq!(
        wrong("solve").help,
        ["write one of `mine::Conv`, `numpy::solve`"]
    );
    assert!(relations.operator("yours::conv2d", None).is_ok());
    // Of no domain, it counts before all others.
    let relations = catalog().with([("own.kan", "op Conv(x) -> (y)")]).unwrap();
    assert_eq!(
        relations.operator("Conv", None).unwrap().full_name(),
        "Conv"
    );
}

#[test]
fn an_unknown_name_has_a_suggestion() {
    let help = |name: &str| full(name).unwrap_err();
    let unknown = |near: &str| ("K0318".to_owned(), format!("did you mean `{near}`?"));
    assert_eq!(help("onnx::Conf"), unknown("onnx::Conv"));
    assert_eq!(help("numpy::Conv"), unknown("onnx::Conv"));
    assert_eq!(help("linalg.slove"), unknown("numpy::linalg.solve"));
    assert_eq!(help("matmull"), unknown("numpy::matmul"));
}

#[test]
fn names_are_understood_as_programs_write_them() {
    for (name, meant) in [
        ("np.matmul", "numpy::matmul"),
        ("numpy.einsum", "numpy::einsum"),
        ("jnp.concatenate", "numpy::concat"),
        ("jax.numpy.linalg.norm", "numpy::norm"),
        ("np.linalg.outer", "numpy::linalg.outer"),
        ("np.fft.rfft", "numpy::rfft"),
        (
            "np.lib.stride_tricks.sliding_window_view",
            "numpy::sliding_window_view",
        ),
        ("torch.topk", "aten::topk"),
        ("torch.matmul", "aten::matmul"),
        ("torch.nn.functional.conv2d", "aten::conv2d"),
        ("nn.functional.gelu", "aten::gelu"),
        ("F.gelu", "aten::gelu"),
        ("F.softmax", "torch::nn.functional.softmax"),
        ("torch.softmax", "aten::softmax.int"),
        (
            "torch.nn.functional.dropout2d",
            "torch::nn.functional.dropout",
        ),
        (
            "nn.functional.interpolate",
            "torch::nn.functional.interpolate",
        ),
        ("F.linear", "aten::linear"),
        ("torch.einsum", "torch::einsum"),
        ("torch::conv2d", "aten::conv2d"),
        ("torch.masked.sum", "torch::masked.sum"),
        ("torch.linalg.svd", "aten::linalg_svd"),
        ("torch.special.i0e", "aten::erf"),
        ("torch.fft.rfft", "aten::fft_rfft"),
        ("torch.add", "aten::add.Tensor"),
        ("torch.ops.aten.add.Tensor", "aten::add.Tensor"),
        ("torch.ops.aten.relu.default", "aten::relu"),
        ("torch.Tensor.view", "aten::view"),
        ("Tensor.transpose", "aten::transpose.int"),
        ("aten::add", "aten::add.Tensor"),
        // Relay has it under this very name.
        ("nn.conv2d", "relay::nn.conv2d"),
    ] {
        assert_eq!(full(name).as_deref(), Ok(meant), "{name}");
    }
    // What is near in the domain that is named comes first.
    for (name, near) in [
        ("np.einsun", "numpy::einsum"),
        ("np.linalg.nrom", "numpy::linalg.norm"),
        ("jnp.transpos", "numpy::transpose"),
        ("torch.matmull", "aten::matmul"),
    ] {
        let (code, help) = full(name).unwrap_err();
        assert_eq!(
            (&*code, &*help),
            ("K0318", &*format!("did you mean `{near}`?"))
        );
    }
    let own = catalog()
        .with([("own.kan", "op np.matmul(x) -> (y)")])
        .unwrap();
    assert_eq!(
        own.operator("np.matmul", None).unwrap().full_name(),
        "np.matmul"
    );
}

#[test]
fn no_two_domains_beside_each_other_share_a_name() {
    let mut ambiguous = Vec::new();
    for operator in catalog().operators() {
        for name in std::iter::once(operator.name()).chain(operator.aliases()) {
            if catalog().operator(name, None).is_err() {
                ambiguous.push(name.to_owned());
            }
        }
    }
    ambiguous.dedup();
    assert_eq!(ambiguous, [""; 0]);
}
