//! A type of one's own: `Double`, a number without an array around it.
//!
//! It is the example of Aesara's page about types, in the terms of kanshape: two methods say
//! which values there are and when two are nearly equal; reading, printing, comparing, and a
//! place among the built-in types come by themselves.
//!
//!     cargo run -p kanshape --features ndarray --example double_type
#![allow(clippy::print_stdout)]

use kanshape::{
    Diagnostic, Signature, Type, Verdict, code, order,
    types::TypeKind,
    user::{Constructor, UserType, Vocabulary},
    value::{Filter, Value},
};

/// Numbers as the language has them: 64 bits, no shape.
struct Double;

impl UserType for Double {
    fn name(&self) -> &str {
        "Double"
    }

    /// An integer is taken for the number that it is. If that is another one, because it has too
    /// many digits, the caller has to allow it.
    fn filter_value(
        &self,
        _args: &[Type],
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        let refused = |why: String| Err(Diagnostic::new(code::VALUE_REFUSED, why));
        match *value {
            Value::Float(_) => Ok(value.clone()),
            _ if strict => refused(format!("a float is expected, not {value:?}")),
            Value::Int(int) => {
                let float = int as f64;
                if allow_downcast == Some(true) || float as i128 == int {
                    Ok(Value::Float(float))
                } else {
                    refused(format!("a double can't represent {int}"))
                }
            }
            _ => refused(format!("{value:?} is no number")),
        }
    }

    fn values_eq_approx(&self, _args: &[Type], a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Float(a), Value::Float(b)) => {
                a == b || (a - b).abs() / (a.abs() + b.abs()) < 1e-4
            }
            _ => false,
        }
    }

    fn docs(&self) -> &str {
        "A number of 64 bits."
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let double = Constructor::new(Double)?;
    let words = Vocabulary::default().with(double.clone())?;

    // Read, print, compare: a type is its name and its arguments, whichever object it came from.
    let ty = words.parse("Double")?;
    assert_eq!(ty, double.apply([])?);
    assert_eq!(ty, Constructor::new(Double)?.apply([])?);
    println!("{ty}: {}", double.behaviour().docs());

    // Which values are there? A float is; an integer is made one, if nothing is lost.
    let large = Value::from((1i64 << 53) + 1);
    assert!(ty.contains(&Value::from(0.1)));
    assert!(!ty.contains(&Value::from(3)));
    assert_eq!(
        ty.filter_value(&Value::from(3), false, None),
        Ok(Value::from(3.0))
    );
    for allow_downcast in [None, Some(false), Some(true)] {
        match ty.filter_value(&large, false, allow_downcast) {
            Ok(value) => println!("{large:?}, {allow_downcast:?}: {value:?}"),
            Err(error) => println!("{large:?}, {allow_downcast:?}: {}", error.headline),
        }
    }

    // Six times a tenth, or a tenth six times: nearly the same.
    let product = Value::from(6.0 * 0.1);
    let sum = Value::from(0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1);
    assert!(!ty.values_eq(&product, &sum));
    assert!(ty.values_eq_approx(&product, &sum));

    // Among other types, it is one of them.
    let pair = words.parse("(Double, f32[n]) where n >= 1")?;
    let ones = ndarray::Array1::<f32>::ones(3);
    assert!(pair.contains(&Value::tuple([Value::from(0.5), ones.into()])));
    let none = ndarray::Array1::<f32>::ones(0);
    assert!(!pair.contains(&Value::tuple([Value::from(0.5), none.into()])));
    assert!(matches!(&pair.kind, TypeKind::Tuple(fields) if fields[0] == ty));
    println!("{pair}");

    // In signatures it is an operand like others, and in the order a type like others.
    let scale = Signature::parse_in("Double, (n):t -> (n):t", &words)?;
    let answer = scale.infer(&[Type::UNKNOWN, words.parse("f32[3]")?])?;
    assert_eq!(answer.to_string(), "Double, f32[3] -> f32[3]");
    assert_eq!(
        order::is_super(
            &words.parse("(Double, f32[?])")?,
            &words.parse("(Double, f32[3])")?
        ),
        Verdict::Always
    );
    assert!(order::meet(&ty, &words.parse("f32[]")?).is_err());

    // It takes no arguments, and says so where some are written.
    match words.parse("(f32[2], Double[f32[2]])") {
        Ok(ty) => unreachable!("{ty}"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
