//! [`Quantized`]: how elements are quantized.

use std::fmt;

/// How the elements of a tensor are quantized: `!quant.uniform<i8:f32, 0.5:3>`.
///
/// ```
/// use kanshape_syntax::stablehlo::Quantized;
///
/// let read = Quantized::read("!quant.uniform<u8<1:255>:f32:1, {0.5, 0.25:3}>")?;
/// assert_eq!((read.low, read.high, read.axis), (1, 255, Some(1)));
/// assert_eq!(read.zero_points, [0, 3]);
/// assert_eq!(read.to_string(), "!quant.uniform<u8<1:255>:f32:1, {0.5,0.25:3}>");
/// assert_eq!(Quantized::read("!quant.uniform<i8<-128:127>:f32, 0.5:3>")?.to_string(), "!quant.uniform<i8:f32, 0.5:3>");
/// # Ok::<(), Option<String>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Quantized {
    /// Whether what is stored has a sign.
    pub is_signed: bool,
    /// How many bits it has.
    pub bits: u32,
    /// The least integer that is stored.
    pub low: i64,
    /// The greatest one.
    pub high: i64,
    /// The floats that are expressed: `f32`.
    pub expressed: Box<str>,
    /// The axis along which each slice has a scale of its own.
    pub axis: Option<u64>,
    /// One scale, or one for each slice.
    pub scales: Vec<f64>,
    /// As many zero points.
    pub zero_points: Vec<i64>,
}

impl Quantized {
    /// Reads an element type.
    ///
    /// # Errors
    /// What MLIR does not allow in it; `None` if it is no such type, or is written in a way that is not known here.
    pub fn read(text: &str) -> Result<Quantized, Option<String>> {
        let inner = text.strip_prefix("!quant.uniform");
        let inner = inner.and_then(|rest| rest.trim().strip_prefix('<')?.strip_suffix('>'));
        let (types, parameters) = inner.and_then(|inner| inner.split_once(',')).ok_or(None)?;
        let (stored, rest) = stored(types).ok_or(None)?;
        let mut parts = rest.split(':').map(str::trim);
        let expressed = parts.next().filter(|name| !name.is_empty()).ok_or(None)?;
        let axis = match parts.next() {
            None => None,
            Some(axis) => match axis.parse::<i64>().map_err(|_| None)? {
                axis if axis < 0 => return Err(Some(format!("{axis} is no axis"))),
                axis => Some(axis.unsigned_abs()),
            },
        };
        if parts.next().is_some() {
            return Err(None);
        }
        let parameters = parameters.trim();
        let list = match axis {
            None => parameters,
            Some(_) => {
                let list = parameters.strip_prefix('{');
                list.and_then(|list| list.strip_suffix('}')).ok_or(None)?
            }
        };
        let (mut scales, mut zero_points) = (Vec::new(), Vec::new());
        for one in list.split(',') {
            let (scale, zero_point) = one.split_once(':').unwrap_or((one, "0"));
            let scale: f64 = scale.trim().parse().map_err(|_| None)?;
            is_scale(scale, expressed)?;
            scales.push(scale);
            zero_points.push(zero_point.trim().parse().map_err(|_| None)?);
        }
        if axis.is_none() && scales.len() != 1 {
            return Err(None);
        }
        Ok(Quantized {
            is_signed: stored.is_signed,
            bits: stored.bits,
            low: stored.low,
            high: stored.high,
            expressed: expressed.into(),
            axis,
            scales,
            zero_points,
        })
    }

    /// Stored and expressed in the same way, with one scale or with one for each slice; scales and zero points may differ.
    pub fn is_like(&self, other: &Quantized) -> bool {
        let own = (self.is_signed, self.bits, self.low, self.high);
        own == (other.is_signed, other.bits, other.low, other.high)
            && self.expressed == other.expressed
            && self.axis.is_some() == other.axis.is_some()
    }
}

/// What integers are stored.
struct Stored {
    is_signed: bool,
    bits: u32,
    low: i64,
    high: i64,
}

/// The stored integers of `i8<-127:127>:f32`, and the text behind their `:`.
fn stored(text: &str) -> Option<(Stored, &str)> {
    let text = text.trim();
    let name = text.find(['<', ':'])?;
    let (name, rest) = text.split_at(name);
    let name = name.trim();
    let (is_signed, bits) = match name.strip_prefix('i') {
        Some(bits) => (true, bits),
        None => (
            false,
            name.strip_prefix("ui").or_else(|| name.strip_prefix('u'))?,
        ),
    };
    let bits: u32 = bits.parse().ok()?;
    if !(1..=32).contains(&bits) {
        return None;
    }
    let (least, greatest) = range(is_signed, bits);
    let (low, high, rest) = match rest.strip_prefix('<') {
        None => (least, greatest, rest),
        Some(rest) => {
            let (range, rest) = rest.split_once('>')?;
            let (low, high) = range.split_once(':')?;
            (low.trim().parse().ok()?, high.trim().parse().ok()?, rest)
        }
    };
    if low < least || high > greatest || low > high {
        return None;
    }
    let stored = Stored {
        is_signed,
        bits,
        low,
        high,
    };
    Some((stored, rest.trim().strip_prefix(':')?))
}

/// The least and the greatest integer of 1 to 32 bits.
fn range(is_signed: bool, bits: u32) -> (i64, i64) {
    match is_signed {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

/// A scale is more than zero, and one of the floats that are expressed.
fn is_scale(scale: f64, expressed: &str) -> Result<(), Option<String>> {
    let (least, greatest) = match expressed {
        "f16" => (2_f64.powi(-24), 65504.0),
        "bf16" => (2_f64.powi(-133), 255.0 * 2_f64.powi(120)),
        "f32" => (2_f64.powi(-149), f64::from(f32::MAX)),
        _ => (f64::from_bits(1), f64::MAX),
    };
    match scale >= least && scale <= greatest {
        true => Ok(()),
        false => Err(Some(format!("{scale:?} is no scale of `{expressed}`"))),
    }
}

/// As it is written, with the range where that is not all of what can be stored.
impl fmt::Display for Quantized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_signed { "i" } else { "u" };
        write!(f, "!quant.uniform<{sign}{}", self.bits)?;
        if (self.low, self.high) != range(self.is_signed, self.bits) {
            write!(f, "<{}:{}>", self.low, self.high)?;
        }
        write!(f, ":{}", self.expressed)?;
        if let Some(axis) = self.axis {
            write!(f, ":{axis}, {{")?;
        } else {
            f.write_str(", ")?;
        }
        for (i, (scale, zero_point)) in self.scales.iter().zip(&self.zero_points).enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            // MLIR reads no exponent behind a number without a point.
            let scale = format!("{scale:?}");
            match scale.split_once('e') {
                Some((digits, exponent)) if !digits.contains('.') => {
                    write!(f, "{digits}.0e{exponent}")?;
                }
                _ => f.write_str(&scale)?,
            }
            if *zero_point != 0 {
                write!(f, ":{zero_point}")?;
            }
        }
        f.write_str(if self.axis.is_some() { "}>" } else { ">" })
    }
}
