//! [`Limit`]: the limits of kanshape as data, and the macro that declares them.

/// One limit of kanshape: a constant, and what it bounds. What is beyond it is left open, printed more coarsely, refused with a
/// reason or *unknown*, and never a wrong answer.
///
/// That is tested with smaller limits: they are divided by the environment variable `KANSHAPE_LIMITS_DIVISOR` when kanshape is
/// compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limit {
    /// What it belongs to: `Search`.
    pub section: &'static str,
    /// Its name in the source: `MAX_BRANCHES`.
    pub name: &'static str,
    /// What it bounds, and in which unit.
    pub about: &'static [&'static str],
    /// Its value.
    pub value: i128,
}

impl Limit {
    #[doc(hidden)]
    pub const fn new(
        section: &'static str,
        name: &'static str,
        about: &'static [&'static str],
        value: i128,
    ) -> Limit {
        Limit {
            section,
            name,
            about,
            value,
        }
    }

    /// The value of a limit in this build: 1 or more, and no less than what rules of the catalog need.
    #[doc(hidden)]
    pub const fn of(value: i128, least: i128) -> i128 {
        let least = if least < 1 { 1 } else { least };
        let part = value / DIVISOR;
        if part < least { least } else { part }
    }
}

/// What each limit is divided by: 1 in any build but one that tests them.
const DIVISOR: i128 = match option_env!("KANSHAPE_LIMITS_DIVISOR") {
    None => 1,
    Some(text) => match i128::from_str_radix(text, 10) {
        Ok(divisor) if divisor > 0 => divisor,
        _ => panic!("KANSHAPE_LIMITS_DIVISOR is a number of 1 or more"),
    },
};

/// Declares constants, and lists them as [`Limit`]s in `LIMITS`.
#[doc(hidden)]
#[macro_export]
macro_rules! limits {
    ($($section:literal { $($(#[doc = $about:literal])+ $name:ident: $ty:ty = $value:expr $(, at least $least:literal)?;)+ })+) => {
        $($($(#[doc = $about])+
        pub(crate) const $name: $ty = {
            let value: $ty = $value;
            $crate::Limit::of(value as i128, 0 $(+ $least)?) as $ty
        };)+)+

        /// The limits of this crate.
        pub const LIMITS: &[$crate::Limit] = &[
            $($($crate::Limit::new($section, stringify!($name), &[$($about),+], $name as i128),)+)+
        ];
    };
}
