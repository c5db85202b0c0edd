//! Operators that call relations in Rust: attributes, optional things, lists of types, contents.

use super::{Stated, load, stated};
use kanshape::{
    AttrValue, Call, Relations, Type, catalog,
    relation::{Optional, Progress},
};

fn ty(text: &str) -> Option<Type> {
    Some(text.parse().unwrap())
}

/// The answers of an operator, as they are printed.
fn ask(relations: &Relations, name: &str, call: Call) -> Vec<String> {
    let query = relations.operator(name, None).unwrap().query(call);
    let answers = query.unwrap_or_else(|d| panic!("{d}")).solve().unwrap();
    answers.map(|a| a.to_string()).collect()
}

fn call(inputs: &[&str], attrs: &[(&str, AttrValue)]) -> Call {
    Call {
        inputs: inputs.iter().map(|t| ty(t)).collect(),
        attrs: attrs
            .iter()
            .map(|(name, value)| ((*name).into(), value.clone()))
            .collect(),
        ..Call::default()
    }
}

/// The text in capitals, and in small letters.
fn cases() -> Stated {
    stated("Cases", &["string", "string"], |args| {
        let [upper, lower] = args.all();
        match (args.text(&upper), args.text(&lower)) {
            (Some(upper), _) => args.set_text(&lower, &upper.to_lowercase())?,
            (None, Some(lower)) => args.set_text(&upper, &lower.to_uppercase())?,
            (None, None) => return Ok(Progress::Waiting),
        }
        Ok(Progress::Done)
    })
}

#[test]
fn texts_are_read_and_made() {
    let r = load(
        [cases()],
        "op Mode [upper: string, lower: string] (X: T[n]) -> (Y: T[m]) :-
            Cases(upper, lower),
            (lower = \"full\", m = n ; lower = \"half\", n = 2*m ; lower != \"full\", lower != \"half\", m = 1)",
    );
    let text = |t: &str| AttrValue::Text(t.into());
    assert_eq!(
        ask(
            &r,
            "Mode",
            call(
                &["f32[6]"],
                &[("upper", text("HALF")), ("lower", text("half"))]
            )
        ),
        ["f32[6] -> f32[3]"]
    );
    assert_eq!(
        ask(
            &r,
            "Mode",
            call(
                &["f32[6]"],
                &[("upper", text("HALF")), ("lower", text("full"))]
            )
        ),
        [] as [&str; 0]
    );
    // A text that nobody has written.
    let queried = call(
        &["f32[6]"],
        &[("upper", text("Quarter")), ("lower", AttrValue::Hole)],
    );
    let query = r.operator("Mode", None).unwrap().query(queried).unwrap();
    let answer = query.solve().unwrap().next().unwrap();
    assert_eq!(answer.attrs, [("lower".parse().unwrap(), text("quarter"))]);
    assert_eq!(answer.outputs[0].to_string(), "f32[1]");
}

#[test]
fn floats_and_truths() {
    let scaled = stated("ScaledUp", &["int", "float", "bool", "int"], |args| {
        let [n, factor, up, m] = args.all();
        let known = (args.value(&n), args.float(&factor), args.truth(&up));
        let (Some(n), Some(factor), Some(up)) = known else {
            return Ok(Progress::Waiting);
        };
        let exact = n as f64 * factor;
        let m_is = if up { exact.ceil() } else { exact.floor() };
        args.set(&m, m_is as i64)?;
        Ok(Progress::Done)
    });
    let r = load(
        [scaled],
        "op Scale [factor: float, up: bool = false] (X: T[n]) -> (Y: T[m]) :- ScaledUp(n, factor, up, m)",
    );
    let factor = |x: f64| ("factor", AttrValue::from(x));
    let up = ("up", AttrValue::Bool(true));
    assert_eq!(
        ask(&r, "Scale", call(&["f32[5]"], &[factor(0.5)])),
        ["f32[5] -> f32[2]"]
    );
    assert_eq!(
        ask(&r, "Scale", call(&["f32[5]"], &[factor(0.5), up])),
        ["f32[5] -> f32[3]"]
    );
}

#[test]
fn optional_things() {
    let or_all = stated("OrAll", &["ints?", "Shape", "ints"], |args| {
        let [axes, shape, all] = args.all();
        match args.optional(&axes) {
            Optional::Unknown => return Ok(Progress::Waiting),
            Optional::There(axes) => args.same(&axes, &all)?,
            Optional::LeftOut => {
                let Some(dims) = args.members(&shape) else {
                    return Ok(Progress::Waiting);
                };
                let places: Vec<_> = (0..dims.len() as i64).map(|i| args.number(i)).collect();
                args.set_members(&all, &places)?;
            }
        }
        Ok(Progress::Done)
    });
    let r = load(
        [or_all],
        "op Axes [axes: ints?] (X: T[..sh]) -> (Y: i64[n] = all) :- OrAll(axes, sh, all), n = len(all)",
    );
    assert_eq!(
        ask(&r, "Axes", call(&["f32[2, n, 3]"], &[])),
        ["f32[2, n, 3] -> i64[3] = [0, 1, 2]"]
    );
    let axes = AttrValue::List(vec![AttrValue::Int(1), AttrValue::Int(-1)]);
    assert_eq!(
        ask(&r, "Axes", call(&["f32[2, n, 3]"], &[("axes", axes)])),
        ["f32[2, n, 3] -> i64[2] = [1, -1]"]
    );
}

#[test]
fn lists_of_types() {
    // The output is the input with the most axes.
    let deepest = stated("Deepest", &["types", "Type"], |args| {
        let [inputs, output] = args.all();
        let Some(inputs) = args.members(&inputs) else {
            return Ok(Progress::Waiting);
        };
        let mut ranks = Vec::new();
        for input in &inputs {
            let tensor = args.to_tensor(input)?;
            match args.length(&tensor.dims).and_then(|n| args.value(&n)) {
                Some(rank) => ranks.push(rank),
                None => return Ok(Progress::Waiting),
            }
        }
        let most = (0..ranks.len()).max_by_key(|i| ranks[*i]);
        let most = most.ok_or(kanshape::relation::Impossible)?;
        args.same(&inputs[most], &output)?;
        Ok(Progress::Done)
    });
    let r = load([deepest], "op Deep(..inputs) -> (Y) :- Deepest(inputs, Y)");
    assert_eq!(
        ask(&r, "Deep", call(&["f32[2]", "i8[n, 3]", "f64[]"], &[])),
        ["f32[2], i8[n, 3], f64[] -> i8[n, 3]"]
    );
    assert_eq!(ask(&r, "Deep", call(&[], &[])), [] as [&str; 0]);
}

#[test]
fn contents_on_top_of_onnx() {
    // The distinct sizes that a tensor of integers lists.
    let distinct = stated("Distincts", &["tensor", "int"], |args| {
        let [list, n] = args.all();
        let list = args.to_tensor(&list)?;
        let Some(contents) = args.contents(&list) else {
            return Ok(Progress::Waiting);
        };
        let Some(members) = args.members(&contents) else {
            return Ok(Progress::Waiting);
        };
        let mut known = Vec::new();
        for member in &members {
            match args.value(member) {
                Some(value) => known.push(value),
                None => return Ok(Progress::Waiting),
            }
        }
        known.sort_unstable();
        known.dedup();
        args.set(&n, known.len() as i64)?;
        Ok(Progress::Done)
    });
    let r = catalog().with_relation(distinct).unwrap();
    let r = r
        .with([(
            "mine.kan",
            "domain \"mine\"\nop Sizes(shape) -> (Y: f32[n]) :- Distincts(shape, n)",
        )])
        .unwrap();
    assert_eq!(
        ask(&r, "mine::Sizes", call(&["i64[3] = [2, 7, 2]"], &[])),
        ["i64[3] = [2, 7, 2] -> f32[2]"]
    );
    // What was there still is.
    assert_eq!(
        ask(&r, "onnx::Add", call(&["f32[2, 1]", "f32[3]"], &[])),
        ["f32[2, 1], f32[3] -> f32[2, 3]"]
    );
}

/// What a relation is called, and which of its arguments are known, is the same to everybody who runs it.
#[test]
fn operators_ask_the_relation_itself() {
    // The first argument is what follows; the name is that of a relation of the standard library.
    let reshaped = stated("Reshaped", &["Shape", "Shape", "int", "Shape"], |args| {
        let [out, sh, times, again] = args.all();
        let (Some(mut members), Some(times)) = (args.members(&sh), args.value(&times)) else {
            return Ok(Progress::Waiting);
        };
        for _ in 0..times {
            members.push(args.number(1));
        }
        args.set_members(&out, &members)?;
        args.set_members(&again, &members)?;
        Ok(Progress::Done)
    });
    let r = load(
        [reshaped],
        "op More [times: int = 1] (X: T[..sh]) -> (Y: T[..out], Z: T[..again]) :- Reshaped(out, sh, times, again)",
    );
    assert_eq!(
        ask(&r, "More", call(&["f32[2, 3]"], &[])),
        ["f32[2, 3] -> f32[2, 3, 1], f32[2, 3, 1]"]
    );
    let twice = call(&["f32[2]"], &[("times", AttrValue::Int(2))]);
    assert_eq!(
        ask(&r, "More", twice),
        ["f32[2] -> f32[2, 1, 1], f32[2, 1, 1]"]
    );
}
