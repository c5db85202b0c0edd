//! The codes of what is wrong with modules of StableHLO. A code keeps its meaning for good.

kanshape::diag::codes! {
    NO_ENTRY "K0830" "a module without a function to type"
    NO_VALUE "K0831" "a value that nothing in the module defines"
    NO_FUNCTION "K0832" "a call of a function that the module does not have"
    RECURSION "K0833" "functions that call each other without an end, or too deep"
    COUNT "K0834" "more or fewer values than a function takes or an operation gives"
    DECLARED "K0835" "a value that can't have the type that is declared for it"
    TOO_MUCH "K0836" "a module that is too large to be typed as a whole"
    UNTYPED "K0837" "an operation of which nothing is known but its declared types"
    BODY "K0838" "bodies that do not give what the operation needs of them"
    BYTECODE "K0840" "a module as bytecode, which is not read"
    INPUTS "K0839" "types that the inputs of a module can't have"
    TWICE "K0841" "two functions of one name"
}
