//! The page in the browser. This program has the one in which it answers itself, built from `site/` by `cargo xtask page`; a folder may
//! have another, such as the one that `cargo xtask web` builds, with the library as WebAssembly.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use kanshape::Diagnostic;

use crate::mistake;

/// A table of the files of the page.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../site/", $name)))),*]
    };
}

/// Each file: its path, and what is in it.
static FILES: &[(&str, &[u8])] = files! {
    "asks.worker.js" "icon.svg" "index.html" "layout.worker.js" "manifest.webmanifest"
    "models/light_resnet50.onnx" "models/light_squeezenet.onnx"
    "page.css" "page.js" "report.html"
};

/// Where the files of the page are.
pub(crate) enum Site {
    /// In this program.
    Own,
    /// In a folder.
    Folder(PathBuf),
}

impl Site {
    /// That in a folder, or else that in this program.
    ///
    /// # Errors
    /// If the folder has none.
    pub(crate) fn of(folder: Option<&Path>) -> Result<Site, Diagnostic> {
        match folder {
            Some(folder) if folder.join("index.html").is_file() => {
                Ok(Site::Folder(folder.to_owned()))
            }
            Some(folder) => Err(mistake::no_site(&folder.display())),
            None => Ok(Site::Own),
        }
    }

    /// The folder; none if they are in this program.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Site::Own => Path::new(""),
            Site::Folder(folder) => folder,
        }
    }

    /// The file of this path, such as `page.js`.
    pub(crate) fn file(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Site::Own => {
                let (_, bytes) = FILES.iter().find(|file| file.0 == path)?;
                Some(Cow::Borrowed(bytes))
            }
            Site::Folder(folder) => {
                let path = Path::new(path);
                let is_below = path
                    .components()
                    .all(|part| matches!(part, Component::Normal(_)));
                let bytes = std::fs::read(folder.join(path)).ok().filter(|_| is_below)?;
                Some(Cow::Owned(bytes))
            }
        }
    }

    /// A page as text.
    pub(crate) fn page(&self, path: &str) -> Option<String> {
        String::from_utf8(self.file(path)?.into_owned()).ok()
    }
}
