//! [`Loaded`]: what can be named: the catalogs, and the files of `--load`. [`Subject`]: what a name stands for.

use std::fmt;
use std::path::PathBuf;

use kanshape::{Diagnostic, Operator, Relations, Signature, catalog::Catalog, onnx, suggest};

use crate::catalog;
use crate::exit::Failure;
use crate::mistake;
use crate::screen::Screen;

/// What a question is about.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    Signature(Signature),
    Operator(Operator),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Signature(signature) => signature.fmt(f),
            Subject::Operator(operator) => f.write_str(operator.text()),
        }
    }
}

/// The operators and relations that can be named. Those of ONNX are read when the first of them is asked for.
#[derive(Default)]
pub(crate) struct Loaded {
    own: Option<Own>,
}

/// The files of `--load`, on top of those of ONNX.
struct Own {
    relations: Relations,
    names: Vec<String>,
}

impl Own {
    /// Is it an operator of these files?
    fn has(&self, operator: &Operator) -> bool {
        self.names.iter().any(|file| *file == operator.file())
    }
}

impl Loaded {
    /// Reads these files. What they warn of is shown.
    pub(crate) fn new(paths: &[PathBuf], screen: &Screen) -> Result<Loaded, Failure> {
        if paths.is_empty() {
            return Ok(Loaded::default());
        }
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|e| mistake::unreadable(&name, e))?;
            files.push((name, text));
        }
        let texts = files.iter().map(|(name, text)| (&**name, &**text));
        let relations = onnx().with(texts)?;
        for warning in relations.warnings() {
            screen.diagnostic(&warning)?;
        }
        let names = files.into_iter().map(|(name, _)| name).collect();
        Ok(Loaded {
            own: Some(Own { relations, names }),
        })
    }

    /// All relations and operators.
    pub(crate) fn relations(&self) -> &Relations {
        self.own
            .as_ref()
            .map_or_else(|| onnx(), |own| &own.relations)
    }

    /// What a text stands for: an operator, by its name, or a signature, written out or by its name.
    pub(crate) fn subject(&self, text: &str, opset: Option<u64>) -> Result<Subject, Diagnostic> {
        let word = text.trim();
        if is_name(word) && (word.contains("::") || self.own_operator(word).is_some()) {
            return self.operator(word, opset).map(Subject::Operator);
        }
        if opset.is_some() {
            return Err(mistake::only_of_operators("--opset"));
        }
        self.signature(word).map(Subject::Signature)
    }

    /// An operator by its name, as it is in a version.
    pub(crate) fn operator(&self, name: &str, opset: Option<u64>) -> Result<Operator, Diagnostic> {
        let relations = self.relations();
        if let Some(own) = self.own_operator(name) {
            return relations.operator(&own.full_name(), opset);
        }
        relations
            .operator(name, opset)
            .map_err(|d| match relations.operator(name, None) {
                // It is there, but not yet.
                Ok(_) => d,
                Err(_) => self.near(name, d),
            })
    }

    /// The signature that a text is, or that has this name.
    pub(crate) fn signature(&self, text: &str) -> Result<Signature, Diagnostic> {
        let word = text.trim();
        if !is_name(word) {
            return text.parse();
        }
        if word.contains("::") {
            let operator = self.operator(word, None)?;
            return Err(mistake::no_signature(&operator.full_name()));
        }
        if let Some(own) = &self.own
            && own.relations.names().any(|name| name == word)
            && (Catalog::builtin().get(word).is_none() || !onnx().names().any(|name| name == word))
        {
            return own.relations.signature(word);
        }
        catalog::signature(word).map_err(|d| self.near(word, d))
    }

    /// All operators, every version of them, in the order of their names, and the newest first.
    pub(crate) fn all(&self) -> Vec<Operator> {
        self.relations().operators().collect()
    }

    /// The operators of this domain and of those within it: `onnx` stands for all that begin with it.
    pub(crate) fn domain(&self, name: &str) -> Vec<Operator> {
        let name = name.trim();
        let is_meant = |op: &Operator| {
            let own = op.domain().strip_prefix("ai.").unwrap_or(op.domain());
            let within = own.strip_prefix(name);
            !name.is_empty() && within.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        // A signature of the first catalog is no domain: nothing is read for its sake.
        match Catalog::builtin().get(name) {
            Some(_) => Vec::new(),
            None => self.relations().operators().filter(is_meant).collect(),
        }
    }

    /// All versions of an operator, the oldest first.
    pub(crate) fn versions(&self, operator: &Operator) -> Vec<Operator> {
        let is_same =
            |op: &Operator| op.name() == operator.name() && op.domain() == operator.domain();
        let mut all: Vec<Operator> = self.relations().operators().filter(is_same).collect();
        all.sort_by_key(Operator::since);
        all
    }

    /// The operators of the files that were loaded, or all if none was.
    pub(crate) fn own_operators_or_all(&self) -> Vec<Operator> {
        let all = self.relations().operators();
        match &self.own {
            Some(own) => all.filter(|op| own.has(op)).collect(),
            None => all.collect(),
        }
    }

    /// The operator of this name in the files that were loaded.
    fn own_operator(&self, name: &str) -> Option<Operator> {
        let own = self.own.as_ref()?;
        let mut all = own.relations.operators();
        all.find(|op| op.name() == name && own.has(op))
    }

    /// The same mistake with the name that is probably meant, of a signature or an operator.
    fn near(&self, word: &str, diagnostic: Diagnostic) -> Diagnostic {
        let mut operators: Vec<Operator> = self.relations().operators().collect();
        // Among equals, what somebody wrote for himself is what he means.
        let is_own = |op: &Operator| self.own.as_ref().is_some_and(|own| own.has(op));
        operators.sort_by_key(|op| !is_own(op));
        let full: Vec<String> = operators.iter().map(Operator::full_name).collect();
        let bare: Vec<&str> = operators.iter().map(Operator::name).collect();
        let last = word.rsplit("::").next().unwrap_or(word);
        let of_bare = |name: &str| bare.iter().position(|other| *other == name);
        // The domain is easily left out, or another one's.
        let same = bare.iter().position(|name| name.eq_ignore_ascii_case(last));
        let near = || match word.contains("::") {
            true => {
                let full = suggest(word, full.iter().map(String::as_str));
                full.or_else(|| suggest(last, bare.iter().copied()))
            }
            false => {
                let (own, others) = bare.split_at(operators.partition_point(is_own));
                let catalog = Catalog::builtin().names();
                let all = own.iter().copied().chain(catalog);
                suggest(word, all.chain(others.iter().copied()))
            }
        };
        let near = match same {
            Some(at) => Some(full[at].as_str()),
            None => near().map(|near| of_bare(near).map_or(near, |at| full[at].as_str())),
        };
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "`kanshape catalog` lists the names; a signature has an arrow, `(n)->()`".into()
            }
        };
        Diagnostic {
            help: vec![help],
            ..diagnostic
        }
    }
}

/// Is this a name, and no signature?
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.-:".contains(c))
}
