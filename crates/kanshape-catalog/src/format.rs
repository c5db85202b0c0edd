//! The form of a `.kan` file.
//!
//! ```text
//! # A comment: a line whose first character other than a space is `#`.
//!
//! from  NumPy 2.4                              <- of all operators below, until the next
//!
//! op matmul
//!     sig   +(m?,n):x,(n,p?):y->(m?,p?):promote(x,y)
//!     doc   Matrix product; a vector on either side loses its dim.
//!     also  mm, numpy.matmul
//!
//!     > f32[2, 3], f32[3, 4]
//!     f32[2, 3], f32[3, 4] -> f32[2, 4]
//!
//!     > f32[2, n], ?[...] -> f32[2, 4]
//!     f32[2, n], f32[n, 4] -> f32[2, 4]
//!
//!     > f32[2, 3], f32[4, 5]
//!     never
//! ```
//!
//! A line at the margin begins an operator (`op NAME`) or says where the ones below it are from
//! (`from`). What is indented belongs to the operator above.
//!
//! First come its fields, a word and a text; a line that is indented deeper than the field's word
//! goes on with the text:
//!
//! | field | |
//! |---|---|
//! | `sig` | the signature line |
//! | `doc` | what it does, in a sentence |
//! | `from` | where it is from, instead of what the file says |
//! | `also` | other names, and operators of the very same rule, with commas between them |
//!
//! Then come examples: a query after `>`, and below it what the program answers, as it prints it, an
//! answer a line. A line `...` says that there are more answers, and `never` that there is none. A
//! query is `[PARAM: VALUE, ...] INPUTS -> OUTPUTS where CONDITIONS`; all but the inputs may be left
//! out, and outputs that are left out are unknown. A line that is indented deeper than the `>` goes on
//! with the query.
//!
//! A name is words with dots between them: `linalg.solve`. No two operators have a name in common,
//! other names included.
//!
//! The words `attr`, `in`, `out` and `rule` are kept for operators that one line cannot state.
