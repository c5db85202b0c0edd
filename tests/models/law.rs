//! The law of bodies: what is claimed of a model with names is true of every binding of the names, whichever branches
//! are taken and however often loops are run.
//!
//! The models are run on sizes here, word by word after the standard.

use crate::encode::{self, Message, body, graph, input, int_attr, ints, model, node, value};
use kanshape::{Dim, Verdict};
use kanshape_onnx::{Model, Options, Report, Required, When, check};
use kanshape_testkit::graphs::Random;
use kanshape_testkit::symbolic::{Check, Names, Search, eval, search};
use std::collections::BTreeMap;
use std::fmt::Write;

const SIZES: [u64; 6] = [0, 1, 2, 3, 4, 6];
const TRIPS: [u64; 4] = [0, 1, 2, 3];

/// A node, with the name of what it gives.
#[derive(Clone, Debug)]
struct Step {
    out: String,
    does: Does,
}

#[derive(Clone, Debug)]
enum Does {
    Relu(String),
    Transpose(String),
    Add(String, String),
    MatMul(String, String),
    /// One behind the other, along the first axis.
    Concat(String, String),
    Reshape(String, [u64; 2]),
    If(&'static str, [Vec<Step>; 2]),
    /// So often as `m` says, and if `c` holds where that is said, with what is carried first.
    Loop(bool, String, Vec<Step>),
    /// For each row of a value.
    Scan(String, Vec<Step>),
}

type Shape = Vec<u64>;
type Shapes = BTreeMap<String, Shape>;

/// What is not a size.
#[derive(Clone, Debug)]
struct Inputs {
    sizes: [u64; 2],
    truths: [bool; 2],
    trips: u64,
}

/// A model that is run.
struct Run<'i> {
    inputs: &'i Inputs,
    /// How often the bodies of the nodes are to be run, by the names of these.
    times: BTreeMap<String, u64>,
    /// The standard does not say what comes out.
    is_open: bool,
    /// A loop hands on something else than it is given.
    is_varied: bool,
}

impl<'i> Run<'i> {
    fn new(inputs: &'i Inputs) -> Run<'i> {
        Run {
            inputs,
            times: BTreeMap::new(),
            is_open: false,
            is_varied: false,
        }
    }

    fn truth(&self, name: &str) -> bool {
        self.inputs.truths[usize::from(name == "d")]
    }

    /// `None` if a node can't be run.
    fn steps(&mut self, steps: &[Step], shapes: &mut Shapes) -> Option<Shape> {
        let mut last = Vec::new();
        for step in steps {
            last = self.step(step, shapes)?;
            shapes.insert(step.out.clone(), last.clone());
        }
        Some(last)
    }

    fn step(&mut self, step: &Step, shapes: &Shapes) -> Option<Shape> {
        let of = |name: &String| shapes[name].clone();
        match &step.does {
            Does::Relu(a) => Some(of(a)),
            Does::Transpose(a) => Some(of(a).into_iter().rev().collect()),
            Does::Add(a, b) => broadcast(&of(a), &of(b)),
            Does::MatMul(a, b) => product(&of(a), &of(b)),
            Does::Concat(a, b) => {
                let (mut a, b) = (of(a), of(b));
                if a.is_empty() || a.len() != b.len() || a[1..] != b[1..] {
                    return None;
                }
                a[0] += b[0];
                Some(a)
            }
            Does::Reshape(a, to) => {
                let a = of(a);
                (a.iter().product::<u64>() == to[0] * to[1]).then(|| to.to_vec())
            }
            Does::If(cond, bodies) => {
                let body = &bodies[usize::from(!self.truth(cond))];
                self.steps(body, &mut shapes.clone())
            }
            Does::Loop(has_cond, first, body) => {
                let goes = !has_cond || self.truth("c");
                let times = if goes { self.inputs.trips } else { 0 };
                self.times.insert(format!("n_{}", step.out), times);
                let mut carried = of(first);
                for _ in 0..times {
                    let mut shapes = shapes.clone();
                    shapes.insert(format!("a_{}", step.out), carried.clone());
                    let next = self.steps(body, &mut shapes)?;
                    self.is_varied |= next != carried;
                    carried = next;
                }
                Some(carried)
            }
            Does::Scan(over, body) => {
                let over = of(over);
                let (rows, row) = over.split_first()?;
                self.times.insert(format!("n_{}", step.out), *rows);
                let mut shapes = shapes.clone();
                shapes.insert(format!("a_{}", step.out), row.to_vec());
                let times = self.times.clone();
                let Some(out) = self.steps(body, &mut shapes) else {
                    // Of no rows nobody knows the dims that one would have.
                    if *rows == 0 {
                        (self.times, self.is_open) = (times, true);
                        return Some(vec![0]);
                    }
                    return None;
                };
                // A scan inside of it that is open leaves the dims of a row open.
                if *rows == 0 {
                    self.times = times;
                }
                let mut all = vec![*rows];
                all.extend(out);
                Some(all)
            }
        }
    }
}

fn product(a: &[u64], b: &[u64]) -> Option<Shape> {
    let (k, mut left) = (a.last()?, a[..a.len() - 1].to_vec());
    let (l, mut right) = match b {
        [] => return None,
        [l] => (l, Vec::new()),
        [_, .., l, _] | [l, _] => (l, b.to_vec()),
    };
    let row = if a.len() > 1 { left.pop() } else { None };
    let column = right.pop();
    right.pop();
    let mut all = broadcast(&left, &right)?;
    all.extend(row);
    all.extend(column);
    (k == l).then_some(all)
}

fn broadcast(a: &[u64], b: &[u64]) -> Option<Shape> {
    let rank = a.len().max(b.len());
    let at = |s: &[u64], i: usize| (i + s.len()).checked_sub(rank).map_or(1, |i| s[i]);
    let dims = (0..rank).map(|i| match (at(a, i), at(b, i)) {
        (x, y) if x == y => Some(x),
        (1, y) => Some(y),
        (x, 1) => Some(x),
        _ => None,
    });
    dims.collect()
}

/// A random list of steps that can take these values.
fn steps(rng: &mut Random, known: &[String], depth: usize, next: &mut usize) -> Vec<Step> {
    let mut known = known.to_vec();
    let count = 1 + rng.below(if depth == 0 { 3 } else { 2 });
    let mut all = Vec::new();
    for _ in 0..count {
        // The last values first.
        let mut one = || {
            let from = if rng.percent(50) {
                known.len() - 1
            } else {
                rng.below(known.len())
            };
            known[from].clone()
        };
        let (a, b) = (one(), one());
        *next += 1;
        let out = format!("v{next}");
        let inner = |own: Option<String>| {
            let mut inside = known.clone();
            inside.extend(own);
            inside
        };
        let kind = rng.below(if depth < 2 { 12 } else { 7 });
        let does = match kind {
            0 => Does::Relu(a),
            1 => Does::Transpose(a),
            2 | 3 => Does::Add(a, b),
            4 => Does::MatMul(a, b),
            5 => Does::Concat(a, b),
            6 => {
                let to = [[2, 6], [3, 3], [4, 3], [1, 6]];
                Does::Reshape(a, to[rng.below(to.len())])
            }
            7..=9 => {
                let cond = if rng.percent(60) { "c" } else { "d" };
                let then = steps(rng, &inner(None), depth + 1, next);
                let other = steps(rng, &inner(None), depth + 1, next);
                Does::If(cond, [then, other])
            }
            10 => {
                let inside = inner(Some(format!("a_{out}")));
                let has_cond = rng.percent(40);
                Does::Loop(has_cond, a, steps(rng, &inside, depth + 1, next))
            }
            _ => {
                let inside = inner(Some(format!("a_{out}")));
                Does::Scan(a, steps(rng, &inside, depth + 1, next))
            }
        };
        known.push(out.clone());
        all.push(Step { out, does });
    }
    all
}

/// The nodes of these steps, and the constants that they take.
fn nodes(steps: &[Step], constants: &mut Vec<Message>) -> Vec<Message> {
    let mut all = Vec::new();
    for step in steps {
        let out = &step.out[..];
        let node = match &step.does {
            Does::Relu(a) => node("Relu", &[a], &[out]),
            Does::Transpose(a) => node("Transpose", &[a], &[out]),
            Does::Add(a, b) => node("Add", &[a, b], &[out]),
            Does::MatMul(a, b) => node("MatMul", &[a, b], &[out]),
            Does::Concat(a, b) => node("Concat", &[a, b], &[out]).message(5, &int_attr("axis", 0)),
            Does::Reshape(a, to) => {
                let name = format!("s_{out}");
                constants.push(ints(&name, &[2], &to.map(|n| n as i64)));
                node("Reshape", &[a, &name], &[out])
            }
            Does::If(cond, bodies) => {
                let [then, other] = bodies
                    .each_ref()
                    .map(|steps| graph(&nodes(steps, constants), &[], &[value(last(steps), None)]));
                node("If", &[cond], &[out])
                    .message(5, &body("then_branch", &then))
                    .message(5, &body("else_branch", &other))
            }
            Does::Loop(has_cond, first, steps) => {
                let own = |name: &str| format!("{name}_{out}");
                let inner = [
                    nodes(steps, constants),
                    vec![encode::node("Identity", &[&own("go")], &[&own("on")])],
                ];
                let inputs = [own("i"), own("go"), own("a")].map(|name| value(&name, None));
                let outputs = [value(&own("on"), None), value(last(steps), None)];
                let inner = graph(&inner.concat(), &inputs, &outputs);
                let cond = if *has_cond { "c" } else { "" };
                node("Loop", &["m", cond, first], &[out]).message(5, &body("body", &inner))
            }
            Does::Scan(over, steps) => {
                let inputs = [value(&format!("a_{out}"), None)];
                let inner = nodes(steps, constants);
                let inner = graph(&inner, &inputs, &[value(last(steps), None)]);
                node("Scan", &[over], &[out])
                    .message(5, &int_attr("num_scan_inputs", 1))
                    .message(5, &body("body", &inner))
            }
        };
        all.push(node.text(3, &format!("n_{out}")));
    }
    all
}

fn last(steps: &[Step]) -> &str {
    &steps[steps.len() - 1].out
}

fn encoded(steps: &[Step]) -> Vec<u8> {
    let mut constants = Vec::new();
    let nodes = nodes(steps, &mut constants);
    let inputs = [
        input("c", 9, &[]),
        input("d", 9, &[]),
        input("m", 7, &[]),
        input("x", 1, &["N".into(), 3.into()]),
        input("z", 1, &["M".into(), 3.into()]),
        input("v", 1, &[3.into()]),
    ];
    let graph = graph(&nodes, &inputs, &[value(last(steps), None)]);
    model(&graph.messages(5, &constants), 17)
}

/// Every binding of the names, with every choice of the other inputs.
fn all_inputs() -> Vec<Inputs> {
    let mut all = Vec::new();
    for n in SIZES {
        for m in SIZES {
            for truths in [[true, true], [true, false], [false, true], [false, false]] {
                for trips in TRIPS {
                    all.push(Inputs {
                        sizes: [n, m],
                        truths,
                        trips,
                    });
                }
            }
        }
    }
    all
}

#[derive(Debug, Default)]
struct Stats {
    right: usize,
    undecided: usize,
    verdicts: [usize; 4],
}

/// What is claimed against what is so.
fn judge(steps: &[Step], report: &Report<'_>, stats: &mut Stats) -> Result<(), String> {
    stats.verdicts[match report.verdict {
        Verdict::Always => 0,
        Verdict::Depends => 1,
        Verdict::Never => 2,
        Verdict::Unknown => 3,
    }] += 1;
    if report.verdict == Verdict::Depends && report.conditions.is_empty() {
        return Err("it depends on nothing".into());
    }
    let runs = |inputs: &Inputs, run: &mut Run<'_>| {
        let [n, m] = inputs.sizes;
        let mut shapes: Shapes = BTreeMap::from([
            ("x".into(), vec![n, 3]),
            ("z".into(), vec![m, 3]),
            ("v".into(), vec![3]),
        ]);
        run.steps(steps, &mut shapes)
    };
    // What a loop gives that grows depends on how often it is run. Of that it is claimed that some number of times does.
    let varies = all_inputs().iter().any(|inputs| {
        let mut run = Run::new(inputs);
        runs(inputs, &mut run);
        run.is_varied
    });
    for inputs in all_inputs() {
        let [n, m] = inputs.sizes;
        let mut run = Run::new(&inputs);
        let found = runs(&inputs, &mut run);
        let names: Names = [("N".into(), n.into()), ("M".into(), m.into())].into();
        let admits = match report.verdict {
            Verdict::Always => Some(true),
            Verdict::Never => Some(false),
            Verdict::Unknown => None,
            Verdict::Depends => admits(report, &run, &names),
        };
        match admits {
            None => stats.undecided += 1,
            Some(_) if run.is_open => stats.undecided += 1,
            Some(true) if found.is_none() && varies => stats.undecided += 1,
            Some(admits) if admits != found.is_some() => {
                return Err(format!("{inputs:?} {found:?}: {admits}"));
            }
            Some(_) => stats.right += 1,
        }
        if let (Some(shape), Some(tensor)) = (found, report.outputs[0].1.as_tensor())
            && !run.is_open
            && tensor.shape.rank().is_some()
        {
            let dims = tensor.shape.known_dims();
            let fits = |(dim, size): (&Dim, &u64)| match dim {
                Dim::Size(n) => n == size,
                Dim::Name(name) => names
                    .get(name.as_str())
                    .is_none_or(|n| *n == (*size).into()),
                Dim::Expr(e) => eval(e, &names).map_or(true, |n| n == (*size).into()),
                Dim::Nominal(_) | Dim::Hole => true,
            };
            let fits = dims.len() == shape.len() && dims.iter().zip(&shape).all(fits);
            if !fits && report.verdict != Verdict::Never {
                return Err(format!("{inputs:?} {shape:?}: another type"));
            }
        }
    }
    Ok(())
}

/// Do the conditions hold? `None` if nobody can say.
fn admits(report: &Report<'_>, run: &Run<'_>, names: &Names) -> Option<bool> {
    let mut checks: Vec<Check> = Vec::new();
    let mut all = true;
    for one in &report.conditions {
        let applies = one.under.iter().all(|under| {
            let times = run.times.get(under.node.node.rsplit('/').next().unwrap());
            let times = times.copied().unwrap_or(0);
            match &under.when {
                When::Is(value, is) => run.truth(value) == *is,
                When::Each | When::First => times >= 1,
                When::Later => times >= 2,
                When::Member | When::Sometimes => true,
            }
        });
        if !applies {
            continue;
        }
        match &one.condition {
            Required::Condition(condition) => checks.push(Check::Holds(condition.clone())),
            Required::Value(text) => {
                let mut any = false;
                for part in text.split(" or ") {
                    any |= match part.split(' ').collect::<Vec<_>>()[..] {
                        [value @ ("c" | "d"), "==", is] => run.truth(value) == (is == "true"),
                        ["m", "<=", n] => run.inputs.trips <= n.parse().unwrap(),
                        _ => return None,
                    };
                }
                all &= any;
            }
        }
    }
    match search(&checks, names) {
        Search::Found(_) => Some(all),
        Search::None => Some(false),
        Search::GaveUp => (!all).then_some(false),
    }
}

/// Judges a model; what is wrong with it, if something is.
fn wrong(steps: &[Step], stats: &mut Stats) -> Option<String> {
    let bytes = encoded(steps);
    let model = Model::read(&bytes).unwrap();
    let report = check(&model, &Options::default());
    judge(steps, &report, stats).err().map(|why| {
        let mut text = format!("{why}\n{:?} {}\n", report.verdict, report.outputs[0].1);
        for one in &report.conditions {
            let under: Vec<String> = one.under.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "  where {} {under:?}", one.condition);
        }
        text
    })
}

/// A smallest model that is wrong as well, of those that have fewer nodes or simpler ones.
fn smaller(steps: &[Step]) -> Vec<Step> {
    let mut steps = steps.to_vec();
    while let Some(next) = simpler(&steps)
        .into_iter()
        .find(|steps| wrong(steps, &mut Stats::default()).is_some())
    {
        steps = next;
    }
    steps
}

/// Models with one node less, or with one that says less.
fn simpler(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut all: Vec<Vec<Step>> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let mut put = |new: &[Step], from: &str, to: &str| {
            let mut own = [&steps[..i], new, &steps[i + 1..]].concat();
            rename(&mut own, from, to);
            if !own.is_empty() {
                all.push(own);
            }
        };
        for taken in step.taken() {
            put(&[], &step.out, taken);
        }
        for body in step.bodies() {
            let given = match &step.does {
                Does::Loop(_, first, _) => first.clone(),
                _ => "v".into(),
            };
            let own = format!("a_{}", step.out);
            let mut inline = body.clone();
            rename(&mut inline, &own, &given);
            put(&inline, &step.out, last(body));
        }
        for (k, body) in step.bodies().enumerate() {
            for simpler in simpler(body) {
                let mut step = step.clone();
                *step.bodies_mut().nth(k).unwrap() = simpler;
                put(&[step], "", "");
            }
        }
        if !matches!(step.does, Does::Relu(_)) {
            for taken in step.taken() {
                let step = Step {
                    out: step.out.clone(),
                    does: Does::Relu(taken.into()),
                };
                put(&[step], "", "");
            }
        }
    }
    if steps.len() > 1 {
        all.insert(0, steps[..steps.len() - 1].to_vec());
    }
    all
}

/// What was called the one is called the other.
fn rename(steps: &mut [Step], from: &str, to: &str) {
    for step in steps {
        let one = |name: &mut String| {
            if name == from {
                to.clone_into(name);
            }
        };
        match &mut step.does {
            Does::Relu(a) | Does::Transpose(a) | Does::Reshape(a, _) => one(a),
            Does::Loop(_, a, _) | Does::Scan(a, _) => one(a),
            Does::Add(a, b) | Does::MatMul(a, b) | Does::Concat(a, b) => {
                one(a);
                one(b);
            }
            Does::If(..) => {}
        }
        step.bodies_mut().for_each(|body| rename(body, from, to));
    }
}

impl Step {
    fn taken(&self) -> Vec<&str> {
        match &self.does {
            Does::Relu(a) | Does::Transpose(a) | Does::Reshape(a, _) => vec![a],
            Does::Loop(_, a, _) | Does::Scan(a, _) => vec![a],
            Does::Add(a, b) | Does::MatMul(a, b) | Does::Concat(a, b) => vec![a, b],
            Does::If(..) => vec!["x", "z", "v"],
        }
    }

    fn bodies(&self) -> impl Iterator<Item = &Vec<Step>> {
        match &self.does {
            Does::If(_, bodies) => bodies.iter(),
            Does::Loop(_, _, body) | Does::Scan(_, body) => std::slice::from_ref(body).iter(),
            _ => [].iter(),
        }
    }

    fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Vec<Step>> {
        match &mut self.does {
            Does::If(_, bodies) => bodies.iter_mut(),
            Does::Loop(_, _, body) | Does::Scan(_, body) => std::slice::from_mut(body).iter_mut(),
            _ => [].iter_mut(),
        }
    }
}

fn step(out: &str, does: Does) -> Step {
    Step {
        out: out.to_owned(),
        does,
    }
}

/// The first dim of one branch is broadcast to 3 by `N` and `N + M`: that this could not be found out was taken for a branch that
/// can't be run.
#[test]
fn a_branch_that_is_undecided_can_be_run() {
    let [x, z, v1, v2] = ["x", "z", "v1", "v2"].map(String::from);
    let branches = [
        vec![
            step("v2", Does::Concat(x.clone(), z)),
            step("v3", Does::Add(v2, x.clone())),
        ],
        vec![step("v5", Does::Relu(x))],
    ];
    let steps = [
        step("v1", Does::If("c", branches)),
        step("v9", Does::MatMul(v1.clone(), v1)),
    ];
    let mut stats = Stats::default();
    assert_eq!(wrong(&steps, &mut stats), None);
    assert_eq!(stats.verdicts, [0, 1, 0, 0]);
}

/// What the second loop is given is that of the first, which can't be run, once the model is known: the first iteration of the
/// second one requires 3 of a dim that is 6 then.
#[test]
fn the_first_iteration_requires_something_of_what_a_loop_gives() {
    let add = Does::Add("v".into(), "a_v7".into());
    let concat = Does::Concat("a_v9".into(), "z".into());
    let steps = [
        step("v1", Does::Reshape("z".into(), [1, 6])),
        step("v7", Does::Loop(true, "v1".into(), vec![step("v8", add)])),
        step(
            "v9",
            Does::Loop(false, "v7".into(), vec![step("v10", concat)]),
        ),
    ];
    let mut stats = Stats::default();
    assert_eq!(wrong(&steps, &mut stats), None);
    assert_eq!(stats.verdicts, [0, 1, 0, 0]);
}

/// A body of a body makes up a name for a dim of its own. It is no name of a dim of `v1`, of which `v14` requires something else.
#[test]
fn names_that_bodies_of_bodies_make_up_are_their_own() {
    let [x, z, v, v1] = ["x", "z", "v", "v1"].map(String::from);
    let relu = |out: &str, of: &str| vec![step(out, Does::Relu(of.to_owned()))];
    let add = vec![step("v7", Does::Add(z, x))];
    let other = vec![
        step("v3", Does::If("c", [relu("v4", "v"), add])),
        step("v8", Does::If("c", [relu("v9", "z"), relu("v11", "x")])),
    ];
    let added = vec![step("v19", Does::Add(v, "v13".into()))];
    let steps = [
        step("v1", Does::If("d", [relu("v2", "v"), other])),
        step("v13", Does::Transpose(v1)),
        step("v14", Does::If("d", [relu("v17", "z"), added])),
    ];
    let mut stats = Stats::default();
    assert_eq!(wrong(&steps, &mut stats), None);
    assert_eq!(stats.verdicts, [0, 1, 0, 0]);
}

#[test]
fn claims_are_true_of_every_binding() {
    let number = |name: &str, or: u64| {
        let given = std::env::var(name).ok();
        given.map_or(or, |text| text.parse().unwrap())
    };
    let (first, count) = (number("KANSHAPE_SEED", 1), number("KANSHAPE_CASES", 150));
    let mut stats = Stats::default();
    let mut all = Vec::new();
    let verbose = std::env::var_os("KANSHAPE_VERBOSE").is_some();
    for seed in first..first + count {
        let mut rng = Random::new(seed);
        let known = ["x", "z", "v"].map(String::from);
        let steps = steps(&mut rng, &known, 0, &mut 0);
        let unknown = stats.verdicts[3];
        let found = wrong(&steps, &mut stats);
        if verbose && stats.verdicts[3] > unknown {
            println!("seed {seed}: unknown: {steps:?}");
        }
        if let Some(text) = found {
            let steps = smaller(&steps);
            let text = wrong(&steps, &mut Stats::default()).unwrap_or(text);
            all.push(format!("seed {seed}: {steps:?}\n{text}"));
        }
    }
    println!("{stats:?}, wrong {}", all.len());
    assert!(all.is_empty(), "{} wrong\n{}", all.len(), all.join("\n"));
    // How much is decided is a number of these graphs; others only have to be decided for the most part.
    let least = if first == 1 { 5 } else { 2 };
    assert!(stats.right > least * stats.undecided, "{stats:?}");
}
