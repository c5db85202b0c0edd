//! [`Type::memory_size`]: the bytes that a value of a type takes.

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{DimItem, Expr, Func, MulOp, Sign};

use crate::{Dim, DtypeTerm, Tensor, Type, TypeKind, error};

impl Type {
    /// The bytes that the elements of a value take: a number where all sizes are known, an
    /// expression over the names of the type otherwise, and a hole where that does not say it.
    ///
    /// Elements of 4 bits lie two in a byte. Texts have no size that a type knows, nor has what is
    /// no tensor, unless it is a tuple of such, or a user's type that says ([`UserType::memory_size`]).
    ///
    /// ```
    /// use kanshape::Type;
    ///
    /// let size = |text: &str| text.parse::<Type>()?.memory_size();
    /// assert_eq!(size("f32[2, 3]")?.to_string(), "24");
    /// assert_eq!(size("f64[2, n]")?.to_string(), "16*n");
    /// assert_eq!(size("(f32[n], i64[n], i4[5])")?.to_string(), "12*n + 3");
    /// assert_eq!(size("f32[?]")?.to_string(), "?");
    /// assert_eq!(size("?[0, ?]")?.to_string(), "0");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// [`UserType::memory_size`]: crate::UserType::memory_size
    ///
    /// # Errors
    ///
    /// More bytes than can be counted: no memory holds such a value.
    pub fn memory_size(&self) -> Result<Dim, Diagnostic> {
        let mut total = Bytes::default();
        match total.add_type(self)? {
            true => total.into_dim(),
            false => Ok(Dim::Hole),
        }
    }
}

/// A sum of bytes.
#[derive(Default)]
struct Bytes {
    known: u64,
    /// Products over names and how often each is taken, without repetitions.
    open: Vec<(Product, u64)>,
}

/// Factors that are no numbers, or too large to be multiplied, one at least.
type Product = Vec<Expr>;

impl Bytes {
    /// Adds the bytes of a value of this type. No, if they are not known.
    fn add_type(&mut self, ty: &Type) -> Result<bool, Diagnostic> {
        match &ty.kind {
            TypeKind::Tensor(tensor) => self.add_tensor(tensor),
            TypeKind::Tuple(fields) => {
                for field in fields.iter() {
                    if !self.add_type(field)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            TypeKind::User(constructor, args) => {
                match constructor.behaviour().memory_size(args).to_tree() {
                    DimItem::Dim(expr) => {
                        let mut count = Count::one();
                        count.multiply(&expr);
                        self.add(count, 8)
                    }
                    DimItem::Hole | DimItem::Run(_) => Ok(false),
                }
            }
            TypeKind::Unknown | TypeKind::Fn(_) | TypeKind::Adt(..) | TypeKind::Var(_) => Ok(false),
        }
    }

    fn add_tensor(&mut self, tensor: &Tensor) -> Result<bool, Diagnostic> {
        if tensor.shape.iter().any(|dim| dim.size() == Some(0)) {
            return Ok(true);
        }
        let Some(bits) = element_bits(&tensor.dtype) else {
            return Ok(false);
        };
        let mut count = Count::one();
        for item in tensor.shape.to_tree() {
            match item.node {
                DimItem::Dim(expr) => count.multiply(&expr),
                DimItem::Run(Some(name)) => {
                    let run = Expr::Run(Some(name));
                    count.multiply(&Expr::Call(Func::Prod, vec![run]));
                }
                DimItem::Hole | DimItem::Run(None) => return Ok(false),
            }
        }
        self.add(count, bits)
    }

    /// Adds elements: how many, and the bits of each.
    fn add(&mut self, count: Count, bits: u32) -> Result<bool, Diagnostic> {
        let Count {
            mut number,
            mut factors,
        } = count;
        // Numbers that were too large to be multiplied, and nothing else.
        if factors.iter().all(|factor| matches!(factor, Expr::Int(_))) && !factors.is_empty() {
            return Err(error::too_many_bytes());
        }
        if bits < 8 {
            // Elements are packed: four of 6 bits fill three bytes.
            let (elements, bytes) = match bits {
                6 => (4, 3),
                _ => (8 / u64::from(bits), 1),
            };
            number = number
                .checked_mul(bytes)
                .ok_or_else(error::too_many_bytes)?;
            if factors.is_empty() || number.is_multiple_of(elements) {
                number = number.div_ceil(elements);
            } else {
                let part = Expr::CeilDiv(
                    Box::new(product(number, factors)),
                    Box::new(Expr::Int(elements)),
                );
                (number, factors) = (1, vec![part]);
            }
        } else {
            let bytes = u64::from(bits / 8);
            match number.checked_mul(bytes) {
                Some(product) => number = product,
                None if factors.is_empty() => return Err(error::too_many_bytes()),
                None => factors.push(Expr::Int(bytes)),
            }
        }
        if factors.is_empty() {
            let known = self.known.checked_add(number);
            self.known = known.ok_or_else(error::too_many_bytes)?;
            return Ok(true);
        }
        factors.sort_by_cached_key(ToString::to_string);
        let same = self.open.iter_mut().find(|(known, _)| *known == factors);
        match same {
            Some((_, times)) if times.checked_add(number).is_some() => *times += number,
            _ => self.open.push((factors, number)),
        }
        Ok(true)
    }

    fn into_dim(self) -> Result<Dim, Diagnostic> {
        if self.known > Dim::MAX_SIZE {
            return Err(error::too_many_bytes());
        }
        let known = (self.known > 0 || self.open.is_empty()).then_some(Expr::Int(self.known));
        let open = self
            .open
            .into_iter()
            .map(|(factors, times)| product(times, factors));
        let mut terms = Vec::new();
        for term in open.chain(known) {
            match term {
                Expr::Sum(more) => terms.extend(more),
                term => terms.push((Sign::Plus, term)),
            }
        }
        Ok(Dim::expr(match terms.pop() {
            Some((Sign::Plus, only)) if terms.is_empty() => only,
            Some(last) => {
                terms.push(last);
                Expr::Sum(terms)
            }
            None => Expr::Int(0),
        }))
    }
}

/// How many elements: a number times factors.
struct Count {
    number: u64,
    factors: Product,
}

impl Count {
    fn one() -> Count {
        Count {
            number: 1,
            factors: Vec::new(),
        }
    }

    fn multiply(&mut self, factor: &Expr) {
        match factor {
            Expr::Int(int) => match self.number.checked_mul(*int) {
                Some(number) => self.number = number,
                None => self.factors.push(Expr::Int(*int)),
            },
            Expr::Chain(first, rest) if rest.iter().all(|(op, _)| *op == MulOp::Mul) => {
                self.multiply(first);
                rest.iter().for_each(|(_, factor)| self.multiply(factor));
            }
            factor => self.factors.push(factor.clone()),
        }
    }
}

/// `number * factors`, as flat as it can be written.
fn product(number: u64, factors: Product) -> Expr {
    let number = (number != 1 || factors.is_empty()).then_some(Expr::Int(number));
    let mut factors = number.into_iter().chain(factors);
    let first = factors.next().unwrap_or(Expr::Int(1));
    let rest: Vec<_> = factors.map(|factor| (MulOp::Mul, factor)).collect();
    match first {
        first if rest.is_empty() => first,
        Expr::Chain(first, mut before) => {
            before.extend(rest);
            Expr::Chain(first, before)
        }
        first => Expr::Chain(Box::new(first), rest),
    }
}

/// The bits of an element, if all dtypes that it can be have the same.
fn element_bits(dtype: &DtypeTerm) -> Option<u32> {
    let mut sizes = dtype.set().iter().map(|dtype| dtype.size_bits());
    let first = sizes.next()??;
    sizes.all(|bits| bits == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn size(text: &str) -> Result<String, &'static str> {
        let size = text.parse::<Type>().unwrap().memory_size();
        size.map(|dim| dim.to_string()).map_err(|error| error.code)
    }

    #[test]
    fn known() {
        for (ty, bytes) in [
            ("f32[]", "4"),
            ("c128[2, 3]", "96"),
            ("bool[7]", "7"),
            ("i4[7]", "4"),
            ("f4e2m1[2, 3]", "3"),
            ("u2[5]", "2"),
            ("f6e3m2[5]", "4"),
            ("f6e3m2[n]", "ceil(3*n/4)"),
            ("f6e3m2[8, n]", "6*n"),
            ("f8e5m2[5]", "5"),
            ("{f32, i32}[3]", "12"),
            ("tuple()", "0"),
            ("(f32[2], (i8[3], f64[]))", "19"),
            ("f64[9223372036854775807, 0]", "0"),
            ("str[0, ...]", "0"),
        ] {
            assert_eq!(size(ty).as_deref(), Ok(bytes), "{ty}");
        }
    }

    #[test]
    fn symbolic() {
        for (ty, bytes) in [
            ("i8[n]", "n"),
            ("f64[n]", "8*n"),
            ("f32[n, 2, m, 3]", "24*m*n"),
            ("f32[2*k, k]", "8*k*k"),
            ("f32[n + 1]", "4*(n + 1)"),
            ("i8[n + 1]", "n + 1"),
            ("i8[n//2, m]", "m*(n//2)"),
            ("f32[...r, 3]", "12*prod(...r)"),
            ("i4[n]", "ceil(n/2)"),
            ("i4[n, 6]", "3*n"),
            ("(f64[n, m], f64[m, n])", "16*m*n"),
            ("(f64[n], f32[m], i8[3])", "8*n + 4*m + 3"),
            ("(i8[n + 1], i8[2])", "n + 1 + 2"),
            ("f64[9223372036854775807, n]", "9223372036854775807*8*n"),
        ] {
            assert_eq!(size(ty).as_deref(), Ok(bytes), "{ty}");
            assert!(bytes.parse::<Dim>().is_ok());
        }
    }

    #[test]
    fn unknown() {
        for ty in [
            "?",
            "T[2]",
            "Float[2]",
            "str[2]",
            "f32[?]",
            "f32[...]",
            "(f32[2], ?)",
            "A",
            "fn() -> f32[]",
            "RandomState",
        ] {
            assert_eq!(size(ty).as_deref(), Ok("?"), "{ty}");
        }
    }

    #[test]
    fn too_large() {
        for ty in [
            "f64[9223372036854775807]",
            "i8[9223372036854775807, 9223372036854775807]",
            "(i8[9223372036854775807], i8[1])",
        ] {
            assert_eq!(size(ty), Err("K0234"), "{ty}");
        }
    }
}
