//! [`Program`]: a module that has been read.

use kanshape::tree::parse_stablehlo;
use kanshape::tree::stablehlo::{Function, Module};
use kanshape::{Condition, Diagnostic, Type};
use std::fmt;

use crate::code;
use crate::ty;

/// A module that has been read.
///
/// It prints as it is written, with one blank where MLIR's printer writes one.
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    module: Module,
}

/// How a module is typed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The types of the inputs of the entry, of all of them; otherwise they are as they are declared, with a name of its own for each
    /// `?`.
    pub inputs: Option<Vec<Type>>,
    /// What holds between the names of these types.
    pub given: Vec<Condition>,
    /// The types that are declared for results are claims that are checked. Otherwise they are believed where nothing else says what a
    /// result is, and ignored elsewhere.
    pub declared: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            inputs: None,
            given: Vec::new(),
            declared: true,
        }
    }
}

impl Program {
    /// Reads a module, in the generic form or as StableHLO and JAX print it. `name` is what messages call the text.
    ///
    /// # Errors
    /// A [`Diagnostic`] with the place of the first mistake.
    pub fn parse(name: &str, text: &str) -> Result<Program, Diagnostic> {
        let module = parse_stablehlo(text).map_err(|mut diagnostic| {
            if let Some(source) = &mut diagnostic.source {
                source.name = name.to_owned();
            }
            diagnostic
        })?;
        Ok(Program {
            name: name.to_owned(),
            module,
        })
    }

    /// The same of what is in a file.
    ///
    /// # Errors
    /// As [`Program::parse`]; and if it is bytecode, or no text.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Program, Diagnostic> {
        if bytes.starts_with(b"ML\xefR") {
            let d = Diagnostic::new(code::BYTECODE, format!("`{name}` is MLIR's bytecode"));
            return Err(d.with_help(
                "make text of it: `stablehlo-translate --deserialize`, or `Exported.mlir_module()` of JAX",
            ));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Program::parse(name, text),
            Err(error) => {
                let headline = format!("`{name}` is no text from byte {} on", error.valid_up_to());
                Err(Diagnostic::new(code::BYTECODE, headline))
            }
        }
    }

    /// What messages call the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its tree.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The inputs of its entry, and the types that are declared for them.
    pub fn inputs(&self) -> Vec<(String, Type)> {
        let functions = self.module.functions();
        let params = entry(&functions).map(|entry| &entry.params[..]);
        let params = params.unwrap_or_default().iter();
        let own = params.map(|param| {
            let declared = self.module.declared(param);
            let ty = declared.as_ref().and_then(ty::of);
            let name = param.name.trim_start_matches('%').to_owned();
            (name, ty.unwrap_or(Type::UNKNOWN))
        });
        own.collect()
    }
}

/// The function that a module is entered by: of those that have a body, `main` or the first one.
pub(crate) fn entry<'f, 'm>(functions: &'f [Function<'m>]) -> Option<&'f Function<'m>> {
    let mut all = functions.iter().filter(|f| !f.is_declared);
    let main = all.clone().find(|f| &*f.name == "main");
    main.or_else(|| all.next())
}

/// The text.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.module.fmt(f)
    }
}
