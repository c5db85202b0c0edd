//! The command line, and the page in the browser that it shows.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kanshape_cli::{Given, Server};
use pyo3::prelude::*;

/// Runs the program with these arguments, its name among them, and says what it ends with.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| kanshape_cli::run(args))
}

/// The page, shown until this is stopped or forgotten.
#[pyclass(frozen, name = "Server", module = "kanshape._kanshape")]
pub(crate) struct PyServer {
    url: String,
    server: Mutex<Server>,
}

impl PyServer {
    fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyServer {
    /// Shows the page, with a model opened in it: a file, or the bytes of one.
    #[new]
    #[pyo3(signature = (path, name, bytes, port))]
    fn new(
        path: Option<PathBuf>,
        name: &str,
        bytes: Option<&[u8]>,
        port: u16,
    ) -> PyResult<PyServer> {
        let of_bytes = bytes.map(|bytes| Given::Bytes(name.to_owned(), bytes.into()));
        let given = path.map(Given::File).or(of_bytes);
        let server = Server::start(given, port)?;
        Ok(PyServer {
            url: server.url(),
            server: Mutex::new(server),
        })
    }

    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.server().stop());
    }
}
