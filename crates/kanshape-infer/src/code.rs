//! The codes of this crate's diagnostics. A code keeps its meaning for good.

kanshape_diag::codes! {
    NEVER "K0101" "no shapes and dtypes satisfy the signature together with what is given"
    NO_COMMON_VALUE "K0102" "nothing is a value of both of two types"
    NOT_CHECKED "K0103" "a function whose type, or a tensor whose contents, are not those asked for, which no check at run time can mend"
    UNKNOWN_RELATION "K0301" "a relation that nobody has defined"
    RELATION_ARITY "K0302" "a relation with too few operands"
    BAD_OPTIONAL "K0303" "something optional that is neither a name nor a number"
    OPERAND_COUNT "K0310" "more or fewer operands than the signature has"
    UNKNOWN_PARAM "K0311" "a parameter that the signature does not have"
    TWO_KINDS "K0312" "a name used for two different kinds of things"
    SIZE_TOO_LARGE "K0313" "a number too large to be a size"
    UNKNOWN_ATTRIBUTE "K0315" "an attribute that the operator does not have"
    WRONG_ATTRIBUTE "K0316" "an attribute with a value of another kind"
    OPERAND_MISSING "K0317" "an operand that may not be left out"
    BAD_EXAMPLE "K0319" "a worked example that is not written as examples are"
    UNKNOWN_OPERATOR "K0318" "an operator that no catalog has"
    NOT_IN_QUERY "K0314" "a condition about something that the query does not have"
}
