//! The normal form against arithmetic.

use super::*;
use proptest::prelude::*;

/// What is calculated, as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Atom(u32),
    Int(i64),
    Add(Box<[Tree; 2]>),
    Sub(Box<[Tree; 2]>),
    Mul(Box<[Tree; 2]>),
    Floor(Box<Tree>, i64),
    Ceil(Box<Tree>, i64),
    Mod(Box<Tree>, i64),
    Min(Box<[Tree; 2]>),
    Max(Box<[Tree; 2]>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0..3u32).prop_map(Tree::Atom),
        (-4..9i64).prop_map(Tree::Int)
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let two = (inner.clone(), inner.clone()).prop_map(|(a, b)| Box::new([a, b]));
        let by = 1..7i64;
        prop_oneof![
            3 => two.clone().prop_map(Tree::Add),
            2 => two.clone().prop_map(Tree::Sub),
            2 => two.clone().prop_map(Tree::Mul),
            3 => (inner.clone(), by.clone()).prop_map(|(a, b)| Tree::Floor(Box::new(a), b)),
            2 => (inner.clone(), by.clone()).prop_map(|(a, b)| Tree::Ceil(Box::new(a), b)),
            1 => (inner, by).prop_map(|(a, b)| Tree::Mod(Box::new(a), b)),
            1 => two.clone().prop_map(Tree::Min),
            1 => two.prop_map(Tree::Max),
        ]
    })
}

fn value(tree: &Tree, atoms: &[i64; 3]) -> i64 {
    let of = |tree: &Tree| value(tree, atoms);
    match tree {
        Tree::Atom(i) => atoms[*i as usize],
        Tree::Int(n) => *n,
        Tree::Add(two) => of(&two[0]) + of(&two[1]),
        Tree::Sub(two) => of(&two[0]) - of(&two[1]),
        Tree::Mul(two) => of(&two[0]) * of(&two[1]),
        Tree::Floor(a, b) => floor_of(of(a), *b),
        Tree::Ceil(a, b) => -floor_of(-of(a), *b),
        Tree::Mod(a, b) => of(a).rem_euclid(*b),
        Tree::Min(two) => of(&two[0]).min(of(&two[1])),
        Tree::Max(two) => of(&two[0]).max(of(&two[1])),
    }
}

fn build(forms: &mut Forms, tree: &Tree, atoms: &[Num; 3]) -> Result<Num, Beyond> {
    let mut of = |tree: &Tree| build(forms, tree, atoms);
    Ok(match tree {
        Tree::Atom(i) => atoms[*i as usize],
        Tree::Int(n) => Num::new(*n)?,
        Tree::Add(two) => {
            let (a, b) = (of(&two[0])?, of(&two[1])?);
            forms.add(a, b)?
        }
        Tree::Sub(two) => {
            let (a, b) = (of(&two[0])?, of(&two[1])?);
            forms.sub(a, b)?
        }
        Tree::Mul(two) => {
            let (a, b) = (of(&two[0])?, of(&two[1])?);
            forms.mul(a, b)?
        }
        Tree::Floor(a, b) => {
            let a = of(a)?;
            forms.floor_div(a, Num::new(*b)?)?
        }
        Tree::Ceil(a, b) => {
            let a = of(a)?;
            forms.ceil_div(a, Num::new(*b)?)?
        }
        Tree::Mod(a, b) => {
            let a = of(a)?;
            forms.modulo(a, Num::new(*b)?)?
        }
        Tree::Min(two) => {
            let (a, b) = (of(&two[0])?, of(&two[1])?);
            forms.min(&[a, b])?
        }
        Tree::Max(two) => {
            let (a, b) = (of(&two[0])?, of(&two[1])?);
            forms.max(&[a, b])?
        }
    })
}

/// Is there a minimum or maximum, which a product may leave out?
fn has_extreme(tree: &Tree) -> bool {
    match tree {
        Tree::Atom(_) | Tree::Int(_) => false,
        Tree::Min(_) | Tree::Max(_) => true,
        Tree::Floor(a, _) | Tree::Ceil(a, _) | Tree::Mod(a, _) => has_extreme(a),
        Tree::Add(two) | Tree::Sub(two) | Tree::Mul(two) => two.iter().any(has_extreme),
    }
}

/// `min(a, 1)` and `max(a, 1)` of sums of atoms and quotients, and products of them and those.
fn natural() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0..2u32).prop_map(Tree::Atom),
        (0..3i64).prop_map(Tree::Int)
    ];
    leaf.prop_recursive(5, 16, 2, |inner| {
        let two = (inner.clone(), inner.clone()).prop_map(|(a, b)| Box::new([a, b]));
        let any = |a: Tree| Tree::Min(Box::new([a, Tree::Int(1)]));
        let some = |a: Tree| Tree::Max(Box::new([a, Tree::Int(1)]));
        prop_oneof![
            2 => inner.clone().prop_map(any),
            1 => inner.clone().prop_map(some),
            2 => two.clone().prop_map(Tree::Mul),
            1 => two.prop_map(Tree::Add),
            1 => (inner.clone(), 1..7i64).prop_map(|(a, b)| Tree::Floor(Box::new(a), b)),
            1 => (inner, 1..7i64).prop_map(|(a, b)| Tree::Ceil(Box::new(a), b)),
        ]
    })
}

/// Is a form worth what was calculated, within its bounds?
fn is_worth(tree: &Tree) -> Result<(), TestCaseError> {
    let mut forms = Forms::default();
    let atoms = symbols(&mut forms);
    let Ok(form) = build(&mut forms, tree, &atoms) else {
        return Ok(());
    };
    for a in [0, 1, 2, 3, 5, 8] {
        for b in [0, 1, 2, 7] {
            for c in [-3, -1, 0, 1, 4] {
                let expected = value(tree, &[a, b, c]);
                let found = forms.replace(form, &mut |forms, g| {
                    Ok(match forms.node(g) {
                        Node::Atom(i) => Some(Num([a, b, c][*i as usize])),
                        _ => None,
                    })
                });
                prop_assert_eq!(
                    found,
                    Ok(Num(expected)),
                    "{:?}",
                    forms.node(form.form().unwrap_or(Form(0)))
                );
                let (lo, hi) = forms.bounds(form);
                prop_assert!(lo <= expected && expected <= hi);
            }
        }
    }
    Ok(())
}

fn symbols(forms: &mut Forms) -> [Num; 3] {
    [
        forms.atom(0, true),
        forms.atom(1, true),
        forms.atom(2, false),
    ]
}

proptest! {
    /// A form is worth what was calculated, stays within its bounds, and replacing its atoms by numbers is the same.
    #[test]
    fn forms_are_what_was_calculated(tree in tree()) {
        is_worth(&tree)?;
    }

    /// The same where `min(a, 1)` is left out of products, and its argument made simpler, and `max(a, 1)` is `a`.
    #[test]
    fn ones_are_left_out_where_they_are_ones(tree in natural()) {
        is_worth(&tree)?;
    }

    /// What is one polynomial is one form, however it was written.
    #[test]
    fn equal_polynomials_are_one_form(p in tree(), q in tree(), r in tree()) {
        let mut forms = Forms::default();
        let atoms = symbols(&mut forms);
        let both = |a: &Tree, b: &Tree| Box::new([a.clone(), b.clone()]);
        let left = Tree::Mul(both(&Tree::Add(both(&p, &q)), &r));
        let right = Tree::Add(both(&Tree::Mul(both(&r, &q)), &Tree::Mul(both(&p, &r))));
        if let (Ok(a), Ok(b)) = (build(&mut forms, &left, &atoms), build(&mut forms, &right, &atoms)) {
            prop_assert_eq!(a, b);
        }
        if let (Ok(a), Ok(b)) = (build(&mut forms, &p, &atoms), build(&mut forms, &q, &atoms))
            && let Ok(product) = forms.mul(a, b)
            && b != Num::ZERO
        {
            match forms.exact_div(product, b) {
                Some(quotient) => prop_assert_eq!(forms.mul(quotient, b), Ok(product)),
                None => prop_assert!(has_extreme(&p) || has_extreme(&q)),
            }
            // `x*min(x, 1)` is `x`, and `x*max(x, 1)` is `x*x`: the factor can't be recovered.
            if !has_extreme(&p) && !has_extreme(&q) {
                prop_assert_eq!(forms.exact_div(product, b), Some(a));
            }
        }
    }
}

proptest! {
    /// The factors of a number are worth the number, and the factors of a product of sums are found.
    #[test]
    fn factors_are_worth_the_number(tree in tree()) {
        let mut forms = Forms::default();
        let atoms = symbols(&mut forms);
        let Ok(form) = build(&mut forms, &tree, &atoms) else {
            return Ok(());
        };
        let (times, factors) = forms.factors(form);
        let mut product = Num(times);
        for factor in factors {
            product = forms.mul(product, factor).unwrap();
        }
        prop_assert_eq!(product, form);
    }
}

#[test]
fn products_of_sums_have_their_factors() {
    let mut forms = Forms::default();
    let (n, h, w) = (
        forms.atom(0, true),
        forms.atom(1, true),
        forms.atom(2, true),
    );
    let (a, b) = (
        forms.add(h, Num(-2)).unwrap(),
        forms.add(w, Num(-2)).unwrap(),
    );
    let mut product = forms.mul(a, b).unwrap();
    for factor in [n, Num(8)] {
        product = forms.mul(product, factor).unwrap();
    }
    let (times, mut factors) = forms.factors(product);
    factors.sort();
    let mut expected = vec![n, a, b];
    expected.sort();
    assert_eq!((times, factors), (8, expected));
}

#[test]
fn divisions_nest_into_one() {
    let mut forms = Forms::default();
    let h = forms.atom(0, true);
    let two = Num(2);
    let mut nested = h;
    for _ in 0..4 {
        let more = forms.add(nested, Num::ONE).unwrap();
        nested = forms.floor_div(more, two).unwrap();
    }
    assert_eq!(Ok(nested), forms.ceil_div(h, Num(16)));
    // Padded to a multiple: `h + (-h) % 16`.
    let minus = forms.sub(Num::ZERO, h).unwrap();
    let pad = forms.modulo(minus, Num(16)).unwrap();
    let padded = forms.add(h, pad).unwrap();
    assert_eq!(Ok(padded), forms.mul(nested, Num(16)));
    // And what is a multiple comes out.
    let a = forms.combine(&[(h, 6), (Num::ONE, 7)]).unwrap();
    let expected = forms.combine(&[(h, 3), (Num::ONE, 3)]).unwrap();
    assert_eq!(forms.floor_div(a, two), Ok(expected));
}

#[test]
fn extremes_drop_what_another_leads() {
    let mut forms = Forms::default();
    let n = forms.atom(0, true);
    let more = forms.add(n, Num(2)).unwrap();
    assert_eq!(forms.max(&[n, more, Num::ZERO]), Ok(more));
    assert_eq!(forms.min(&[more, n]), Ok(n));
    let open = forms.min(&[n, Num(5)]).unwrap();
    assert_eq!(forms.bounds(open), (0, 5));
}

#[test]
fn a_minimum_and_a_maximum_of_the_same_add_up() {
    let mut forms = Forms::default();
    let [x, y, _] = symbols(&mut forms);
    let forms = &mut forms;
    let two = Num::from(2);
    let least = forms.min(&[x, two]).unwrap();
    let below = forms.sub(x, two).unwrap();
    let rest = forms.max(&[below, Num::ZERO]).unwrap();
    assert_eq!(forms.add(least, rest), Ok(x));
    assert_eq!(
        forms.combine(&[(rest, -3), (least, -3)]),
        forms.combine(&[(x, -3)])
    );
    // What is left over of one of them stays.
    let some = forms.combine(&[(least, 3), (rest, 1), (y, 1)]);
    assert_eq!(some, forms.combine(&[(least, 2), (x, 1), (y, 1)]));
    let other = forms.max(&[x, y]).unwrap();
    let apart = forms.add(least, other).unwrap();
    assert!(matches!(forms.node(apart.form().unwrap()), Node::Sum(terms, 0) if terms.len() == 2));
}

#[test]
fn a_remainder_is_less_than_what_it_is_divided_by() {
    let mut forms = Forms::default();
    let [x, y, z] = symbols(&mut forms);
    let forms = &mut forms;
    let seven = Num::from(7);
    let down = forms.floor_div(x, seven).unwrap();
    let up = forms.ceil_div(x, seven).unwrap();
    let left = forms.combine(&[(x, 1), (down, -7)]).unwrap();
    assert_eq!(forms.bounds(left), (0, 6));
    let missing = forms.combine(&[(up, 7), (x, -1)]).unwrap();
    assert_eq!(forms.bounds(missing), (0, 6));
    let more = forms.combine(&[(seven, 1), (left, -2), (y, 1)]).unwrap();
    assert_eq!(forms.bounds(more).0, -5);
    let many = forms.mul(missing, y).unwrap();
    assert_eq!(forms.bounds(many).0, 0);
    // Of what may be negative the remainder is not.
    let by = Num::from(3);
    let down = forms.floor_div(z, by).unwrap();
    let left = forms.combine(&[(z, 2), (down, -6)]).unwrap();
    assert_eq!(forms.bounds(left), (0, 4));
}

#[test]
fn what_is_divided_by_a_size_that_may_be_0() {
    let mut forms = Forms::default();
    let [x, y, _] = symbols(&mut forms);
    let forms = &mut forms;
    let product = forms.mul(x, y).unwrap();
    let some = forms.max(&[y, Num::ONE]).unwrap();
    let any = forms.min(&[y, Num::ONE]).unwrap();
    let each = forms.floor_div(product, some).unwrap();
    assert_eq!(Ok(each), forms.mul(x, any));
    // What is left over by a number that is not known is none below 0.
    let left = forms.modulo(Num(2), some).unwrap();
    assert_eq!(forms.bounds(left).0, 0);
    // However it is written, and beside another factor.
    let less = forms.sub(y, Num::ONE).unwrap();
    let some = forms.max(&[less, Num::ZERO]).unwrap();
    let some = forms.add(some, Num::ONE).unwrap();
    assert_eq!(forms.whole_div(product, some), Some(each));
    let wide = forms.add(x, Num(2)).unwrap();
    let divisor = forms.mul(some, wide).unwrap();
    let dividend = forms.mul(product, wide).unwrap();
    assert_eq!(forms.whole_div(dividend, divisor), Some(each));
    assert_eq!(forms.whole_div(product, divisor), None);
}

#[test]
fn a_maximum_is_divided_by_dividing_its_arguments() {
    let mut forms = Forms::default();
    let [x, y, z] = symbols(&mut forms);
    let forms = &mut forms;
    let less = forms.sub(x, Num::ONE).unwrap();
    for (least, other) in [(Num::ZERO, less), (z, y), (Num(-3), z)] {
        let greatest = forms.max(&[least, other]).unwrap();
        let more = forms.combine(&[(greatest, 3), (Num::ONE, 4)]).unwrap();
        let whole = forms.floor_div(greatest, Num(4)).unwrap();
        let parts = [least, other].map(|n| forms.floor_div(n, Num(4)).unwrap());
        assert_eq!(Ok(whole), forms.max(&parts));
        let _ = forms.floor_div(more, Num(4)).unwrap();
    }
}

#[test]
fn a_size_beside_its_greater_of_1_is_what_both_broadcast_to() {
    let mut forms = Forms::default();
    let [x, y, z] = symbols(&mut forms);
    let forms = &mut forms;
    let some = forms.max(&[x, Num::ONE]).unwrap();
    assert_eq!(forms.broadcast(&[some, x]), Ok(x));
    let less = forms.sub(x, Num::ONE).unwrap();
    let less = forms.max(&[less, Num::ZERO]).unwrap();
    let written = forms.add(less, Num::ONE).unwrap();
    assert_eq!(forms.broadcast(&[x, written]), Ok(x));
    let more = forms.add(x, y).unwrap();
    for one in [written, Num::ONE] {
        let clipped = forms.min(&[one, more]).unwrap();
        assert_eq!(forms.broadcast(&[x, clipped]), Ok(x));
    }
    let any = forms.min(&[x, Num::ONE]).unwrap();
    assert_eq!(forms.broadcast(&[any, x]), Ok(x));
    // One that is less than the size may be, or that may be negative, may make a difference.
    let clipped = forms.min(&[written, y]).unwrap();
    assert!(forms.broadcast(&[x, clipped]).unwrap() != x);
    let least = forms.max(&[z, Num::ONE]).unwrap();
    assert!(forms.broadcast(&[z, least]).unwrap() != z);
}

#[test]
fn broadcasts_know_what_is_never_one() {
    let mut forms = Forms::default();
    let (n, m) = (forms.atom(0, true), forms.atom(1, true));
    let wide = forms.add(n, Num(2)).unwrap();
    assert_eq!(forms.broadcast(&[m, wide, Num::ONE]), Ok(wide));
    assert_eq!(forms.broadcast(&[n, n]), Ok(n));
    assert_eq!(forms.broadcast(&[Num(3), Num(4)]), Err(Beyond));
    let both = forms.broadcast(&[n, m]).unwrap();
    assert_eq!(forms.broadcast(&[both, m]), Ok(both));
}

proptest! {
    /// A completed product and its integer are worth the number, and a product with another integer beside it is found.
    #[test]
    fn completed_products_are_worth_the_number(tree in tree(), a in -4..5i64, b in -4..5i64, c in -9..9i64) {
        let mut forms = Forms::default();
        let atoms = symbols(&mut forms);
        let Ok(form) = build(&mut forms, &tree, &atoms) else {
            return Ok(());
        };
        if let Some(found) = forms.completed(form) {
            let mut product = Num(found.times);
            for factor in &found.factors {
                product = forms.mul(product, *factor).unwrap();
            }
            prop_assert_eq!(forms.add(product, Num(found.rest)), Ok(form));
            prop_assert!(found.factors.len() > 1);
        }
        let (x, y) = (forms.add(atoms[0], Num(a)).unwrap(), forms.add(atoms[1], Num(b)).unwrap());
        let product = forms.mul(x, y).unwrap();
        let beside = forms.add(product, Num(c)).unwrap();
        let found = forms.completed(beside);
        if a != 0 || b != 0 {
            let found = found.unwrap();
            let mut factors = found.factors;
            factors.sort();
            let mut expected = vec![x, y];
            expected.sort();
            prop_assert_eq!((found.times, factors, found.rest), (1, expected, c));
        } else {
            prop_assert_eq!(found, None);
        }
    }
}

#[test]
fn a_number_takes_in_whether_it_is_any() {
    let mut forms = Forms::default();
    let (h, w) = (forms.atom(0, true), forms.atom(1, true));
    let seven = Num(7);
    let windows = forms.ceil_div(h, seven).unwrap();
    let any = forms.min(&[windows, Num::ONE]).unwrap();
    // There is a window where there is a row.
    assert_eq!(any, forms.min(&[h, Num::ONE]).unwrap());
    assert_eq!(forms.mul(windows, any), Ok(windows));
    let rows = forms.mul(windows, seven).unwrap();
    assert_eq!(forms.mul(rows, any), Ok(rows));
    let both = forms.add(h, w).unwrap();
    let any = forms.min(&[both, Num::ONE]).unwrap();
    assert_eq!(forms.mul(h, any), Ok(h));
    assert_eq!(forms.mul(any, any), Ok(any));
    // Of another number it says nothing.
    let other = forms.min(&[w, Num::ONE]).unwrap();
    assert_ne!(forms.mul(h, other), Ok(h));
    // What is rounded up to a multiple of 4 is up to 3 more.
    let more = forms.add(w, Num(12)).unwrap();
    let (up, quarter) = (
        forms.floor_div(more, Num(16)).unwrap(),
        forms.floor_div(w, Num(4)).unwrap(),
    );
    let padding = forms.combine(&[(up, 4), (quarter, -1)]).unwrap();
    assert_eq!(forms.bounds(padding), (0, 3));
    let area = forms.mul(h, padding).unwrap();
    assert!(forms.is_natural(area));
}

#[test]
fn two_halves_of_a_quotient_are_the_quotient() {
    let mut forms = Forms::default();
    let [h, w, z] = symbols(&mut forms);
    let forms = &mut forms;
    let sum = forms.add(h, z).unwrap();
    for (n, d) in [(h, 4), (w, 1), (z, 3), (sum, 1)] {
        let whole = forms.floor_div(n, Num(d)).unwrap();
        let low = forms.floor_div(n, Num(2 * d)).unwrap();
        let more = forms.add(n, Num(d)).unwrap();
        let high = forms.floor_div(more, Num(2 * d)).unwrap();
        let both = forms.add(low, high).unwrap();
        assert_eq!(forms.are_same(both, whole), Some(true));
        let rest = forms.sub(whole, low).unwrap();
        assert_eq!(forms.are_same(rest, high), Some(true));
        // The same where both are multiplied by the same, and 1 more is not the same.
        let two = [rest, high].map(|own| forms.mul(own, h).unwrap());
        assert_eq!(forms.are_same(two[0], two[1]), Some(true));
        let more = forms.add(rest, Num::ONE).unwrap();
        assert_eq!(forms.are_same(more, high), Some(false));
        assert_eq!(forms.are_same(low, high), None);
        // What is divided, and what comes of it, is written with one of them, where what is halved is no sum.
        if n == sum {
            continue;
        }
        let seventh = forms.floor_div(rest, Num(7)).unwrap();
        assert_eq!(forms.floor_div(high, Num(7)), Ok(seventh));
        let twice = forms.combine(&[(rest, 2), (Num::ONE, 1)]).unwrap();
        assert_eq!(forms.floor_div(twice, Num(2)), Ok(high));
    }
}

#[test]
fn a_quotient_is_no_more_than_one_by_less() {
    let mut forms = Forms::default();
    let [h, w, _] = symbols(&mut forms);
    let forms = &mut forms;
    let quotient = |forms: &mut Forms, n, d| forms.floor_div(n, Num(d)).unwrap();
    let (third, ninth) = (quotient(forms, h, 3), quotient(forms, h, 9));
    let apart = forms.sub(third, ninth).unwrap();
    assert!(forms.is_natural(apart));
    let less = forms.combine(&[(apart, -2), (w, -1)]).unwrap();
    assert!(forms.bounds(less).1 <= 1);
    let twice = forms.combine(&[(apart, -2)]).unwrap();
    assert_eq!(forms.bounds(twice).1, 0);
    // With 1 more it may be less by 1.
    let more = forms.add(h, Num(8)).unwrap();
    let ninth = quotient(forms, more, 9);
    let apart = forms.combine(&[(third, 1), (ninth, -1)]).unwrap();
    assert_eq!(forms.bounds(apart).0, -1);
}
