//! The codes of this crate's diagnostics. A code keeps its meaning for good.

kanshape_diag::codes! {
    NOT_A_SECTION "K0401" "a line at the margin that begins neither an operator nor a section"
    BAD_NAME "K0402" "a name that no operator can have"
    NAME_TAKEN "K0403" "a name that two operators have"
    UNKNOWN_FIELD "K0404" "a field that operators do not have"
    FIELD_TWICE "K0405" "a field given twice"
    FIELD_MISSING "K0406" "an operator without a field that it must have"
    EMPTY_FIELD "K0407" "a field with nothing in it"
    NO_QUERY "K0408" "an answer without a query"
    NO_ANSWER "K0409" "a query without an answer"
    BAD_QUERY "K0410" "a query whose parts cannot be told apart"
    OUTSIDE "K0411" "an indented line that belongs to no operator"
}
