//! The files of `--load`.

use kanshape_batch::loaded::Loaded;

use crate::args::LoadArgs;
use crate::exit::Failure;
use crate::screen::Screen;
use crate::{mistake, read};

/// Reads these files. What they warn of is shown.
pub(crate) fn load(args: &LoadArgs, screen: &Screen) -> Result<Loaded, Failure> {
    let mut files = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let name = path.display().to_string();
        let text = read::text(path).map_err(|e| mistake::unreadable(&name, e))?;
        files.push((name, text));
    }
    let loaded = Loaded::new(&files, args.lenient)?;
    for warning in loaded.warnings() {
        screen.diagnostic(&warning)?;
    }
    Ok(loaded)
}
