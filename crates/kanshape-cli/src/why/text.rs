//! Where a size comes from, as text for people.

use std::fmt::Write;

use kanshape::graph::Site;
use kanshape_onnx::{Cause, Place, Spot, Step};

use crate::check::view::conditions::reason;
use crate::check::view::nodes::place;
use crate::screen::Screen;
use kanshape_batch::model::way::{WayAnswer, conditions};

/// Of longer ways the first steps are shown.
const STEPS: usize = 24;
/// Of more nodes that hand a size on, the first and the last are named.
const NAMED: usize = 4;

pub(super) fn text(found: &WayAnswer<'_>, screen: &Screen) -> String {
    let mut text = String::new();
    if found.ways.is_empty() {
        let _ = writeln!(text, "{}: it has no dims", found.spot);
    }
    for (i, way) in found.ways.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for step in way.steps.iter().take(STEPS) {
            of_step(step, screen, &mut text);
        }
        let more = way.steps.len().saturating_sub(STEPS);
        if more > 0 || way.is_cut {
            let or_more = if way.is_cut { " or more" } else { "" };
            let note = format!("... and {more}{or_more} more sizes that it is made of");
            let _ = writeln!(text, "{}", screen.grey(note));
        }
        for one in conditions(way, &found.report) {
            let _ = writeln!(text, "where {}", one.condition);
            if let Some(reason) = reason(one) {
                let _ = writeln!(text, "      {}", screen.grey(reason));
            }
        }
    }
    text
}

fn of_step(step: &Step, screen: &Screen, text: &mut String) {
    let size = screen.green(&step.at.size);
    let _ = writeln!(text, "{} = {size}", screen.bold(site(&step.at)));
    let _ = writeln!(text, "  {}", cause(&step.cause));
}

fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Input { required_by: None } => "an input".to_owned(),
        Cause::Input {
            required_by: Some(node),
        } => format!("an input, which {} requires to be so", place(node)),
        Cause::Constant => "a constant of the model".to_owned(),
        Cause::Made { node: Some(node) } => format!("made by {}", place(node)),
        Cause::Made { node: None } => "made by a node of which nothing is known".to_owned(),
        Cause::HandedOn { through, of, end } => {
            let end = end.as_deref().map(self::cause);
            let end = end.map_or_else(String::new, |end| format!(", {end}"));
            format!("from {}{end}; through {}", site(of), nodes(through))
        }
        Cause::Computed { node, of } => {
            let of: Vec<String> = of.iter().map(spot).collect();
            let by = node
                .as_ref()
                .map_or_else(String::new, |node| format!(" by {}", place(node)));
            format!("computed{by} from {}", of.join(", "))
        }
    }
}

fn nodes(all: &[Place]) -> String {
    let names = |all: &[Place]| all.iter().map(place).collect::<Vec<_>>().join(", ");
    match all {
        [first @ .., last] if first.len() >= NAMED => {
            let between = first.len() - 2;
            let first = names(&first[..2]);
            format!("{first}, {between} more nodes, {}", place(last))
        }
        all => names(all),
    }
}

/// `x:1 = N`.
fn spot(spot: &Spot) -> String {
    format!("{} = {}", site(spot), spot.size)
}

/// `x:1` for a dim, `shape[1]` for an element.
pub(super) fn site(spot: &Spot) -> String {
    match spot.site {
        Site::Dim(axis) => format!("{}:{axis}", spot.value),
        Site::Element(k) => format!("{}[{k}]", spot.value),
    }
}
