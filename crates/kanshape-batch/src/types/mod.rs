//! What two types say of each other: [`question`] is what can be asked and what is found, [`json`] writes it.

pub mod json;
pub mod question;
