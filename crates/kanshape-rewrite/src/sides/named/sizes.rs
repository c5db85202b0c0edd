//! Dims whose sizes have names: what they consist of, and which are equal.
//!
//! A dim is made of parts one after the other, as `Concat` makes them. A part is a product of sizes, as `Flatten` makes it, and one without
//! factors has one place. An equation of two dims is a substitution: a size *is* the parts that it equals. A size is any number until
//! something depends on whether it is 0 or 1, or on its first places: then each case is examined by itself ([`Decisions`]).

use kanshape_eval::Stop;
use rustc_hash::FxHashMap;

use crate::program::Slot;

/// The number of a size.
pub(super) type Size = u32;
pub(super) type DimPart = Vec<Size>;
pub(super) type Dim = Vec<DimPart>;

/// The most parts of a dim.
const MOST_PARTS: usize = 24;

/// What a size is the size of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A name in the types of the leaves.
    Name(usize),
    /// What is left of another size behind its first places, and how many these are.
    Behind(Box<Key>, usize),
    /// A size that a step makes for an axis of one of its outputs.
    Made(usize, usize),
    /// A member of the contents of a leaf, which is no size.
    Member(Slot, usize),
}

/// What is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Zero,
    One,
    /// Any number but 1.
    NotOne,
    /// 2 or more.
    Many,
    /// There is a first place, and any number of others behind it.
    First,
    /// The member is this number.
    Is(i64),
}

/// What is assumed of each size of which something is.
pub(super) type Decisions = FxHashMap<Key, Decision>;

/// Why a choice of sizes is given up.
pub(super) enum Halt {
    /// There are no such sizes: the rule has no types there.
    NoSuchSizes,
    /// It is not decided.
    Open(String),
    /// It depends on which of these is so.
    Cases(Key, Vec<Decision>),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Open(stop.why().to_owned())
    }
}

pub(super) fn open<T>(why: &str) -> Result<T, Halt> {
    Err(Halt::Open(why.to_owned()))
}

/// What is known of a size.
struct KnownSize {
    key: Key,
    /// The dim that it is.
    is: Option<Dim>,
    /// It is not 1.
    is_not_one: bool,
    /// It is 2 or more.
    is_many: bool,
}

/// A function of dims that is not written out, such as the number of windows: the same of the same dims.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Made {
    /// Which function.
    pub(super) name: &'static str,
    pub(super) numbers: Vec<i64>,
    pub(super) dims: Vec<Dim>,
}

/// What each size is, where that is known.
#[derive(Default)]
pub(super) struct Sizes {
    known: Vec<KnownSize>,
    decisions: Decisions,
    made: Vec<(Made, Size)>,
    /// Equations that are not solved.
    pending: usize,
    used: usize,
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

/// Are all places counted one by one?
pub(super) fn is_counted(dim: &Dim) -> bool {
    dim.iter().all(Vec::is_empty)
}

impl Sizes {
    pub(super) fn new(decisions: Decisions) -> Sizes {
        Sizes {
            decisions,
            ..Sizes::default()
        }
    }

    /// What is assumed of a member of contents.
    pub(super) fn member(&self, slot: Slot, at: usize) -> Option<i64> {
        match self.decisions.get(&Key::Member(slot, at)) {
            Some(Decision::Is(n)) => Some(*n),
            _ => None,
        }
    }

    pub(super) fn size(&mut self, key: Key) -> Size {
        let number = self.known.len() as Size;
        let decision = self.decisions.get(&key).copied();
        let is_many = decision == Some(Decision::Many);
        self.known.push(KnownSize {
            key: key.clone(),
            is: None,
            is_not_one: is_many || decision == Some(Decision::NotOne),
            is_many,
        });
        let is = match decision {
            Some(Decision::Zero) => Some(Vec::new()),
            Some(Decision::One) => Some(vec![Vec::new()]),
            Some(Decision::First) => {
                let (of, count) = match key {
                    Key::Behind(of, count) => (of, count + 1),
                    own => (Box::new(own), 1),
                };
                let behind = self.size(Key::Behind(of, count));
                Some(vec![Vec::new(), vec![behind]])
            }
            _ => None,
        };
        self.known[number as usize].is = is;
        number
    }

    /// The size that is a function of dims, which a step makes for an axis.
    pub(super) fn made(&mut self, made: Made, key: Key) -> Result<Dim, Halt> {
        let resolved = |this: &Self, own: &Made| -> Result<Made, Halt> {
            let dims = own.dims.iter().map(|dim| this.resolved(dim));
            Ok(Made {
                dims: dims.collect::<Result<_, Halt>>()?,
                ..own.clone()
            })
        };
        let own = resolved(self, &made)?;
        let mut found: Option<Size> = None;
        for at in 0..self.made.len() {
            let size = self.made[at].1;
            if self.made[at].0.name != own.name || resolved(self, &self.made[at].0)? != own {
                continue;
            }
            match found {
                None => found = Some(size),
                Some(known) => self.equal(&vec![vec![known]], &vec![vec![size]])?,
            }
        }
        let size = match found {
            Some(size) => size,
            None => {
                let size = self.size(key);
                self.made.push((own, size));
                size
            }
        };
        self.resolved(&vec![vec![size]])
    }

    /// A dim with this many places; those of a large one are not distinguished.
    pub(super) fn count(&mut self, count: u64) -> Dim {
        match usize::try_from(count).ok().filter(|n| *n <= MOST_PARTS / 2) {
            Some(count) => vec![Vec::new(); count],
            None => {
                let key = Key::Made(usize::MAX, count as usize);
                let known = self.known.iter().position(|own| own.key == key);
                let size = known.map(|at| at as Size).unwrap_or_else(|| self.size(key));
                self.known[size as usize].is_not_one = true;
                self.known[size as usize].is_many = true;
                vec![vec![size]]
            }
        }
    }

    /// How many equations were used.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// How many equations have been left unsolved since the last call.
    pub(super) fn take_pending(&mut self) -> usize {
        std::mem::take(&mut self.pending)
    }

    /// The dim with what is known put in.
    pub(super) fn resolved(&self, dim: &Dim) -> Result<Dim, Halt> {
        let mut done = Vec::new();
        // The first part is the last one that is examined.
        let mut open_parts: Vec<DimPart> = dim.iter().rev().cloned().collect();
        let mut steps = 0;
        while let Some(part) = open_parts.pop() {
            steps += 1;
            if steps > 8 * MOST_PARTS || done.len() > MOST_PARTS {
                return open("a dim of many parts");
            }
            let known = |size: &Size| self.known[*size as usize].is.as_ref();
            let Some(at) = part.iter().position(|size| known(size).is_some()) else {
                done.push(part);
                continue;
            };
            let Some(own) = known(&part[at]) else {
                continue;
            };
            if at > 0 && own.len() > 1 {
                return open("a product of a size and a sum of sizes");
            }
            for inner in own.iter().rev() {
                open_parts.push([&part[..at], &inner[..], &part[at + 1..]].concat());
            }
        }
        Ok(done)
    }

    /// Is a size any number that it is assumed to be?
    pub(super) fn is_free(&self, size: Size) -> bool {
        matches!(
            self.known[size as usize].key,
            Key::Name(_) | Key::Behind(..)
        )
    }

    fn set(&mut self, size: Size, dim: Dim) -> Result<(), Halt> {
        let own = &self.known[size as usize];
        let (is_not_one, is_many) = (own.is_not_one, own.is_many);
        if is_counted(&dim) && (is_not_one && dim.len() == 1 || is_many && dim.len() < 2) {
            return Err(Halt::NoSuchSizes);
        }
        if let [part] = &dim[..]
            && let [other] = part[..]
        {
            let other = &mut self.known[other as usize];
            other.is_not_one |= is_not_one;
            other.is_many |= is_many;
        }
        self.used += 1;
        self.known[size as usize].is = Some(dim);
        Ok(())
    }

    /// Two dims are equal.
    pub(super) fn equal(&mut self, a: &Dim, b: &Dim) -> Result<(), Halt> {
        let (a, b) = (self.resolved(a)?, self.resolved(b)?);
        let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let (a, b) = (&a[before..], &b[before..]);
        let behind = a.iter().rev().zip(b.iter().rev());
        let behind = behind.take_while(|(a, b)| a == b).count();
        let (a, b) = (&a[..a.len() - behind], &b[..b.len() - behind]);
        let named = |own: &[DimPart]| own.iter().any(|part| !part.is_empty());
        match (a, b) {
            ([], []) => Ok(()),
            (_, _) if !named(a) && !named(b) => Err(Halt::NoSuchSizes),
            ([], more) | (more, []) if more.iter().any(Vec::is_empty) => Err(Halt::NoSuchSizes),
            ([], more) | (more, []) if more.iter().all(|part| part.len() == 1) => {
                let mut sizes: Vec<Size> = more.iter().map(|part| part[0]).collect();
                sizes.sort_unstable();
                sizes.dedup();
                sizes
                    .into_iter()
                    .try_for_each(|size| self.set(size, Vec::new()))
            }
            ([one], other) | (other, [one])
                if one.len() == 1 && !other.iter().flatten().any(|own| *own == one[0]) =>
            {
                self.set(one[0], other.to_vec())
            }
            // As often the same.
            (a, b) => {
                for times in (2..=a.len().min(b.len())).rev() {
                    if let (Some(a), Some(b)) = (repeated(a, times), repeated(b, times)) {
                        return self.equal(&a, &b);
                    }
                }
                self.pending += 1;
                Ok(())
            }
        }
    }

    /// Is a dim 1?
    fn is_one(&self, dim: &Dim) -> Result<bool, Halt> {
        let counted = dim.iter().filter(|part| part.is_empty()).count();
        let known = |size: Size| &self.known[size as usize];
        let cases =
            |size: Size, all: &[Decision]| Err(Halt::Cases(known(size).key.clone(), all.to_vec()));
        let named: Vec<&DimPart> = dim.iter().filter(|part| !part.is_empty()).collect();
        match counted {
            _ if named.is_empty() => Ok(counted == 1),
            0 => {
                let is_never = |part: &&DimPart| part.iter().any(|size| known(*size).is_not_one);
                // Of numbers that are not 1 the sum is not.
                match named.iter().find(|part| !is_never(part)) {
                    None => Ok(false),
                    Some(part) => cases(part[0], &[Decision::One, Decision::NotOne]),
                }
            }
            1 => {
                let is_many = |part: &&DimPart| part.iter().all(|size| known(*size).is_many);
                if named.iter().any(is_many) {
                    return Ok(false);
                }
                let size = named.iter().flat_map(|part| part.iter());
                match size.copied().find(|size| !known(*size).is_many) {
                    Some(size) if known(size).is_not_one => {
                        cases(size, &[Decision::Zero, Decision::Many])
                    }
                    Some(size) => cases(size, &[Decision::One, Decision::NotOne]),
                    None => Ok(false),
                }
            }
            _ => Ok(false),
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
        match (self.is_one(&a)?, self.is_one(&b)?) {
            (false, false) => {
                self.equal(&a, &b)?;
                self.resolved(&a)
            }
            // It is 1 and not written so.
            _ => open("a dim that may be 1 or not"),
        }
    }

    /// The cases of a dim whose first places have to be counted.
    pub(super) fn counted<T>(&self, dim: &Dim) -> Result<T, Halt> {
        let first = dim.iter().find(|part| !part.is_empty());
        match first.map(|part| &part[..]) {
            Some([size]) => {
                let key = &self.known[*size as usize].key;
                match key {
                    Key::Behind(_, count) if *count > MOST_PARTS / 2 => {
                        open("a slice of many places")
                    }
                    _ => Err(Halt::Cases(
                        key.clone(),
                        vec![Decision::Zero, Decision::First],
                    )),
                }
            }
            _ => open("a slice of a size with a name"),
        }
    }
}

/// The parts that are there as often as this.
fn repeated(parts: &[DimPart], times: usize) -> Option<Dim> {
    let each = parts.len() / times;
    let is =
        parts.len().is_multiple_of(times) && parts.chunks(each).all(|own| *own == parts[..each]);
    is.then(|| parts[..each].to_vec())
}
