//! Numbers of steps, answers, dims and versions, as Python gives them.

use crate::raise;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// A number from 0 on, or `None`. One that is larger than any number here is the largest: as a bound it says the same.
pub(crate) fn count(obj: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if obj.is_none() {
        return Ok(None);
    }
    let index = obj.call_method0("__index__");
    let Ok(index) = index.and_then(|index| Ok(index.cast_into::<PyInt>()?)) else {
        let class = obj.get_type();
        let class = class.name()?;
        return Err(raise::wrong_type(format!(
            "a whole number is expected, and no {class}"
        )));
    };
    if index.lt(0)? {
        return Err(raise::value(format!(
            "a number from 0 on is expected, and no {index}"
        )));
    }
    Ok(Some(index.extract().unwrap_or(u64::MAX)))
}

/// The same, as a length in memory.
pub(crate) fn length(obj: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let count = count(obj)?;
    Ok(count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)))
}

/// The same, where it has to be given.
pub(crate) fn given_length(obj: &Bound<'_, PyAny>) -> PyResult<usize> {
    length(obj)?.ok_or_else(|| raise::wrong_type("a whole number is expected, and no None"))
}
