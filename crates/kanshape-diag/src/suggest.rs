//! What a misspelt name was meant to be.

/// Longer names are not compared: nobody misspells them, and comparing is quadratic.
const LONGEST: usize = 64;

/// The candidate that `name` is most likely a misspelling of, if any is close. Among equals it is
/// the first.
///
/// ```
/// use kanshape_diag::suggest;
///
/// assert_eq!(suggest("promot", ["prod", "promote"]), Some("promote"));
/// assert_eq!(suggest("float32", ["i64", "bool"]), None);
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
        let distance = strsim::osa_distance(&folded, &other);
        let allowed = folded.chars().count().max(other.chars().count()) / 3;
        (distance <= allowed).then_some((distance, candidate))
    };
    let best = candidates.into_iter().filter_map(near);
    best.min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
