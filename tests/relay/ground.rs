//! What is said of names of sizes is right of the numbers in their place: a program that is well typed for all sizes has none for which
//! it is not, one that depends on conditions is well typed where they hold, and one that never is has no sizes for which it is.

use std::collections::BTreeMap;

use kanshape::tree::relay::{self, Dim, Item, Shape};
use kanshape::{Signature, Type, Verdict};
use kanshape_relay::{Problem, Program, Search, notation};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Types whose programs are searched for. All their names are one letter.
const TYPES: [&str; 16] = [
    "fn (f32[a, b], f32[c, b]) -> f32[a, c]",
    "fn (f32[a, b, c, d]) -> f32[a, c*d, b]",
    "fn (f32[a, b]) -> f32[a*b]",
    "fn (f32[a]) -> f32[a, a]",
    "fn (f32[a, b]) -> f32[b, a, 1]",
    "fn (f32[a, b, c]) -> f32[c, a*b]",
    "fn (f32[a, 4], f32[b, 4]) -> f32[a + b, 4]",
    "fn (f32[2*a]) -> f32[2, a]",
    "fn (f32[a, b]) -> f32[a]",
    "fn (f32[a], f32[b]) -> f32[a, b]",
    "fn (f32[a, b, c]) -> f32[a, c]",
    "fn (f32[a, b, c]) -> f32[a*b*c]",
    "fn (f32[a, 1, b]) -> f32[a, b]",
    "fn (f32[a, b]) -> f32[b, a]",
    "fn (f32[a, a]) -> f32[a]",
    "fn (f32[a, 4]) -> (f32[a, 2], f32[a, 2])",
];

/// Calls on `%x` and `%y`, which are tensors.
const CALLS: [&str; 26] = [
    "squeeze(%x)",
    "squeeze(%x, axis=[0])",
    "squeeze(%x, axis=[-1])",
    "nn.relu(%x)",
    "add(%x, %y)",
    "multiply(%y, %x)",
    "concatenate((%x, %y), axis=0)",
    "concatenate((%x, %y), axis=1)",
    "stack((%x, %y), axis=0)",
    "transpose(%x)",
    "expand_dims(%x, axis=0)",
    "expand_dims(%x, axis=-1)",
    "sum(%x, axis=0)",
    "sum(%x, axis=-1, keepdims=True)",
    "reshape(%x, newshape=[0, -1])",
    "reshape(%x, newshape=[-1])",
    "reshape(%x, newshape=[-1, 2])",
    "reshape(%x, newshape=[0, 6])",
    "reshape(%x, newshape=[-3, -2])",
    "dyn.reshape(%x, shape_of(%y, dtype=\"int64\"))",
    "reshape_like(%x, %y)",
    "broadcast_to_like(%x, %y)",
    "strided_slice(%x, begin=[1], end=[3], strides=[1])",
    "nn.batch_flatten(%x)",
    "nn.dense(%x, %y)",
    "split(%x, indices_or_sections=2, axis=0).0",
];

const DIMS: [&str; 12] = [
    "a", "a", "b", "b", "c", "d", "1", "2", "3", "2*a", "a + 1", "a*b",
];

const DECLARED: &str = "@main[a: ShapeVar, b: ShapeVar, c: ShapeVar, d: ShapeVar](";

/// Numbers by xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }
}

/// The seed to begin with, and how many programs are made.
fn chosen() -> (u64, usize) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases = number("KANSHAPE_CASES").map_or(400, |n| n as usize);
    (number("KANSHAPE_SEED").unwrap_or(1), cases)
}

type Sizes = BTreeMap<&'static str, u64>;

fn sizes(numbers: [u64; 4]) -> Sizes {
    NAMES.into_iter().zip(numbers).collect()
}

/// Sizes for the names: different ones, equal ones, ones and zeros.
fn bindings(numbers: &mut Numbers) -> Vec<Sizes> {
    let fixed = [
        [2, 3, 5, 7],
        [1, 1, 1, 1],
        [0, 0, 0, 0],
        [1, 2, 1, 3],
        [4, 0, 1, 2],
        [6, 6, 6, 6],
    ];
    let mut all: Vec<Sizes> = fixed.into_iter().map(sizes).collect();
    for _ in 0..3 {
        all.push(sizes([0; 4].map(|_: u64| numbers.below(5) as u64)));
    }
    all
}

/// A text with numbers in the place of names that stand as words.
fn with_sizes(text: &str, sizes: &Sizes) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_%@.\"".contains(c);
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        match sizes.get(&*word) {
            Some(n) => out.push_str(&n.to_string()),
            None => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    out
}

/// The verdict on a program, and what has to hold of the names of sizes as they are written, if that is known.
fn check(text: &str) -> (Verdict, Option<Vec<String>>) {
    let program = Program::parse("program", text).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
    let typing = program.check(kanshape::catalog());
    let conditions = typing.global("main").and_then(|global| {
        let relay::Type::Fn(found) = &global.ty else {
            return None;
        };
        // What is left to hold as a relation is no condition.
        let mut all = found
            .constraints
            .is_empty()
            .then(|| global.conditions.clone())?;
        let written = program.tree().items.iter().find_map(|item| match item {
            Item::Def(def) => Some(&def.function.params),
            Item::Data(_) => None,
        });
        for (param, found) in written?.iter().zip(&found.params) {
            all.extend(equations(&param.ty.as_ref()?.node, &found.node)?);
        }
        Some(all)
    });
    (typing.verdict("main"), conditions)
}

/// A name that is not declared may turn out to be a number, or another size: each size that is written is the one that was found.
fn equations(written: &relay::Type, found: &relay::Type) -> Option<Vec<String>> {
    let dims = |ty: &relay::Type| match ty {
        relay::Type::Tensor(shape, _) => match &shape.node {
            Shape::Dims(dims) => {
                let sizes = dims.iter().map(|dim| match &dim.node {
                    Dim::Expr(size) => Some(size.to_string()),
                    _ => None,
                });
                sizes.collect::<Option<Vec<String>>>()
            }
            _ => None,
        },
        _ => None,
    };
    let (written, found) = (dims(written)?, dims(found)?);
    assert_eq!(written.len(), found.len());
    let pairs = written.into_iter().zip(found);
    let new = pairs.filter(|(written, found)| written != found);
    Some(
        new.map(|(written, found)| format!("{written} == {found}"))
            .collect(),
    )
}

/// Do conditions hold of these sizes? `None` if they are about others as well.
fn hold(conditions: &[String], sizes: &Sizes) -> Option<bool> {
    let is_own = |word: &str| {
        let is_name = word.starts_with(|c: char| c.is_alphabetic());
        !is_name
            || NAMES.contains(&word)
            || ["in", "min", "max", "ceil", "broadcast", "prod"].contains(&word)
    };
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    if conditions.is_empty() {
        return Some(true);
    }
    if !conditions.iter().all(|one| one.split(is_end).all(is_own)) {
        return None;
    }
    let signature = format!("(a,b,c,d)->() where {}", conditions.join(", "));
    let signature: Signature = signature.parse().ok()?;
    let dims: Vec<String> = sizes.values().map(u64::to_string).collect();
    let input: Type = format!("f32[{}]", dims.join(", ")).parse().ok()?;
    match signature.check(&[input], &[]).ok()? {
        Verdict::Always => Some(true),
        Verdict::Never => Some(false),
        _ => None,
    }
}

#[test]
fn what_is_made_holds_for_all_sizes() {
    let (seed, _) = chosen();
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut count = 0;
    for ty in TYPES {
        let read = notation::read_program_type(ty)
            .map_err(Problem::of_text)
            .unwrap();
        let search = Search::of_type(kanshape::catalog(), &read).unwrap();
        for found in search.size(2).steps(1_700).take(30) {
            let text = found.program.to_string();
            assert_eq!(check(&text).0, Verdict::Always, "{ty}\n{text}");
            for sizes in bindings(&mut numbers) {
                let ground = with_sizes(&text, &sizes);
                assert_eq!(check(&ground).0, Verdict::Always, "{ty}\n{text}\n{ground}");
            }
            count += 1;
        }
    }
    assert!(count >= 100, "{count}");
}

/// A program of a few calls, of which some need not fit.
fn program(numbers: &mut Numbers) -> String {
    let mut tensor = || {
        let rank = 1 + numbers.below(3);
        let dims: Vec<&str> = (0..rank).map(|_| numbers.one_of(&DIMS)).collect();
        format!("Tensor[({}), float32]", dims.join(", "))
    };
    let (x, y) = (tensor(), tensor());
    let mut text = format!("def @main(%x0: {x}, %x1: {y}) {{\n");
    let mut last = 1;
    for _ in 0..1 + numbers.below(3) {
        let call = numbers.one_of(&CALLS);
        let (one, other) = (last - numbers.below(2), numbers.below(last + 1));
        let call = call
            .replace("%x", &format!("%x{one}"))
            .replace("%y", &format!("%x{other}"));
        last += 1;
        text.push_str(&format!("  let %x{last} = {call};\n"));
    }
    text.push_str(&format!("  %x{last}\n}}"));
    text
}

#[test]
fn what_is_accepted_holds_for_its_sizes() {
    let (seed, cases) = chosen();
    let mut counts = [0; 4];
    for case in 0..cases as u64 {
        let seed = seed + case;
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let text = program(&mut numbers);
        let (verdict, conditions) = check(&text);
        // Where the names are declared, they are any sizes: then *never* says that they are not.
        let (declared, required) = check(&text.replace("@main(", DECLARED));
        for sizes in bindings(&mut numbers) {
            let ground = with_sizes(&text, &sizes);
            let found = check(&ground).0;
            let holds = |conditions: &Option<Vec<String>>| {
                let conditions = conditions.as_ref();
                conditions.and_then(|all| hold(all, &sizes))
            };
            let wanted = match verdict {
                Verdict::Always | Verdict::Depends => holds(&conditions),
                Verdict::Never => Some(false),
                _ => None,
            };
            let is_right = match wanted {
                Some(true) => found != Verdict::Never,
                Some(false) => found != Verdict::Always,
                None => true,
            };
            assert!(
                is_right,
                "seed {seed}: {verdict:?} {conditions:?}, {found:?} of\n{text}\n{ground}"
            );
            let is_right = match declared {
                Verdict::Always => found != Verdict::Never,
                Verdict::Depends => holds(&required) != Some(true) || found != Verdict::Never,
                _ => true,
            };
            assert!(
                is_right,
                "seed {seed}: declared, {declared:?} {required:?}, {found:?} of\n{text}\n{ground}"
            );
        }
        counts[verdict as usize] += 1;
    }
    // Each of the verdicts that say something is there.
    let least = cases / 40;
    for verdict in [Verdict::Always, Verdict::Depends, Verdict::Never] {
        assert!(counts[verdict as usize] >= least, "{counts:?}");
    }
}
