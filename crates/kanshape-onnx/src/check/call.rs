//! [`Calls`]: what nodes call, looked up and prepared once for all that call alike.

use crate::model::{Versions, domain};
use crate::problem;
use crate::proto::function::Function;
use crate::symbols::{OpName, OperatorNo, Symbol, same};
use hashbrown::HashMap;
use kanshape::graph::CallId;
use kanshape::{Operator, Relations};
use std::rc::Rc;

/// The version of ONNX's own domain from which on all its operators are known. Operators of older models that are not
/// known as they were are taken for these; the attributes that they no longer have are refused.
const OLDEST: u64 = 7;

/// What nodes call.
pub(super) struct Calls<'c, 'a> {
    relations: &'c Relations,
    functions: HashMap<OpName<'a>, usize>,
    dialects: Vec<Dialect<'a>>,
    ops: Vec<CalledOp>,
    /// Calls by the bytes of their attributes, so that these are read once.
    pub by_bytes: HashMap<BytesKey<'a>, PreparedNode>,
    /// Why calls could not be prepared.
    pub reasons: Vec<Rc<str>>,
}

/// Versions of domains, and what operators are under them.
struct Dialect<'a> {
    versions: Versions<'a>,
    /// By kind.
    ops: Vec<Option<u32>>,
}

/// What a name means.
#[derive(Clone)]
pub(super) enum CalledOp {
    Operator(Operator, OfSequences),
    /// A value in a node's clothing.
    Constant,
    /// A function of the model.
    Function(usize),
    /// Why nothing is known of it.
    Unknown(Rc<str>),
}

/// What an operator has to do with the members of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfSequences {
    Nothing,
    /// It hands on what it is given, which may be one.
    Same,
    /// It makes one that is empty.
    Empty,
    /// It makes one of its members.
    Construct,
    /// It makes one of the parts of a tensor.
    Split,
    /// It puts something into one.
    Insert,
    /// It takes something out of one.
    Erase,
    /// It is a member.
    At,
    /// It is how many there are.
    Length,
    /// It is made of all of them.
    Concat,
}

impl OfSequences {
    fn of(operator: &Operator) -> OfSequences {
        if operator.domain() != "ai.onnx" {
            return OfSequences::Nothing;
        }
        match operator.name() {
            "Identity" => OfSequences::Same,
            "SequenceEmpty" => OfSequences::Empty,
            "SequenceConstruct" => OfSequences::Construct,
            "SplitToSequence" => OfSequences::Split,
            "SequenceInsert" => OfSequences::Insert,
            "SequenceErase" => OfSequences::Erase,
            "SequenceAt" => OfSequences::At,
            "SequenceLength" => OfSequences::Length,
            "ConcatFromSequence" => OfSequences::Concat,
            _ => OfSequences::Nothing,
        }
    }
}

/// A call as it is written: the operator, which operands there are, the attributes.
#[derive(Clone, Copy, Eq, Hash)]
pub(super) struct BytesKey<'a> {
    pub op: u32,
    pub inputs: u32,
    pub outputs: u32,
    pub attrs: &'a [u8],
}

impl PartialEq for BytesKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.op, self.inputs, self.outputs) == (other.op, other.inputs, other.outputs)
            && same(self.attrs, other.attrs)
    }
}

impl BytesKey<'_> {
    /// The same for all models: the number of the operator is one of this model.
    pub(super) fn across_models(&self, operator: &Operator) -> Vec<u8> {
        let (domain, name) = (operator.domain(), operator.name());
        let mut key = Vec::with_capacity(20 + domain.len() + name.len() + self.attrs.len());
        for text in [domain, name] {
            key.extend(text.bytes());
            key.push(0);
        }
        key.extend(operator.since().to_le_bytes());
        key.extend(self.inputs.to_le_bytes());
        key.extend(self.outputs.to_le_bytes());
        key.extend(self.attrs);
        key
    }
}

/// What has been found out of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum PreparedNode {
    Call(CallId),
    /// It has bodies, so that no other call is the same.
    Bodies,
    /// It depends on the function that it stands in.
    OfFunction,
    /// It can't be: the number of the reason.
    Wrong(u32),
}

/// Which operands there are, as a number; none if it takes more than a number.
pub(super) fn presence(operands: &[Symbol]) -> Option<u32> {
    /// So many operands that a number says of each whether it is there.
    const MOST: usize = 30;
    let count = operands.len();
    let is_there = |symbol: &Symbol| *symbol != Symbol::NONE;
    if count > MOST {
        let all = operands.iter().all(is_there);
        return all.then_some(1 << 31 | (count as u32 & !(1 << 31)));
    }
    let mut bits = 1;
    for symbol in operands {
        bits = bits << 1 | u32::from(is_there(symbol));
    }
    Some(bits)
}

impl<'c, 'a> Calls<'c, 'a> {
    pub(super) fn new(relations: &'c Relations, functions: &[Function<'a>]) -> Calls<'c, 'a> {
        let functions = functions.iter().enumerate().map(|(i, f)| {
            let name = OpName {
                op: f.name,
                domain: domain(f.domain),
                overload: f.overload,
            };
            (name, i)
        });
        Calls {
            relations,
            functions: functions.collect(),
            dialects: Vec::new(),
            ops: Vec::new(),
            by_bytes: HashMap::new(),
            reasons: Vec::new(),
        }
    }

    /// The number of versions of domains.
    pub(super) fn dialect(&mut self, versions: &Versions<'a>) -> u32 {
        let known = self.dialects.iter().position(|d| d.versions == *versions);
        let number = known.unwrap_or_else(|| {
            self.dialects.push(Dialect {
                versions: versions.clone(),
                ops: Vec::new(),
            });
            self.dialects.len() - 1
        });
        number as u32
    }

    /// The number of what a name means, and whether that has been requested the first time.
    #[inline]
    pub(super) fn op(
        &mut self,
        dialect: u32,
        kind: OperatorNo,
        name: impl FnOnce() -> OpName<'a>,
    ) -> (u32, bool) {
        let ops = &mut self.dialects[dialect as usize].ops;
        if let Some(Some(op)) = ops.get(kind.0 as usize) {
            return (*op, false);
        }
        let op = self.find(dialect, name());
        self.ops.push(op);
        let number = self.ops.len() as u32 - 1;
        let ops = &mut self.dialects[dialect as usize].ops;
        if ops.len() <= kind.0 as usize {
            ops.resize(kind.0 as usize + 1, None);
        }
        ops[kind.0 as usize] = Some(number);
        (number, true)
    }

    /// An operator of ONNX's own domain, as it was in a version.
    pub(super) fn own(&self, name: &str, version: u64) -> Option<Operator> {
        self.relations
            .operator_of("ai.onnx", name, Some(version))
            .ok()
    }

    /// What a name means, by its number.
    pub(super) fn meaning(&self, op: u32) -> &CalledOp {
        &self.ops[op as usize]
    }

    fn find(&self, dialect: u32, name: OpName<'a>) -> CalledOp {
        let own = OpName {
            domain: domain(name.domain),
            ..name
        };
        if let Some(function) = self.functions.get(&own) {
            return CalledOp::Function(*function);
        }
        if (own.op, own.domain) == ("Constant", "") {
            return CalledOp::Constant;
        }
        let version = self.dialects[dialect as usize].versions.get(own.domain);
        self.operator(own, version)
    }

    fn operator(&self, name: OpName<'a>, version: Option<u64>) -> CalledOp {
        if name.op.is_empty() {
            return CalledOp::Unknown("it does not say which operator it is".into());
        }
        let domains = match name.domain {
            // Operators that are loaded may stand in no domain.
            "" => &["ai.onnx", ""][..],
            domain => &[domain][..],
        };
        let mut why = None;
        for domain in domains {
            let of_version = |version| self.relations.operator_of(domain, name.op, version);
            let found = match version {
                Some(..OLDEST) if name.domain.is_empty() => {
                    of_version(version).or_else(|_| of_version(Some(OLDEST)))
                }
                _ => of_version(version),
            };
            match found {
                Ok(operator) => {
                    let of_sequences = OfSequences::of(&operator);
                    return CalledOp::Operator(operator, of_sequences);
                }
                Err(diagnostic) => why = why.or(Some(problem::why(diagnostic))),
            }
        }
        let why = why.unwrap_or_else(|| format!("no operator is called `{}`", name.op));
        CalledOp::Unknown(why.into())
    }

    /// Notes why a call can't be.
    pub(super) fn wrong(&mut self, why: &str) -> PreparedNode {
        self.reasons.push(why.into());
        PreparedNode::Wrong(self.reasons.len() as u32 - 1)
    }
}
