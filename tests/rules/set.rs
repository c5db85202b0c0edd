//! Rules among themselves.

use kanshape::catalog;
use kanshape_rewrite::Rules;

/// What is found of the rules of a text, a line each.
fn related(text: &str) -> Vec<String> {
    let rules = Rules::load_str(catalog(), "rules.kan", text).unwrap();
    let set = rules.related().unwrap();
    assert!(set.cut_off.is_empty(), "{:?}", set.cut_off);
    let line = |one: &kanshape_rewrite::Related| {
        let under = match one.under.as_deref() {
            None => " perhaps".to_owned(),
            Some([]) => String::new(),
            Some(needs) => format!(" where {}", needs.join(", ")),
        };
        format!("{} {} {}{under}", one.rule, one.relation.name(), one.other)
    };
    set.related.iter().map(line).collect()
}

#[test]
fn the_same_but_for_names() {
    let text = "rule a: Add(X, Neg(Y)) => Sub(X, Y)\nrule b: Add(P, Neg(Q)) => Sub(P, Q)\n";
    assert_eq!(related(text), ["b same a"]);
    // Operands in another order, another constant, another attribute, another precondition.
    for other in [
        "rule a: Add(X, Neg(Y)) => Sub(X, Y)\nrule b: Add(Neg(Q), P) => Sub(P, Q)\n",
        "rule a: Squeeze(Unsqueeze(X, [0]), [0]) => X\nrule b: Squeeze(Unsqueeze(X, [1]), [1]) => X\n",
        "rule a: Softmax[axis = 0](Neg(X)) => Softmax[axis = 0](X)\nrule b: Softmax[axis = 1](Neg(X)) => Softmax[axis = 1](X)\n",
        "rule a: Add(X, c) => X :- rank(c) = 0\nrule b: Add(X, c) => X :- rank(c) = 1\n",
    ] {
        assert_eq!(related(other), [""; 0], "{other}");
    }
    // An attribute that is not written has its default.
    let text =
        "rule a: Softmax(Neg(X)) => Softmax(X)\nrule b: Softmax[axis = -1](Neg(X)) => Softmax(X)\n";
    assert_eq!(related(text), ["b same a"]);
}

#[test]
fn one_undoes_another() {
    let text = "rule split: Sub(X, Y) => Add(X, Neg(Y))\nrule join: Add(X, Neg(Y)) => Sub(X, Y)\n";
    assert_eq!(related(text), ["split undone join"]);
    // Inside of the right side.
    let text = "rule add: Neg(Relu(X)) => Neg(Identity(Relu(X)))\nrule drop: Identity(Relu(X)) => Relu(X)\n";
    assert_eq!(related(text), ["add undone drop"]);
    // What is made of it is another term.
    let text = "rule split: Sub(X, Y) => Add(X, Neg(Y))\nrule swap: Add(X, Neg(Y)) => Sub(Y, X)\n";
    assert_eq!(related(text), [""; 0]);
    // The two ways of one rule do so by design.
    assert_eq!(
        related("rule both: Sub(X, Y) <=> Add(X, Neg(Y))\n"),
        [""; 0]
    );
}

#[test]
fn one_matches_its_own_result() {
    assert_eq!(
        related("rule swap: Add(X, Y) => Add(Y, X)\n"),
        ["swap loops swap"]
    );
    assert_eq!(
        related("rule grow: Relu(X) => Relu(Relu(X))\n"),
        ["grow loops grow"]
    );
    assert_eq!(related("rule less: Relu(Relu(X)) => Relu(X)\n"), [""; 0]);
    // Its own goals never hold of what it has made.
    let once = "rule once (X: f32[..]): Cast[to = f16](X) => Cast[to = f16](Cast[to = f64](X))\n";
    assert_eq!(related(once), [""; 0]);
}

#[test]
fn one_does_what_another_does() {
    let text = "rule all: Add(X, Neg(Y)) => Sub(X, Y)\nrule some: Add(Relu(P), Neg(Q)) => Sub(Relu(P), Q)\n";
    assert_eq!(related(text), ["some subsumed all"]);
    // With a precondition it does less.
    let text = "rule all: Add(X, Neg(Y)) => Sub(X, Y)\nrule some: Add(X, Neg(Y)) => Sub(X, Y) :- rank(X) = 2\n";
    assert_eq!(related(text), ["some subsumed all"]);
    // A leaf that has to be a constant matches less.
    let text = "rule any: Add(X, c) => Add(c, X)\nrule const: Add(X, const c) => Add(const c, X)\n";
    assert_eq!(
        related(text),
        ["any loops any", "const subsumed any", "const undone any"]
    );
}

/// Rules that match much of each other: what is too much is named.
#[test]
fn many_rules() {
    let mut text = String::new();
    for i in 0..1000 {
        let mut term = "X".to_owned();
        for bit in 0..10 {
            let op = if i >> bit & 1 == 0 { "Relu" } else { "Neg" };
            term = format!("{op}({term})");
        }
        text += &format!("rule r{i}: {term} => Relu(X)\n");
    }
    let rules = Rules::load_str(catalog(), "rules.kan", &text).unwrap();
    let set = rules.related().unwrap();
    assert_eq!((set.related.len(), set.cut_off.len()), (0, 0));
}
