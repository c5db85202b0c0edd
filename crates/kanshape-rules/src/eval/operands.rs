//! What a rule is called with, and what comes out of it.

use super::attribute::Attributes;
use super::prepared::RuleCall;
use super::store::Val;
use super::value::{Tensor, Value};
use super::{Buffers, Evaluator, Required, Residual, Stop};
use crate::AttrValue;
use crate::encode::Labels;
use crate::rules::{CallArg, OpRule};
use kanshape_types::{Dim, Type};
use smallvec::SmallVec;
use std::sync::Arc;

/// A call of a rule with operands as far as they are given, to be calculated.
#[derive(Clone, Copy)]
pub struct Calculation<'q> {
    pub call: RuleCall<'q>,
    /// What is given of the parameters.
    pub params: &'q [Option<&'q Dim>],
    /// What is given of the operands; the outputs stand behind this number of inputs.
    pub operands: &'q [&'q Type],
    pub inputs: usize,
    /// Is an operand a pattern of dims, so that what is in it plays no part?
    pub is_tensor: &'q dyn Fn(usize) -> bool,
    pub labels: &'q Labels,
}

/// What a query gives of the operands of a rule.
#[derive(Clone, Copy)]
pub struct Operands<'q> {
    pub inputs: &'q [&'q Type],
    /// Outputs behind these are unknown.
    pub outputs: &'q [&'q Type],
    /// How many operands there are.
    pub count: usize,
    /// See [`Calculation::is_tensor`].
    pub is_tensor: &'q dyn Fn(usize) -> bool,
}

impl<'q> Operands<'q> {
    /// Each of them.
    #[inline]
    pub fn each(&self) -> impl Iterator<Item = &'q Type> + use<'q> {
        let given = self.inputs.iter().chain(self.outputs).copied();
        given
            .chain(std::iter::repeat(&Type::UNKNOWN))
            .take(self.count)
    }
}

/// What comes of a calculation.
#[derive(Debug, Default)]
pub struct Calculated {
    pub inputs: Vec<Type>,
    /// The outputs, and those behind them that the rule has besides.
    pub outputs: Vec<Type>,
    pub params: Vec<Dim>,
    /// What has to hold of the names in them.
    pub required: Vec<Required>,
}

/// What comes of a calculation with a name for every size.
pub(super) struct Symbolic {
    pub operands: SmallVec<[Value; 4]>,
    /// What has to hold between the names.
    pub residuals: SmallVec<[Residual; 2]>,
}

impl<'q> Calculation<'q> {
    /// The operands and the parameters, if they are all that the rule allows, whatever the names in them denote, or where each name
    /// is what is required of it.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there are none; [`Stop::Leave`] if that is for the engine to find out.
    pub fn run(&self) -> Result<Calculated, Stop> {
        Buffers::with_forms(|buffers, forms| {
            let found = self.call.evaluator(buffers, forms).operands(self);
            found.map_err(Stop::decided)
        })
    }
}

impl<'a> Evaluator<'a> {
    /// The operands as values, and what has to hold between the names in them, if nothing more is to be said once they
    /// are numbers.
    pub(super) fn scheme(&mut self, call: &Calculation<'a>) -> Result<Symbolic, Stop> {
        let mut operands: SmallVec<[Option<Val>; 8]> = SmallVec::new();
        for (i, ty) in call.operands.iter().enumerate() {
            operands.push(self.load_operand(ty, (call.is_tensor)(i), call.labels)?);
        }
        let RuleCall {
            rule, args, attrs, ..
        } = call.call;
        let mut vals = self.arguments(args, &operands, &attrs.vals, &[])?;
        self.whole(rule, &mut vals)?;
        if self.has_dropped {
            return Err(Stop::Leave);
        }
        let results = self.results(args, &vals, operands.len())?;
        if results.len() != operands.len() {
            return Err(Stop::Leave);
        }
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        for val in results {
            let value = self.store.unload(val)?;
            values.push(match value {
                Value::Tensor(tensor) if self.symbols.has_holes() => {
                    let shape = tensor.shape.iter().map(|n| self.resolved(*n));
                    Value::Tensor(Arc::new(Tensor {
                        dtype: tensor.dtype,
                        shape: shape.collect::<Result<_, Stop>>()?,
                        contents: tensor.contents.clone(),
                        extremes: None,
                    }))
                }
                value => value,
            });
        }
        Ok(Symbolic {
            operands: values,
            residuals: std::mem::take(&mut self.residuals),
        })
    }

    fn operands(&mut self, call: &Calculation<'a>) -> Result<Calculated, Stop> {
        let mut operands: SmallVec<[Option<Val>; 8]> = SmallVec::new();
        let (inputs, outputs) = call.operands.split_at(call.inputs);
        // Outputs that the inputs determine are compared with what is given of them, which may be less.
        let is_forwards = inputs.iter().all(|ty| !ty.is_unknown());
        for (i, ty) in call.operands.iter().enumerate() {
            operands.push(match is_forwards && i >= call.inputs {
                true => None,
                false => self.load_operand(ty, (call.is_tensor)(i), call.labels)?,
            });
        }
        // That a given expression is a size is no condition of the rule.
        let is_given_open = !self.residuals.is_empty();
        let mut params: SmallVec<[Val; 4]> = SmallVec::new();
        for dim in call.params {
            params.push(match dim {
                Some(dim) => self.load_dim(dim)?.map_or(Val::Open, Val::Int),
                None => Val::Open,
            });
        }
        let RuleCall {
            rule, args, attrs, ..
        } = call.call;
        let mut vals = self.arguments(args, &operands, &attrs.vals, &params)?;
        self.whole(rule, &mut vals)?;
        for (arg, val) in args.iter().zip(&vals) {
            if let CallArg::Param(i) = arg {
                params[*i] = *val;
            }
        }
        let results = self.results(args, &vals, operands.len())?;
        if is_forwards {
            for (given, found) in outputs.iter().zip(&results[call.inputs..]) {
                self.admit(given, *found, call.labels)?;
            }
        }
        let is_number = |dim: &Option<&Dim>| matches!(dim, Some(Dim::Size(_)));
        let is_given_open = is_given_open || !call.params.iter().all(is_number);
        if is_given_open && !self.residuals.is_empty() {
            return Err(Stop::Leave);
        }
        let required = self.required(&results)?;
        let written = self.write(call, &operands, &results, &params)?;
        Ok(Calculated {
            required,
            ..written
        })
    }

    /// The values of an operator's attributes.
    ///
    /// # Errors
    /// [`Stop::Leave`] if not all of them are known, or one of them is the type of a function.
    pub(super) fn attributes(
        &mut self,
        operator: &OpRule,
        given: &[(Box<str>, AttrValue)],
    ) -> Result<SmallVec<[Val; 8]>, Stop> {
        let attributes = Attributes::new(&self.library.words);
        let mut vals = SmallVec::new();
        for rule in &operator.attrs {
            let own = given.iter().rev().find(|a| a.0 == rule.name);
            vals.push(match own.map(|a| &a.1).or(rule.default.as_ref()) {
                Some(given) => attributes.load(&rule.kind, given, self)?,
                None if rule.optional => Val::None,
                None => return Err(Stop::Leave),
            });
        }
        Ok(vals)
    }

    /// What a rule is called with. An operand is `None` where nothing is known of it.
    pub(super) fn arguments(
        &mut self,
        args: &[CallArg],
        operands: &[Option<Val>],
        attrs: &[Val],
        params: &[Val],
    ) -> Result<SmallVec<[Val; 16]>, Stop> {
        let mut vals = SmallVec::new();
        for arg in args {
            vals.push(match arg {
                CallArg::Param(i) => params[*i],
                CallArg::Attr(i) => attrs[*i],
                CallArg::Type(i) => operands[*i].unwrap_or(Val::Open),
                CallArg::Present(i) => match operands[*i] {
                    Some(val) => self.store.push_some(val)?,
                    None => Val::There,
                },
                // Whether it is there is found by search.
                CallArg::Open(_) => return Err(Stop::Leave),
                CallArg::Absent => Val::None,
                CallArg::Types(all) => {
                    let known: Option<SmallVec<[Val; 8]>> =
                        all.iter().map(|i| operands[*i]).collect();
                    match known {
                        Some(known) => Val::List(self.store.push_cells(&known)?),
                        None if all.iter().all(|i| operands[*i].is_none()) => {
                            Val::Length(u32::try_from(all.len()).map_err(|_| Stop::Leave)?)
                        }
                        None => return Err(Stop::Leave),
                    }
                }
                CallArg::Rest => Val::Open,
            });
        }
        Ok(vals)
    }

    /// The operands as they have come out: this number of them, and those that are there besides.
    pub(super) fn results(
        &self,
        args: &[CallArg],
        vals: &[Val],
        count: usize,
    ) -> Result<SmallVec<[Val; 8]>, Stop> {
        let mut results: SmallVec<[Val; 8]> = SmallVec::from_elem(Val::Open, count);
        for (arg, val) in args.iter().zip(vals) {
            match (arg, *val) {
                (CallArg::Param(_) | CallArg::Attr(_) | CallArg::Absent, _) => {}
                (CallArg::Type(i), val) => results[*i] = val,
                (CallArg::Present(i), Val::Some(of)) => results[*i] = self.store.cell(of),
                (CallArg::Types(all), Val::List(cells)) => {
                    for (i, val) in all.iter().zip(self.store.cells(cells)) {
                        results[*i] = *val;
                    }
                }
                (CallArg::Rest, Val::List(cells)) => {
                    results.extend_from_slice(self.store.cells(cells));
                }
                _ => return Err(Stop::Leave),
            }
        }
        Ok(results)
    }
}
