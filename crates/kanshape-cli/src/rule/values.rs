//! Whether both sides are the same numbers, as text.

use std::io::{self, Write};

use kanshape_rewrite::{Agreement, Values};

use super::{leaves, listed};

/// Where it holds of all contents.
const REALS: &str = "over the reals, whatever the contents are";

pub(super) fn write(out: &mut impl Write, values: &Values) -> io::Result<()> {
    let tried = match values.up_to {
        Some((rank, size)) => {
            let plural = if values.instances == 1 { "" } else { "s" };
            let instances = values.instances;
            format!("{instances} instance{plural} up to rank {rank} and size {size}")
        }
        None => "no instance".into(),
    };
    let why = values.why.as_deref().unwrap_or_default();
    match values.verdict {
        Agreement::Proved if values.all_ranks => {
            writeln!(out, "  values proved for all ranks and sizes, {REALS}")
        }
        Agreement::Proved => {
            if let Some(rank) = values.all_sizes {
                return writeln!(
                    out,
                    "  values proved for all sizes, ranks up to {rank}, {REALS}"
                );
            }
            writeln!(out, "  values proved for {tried}, {REALS}")?;
            match values.why {
                Some(_) => writeln!(out, "         not for all sizes: {why}"),
                None => Ok(()),
            }
        }
        Agreement::Tested => {
            writeln!(out, "  values tested on {tried}")?;
            writeln!(out, "         not proved: {why}")
        }
        Agreement::Opaque => writeln!(out, "  values not calculated: {why}"),
        Agreement::Refuted => {
            writeln!(out, "  values refuted")?;
            let Some(case) = &values.counterexample else {
                return Ok(());
            };
            let right = match &case.right {
                Some(right) => listed(right),
                None => format!("none: {}", case.why.as_deref().unwrap_or_default()),
            };
            writeln!(out, "         left   {}", listed(&case.left))?;
            writeln!(out, "         right  {right}")?;
            let leaves = leaves(case);
            if !leaves.is_empty() {
                writeln!(out, "         for {leaves}")?;
            }
            match &values.needs {
                Some(needs) => writeln!(out, "         needs  {}", needs.join(", "))?,
                None => writeln!(out, "         needs  no goals were found that say it")?,
            }
            match &values.loses {
                Some(case) => writeln!(out, "         loses  {}", super::leaves(case)),
                None => Ok(()),
            }
        }
    }
}
