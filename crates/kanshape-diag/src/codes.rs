//! Tables of codes: a constant for each, and what it means.

/// Defines a constant for each code, documented by its meaning, and `ALL`, the table of them.
///
/// ```
/// mod code {
///     kanshape_diag::codes! {
///         UNEXPECTED "K0001" "something else was expected here"
///     }
/// }
/// assert_eq!(code::UNEXPECTED, "K0001");
/// assert_eq!(code::ALL, [("K0001", "something else was expected here")]);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal)*) => {
        $(#[doc = $meaning] pub const $name: &str = $code;)*

        /// Every code with its meaning, in order.
        pub const ALL: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}
