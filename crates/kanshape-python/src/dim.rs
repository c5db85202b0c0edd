//! [`PyDim`]: a dim that is no plain number, and computes.

use crate::{html, raise};
use kanshape::tree::{Expr, MulOp, Sign, parse_symbolic};
use kanshape::{Dim, Signature, Verdict, shorthand::f32s};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString, PyTuple};
use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::LazyLock;

/// One dim of a shape: `n`, `2*n + 1`.
#[pyclass(frozen, name = "Dim", module = "kanshape")]
pub(crate) struct PyDim(pub(crate) Dim);

/// A dim as Python has it: `None` for an unknown of its own, an `int` for a size, otherwise a `Dim`.
pub(crate) fn python<'py>(py: Python<'py>, dim: &Dim) -> PyResult<Bound<'py, PyAny>> {
    Ok(match dim {
        Dim::Hole => py.None().into_bound(py),
        Dim::Size(size) => size.into_pyobject(py)?.into_any(),
        dim => PyDim(dim.clone()).into_pyobject(py)?.into_any(),
    })
}

/// What Python gives as a dim: `None`, an `int`, a text, a `Dim`, and whatever is an index or has a text that is a dim.
pub(crate) fn read(obj: &Bound<'_, PyAny>) -> PyResult<Dim> {
    if obj.is_none() {
        return Ok(Dim::Hole);
    }
    if let Ok(dim) = obj.cast::<PyDim>() {
        return Ok(dim.get().0.clone());
    }
    if let Ok(text) = obj.cast::<PyString>() {
        return parse(obj.py(), text.to_str()?);
    }
    let index = match obj.cast::<PyInt>() {
        Ok(int) => int.clone(),
        Err(_) => match obj.call_method0("__index__") {
            Ok(index) => index.cast_into::<PyInt>()?,
            // A symbolic size of another library, by its text.
            Err(_) => {
                let text = obj.str()?;
                let text = text.to_str()?;
                let dim = symbolic(text).filter(|_| !obj.is_instance_of::<PyFloat>());
                return dim.ok_or_else(|| raise::wrong_type(format!("`{text}` is no dim")));
            }
        },
    };
    sized(&index).map(Dim::Size)
}

/// A size as another library writes it; `None` if it is none that can be read.
fn symbolic(text: &str) -> Option<Dim> {
    let own = |name: &str| Some(name.to_owned());
    match text.parse() {
        Ok(dim) => Some(dim),
        Err(_) => {
            let expr = parse_symbolic(text, &mut { own })?;
            expr.to_string().parse().ok()
        }
    }
}

/// A size as another library writes it; `None` if it is none that can be read.
#[pyfunction]
pub(crate) fn symbolic_dim<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    match symbolic(text) {
        Some(dim) => python(py, &dim),
        None => Ok(py.None().into_bound(py)),
    }
}

/// A number that is the size of a dim.
fn sized(index: &Bound<'_, PyAny>) -> PyResult<u64> {
    match index.extract::<u64>() {
        Ok(size) if size <= Dim::MAX_SIZE => Ok(size),
        _ => Err(raise::value(format!("{index} is no size of a dim"))),
    }
}

/// A size that is given for a name.
pub(crate) fn size(obj: &Bound<'_, PyAny>) -> PyResult<u64> {
    let Ok(index) = obj.call_method0("__index__") else {
        let class = obj.get_type();
        let class = class.name()?;
        return Err(raise::wrong_type(format!(
            "a size is a whole number, and no {class}"
        )));
    };
    sized(&index)
}

/// The text of something that a dim computes with: a number may be negative, which a dim itself is never.
fn term(obj: &Bound<'_, PyAny>) -> PyResult<String> {
    let index = obj.call_method0("__index__");
    match index.and_then(|index| index.extract::<i64>()) {
        Ok(n) if n < 0 => Ok(n.to_string()),
        _ => Ok(read(obj)?.to_string()),
    }
}

/// What is given for a parameter: a dim, or a number below 0, of which the answer says that it can't be.
pub(crate) fn param(obj: &Bound<'_, PyAny>) -> PyResult<Dim> {
    let text = match obj.cast::<PyString>() {
        Ok(text) => text.to_str()?.to_owned(),
        Err(_) => term(obj)?,
    };
    Dim::param(&text).map_err(|d| raise::text(obj.py(), &d))
}

pub(crate) fn parse(py: Python<'_>, text: &str) -> PyResult<Dim> {
    text.parse().map_err(|d| raise::text(py, &d))
}

/// An expression as Python has it: an `int`, a name, or a tuple of an operator and what it is of. Texts bound how deep it is.
fn tree<'py>(py: Python<'py>, expr: &Expr) -> PyResult<Bound<'py, PyAny>> {
    let call = |name: &str, args: &[Bound<'py, PyAny>]| -> PyResult<Bound<'py, PyAny>> {
        let mut parts = vec![PyString::new(py, name).into_any()];
        parts.extend(args.iter().cloned());
        Ok(PyTuple::new(py, parts)?.into_any())
    };
    Ok(match expr {
        Expr::Int(n) => n.into_pyobject(py)?.into_any(),
        Expr::Name(name) => PyString::new(py, &name.node).into_any(),
        Expr::Nominal(nominal) => nominal.size.node.into_pyobject(py)?.into_any(),
        Expr::Sum(terms) => {
            let mut sum = None;
            for (sign, term) in terms {
                let term = tree(py, term)?;
                sum = Some(match (sum, sign) {
                    (None, Sign::Plus) => term,
                    (None, Sign::Minus) => call("neg", &[term])?,
                    (Some(sum), Sign::Plus) => call("add", &[sum, term])?,
                    (Some(sum), Sign::Minus) => call("sub", &[sum, term])?,
                });
            }
            sum.unwrap_or_else(|| py.None().into_bound(py))
        }
        Expr::Chain(first, rest) => {
            let mut product = tree(py, first)?;
            for (op, factor) in rest {
                let name = match op {
                    MulOp::Mul => "mul",
                    MulOp::FloorDiv => "floordiv",
                    MulOp::Mod => "mod",
                };
                product = call(name, &[product, tree(py, factor)?])?;
            }
            product
        }
        Expr::CeilDiv(a, b) => call("ceildiv", &[tree(py, a)?, tree(py, b)?])?,
        Expr::Call(func, args) => {
            let args = args.iter().map(|arg| tree(py, arg));
            call(&func.to_string(), &args.collect::<PyResult<Vec<_>>>()?)?
        }
        Expr::Run(_) | Expr::List(_) => py.None().into_bound(py),
    })
}

/// The names in a dim.
fn names(dim: &Dim) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match dim {
        Dim::Name(name) => {
            names.insert(name.to_string());
        }
        Dim::Expr(expr) => expr.for_each_name(&mut |name| {
            names.insert(name.to_owned());
        }),
        Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
    }
    names
}

/// The dim in normal form, `2*n` for `n + n`, where it is a size whatever its names are: as the solver writes it.
fn computed(dim: Dim) -> Dim {
    static SAME: LazyLock<Option<Signature>> = LazyLock::new(|| "(x)->(x)".parse().ok());
    let ty = f32s([dim.clone()]);
    let answer = SAME.as_ref().and_then(|same| same.infer(&[ty]).ok());
    let shown = answer.filter(|answer| answer.conditions.is_empty());
    let tensor = shown
        .as_ref()
        .and_then(|answer| answer.outputs[0].as_tensor());
    match tensor.map(|tensor| tensor.shape.known_dims()) {
        Some([shown]) => shown.clone(),
        _ => dim,
    }
}

/// Is it something that a dim computes with?
fn is_dim(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_known = obj.cast::<PyDim>().is_ok()
        || obj.cast::<PyInt>().is_ok()
        || obj.cast::<PyString>().is_ok();
    Ok(is_known || obj.hasattr("__index__")?)
}

impl PyDim {
    fn with(
        &self,
        other: &Bound<'_, PyAny>,
        operator: &str,
        swap: bool,
    ) -> PyResult<Option<PyDim>> {
        if !is_dim(other)? {
            return Ok(None);
        }
        let py = other.py();
        let (own, other) = (self.0.to_string(), term(other)?);
        // `n + -1` is written `n - 1`.
        let negative = other.parse::<i64>().ok().filter(|n| *n < 0);
        let text = match (operator, negative.map(i64::unsigned_abs)) {
            ("+", Some(n)) => format!("({own}) - {n}"),
            ("-", Some(n)) if !swap => format!("({own}) + {n}"),
            _ if swap => format!("({other}) {operator} ({own})"),
            _ => format!("({own}) {operator} ({other})"),
        };
        let dim = parse(py, &text)?;
        Ok(Some(PyDim(py.detach(|| computed(dim)))))
    }
}

/// The most factors of a power.
const MAX_EXPONENT: usize = 16;

impl PyDim {
    /// Whether the relation holds between it and another, whatever sizes their names denote.
    fn holds(&self, other: &Bound<'_, PyAny>, relation: &str) -> PyResult<bool> {
        let py = other.py();
        let (own, other) = (self.0.to_string(), term(other)?);
        let less = Signature::from_str(&format!("(x),(y)->() where x {relation} y"));
        let shifted = match other.parse::<i64>() {
            // A size is no number below 0: both sides are greater by as much.
            Ok(n) if n < 0 => (format!("({own}) + {}", n.unsigned_abs()), "0".to_owned()),
            _ => (own.clone(), other.clone()),
        };
        let sides = [parse(py, &shifted.0)?, parse(py, &shifted.1)?].map(|dim| f32s([dim]));
        let verdict = less.and_then(|less| py.detach(|| less.check(&sides, &[])));
        match verdict.map_err(|d| raise::text(py, &d))? {
            Verdict::Always => Ok(true),
            Verdict::Never => Ok(false),
            _ => Err(raise::undecided(
                py,
                &format!(
                    "whether {own} {relation} {other} depends on the sizes: as a condition it is a text, where=\"{own} {relation} {other}\""
                ),
            )),
        }
    }
}

/// What Python's operators return of something that they don't take.
fn or_not_implemented(py: Python<'_>, dim: Option<PyDim>) -> PyResult<Bound<'_, PyAny>> {
    match dim {
        Some(dim) => python(py, &dim.0),
        None => Ok(py.NotImplemented().into_bound(py)),
    }
}

#[pymethods]
impl PyDim {
    /// A size, a name or an expression.
    #[new]
    fn new(dim: &Bound<'_, PyAny>) -> PyResult<PyDim> {
        match read(dim)? {
            Dim::Hole => Err(raise::value("an unknown dim is None")),
            dim => Ok(PyDim(dim)),
        }
    }
    fn __add__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "+", false)?)
    }

    fn __radd__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "+", true)?)
    }

    fn __sub__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "-", false)?)
    }

    fn __rsub__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "-", true)?)
    }

    fn __mul__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "*", false)?)
    }

    fn __rmul__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "*", true)?)
    }

    fn __floordiv__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "//", false)?)
    }

    fn __rfloordiv__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "//", true)?)
    }

    fn __mod__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "%", false)?)
    }

    fn __rmod__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_not_implemented(py, self.with(other, "%", true)?)
    }

    /// A product of so many of it.
    fn __pow__<'py>(
        &self,
        py: Python<'py>,
        exponent: &Bound<'py, PyAny>,
        modulo: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = exponent.cast::<PyInt>().map(|n| n.extract::<usize>());
        match (count, modulo) {
            (Ok(Ok(0)), None) => Ok(1u64.into_pyobject(py)?.into_any()),
            (Ok(Ok(n)), None) if n <= MAX_EXPONENT => {
                let factors = vec![format!("({})", self.0); n];
                let dim = parse(py, &factors.join(" * "))?;
                python(py, &py.detach(|| computed(dim)))
            }
            (Ok(_), None) => Err(raise::value(format!(
                "a power of a dim is a number from 0 to {MAX_EXPONENT}, and no {exponent}"
            ))),
            _ => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dim = parse(py, &format!("-({})", self.0))?;
        python(py, &py.detach(|| computed(dim)))
    }

    /// The names in it.
    #[getter]
    fn names(&self) -> Vec<String> {
        names(&self.0).into_iter().collect()
    }
    /// Its size where these names have these sizes; `None` if that is not known or no size.
    #[pyo3(signature = (**sizes))]
    fn at(&self, sizes: Option<&Bound<'_, PyDict>>) -> PyResult<Option<u64>> {
        let mut known = Vec::new();
        for (name, size) in sizes.into_iter().flatten() {
            known.push((name.extract::<String>()?, self::size(&size)?));
        }
        let size = |name: &str| known.iter().find(|k| k.0 == name).map(|k| k.1);
        Ok(self.0.at(&size))
    }
    /// As a tree: an `int`, a name, or a tuple of an operator and what it is of.
    fn _tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match &self.0 {
            Dim::Expr(expr) => tree(py, expr)?,
            Dim::Name(name) => PyString::new(py, name.as_str()).into_any(),
            dim => dim.extent().into_pyobject(py)?.into_any(),
        })
    }

    fn __int__(&self) -> PyResult<u64> {
        let size = self.0.extent();
        size.ok_or_else(|| raise::wrong_type(format!("the size of `{}` is not known", self.0)))
    }
    /// A size is equal to its number, everything else to its text as it is written here: then the hashes are equal as well.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let is_equal = match (other.cast::<PyDim>(), &self.0) {
            (Ok(other), own) => other.get().0 == *own,
            (Err(_), Dim::Size(size)) => {
                let index = other.call_method0("__index__");
                index.is_ok_and(|index| index.extract::<u64>().is_ok_and(|n| n == *size))
            }
            (Err(_), own) => match other.cast::<PyString>() {
                Ok(text) => text.to_str().is_ok_and(|text| text == own.to_string()),
                Err(_) => false,
            },
        };
        let equal = match op {
            CompareOp::Eq => is_equal,
            CompareOp::Ne => !is_equal,
            _ if !is_dim(other)? => return Ok(py.NotImplemented()),
            CompareOp::Lt => self.holds(other, "<")?,
            CompareOp::Le => self.holds(other, "<=")?,
            CompareOp::Gt => self.holds(other, ">")?,
            CompareOp::Ge => self.holds(other, ">=")?,
        };
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        match &self.0 {
            Dim::Size(size) => size.into_pyobject(py)?.hash(),
            dim => PyString::new(py, &dim.to_string()).hash(),
        }
    }
    fn __str__(&self) -> String {
        self.0.to_string()
    }
    fn __repr__(&self) -> String {
        format!("Dim('{}')", self.0)
    }
    fn _repr_html_(&self) -> String {
        html::code(&self.0.to_string())
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (slf.get_type(), (slf.get().0.to_string(),))
    }
}
