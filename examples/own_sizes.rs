//! A compiler's own sizes and guards out of the sizes and conditions of an answer: `cargo run --example own_sizes`.
#![allow(clippy::print_stdout)]

use kanshape::tree::{CmpOp, Expr, MulOp, Sign};
use kanshape::{Condition, Dim, Signature};

/// The sizes of the compiler.
#[derive(Clone, Debug, PartialEq)]
enum Size {
    Int(u64),
    Var(String),
    Add(Box<Size>, Box<Size>),
    Sub(Box<Size>, Box<Size>),
    Mul(Box<Size>, Box<Size>),
    Div(Box<Size>, Box<Size>),
    Mod(Box<Size>, Box<Size>),
}

/// What the compiler checks before it runs a kernel.
#[derive(Debug, PartialEq)]
enum Guard {
    Holds(Size, CmpOp, Size),
    OneOf(Size, Vec<Size>),
}

fn size(expr: &Expr) -> Option<Size> {
    Some(match expr {
        Expr::Int(n) => Size::Int(*n),
        Expr::Name(name) => Size::Var(name.node.to_string()),
        Expr::Sum(terms) => {
            let mut sum = Size::Int(0);
            for (sign, term) in terms {
                let make = match sign {
                    Sign::Plus => Size::Add,
                    Sign::Minus => Size::Sub,
                };
                sum = make(Box::new(sum), Box::new(size(term)?));
            }
            sum
        }
        Expr::Chain(first, rest) => {
            let mut left = size(first)?;
            for (op, right) in rest {
                let make = match op {
                    MulOp::Mul => Size::Mul,
                    MulOp::FloorDiv => Size::Div,
                    MulOp::Mod => Size::Mod,
                };
                left = make(Box::new(left), Box::new(size(right)?));
            }
            left
        }
        // What this compiler has no form for: `min`, `ceil`, a size with an identity.
        _ => return None,
    })
}

fn of_dim(dim: &Dim) -> Option<Size> {
    match dim {
        Dim::Size(n) => Some(Size::Int(*n)),
        Dim::Name(name) => Some(Size::Var(name.to_string())),
        Dim::Expr(expr) => size(expr),
        Dim::Nominal(_) | Dim::Hole => None,
    }
}

fn guards(condition: &Condition) -> Option<Vec<Guard>> {
    match condition {
        Condition::Compare(first, rest) => {
            let mut left = size(first)?;
            let mut all = Vec::new();
            for (op, right) in rest {
                let right = size(right)?;
                all.push(Guard::Holds(left, *op, right.clone()));
                left = right;
            }
            Some(all)
        }
        Condition::In(one, of) => {
            let of: Option<Vec<Size>> = of.iter().map(size).collect();
            Some(vec![Guard::OneOf(size(one)?, of?)])
        }
        Condition::Dtype(..) => None,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let conv: Signature = "(h),(k)->(2*(h - k) + 1) where h >= k".parse()?;
    let answer = conv.infer(&["f32[n]".parse()?, "f32[3]".parse()?])?;
    println!("{answer}");
    for dim in answer.outputs[0].dims().unwrap_or_default() {
        println!("{dim}: {:?}", of_dim(dim));
    }
    for condition in &answer.conditions {
        println!("{condition}: {:?}", guards(condition));
    }
    let dim: Dim = "2*n + 1".parse()?;
    let twice = Size::Mul(Box::new(Size::Int(2)), Box::new(Size::Var("n".into())));
    let sum = Size::Add(Box::new(Size::Int(0)), Box::new(twice));
    assert_eq!(
        of_dim(&dim),
        Some(Size::Add(Box::new(sum), Box::new(Size::Int(1))))
    );
    let choice: Condition = "n in {1, 3}".parse()?;
    let of = vec![Size::Int(1), Size::Int(3)];
    assert_eq!(
        guards(&choice),
        Some(vec![Guard::OneOf(Size::Var("n".into()), of)])
    );
    Ok(())
}
