//! The files of `--load`.

use std::path::PathBuf;

use kanshape_batch::loaded::Loaded;

use crate::exit::Failure;
use crate::mistake;
use crate::screen::Screen;

/// Reads these files. What they warn of is shown.
pub(crate) fn load(paths: &[PathBuf], screen: &Screen) -> Result<Loaded, Failure> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| mistake::unreadable(&name, e))?;
        files.push((name, text));
    }
    let loaded = Loaded::new(&files)?;
    for warning in loaded.warnings() {
        screen.diagnostic(&warning)?;
    }
    Ok(loaded)
}
