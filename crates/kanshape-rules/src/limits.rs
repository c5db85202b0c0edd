//! The limits of rules, in one place: of reading them, of compiling them and of calculating with them. What is beyond one is
//! refused with a diagnostic, or left to the engine, and never a wrong answer.

kanshape_engine::limits! {
    "Kinds and types" {
        /// Lists in lists of a kind.
        MAX_KIND_DEPTH: usize = 200, at least 16;
        /// Nesting of a type that is written into the engine; a deeper one is refused.
        MAX_TYPE_DEPTH: usize = 256, at least 16;
        /// Sizes with an identity in one query.
        MAX_IDENTITIES: usize = 1 << 20;
        /// Steps for binding one open variable of a given type: more than enough.
        GIVEN_STEPS: u64 = 256;
        /// Steps for stating one condition or expression that is given.
        CONDITION_STEPS: u64 = 1_000_000;
        /// Nesting of a type in a calculation; a deeper one is left to the engine, which puts it behind variables.
        MAX_VALUE_DEPTH: usize = 64;
    }
    "Compiling rules" {
        /// Relations inlined inside of each other.
        MAX_INLINE_DEPTH: usize = 6;
        /// Variables of a clause up to which more is inlined: they are made anew for each run.
        MAX_INLINE_SLOTS: usize = 128;
        /// Clauses inlined in one clause: each of several may call several more.
        MAX_INLINE_CLAUSES: usize = 64;
        /// Nesting of steps up to which calls are inlined.
        MAX_PLAN_DEPTH: usize = 24;
        /// Dims of a run of fixed length that become a variable each.
        MAX_SPELLED_OUT: u64 = 8;
        /// Clauses of one signature, which are the combinations of its optional dims and runs.
        MAX_VARIANTS: usize = 256, at least 64;
        /// Ranks copied while these are found.
        MAX_VARIANT_WORK: usize = 4_000_000, at least 100_000;
    }
    "Calculation" {
        /// Names of a query that are looked through one by one; more are indexed.
        FEW_NAMES: usize = 16;
        /// Steps of one calculation; a longer one is left to the engine.
        MAX_EVAL_STEPS: u32 = 6_000;
        /// Members up to which the buffers of a thread are kept for its next calculation.
        MAX_BUFFER: usize = 1 << 14;
        /// Calls of relations inside of each other.
        MAX_CALL_DEPTH: u32 = 64;
        /// Conditions that a calculation leaves open.
        MAX_RESIDUALS: usize = 64;
        /// Schemes of one rule: one for each combination of ranks and dtypes.
        MAX_SCHEMES: usize = 8;
        /// Sizes of a scheme's operands.
        MAX_SCHEME_SIZES: usize = 24;
        /// Elements of a tensor whose contents are followed.
        MAX_CONTENTS: usize = 4096, at least 64;
        /// Boxes that are compared pairwise by a suppression of overlaps.
        MAX_BOXES: usize = 256;
        /// Values of a number that a relation in Rust is shown as a list.
        MAX_LISTED_VALUES: u128 = 64;
    }
}
