"""What NumPy, Aesara, ONNX and PyTensor do, recorded, and what is said of the same from Python: as from Rust."""

import json
import re
from collections import Counter
from pathlib import Path

import kanshape as ks

DATA = Path(__file__).parents[3] / "tests/data"


def rows(path):
    return [json.loads(line) for line in (DATA / path).read_text().splitlines()]


def left_out(row):
    """As `tests/numpy/case.rs` leaves rows out: they don't say what their signature means."""
    inputs, outputs = (re.findall(r"\w+", part) for part in row["signature"].split("->"))
    if row.get("hook") is not None:
        return "hook"
    if row["mode"] == "vectorize" and any(word.isdigit() for word in inputs + outputs):
        return "numeral is name"
    refused = row["outputs"] is None
    if refused and any(word not in inputs and not word.isdigit() for word in outputs):
        return "output unknown"
    if refused and row["signature"].startswith("(3?),(3?)->") and not any(row["inputs"]):
        return "fixed size dropped"
    return None


def test_numpy():
    skipped, wrong, compared = Counter(), [], 0
    for row in rows("numpy/numpy_gufunc_cases.jsonl"):
        if why := left_out(row):
            skipped[why] += 1
            continue
        compared += 1
        signature = ks.Signature("+" + row["signature"])
        answers = signature.solve([ks.Type("f32", shape) for shape in row["inputs"]])
        found = [tuple(ty.shape for ty in answer.outputs) for answer in answers]
        recorded = [] if row["outputs"] is None else [tuple(map(tuple, row["outputs"]))]
        verdict = "always" if recorded else "never"
        if (found, answers.verdict) != (recorded, verdict):
            wrong.append((row["id"], found, answers.verdict))
    assert not wrong
    assert skipped == {"hook": 55, "numeral is name": 12, "output unknown": 1, "fixed size dropped": 1}
    assert compared > 500


def test_aesara():
    def ty(own):
        return ks.Type(own["dtype"], own["shape"])

    facts = rows("aesara/type_facts.jsonl")
    wrong = []
    for row in facts:
        a, b = ty(row["a"]), ty(row["b"])
        if (b <= a) != row["is_super"] or (a <= b and b <= a) != row["equal"]:
            wrong.append(row["id"])
    assert not wrong
    assert len(facts) == 1558


def operand(own):
    if own.get("optional_absent"):
        return "-"
    if own.get("shape") is None or own.get("dtype") is None:
        return None
    ty = f"{own['dtype']}[{', '.join(map(str, own['shape']))}]"
    values = own.get("value")
    if values is not None and all(type(value) in (int, bool) for value in values) and len(values) <= 64:
        ty += f" = [{', '.join(str(value).lower() for value in values)}]"
    return ty


PLAIN = {"int", "ints", "float", "floats", "string", "strings"}


def test_onnx():
    """Calls of which all operands are tensors and all attributes plain: what is recorded is what is found, or one of it."""
    compared, full, wrong = 0, 0, []
    for row in rows("onnx/node_cases.jsonl"):
        operands = row["inputs"] + row["outputs"]
        if any(operand(own) is None for own in operands):
            continue
        if any(set(value) - PLAIN for value in row["attrs"].values()):
            continue
        attrs = {name: next(iter(value.values())) for name, value in row["attrs"].items()}
        domain = row["domain"].removeprefix("ai.") or "onnx"
        rule = ks.Operator(f"{domain}::{row['op']}", row["opset"])
        outputs = [None if not own.get("optional_absent") else "-" for own in row["outputs"]]
        compared += 1
        recorded = [ks.Type(own["dtype"], own["shape"]) for own in row["outputs"] if not own.get("optional_absent")]
        try:
            answers = list(rule.solve([operand(own) for own in row["inputs"]], outputs, attrs=attrs, limit=50))
        except ks.Undecided:
            continue
        except ks.Error as error:
            wrong.append((row["id"], error.headline))
            continue
        found = [[ty for ty in answer.outputs if ty is not None] for answer in answers]
        if not any(admits(types, recorded) for types in found):
            wrong.append((row["id"], [str(answer) for answer in answers]))
        full += all(
            [(ty.dtype, ty.shape) for ty in types] == [(ty.dtype, ty.shape) for ty in recorded] for types in found
        )
    assert not wrong
    print(compared, full)
    assert compared == 845
    assert full > 0.9 * compared


def admits(types, recorded):
    """Can the types be the recorded ones, for some sizes of their names?"""
    open_types = (ks.Type(ty.dtype, [size if isinstance(size, int) else None for size in ty.shape] if ty.shape is not None else None) for ty in types)
    return len(types) == len(recorded) and all(own <= ty for ty, own in zip(open_types, recorded, strict=True))


QUESTIONS = DATA.parent / "pytensor/snapshots/pytensor__questions__questions.snap"


def test_pytensor():
    """The questions that the recorded calls of PyTensor come to, which the Rust tests write down with their answers."""
    _, _, lines = QUESTIONS.read_text().split("---\n", 2)
    questions = [json.loads(line) for line in lines.splitlines()]
    assert len({own["id"] for own in questions}) > 370
    wrong = []
    for own in questions:
        attrs = None if own["axis"] is None else {"axis": ks.Dim(own["axis"])}
        answers = ks.solve(own["rule"], own["inputs"], [own["output"]], attrs=attrs)
        found = [str(answer) for answer in answers]
        if (found, answers.verdict) != (own["answers"], own["verdict"]):
            wrong.append((own, found, answers.verdict))
    assert not wrong
