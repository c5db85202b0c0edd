//! The codes of what is wrong with calls. A code keeps its meaning for good.

kanshape::diag::codes! {
    ARGUMENTS "K0901" "arguments that an operator of torch does not have, or lacks"
    NO_ARGUMENT "K0902" "an argument that is not of the kind that an operator of torch has there"
    NO_PROGRAM "K0903" "a file that is no archive of a program that torch has exported"
    PROGRAM_VERSION "K0904" "a program in a newer version of torch's format than is read"
}
