//! The site that is in this program: the page in the browser, built by `cargo xtask web`.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use kanshape::Diagnostic;

use crate::mistake;

include!(concat!(env!("OUT_DIR"), "/site.rs"));

/// Where the files of the site are.
pub(crate) enum Site {
    /// In this program.
    Own,
    /// In a folder.
    Folder(PathBuf),
}

/// A file of the site.
pub(crate) struct File {
    pub(crate) bytes: Cow<'static, [u8]>,
    /// It is compressed by gzip.
    pub(crate) is_gzip: bool,
}

impl Site {
    /// That in a folder, or else that in this program.
    ///
    /// # Errors
    /// If there is neither.
    pub(crate) fn of(folder: Option<&Path>) -> Result<Site, Diagnostic> {
        match folder {
            Some(folder) if folder.join("index.html").is_file() => {
                Ok(Site::Folder(folder.to_owned()))
            }
            Some(folder) => Err(mistake::no_site(Some(&folder.display()))),
            None if FILES.is_empty() => Err(mistake::no_site(None)),
            None => Ok(Site::Own),
        }
    }

    /// The file of this path, such as `assets/index.js`.
    pub(crate) fn file(&self, path: &str) -> Option<File> {
        match self {
            Site::Own => {
                let at = FILES.binary_search_by_key(&path, |file| file.0).ok()?;
                let (_, is_gzip, bytes) = FILES[at];
                Some(File {
                    bytes: Cow::Borrowed(bytes),
                    is_gzip,
                })
            }
            Site::Folder(folder) => {
                let path = Path::new(path);
                let is_below = path
                    .components()
                    .all(|part| matches!(part, Component::Normal(_)));
                let bytes = std::fs::read(folder.join(path)).ok().filter(|_| is_below)?;
                Some(File {
                    bytes: Cow::Owned(bytes),
                    is_gzip: false,
                })
            }
        }
    }

    /// A page as text.
    pub(crate) fn page(&self, path: &str) -> Option<String> {
        // Pages are never compressed.
        let file = self.file(path).filter(|file| !file.is_gzip)?;
        String::from_utf8(file.bytes.into_owned()).ok()
    }
}
