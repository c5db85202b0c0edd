//! Text as HTML, for notebooks.

use pyo3::prelude::*;

/// The text, with what HTML would read as marks written out.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

/// The text as code.
pub(crate) fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// A table for what is put together in Python.
#[pyfunction]
pub(crate) fn html_table(rows: Vec<(String, String)>) -> String {
    table(rows)
}

/// A table with these rows, each a heading and a text.
pub(crate) fn table(rows: impl IntoIterator<Item = (String, String)>) -> String {
    let mut out = String::from("<table>");
    for (name, text) in rows {
        out.push_str("<tr><th style=\"text-align: left\">");
        out.push_str(&escape(&name));
        out.push_str("</th><td style=\"text-align: left\">");
        out.push_str(&code(&text));
        out.push_str("</td></tr>");
    }
    out.push_str("</table>");
    out
}
