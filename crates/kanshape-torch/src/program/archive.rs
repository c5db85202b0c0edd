//! The zip around a program.

use std::io::{Cursor, Read};

use kanshape::Diagnostic;
use zip::ZipArchive;

use crate::code;

/// A program without its weights is not longer than this.
const LONGEST: u64 = 1 << 28;

/// The text of the program in an archive: `NAME/models/*.json`, or the one file of older archives.
pub(super) fn program(bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|e| no_archive(&e.to_string()))?;
    let names = archive
        .file_names()
        .flatten()
        .map(std::borrow::Cow::into_owned);
    let Some(name) = names.filter(|name| is_program(name)).min() else {
        return Err(no_archive("no `models/*.json` is in it"));
    };
    let file = archive
        .by_name(&name)
        .map_err(|e| no_archive(&e.to_string()))?;
    let mut text = Vec::new();
    let read = file.take(LONGEST + 1).read_to_end(&mut text);
    read.map_err(|e| no_archive(&e.to_string()))?;
    match text.len() as u64 > LONGEST {
        true => Err(no_archive("its program is too long")),
        false => Ok(text),
    }
}

fn is_program(name: &str) -> bool {
    let own = name.rsplit_once('/').map_or(name, |(_, own)| own);
    let folder = name.strip_suffix(own).unwrap_or_default();
    own == "serialized_exported_program.json"
        || own.ends_with(".json") && (folder == "models/" || folder.ends_with("/models/"))
}

pub(super) fn no_archive(why: &str) -> Diagnostic {
    let headline = format!("this is no archive of an exported program: {why}");
    Diagnostic::new(code::NO_PROGRAM, headline)
}
