//! [`Target`]: where models are written to, with the types of their values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kanshape::Diagnostic;

use crate::mistake;

/// Where models are written to.
pub(super) enum Target {
    Nowhere,
    File(PathBuf),
    /// A folder that is there: each model is written under its own name.
    Folder(PathBuf),
}

impl Target {
    /// Reads what stands behind `--write`.
    ///
    /// # Errors
    /// If two of the models would be written to one file.
    pub(super) fn of(write: Option<&Path>, models: &[PathBuf]) -> Result<Target, Diagnostic> {
        let Some(write) = write else {
            return Ok(Target::Nowhere);
        };
        if !write.is_dir() {
            return match models.len() {
                1 => Ok(Target::File(write.to_owned())),
                count => Err(mistake::one_target(&write.display(), count)),
            };
        }
        let mut names = BTreeMap::new();
        for model in models {
            if let Some(other) = names.insert(model.file_name(), model) {
                return Err(mistake::same_target(&other.display(), &model.display()));
            }
        }
        Ok(Target::Folder(write.to_owned()))
    }

    /// Where this model is to be written.
    pub(super) fn path(&self, model: &Path) -> Option<PathBuf> {
        match self {
            Target::Nowhere => None,
            Target::File(path) => Some(path.clone()),
            Target::Folder(folder) => Some(folder.join(model.file_name()?)),
        }
    }
}
