//! A hash of files: whether something was built, or tested, from these.

use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// FNV-1a with 64 bits: it finds what was forgotten, and nobody is to be fooled.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The hash of these files and folders: of their names and what is in them, whatever the ends of lines.
pub(crate) fn hash(folder: &Path, names: &[&str]) -> String {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for name in names {
        for entry in WalkDir::new(folder.join(name)).sort_by_file_name() {
            let entry = entry.expect("a folder that can be read");
            // Models are links to those of the tests.
            if !entry.file_type().is_file() {
                continue;
            }
            let name = entry.path().strip_prefix(folder).expect("it is below");
            let name = name.to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(entry.path()).expect("a text");
            hash.add(name.as_bytes());
            hash.add(&[0]);
            hash.add(text.replace("\r\n", "\n").as_bytes());
            hash.add(&[0]);
        }
    }
    format!("{:016x}", hash.0)
}
