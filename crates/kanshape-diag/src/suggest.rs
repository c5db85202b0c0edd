//! What a misspelt name was meant to be.

/// Longer names are not compared: nobody misspells them, and comparing is quadratic.
const LONGEST: usize = 64;

/// Shorter beginnings are of too many names.
const SHORTEST: usize = 3;

/// The candidate that `name` is most likely a misspelling of, if any is close; else the shortest that begins with it.
/// Among equals it is the first.
///
/// ```
/// use kanshape_diag::suggest;
///
/// assert_eq!(suggest("promot", ["prod", "promote"]), Some("promote"));
/// assert_eq!(suggest("float32", ["i64", "bool"]), None);
/// let operators = ["onnx::Gather", "onnx::BatchNormalization", "onnx::GlobalLpPool", "onnx::GlobalAveragePool"];
/// assert_eq!(suggest("onnx::BatchNorm", operators), Some("onnx::BatchNormalization"));
/// assert_eq!(suggest("onnx::GlobalAvgPool", operators), Some("onnx::GlobalAveragePool"));
/// ```
pub fn suggest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > LONGEST {
        return None;
    }
    let folded = name.to_lowercase();
    let near = |candidate: &'c str| {
        if candidate.len() > LONGEST || candidate == name {
            return None;
        }
        // A difference in case alone is the smallest of all.
        let other = candidate.to_lowercase();
        let (own, other) = without_common_path(&folded, &other);
        let distance = strsim::osa_distance(own, other);
        let allowed = own.chars().count().max(other.chars().count()) / 3;
        let begins = own.len() >= SHORTEST && other.starts_with(own);
        let is_far = distance > allowed;
        // What is left out, as in an abbreviation, is half a mistake.
        let mistakes = if is_part_of(own, other) {
            distance
        } else {
            2 * distance
        };
        (!is_far || begins).then_some(((is_far, mistakes), candidate))
    };
    let best = candidates.into_iter().filter_map(near);
    best.min_by_key(|(order, _)| *order)
        .map(|(_, candidate)| candidate)
}

/// Are the characters of a name among those of a longer one, in their order?
fn is_part_of(name: &str, longer: &str) -> bool {
    let mut rest = longer.chars();
    name.chars().all(|c| rest.any(|other| other == c))
}

/// What follows on the path that two names have in common: that tells them from each other.
fn without_common_path<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    match (a.rsplit_once("::"), b.rsplit_once("::")) {
        (Some((a_path, a_last)), Some((b_path, b_last))) if a_path == b_path => (a_last, b_last),
        _ => (a, b),
    }
}
