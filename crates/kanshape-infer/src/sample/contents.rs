//! What a sample's tensors have in them.
//!
//! The search leaves contents alone: whatever waits for them is a hint. So they are chosen when all else of the inputs is, and only
//! where the outputs depend on them: member by member, each by a question whether there is still an answer.

use super::is_concrete;
use crate::limits::{MAX_SAMPLE_CONTENTS, MAX_SAMPLE_QUESTIONS, SAMPLE_STEPS};
use crate::solve::answers::Answers;
use crate::{Answer, AttrValue, Query};
use kanshape_engine::{Chooser, pick};
use kanshape_types::{Content, Contents, DtypeSet, Type};
use std::sync::Arc;

impl Query {
    /// A sample with the contents on which its outputs depend. `None` if the rule does not take it: where a relation waits for
    /// what the search leaves open, not all that it finds is one.
    pub(super) fn with_contents(
        &self,
        sample: Answer,
        chooser: &mut Chooser<'_>,
    ) -> Option<Answer> {
        let open = vec![Type::UNKNOWN; sample.outputs.len().min(self.outputs.len())];
        let forward = self.forward(&sample, open);
        if let Some(answer) = determined(&forward) {
            return Some(Answer {
                outputs: answer.outputs,
                ..sample
            });
        }
        let own = sample.outputs[..forward.outputs.len()].to_vec();
        let towards = self.forward(&sample, own);
        for from in [&towards, &self.forward(&sample, self.outputs.clone())] {
            let Some(inputs) = from.clone().filled(chooser) else {
                continue;
            };
            let with = Query {
                inputs: inputs.clone(),
                ..forward.clone()
            };
            if let Some(answer) = determined(&with) {
                return Some(Answer {
                    inputs,
                    outputs: answer.outputs,
                    ..sample
                });
            }
        }
        (Answers::are_there(&towards) == Some(true)).then_some(sample)
    }

    /// What follows from the inputs, parameters and attributes of a sample, with these outputs.
    pub(super) fn forward(&self, sample: &Answer, outputs: Vec<Type>) -> Query {
        let mut query = self.clone();
        query.ground = false;
        query.max_dim = None;
        query.max_rank = None;
        query.inputs.clone_from(&sample.inputs);
        query.outputs = outputs;
        for (label, value) in &sample.params {
            query.params.push((label.as_str().into(), value.clone()));
        }
        let known = |(_, value): &&(_, AttrValue)| *value != AttrValue::Hole;
        let mut attrs = sample.attrs.iter().filter(known).peekable();
        if attrs.peek().is_some() {
            let attrs = attrs.map(|(name, value)| (name.as_str().into(), value.clone()));
            let all = query.attrs.iter().cloned().chain(attrs);
            query.attrs = Arc::new(all.collect());
        }
        query.budget = SAMPLE_STEPS;
        query
    }

    /// The inputs with contents for small tensors of numbers; `None` if none were found with which there is an answer. A value that
    /// nothing excludes yet may be excluded by the next ones, so that it is taken back.
    fn filled(mut self, chooser: &mut Chooser<'_>) -> Option<Vec<Type>> {
        let places: Vec<usize> = (0..self.inputs.len())
            .filter(|i| has_place(&self.inputs[*i]))
            .collect();
        for &i in &places {
            let len = elements(&self.inputs[i])?;
            let holes = Contents::new(vec![Content::Hole; len]);
            self.inputs[i] = self.inputs[i].clone().with_contents(holes);
        }
        let mut questions = 0;
        let mut tried: Vec<(Query, Vec<i64>)> = Vec::new();
        let mut now = Some(self);
        loop {
            if let Some(mut query) = now.take() {
                questions += 1;
                if let Some(answer) = query.solve().ok()?.next() {
                    query.adopt(&places, &answer);
                    let Some((i, _)) = query.next_member(&places) else {
                        return Some(query.inputs);
                    };
                    let values = values(query.inputs[i].as_tensor()?.dtype.set());
                    tried.push((query, values));
                }
            }
            let (query, values) = tried.last_mut()?;
            if values.is_empty() {
                tried.pop();
                continue;
            }
            if questions > MAX_SAMPLE_QUESTIONS {
                return None;
            }
            let value = values.remove(pick(chooser, values.len()));
            let (i, at) = query.next_member(&places)?;
            let mut next = query.clone();
            let mut members = next.inputs[i].contents()?.as_slice().to_vec();
            members[at] = Content::Int(value);
            next.inputs[i] = next.inputs[i].clone().with_contents(Contents::new(members));
            now = Some(next);
        }
    }

    /// Takes over the contents that follow.
    fn adopt(&mut self, places: &[usize], answer: &Answer) {
        for &i in places {
            let found = answer.inputs.get(i).and_then(Type::contents);
            let Some(found) = found.filter(|found| found.iter().any(is_number)) else {
                continue;
            };
            let own = found.map(&mut |member| match is_number(member) {
                true => member.clone(),
                false => Content::Hole,
            });
            self.inputs[i] = self.inputs[i].clone().with_contents(Some(own));
        }
    }

    /// The first member that is not known: its input, and where it is in that.
    fn next_member(&self, places: &[usize]) -> Option<(usize, usize)> {
        let hole = |i: &usize| Some((*i, first_hole(&self.inputs[*i])?));
        places.iter().find_map(hole)
    }
}

/// The answer, if there is one that has no unknowns.
fn determined(query: &Query) -> Option<Answer> {
    let answer = query.one().ok()?;
    let is_whole = answer.conditions.is_empty() && answer.outputs.iter().all(is_concrete);
    is_whole.then_some(answer)
}

/// The numbers that a member can be, the simplest first.
fn values(of: DtypeSet) -> Vec<i64> {
    if of.is_subset(DtypeSet::BOOL) {
        return vec![0, 1];
    }
    match of.is_subset(DtypeSet::UINT) {
        true => vec![1, 2, 3, 4, 0],
        false => vec![1, 2, 3, 4, 0, -1],
    }
}

/// Is it a small tensor of numbers whose contents are not given?
fn has_place(ty: &Type) -> bool {
    let Some(t) = ty.as_tensor() else {
        return false;
    };
    let numbers = DtypeSet::INT.union(DtypeSet::UINT).union(DtypeSet::BOOL);
    let numbers = numbers.union(DtypeSet::FLOAT);
    let few = t.shape.elements().is_some_and(|n| n <= MAX_SAMPLE_CONTENTS);
    t.contents.is_none()
        && t.dtype.set().is_subset(numbers)
        && t.shape.rank().is_some_and(|r| r < 2)
        && few
}

fn elements(ty: &Type) -> Option<usize> {
    usize::try_from(ty.as_tensor()?.shape.elements()?).ok()
}

fn first_hole(ty: &Type) -> Option<usize> {
    ty.contents()?
        .iter()
        .position(|member| *member == Content::Hole)
}

fn is_number(member: &Content) -> bool {
    matches!(
        member,
        Content::Int(_) | Content::Float(_) | Content::Bool(_)
    )
}
