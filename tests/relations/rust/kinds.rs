//! Every kind of argument, read and refined.

use super::super::{all, ask, query};
use super::{load, stated};
use kanshape::{
    Dtype, DtypeSet, Verdict,
    relation::{Impossible, Progress},
};

#[test]
fn symbols_flow_through_lists() {
    // The list turned round by one place, from either side.
    let turned = stated("Turned", &["Shape", "Shape"], |args| {
        let [from, to] = args.all();
        let (Some(a), Some(b)) = (args.length(&from), args.length(&to)) else {
            return Ok(Progress::Waiting);
        };
        args.same(&a, &b)?;
        let Some(mut members) = args.members(&from) else {
            return Ok(Progress::Waiting);
        };
        if !members.is_empty() {
            members.rotate_left(1);
        }
        args.set_members(&to, &members)?;
        Ok(Progress::Done)
    });
    let r = load(
        [turned],
        "Turn(Tensor(sh, T), Tensor(to, T)) :- Turned(sh, to)",
    );
    assert_eq!(
        all(&r, "Turn", &["f32[n, 2*m, 5]", "?"]),
        ["f32[n, 2*m, 5] -> f32[2*m, 5, n]"]
    );
    assert_eq!(
        all(&r, "Turn", &["?", "f32[n, 2*m, 5]"]),
        ["f32[5, n, 2*m] -> f32[n, 2*m, 5]"]
    );
    let mut answers = query(&r, "Turn", &["f32[n, 2]", "?"]).solve().unwrap();
    assert_eq!(answers.verdict(), Verdict::Always);
    assert_eq!(all(&r, "Turn", &["f32[]", "?"]), ["f32[] -> f32[]"]);
    // Of any rank, one after the other.
    assert_eq!(
        ask(&r, "Turn", &["?", "?"], 3),
        [
            "t0[] -> t0[]",
            "t0[d0] -> t0[d0]",
            "t0[d0, d1] -> t0[d1, d0]"
        ]
    );
}

#[test]
fn multiples_are_said_of_names() {
    let doubled = stated("Doubled", &["int", "int"], |args| {
        let [n, m] = args.all();
        let one = args.number(1);
        let twice = args.multiple(2, &n, &one)?;
        args.same(&m, &twice)?;
        Ok(Progress::Done)
    });
    let r = load(
        [doubled],
        "Double(Tensor([n], T), Tensor([m], T)) :- Doubled(n, m)",
    );
    assert_eq!(
        all(&r, "Double", &["f32[n]", "?"]),
        ["f32[n] -> f32[2*n + 1]"]
    );
    assert_eq!(all(&r, "Double", &["?", "f32[7]"]), ["f32[3] -> f32[7]"]);
    assert_eq!(all(&r, "Double", &["?", "f32[8]"]), [] as [&str; 0]);
}

#[test]
fn a_list_is_given_its_length() {
    let three = stated("Three", &["Shape"], |args| {
        let [list] = args.all();
        let members = args.set_length(&list, 3)?;
        args.set(&members[0], 7)?;
        args.same(&members[1], &members[2])?;
        Ok(Progress::Done)
    });
    let r = load([three], "ThreeOf(Tensor(sh, _), I, I) :- Three(sh)");
    assert_eq!(
        all(&r, "ThreeOf", &["?", "f32[]", "?"]),
        ["?[7, d0, d0], f32[] -> f32[]"]
    );
    assert_eq!(
        all(&r, "ThreeOf", &["i8[?, ?, n]", "f32[]", "?"]),
        ["i8[7, n, n], f32[] -> f32[]"]
    );
    assert_eq!(
        all(&r, "ThreeOf", &["i8[7, 2]", "f32[]", "?"]),
        [] as [&str; 0]
    );
}

#[test]
fn first_members_show_before_the_last() {
    // The first axis is at least 10.
    let wide = stated("Wide", &["Shape"], |args| {
        let [list] = args.all();
        match args.first_members(&list).first() {
            Some(first) => {
                args.at_least(first, 10)?;
                Ok(Progress::Done)
            }
            None if args.members(&list).is_some() => Err(Impossible),
            None => Ok(Progress::Waiting),
        }
    });
    let r = load([wide], "WideOf(Tensor(sh, T), Tensor(sh, T)) :- Wide(sh)");
    assert_eq!(
        all(&r, "WideOf", &["f32[n, ...]", "?"]),
        ["f32[n, ...d0] -> f32[n, ...d0] where n >= 10"]
    );
    assert_eq!(all(&r, "WideOf", &["f32[]", "?"]), [] as [&str; 0]);
}

#[test]
fn dtypes_are_sets() {
    // The dtype of the sums of these.
    let sums = stated("Sums", &["dtype", "dtype"], |args| {
        const WIDER: [(Dtype, Dtype); 5] = [
            (Dtype::I8, Dtype::I32),
            (Dtype::U8, Dtype::I32),
            (Dtype::I32, Dtype::I64),
            (Dtype::F16, Dtype::F32),
            (Dtype::BF16, Dtype::F32),
        ];
        let [a, b] = args.all();
        let (of_a, of_b) = (args.dtypes(&a), args.dtypes(&b));
        let left = WIDER
            .into_iter()
            .filter(|(a, b)| of_a.contains(*a) && of_b.contains(*b));
        let (left_a, left_b): (Vec<Dtype>, Vec<Dtype>) = left.unzip();
        args.restrict_dtype(&a, DtypeSet::of(&left_a))?;
        args.restrict_dtype(&b, DtypeSet::of(&left_b))?;
        match args.dtype(&b) {
            Some(_) => Ok(Progress::Done),
            None => Ok(Progress::Waiting),
        }
    });
    let r = load(
        [sums],
        "Sum(Tensor([.., n], T), Tensor([n], U)) :- Sums(T, U)",
    );
    assert_eq!(all(&r, "Sum", &["i8[2, 3]", "?"]), ["i8[2, 3] -> i32[3]"]);
    assert_eq!(
        all(&r, "Sum", &["?[3]", "f32[3]"]),
        ["t0[3] -> f32[3] where t0 in {f16, bf16}"]
    );
    // One answer for each dtype that it can come to.
    assert_eq!(
        all(&r, "Sum", &["?[3]", "?[3]"]),
        [
            "t0[3] -> i32[3] where t0 in {i8, u8}",
            "i32[3] -> i64[3]",
            "t0[3] -> f32[3] where t0 in {f16, bf16}",
        ]
    );
    assert_eq!(all(&r, "Sum", &["f64[3]", "?"]), [] as [&str; 0]);
}

#[test]
fn types_are_tensors_or_not() {
    // A tensor without the axes of size 1, and of the same dtype.
    let squeezed = stated("Squeezed", &["Type", "Type"], |args| {
        let [from, to] = args.all();
        let from = args.to_tensor(&from)?;
        let to = args.to_tensor(&to)?;
        args.same(&from.dtype, &to.dtype)?;
        let Some(dims) = args.members(&from.dims) else {
            return Ok(Progress::Waiting);
        };
        let mut kept = Vec::new();
        for dim in dims {
            match args.value(&dim) {
                Some(1) => {}
                _ if args.may_be(&dim, 1) => return Ok(Progress::Waiting),
                _ => kept.push(dim),
            }
        }
        args.set_members(&to.dims, &kept)?;
        Ok(Progress::Done)
    });
    let r = load([squeezed], "Squeeze(A, B) :- Squeezed(A, B)");
    assert_eq!(
        all(&r, "Squeeze", &["f32[1, 2, 1, n + 2]", "?"]),
        ["f32[1, 2, 1, n + 2] -> f32[2, n + 2]"]
    );
    assert_eq!(all(&r, "Squeeze", &["List[type ?]", "?"]), [] as [&str; 0]);
    // Itself called like a signature, since it is about types alone.
    assert_eq!(
        all(&r, "Squeezed", &["f32[1, 2]", "?"]),
        ["f32[1, 2] -> f32[2]"]
    );
    let known = stated("IsTensor", &["Type"], |args| {
        let [ty] = args.all();
        Ok(match args.tensor(&ty) {
            Some(_) => Progress::Done,
            None => Progress::Waiting,
        })
    });
    let r = load([known], "Known(A, A) :- IsTensor(A)");
    let mut answers = query(&r, "Known", &["?", "?"]).solve().unwrap();
    assert_eq!(answers.verdict(), Verdict::Unknown);
    let mut answers = query(&r, "Known", &["f32[...]", "?"]).solve().unwrap();
    assert_eq!(answers.verdict(), Verdict::Always);
}

#[test]
#[should_panic(expected = "a number, not a list")]
fn a_number_is_no_list() {
    let wrong = stated("Wrong", &["int"], |args| {
        let [n] = args.all();
        let _ = args.members(&n);
        Ok(Progress::Done)
    });
    let r = load([wrong], "P(Tensor([n], T), Tensor([n], T)) :- Wrong(n)");
    let _ = all(&r, "P", &["f32[2]", "?"]);
}
