//! `Float[Array, "n m"]`.

/// The dims of the text as they are written in a type or, with `pattern`, in the pattern of a signature.
pub(super) fn dims(text: &str, pattern: bool) -> Option<Vec<String>> {
    let mut unnamed = 0;
    let dims = text.split_whitespace().map(|dim| {
        let dim = dim.trim_start_matches('?');
        Some(match dim {
            "..." | "*_" | "_*" => "...".to_owned(),
            "_" if pattern => {
                unnamed += 1;
                format!("d{}", unnamed - 1)
            }
            "_" => "?".to_owned(),
            _ => match (
                dim.strip_prefix('*'),
                dim.strip_prefix('#'),
                dim.split_once('='),
            ) {
                (Some(run), ..) if is_name(run) => format!("...{run}"),
                (_, Some(name), _) if is_name(name) && pattern => format!("{name}|1"),
                (_, Some(name), _) if is_name(name) => name.to_owned(),
                (None, None, Some((name, size))) if is_name(name) => size.to_owned(),
                (None, None, None) => dim.to_owned(),
                _ => return None,
            },
        })
    });
    dims.collect()
}

fn is_name(text: &str) -> bool {
    crate::signature::scene::is_word(text) && text.chars().all(|c| c == '_' || c.is_alphanumeric())
}

/// What it calls dtypes and classes of them, and what they are here.
const DTYPES: [(&str, &str); 27] = [
    ("Float", "Float"),
    ("Int", "Int"),
    ("UInt", "UInt"),
    ("Bool", "bool"),
    ("Complex", "Complex"),
    ("Num", "Num"),
    ("Shaped", "Any"),
    ("Any", "Any"),
    ("Float16", "f16"),
    ("BFloat16", "bf16"),
    ("Float32", "f32"),
    ("Float64", "f64"),
    ("Int4", "i4"),
    ("Int8", "i8"),
    ("Int16", "i16"),
    ("Int32", "i32"),
    ("Int64", "i64"),
    ("UInt4", "u4"),
    ("UInt8", "u8"),
    ("UInt16", "u16"),
    ("UInt32", "u32"),
    ("UInt64", "u64"),
    ("Complex64", "c64"),
    ("Complex128", "c128"),
    ("Float8e4m3fn", "f8e4m3fn"),
    ("Float8e5m2", "f8e5m2"),
    ("Float4e2m1fn", "f4e2m1"),
];

/// The dtype or the class.
pub(super) fn dtype(name: &str) -> Option<&'static str> {
    DTYPES
        .iter()
        .find(|(of, _)| *of == name)
        .map(|(_, dtype)| *dtype)
}
