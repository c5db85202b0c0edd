//! Numbers at the end of what fits: an answer or none, and no crash.

use kanshape::{AttrValue, Call, Relations};

const FILE: &str = "
op Up [n: int] (x: f32[_]) -> (y: f32[m]) :- m = ceil(n/2)
op Turned [n: int] (x: f32[_]) -> (y: f32[m]) :- n = -1*m
op Less [n: int] (x: f32[_]) -> (y: f32[m]) :- n - m = 1
op Far [n: int] (x: i64[k] = v) -> (y: i64[2] = w) :- known(v) => View(v, 0, [2], [n*n*n*n], w)
";

#[test]
fn numbers_that_hardly_fit() {
    let relations = Relations::load_str("extremes.kan", FILE).unwrap();
    for name in ["Up", "Turned", "Less", "Far"] {
        let operator = relations.operator(name, None).unwrap();
        for n in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX] {
            let call = Call {
                inputs: vec![Some("i64[1] = [7]".parse().unwrap())],
                attrs: vec![("n".into(), AttrValue::Int(n))],
                outputs: None,
                ..Call::default()
            };
            let call = match name {
                "Far" => call,
                _ => Call {
                    inputs: vec![Some("f32[1]".parse().unwrap())],
                    ..call
                },
            };
            let query = operator.query(call).unwrap();
            let short = query.solve().unwrap().map(|a| a.to_string());
            let long = query.clone().without_shortcut();
            let long = long.solve().unwrap().map(|a| a.to_string());
            assert!(short.eq(long), "{name} {n}");
        }
    }
}
