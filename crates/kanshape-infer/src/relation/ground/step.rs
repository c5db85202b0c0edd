//! The steps of a body, each as soon as it can be taken.

use super::super::rule::{Body, Either, Step, Value as Term};
use super::take_apart::Match;
use super::value::Value;
use super::{Frame, Ground, Stop};
use kanshape_syntax::tree::CmpOp;
use smallvec::SmallVec;

/// The steps that wait.
type Waiting<'r> = SmallVec<[Todo<'r>; 2]>;

/// Something that is still to be done.
#[derive(Clone)]
enum Todo<'r> {
    Step(&'r Step),
    /// An argument that came before its pattern could be taken apart.
    Matching(&'r Term, Value),
}

/// Has a step been taken?
enum Taken<'r> {
    Yes,
    /// It waits for more.
    Not,
    /// These have to be taken as well.
    More(&'r [Step]),
}

impl Ground<'_> {
    /// Makes a body hold, beside what is to be matched yet. The frame then has what follows.
    pub(super) fn body<'r>(
        &mut self,
        frame: &mut Frame,
        body: &'r Body,
        matching: &[(&'r Term, Value)],
    ) -> Result<(), Stop> {
        let mut waiting: Waiting<'r> = SmallVec::new();
        waiting.extend(matching.iter().map(|(p, v)| Todo::Matching(p, v.clone())));
        waiting.extend(body.steps.iter().map(Todo::Step));
        self.settle(frame, waiting)
    }

    fn settle<'r>(&mut self, frame: &mut Frame, mut waiting: Waiting<'r>) -> Result<(), Stop> {
        loop {
            let mut moved = false;
            let mut next: Waiting<'r> = SmallVec::new();
            for todo in waiting {
                self.spend(1)?;
                let taken = match &todo {
                    Todo::Step(step) => self.step(frame, step)?,
                    Todo::Matching(pattern, value) => {
                        match self.take_apart(frame, pattern, value)? {
                            Match::Done => Taken::Yes,
                            Match::Wait => Taken::Not,
                        }
                    }
                };
                match taken {
                    Taken::Yes => moved = true,
                    Taken::Not => next.push(todo),
                    Taken::More(steps) => {
                        moved = true;
                        next.extend(steps.iter().map(Todo::Step));
                    }
                }
            }
            waiting = next;
            if waiting.is_empty() {
                return Ok(());
            }
            if moved {
                self.dropping = false;
            } else {
                // What waits for something that nobody says, says nothing; but first everybody else has to have had
                // his say.
                let hint = |todo: &Todo<'_>| match todo {
                    Todo::Step(Step::Known(..)) => true,
                    Todo::Step(Step::Call(rule, _)) => self.library.rules[*rule].native.is_some(),
                    _ => false,
                };
                let is_whole = self.depth == 0;
                match waiting.iter().all(hint) {
                    true if is_whole || self.dropping => return Ok(()),
                    false if is_whole && !self.dropping => self.dropping = true,
                    _ => return Err(Stop::Leave),
                }
            }
        }
    }

    fn step<'r>(&mut self, frame: &mut Frame, step: &'r Step) -> Result<Taken<'r>, Stop> {
        let done = |is: bool| match is {
            true => Ok(Taken::Yes),
            false => Err(Stop::Fail),
        };
        match step {
            Step::Fail => Err(Stop::Fail),
            Step::Equal(a, b) => {
                if let Some(value) = self.eval(frame, a)? {
                    return Ok(match self.take_apart(frame, b, &value)? {
                        Match::Done => Taken::Yes,
                        Match::Wait => Taken::Not,
                    });
                }
                if let Some(value) = self.eval(frame, b)? {
                    return Ok(match self.take_apart(frame, a, &value)? {
                        Match::Done => Taken::Yes,
                        Match::Wait => Taken::Not,
                    });
                }
                Ok(Taken::Not)
            }
            Step::Compare(a, op, b) => {
                let (Some(a), Some(b)) = (self.eval(frame, a)?, self.eval(frame, b)?) else {
                    return Ok(Taken::Not);
                };
                match (a, op, b) {
                    (Value::Int(a), op, Value::Int(b)) => done(match op {
                        CmpOp::Eq => a == b,
                        CmpOp::Ne => a != b,
                        CmpOp::Lt => a < b,
                        CmpOp::Le => a <= b,
                        CmpOp::Gt => a > b,
                        CmpOp::Ge => a >= b,
                    }),
                    (Value::Dtype(a), CmpOp::Ne, Value::Dtype(b)) => done(a != b),
                    _ => Err(Stop::Leave),
                }
            }
            Step::Class(value, set) => match self.eval(frame, value)? {
                Some(Value::Dtype(dtype)) => done(set.contains(dtype)),
                Some(_) => Err(Stop::Leave),
                None => Ok(Taken::Not),
            },
            Step::Among(value, numbers) => match self.eval(frame, value)? {
                Some(Value::Int(n)) => done(numbers.contains(&i128::from(n))),
                Some(_) => Err(Stop::Leave),
                None => Ok(Taken::Not),
            },
            Step::Member(value, list) => {
                let (Some(value), Some(list)) = (self.eval(frame, value)?, self.eval(frame, list)?)
                else {
                    return Ok(Taken::Not);
                };
                match (value, list) {
                    (Value::Int(n), Value::Numbers(list)) => done(list.contains(&n)),
                    _ => Err(Stop::Leave),
                }
            }
            Step::Call(rule, args) => self.call_step(frame, *rule, args).map(|taken| match taken {
                true => Taken::Yes,
                false => Taken::Not,
            }),
            Step::Signature(signature, args) => {
                let taken = self.signature_step(frame, signature, args)?;
                Ok(if taken { Taken::Yes } else { Taken::Not })
            }
            Step::Either(either) => self.either(frame, either),
            Step::Known(terms, body) => {
                for term in terms {
                    if self.eval(frame, term)?.is_none() {
                        return Ok(Taken::Not);
                    }
                }
                match &*body.ways {
                    [way] => Ok(Taken::More(&way.steps)),
                    _ => Err(Stop::Leave),
                }
            }
        }
    }

    /// Just one of the bodies has to hold.
    fn either<'r>(&mut self, frame: &mut Frame, either: &'r Either) -> Result<Taken<'r>, Stop> {
        let may = |way: &&Body| self.guards_may_hold(frame, &way.guards);
        let ways: SmallVec<[&'r Body; 4]> = either.ways.iter().filter(may).collect();
        if let [way] = ways[..] {
            // The only one left: what it says holds.
            return Ok(Taken::More(&way.steps));
        }
        let mut found: Option<Frame> = None;
        for way in ways {
            let mut own = frame.clone();
            self.depth += 1;
            let holds = self.body(&mut own, way, &[]);
            self.depth -= 1;
            match holds {
                Err(Stop::Fail) => {}
                Ok(()) if found.is_none() => found = Some(own),
                // Two of them hold; or more has to be known first.
                Ok(()) | Err(Stop::Leave) => return Ok(Taken::Not),
            }
        }
        *frame = found.ok_or(Stop::Fail)?;
        Ok(Taken::Yes)
    }
}
