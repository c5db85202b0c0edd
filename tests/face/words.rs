//! Sizes whose names are also those of dtypes or of classes of dtypes.

use kanshape::{Signature, Type};

fn answer(signature: &str, inputs: &[&str], output: &str) -> String {
    let signature: Signature = signature.parse().unwrap();
    let inputs: Vec<Type> = inputs.iter().map(|ty| ty.parse().unwrap()).collect();
    let answer = signature.solve(&inputs, &[output.parse().unwrap()]);
    answer.unwrap().to_string()
}

#[test]
fn conditions_of_them_are_kept() {
    assert_eq!(
        answer("(n)->(n)", &["f32[Float]"], "f32[6]"),
        "f32[Float] -> f32[6] where Float == 6"
    );
    assert_eq!(
        answer("+(),()->()", &["f32[u8]", "f32[3]"], "?"),
        "f32[u8], f32[3] -> f32[3] where u8 in {1, 3}"
    );
    let found = answer("(Int)->(Int) where Int >= 2", &["f32[n]"], "?");
    assert_eq!(found, "f32[n] -> f32[n] where n >= 2");
}

#[test]
fn conditions_of_them_are_read() {
    for (text, renamed) in [
        (
            "f32[Float] where Float == 6",
            "f32[x_Float] where x_Float == 6",
        ),
        (
            "f32[u8] where u8 in {1, 3}",
            "f32[x_u8] where x_u8 in {1, 3}",
        ),
        ("f32[2*i4] where i4 >= 1", "f32[2*x_i4] where x_i4 >= 1"),
        // Words alone: the type shows that one is a size.
        (
            "f32[u8, m] where m == u8",
            "f32[x_u8, x_m] where x_m == x_u8",
        ),
        (
            "T[n] where T in {u8, f32}",
            "x_T[x_n] where x_T in {u8, f32}",
        ),
    ] {
        let ty: Type = text.parse().unwrap();
        assert_eq!(ty.to_string(), text);
        let prefixed = ty.map_names(&mut |name| format!("x_{name}").parse().unwrap());
        assert_eq!(prefixed.to_string(), renamed);
    }
}

/// A size is no dtype.
#[test]
fn a_size_beside_a_dtype() {
    for text in [
        "(n)->(n) where n == f32",
        "(n):t->(n):t where t == n",
        "(n)->(n) where n in {f32}",
    ] {
        let wrong = text.parse::<Signature>().err().unwrap();
        assert_eq!(wrong.code, "K0312", "{text}");
    }
}
