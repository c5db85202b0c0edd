"""What a report says of a model, against what comes of it when onnxruntime runs it."""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from ._errors import Error
from ._kanshape import Type

_LARGEST = 1 << 24
"""The most elements that the inputs of a run have together."""
_LONGEST = 4096
"""Sizes beyond this are not tried."""
_EXAMINED = 200
"""The most sizes that are examined to find some that a model takes."""
_NUMBER = re.compile(r"(?<![\w.])\d+")
_NAME = re.compile(r"[^\W\d]\w*")


class Run(NamedTuple):
    """A run of a model, with its prediction."""

    inputs: dict[str, Type]
    """The types of its inputs. Contents are part of a type where something depends on them."""
    predicted: str
    """``always``: it runs. ``never``: it doesn't. ``depends`` and ``unknown``: nothing is predicted."""
    error: str | None
    """Why it did not run."""
    outputs: dict[str, Type]
    """The types of its outputs."""
    differences: list[str]
    """What differs from the prediction, a line each."""

    def __str__(self) -> str:
        given = ", ".join(f"{name} {ty}" for name, ty in self.inputs.items())
        came = "did not run" if self.error is not None else "ran"
        lines = [f"{given}: {self.predicted}, {came}", *(f"  {line}" for line in self.differences)]
        return "\n".join(lines)


class Verification(NamedTuple):
    """Runs of a model at sizes that its conditions allow, and at sizes just outside them. True if all are as predicted."""

    runs: list[Run]

    @property
    def differences(self) -> list[Run]:
        """The runs that differ from the prediction."""
        return [run for run in self.runs if run.differences]

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        ran = sum(run.error is None for run in self.runs)
        head = f"{len(self.runs)} runs, {ran} completed, {len(self.differences)} other than predicted"
        return "\n".join([head, *map(str, self.differences)])


def verify(report: Any, session: Any, samples: int, seed: int) -> Verification:
    """Runs what a report is about."""
    # Whoever runs a model has NumPy.
    import numpy as np

    if session is None:
        session = _session(report._asked[0])
    random = np.random.default_rng(seed)
    runs = []
    for inputs in _samples(report, samples):
        runs.append(_run(report, session, inputs, random, np))
    return Verification(runs)


def main() -> None:
    """What ``kanshape check --run`` starts: it reads a model and its options as JSON from standard input, and prints its runs as JSON."""
    from ._models import check

    request = json.load(sys.stdin)
    try:
        report = check(request["model"], **request["options"])
        # Its data may stand in files beside it.
        found = verify(report, _session(request["model"]), 24, 0)
    except Exception as why:
        refused = why.headline if isinstance(why, Error) else str(why) or type(why).__name__
        reply: dict[str, Any] = {"refused": refused}
    else:
        reply = {
            "count": len(found.runs),
            "finished": sum(run.error is None for run in found.runs),
            "differences": [
                {
                    "inputs": {name: str(ty) for name, ty in run.inputs.items()},
                    "predicted": run.predicted,
                    "error": run.error,
                    "lines": run.differences,
                }
                for run in found.differences
            ],
        }
    json.dump(reply, sys.stdout)


def _session(model: bytes | str) -> Any:
    try:
        onnxruntime: Any = import_module("onnxruntime")
    except ImportError:
        headline = "onnxruntime is not installed: give `verify` a session, or anything else with such a method `run`"
        raise Error("", headline, f"error: {headline}") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _said(report: Any, inputs: dict[str, Type]) -> Any:
    """What is said of these inputs."""
    from ._models import check

    model, options = report._asked
    kept = {name: options[name] for name in ("cuts", "trust_annotations", "budget", "timeout") if options[name]}
    return check(model, inputs=inputs, **kept)


def _run(report: Any, session: Any, inputs: dict[str, Type], random: Any, np: Any) -> Run:
    said = _said(report, inputs)
    given = {name: _array(ty, random, np) for name, ty in inputs.items()}
    names = list(said.outputs)
    differences: list[str] = []
    outputs: dict[str, Type] = {}
    error = None
    try:
        found = session.run(names, given)
    except Exception as why:
        error = str(why)
        if said.verdict == "always":
            differences.append(f"it should run: {error.splitlines()[0] if error else type(why).__name__}")
    else:
        for name, array in zip(names, found):
            predicted = said.outputs[name]
            if not (hasattr(array, "shape") and hasattr(array, "dtype")):
                continue
            own = Type(shape=array.shape, dtype=_dtype(array, np))
            outputs[name] = own
            if said.verdict != "never" and not own <= _bare(predicted):
                differences.append(f"{name} is {own}, and should be {predicted}")
        if said.verdict == "never":
            headline = said.errors[0].headline if said.errors else "the conditions do not hold"
            differences.append(f"it should not run: {headline}")
    return Run(inputs, said.verdict, error, outputs, differences)


def _dtype(array: Any, np: Any) -> Any:
    return "str" if array.dtype == np.dtype(object) or array.dtype.kind in "US" else array.dtype


def _bare(ty: Type) -> Type:
    """A type without what is known of what is in it."""
    return Type(shape=ty.shape, dtype=ty.dtype) if ty.shape is not None and ty.dtype is not None else ty


def _array(ty: Type, random: Any, np: Any) -> Any:
    shape = tuple(ty.shape or ())
    if ty.dtype is None:
        raise Error("", f"nothing can be made of the type {ty}", f"error: nothing can be made of the type {ty}")
    if ty.dtype == "str":
        return np.full(shape, "", dtype=object)
    if ty.contents is not None:
        return np.array(ty.contents, dtype=ty.dtype).reshape(shape)
    dtype = np.dtype(ty.dtype)
    if dtype.kind in "fc":
        return (random.standard_normal(shape) / 8).astype(dtype)
    # Numbers of words and places are 0 wherever they are bounded.
    return np.zeros(shape, dtype)


class _Sizes:
    """The sizes of the inputs of a model that can be chosen, and what is worth trying for them."""

    def __init__(self, report: Any) -> None:
        self.types: dict[str, Type] = report.inputs
        self.dims: dict[str, list[Any]] = {}
        for name, ty in self.types.items():
            if ty.shape is None:
                headline = f"the rank of the input `{name}` is not known: give its type to `check`"
                raise Error("", headline, f"error: {headline}")
            self.dims[name] = list(ty.shape)
        found: dict[str, list[int]] = {}
        # What conditions have made of a dim that was open can be tried otherwise.
        for name, axis, own in report._found.free:
            dim = self.dims[name][axis]
            found.setdefault(own, []).extend([dim] if isinstance(dim, int) else [])
            self.dims[name][axis] = own
        for name, dims in self.dims.items():
            for axis, dim in enumerate(dims):
                if dim is None:
                    dims[axis] = f"{name}:{axis}"
        self.names = list(dict.fromkeys(own for dims in self.dims.values() for dim in dims for own in _names(dim)))
        texts = [str(condition) for condition in report.conditions]
        self.choices = {name: _choices(name, found.get(name, []), texts) for name in self.names}

    def at(self, sizes: dict[str, int], held: dict[str, Any]) -> dict[str, Type] | None:
        """The types of the inputs at these sizes, with this in them; ``None`` where that is no size, or too large."""
        inputs: dict[str, Type] = {}
        count = 0
        for name, ty in self.types.items():
            dims = [_at(dim, sizes) for dim in self.dims[name]]
            if None in dims:
                return None
            elements = 1
            for dim in dims:
                elements *= int(dim or 0)
            count += elements
            own = Type(shape=dims, dtype=ty.dtype)
            inputs[name] = Type(f"{own} = [{str(held[name]).lower()}]") if name in held else own
        return inputs if count <= _LARGEST else None

    def base(self, report: Any, contents: list[dict[str, Any]]) -> dict[str, int]:
        """Sizes that the model takes, as far as some are found soon."""
        first = {name: self.choices[name][0] for name in self.names}
        # One after the other, and all the same, as many models have it.
        longest = max([len(own) for own in self.choices.values()], default=1)
        ways = [{name: own[(i * (k + 1)) % len(own)] for k, (name, own) in enumerate(self.choices.items())} for i in range(longest)]
        ways += [{**first, **dict.fromkeys(some, size)} for some in _alike(self.names) for size in (2, 3, 4, 8, 16, 32, 64)]
        for sizes in itertools.islice(ways, _EXAMINED):
            for held in contents:
                inputs = self.at(sizes, held)
                if inputs is not None and _said(report, inputs).verdict in ("always", "depends"):
                    return sizes
        return first

    def near(self, base: dict[str, int]) -> Iterator[dict[str, int]]:
        """These sizes, and then those with one of them changed: of each name in turn."""
        yield base
        for others in itertools.zip_longest(*(self.choices[name] for name in self.names)):
            for name, size in zip(self.names, others):
                if size is not None and size != base[name]:
                    yield {**base, name: size}


def _samples(report: Any, samples: int) -> Iterator[dict[str, Type]]:
    """Types of inputs, all of whose sizes are numbers: first such as the conditions allow, then others, one size after the other."""
    sizes = _Sizes(report)
    contents = list(_contents(report))
    base = sizes.base(report, contents)
    seen: set[tuple[str, ...]] = set()
    for chosen, held in itertools.product(sizes.near(base), contents):
        if len(seen) == samples:
            return
        inputs = sizes.at(chosen, held)
        if inputs is None:
            continue
        key = tuple(map(str, inputs.values()))
        if key not in seen:
            seen.add(key)
            yield inputs


def _names(dim: Any) -> list[str]:
    return [dim] if isinstance(dim, str) else [] if isinstance(dim, int) else dim.names


def _at(dim: Any, sizes: dict[str, int]) -> int | None:
    if isinstance(dim, str):
        return sizes[dim]
    return dim if isinstance(dim, int) else dim.at(**{own: sizes[own] for own in dim.names})


def _alike(names: list[str]) -> list[list[str]]:
    """All of them, or all but one."""
    return [names, *([other for other in names if other != name] for name in names)]


def _choices(name: str, found: list[int], texts: list[str]) -> list[int]:
    """Sizes for a name: what it has come to be, the limits that conditions have for it and what is on the other side of them, small ones."""
    numbers = [*found]
    for text in texts:
        if name in _NAME.findall(text):
            numbers += map(int, _NUMBER.findall(text))
    sizes = dict.fromkeys(size for number in numbers for size in (number, number - 1, number + 1, 2 * number))
    sizes.update(dict.fromkeys((3, 1, 2, 5, 8, 32)))
    return [size for size in sizes if 1 <= size <= _LONGEST]


def _contents(report: Any) -> Iterator[dict[str, Any]]:
    """What is in inputs of one element, of which conditions say what turns on it: each of the values, and another one."""
    texts = " ".join(" ".join(condition.under) + " " + str(condition) for condition in report.conditions)
    choices: dict[str, list[Any]] = {}
    for name, ty in report.inputs.items():
        if ty.shape is None or any(dim != 1 for dim in ty.shape) or ty.dtype is None:
            continue
        if ty.dtype == "bool":
            choices[name] = [False, True]
        elif ty.dtype.startswith(("int", "uint")):
            own = re.findall(rf"(?<!\w){re.escape(name)} (?:[=!<>]=|[<>]) (-?\d+)", texts)
            numbers = dict.fromkeys(int(number) + more for number in own for more in (0, 1))
            choices[name] = [*numbers] or [0]
    for values in itertools.islice(itertools.product(*choices.values()), 64):
        yield dict(zip(choices, values))
