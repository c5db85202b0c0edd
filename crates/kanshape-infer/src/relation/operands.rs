//! A signature as a goal inside of a clause: its operands are terms.

use super::run::Context;
use crate::Signature;
use crate::lower::{Given, Operand, Slot, atoms, lengths, sizes, tensor, tensor_parts};
use crate::problem;
use crate::program::OperandRule;
use kanshape_engine::{Goal, Linear, Seq, Stop, Term, View};
use kanshape_types::{DtypeSet, Type};

/// The goal that a signature holds of its inputs and then its outputs.
pub(super) fn goal(
    view: &mut View<'_>,
    context: &Context,
    signature: &Signature,
    args: &[Term],
) -> Result<Goal, Stop> {
    let program = signature.program();
    let mut given = Given::default();
    given.identities = context.identities.clone();
    let (inputs, outputs) = args.split_at(program.inputs.len().min(args.len()));
    for (rule, arg) in program.inputs.iter().zip(inputs) {
        let operand = operand(view, &mut given, rule, arg)?;
        given.operands.inputs.push(operand);
    }
    for (rule, arg) in program.outputs.iter().zip(outputs) {
        let operand = operand(view, &mut given, rule, arg)?;
        given.operands.outputs.push(operand);
    }
    for _ in &program.params {
        given.params.push(Linear::var(view.int(sizes())));
    }
    Ok(problem::rule(signature, context.promotion, view, &given).0)
}

fn operand(
    view: &mut View<'_>,
    given: &mut Given,
    rule: &OperandRule,
    arg: &Term,
) -> Result<Operand, Stop> {
    if !rule.is_tensor() {
        let v = view.any();
        view.unify(&Term::Var(v), arg)?;
        return Ok(Operand::Open(v));
    }
    if let Term::Var(_) = view.walk(arg) {
        let dtype = view.atom(atoms(DtypeSet::ANY));
        let shape = Seq::run(view.run(lengths()));
        let contents = Term::Var(view.any());
        view.unify(arg, &tensor(dtype, shape, contents))?;
    }
    let (dtype, shape, contents) = tensor_parts(view, arg).ok_or(Stop::Conflict)?;
    given.slots.push(Slot {
        given: Type::UNKNOWN,
        dtype,
        shape,
        contents,
    });
    Ok(Operand::Tensor(given.slots.len() - 1))
}
