//! What has come of a model, as JSON.

use kanshape_rewrite::{Held, Place, Rewritten, Rules};
use serde::Serialize;

/// What has come of a model.
#[derive(Serialize)]
pub(crate) struct RewriteJson<'r> {
    model: &'r str,
    rules: Vec<RuleJson<'r>>,
    looped: &'r [String],
    /// Rules that may match at more places.
    cut_off: &'r [String],
    written: Option<&'r str>,
    /// What can't be read has an answer of its own.
    error: Option<()>,
}

/// What one rule has done.
#[derive(Serialize)]
struct RuleJson<'r> {
    rule: &'r str,
    applied: Vec<&'r str>,
    left: Vec<LeftJson<'r>>,
}

/// A place where a rule was not applied.
#[derive(Serialize)]
struct LeftJson<'r> {
    value: &'r str,
    verdict: &'static str,
    needs: &'r [String],
    why: Option<&'r str>,
}

impl<'r> RewriteJson<'r> {
    pub(crate) fn of(
        model: &'r str,
        rules: &'r Rules,
        rewritten: &'r Rewritten,
        written: Option<&'r str>,
    ) -> RewriteJson<'r> {
        let rule = |name: &'r str| {
            let is_own = |place: &&'r Place| place.rule == name;
            let applied = rewritten.applied.iter().filter(is_own);
            let left = rewritten
                .left
                .iter()
                .filter(|(place, _)| place.rule == name);
            RuleJson {
                rule: name,
                applied: applied.map(|place| &*place.value).collect(),
                left: left
                    .map(|(place, held)| LeftJson::of(place, held))
                    .collect(),
            }
        };
        RewriteJson {
            model,
            rules: rules.iter().map(|own| rule(own.name())).collect(),
            looped: &rewritten.looped,
            cut_off: &rewritten.cut_off,
            written,
            error: None,
        }
    }
}

impl<'r> LeftJson<'r> {
    fn of(place: &'r Place, held: &'r Held) -> LeftJson<'r> {
        let (verdict, needs, why): (_, &[String], _) = match held {
            Held::Always => ("always", &[], None),
            Held::Depends(needs) => ("depends", needs, None),
            Held::Never(why) => ("never", &[], Some(&**why)),
            Held::Unknown(why) => ("unknown", &[], Some(&**why)),
        };
        LeftJson {
            value: &place.value,
            verdict,
            needs,
            why,
        }
    }
}
