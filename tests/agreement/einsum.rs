//! Einsum of shapes that are known is calculated; where they become known later it is solved. Both come to the same.

use kanshape::graph::Graph;
use kanshape::{AttrValue, Dim, Dtype, Shape, Tensor, Type, catalog};
use kanshape_testkit::rules::shapes;

const EQUATIONS: [&str; 8] = [
    "ij,jk->ik",
    "i,j->ij",
    "ii->i",
    "ij",
    "...i,...i->...",
    "i...,i->i...",
    "...ij,...jk",
    "ij,k->ki",
];

#[test]
fn calculated_as_solved() {
    let relations = catalog();
    let operator = relations.operator("Einsum", None).unwrap();
    let of = |shape: &[u64]| {
        Type::from(Tensor::new(
            Dtype::F32,
            Shape::known(shape.iter().copied().map(Dim::Size)),
        ))
    };
    let all = shapes(3, 2);
    let (mut typed, mut refused) = (0, 0);
    for equation in EQUATIONS {
        let mut base = Graph::new(relations).without_reasons();
        let inputs = equation
            .split("->")
            .next()
            .map_or(0, |all| all.split(',').count());
        let attrs = vec![("equation".into(), AttrValue::Text(equation.into()))];
        let call = base
            .call(&operator, attrs, &vec![true; inputs], &[true])
            .unwrap();
        // The second shape in steps: all pairs are many.
        let others = all.iter().step_by(if inputs == 2 { 3 } else { all.len() });
        let pairs = others.flat_map(|other| all.iter().map(move |one| [one, other]));
        for pair in pairs {
            let given: Vec<Type> = pair[..inputs].iter().map(|shape| of(shape)).collect();
            let mut graph = base.clone();
            let values: Vec<_> = given.iter().map(|ty| graph.value(ty).unwrap()).collect();
            let outputs = graph.try_add(call, &values);
            let calculated = outputs.ok().and_then(|all| all.iter().next());
            let calculated = calculated.map(|value| graph.ty(value));
            let mut graph = base.clone();
            let values: Vec<_> = given.iter().map(|_| graph.unknown()).collect();
            let (_, outputs) = graph.add(call, &values);
            let is_there = values
                .iter()
                .zip(&given)
                .all(|(value, ty)| graph.assume(*value, ty).is_ok());
            let solved = outputs.iter().next().filter(|_| is_there);
            let solved = solved.map(|value| graph.ty(value));
            assert_eq!(calculated, solved, "{equation} {given:?}");
            match solved {
                Some(_) => typed += 1,
                None => refused += 1,
            }
        }
    }
    assert!(typed > 100 && refused > 100, "{typed} {refused}");
}
