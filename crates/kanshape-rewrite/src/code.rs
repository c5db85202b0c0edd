//! The codes of this crate's diagnostics. A code keeps its meaning for good.

kanshape::diag::codes! {
    NO_RULE "K0701" "a rule that is not there"
    RIGHT_ONLY "K0702" "a leaf that stands on the right side of a rule alone"
    SIDES "K0703" "sides of a rule that have not the same number of outputs"
    ATTRIBUTE "K0704" "a constant of a rule that is no value"
    NO_LEAF "K0705" "a leaf that a rule does not have"
    ONE_OF_SEVERAL "K0706" "one output of an operator that has several, in a rule"
}
