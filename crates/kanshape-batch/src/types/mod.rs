//! How two types are related: [`question`] has the questions and their answers, [`json`] writes them.

pub mod json;
pub mod question;
