//! The codes of this crate's diagnostics. A code keeps its meaning for good.

kanshape_diag::codes! {
    UNKNOWN_DTYPE "K0201" "a name that no dtype has"
    AMBIGUOUS_DTYPE "K0202" "a name that means different dtypes in different places"
    SIZE_TOO_LARGE "K0203" "a number too large to be a size"
    DTYPE_NOT_TYPE "K0204" "a dtype where a type must stand"
    DIM_AND_DTYPE "K0205" "a name that stands for a dtype here and for a dim there"
    SECOND_RUN "K0206" "more than one run of dims in a shape"
    NOT_A_DTYPE "K0207" "something that is no dtype where a dtype must stand"
    UNKNOWN_PROMOTION "K0208" "a name that no promotion table has"
    NOT_A_DIM "K0209" "something that is no dim where a dim must stand"
    CONTENTS_COUNT "K0210" "contents with more or fewer members than there are elements"
    CONTENTS_DTYPE "K0211" "contents that no element of the dtype is"
    WRONG_ARITY "K0220" "a type with more or fewer arguments than it takes"
    WRONG_ARGUMENT "K0221" "an argument that a type does not take"
    TYPE_NAME "K0222" "a name that a type can't have"
    VALUE_REFUSED "K0230" "a value that is none of a type"
    VALUE_DTYPE "K0231" "a value whose elements have another dtype"
    VALUE_SHAPE "K0232" "a value that has another shape"
    VALUE_CONDITION "K0233" "a value for which what is said of a type's names does not hold"
    TOO_MANY_BYTES "K0234" "a type whose values no memory holds"
    VALUE_CONTENTS "K0235" "a value that has other contents"
}
