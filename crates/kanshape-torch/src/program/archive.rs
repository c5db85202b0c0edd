//! The zip around a program: as much of the format as `torch.save` and `torch.export` write. Nothing else in it is read, and no
//! memory is taken for what a number of it only claims.

use std::borrow::Cow;
use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use kanshape::Diagnostic;

use crate::code;

/// A program without its weights is not longer than this.
const LONGEST: u64 = 1 << 28;

/// The end of the list of files, and the two parts that stand before it where a number does not fit.
const END: &[u8] = b"PK\x05\x06";
const WIDE_PLACE: &[u8] = b"PK\x06\x07";
const WIDE_END: &[u8] = b"PK\x06\x06";
/// What a file has in the list, and before its data.
const LISTED: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
/// Behind the end there may be a text of so many bytes.
const COMMENT: usize = 65_535;
/// The kind of what is beside a name where a number of a file does not fit.
const WIDE: u64 = 1;

/// The text of the program in an archive: `NAME/models/*.json`, or the one file of older archives.
pub(super) fn program(bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let archive = Archive(bytes);
    let files = archive.files();
    let files = files.ok_or_else(|| no_archive("it has no list of files, or a broken one"))?;
    let programs = files.into_iter().filter(|file| is_program(&file.name));
    let Some(file) = programs.min_by(|a, b| a.name.cmp(&b.name)) else {
        return Err(no_archive("no `models/*.json` is in it"));
    };
    archive.text(&file).map_err(no_archive)
}

/// A file in an archive.
struct File<'a> {
    name: Cow<'a, str>,
    /// How it is written: 0 is as it is, 8 compressed.
    method: u64,
    is_encrypted: bool,
    crc: u64,
    /// The length of its data, and where what stands before them begins.
    packed: u64,
    start: u64,
}

struct Archive<'a>(&'a [u8]);

impl<'a> Archive<'a> {
    fn part(&self, start: u64, length: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        self.0.get(start..end)
    }

    /// A number of so many bytes, the lowest one first.
    fn number(&self, at: u64, length: u64) -> Option<u64> {
        let bytes = self.part(at, length)?;
        let digits = bytes.iter().rev();
        Some(digits.fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    fn is(&self, at: u64, mark: &[u8]) -> bool {
        self.part(at, mark.len() as u64) == Some(mark)
    }

    /// Where the list of files begins, and how many there are.
    fn list(&self) -> Option<(u64, u64)> {
        let last = self.0.len().checked_sub(22)?;
        let mut places = (last.saturating_sub(COMMENT)..=last).rev();
        let end = places.find(|at| self.0[*at..].starts_with(END))? as u64;
        let (count, start) = (self.number(end + 10, 2)?, self.number(end + 16, 4)?);
        if count < 0xffff && start < 0xffff_ffff {
            return Some((start, count));
        }
        let place = end.checked_sub(20).filter(|at| self.is(*at, WIDE_PLACE))?;
        let wide = self.number(place + 8, 8)?;
        if !self.is(wide, WIDE_END) {
            return None;
        }
        let at = |offset| wide.checked_add(offset);
        Some((self.number(at(48)?, 8)?, self.number(at(32)?, 8)?))
    }

    fn files(&self) -> Option<Vec<File<'a>>> {
        let (mut at, count) = self.list()?;
        let mut files = Vec::new();
        // Each of them takes a part of the archive, whatever their number is said to be.
        for _ in 0..count {
            let (file, end) = self.listed(at)?;
            files.push(file);
            at = end;
        }
        Some(files)
    }

    /// The file that is listed here, and where the next one is.
    fn listed(&self, at: u64) -> Option<(File<'a>, u64)> {
        if !self.is(at, LISTED) {
            return None;
        }
        let number = |offset, length| self.number(at + offset, length);
        let (name, beside, comment) = (number(28, 2)?, number(30, 2)?, number(32, 2)?);
        let (mut size, mut packed, mut start) = (number(24, 4)?, number(20, 4)?, number(42, 4)?);
        let more = at + 46 + name;
        let end = more + beside;
        let mut part = more;
        while part + 4 <= end {
            let (kind, length) = (self.number(part, 2)?, self.number(part + 2, 2)?);
            part += 4;
            if kind == WIDE {
                let mut own = part;
                for field in [&mut size, &mut packed, &mut start] {
                    if *field == 0xffff_ffff {
                        *field = self.number(own, 8)?;
                        own += 8;
                    }
                }
            }
            part += length;
        }
        let file = File {
            name: String::from_utf8_lossy(self.part(at + 46, name)?),
            method: number(10, 2)?,
            is_encrypted: number(8, 2)? & 1 == 1,
            crc: number(16, 4)?,
            packed,
            start,
        };
        Some((file, end + comment))
    }

    /// What is in a file.
    fn text(&self, file: &File<'_>) -> Result<Vec<u8>, &'static str> {
        const CUT: &str = "its program ends too early";
        if file.is_encrypted {
            return Err("its program is encrypted");
        }
        if !self.is(file.start, LOCAL) {
            return Err(CUT);
        }
        // The mark is there, and so is a number beside it.
        let length = |offset| self.number(file.start + offset, 2).ok_or(CUT);
        let data = file.start + 30 + length(26)? + length(28)?;
        let packed = self.part(data, file.packed).ok_or(CUT)?;
        let mut text = Vec::new();
        match file.method {
            0 => text.extend_from_slice(packed.get(..=LONGEST as usize).unwrap_or(packed)),
            8 => {
                let read = DeflateDecoder::new(packed)
                    .take(LONGEST + 1)
                    .read_to_end(&mut text);
                read.map_err(|_| "its program is garbled")?;
            }
            _ => return Err("its program is compressed in a way that is not read"),
        }
        if text.len() as u64 > LONGEST {
            return Err("its program is too long");
        }
        let mut crc = Crc::new();
        crc.update(&text);
        match u64::from(crc.sum()) == file.crc {
            true => Ok(text),
            false => Err("its program is garbled"),
        }
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
            out.extend([0; 28]);
            for n in [1, end - list, list] {
                out.extend((n as u64).to_le_bytes());
            }
            out.extend(WIDE_PLACE);
            out.extend([0; 4]);
            out.extend((end as u64).to_le_bytes());
            out.extend([0; 4]);
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
