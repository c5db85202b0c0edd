//! A recursive-descent parser by hand, for the part of the language that NumPy has: patterns of
//! names and numerals, optional dims, a prefix. It makes the same tree, places included.

use kanshape::tree::{Expr, Item, Operand, Pattern, Prefix, PrefixKind, Signature, Span, Spanned};

struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// `None` if the text is not in this part of the language.
pub fn parse(text: &str) -> Option<Signature> {
    let mut t = Text {
        bytes: text.as_bytes(),
        at: 0,
    };
    t.space();
    let prefix = t.prefix();
    let inputs = t.operands(text)?;
    t.expect(b'-')?;
    if t.bytes.get(t.at) != Some(&b'>') {
        return None;
    }
    t.at += 1;
    let outputs = t.operands(text)?;
    t.space();
    (t.at == t.bytes.len()).then_some(Signature {
        params: Vec::new(),
        prefix,
        inputs,
        outputs,
        conditions: Vec::new(),
        variables: Vec::new(),
        relations: Vec::new(),
    })
}

impl Text<'_> {
    fn space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.eat(byte).then_some(())
    }

    fn number(&mut self) -> Option<u64> {
        let mut n: Option<u64> = None;
        while let Some(d) = self.bytes.get(self.at).filter(|b| b.is_ascii_digit()) {
            n = Some(
                n.unwrap_or(0)
                    .checked_mul(10)?
                    .checked_add(u64::from(d - b'0'))?,
            );
            self.at += 1;
        }
        n
    }

    fn prefix(&mut self) -> Option<Prefix> {
        let start = self.at;
        let kind = match self.bytes.get(self.at)? {
            b'+' => PrefixKind::Broadcast,
            b'=' => PrefixKind::Equal,
            _ => return None,
        };
        self.at += 1;
        let max = self.number();
        Some(Prefix {
            kind,
            max,
            span: Span::new(start, self.at),
        })
    }

    fn operands(&mut self, text: &str) -> Option<Vec<Operand>> {
        let mut operands = Vec::new();
        self.space();
        if self.bytes.get(self.at) != Some(&b'(') {
            return Some(operands);
        }
        loop {
            self.space();
            let start = self.at;
            self.expect(b'(')?;
            let mut items = Vec::new();
            if !self.eat(b')') {
                loop {
                    items.push(self.item(text)?);
                    if self.eat(b')') {
                        break;
                    }
                    self.expect(b',')?;
                }
            }
            operands.push(Operand {
                pattern: Pattern::Shape(items),
                dtype: None,
                span: Span::new(start, self.at),
            });
            if !self.eat(b',') {
                return Some(operands);
            }
        }
    }

    fn item(&mut self, text: &str) -> Option<Spanned<Item>> {
        self.space();
        let start = self.at;
        let expr = match self.number() {
            Some(n) => Expr::Int(n),
            None => {
                let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                while self.bytes.get(self.at).is_some_and(word) {
                    self.at += 1;
                }
                let name = text.get(start..self.at).filter(|n| !n.is_empty())?;
                Expr::Name(Spanned::new(name.into(), Span::new(start, self.at)))
            }
        };
        let item = if self.eat(b'?') {
            Item::Optional(expr)
        } else {
            Item::Dim(expr)
        };
        Some(Spanned::new(item, Span::new(start, self.at)))
    }
}
