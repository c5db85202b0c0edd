//! Relations in Rust, of what is known.

use super::super::native::Native;
use super::call::Args;
use super::value::{Numbers, Value};
use super::{Ground, Stop};

/// Fills in what a relation says. `false` if it has to be left to the engine, or says nothing yet.
pub(super) fn call(_: &mut Ground<'_>, native: &dyn Native, args: &mut Args) -> Result<bool, Stop> {
    if native.is_users() {
        return Err(Stop::Leave);
    }
    match (native.name(), &mut args[..]) {
        ("ReshapeDim", [Some(Value::Int(s)), d, o]) => match s {
            -1 => Ok(true),
            0 => match d {
                Some(d) => say(o, d.clone()),
                // It copies what nobody speaks of.
                None => Ok(true),
            },
            1.. => {
                let s = Value::Int(*s);
                say(o, s)
            }
            _ => Err(Stop::Fail),
        },
        (
            "Reshaped",
            [
                Some(Value::Numbers(from)),
                Some(Value::Numbers(asked)),
                Some(Value::Int(allows_zero)),
                to,
            ],
        ) => {
            let shape = reshaped(from, asked, *allows_zero == 1)?;
            say(to, Value::Numbers(shape))
        }
        // Nothing is known that it could speak of.
        (_, [None | Some(Value::Length(_)), ..]) => Ok(false),
        _ => Err(Stop::Leave),
    }
}

/// From now on the argument is this.
fn say(arg: &mut Option<Value>, value: Value) -> Result<bool, Stop> {
    match arg {
        Some(Value::Length(n)) if value.length() == Some(*n) => {
            *arg = Some(value);
            Ok(true)
        }
        Some(own) if *own == value => Ok(true),
        Some(_) => Err(Stop::Fail),
        None => {
            *arg = Some(value);
            Ok(true)
        }
    }
}

/// What [`Reshaped`](super::super::native) says where all is known.
fn reshaped(from: &[i64], asked: &[i64], allows_zero: bool) -> Result<Numbers, Stop> {
    let mut to = Numbers::new();
    let mut left = None;
    let mut known = 1i64;
    let mut total: i64 = 1;
    let times = |a: i64, b: i64| a.checked_mul(b).ok_or(Stop::Leave);
    for n in from {
        total = times(total, *n)?;
    }
    for (i, s) in asked.iter().enumerate() {
        to.push(match s {
            0 if !allows_zero => *from.get(i).ok_or(Stop::Fail)?,
            -1 if left.is_some() => return Err(Stop::Fail),
            -1 => {
                left = Some(i);
                1
            }
            0.. => *s,
            _ => return Err(Stop::Fail),
        });
        known = times(known, to[i])?;
    }
    match left {
        // Of nothing, anything could be left.
        Some(_) if known == 0 => Err(Stop::Leave),
        Some(i) if total % known == 0 => {
            to[i] = total / known;
            Ok(to)
        }
        None if total == known => Ok(to),
        _ => Err(Stop::Fail),
    }
}
