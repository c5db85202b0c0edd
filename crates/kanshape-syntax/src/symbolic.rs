//! Sizes as other programs write them: `floor(height/2 - 1/2) + 1`, `((s0 - 1)//2) + 1`, `Max(1, ceiling(n/8))`, `floordiv(b, 2)`,
//! `b^2`, `CeilToInt(IntTrueDiv(s0, 2))`; and as SymPy's `srepr` does: `Add(Symbol('s0', integer=True), Integer(-1))`.
//!
//! There `/` is exact, and only what is rounded, or divides without a rest by its form, is a size. So a value is a fraction on the
//! way: a text in the language of sizes over a number.

use crate::MAX_DEPTH;
use crate::signature::parse::parse_expr;
use crate::tree::Expr;

/// Longer texts are not read.
const LONGEST: usize = 1 << 15;

/// A power that is longer where it is written out is not.
const LONGEST_POWER: usize = 1 << 12;

/// A power is a product that is written out, up to this exponent.
const MAX_EXPONENT: u64 = 16;

/// Reads a size that is an expression of SymPy or Python. What a name is, as text, says `name`.
///
/// `None` if it is no such expression, if a part of it is no size, or if a name is none.
///
/// ```
/// use kanshape_syntax::parse_symbolic;
///
/// let read = |text| parse_symbolic(text, &mut |name| Some(name.to_owned())).map(|e| e.to_string());
/// assert_eq!(read("floor(height/2 - 1/2) + 1").as_deref(), Some("(height - 1)//2 + 1"));
/// assert_eq!(read("ceiling(n/8)*m").as_deref(), Some("ceil(n/8)*m"));
/// assert_eq!(read("height/2"), None);
/// assert_eq!(read("batch size"), None);
/// ```
pub fn parse_symbolic(text: &str, name: &mut dyn FnMut(&str) -> Option<String>) -> Option<Expr> {
    if text.len() > LONGEST {
        return None;
    }
    let mut reader = Reader {
        rest: text.trim(),
        name,
        depth: 0,
    };
    let value = reader.sum()?;
    let is_whole = reader.rest.is_empty() && value.over == 1;
    is_whole.then(|| parse_expr(&value.text).ok())?
}

struct Reader<'t, 'f> {
    rest: &'t str,
    name: &'f mut dyn FnMut(&str) -> Option<String>,
    depth: usize,
}

/// A size over a number.
#[derive(Clone)]
struct Fraction {
    text: String,
    over: u64,
    /// The text is this number.
    number: Option<u64>,
    form: SumForm,
}

/// What the text is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SumForm {
    Factor,
    Product,
    Sum,
}

impl Fraction {
    fn whole(text: String, form: SumForm) -> Fraction {
        Fraction {
            text,
            over: 1,
            number: None,
            form,
        }
    }

    /// The text where nothing above this form can be.
    fn at_most(&self, form: SumForm) -> String {
        match self.form <= form {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }

    /// The text, repeated this number of times, where nothing above this form can be.
    fn times(&self, n: u64, form: SumForm) -> String {
        match (n, self.number.and_then(|own| own.checked_mul(n))) {
            (1, _) => self.at_most(form),
            (_, Some(number)) => number.to_string(),
            (n, None) => format!("{n}*{}", self.at_most(SumForm::Factor)),
        }
    }

    /// The text, an operator of products, and the other text.
    fn before(&self, op: &str, other: &Fraction) -> String {
        let (own, other) = (
            self.at_most(SumForm::Product),
            other.at_most(SumForm::Factor),
        );
        match op {
            "%" => format!("{own} % {other}"),
            op => format!("{own}{op}{other}"),
        }
    }

    fn add(self, other: &Fraction, sign: char) -> Option<Fraction> {
        let over = lcm(self.over, other.over)?;
        let own = self.times(over / self.over, SumForm::Sum);
        let other = other.times(over / other.over, SumForm::Product);
        Some(Fraction {
            over,
            ..Fraction::whole(format!("{own} {sign} {other}"), SumForm::Sum)
        })
    }

    fn multiply(self, other: &Fraction) -> Option<Fraction> {
        let over = self.over.checked_mul(other.over)?;
        Some(match self.number {
            // Half of `n` is `n` over 2.
            Some(1) => Fraction {
                over,
                number: other.number.filter(|_| over == 1),
                ..other.clone()
            },
            _ => Fraction {
                over,
                ..Fraction::whole(self.before("*", other), SumForm::Product)
            },
        })
    }

    /// The number of which it is the negative.
    fn negative(&self) -> Option<u64> {
        let number = self.text.strip_prefix("0 - ")?;
        number.parse().ok().filter(|_| self.over == 1)
    }

    /// Over a number, exactly.
    fn over(self, other: &Fraction) -> Option<Fraction> {
        if let Some(divisor) = other.negative() {
            let negated = Fraction::of_number(0).add(&self, '-')?;
            return negated.over(&Fraction::of_number(divisor));
        }
        let divisor = other.number.filter(|n| *n > 0 && other.over == 1)?;
        let over = self.over.checked_mul(divisor)?;
        Some(match self.number {
            Some(n) if n.is_multiple_of(over) => Fraction::of_number(n / over),
            _ => Fraction { over, ..self },
        })
    }

    /// The product of it by itself.
    fn power(self, exponent: &Fraction) -> Option<Fraction> {
        let exponent = exponent
            .number
            .filter(|n| *n <= MAX_EXPONENT && exponent.over == 1)?;
        if let (Some(n), 1) = (self.number, self.over) {
            return Some(Fraction::of_number(n.checked_pow(exponent as u32)?));
        }
        let mut product = Fraction::of_number(1);
        for i in 0..exponent {
            product = match i {
                0 => self.clone(),
                _ => product.multiply(&self)?,
            };
            if product.text.len() > LONGEST_POWER {
                return None;
            }
        }
        Some(product)
    }

    /// A number as it is written, with a point or without.
    fn of_literal(text: &str) -> Option<Fraction> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let over = 10u64.checked_pow(u32::try_from(part.len()).ok()?)?;
        let number: u64 = format!("{whole}{part}").parse().ok()?;
        let shared = gcd(number, over);
        Fraction::of_number(number / shared).over(&Fraction::of_number(over / shared))
    }

    fn of_number(n: u64) -> Fraction {
        Fraction {
            number: Some(n),
            ..Fraction::whole(n.to_string(), SumForm::Factor)
        }
    }

    fn floor(self) -> Fraction {
        match self.over {
            1 => self,
            n => Fraction::whole(
                format!("{}//{n}", self.at_most(SumForm::Product)),
                SumForm::Product,
            ),
        }
    }

    fn ceil(self) -> Fraction {
        match self.over {
            1 => self,
            n => Fraction::whole(
                format!("ceil({}/{n})", self.at_most(SumForm::Factor)),
                SumForm::Factor,
            ),
        }
    }

    /// `//` and `%` of two that are whole, or over a number.
    fn divided(self, other: &Fraction, op: &str) -> Option<Fraction> {
        if other.over != 1 {
            return None;
        }
        match (op, self.over, other.number) {
            ("//", _, Some(_)) => Some(self.over(other)?.floor()),
            (_, 1, _) => Some(Fraction::whole(self.before(op, other), SumForm::Product)),
            _ => None,
        }
    }
}

impl<'t> Reader<'t, '_> {
    fn sum(&mut self) -> Option<Fraction> {
        self.depth += 1;
        if self.depth > MAX_DEPTH / 2 {
            return None;
        }
        let mut sum = match self.eat("-") {
            true => Fraction::of_number(0).add(&self.product()?, '-')?,
            false => self.product()?,
        };
        loop {
            let sign = match (self.eat("+"), self.rest.starts_with('-')) {
                (true, _) => '+',
                (false, true) => '-',
                (false, false) => break,
            };
            if sign == '-' {
                self.eat("-");
            }
            sum = sum.add(&self.product()?, sign)?;
        }
        self.depth -= 1;
        Some(sum)
    }

    fn product(&mut self) -> Option<Fraction> {
        let mut product = self.power()?;
        loop {
            product = if self.eat("*") {
                product.multiply(&self.power()?)?
            } else if self.eat("//") {
                product.divided(&self.power()?, "//")?
            } else if self.eat("/") {
                product.over(&self.power()?)?
            } else if self.eat("%") {
                product.divided(&self.power()?, "%")?
            } else {
                return Some(product);
            };
        }
    }

    fn power(&mut self) -> Option<Fraction> {
        let base = self.factor()?;
        match self.eat("**") || self.eat("^") {
            true => base.power(&self.factor()?),
            false => Some(base),
        }
    }

    fn factor(&mut self) -> Option<Fraction> {
        if self.eat("(") {
            let inner = self.sum()?;
            return self.eat(")").then_some(inner);
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Fraction::of_literal(word);
        }
        if word.is_empty() {
            return None;
        }
        match self.eat("(") {
            true => self.call(word),
            false => {
                let text = (self.name)(word)?;
                let number = text.parse().ok();
                Some(Fraction {
                    number,
                    ..Fraction::whole(text, SumForm::Factor)
                })
            }
        }
    }

    /// A symbol by its name, in quotes, and what is assumed of it.
    fn symbol(&mut self) -> Option<Fraction> {
        let (inner, rest) = self.rest.split_once(')')?;
        self.rest = rest.trim_start();
        let own = inner.split(',').next()?.trim();
        let own = own.strip_prefix('\'')?.strip_suffix('\'')?;
        let text = (self.name)(own)?;
        Some(Fraction::whole(text, SumForm::Factor))
    }

    /// A float in quotes, and how precise it is.
    fn float(&mut self) -> Option<Fraction> {
        let (inner, rest) = self.rest.split_once(')')?;
        self.rest = rest.trim_start();
        let own = inner.split(',').next()?.trim();
        let own = own.strip_prefix('\'')?.strip_suffix('\'')?;
        match own.strip_prefix('-') {
            Some(own) => Fraction::of_number(0).add(&Fraction::of_literal(own)?, '-'),
            None => Fraction::of_literal(own),
        }
    }

    /// The sum of some arguments, the negative numbers among them last.
    fn sum_of_args(&mut self) -> Option<Fraction> {
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        loop {
            match self.rest.starts_with("Integer(-") {
                true => {
                    self.eat("Integer");
                    self.eat("(");
                    self.eat("-");
                    minus.push(self.factor()?);
                    if !self.eat(")") {
                        return None;
                    }
                }
                false => plus.push(self.sum()?),
            }
            if !self.eat(",") {
                break;
            }
        }
        if !self.eat(")") {
            return None;
        }
        let mut plus = plus.into_iter();
        let mut sum = plus.next().unwrap_or_else(|| Fraction::of_number(0));
        for term in plus {
            sum = sum.add(&term, '+')?;
        }
        minus.iter().try_fold(sum, |sum, term| sum.add(term, '-'))
    }

    fn call(&mut self, function: &str) -> Option<Fraction> {
        match function {
            "Symbol" | "Dummy" => return self.symbol(),
            "Float" => return self.float(),
            "Add" => return self.sum_of_args(),
            _ => {}
        }
        let mut args = vec![self.sum()?];
        while self.eat(",") {
            args.push(self.sum()?);
        }
        if !self.eat(")") {
            return None;
        }
        match (function, &args[..]) {
            ("floor" | "FloorToInt", [of]) => Some(of.clone().floor()),
            ("ceil" | "ceiling" | "CeilToInt", [of]) => Some(of.clone().ceil()),
            // What is whole stays what it is.
            ("TruncToInt" | "trunc", [of]) if of.over == 1 => Some(of.clone()),
            ("ToFloat" | "Identity" | "Integer", [of]) => Some(of.clone()),
            ("Mul", [first, rest @ ..]) => rest
                .iter()
                .try_fold(first.clone(), |product, factor| product.multiply(factor)),
            ("CeilDiv", [a, b]) => Some(a.clone().over(b)?.ceil()),
            ("IntTrueDiv" | "FloatTrueDiv" | "TrueDiv", [a, b]) => a.clone().over(b),
            ("PowByNatural" | "Pow", [a, b]) => a.clone().power(b),
            ("FloorDiv" | "CleanDiv" | "floordiv", [a, b]) => a.clone().divided(b, "//"),
            ("Mod" | "PythonMod" | "mod", [a, b]) => a.clone().divided(b, "%"),
            ("ModularIndexing", [a, by, m]) => a.clone().divided(by, "//")?.divided(m, "%"),
            ("Max" | "max" | "Min" | "min", args) if args.iter().all(|arg| arg.over == 1) => {
                let texts: Vec<&str> = args.iter().map(|arg| &*arg.text).collect();
                let name = function.to_ascii_lowercase();
                Some(Fraction::whole(
                    format!("{name}({})", texts.join(", ")),
                    SumForm::Factor,
                ))
            }
            _ => None,
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    x
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let e = parse_symbolic(text, &mut |name| Some(name.to_owned()))?;
        Some(e.to_string())
    }

    #[test]
    fn sizes_of_other_programs() {
        for (text, own) in [
            ("2*N", "2*N"),
            ("a + b - 1", "a + b - 1"),
            ("floor(N/2 + 1)", "(N + 2)//2"),
            ("((s0 - 1)//2) + 1", "(s0 - 1)//2 + 1"),
            (
                "floor(floor(floor(h/2 - 1/2)/2)/2) + 1",
                "(h - 1)//2//2//2 + 1",
            ),
            ("(floor(h/2) + 1)*(floor(w/2) + 1)", "(h//2 + 1)*(w//2 + 1)"),
            ("Max(1, n)", "max(1, n)"),
            ("6/2*n", "3*n"),
            ("Mod(n, 4)", "n % 4"),
            ("floordiv(b, 2)", "b//2"),
            ("mod(b + 1, 4)", "(b + 1) % 4"),
            ("b^2 + 1", "b*b + 1"),
            ("n**2", "n*n"),
            ("2**3*n", "8*n"),
            ("2*(n + 1)**2", "2*((n + 1)*(n + 1))"),
            ("(n**2)//4", "n*n//4"),
            ("PowByNatural(s0, 2)", "s0*s0"),
            ("CeilToInt(IntTrueDiv(s0, 2))", "ceil(s0/2)"),
            ("CeilToInt(s0/2)", "ceil(s0/2)"),
            ("FloorToInt(0.5*ToFloat(s0))", "s0//2"),
            ("TruncToInt(2.0*ToFloat(s0))", "2*s0"),
            ("PythonMod(s0, 4)", "s0 % 4"),
            ("ModularIndexing(s0, 2, 4)", "s0//2 % 4"),
            ("Max(1, s0) - Min(s0, s1)", "max(1, s0) - min(s0, s1)"),
            ("Symbol('s53', positive=True, integer=True)", "s53"),
            (
                "Add(FloorDiv(Add(Symbol('s0', integer=True), Integer(-1)), Integer(16)), Integer(1))",
                "(s0 - 1)//16 + 1",
            ),
            (
                "Add(Integer(-2), Symbol('s0'), Symbol('s1'))",
                "s0 + s1 - 2",
            ),
            ("Mul(Integer(4), Symbol('s0'))", "4*s0"),
            ("Mul(Integer(-1), Symbol('s0'))", "(0 - 1)*s0"),
            (
                "Mod(FloorDiv(Symbol('s0'), Integer(4)), Integer(2))",
                "s0//4 % 2",
            ),
            ("Pow(Symbol('s0'), Integer(2))", "s0*s0"),
            ("Integer(-3)", "0 - 3"),
            (
                "CeilToInt(FloatTrueDiv(ToFloat(Symbol('s0')), Float('2.0', precision=53)))",
                "ceil(s0/2)",
            ),
            (
                "CeilToInt(FloatTrueDiv(ToFloat(Mul(Integer(-1), Symbol('s0'))), Float('-1.0', precision=53)))",
                "0 - (0 - 1)*s0",
            ),
        ] {
            assert_eq!(read(text).as_deref(), Some(own), "{text}");
        }
    }

    #[test]
    fn what_is_no_size() {
        let deep = format!("{}n{}", "(".repeat(9999), ")".repeat(9999));
        // Written out, it would have 8 to the 12th factors.
        let powers = format!("{}n{}", "Pow(".repeat(12), ", 8)".repeat(12));
        for text in [
            "",
            "n/2",
            "a b",
            "n**m",
            "n**17",
            "n**-1",
            "n^(1/2)",
            "0.5*n",
            "TruncToInt(n/2)",
            "f(n)",
            "n +",
            "1/0",
            "n/m",
            "?",
            "Symbol(s0)",
            "Symbol('s0'",
            "Add()",
            &"Add(".repeat(100),
            &powers,
            &deep,
            "18446744073709551615/1/2*3/9 +",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
