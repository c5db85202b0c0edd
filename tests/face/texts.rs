//! Texts: what is printed is read back, what is sent is what was there, and `{:?}` is the text.

use kanshape::*;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Reads each text, and gives what it prints as.
fn printed<T>(texts: &[&str]) -> Vec<String>
where
    T: FromStr<Err: Debug>
        + Display
        + Debug
        + PartialEq
        + serde::Serialize
        + serde::de::DeserializeOwned,
{
    let all = texts.iter().map(|text| {
        let value: T = text.parse().unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let print = value.to_string();
        assert_eq!(print.parse::<T>().ok().as_ref(), Some(&value), "{text}");
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(
            serde_json::from_str::<T>(&json).ok().as_ref(),
            Some(&value),
            "{json}"
        );
        print
    });
    all.collect()
}

/// Those of which `{:?}` is the text.
fn shown<T>(texts: &[&str]) -> Vec<String>
where
    T: FromStr<Err: Debug>
        + Display
        + Debug
        + PartialEq
        + serde::Serialize
        + serde::de::DeserializeOwned,
{
    for text in texts {
        let value: T = text.parse().unwrap();
        assert_eq!(format!("{value:?}"), value.to_string());
        assert_eq!(format!("{value:#?}"), value.to_string());
    }
    printed::<T>(texts)
}

#[test]
fn texts_of_types_and_their_parts() {
    let types = [
        "f32[2, n, 2*k + 1, ...b, ?] where n >= 1, k in {1, 3}",
        "T[6@district] where T in {f32, f64}",
        "i64[3] = [2, n, ?]",
        "(f32[2], fn(?) -> List[i64[]])",
        "?",
    ];
    assert_eq!(shown::<Type>(&types), types);
    let shapes = ["[]", "[2, n]", "[...]", "[2, ...b, 2*k]"];
    assert_eq!(shown::<Shape>(&shapes), shapes);
    let dims = ["3", "n", "2*k - 1", "6@district", "?"];
    assert_eq!(shown::<Dim>(&dims), dims);
    assert_eq!(printed::<Dtype>(&["float32", "torch.half"]), ["f32", "f16"]);
    assert_eq!(
        shown::<DtypeSet>(&["{}", "f32", "Float", "{f64, f32}", "?"]),
        ["{}", "{f32}", "Float", "{f32, f64}", "Any"]
    );
    let dtypes = ["f32", "Float", "{i64, f32}", "T", "?"];
    assert_eq!(shown::<DtypeTerm>(&dtypes), dtypes);
    let contents = [
        "[]",
        "[2, n - 1, ?]",
        "[0.5, inf]",
        "[true, false]",
        r#"["a, b", ?]"#,
    ];
    assert_eq!(shown::<Contents>(&contents), contents);
    let conditions = [
        "",
        "n >= 1",
        "1 <= n <= 8, t == promote(x, f32), ...b == [2, ...c]",
    ];
    assert_eq!(shown::<Conditions>(&conditions), conditions);
    assert_eq!(
        shown::<Condition>(&["n==3", "n in {1,3}"]),
        ["n == 3", "n in {1, 3}"]
    );
    assert_eq!(printed::<Promotion>(&["torch"]), ["torch"]);
}

#[test]
fn texts_of_calls_and_answers() {
    let values = [
        "?",
        "-",
        "3",
        "-2",
        "0.5",
        "true",
        "[1, [2, ?]]",
        "SAME_UPPER",
        r#""a b""#,
        "2*n",
        "f32[2, n]",
    ];
    assert_eq!(shown::<AttrValue>(&values), values);
    let calls = [
        "",
        "f32[2], -",
        "[axis = 1, perm = [1, 0]] f32[2, n], - -> ?, -",
        "[to = f32] ? -> i64[2] = [2, 3]",
    ];
    assert_eq!(shown::<Call>(&calls), calls);
    let answers = [
        "f32[n], f32[3] -> f32[3] where n in {1, 3}",
        "[s = 2, perm = [1, 0]] f32[2] -> f32[1]",
        "-> f32[]",
    ];
    assert_eq!(shown::<Answer>(&answers), answers);
    assert_eq!(
        printed::<Verdict>(&["always", "depends", "never", "unknown"]).len(),
        4
    );
    assert_eq!(
        printed::<Signature>(&["(m, n),(n,p) -> (m,p)"]),
        ["(m,n),(n,p)->(m,p)"]
    );
}

/// A text is read back as one, whatever it looks like.
#[test]
fn texts_of_attributes_that_look_like_something_else() {
    for text in [
        "true", "inf", "NaN", "1", "?", "-", "", " ", "[2]", "2*n", "a\"b\\", "f32[2]",
    ] {
        let value = AttrValue::from(text);
        assert_eq!(value.to_string().parse(), Ok(value.clone()), "{text}");
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<AttrValue>(&json).unwrap(), value);
    }
    assert_eq!(AttrValue::from("true").to_string(), r#""true""#);
    assert_eq!(
        AttrValue::from(["SAME_UPPER", "nan"]).to_string(),
        r#"[SAME_UPPER, "nan"]"#
    );
}

/// A field that is misspelt would be lost.
#[test]
fn fields_that_a_call_and_an_answer_do_not_have_are_refused() {
    let call = serde_json::from_str::<Call>(r#"{"inputs": ["f32[2]"], "attr": {"axis": 1}}"#);
    assert!(
        call.unwrap_err()
            .to_string()
            .contains("unknown field `attr`")
    );
    let answer = r#"{"inputs": [], "outputs": [], "params": {}, "where": [], "when": []}"#;
    assert!(serde_json::from_str::<Answer>(answer).is_err());
}

/// There is one form of an answer: what `batch` prints is read as one, and written so again.
#[test]
fn answers_of_batch_are_answers() {
    let page = include_str!("../../docs/cli.md");
    let lines = page.lines().filter(|line| line.starts_with("{\""));
    let mut count = 0;
    for line in lines {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let answers = line["answers"].as_array().into_iter().flatten();
        // Types may be requested as data, or in Relay's notation.
        let is_text = |own: &&serde_json::Value| {
            let mut inputs = own["inputs"].as_array().into_iter().flatten();
            inputs.all(|ty| ty.as_str().is_some_and(|text| !text.starts_with("Tensor")))
        };
        for answer in answers.filter(is_text) {
            let read: Answer =
                serde_json::from_value(answer.clone()).unwrap_or_else(|e| panic!("{answer}: {e}"));
            let written = serde_json::to_value(&read).unwrap();
            for (field, value) in answer.as_object().unwrap() {
                assert_eq!(&written[field], value, "{answer}");
            }
            count += 1;
        }
    }
    assert!(count >= 6, "{count}");
}

/// `main` and `unwrap` print `{:?}`: it says what is wrong.
#[test]
fn what_is_wrong_is_shown_as_it_is_printed() {
    let wrong = "f32[2".parse::<Type>().unwrap_err();
    assert_eq!(format!("{wrong:?}"), wrong.to_string());
    assert!(format!("{wrong:#?}").contains("labels: ["));
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let query = matmul
        .query()
        .inputs(["f32[2, 3]", "f32[4, 5]"].map(|t| t.parse().unwrap()));
    let conflict = query.explain().unwrap();
    assert_eq!(format!("{conflict:?}"), conflict.to_string());
    assert!(format!("{conflict:#?}").contains("repairs: ["));
    let mut answers = matmul.query().solve().unwrap();
    answers.next();
    assert_eq!(
        format!("{answers:?}"),
        "Answers { query: (m,n),(n,p)->(m,p) given ?, ? -> ?, given_out: 1, .. }"
    );
}

/// What is found is read back as well.
#[test]
fn answers_of_queries_are_read_back() {
    for (rule, inputs) in [
        ("+(),()->()", &["f32[n, 1]", "f32[m]"][..]),
        ("(m,n),(n,p)->(m,p)", &["f32[2, n]", "?[3, 4]"]),
        ("[s] (h),(k)->((h - k)//s + 1)", &["f32[h]", "f32[3]"]),
    ] {
        let rule: Signature = rule.parse().unwrap();
        let inputs = inputs.iter().map(|text| text.parse().unwrap());
        let answer = rule.query().inputs(inputs).one().unwrap();
        assert_eq!(answer.to_string().parse(), Ok(answer));
    }
}

#[test]
fn what_is_no_part_of_a_type_is_refused() {
    for text in [
        "2, 3",
        "[2, 3] = [1]",
        "[2] where n >= 1",
        "f32[2]",
        "(2)",
        "",
    ] {
        assert!(text.parse::<Shape>().is_err(), "{text}");
    }
    for text in ["f32[2]", "2", "[f32]", "flaot32"] {
        assert!(text.parse::<DtypeTerm>().is_err(), "{text}");
    }
    for text in ["Flaot", "T", "{f32", "2"] {
        assert!(text.parse::<DtypeSet>().is_err(), "{text}");
    }
    for text in ["[2] where n >= 1", "n", "", "[2"] {
        assert!(text.parse::<Contents>().is_err(), "{text}");
    }
    for text in ["Always", "", "yes"] {
        assert!(text.parse::<Verdict>().is_err(), "{text}");
    }
    assert!("f32[2] -> f32[2] where n >= 1".parse::<Call>().is_err());
}

#[test]
fn numbers_become_sizes_where_they_are_sizes() {
    assert_eq!(Dim::try_from(3usize), Ok(Dim::Size(3)));
    assert_eq!(Dim::try_from(3i32), Ok(Dim::Size(3)));
    for error in [
        Dim::try_from(-1).unwrap_err(),
        Dim::try_from(usize::MAX).unwrap_err(),
        Shape::try_from(&[2i64, -1][..]).unwrap_err(),
    ] {
        assert_eq!(error.code, code::MISREAD);
    }
    assert_eq!(
        Shape::try_from(&[2usize, 3][..]).unwrap().to_string(),
        "[2, 3]"
    );
}
