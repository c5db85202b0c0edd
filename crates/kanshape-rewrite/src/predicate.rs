//! [`Rule::predicate`]: what a rule needs, as a function of Python or C++ for programs that do not link this crate.
//!
//! Sizes that are not there and shapes that do not broadcast are no value, and no comparison with them holds: so a goal fails
//! here where it fails as a relation.

use std::collections::BTreeMap;
use std::fmt::Write;

use kanshape::Dtype;
use kanshape::tree::relation::{Dtypes, Element, Formal, Goal, Pattern, Term, parse_rule};
use kanshape::tree::{CmpOp, Sign, Spanned};

use crate::rules::Rule;
use crate::soundness::{Sound, Soundness};

/// A language in which a predicate is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Python 3.8 and later.
    Python,
    /// C++ 17 and later.
    Cpp,
}

impl Language {
    /// What stands before the predicates of a file.
    pub fn prelude(self) -> &'static str {
        match self {
            Language::Python => include_str!("predicate/prelude.py"),
            Language::Cpp => include_str!("predicate/prelude.hpp"),
        }
    }

    /// A line that is no code.
    pub fn comment(self, text: &str) -> String {
        match self {
            Language::Python => format!("# {text}"),
            Language::Cpp => format!("// {text}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WrittenKind {
    Shape,
    Size,
    Dtype,
}

/// A term that is written.
type WrittenTerm = (String, WrittenKind);

/// Why something can't be written.
type Unwritten = String;

impl Rule {
    /// A function of the shapes and dtypes of the leaves that is true exactly where the rule's own precondition and what
    /// was found that it needs hold: where both sides have the same types, if the left side has one. Each leaf is a
    /// shape and a dtype, `"f32"`.
    ///
    /// # Errors
    /// Why there is none: it is not known what the rule needs, or a goal speaks of what is no shape.
    pub fn predicate(&self, soundness: &Soundness, language: Language) -> Result<String, String> {
        let needs: &[String] = match (soundness.verdict, &soundness.needs) {
            (Sound::Always, _) | (Sound::Never, _) => &[],
            (Sound::Depends, Some(needs)) => needs,
            (Sound::Depends, None) => return Err("it is not known what it needs".into()),
            (Sound::Unknown, _) => {
                let why = soundness.why.as_deref().unwrap_or("it is not known");
                return Err(format!("it is not known whether it holds: {why}"));
            }
        };
        let mut writer = PredicateWriter {
            language,
            bound: BTreeMap::new(),
            lines: String::new(),
        };
        if soundness.verdict == Sound::Never {
            writer.line(1, &writer.returns(false));
        } else {
            self.body(&mut writer, needs)?;
            writer.line(1, &writer.returns(true));
        }
        let leaves = self.leaf_words();
        let mut text = String::new();
        let name = word(self.name());
        match language {
            Language::Python => {
                let leaves = leaves.iter().map(|leaf| format!("{leaf}, {leaf}_dtype"));
                let leaves = leaves.collect::<Vec<_>>().join(", ");
                let _ = writeln!(text, "def {name}({leaves}):");
                let _ = writeln!(text, "    # {}", self.tree().bare());
                text += &writer.lines;
            }
            Language::Cpp => {
                let leaves = leaves.iter().map(|leaf| {
                    format!(
                        "const std::vector<std::int64_t>& {leaf}, const std::string& {leaf}_dtype"
                    )
                });
                let leaves = leaves.collect::<Vec<_>>().join(", ");
                let _ = writeln!(text, "// {}", self.tree().bare());
                let _ = writeln!(text, "inline bool {name}({leaves}) {{");
                text += &writer.lines;
                text.push_str("}\n");
            }
        }
        Ok(text)
    }

    /// The leaves as both languages call them.
    fn leaf_words(&self) -> Vec<String> {
        self.leaf_names().iter().map(|name| word(name)).collect()
    }

    fn body(&self, writer: &mut PredicateWriter, needs: &[String]) -> Result<(), Unwritten> {
        for leaf in self.leaf_words() {
            let shape = match writer.language {
                Language::Python => leaf.clone(),
                Language::Cpp => format!("kan::Shape({leaf})"),
            };
            writer
                .bound
                .insert(format!("shape({leaf})"), (shape, WrittenKind::Shape));
            let dtype = (format!("{leaf}_dtype"), WrittenKind::Dtype);
            writer.bound.insert(format!("dtype({leaf})"), dtype);
        }
        for leaf in &self.tree().leaves {
            writer.leaf(leaf)?;
        }
        writer.require(&self.tree().body)?;
        if needs.is_empty() {
            return Ok(());
        }
        let text = format!("X => X :- {}", needs.join(", "));
        let more = parse_rule(&text).map_err(|why| why.headline)?;
        writer.require(&more.body)
    }
}

/// A name that both languages take.
fn word(name: &str) -> String {
    let c = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.chars().map(c).collect();
    const KEYWORDS: [&str; 16] = [
        "and", "as", "class", "for", "from", "if", "in", "int", "is", "lambda", "new", "not", "or",
        "this", "try", "with",
    ];
    match KEYWORDS.contains(&&*word) || word.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("{word}_"),
        false => word,
    }
}

struct PredicateWriter {
    language: Language,
    /// What is known by its name.
    bound: BTreeMap<String, WrittenTerm>,
    lines: String,
}

impl PredicateWriter {
    fn is_python(&self) -> bool {
        self.language == Language::Python
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.lines, "{}{text}", "    ".repeat(depth));
    }

    fn returns(&self, truth: bool) -> String {
        match (self.language, truth) {
            (Language::Python, true) => "return True".into(),
            (Language::Python, false) => "return False".into(),
            (Language::Cpp, truth) => format!("return {truth};"),
        }
    }

    /// A call of what the prelude has.
    fn call(&self, name: &str, args: &str) -> String {
        match self.language {
            Language::Python => format!("_{name}({args})"),
            Language::Cpp => format!("kan::{name}({args})"),
        }
    }

    /// Goes on only if this is true.
    fn check(&mut self, truth: &str) {
        match self.language {
            Language::Python => {
                self.line(1, &format!("if not {truth}:"));
                self.line(2, "return False");
            }
            Language::Cpp => self.line(1, &format!("if (!{truth}) return false;")),
        }
    }

    /// What is known of a leaf.
    fn leaf(&mut self, formal: &Formal) -> Result<(), Unwritten> {
        let name = formal.name.node.to_string();
        if formal.contents.is_some() || formal.optional || formal.variadic {
            return Err(format!("`{formal}` is about more than a shape"));
        }
        let Some(pattern) = &formal.pattern else {
            return Ok(());
        };
        let Pattern::Tensor { dtype, dims } = &pattern.node else {
            return Err(format!("`{formal}` is no tensor"));
        };
        let leaf = word(&name);
        match &dtype.node {
            Dtypes::Set(all) => {
                let all = all
                    .iter()
                    .map(|own| self.equal(&format!("{leaf}_dtype"), &format!("\"{own}\"")));
                let any = all.collect::<Vec<_>>().join(self.or());
                self.check(&format!("({any})"));
            }
            Dtypes::Name(own) if Dtype::named(&own.node).is_some() => {
                let truth = self.equal(&format!("{leaf}_dtype"), &format!("\"{own}\""));
                self.check(&truth);
            }
            Dtypes::Name(own) => {
                self.bind(&own.node, (format!("{leaf}_dtype"), WrittenKind::Dtype))
            }
        }
        let shape = self.shape(&leaf)?;
        let fixed = dims.iter().filter(|d| matches!(d, Element::One(_))).count();
        let rest = dims.iter().position(|d| matches!(d, Element::Rest(_)));
        if dims.len() - fixed > 1 {
            return Err(format!("`{formal}` has more than one run of dims"));
        }
        let rank = self.call("rank", &shape);
        let op = if rest.is_some() { "ge" } else { "eq" };
        let truth = self.call(op, &format!("{rank}, {}", self.size(fixed as i64)));
        self.check(&truth);
        for (i, dim) in dims.iter().enumerate() {
            match dim {
                Element::One(term) => {
                    let place = match rest {
                        Some(rest) if i > rest => i as i64 - dims.len() as i64,
                        _ => i as i64,
                    };
                    let own = self.call("at", &format!("{shape}, {place}"));
                    self.fits(term, (own, WrittenKind::Size))?;
                }
                Element::Rest(Some(term)) => {
                    let behind = dims.len() - 1 - i;
                    let own = self.call("part", &format!("{shape}, {i}, {behind}"));
                    self.fits(term, (own, WrittenKind::Shape))?;
                }
                Element::Rest(None) => {}
            }
        }
        Ok(())
    }

    /// A place of a pattern: a new name is bound, what is known has to be equal.
    fn fits(&mut self, term: &Spanned<Term>, own: WrittenTerm) -> Result<(), Unwritten> {
        match &term.node {
            Term::Any => Ok(()),
            Term::Name(name) => {
                self.bind(&name.node, own);
                Ok(())
            }
            _ => {
                let (text, _) = self.term(term)?;
                let truth = self.equal(&text, &own.0);
                self.check(&truth);
                Ok(())
            }
        }
    }

    fn bind(&mut self, name: &str, own: WrittenTerm) {
        match self.bound.get(name) {
            Some((text, _)) => {
                let truth = self.equal(&text.clone(), &own.0);
                self.check(&truth);
            }
            None => {
                self.bound.insert(name.to_owned(), own);
            }
        }
    }

    fn equal(&self, a: &str, b: &str) -> String {
        self.call("eq", &format!("{a}, {b}"))
    }

    fn or(&self) -> &'static str {
        if self.is_python() { " or " } else { " || " }
    }

    fn size(&self, n: i64) -> String {
        match self.language {
            Language::Python => n.to_string(),
            Language::Cpp => format!("kan::Size({n})"),
        }
    }

    fn shape(&self, leaf: &str) -> Result<String, Unwritten> {
        let own = self.bound.get(&format!("shape({leaf})"));
        let own = own.ok_or_else(|| format!("`{leaf}` is no leaf"))?;
        Ok(own.0.clone())
    }

    /// Writes the goals of a body, one behind the other.
    fn require(&mut self, goal: &Spanned<Goal>) -> Result<(), Unwritten> {
        let goals: Vec<&Spanned<Goal>> = match &goal.node {
            Goal::True => Vec::new(),
            Goal::All(goals) => goals.iter().collect(),
            _ => vec![goal],
        };
        for goal in goals {
            if let Some((name, shape)) = self.defined(goal)? {
                let line = match self.language {
                    Language::Python => format!("{name} = {shape}"),
                    Language::Cpp => format!("const kan::Shape {name} = {shape};"),
                };
                self.line(1, &line);
                self.bound
                    .insert(name.clone(), (name.clone(), WrittenKind::Shape));
                let truth = self.call("is_there", &name);
                self.check(&truth);
                continue;
            }
            let truth = self.goal(goal)?;
            self.check(&truth);
        }
        Ok(())
    }

    /// The shape that a goal gives a new name.
    fn defined(&mut self, goal: &Spanned<Goal>) -> Result<Option<(String, String)>, Unwritten> {
        let Goal::Call(name, terms) = &goal.node else {
            return Ok(None);
        };
        let [a, b, c] = &terms[..] else {
            return Ok(None);
        };
        match &c.node {
            Term::Name(new)
                if *name.node == *"BroadcastShapes" && !self.bound.contains_key(&*new.node) =>
            {
                let (a, b) = (self.term(a)?.0, self.term(b)?.0);
                Ok(Some((
                    word(&new.node),
                    self.call("broadcast", &format!("{a}, {b}")),
                )))
            }
            _ => Ok(None),
        }
    }

    fn goal(&mut self, goal: &Spanned<Goal>) -> Result<String, Unwritten> {
        let unwritten = || Err(format!("`{goal}` is about more than shapes"));
        Ok(match &goal.node {
            Goal::True => if self.is_python() { "True" } else { "true" }.into(),
            Goal::False => if self.is_python() { "False" } else { "false" }.into(),
            Goal::All(goals) => {
                let before = self.bound.clone();
                let mut all = Vec::with_capacity(goals.len());
                for goal in goals {
                    // A name for a shape is written out where it is used.
                    if let Some((name, shape)) = self.defined(goal)? {
                        all.push(self.call("is_there", &shape));
                        self.bound.insert(name, (shape, WrittenKind::Shape));
                        continue;
                    }
                    all.push(self.goal(goal)?);
                }
                self.bound = before;
                let and = if self.is_python() { " and " } else { " && " };
                format!("({})", all.join(and))
            }
            Goal::Any(goals) => {
                let mut all = Vec::with_capacity(goals.len());
                for goal in goals {
                    all.push(self.goal(goal)?);
                }
                format!("({})", all.join(self.or()))
            }
            Goal::Call(name, terms) if *name.node == *"BroadcastShapes" => match &terms[..] {
                [a, b, c] => {
                    let args = format!("{}, {}", self.term(a)?.0, self.term(b)?.0);
                    let shape = self.call("broadcast", &args);
                    match &c.node {
                        Term::Any => self.call("is_there", &shape),
                        _ => {
                            let own = self.term(c)?.0;
                            self.equal(&shape, &own)
                        }
                    }
                }
                _ => return unwritten(),
            },
            Goal::Compare(first, rest) => {
                let mut left = self.term(first)?.0;
                let mut all = Vec::with_capacity(rest.len());
                for (op, term) in rest {
                    let right = self.term(term)?.0;
                    let name = match op {
                        CmpOp::Eq => "eq",
                        CmpOp::Ne => "ne",
                        CmpOp::Lt => "lt",
                        CmpOp::Le => "le",
                        CmpOp::Gt => "gt",
                        CmpOp::Ge => "ge",
                    };
                    all.push(self.call(name, &format!("{left}, {right}")));
                    left = right;
                }
                let and = if self.is_python() { " and " } else { " && " };
                match &all[..] {
                    [one] => one.clone(),
                    several => format!("({})", several.join(and)),
                }
            }
            Goal::In(x, list) => {
                let own = self.term(x)?.0;
                let Term::List(members) = &list.node else {
                    return unwritten();
                };
                let mut all = Vec::with_capacity(members.len());
                for member in members {
                    let Element::One(one) = member else {
                        return unwritten();
                    };
                    let other = self.term(one)?.0;
                    all.push(self.equal(&own, &other));
                }
                format!("({})", all.join(self.or()))
            }
            _ => return unwritten(),
        })
    }

    fn term(&mut self, term: &Spanned<Term>) -> Result<WrittenTerm, Unwritten> {
        let unwritten = || Err(format!("`{term}` is about more than shapes"));
        Ok(match &term.node {
            Term::Name(name) => match self.bound.get(&*name.node) {
                Some(known) => known.clone(),
                None if Dtype::named(&name.node).is_some() => {
                    (format!("\"{name}\""), WrittenKind::Dtype)
                }
                None => return unwritten(),
            },
            Term::Int(n) => match i64::try_from(*n) {
                Ok(n) => (self.size(n), WrittenKind::Size),
                Err(_) => return unwritten(),
            },
            Term::List(members) => {
                let mut all = Vec::with_capacity(members.len());
                for member in members {
                    match member {
                        Element::One(one) => all.push(self.term(one)?.0),
                        Element::Rest(_) => return unwritten(),
                    }
                }
                let list = match self.language {
                    Language::Python => all.join(", "),
                    Language::Cpp => format!("{{{}}}", all.join(", ")),
                };
                (self.call("shape", &list), WrittenKind::Shape)
            }
            Term::Call(name, args) => match (&*name.node, &args[..]) {
                ("shape" | "dtype", [one]) => {
                    let known = match &one.node {
                        Term::Name(leaf) => {
                            self.bound.get(&format!("{name}({})", word(&leaf.node)))
                        }
                        _ => None,
                    };
                    match known {
                        Some(known) => known.clone(),
                        None => return unwritten(),
                    }
                }
                ("rank", [one]) => match &one.node {
                    Term::Name(leaf) => {
                        let shape = self.shape(&word(&leaf.node))?;
                        (self.call("rank", &shape), WrittenKind::Size)
                    }
                    _ => return unwritten(),
                },
                ("len", [one]) => {
                    let shape = self.term(one)?.0;
                    (self.call("rank", &shape), WrittenKind::Size)
                }
                ("prod", [one]) => {
                    let shape = self.term(one)?.0;
                    (self.call("prod", &shape), WrittenKind::Size)
                }
                _ => return unwritten(),
            },
            Term::Index(of, at) => {
                let (of, kind) = self.term(of)?;
                let place = place(&at.node);
                match (kind, place) {
                    (WrittenKind::Shape, Some(place)) => (
                        self.call("at", &format!("{of}, {place}")),
                        WrittenKind::Size,
                    ),
                    _ => return unwritten(),
                }
            }
            Term::Slice(of, from, to) => {
                let (own, kind) = self.term(of)?;
                let place = |end: &Option<Box<Spanned<Term>>>| match end {
                    Some(end) => place(&end.node),
                    None => Some(0),
                };
                // Without these numbers of dims in front and behind.
                match (kind, place(from), place(to)) {
                    (WrittenKind::Shape, Some(from @ 0..), Some(to @ ..=0)) => {
                        let part = self.call("part", &format!("{own}, {from}, {}", -to));
                        (part, WrittenKind::Shape)
                    }
                    _ => return unwritten(),
                }
            }
            Term::Sum(addends) => {
                let mut all = Vec::with_capacity(addends.len());
                for (sign, term) in addends {
                    let text = self.term(term)?.0;
                    all.push(match sign {
                        Sign::Plus => text,
                        Sign::Minus => self.call("minus", &text),
                    });
                }
                let list = match self.language {
                    Language::Python => all.join(", "),
                    Language::Cpp => format!("{{{}}}", all.join(", ")),
                };
                (self.call("sum", &list), WrittenKind::Size)
            }
            _ => return unwritten(),
        })
    }
}

/// The number of a place: `0`, `-1`.
fn place(term: &Term) -> Option<i64> {
    match term {
        Term::Int(n) => i64::try_from(*n).ok(),
        Term::Sum(addends) => match &addends[..] {
            [(Sign::Minus, one)] => place(&one.node).map(|n| -n),
            _ => None,
        },
        _ => None,
    }
}
