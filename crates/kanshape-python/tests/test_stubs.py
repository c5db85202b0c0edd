"""The stubs say what there is, and type checkers take them."""

import subprocess
import sys
from importlib.resources import files

import kanshape


def test_mypy_takes_the_package():
    run = [sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", "-p", "kanshape"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_has_what_the_extension_has():
    run = [sys.executable, "-m", "mypy.stubtest", "kanshape._kanshape", "--ignore-disjoint-bases"]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_marked_as_typed():
    assert files(kanshape).joinpath("py.typed").is_file()
