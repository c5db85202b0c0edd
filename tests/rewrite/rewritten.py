"""Do models that were rewritten do what they did before?

    rewritten.py BEFORE AFTER

AFTER is a folder of models, and BEFORE has the same models, by file name, as they were before they were rewritten. Each has to
pass the checker of onnx, which infers the types itself, unless it did not pass it before. Both are run by onnxruntime, without
its own optimizations, on the same inputs: the types and the values of their outputs have to be the same. Prints what is not
so, and exits with 1 if there is something, or if other models than those listed below can't be run before.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

TESTS = Path(__file__).parent.parent
sys.path += [str(TESTS / "models"), str(TESTS / "released")]

from checker import mistake  # noqa: E402
from replay import by_runtime  # noqa: E402

# What a dim is whose size the model leaves open.
OPEN = 2

# Sums are taken in another order, so the last digits differ.
TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}

# Models that onnxruntime does not run as they are, and why.
NOT_RUN = {
    "joined.onnx": "its types do not fit",
    "one_batch.onnx": "it takes a batch of 1 alone",
    "two_conditions.onnx": "it takes some sizes alone",
    "wrong_initializer.onnx": "its types do not fit",
}

# The newest version of the format that onnxruntime reads.
NEWEST = 13


def value(ty, rng):
    """A value of a type."""
    if ty.HasField("sequence_type"):
        return [value(ty.sequence_type.elem_type, rng)]
    tensor = ty.tensor_type
    shape = [dim.dim_value if dim.HasField("dim_value") else OPEN for dim in tensor.shape.dim]
    dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    if dtype == object or dtype.kind == "U":
        return np.full(shape, "monday")
    if dtype.kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 2, shape).astype(dtype)


def inputs(graph):
    """A value for each input that has none."""
    rng = np.random.default_rng(7)
    own = {tensor.name for tensor in graph.initializer}
    return {one.name: value(one.type, rng) for one in graph.input if one.name not in own}


def same(left, right):
    """Whether two values are equal, floats up to TOLERANCE."""
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind == "f":
        return np.allclose(left, right, equal_nan=True, **TOLERANCE)
    return np.array_equal(left, right)


def run(model, values):
    """What a model makes of values, or why it does not run."""
    model.ir_version = min(model.ir_version, NEWEST)
    try:
        return by_runtime(model, values), None
    except Exception as error:  # Its errors have no common base.
        return None, str(error).splitlines()[0]


def differs(before, after):
    """How a rewritten model differs, or None; and whether the model ran before."""
    refused = mistake(before)
    if not refused and (why := mistake(after)):
        return why, True
    models = [onnx.load(path) for path in (before, after)]
    types = [[(one.name, one.type.SerializeToString()) for one in model.graph.output] for model in models]
    if types[0] != types[1]:
        return "its outputs are declared otherwise", True
    values = inputs(models[0].graph)
    expected, why = run(models[0], values)
    if why:
        return why, False
    found, why = run(models[1], values)
    if why:
        return why, True
    names = [one.name for one in models[0].graph.output]
    others = [name for name, *both in zip(names, expected, found) if not same(*both)]
    return f"other values of {', '.join(others)}" if others else None, True


def main(before, after):
    before = {path.name: path for path in Path(before).rglob("*.onnx")}
    equal = failed = 0
    not_run = set()
    for path in sorted(Path(after).glob("*.onnx")):
        why, ran = differs(before[path.name], path)
        if not ran:
            not_run.add(path.name)
            print(f"{path.name} did not run before: {why}")
        elif why:
            failed += 1
            print(f"{path}: {why}")
        else:
            equal += 1
    print(f"{equal} rewritten models do what they did before, {failed} do not; {len(not_run)} did not run before")
    if not_run != NOT_RUN.keys():
        print(f"not run, and not listed so or the other way round: {sorted(not_run ^ NOT_RUN.keys())}")
        return 1
    return 1 if failed or not equal else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
