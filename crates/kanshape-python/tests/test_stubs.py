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


USER = """
from typing import Annotated
import kanshape as ks
import numpy as np

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]

@ks.checked("(m,n),(n,p)->(m,p)")
def product(x: Matrix, y: Matrix) -> Matrix:
    found: Matrix = np.matmul(x, y)
    return found

@ks.checked
def same(x: Annotated[Matrix, ks.T("f64[n, m]")]) -> Annotated[Matrix, ks.T("f64[n, m]")]:
    return x

reveal_type(product)
reveal_type(same)
rank: int | None = ks.infer("(m,n),(n,p)->(m,p)", product(np.ones((2, 2)), np.ones((2, 2))), None).outputs[0].rank
for answer in ks.Signature("(n)->(n)").solve(["f32[n]"]):
    print(answer.where, answer.verdict)
"""


def test_mypy_takes_what_a_user_writes(tmp_path):
    user = tmp_path / "user.py"
    user.write_text(USER)
    run = [sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", str(user)]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = [line for line in done.stdout.splitlines() if "Revealed" in line]
    assert len(shown) == 2 and all("def (x:" in line for line in shown), done.stdout


def test_it_is_marked_as_typed():
    assert files(kanshape).joinpath("py.typed").is_file()
