"""The stubs say what there is, and type checkers take them."""

import ast
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import kanshape

BROKEN = Path(__file__).parents[3] / "tests/data/models/broken/wrong_perm.onnx"


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


def properties(stub):
    """What the stub says of each property, by class and name."""
    found = {}
    for node in ast.parse(stub).body:
        for own in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(own, ast.FunctionDef) and any(ast.unparse(d) == "property" for d in own.decorator_list):
                found[node.name, own.name] = own.returns
    return found


def allows_none(said):
    return any(ast.unparse(part) in ("None", "Any") for part in ast.walk(said))


def has_none(value):
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return value is None
    return any(map(has_none, value))


def test_what_can_be_none_is_so_in_the_stub():
    said = properties(files(kanshape).joinpath("_kanshape.pyi").read_text())
    conv = ["f32[1, 3, 8, 8]", "f32[4, 3, 3, 3]", "-"]
    dropout = kanshape.infer("onnx::Dropout", "f32[7]", "-", "-", outputs=["-", "?"])
    open_param = kanshape.infer("[s] (n)->(n)", "f32[2]")
    model = kanshape.check(BROKEN, sizes={"nobody": 1})
    values = [
        *map(kanshape.Type, ("?", "?[...]", "f32[?]", "i64[2] = [1, ?]")),
        kanshape.infer("onnx::Conv", *conv),
        dropout,
        open_param,
        next(kanshape.solve("onnx::Concat", ["f32[2, 3]", "f32[2, 5]"], ["f32[2, 8]"], attrs={"axis": None})),
        kanshape.Operator("onnx::Conv"),
        kanshape.Operator("onnx::Relu").prepare(1),
        kanshape.solve("(n)->(n)"),
        model._found,
    ]
    assert None in values[4].inputs and None in dropout.outputs
    seen = set()
    for value in values:
        for (name, own), of in said.items():
            if type(value).__name__ == name and has_none(getattr(value, own)):
                assert allows_none(of), f"{name}.{own} can be None"
                seen.add((name, own))
    assert {("Answer", "inputs"), ("Answer", "outputs"), ("Type", "dtype"), ("Type", "shape"), ("Report", "problems")} <= seen


def test_it_is_marked_as_typed():
    assert files(kanshape).joinpath("py.typed").is_file()
