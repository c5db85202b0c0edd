//! The codes of what is wrong with programs. A code keeps its meaning for good.

kanshape::diag::codes! {
    NO_OPERAND "K0520" "a type of Relay that no operand has"
    MISMATCH "K0801" "two types that have to be the same and are not"
    OCCURS "K0802" "a type that would have to contain itself"
    INCOMPLETE "K0803" "a type that nothing in the program determines"
    RELATION "K0804" "an operator or a relation that its operands do not satisfy"
    PROJECTION "K0805" "a field of what is no tuple, or of a tuple that has fewer"
    ARITY "K0806" "a call with more or fewer arguments than the function takes"
    NOT_FUNCTION "K0807" "a call of what is no function"
    KIND "K0808" "a type of the wrong kind"
    PATTERN_ARITY "K0809" "a pattern with more or fewer fields than its constructor has"
    NON_EXHAUSTIVE "K0810" "a match that misses a case"
    SCOPE "K0811" "a name that nothing binds"
    DUPLICATE "K0812" "a name that is defined twice"
    REDUNDANT "K0813" "a clause that no value reaches"
    TOO_LARGE "K0814" "a type that is too large to be written or solved"
    UNDECIDED "K0815" "a relation of which it is not known whether it holds for all sizes"
}
