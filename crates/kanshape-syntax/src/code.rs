//! The codes of this crate's diagnostics. A code keeps its meaning for good.

macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal)*) => {
        $(#[doc = $meaning] pub const $name: &str = $code;)*

        /// Every code with its meaning, in order.
        pub const ALL: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    UNEXPECTED "K0001" "something else was expected here"
    UNKNOWN_CHARACTER "K0002" "a character that is no part of the language"
    UNBALANCED "K0003" "a bracket without its partner"
    TOO_DEEP "K0004" "brackets nested too deeply"
    NUMBER_TOO_LARGE "K0005" "a number that does not fit 64 bits"
    UNKNOWN_FUNCTION "K0006" "a function that the language does not have"
    BAD_ARGUMENT "K0007" "a function with arguments it does not take"
    NOT_A_DIM "K0008" "something that is no dim where a dim must stand"
    NOT_A_TYPE "K0009" "something that is no type where a type must stand"
    BAD_MLIR "K0010" "a `tensor<...>` that cannot be read"
    RUN_COMPARED "K0011" "a run beside a comparison other than `==`"
    BAD_PREFIX "K0012" "a prefix other than `+`, `=`, `+2` and `=2`"
    NO_ARROW "K0013" "a signature without `->`"
    NOT_ONE "K0014" "a `|` with something else than 1 behind it"
    OPEN_SKIP "K0015" "a run `.k.` without its second dot"
    TWO_RUNS "K0021" "more than one `...` among the dims of one operand or type"
    OPTIONAL_AND_PLAIN "K0022" "a name that is optional here and plain there"
    OPTIONAL_BESIDE_SKIP "K0023" "an optional dim in an operand with `.k.`"
    PARAM_TWICE "K0024" "a parameter given twice"
    NO_SUCH_RUN "K0025" "a run that no operand has"
    TWO_ROLES "K0026" "a name that stands for two kinds of things"
    UNDECLARED "K0027" "a name that a long form does not declare"
    DECLARED_TWICE "K0028" "a name declared twice"
    CONDITIONS_ONLY "K0029" "a function that stands in conditions only, in a dim"
    NEGATIVE_SIZE "K0030" "a negative number as a dim"
    NO_ARITHMETIC "K0031" "a size with an identity in arithmetic, or compared by its order"
    BAD_IDENTITY "K0032" "an identity without a number in front"
    NOT_AN_OPERAND "K0033" "a type that cannot be an operand"
    UNCLOSED_TEXT "K0040" "a text without its closing quote"
    BAD_ESCAPE "K0041" "an escape that texts do not have"
    NOT_A_GOAL "K0042" "a term where a goal must stand"
    NOT_A_TERM "K0043" "a goal where a term must stand"
    NO_NECK "K0044" "something else than `:-` between a head and its body"
    NO_SEPARATOR "K0045" "two goals without a `,` between, or two clauses in one line without a `.`"
    UNKNOWN_CLASS "K0046" "a class that dtypes do not have"
    UNEVEN "K0047" "as many names as lists are taken apart, and here are not"
    LOOSE_DOC "K0048" "a doc line without a clause behind it"
    RESERVED "K0049" "a word of the language as a name"
    OPERAND_COUNT "K0050" "a signature as a goal with more or fewer operands than it has"
    USED_ONCE "K0051" "a variable that stands once in its clause"
    MAYBE_GOAL "K0052" "a fact that looks like a goal of the clause above"
}
