//! [`CallArg`]: where the parameters and the operands of a query stand among the arguments of a rule.

/// One argument of a rule that is called with the operands of a query: these are counted from the first input, the
/// outputs behind the inputs.
#[derive(Clone, Debug)]
pub enum CallArg {
    /// A parameter of a signature, by its place.
    Param(usize),
    /// An attribute of an operator, by its place.
    Attr(usize),
    /// An operand.
    Type(usize),
    /// The same, where it might have been left out.
    Present(usize),
    /// The same, where it is not known whether it is left out.
    Open(usize),
    /// An operand that is left out.
    Absent,
    /// A list of operands.
    Types(Box<[usize]>),
    /// A list of as many outputs as there turn out to be, behind those that the query has.
    Rest,
}
