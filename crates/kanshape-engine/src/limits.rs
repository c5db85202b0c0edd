//! The limits of the engine, in one place: what is beyond one is left open or is an overflow, and never a wrong answer.
//!
//! Steps are those of a [`Budget`](crate::Budget), which a caller sets; the limits here bound what one step may cost, so they
//! are constants.

limits! {
    "Work" {
        /// Units of work that cost as much as a step.
        UNITS: u64 = 8;
        /// Steps from one look at what ends an entry to the next.
        STEPS_TO_LOOK: u64 = 1 << 10;
        /// Terms of a form that are added up between one look at whether the entry goes on and the next.
        MANY_TERMS: usize = 256;
        /// Slots that count as copied when one of them is written: the pages next to it are copied before long.
        PAGE: usize = 64;
        /// What a new variable or constraint costs, as work: it is mostly memory.
        NEW: usize = 16;
    }
    "Normal forms" {
        /// Terms of a normal form. One with more is beyond the forms and left to the store.
        MAX_FORM_TERMS: usize = 128;
        /// Terms of a sum on the way to a normal form, where many of them may yet cancel each other.
        MAX_SUM_TERMS: usize = 8 * MAX_FORM_TERMS;
        /// Factors of one product in a normal form.
        MAX_FORM_FACTORS: usize = 64;
        /// Arguments of a minimum or maximum that are compared pairwise.
        MAX_FORM_ARGS: usize = 8;
        /// Depth to which quotients, minima, maxima and broadcasts are nested: whoever walks a form may recurse.
        MAX_FORM_DEPTH: u8 = 24;
        /// Nesting of a minimum or maximum that is divided by dividing its arguments.
        MAX_DIVIDED_DEPTH: u8 = 4;
        /// What the divisors of the quotients of a sum have in common as a multiple, where they are taken for fractions.
        MAX_DENOMINATOR: i128 = 1 << 40;
        /// Depth to which products are factored into products.
        MAX_FACTOR_DEPTH: usize = 16;
        /// The greatest number that is tried as a divisor of a constant where a root of a polynomial is looked for.
        MAX_ROOT: u64 = 1000;
        /// Depth to which two forms are compared to sort them; deeper, the older one is first.
        MAX_ORDER_DEPTH: usize = 4;
    }
    "Domains" {
        /// Values that a domain excludes; what excludes one more is kept as a constraint.
        MAX_EXCLUDED: usize = 64;
        /// Numbers whose divisors are listed: trial division takes the root of it in steps.
        MAX_DIVIDED: i128 = 1_000_000_000_000;
        /// Divisors of a number that are listed.
        MAX_DIVISORS: usize = 64;
    }
    "Search" {
        /// Forced alternatives that one branch commits to before another branch has its turn.
        TURN: usize = 16;
        /// Branches that are searched to see whether one combination of alternatives is left.
        MAX_BRANCHES: usize = 64;
        /// Values of a variable that a relation of a caller waits for, up to which each is tried.
        MAX_LABELLED: u128 = 64;
        /// Bytes that the branches of one search hold beside what they share: so much a question takes at most, and a few
        /// times more with what it calculates and writes.
        MAX_HELD: usize = 64 << 20;
    }
    "Enumeration" {
        /// Combinations of values that are tried one by one; beyond, each choice is propagated.
        MAX_TRIED: u128 = 4096;
        /// Values from which on a domain is walked in rounds of growing bounds.
        LARGE_DOMAIN: u128 = 1 << 16;
        /// Steps for each variable of the first attempt at a group, which takes the smallest values.
        STEPS_PER_VARIABLE: u64 = 32;
        /// Values up to which domains are of equal rank, so that the oldest variable is labelled first.
        SMALL_DOMAIN: u128 = 64;
        /// Values that a variable has in the solutions of its group, up to which they become its domain.
        MAX_LISTED_SOLUTIONS: usize = 16;
    }
    "Store" {
        /// Terms that one substitution creates, and 8 times the longest form that it substitutes; beyond it `Stop::Overflow`.
        MAX_SUBSTITUTED: usize = 2048;
        /// Constraints of a watch list that is searched for duplicates each time one is added.
        SHORT_WATCH_LIST: usize = 16;
        /// Constraints at the end of a watch list that a copy of the variable copies; those before are shared.
        WATCH_CHUNK: usize = 64;
    }
    "Propagation" {
        /// Depth to which the arguments of applications are followed for bounds.
        MAX_BOUND_DEPTH: usize = 6;
        /// Forms that are followed for one bound.
        MAX_BOUND_FORMS: usize = 32;
        /// Terms up to which a product of sums is expanded.
        MAX_EXPANDED: usize = 64;
        /// Factors, and factors of those, among which a variable is looked for before it is noted as their product.
        MAX_FACTORS: usize = 64;
        /// Constraints among which the one is looked for that is to be replaced by them.
        MAX_REPLACED: usize = 256;
        /// Arguments of a minimum or maximum that are compared pairwise.
        MAX_COMPARED: usize = 8;
        /// Terms of a sum that is factored.
        MAX_FACTORED_TERMS: usize = 24;
        /// Terms of a form for which an envelope of products is calculated.
        MAX_ENVELOPE_TERMS: usize = 8;
        /// Bounds within which a product needs no envelope.
        TIGHT_BOUND: i128 = 1 << 32;
        /// Where a value is chosen out of a larger domain, those up to this are tried.
        MAX_CHOSEN_FROM: i128 = 64;
    }
}
