//! Einstein's notation: `ij,jk->ik`.

use super::count::says;
use super::{Native, Param, is_number, number};
use crate::encode::{Kind, form};
use crate::rules::Context;
use crate::rules::native::{self, Arguments, Numbers};
use kanshape_engine::{
    Domain, Function, Goal, Linear, Look, Num, Part, Seq, Stop, Term, View, broadcast,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// `Einsum(equation, shapes, out)`: what NumPy's `einsum` makes of shapes. Dims with one letter are equal in one operand, and broadcast
/// across operands; so do those under `...`.
#[derive(Debug)]
pub(super) struct Einsum;

/// `EinsumSums(equation, sums)`: over so many letters `einsum` sums up products: those that its output has not. The dims under a `...` that
/// the output has not count as one.
#[derive(Debug)]
pub(super) struct EinsumSums;

/// A longer equation is not read.
const MAX_EINSUM: usize = 1 << 16;

/// The letters of one operand before and behind its `...`, if it has one.
#[derive(Debug, PartialEq)]
struct Letters {
    before: Vec<char>,
    after: Option<Vec<char>>,
}

/// An equation: the operands, and the output.
#[derive(Debug, PartialEq)]
struct Equation {
    inputs: Vec<Letters>,
    output: Letters,
}

impl Letters {
    fn read(text: &str) -> Option<Letters> {
        let letters = |text: &str| -> Option<Vec<char>> {
            let all: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
            all.iter().all(char::is_ascii_alphabetic).then_some(all)
        };
        Some(match text.split_once("...") {
            None => Letters {
                before: letters(text)?,
                after: None,
            },
            Some((before, after)) => Letters {
                before: letters(before)?,
                after: Some(letters(after)?),
            },
        })
    }

    fn all(&self) -> impl Iterator<Item = char> + '_ {
        let after = self.after.iter().flatten();
        self.before.iter().chain(after).copied()
    }
}

impl Equation {
    /// Reads an equation; without an arrow, the output has the letters that stand once, in alphabetical order. `Err` of one that is
    /// too long: no tensor has so many dims.
    fn bounded(text: &str) -> Result<Option<Equation>, Stop> {
        match text.len() <= MAX_EINSUM {
            true => Ok(Equation::read(text)),
            false => Err(Stop::Overflow),
        }
    }

    fn read(text: &str) -> Option<Equation> {
        let (inputs, output) = match text.split_once("->") {
            Some((inputs, output)) => (inputs, Some(output)),
            None => (text, None),
        };
        let inputs: Option<Vec<Letters>> = inputs.split(',').map(Letters::read).collect();
        let inputs = inputs?;
        let output = match output {
            Some(output) => Letters::read(output)?,
            None => {
                let mut count: BTreeMap<char, usize> = BTreeMap::new();
                for c in inputs.iter().flat_map(Letters::all) {
                    *count.entry(c).or_insert(0) += 1;
                }
                let once: Vec<char> = count.iter().filter(|c| *c.1 == 1).map(|c| *c.0).collect();
                match inputs.iter().any(|i| i.after.is_some()) {
                    true => Letters {
                        before: Vec::new(),
                        after: Some(once),
                    },
                    false => Letters {
                        before: once,
                        after: None,
                    },
                }
            }
        };
        let known: BTreeSet<char> = inputs.iter().flat_map(Letters::all).collect();
        let good = output.all().all(|c| known.contains(&c));
        good.then_some(Equation { inputs, output })
    }

    /// Over how many letters are products summed up?
    fn sums(&self) -> usize {
        let known: BTreeSet<char> = self.inputs.iter().flat_map(Letters::all).collect();
        let kept: BTreeSet<char> = self.output.all().collect();
        let under = self.inputs.iter().any(|own| own.after.is_some());
        known.difference(&kept).count() + usize::from(under && self.output.after.is_none())
    }
}

impl Native for EinsumSums {
    fn name(&self) -> &'static str {
        "EinsumSums"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Text), Param::Is(Kind::Int)]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let equation = Equation::bounded(args.text(0)?).map_err(|_| native::Stop::Leave)?;
        says(args, 1, equation.ok_or(native::Stop::Fail)?.sums())
    }
}

impl Native for Einsum {
    fn name(&self) -> &'static str {
        "Einsum"
    }

    fn params(&self) -> Vec<Param> {
        let shape = || Kind::Int.list();
        vec![
            Param::Is(Kind::Text),
            Param::Is(shape().list()),
            Param::Is(shape()),
        ]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let equation = Equation::bounded(args.text(0)?).map_err(|_| native::Stop::Leave)?;
        let equation = equation.ok_or(native::Stop::Fail)?;
        let shapes = args.lists(1)?;
        if shapes.len() != equation.inputs.len() {
            return Err(native::Stop::Fail);
        }
        let mut dims: BTreeMap<char, Numbers> = BTreeMap::new();
        let mut runs: Vec<&[Num]> = Vec::new();
        for (letters, shape) in equation.inputs.iter().zip(&shapes) {
            let after = letters.after.as_deref().unwrap_or_default();
            let run = shape.len().checked_sub(letters.before.len() + after.len());
            let run = run.ok_or(native::Stop::Fail)?;
            match letters.after {
                Some(_) => runs.push(&shape[letters.before.len()..letters.before.len() + run]),
                None if run > 0 => return Err(native::Stop::Fail),
                None => {}
            }
            let shown = shape.iter().take(letters.before.len());
            let shown = shown.chain(&shape[letters.before.len() + run..]);
            let mut own: BTreeMap<char, Num> = BTreeMap::new();
            for (c, dim) in letters.all().zip(shown) {
                match own.get(&c) {
                    Some(first) => args.equate(*first, *dim)?,
                    None => {
                        own.insert(c, *dim);
                        dims.entry(c).or_default().push(*dim);
                    }
                }
            }
        }
        let mut size: BTreeMap<char, Num> = BTreeMap::new();
        for (c, all) in dims {
            let one = match all[..] {
                [one] => one,
                _ => args.broadcast(&all)?,
            };
            size.insert(c, one);
        }
        let mut run = Numbers::new();
        let rank = runs.iter().map(|own| own.len()).max().unwrap_or(0);
        for i in 0..rank {
            let at = |own: &&[Num]| Some(own[(i + own.len()).checked_sub(rank)?]);
            let all: Numbers = runs.iter().filter_map(at).collect();
            run.push(args.broadcast(&all)?);
        }
        let of = |c: &char| size.get(c).copied().ok_or(native::Stop::Fail);
        let output = &equation.output;
        let mut out: Numbers = output.before.iter().map(of).collect::<Result<_, _>>()?;
        if let Some(after) = &output.after {
            out.extend(run);
            for c in after {
                out.push(of(c)?);
            }
        }
        args.say_numbers(2, &out)
    }

    // Of shapes of which not even the number of dims is known, dims are equal all the same; and what is known of the output goes back
    // into the operands.
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        if !is_number(look, &args[0])? {
            return Ok(false);
        }
        Ok(form::chain_length(look, &args[1])?.is_some())
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let equation = number(view, &args[0])?;
        let equation = context.text(equation);
        let Some(equation) = equation.as_deref().map_or(Ok(None), Equation::bounded)? else {
            return Ok(Goal::fail());
        };
        let shapes = form::shown(view, &args[1]);
        if shapes.len() != equation.inputs.len() {
            return Ok(Goal::fail());
        }
        let mut dims: BTreeMap<char, Vec<Linear>> = BTreeMap::new();
        let mut runs: Vec<Seq> = Vec::new();
        let mut goals = Vec::new();
        for (letters, shape) in equation.inputs.iter().zip(&shapes) {
            let mut own: BTreeMap<char, Linear> = BTreeMap::new();
            let mut dim = |view: &mut View<'_>, c: char| {
                let l = own.entry(c).or_insert_with(|| {
                    let l = Linear::var(view.int(crate::encode::sizes()));
                    dims.entry(c).or_default().push(l.clone());
                    l
                });
                Part::One(l.clone())
            };
            let mut parts: Vec<Part> = letters.before.iter().map(|c| dim(view, *c)).collect();
            if let Some(after) = &letters.after {
                let run = view.run(crate::encode::sizes());
                runs.push(Seq::run(run));
                parts.push(Part::Run(run));
                parts.extend(after.iter().map(|c| dim(view, *c)));
            }
            let own: Seq = parts.into_iter().collect();
            goals.push(Goal::equal(shape.clone(), Term::Seq(own)));
        }
        let mut size: BTreeMap<char, Linear> = BTreeMap::new();
        for (c, all) in dims {
            let one = match &all[..] {
                [one] => one.clone(),
                all => view.apply(
                    Function::Broadcast,
                    all,
                    Domain::interval(0, crate::encode::MAX_SIZE),
                )?,
            };
            size.insert(c, one);
        }
        let mut part = |c: &char| size.get(c).cloned().map(Part::One).ok_or(Stop::Conflict);
        let output = &equation.output;
        let mut parts: Vec<Part> = output
            .before
            .iter()
            .map(&mut part)
            .collect::<Result<_, _>>()?;
        if !runs.is_empty() {
            let run = view.run(crate::encode::sizes());
            broadcast(view, Seq::run(run), runs)?;
            if output.after.is_some() {
                parts.push(Part::Run(run));
            }
        }
        for c in output.after.iter().flatten() {
            parts.push(part(c)?);
        }
        let out: Seq = parts.into_iter().collect();
        goals.push(Goal::equal(args[2].clone(), Term::Seq(out)));
        Ok(Goal::all(goals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_arrow_what_stands_once_is_left() {
        let read = |text| Equation::read(text).map(|e| e.output);
        let letters = |before: &str, after: Option<&str>| Letters {
            before: before.chars().collect(),
            after: after.map(|a| a.chars().collect()),
        };
        assert_eq!(read("ij,jk"), Some(letters("ik", None)));
        assert_eq!(read("ba"), Some(letters("ab", None)));
        assert_eq!(read("...ii"), Some(letters("", Some(""))));
        assert_eq!(read(" i j , j k -> k i "), Some(letters("ki", None)));
        assert_eq!(read("ij->k"), None);
        assert_eq!(read("i2->i"), None);
        let sums = |text| Equation::read(text).map(|e| e.sums());
        assert_eq!(sums("ij,jk"), Some(1));
        assert_eq!(sums("ij->ji"), Some(0));
        assert_eq!(sums("ii->i"), Some(0));
        assert_eq!(sums("ii"), Some(1));
        assert_eq!(sums("...i,...j->ij"), Some(1));
        let long = "i".repeat(MAX_EINSUM + 1);
        assert_eq!(Equation::bounded(&long), Err(Stop::Overflow));
    }
}
