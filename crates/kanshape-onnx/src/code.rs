//! The codes of this crate's diagnostics. A code keeps its meaning for good.

kanshape::diag::codes! {
    NOT_A_MODEL "K0601" "bytes that are no ONNX model"
    BROKEN "K0602" "a part of a model that can't be read"
    TWICE "K0603" "a name that two values of a graph have"
    DANGLING "K0604" "a name that no value has"
    CYCLE "K0605" "nodes of which each needs what the other gives"
    BAD_TYPE "K0606" "a declared type with something in it that is no dtype or no size"
    BAD_TENSOR "K0607" "a tensor in a model that can't be as it is written"
    TOO_DEEP "K0608" "bodies in bodies, deeper than anybody means"
    TOO_LONG "K0609" "functions that call functions, and are longer together than anybody means"
    NO_VERSION "K0610" "operators of a domain whose version the model does not say"
    BODY "K0611" "a body that takes or gives more or less than its operator hands to it"
    HINT "K0612" "a declared type that the value can't have"
    GIVEN "K0613" "a type that was given for a value, and that it can't have"
    NO_SUCH_VALUE "K0614" "a value, a dim or a name that the model does not have"
    UNTYPED "K0615" "an operator of which nothing is known"
    NOT_FREE "K0616" "a dim that was declared free, and that a model fixes or bounds"
    NO_BODY "K0617" "a choice or a loop none of whose bodies can be run"
    UNWRITTEN "K0618" "something that has to hold and can't be written as a condition"
    UNDECIDED "K0619" "a model of which it is not known whether it holds for all sizes"
}
