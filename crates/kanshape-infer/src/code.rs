//! The codes of this crate's diagnostics. A code keeps its meaning for good.

kanshape_diag::codes! {
    NEVER "K0101" "no shapes and dtypes satisfy the signature together with what is given"
    NO_COMMON_VALUE "K0102" "nothing is a value of both of two types"
    NOT_CHECKED "K0103" "a function whose type, or a tensor whose contents, are not those required, which no check at run time can mend"
    UNDECIDED "K0104" "a type of a value in a graph that could not be decided within the limits"
    BAD_EXAMPLE "K0319" "a worked example that is not written as examples are"
    UNTIED_OUTPUT "K0345" "an output of which something follows from no input"
}
