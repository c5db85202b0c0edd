//! The limits of inference, in one place. What is beyond one is left open, printed more coarsely or *unknown*, and never a
//! wrong answer.
//!
//! A caller sets the steps of a query by its budget. The limits here bound what one part of a query may cost
//! (`.._STEPS`, in steps of the engine's budget) and what is worth the work for a person or a cache (`MAX_..`, counts), so
//! they are constants. Those of the engine and of rules are in their own `limits`.

kanshape_engine::limits! {
    "Kinds and types" {
        /// Nesting of a type that a graph reads from its terms; a deeper one stays a term.
        MAX_KNOWN_DEPTH: usize = 32;
        /// Depth to which a graph follows what an unknown is the value of.
        MAX_DEFINED_DEPTH: usize = 12;
        /// Parts of such a value; what has more keeps a name.
        MAX_DEFINED_PARTS: usize = 8;
        /// Nesting of a type that a graph prints.
        MAX_READ_DEPTH: usize = 64;
        /// Dims of unknown size that a graph writes one by one, where it knows how many there are.
        MAX_WRITTEN_DIMS: usize = 64;
    }
    "Sizes that show that a condition is needed" {
        /// Names of conditions for which sizes are tried.
        MAX_WITNESS_NAMES: usize = 16;
        /// Sizes that are tried for a name.
        MAX_WITNESS_SIZES: usize = 17;
    }
    "Conditions that repeat" {
        /// The longest period of a condition on one size that is looked for.
        MAX_PERIOD: i64 = 4096;
        /// Sizes on which such a condition is tried.
        MAX_PERIODIC_SIZE: i64 = 1 << 15;
        /// Nesting of its expressions.
        MAX_PERIODIC_DEPTH: usize = 64;
    }
    "Queries" {
        /// Steps for propagating a rule with nothing given.
        TEMPLATE_STEPS: u64 = 40_000;
        /// Steps for deciding whether one clause can hold at all.
        CLAUSE_STEPS: u64 = 20_000;
        /// Answers that a verdict reads.
        MAX_VERDICT_ANSWERS: usize = 16;
        /// Steps, of the budget of a query, for deciding whether one answer has a solution.
        ANSWER_WITNESS_STEPS: u64 = 100_000;
        /// A query has this multiple of the steps of its search for all that is found out beside it as well: how answers are written,
        /// and what holds of them.
        STEPS_BESIDE: u64 = 2;
        /// Sizes that are tried for all names alike, for a counterexample.
        MAX_TRIED_SIZES: usize = 48;
        /// Those of them that are tried for one name alone.
        MAX_SINGLE_SIZES: usize = 24;
        /// Names for which sizes are tried one by one.
        MAX_TRIED_NAMES: usize = 8;
        /// Steps for one attempt to find a counterexample.
        COUNTEREXAMPLE_STEPS: u64 = 20_000;
        /// Steps for all these attempts.
        COUNTEREXAMPLES_STEPS: u64 = 120_000;
    }
    "Answers" {
        /// Expressions printed inside of each other; beyond, a part gets a name.
        MAX_NAMED_DEPTH: usize = 12;
        /// Combinations of the lengths of runs that are compared with answers.
        MAX_LENGTH_CASES: usize = 4096;
        /// Conditions up to which a variable that only repeats another is taken out; with more, equal ones only.
        MAX_DEDUPED: usize = 64;
        /// Values of a variable that no operand shows, up to which there is an answer for each.
        MAX_HIDDEN_VALUES: u128 = 8;
        /// Values, some of them negative, of an attribute or of contents, up to which there is an answer for each.
        MAX_ATTRIBUTE_VALUES: u128 = 16;
        /// Characters of an expression that is repeated rather than named.
        MAX_REPEATED: usize = 48;
        /// The same of a number that may be negative, which has no name.
        MAX_NAMELESS: usize = 384;
        /// Inequalities from which a variable that is not shown is eliminated, if it is in no other constraint.
        MAX_ORDERS: usize = 4;
        /// Values of a size that are listed rather than bounded.
        MAX_LISTED_SIZES: u128 = 8;
        /// Steps for deciding whether one condition follows from others.
        IMPLIED_STEPS: u64 = 8_000;
        /// Steps for finding sizes with which a type contains a value.
        HOLD_STEPS: u64 = 100_000;
        /// Conditions from which on bounds of expressions that follow from the rest are taken out together.
        MANY_CONDITIONS: usize = 8;
        /// Conditions up to which those that follow from others are taken out.
        MAX_IMPLIED: usize = 96;
    }
    "Order of types" {
        /// Answers that are read for the names that an order depends on.
        MAX_ORDER_ANSWERS: usize = 8;
        /// Types that a meet has between them; with more it is not exact.
        MAX_MEET_TYPES: usize = 16;
    }
    "Explanations" {
        /// Steps of one query with fewer facts.
        CORE_STEPS: u64 = 16_000;
        /// Steps of such a query that is repeated with the few facts of a core.
        CORE_RETRY_STEPS: u64 = 48_000;
        /// Queries for one core.
        MAX_CORE_QUERIES: usize = 400;
        /// Cores of one call that are set aside to see what is certain without them.
        MAX_DISPUTED_CORES: usize = 4;
        /// Answers without them that are joined.
        MAX_DISPUTED_ANSWERS: usize = 4;
        /// Facts that are suspended until they are needed.
        MAX_WAITING: usize = 256;
        /// Repairs that are found.
        MAX_REPAIRS: usize = 24;
        /// Rank up to which a dim is tried in other places.
        MAX_MOVED_RANK: usize = 6;
        /// Answers that are read for one open place.
        MAX_REPAIR_ANSWERS: usize = 8;
        /// The same where the place is a whole shape.
        MAX_REPAIR_SHAPES: usize = 3;
        /// Inputs that are tried in each other's place: what has more is called with a list.
        MAX_SWAPPED: usize = 6;
        /// Lines of help.
        MAX_HELP_LINES: usize = 5;
        /// Repairs in one line of help.
        MAX_HELP_IN_LINE: usize = 3;
        /// Values of one attribute up to which a line of help has all of them.
        MAX_VALUES_IN_LINE: usize = 5;
        /// Steps for finding sizes as an example.
        EXAMPLE_STEPS: u64 = 10_000;
        /// Names that an example gives sizes to.
        MAX_EXAMPLE_NAMES: usize = 6;
        /// Conditions with which an example is tried.
        MAX_EXAMPLE_CONDITIONS: usize = 64;
    }
    "Graphs" {
        /// Steps for one change of a graph.
        CHANGE_STEPS: u64 = 400_000;
        /// Steps for deciding whether one combination of the clauses of a suspended rule is left.
        COMMIT_STEPS: u64 = 80_000;
        /// All suspended rules together have these steps so many times, each time that they are decided.
        MAX_COMMITS: u64 = 32;
        /// Steps for deciding whether a branch is possible.
        POSSIBLE_STEPS: u64 = 200_000;
        /// Regions of a graph that are left to be decided: each is a graph.
        MAX_REGIONS: usize = 400;
        /// How often regions are tried, all together; of a large graph, less often.
        MAX_GRAPH_TRIES: usize = 2_000;
        /// Branches that are run always up to which truth values that conditions on sizes imply later are no conditions.
        MAX_TAKEN: usize = 64;
        /// Depth in regions up to which other regions are tried again once more is known of what a choice gives.
        MAX_REFINED_DEPTH: usize = 3;
        /// Conditions of a graph for which sizes are found as an example.
        MAX_SHOWN_EXAMPLES: usize = 20;
        /// Steps for finding sizes for which all conditions of a graph hold.
        WITNESS_STEPS: u64 = 200_000;
        /// More of these steps for each condition.
        WITNESS_STEPS_EACH: u64 = 64;
        /// Ways to deny each of some cases, all of which have to be impossible if the cases leave nothing out.
        MAX_DENIED_CASES: usize = 256;
        /// Cases of a graph, one for each way of its suspended choices, that a verdict reads.
        MAX_VERDICT_CASES: usize = 16;
        /// Steps for finding these cases.
        CASES_STEPS: u64 = 50_000;
        /// Steps for all attempts to find sizes that refute a graph.
        GRAPH_COUNTEREXAMPLES_STEPS: u64 = 400_000;
        /// Conditions for which the other nodes that require a part of them are found.
        MAX_ATTRIBUTED: usize = 64;
        /// Conditions of which those that follow from the others are taken out.
        MAX_MINIMIZED: usize = 24;
        /// Calls in a cache that is kept for other graphs.
        MAX_CACHED: usize = 1 << 15;
        /// Floats of a value's contents that are kept: what decides shapes is shorter.
        MAX_FLOATS: usize = 64, at least 16;
        /// Members of a persistent list that a clone copies.
        LOG_CHUNK: usize = 64;
        /// Members of the attributes of a node for which it is found out why it can't be.
        MAX_EXPLAINED_MEMBERS: usize = 4096;
        /// Cost of all checks of a graph with numbers in place of the user's names. The unit is a node that is calculated.
        MAX_COST_TRIED: usize = 4_000;
        /// Cost of a node whose rule is solved, in the same unit.
        COST_OF_RULE: usize = 100;
        /// Conflicts of a graph of which it is found out whether they are one without what relations require beyond what has to hold.
        MAX_REPLAYS: u32 = 8;
        /// Queries for one trace.
        MAX_TRACE_QUERIES: usize = 2_000;
        /// Sizes of a call's inputs that a size is traced to.
        MAX_SOURCES: usize = 128;
        /// Problems for which the requirements of other nodes are found.
        MAX_EXPLAINED: usize = 16;
        /// Conditions of other nodes that one problem is explained with.
        MAX_WHY_CONDITIONS: usize = 64;
    }
    "Samples" {
        /// Ways in which a sample is looked for until there is one.
        SAMPLE_ATTEMPTS: usize = 4;
        /// Steps of one of them.
        SAMPLE_STEPS: u64 = 100_000;
        /// States of one of them that come to nothing.
        MAX_SAMPLE_STATES: usize = 64;
        /// Members of a tensor for which contents are looked for.
        MAX_SAMPLE_CONTENTS: u64 = 8;
        /// Questions by which they are looked for.
        MAX_SAMPLE_QUESTIONS: usize = 64;
    }
}
