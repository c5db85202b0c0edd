//! A line as a query.

use kanshape::Condition;
use kanshape::tree::parse_conditions;
use kanshape::{Dim, Type};

use super::fields::Line;
use super::subjects::Subjects;
use super::value::{list, members, number, text, whole_text, yes};
use super::{LIMIT, LineError, attr, type_data};
use crate::effort::{Effort, seconds};
use crate::field::Field;
use crate::loaded::Subject;
use crate::mistake;
use crate::notation::Notation;
use crate::question::Question;

/// The question of a line about its signature or operator.
pub(super) fn question(line: &Line<'_>, subjects: &mut Subjects) -> Result<Question, LineError> {
    let subject = subject(line, subjects)?;
    let Some(name) = line
        .value(Field::Op)
        .filter(|_| matches!(subject, Subject::Operator(_)))
    else {
        return filled(line, subject);
    };
    let name = whole_text(name, Field::Op)?;
    Question::about(&name, subject, subjects.relations(), |subject| {
        filled(line, subject)
    })
}

/// The question of a line about this subject.
fn filled(line: &Line<'_>, subject: Subject) -> Result<Question, LineError> {
    let mut question = Question::new(subject);
    question.notation = notation(line)?;
    if let Some(inputs) = operands(line, Field::Inputs, &question)? {
        let open = inputs.iter().enumerate().filter(|(_, input)| input.1);
        question.may_be_absent = open.map(|(i, _)| i).collect();
        question.inputs = Some(inputs.into_iter().map(|(ty, _)| ty).collect());
    }
    let outputs = operands(line, Field::Outputs, &question)?;
    question.outputs = outputs.map(|all| all.into_iter().map(|(ty, _)| ty).collect());
    if let Subject::Operator(operator) = &question.subject {
        question.attrs = attr::attrs(line, operator)?;
        attr::regions(line, operator, &mut question.attrs)?;
    }
    question.params = params(line)?;
    question.conditions = conditions(line)?;
    if let Some(raw) = line.value(Field::Promotion) {
        let table = whole_text(raw, Field::Promotion)?;
        question.promotion = table.parse().map_err(|d| LineError::new(d, "promotion"))?;
    }
    question.max_rank = number(line, Field::MaxRank)?;
    question.max_dim = number(line, Field::MaxDim)?;
    question.plain_sizes = yes(line, Field::PlainSizes)?;
    question.ground = question.max_dim.is_some();
    let limit = number(line, Field::Limit)?.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    question.limit = limit.or((!question.ground).then_some(LIMIT));
    Ok(question)
}

/// How the types of a line are read and written.
fn notation(line: &Line<'_>) -> Result<Notation, LineError> {
    let Some(raw) = line.value(Field::Notation) else {
        return Ok(Notation::default());
    };
    let name = Field::Notation.name();
    let wrong = || LineError::new(mistake::wrong_kind(name, "`kanshape` or `relay`"), name);
    Notation::named(&whole_text(raw, Field::Notation)?).ok_or_else(wrong)
}

/// How long a line may take: what it says itself, else what all may.
pub(super) fn effort(line: &Line<'_>, all: Effort) -> Result<Effort, LineError> {
    let budget = number(line, Field::Budget)?;
    let timeout = match line.value(Field::Timeout) {
        None => None,
        Some(raw) => Some(seconds(raw.get()).map_err(|_| {
            let name = Field::Timeout.name();
            LineError::new(mistake::wrong_kind(name, "a number of seconds"), name)
        })?),
    };
    Ok(Effort {
        budget: budget.or(all.budget),
        timeout: timeout.or(all.timeout),
    })
}

/// What holds between the names of the given types.
pub(super) fn conditions(line: &Line<'_>) -> Result<Vec<Condition>, LineError> {
    let wanted = "a list of conditions, each a text";
    let mut conditions = Vec::new();
    let all = list(line, Field::Where, wanted)?.into_iter().flatten();
    for (i, raw) in all.enumerate() {
        let place = || format!("where[{i}]");
        let written = text(raw, Field::Where, place)?;
        let read = parse_conditions(&written).map_err(|d| LineError::new(d, place()))?;
        conditions.extend(read.into_iter().map(|c| c.node));
    }
    Ok(conditions)
}

/// What a line is about.
fn subject(line: &Line<'_>, subjects: &mut Subjects) -> Result<Subject, LineError> {
    if let Some(signature) = line.value(Field::Signature) {
        let text = whole_text(signature, Field::Signature)?;
        let found = subjects.signature(&text);
        return found.map_err(|d| LineError::new(d, "signature"));
    }
    let Some(op) = line.value(Field::Op) else {
        return Err(LineError::from(mistake::no_question()));
    };
    let name = whole_text(op, Field::Op)?;
    let opset = number(line, Field::Opset)?;
    let found = subjects.operator(&name, opset);
    found.map_err(|d| LineError::new(d, "op"))
}

/// An operand, `None` if it is left out, and whether it may be left out.
type OptionalOperand = (Option<Type>, bool);

/// All inputs or outputs, each with whether its presence is open; none if there is no word of them.
fn operands(
    line: &Line<'_>,
    field: Field,
    question: &Question,
) -> Result<Option<Vec<OptionalOperand>>, LineError> {
    let name = field.name();
    let wanted = "a list of types, each a text, an object or null";
    let Some(list) = list(line, field, wanted)? else {
        return Ok(None);
    };
    if let Subject::Signature(signature) = &question.subject {
        let count = match field {
            Field::Inputs => signature.input_count(),
            _ => signature.output_count(),
        };
        if list.len() != count {
            let what = name.trim_end_matches('s');
            let wrong = mistake::operand_count(what, count, list.len());
            return Err(LineError::new(wrong, name));
        }
    }
    let mut types = Vec::with_capacity(list.len());
    for (i, raw) in list.into_iter().enumerate() {
        let place = || format!("{name}[{i}]");
        types.push(if raw.get() == "null" {
            (Some(Type::UNKNOWN), false)
        } else if let Some(data) = type_data::read(raw, &place()) {
            (Some(data?), false)
        } else {
            let text = text(raw, field, place)?;
            let read = match field {
                Field::Inputs => question.input(&text, place),
                _ => question.output(&text, place).map(|ty| (ty, false)),
            };
            read.map_err(|d| LineError::new(d, place()))?
        });
    }
    Ok(Some(types))
}

fn params(line: &Line<'_>) -> Result<Vec<(Box<str>, Dim)>, LineError> {
    let Some(raw) = line.value(Field::Params) else {
        return Ok(Vec::new());
    };
    let wanted = "an object of sizes by name";
    let given = members(raw, Field::Params, wanted)?;
    let mut params = Vec::with_capacity(given.len());
    for (name, raw) in given {
        let place = || format!("params.{name}");
        let value = if let Ok(size) = raw.get().parse() {
            Dim::Size(size)
        } else if raw.get() == "null" {
            Dim::Hole
        } else if raw.get().starts_with('"') {
            let dim = text(raw, Field::Params, place)?;
            dim.parse().map_err(|d| LineError::new(d, place()))?
        } else {
            let wanted = "a natural number, or a dim as text";
            return Err(LineError::new(
                mistake::wrong_kind(&place(), wanted),
                place(),
            ));
        };
        params.push((name.as_ref().into(), value));
    }
    Ok(params)
}
