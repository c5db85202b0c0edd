//! The operands of a call in the places of those that the operator has.

use super::{CallArg, Formal, OpRule};
use crate::encode::error;
use kanshape_diag::Diagnostic;

/// What the rule of an operator is called with.
pub struct Placed {
    /// Its attributes, its inputs and its outputs.
    pub args: Box<[CallArg]>,
    /// For each input that there is, its place in the call.
    pub inputs: Vec<Option<usize>>,
    /// For each output that there is, its place in the call, if it is queried there.
    pub outputs: Vec<Option<usize>>,
}

impl OpRule {
    /// Puts operands in their places: it is known which inputs are there, and which outputs are queried. Without any
    /// word of outputs they are those that every call has, and there may be more. Those of the inputs that are there may be
    /// left out as well whose places are in `may_be_absent`.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there are more operands than it has, or if one is left out that may not be.
    pub fn place(
        &self,
        inputs: &[bool],
        may_be_absent: &[usize],
        outputs: Option<&[bool]>,
    ) -> Result<Placed, Diagnostic> {
        let mut args: Vec<CallArg> = (0..self.attrs.len()).map(CallArg::Attr).collect();
        let mut side = GivenOperands {
            operator: &self.name,
            what: "input",
            open: false,
            may_be_absent,
            args: &mut args,
            before: 0,
            places: Vec::new(),
        };
        side.place(&self.inputs, inputs)?;
        let inputs = side.places;
        let mut side = GivenOperands {
            operator: &self.name,
            what: "output",
            open: outputs.is_none(),
            may_be_absent: &[],
            args: &mut args,
            before: inputs.len(),
            places: Vec::new(),
        };
        let sure;
        let outputs = match outputs {
            Some(outputs) => outputs,
            None => {
                sure = vec![true; self.sure_outputs()];
                &sure
            }
        };
        side.place(&self.outputs, outputs)?;
        let outputs = side.places;
        Ok(Placed {
            args: args.into(),
            inputs,
            outputs,
        })
    }

    /// How many outputs every call has.
    pub fn sure_outputs(&self) -> usize {
        let sure = self
            .outputs
            .iter()
            .take_while(|f| !f.optional && !f.variadic);
        sure.count()
    }
}

/// The inputs of a call, or its outputs.
struct GivenOperands<'a> {
    operator: &'a str,
    what: &'static str,
    /// There may be more of them than are spoken of.
    open: bool,
    /// The places of those that are given and may be left out as well.
    may_be_absent: &'a [usize],
    args: &'a mut Vec<CallArg>,
    /// The operands before them.
    before: usize,
    places: Vec<Option<usize>>,
}

impl GivenOperands<'_> {
    fn place(&mut self, formals: &[Formal], given: &[bool]) -> Result<(), Diagnostic> {
        let mut there = given.iter().copied().enumerate();
        for formal in formals {
            if formal.variadic {
                if self.open {
                    self.args.push(CallArg::Rest);
                    continue;
                }
                let mut all = Vec::with_capacity(there.len());
                for (place, is_there) in there.by_ref() {
                    if !is_there {
                        return Err(self.missing(formal));
                    }
                    if self.may_be_absent.contains(&place) {
                        return Err(error::presence_is_open(self.operator, &formal.name));
                    }
                    all.push(self.operand(Some(place)));
                }
                self.args.push(CallArg::Types(all.into()));
                continue;
            }
            let arg = match (there.next(), formal.optional) {
                (Some((place, true)), true) if self.may_be_absent.contains(&place) => {
                    CallArg::Open(self.operand(Some(place)))
                }
                (Some((place, true)), true) => CallArg::Present(self.operand(Some(place))),
                (Some((place, true)), false) => CallArg::Type(self.operand(Some(place))),
                (_, true) => CallArg::Absent,
                // An output that is not requested is there all the same.
                (_, false) if self.what == "output" => CallArg::Type(self.operand(None)),
                (_, false) => return Err(self.missing(formal)),
            };
            self.args.push(arg);
        }
        match there.len() {
            0 => Ok(()),
            more => Err(error::too_many_operands(
                self.operator,
                self.what,
                formals.len(),
                more,
            )),
        }
    }

    /// One more operand.
    fn operand(&mut self, place: Option<usize>) -> usize {
        self.places.push(place);
        self.before + self.places.len() - 1
    }

    fn missing(&self, formal: &Formal) -> Diagnostic {
        error::operand_missing(self.operator, self.what, &formal.name)
    }
}
