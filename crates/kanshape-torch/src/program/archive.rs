//! The zip around a program: as much of the format as `torch.save` and `torch.export` write.

use std::io::Read;

use flate2::bufread::DeflateDecoder;
use kanshape::Diagnostic;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord};

use crate::code;

/// A program without its weights is not longer than this.
const LONGEST: u64 = 1 << 28;

/// The text of the program in an archive: `NAME/models/*.json`, or the one file of older archives.
pub(super) fn program(bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let broken = |_| no_archive("it has no list of files, or a broken one");
    let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
    let mut first: Option<(String, ZipFileHeaderRecord<'_>)> = None;
    let mut files = archive.entries();
    while let Some(file) = files.next_entry().map_err(broken)? {
        let name = String::from_utf8_lossy(file.file_path().as_ref()).into_owned();
        if is_program(&name) && first.as_ref().is_none_or(|(other, _)| name < *other) {
            first = Some((name, file));
        }
    }
    let Some((_, file)) = first else {
        return Err(no_archive("no `models/*.json` is in it"));
    };
    if file.flags().is_encrypted() {
        return Err(no_archive("its program is encrypted"));
    }
    let entry = archive.get_entry(file.wayfinder());
    let entry = entry.map_err(|_| no_archive("its program ends too early"))?;
    let mut text = Vec::new();
    let read = match file.compression_method() {
        CompressionMethod::STORE => entry
            .verifying_reader(entry.data())
            .take(LONGEST + 1)
            .read_to_end(&mut text),
        CompressionMethod::DEFLATE => entry
            .verifying_reader(DeflateDecoder::new(entry.data()))
            .take(LONGEST + 1)
            .read_to_end(&mut text),
        _ => {
            return Err(no_archive(
                "its program is compressed in a way that is not read",
            ));
        }
    };
    read.map_err(|_| no_archive("its program is garbled"))?;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use flate2::Crc;

    const END: &[u8] = b"PK\x05\x06";
    const WIDE_PLACE: &[u8] = b"PK\x06\x07";
    const WIDE_END: &[u8] = b"PK\x06\x06";
    const LISTED: &[u8] = b"PK\x01\x02";
    const LOCAL: &[u8] = b"PK\x03\x04";

    /// An archive of one file, which is compressed or not, with numbers that fit or do not.
    fn zip(name: &str, text: &[u8], is_packed: bool, is_wide: bool) -> Vec<u8> {
        let mut crc = Crc::new();
        crc.update(text);
        let mut packed = text.to_vec();
        if is_packed {
            packed.clear();
            flate2::read::DeflateEncoder::new(text, flate2::Compression::best())
                .read_to_end(&mut packed)
                .unwrap();
        }
        let mut out = LOCAL.to_vec();
        let method = if is_packed { 8u16 } else { 0 };
        let number = |n: usize| match is_wide {
            true => u32::MAX.to_le_bytes(),
            false => (n as u32).to_le_bytes(),
        };
        let mut about = vec![20, 0, 0, 0];
        about.extend(method.to_le_bytes());
        about.extend([0; 4]);
        about.extend(crc.sum().to_le_bytes());
        about.extend(number(packed.len()));
        about.extend(number(text.len()));
        about.extend((name.len() as u16).to_le_bytes());
        out.extend(&about);
        out.extend([0, 0]);
        out.extend(name.as_bytes());
        out.extend(&packed);
        let list = out.len();
        let mut wide = Vec::new();
        if is_wide {
            wide.extend([1, 0, 24, 0]);
            for n in [text.len(), packed.len(), 0] {
                wide.extend((n as u64).to_le_bytes());
            }
        }
        out.extend(LISTED);
        out.extend([20, 0]);
        out.extend(&about);
        out.extend((wide.len() as u16).to_le_bytes());
        out.extend([0; 10]);
        out.extend(number(0));
        out.extend(name.as_bytes());
        out.extend(&wide);
        let end = out.len();
        if is_wide {
            out.extend(WIDE_END);
            out.extend(44u64.to_le_bytes());
            out.extend([45, 0, 45, 0]);
            out.extend([0; 8]);
            out.extend(1u64.to_le_bytes());
            for n in [1, end - list, list] {
                out.extend((n as u64).to_le_bytes());
            }
            out.extend(WIDE_PLACE);
            out.extend([0; 4]);
            out.extend((end as u64).to_le_bytes());
            out.extend(1u32.to_le_bytes());
        }
        out.extend(END);
        out.extend([0; 4]);
        let count = if is_wide { u16::MAX } else { 1 };
        out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        out.extend(number(end - list));
        out.extend(number(list));
        out.extend([0; 2]);
        out
    }

    const TEXT: &[u8] = b"{\"graph_module\": {\"graph_module\": {}}}";

    #[test]
    fn a_program_is_found_however_it_is_written() {
        for is_packed in [false, true] {
            for is_wide in [false, true] {
                let archive = zip("m/models/model.json", TEXT, is_packed, is_wide);
                assert_eq!(program(&archive).unwrap(), TEXT, "{is_packed} {is_wide}");
                let commented = [&*archive, b"a comment"].concat();
                assert_eq!(program(&commented).unwrap(), TEXT);
            }
        }
        assert!(program(&zip("m/data/model.json", TEXT, false, false)).is_err());
    }

    #[test]
    fn no_broken_archive_is_believed() {
        for (is_packed, is_wide) in [(false, false), (true, false), (true, true)] {
            let archive = zip("m/models/model.json", TEXT, is_packed, is_wide);
            for length in 0..archive.len() {
                assert!(program(&archive[..length]).is_err(), "{length}");
            }
            for at in 0..archive.len() {
                for bits in [1, 0x80, 0xff] {
                    let mut broken = archive.clone();
                    broken[at] ^= bits;
                    if let Ok(text) = program(&broken) {
                        assert_eq!(text, TEXT, "{at}");
                    }
                }
            }
        }
    }
}
