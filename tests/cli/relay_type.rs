//! Types in Relay's notation, read once more for the tests: sizes are compared by putting numbers in place of names.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RelayType {
    Unknown,
    Tensor(Vec<String>, String),
    Tuple(Vec<RelayType>),
}

/// Numbers for the names of a row.
pub(crate) struct Names(BTreeMap<String, i64>);

impl Names {
    pub(crate) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Names {
        let mut names = BTreeMap::new();
        for text in texts {
            for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
                if word.starts_with(|c: char| c.is_alphabetic()) {
                    let next = names.len() as i64 + 2;
                    // Many numbers divide each of these.
                    names.entry(word.to_owned()).or_insert(2520 * next + 5040);
                }
            }
        }
        Names(names)
    }
}

/// The parts between the commas outside of brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

impl RelayType {
    pub(crate) fn read(text: &str) -> RelayType {
        let text = text.split(" = ").next().unwrap().trim();
        if let Some(of) = text.strip_prefix("Tensor[") {
            let of = parts(of.strip_suffix(']').unwrap());
            let [shape, dtype] = of[..] else {
                panic!("{text}")
            };
            let dims = shape
                .strip_prefix('(')
                .and_then(|s| s.strip_suffix(')'))
                .unwrap();
            let dims = parts(dims).into_iter().map(str::to_owned).collect();
            return RelayType::Tensor(dims, dtype.to_owned());
        }
        match text.strip_prefix('(').and_then(|s| s.strip_suffix(')')) {
            Some(fields) => {
                RelayType::Tuple(parts(fields).into_iter().map(RelayType::read).collect())
            }
            None => {
                assert_eq!(text, "_");
                RelayType::Unknown
            }
        }
    }

    pub(crate) fn field(self, at: usize) -> Option<RelayType> {
        match self {
            RelayType::Tuple(fields) => fields.into_iter().nth(at),
            _ => None,
        }
    }

    /// Is it what was recorded, or does it say more? A `?` in a record says nothing.
    pub(crate) fn is_as_precise_as(&self, recorded: &RelayType, names: &Names) -> bool {
        match (self, recorded) {
            (_, RelayType::Unknown) => true,
            (RelayType::Tensor(own, t), RelayType::Tensor(dims, u)) => {
                let same = |(a, b): (&String, &String)| {
                    b == "?" || size(a, names).is_some() && size(a, names) == size(b, names)
                };
                (u == "_" || t == u) && own.len() == dims.len() && own.iter().zip(dims).all(same)
            }
            (RelayType::Tuple(own), RelayType::Tuple(fields)) => {
                let mut both = own.iter().zip(fields);
                own.len() == fields.len() && both.all(|(a, b)| a.is_as_precise_as(b, names))
            }
            _ => false,
        }
    }

    /// Can it be what was recorded? Dims that are not numbers may be any.
    pub(crate) fn may_be(&self, recorded: &RelayType) -> bool {
        let none = Names(BTreeMap::new());
        match (self, recorded) {
            (RelayType::Unknown, _) | (_, RelayType::Unknown) => true,
            (RelayType::Tensor(own, t), RelayType::Tensor(dims, u)) => {
                let is_open = |t: &str| {
                    t == "_" || t.strip_prefix('t').is_some_and(|n| n.parse::<u8>().is_ok())
                };
                let agree = |(a, b): (&String, &String)| match (size(a, &none), size(b, &none)) {
                    (Some(a), Some(b)) => a == b,
                    _ => true,
                };
                let ranks = match own.iter().any(|dim| dim.starts_with("..")) {
                    true => {
                        return own.len() <= dims.len() + 1 && (is_open(t) || is_open(u) || t == u);
                    }
                    false => own.len() == dims.len(),
                };
                ranks && (is_open(t) || is_open(u) || t == u) && own.iter().zip(dims).all(agree)
            }
            (RelayType::Tuple(own), RelayType::Tuple(fields)) => {
                own.len() == fields.len() && own.iter().zip(fields).all(|(a, b)| a.may_be(b))
            }
            _ => false,
        }
    }
}

/// The number that a size is. `None` if it has a name in it that has no number.
fn size(text: &str, names: &Names) -> Option<i64> {
    let mut reader = Reader { rest: text, names };
    let number = reader.sum()?;
    assert_eq!(reader.rest.trim(), "", "{text}");
    Some(number)
}

struct Reader<'t> {
    rest: &'t str,
    names: &'t Names,
}

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        let taken = rest.strip_prefix(sign);
        self.rest = taken.unwrap_or(rest);
        taken.is_some()
    }

    fn sum(&mut self) -> Option<i64> {
        let mut total = self.product()?;
        loop {
            if self.take("+") {
                total += self.product()?;
            } else if self.take("-") {
                total -= self.product()?;
            } else {
                return Some(total);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut total = self.atom()?;
        loop {
            if self.take("*") {
                total *= self.atom()?;
            } else if self.take("//") {
                total = total.div_euclid(self.atom()?);
            } else {
                return Some(total);
            }
        }
    }

    fn atom(&mut self) -> Option<i64> {
        if self.take("-") {
            return self.atom().map(|n| -n);
        }
        if self.take("(") {
            let inner = self.sum()?;
            assert!(self.take(")"));
            return Some(inner);
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        match word.parse() {
            Ok(number) => Some(number),
            Err(_) => self.names.0.get(word).copied(),
        }
    }
}
