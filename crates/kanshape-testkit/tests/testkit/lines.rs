//! The lines of the language page, each with shapes that satisfy it and shapes that do not.

use std::collections::BTreeMap;

use kanshape_syntax::parse_signature;
use kanshape_testkit::brute::Relation;
use kanshape_testkit::ground::{Bounds, Ground, Holds, Partial};

type Shapes = &'static [&'static [u64]];

fn relation(text: &str) -> Relation {
    Relation::new(&parse_signature(text).unwrap()).unwrap()
}

fn holds(text: &str, inputs: Shapes, outputs: Shapes, params: &[(&str, u64)]) -> Holds {
    let owned = |shapes: Shapes| -> Vec<Vec<u64>> { shapes.iter().map(|s| s.to_vec()).collect() };
    let params: BTreeMap<String, u64> = params
        .iter()
        .map(|(label, value)| ((*label).to_owned(), *value))
        .collect();
    relation(text).holds(&owned(inputs), &owned(outputs), &params)
}

#[track_caller]
fn yes(text: &str, inputs: Shapes, outputs: Shapes) {
    assert_eq!(holds(text, inputs, outputs, &[]), Holds::Yes, "{text}");
}

#[track_caller]
fn no(text: &str, inputs: Shapes, outputs: Shapes) {
    assert_eq!(holds(text, inputs, outputs, &[]), Holds::No, "{text}");
}

#[test]
fn core_dims() {
    yes("(d),(d)->()", &[&[3], &[3]], &[&[]]);
    no("(d),(d)->()", &[&[3], &[1]], &[&[]]);
    yes("(m,n),(n,p)->(m,p)", &[&[2, 3], &[3, 0]], &[&[2, 0]]);
    no("(m,n),(n,p)->(m,p)", &[&[5, 2, 3], &[3, 4]], &[&[2, 4]]);
    yes("(2)->()", &[&[2]], &[&[]]);
    no("(2)->()", &[&[1]], &[&[]]);
    yes("(n,d)->(p)", &[&[2, 2]], &[&[7]]);
}

#[test]
fn runs() {
    yes(
        "(M,.k.),(J,.k.)->(J,.k.)",
        &[&[2, 5, 6], &[3, 5, 6]],
        &[&[3, 5, 6]],
    );
    no(
        "(M,.k.),(J,.k.)->(J,.k.)",
        &[&[2, 5, 6], &[3, 5]],
        &[&[3, 5]],
    );
    yes("(M,.1.),(J,.1.)->(J,.1.)", &[&[2, 5], &[3, 5]], &[&[3, 5]]);
    no("(M,.1.),(J,.1.)->(J,.1.)", &[&[2], &[3]], &[&[3]]);
    yes("(d,...)->(...)", &[&[4, 5, 6]], &[&[5, 6]]);
    yes("(.1.,d,...)->(.1.,...)", &[&[4, 5, 6]], &[&[4, 6]]);
    yes("(.2.,d,...)->(.2.,...)", &[&[4, 5, 6]], &[&[4, 5]]);
    yes(
        "(.2.,d,...,k,.1.)->(.2.,...,.1.)",
        &[&[1, 2, 3, 4, 5, 6]],
        &[&[1, 2, 4, 6]],
    );
    yes("(2,.2.)->()", &[&[2, 8, 9]], &[&[]]);
    no("(2,.2.)->()", &[&[8, 2, 9]], &[&[]]);
    let shape = "(.k.)->(k):i64";
    assert_eq!(
        holds(shape, &[&[7, 8, 9]], &[&[3]], &[("k", 3)]),
        Holds::Yes
    );
    assert_eq!(holds(shape, &[&[7, 8, 9]], &[&[3]], &[("k", 2)]), Holds::No);
    yes("(d,...r)->(d,prod(...r))", &[&[2, 3, 4]], &[&[2, 12]]);
    yes("(d,...r)->(d,prod(...r))", &[&[2]], &[&[2, 1]]);
}

#[test]
fn batch_dims() {
    yes("+(d)->()", &[&[4, 5, 6]], &[&[4, 5]]);
    yes("=(d),(d)->()", &[&[4, 5], &[4, 5]], &[&[4]]);
    no("=(d),(d)->()", &[&[4, 5], &[1, 5]], &[&[4]]);
    no("=(d),(d)->()", &[&[4, 5], &[5]], &[&[4]]);
    yes("+(),()->()", &[&[8, 1, 6, 1], &[7, 1, 5]], &[&[8, 7, 6, 5]]);
    no("+(),()->()", &[&[2], &[3]], &[&[3]]);
    yes("+(),()->()", &[&[0], &[1]], &[&[0]]);
    yes("=(),(),()->(3,)", &[&[5], &[5], &[5]], &[&[5, 3]]);
    yes("+2(d),(d)->()", &[&[4, 5, 6], &[6]], &[&[4, 5]]);
    no("+2(d),(d)->()", &[&[3, 4, 5, 6], &[6]], &[&[3, 4, 5]]);
    no(
        "=2(d),(d)->()",
        &[&[3, 4, 5, 6], &[3, 4, 5, 6]],
        &[&[3, 4, 5]],
    );
}

#[test]
fn runs_broadcast_under_plus() {
    yes(
        "+(d,...),(d,...)->(...)",
        &[&[2, 5, 1], &[2, 6]],
        &[&[5, 6]],
    );
    no("(d,...),(d,...)->(...)", &[&[2, 5, 1], &[2, 6]], &[&[5, 6]]);
    yes("+(.1.),(.1.)->(.1.)", &[&[1], &[4]], &[&[4]]);
    no("+(n,...r),(n,...r)->()", &[&[2, 1], &[2, 4]], &[&[]]);
    yes("+(n,...),(n,...)->()", &[&[2, 1], &[2, 4]], &[&[]]);
    no("+(.1.),(.1.)->()", &[&[3], &[4]], &[&[]]);
    yes("+(...),(...)->(prod(...))", &[&[1], &[4]], &[&[4]]);
}

#[test]
fn optional_dims_are_matmuls() {
    let matmul = "+(m?,n),(n,p?)->(m?,p?)";
    yes(matmul, &[&[2, 3], &[3, 4]], &[&[2, 4]]);
    yes(matmul, &[&[3], &[3, 4]], &[&[4]]);
    yes(matmul, &[&[2, 3], &[3]], &[&[2]]);
    yes(matmul, &[&[3], &[3]], &[&[]]);
    yes(matmul, &[&[3], &[9, 3, 4]], &[&[9, 4]]);
    no(matmul, &[&[3], &[3]], &[&[1]]);
    no(matmul, &[&[], &[3]], &[&[]]);
    // The second input drops the name, and so the dim before the first input's `n` is batch.
    yes("+(m?,n),(n,m?)->(m?)", &[&[2, 3], &[3]], &[&[2]]);
    no("(m?,n),(n,m?)->(m?)", &[&[2, 3], &[3]], &[&[2]]);
    yes("(3?,n)->(3?)", &[&[5]], &[&[]]);
    no("(3?,n)->(3?)", &[&[4, 5]], &[&[4]]);
}

#[test]
fn stretching_dims() {
    yes("(n|1),(n|1)->(n)", &[&[1], &[3]], &[&[3]]);
    yes("(n|1),(n|1)->(n)", &[&[1], &[1]], &[&[70]]);
    no("(n|1),(n|1)->(n)", &[&[2], &[3]], &[&[3]]);
}

#[test]
fn arithmetic_and_parameters() {
    let conv = "[stride: s, pad: p] +(c,h),(o,c,k)->(o,(h + 2*p - k)//s + 1)  where s >= 1";
    let shapes: [Shapes; 2] = [&[&[3, 48], &[8, 3, 5]], &[&[8, 24]]];
    assert_eq!(
        holds(conv, shapes[0], shapes[1], &[("stride", 2), ("pad", 2)]),
        Holds::Yes
    );
    assert_eq!(
        holds(conv, shapes[0], shapes[1], &[("stride", 0), ("pad", 2)]),
        Holds::No
    );
    assert_eq!(holds(conv, shapes[0], shapes[1], &[]), Holds::Yes);
    yes("(m),(n)->(min(m,n))", &[&[4], &[2]], &[&[2]]);
    yes("(a):x,(b):y->(a+b):promote(x,y)", &[&[4], &[2]], &[&[6]]);
    yes("(n//2)->()", &[&[9]], &[&[]]);
    no("(2*n)->()", &[&[9]], &[&[]]);
    no("(a,b)->(a//b)", &[&[9, 0]], &[&[0]]);
}

#[test]
fn long_forms() {
    let concat = "(dim a, dim b, dtype x, dtype y) -> (Tensor((a,), x), Tensor((b,), y)) \
                  -> Tensor((ConcatDim([a, b]),), PromotedDType([x, y]))";
    yes(concat, &[&[4], &[2]], &[&[6]]);
    let add = "forall (Lhs : Type) (Rhs : Type) (Out : Type), Broadcast(Lhs, Rhs, Out) \
               => (Lhs, Rhs) -> Out";
    yes(add, &[&[4, 1], &[2]], &[&[4, 2]]);
    no(add, &[&[4, 1], &[2]], &[&[4, 1]]);
}

#[test]
fn reverse_broadcasting_has_all_pairs() {
    let add = relation("+(),()->()");
    let mut given = Partial::nothing(2, 1);
    given.outputs[0] = Some([8, 7, 6, 5].map(Some).to_vec());
    let mut of_rank_4 = given.clone();
    of_rank_4.inputs = vec![Some(vec![None; 4]); 2];
    let bounds = Bounds::new(4, 8);
    assert_eq!(add.solutions(bounds, &of_rank_4).len(), 81);
    // Or one of them is shorter: its dims have 3 ways each, and the longer has the others.
    let shorter: usize = (0..4u32).map(|rank| 3usize.pow(rank)).sum();
    assert_eq!(add.solutions(bounds, &given).len(), 81 + 2 * shorter);
}

#[test]
fn two_sizes_have_the_same_quotient() {
    let conv = relation("(h)->((h+2-3)//2+1)");
    let mut given = Partial::nothing(1, 1);
    given.outputs[0] = Some(vec![Some(24)]);
    let solutions = conv.solutions(Bounds::new(1, 100), &given);
    let inputs: Vec<u64> = solutions.iter().map(|ground| ground.inputs[0][0]).collect();
    assert_eq!(inputs, [47, 48]);
}

#[test]
fn lengths_of_runs_are_reported() {
    let solutions = relation("(.k.)->(k)").solutions(Bounds::new(2, 1), &Partial::nothing(1, 1));
    let scalar = Ground {
        inputs: vec![vec![]],
        outputs: vec![vec![0]],
        params: BTreeMap::from([("k".to_owned(), 0)]),
    };
    assert!(solutions.contains(&scalar));
    // Rank 0, and the two shapes of rank 1; rank 2 would need the size 2.
    assert_eq!(solutions.len(), 3);
}

#[test]
fn what_has_no_meaning_is_refused() {
    for text in [
        "(n?)->(n)",
        "(n?,.k.)->()",
        "(n)->(prod(...r))",
        "[s,s](s)->()",
    ] {
        if let Ok(signature) = parse_signature(text) {
            assert!(Relation::new(&signature).is_err(), "{text}");
        }
    }
}
