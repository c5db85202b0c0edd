//! Dims whose sizes have names: what they consist of, and which are equal.
//!
//! A dim is made of parts one after the other, as `Concat` makes them. A part is a product of sizes, as `Flatten` makes it, and one without
//! factors has one place. An equation of two dims is a substitution: a size *is* the parts that it equals.

use kanshape_eval::Stop;

/// The number of a size; it is any number but 1.
pub(super) type Size = u32;
pub(super) type Part = Vec<Size>;
pub(super) type Dim = Vec<Part>;

/// The most parts of a dim.
const MOST_PARTS: usize = 24;

/// Why a choice of sizes is given up.
pub(super) enum Halt {
    /// There are no such sizes: the rule has no types there.
    NoSuchSizes,
    /// It is not decided.
    Open(String),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Open(stop.why().to_owned())
    }
}

pub(super) fn open<T>(why: &str) -> Result<T, Halt> {
    Err(Halt::Open(why.to_owned()))
}

/// What each size is, where that is known.
#[derive(Default)]
pub(super) struct Sizes {
    known: Vec<Option<Dim>>,
}

/// A dim with this many places.
pub(super) fn places(count: usize) -> Result<Dim, Halt> {
    match count <= MOST_PARTS {
        true => Ok(vec![Vec::new(); count]),
        false => open("a size that is large"),
    }
}

pub(super) fn is_one(dim: &Dim) -> bool {
    matches!(&dim[..], [part] if part.is_empty())
}

/// Is it another number than 1, whatever the sizes are? A sum of numbers that are not 1 may be 1 only with a place that is counted.
fn is_never_one(dim: &Dim) -> bool {
    dim.iter().filter(|part| part.is_empty()).count() != 1
}

impl Sizes {
    pub(super) fn size(&mut self) -> Size {
        self.known.push(None);
        self.known.len() as Size - 1
    }

    /// How many equations were used.
    pub(super) fn used(&self) -> usize {
        self.known.iter().flatten().count()
    }

    /// The dim with what is known put in.
    pub(super) fn resolved(&self, dim: &Dim) -> Result<Dim, Halt> {
        let mut done = Vec::new();
        // The first part is the last one that is examined.
        let mut open_parts: Vec<Part> = dim.iter().rev().cloned().collect();
        let mut steps = 0;
        while let Some(part) = open_parts.pop() {
            steps += 1;
            if steps > 8 * MOST_PARTS || done.len() > MOST_PARTS {
                return open("a dim of many parts");
            }
            let known = |size: &Size| self.known[*size as usize].as_ref();
            let Some(at) = part.iter().position(|size| known(size).is_some()) else {
                done.push(part);
                continue;
            };
            let Some(own) = known(&part[at]) else {
                continue;
            };
            if at > 0 && own.len() != 1 {
                return open("a product of a size and a sum of sizes");
            }
            for inner in own.iter().rev() {
                open_parts.push([&part[..at], &inner[..], &part[at + 1..]].concat());
            }
        }
        Ok(done)
    }

    /// Two dims are equal.
    pub(super) fn equal(&mut self, a: &Dim, b: &Dim) -> Result<(), Halt> {
        let (a, b) = (self.resolved(a)?, self.resolved(b)?);
        let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let (a, b) = (&a[before..], &b[before..]);
        let behind = a.iter().rev().zip(b.iter().rev());
        let behind = behind.take_while(|(a, b)| a == b).count();
        let (a, b) = (&a[..a.len() - behind], &b[..b.len() - behind]);
        let named = |own: &[Part]| own.iter().any(|part| !part.is_empty());
        match (a, b) {
            ([], []) => Ok(()),
            (_, _) if !named(a) && !named(b) => Err(Halt::NoSuchSizes),
            ([], more) | (more, []) if more.iter().any(Vec::is_empty) => Err(Halt::NoSuchSizes),
            ([one], other) | (other, [one])
                if one.len() == 1 && !other.iter().flatten().any(|own| *own == one[0]) =>
            {
                if is_one(&other.to_vec()) {
                    return Err(Halt::NoSuchSizes);
                }
                self.known[one[0] as usize] = Some(other.to_vec());
                Ok(())
            }
            _ => open("sums of sizes that are equal"),
        }
    }

    /// Two dims that broadcast.
    pub(super) fn broadcast(&mut self, a: &Dim, b: &Dim) -> Result<Dim, Halt> {
        let (a, b) = (self.resolved(a)?, self.resolved(b)?);
        if a == b || is_one(&b) {
            return Ok(a);
        }
        if is_one(&a) {
            return Ok(b);
        }
        if !is_never_one(&a) || !is_never_one(&b) {
            return open("a dim that may be 1 or not");
        }
        self.equal(&a, &b)?;
        self.resolved(&a)
    }
}
