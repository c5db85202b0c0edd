//! Questions at random: each call that is found gives what was wanted, whatever the sizes are.
//!
//! `KANSHAPE_SEED=7 KANSHAPE_CASES=2000 cargo test -p kanshape-rewrite --test rewrite law` looks elsewhere.

use kanshape::{Call, Type, Verdict, catalog, order};
use kanshape_rewrite::{Find, Found, Operand};

const CASES: u64 = 60;
/// The sizes that names are bound to.
const SIZES: [u64; 5] = [1, 2, 3, 5, 0];
const DIMS: [&str; 6] = ["N", "M", "2", "3", "4", "1"];
const OPS: [&str; 17] = [
    "Transpose",
    "Reshape",
    "Flatten",
    "Concat",
    "MatMul",
    "Gemm",
    "Add",
    "ReduceSum",
    "ReduceMean",
    "Squeeze",
    "Unsqueeze",
    "Expand",
    "Tile",
    "Slice",
    "Softmax",
    "Gather",
    "Pad",
];

fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Numbers that look random, and are the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n.max(1) as u64) as usize
    }

    fn dims(&mut self) -> Vec<String> {
        let count = 1 + self.below(3);
        (0..count).map(|_| DIMS[self.below(6)].to_owned()).collect()
    }
}

fn ty(dims: &[String]) -> Type {
    format!("f32[{}]", dims.join(", ")).parse().unwrap()
}

/// Inputs and an output, which mostly has to do with the first input.
fn question(random: &mut Random) -> (Vec<Type>, Type) {
    let count = 1 + random.below(3) / 2;
    let inputs: Vec<Vec<String>> = (0..count).map(|_| random.dims()).collect();
    let mut output = inputs[0].clone();
    let at = random.below(output.len());
    match random.below(8) {
        0 => output.reverse(),
        1 => output.rotate_left(at),
        2 if output.len() > 1 => {
            let first = output.remove(0);
            output[0] = format!("{first}*{}", output[0]);
        }
        3 => output.insert(at, "1".into()),
        4 => drop(output.remove(at)),
        5 => output[at] = format!("2*{}", output[at]),
        6 => output[at] = "1".into(),
        _ => output = random.dims(),
    }
    (inputs.iter().map(|dims| ty(dims)).collect(), ty(&output))
}

/// A type where the names are these sizes.
fn bound(ty: &Type, sizes: [u64; 2]) -> Type {
    let text = ty.to_string().replace('N', &sizes[0].to_string());
    text.replace('M', &sizes[1].to_string()).parse().unwrap()
}

/// What a call gives; none if it can't be, or if it is not known.
fn given(found: &Found, inputs: &[Type], sizes: [u64; 2]) -> Option<Type> {
    let operands = found.inputs.iter().map(|operand| {
        Some(match operand {
            None => None,
            Some(Operand::Given(place, _)) => Some(inputs[*place].clone()),
            Some(Operand::Further(ty)) => Some(bound(ty, sizes)),
            Some(Operand::Made(made)) => Some(given(made, inputs, sizes)?),
        })
    });
    let operator = catalog().operator(&found.op, None).unwrap();
    let call = Call {
        inputs: operands.collect::<Option<_>>()?,
        outputs: Some(vec![Some(Type::UNKNOWN)]),
        attrs: found.attrs.clone(),
        ..Call::default()
    };
    let mut answers = operator.query(call).ok()?.solve().ok()?;
    let answer = answers.next()?;
    let is_one = answers.next().is_none() && answer.conditions.is_empty();
    is_one.then(|| answer.outputs[0].clone())
}

#[test]
fn each_call_that_is_found_gives_the_output() {
    let first = number("KANSHAPE_SEED", 1);
    let (mut found, mut judged) = (0, 0);
    for seed in first..first.saturating_add(number("KANSHAPE_CASES", CASES)) {
        let (inputs, output) = question(&mut Random(seed));
        let finding = Find::new(catalog(), inputs.clone(), output.clone())
            .ops(OPS.map(|op| format!("onnx::{op}")))
            .run();
        found += usize::from(!finding.found.is_empty());
        for one in &finding.found {
            for sizes in SIZES.iter().flat_map(|n| SIZES.map(|m| [*n, m])) {
                let all: Vec<Type> = inputs.iter().map(|ty| bound(ty, sizes)).collect();
                let gives = given(one, &all, sizes);
                let wanted = bound(&output, sizes);
                // A size may be written as a product there.
                let is_wanted = |ty: &Type| order::same(ty, &wanted) == Verdict::Always;
                assert!(
                    gives.as_ref().is_some_and(is_wanted),
                    "KANSHAPE_SEED={seed}: {inputs:?} -> {output}: {one} is {gives:?} where [N, M] is {sizes:?}"
                );
                judged += 1;
            }
        }
    }
    // A search that finds nothing has nothing wrong.
    assert!(found > 0 && judged > 0);
}

/// An axis is an attribute of the older operators, and an operand of the newer ones: both are found.
#[test]
fn an_axis_is_found_in_each_version() {
    let tasks = [
        ("f32[N, D]", "f32[N, 1, D]", "Unsqueeze"),
        ("f32[N, 1, D]", "f32[N, D]", "Squeeze"),
        ("f32[N, T, D]", "f32[N, D]", "ReduceSum"),
        ("f32[N, T, D]", "f32[N, 1, D]", "ReduceMean"),
        ("f32[N, 10]", "f32[N, 9]", "Slice"),
        ("f32[5]", "f32[2]", "Slice"),
        ("f32[N, 30]", "f32[N, 32]", "Pad"),
    ];
    for (from, to, op) in tasks {
        for opset in [9, 11, 12, 13, 18, 23] {
            let find = Find::new(catalog(), [from.parse().unwrap()], to.parse().unwrap());
            let finding = find.ops([format!("onnx::{op}")]).opset(Some(opset)).run();
            assert!(
                !finding.found.is_empty(),
                "{op}, version {opset}: {from} to {to}"
            );
        }
    }
    let find = Find::new(
        catalog(),
        ["f32[N, 3]".parse().unwrap()],
        "f32[N, 9]".parse().unwrap(),
    );
    let found = find.ops(["onnx::Tile"]).run().found;
    assert_eq!(found[0].to_string(), "onnx::Tile(x0, i64[2] = [1, 3])");
}

/// Common operators come before rare ones, and a dtype is written as a word.
#[test]
fn the_order_is_that_of_a_user_of_onnx() {
    let find = |from: &str, to: &str| -> Vec<String> {
        let find = Find::new(catalog(), [from.parse().unwrap()], to.parse().unwrap());
        let found = find.ops(["onnx"]).run().found;
        found.iter().map(ToString::to_string).collect()
    };
    let same = find("f32[N, C]", "f32[N, C]");
    assert_eq!(same[..2], ["onnx::Relu", "onnx::Softmax"]);
    assert_eq!(find("f32[N]", "i64[N]")[0], "onnx::Cast[to = i64]");
    let moved = find("f32[N, C, H, W]", "f32[N, H, W, C]");
    assert_eq!(moved[0], "onnx::Transpose[perm = [0, 2, 3, 1]]");
}

/// Not all contents and numbers can be tried: an operator of which some were not is named.
#[test]
fn what_was_not_tried_is_named() {
    let find = Find::new(
        catalog(),
        ["f32[N, K]", "f32[K, M]"].map(|ty| ty.parse().unwrap()),
        "f32[M, N]".parse().unwrap(),
    );
    let finding = find.ops(["onnx::Einsum"]).run();
    assert!(finding.found.is_empty());
    assert_eq!(finding.cut_off, ["onnx::Einsum"]);
    let find = Find::new(
        catalog(),
        ["f32[3]".parse().unwrap()],
        "f32[N, 3]".parse().unwrap(),
    );
    let finding = find.ops(["onnx::Relu"]).run();
    assert!(finding.found.is_empty() && finding.cut_off.is_empty());
}
