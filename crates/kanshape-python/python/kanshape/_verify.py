"""What a report says of a model, against what comes of it when onnxruntime runs it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ._errors import Error
from ._kanshape import Type

_LARGEST = 1 << 24
"""So many elements the inputs of a run have at most, together."""
_LONGEST = 4096
"""Sizes beyond this are not tried."""
_LOOKED_AT = 200
"""So many sizes are looked at for some that a model takes."""
_NUMBER = re.compile(r"(?<![\w.])\d+")
_NAME = re.compile(r"[^\W\d]\w*")


class Run(NamedTuple):
    """A run of a model, and what was said of it."""

    inputs: dict[str, Type]
    """The types of what it was given. What is in a tensor is part of its type where something turns on it."""
    predicted: str
    """``always``: it runs. ``never``: it doesn't. ``depends`` and ``unknown``: nothing is said."""
    error: str | None
    """Why it did not run."""
    outputs: dict[str, Type]
    """The types of what it gave."""
    differences: list[str]
    """What is not as it was said."""

    def __str__(self) -> str:
        given = ", ".join(f"{name} {ty}" for name, ty in self.inputs.items())
        came = "did not run" if self.error is not None else "ran"
        lines = [f"{given}: {self.predicted}, {came}", *(f"  {line}" for line in self.differences)]
        return "\n".join(lines)


class Verification(NamedTuple):
    """Runs of a model at sizes that its conditions allow, and at sizes just outside of these. It is true where all was as it was said."""

    runs: list[Run]

    @property
    def differences(self) -> list[Run]:
        """The runs that were not as it was said."""
        return [run for run in self.runs if run.differences]

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        ran = sum(run.error is None for run in self.runs)
        head = f"{len(self.runs)} runs, {ran} of them to the end, {len(self.differences)} not as it was said"
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


def _session(model: bytes) -> Any:
    try:
        import onnxruntime
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
            why = said.errors[0].headline if said.errors else "the conditions do not hold"
            differences.append(f"it should not run: {why}")
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


def _samples(report: Any, samples: int) -> Iterator[dict[str, Type]]:
    """Types of inputs, all of whose sizes are numbers: first such as the conditions allow, then others, one size after the other."""
    names = _names(report)
    texts = [str(condition) for condition in report.conditions]
    choices = {name: _choices(name, texts) for name in names}
    contents = list(_contents(report))
    base = _base(report, names, choices, contents)
    seen: set[tuple[Any, ...]] = set()
    count = 0
    near = _near(base, names, choices)
    for sizes, held in itertools.product(near, contents):
        if count == samples:
            return
        inputs = _at(report, sizes, held)
        key = tuple((name, str(ty)) for name, ty in inputs.items())
        if key in seen or not _is_small(inputs):
            continue
        seen.add(key)
        count += 1
        yield inputs


def _near(base: dict[str, int], names: list[str], choices: dict[str, list[int]]) -> Iterator[dict[str, int]]:
    """These sizes, and then those with one of them changed: of each name in turn."""
    yield base
    for others in itertools.zip_longest(*(choices[name] for name in names)):
        for name, size in zip(names, others):
            if size is not None and size != base[name]:
                yield {**base, name: size}


def _base(report: Any, names: list[str], choices: dict[str, list[int]], contents: list[dict[str, Any]]) -> dict[str, int]:
    """Sizes that a model takes, as far as some are found soon."""
    longest = max([len(own) for own in choices.values()], default=0)
    # All the same, as many models have it, and one after the other.
    alike: Iterator[dict[str, int]] = (dict.fromkeys(names, size) for size in (2, 3, 4, 8, 16, 32, 64))
    mixed = ({name: choices[name][(i * (k + 1) + k) % len(choices[name])] for k, name in enumerate(names)} for i in range(longest * 4))
    fallback = dict.fromkeys(names, 2)
    for sizes in itertools.islice(itertools.chain(alike, mixed), _LOOKED_AT):
        for held in contents:
            inputs = _at(report, sizes, held)
            if _is_small(inputs) and _said(report, inputs).verdict in ("always", "depends"):
                return sizes
        if not names:
            break
    return fallback


def _names(report: Any) -> list[str]:
    names: dict[str, None] = {}
    for name, ty in report.inputs.items():
        if ty.shape is None:
            headline = f"the rank of the input `{name}` is not known: give its type to `check`"
            raise Error("", headline, f"error: {headline}")
        for axis, dim in enumerate(ty.shape):
            if dim is None:
                names[f"{name}:{axis}"] = None
            elif not isinstance(dim, int):
                names.update(dict.fromkeys(dim.names))
    return list(names)


def _choices(name: str, texts: list[str]) -> list[int]:
    """Sizes for a name: at the limits that conditions have for it, on both sides of them, and small ones."""
    found: dict[int, None] = {}
    for text in texts:
        if name in _NAME.findall(text):
            for number in map(int, _NUMBER.findall(text)):
                found.update(dict.fromkeys((number, number - 1, number + 1, 2 * number)))
    found.update(dict.fromkeys((3, 1, 2, 5, 8, 32)))
    return [size for size in found if 1 <= size <= _LONGEST]


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


def _at(report: Any, sizes: dict[str, int], held: dict[str, Any]) -> dict[str, Type]:
    """The types of the inputs at these sizes, with this in them."""
    inputs: dict[str, Type] = {}
    for name, ty in report.inputs.items():
        dims = [
            sizes[f"{name}:{axis}"] if dim is None else dim if isinstance(dim, int) else dim.at(**{own: sizes[own] for own in dim.names})
            for axis, dim in enumerate(ty.shape)
        ]
        if any(dim is None for dim in dims):
            dims = [0 if dim is None else dim for dim in dims]
        own = Type(shape=dims, dtype=ty.dtype)
        if name in held:
            value = str(held[name]).lower()
            own = Type(f"{own} = [{value}]")
        inputs[name] = own
    return inputs


def _is_small(inputs: dict[str, Type]) -> bool:
    count = 0
    for ty in inputs.values():
        size = 1
        for dim in ty.shape or ():
            size *= int(dim or 0)
        count += size
    return count <= _LARGEST
