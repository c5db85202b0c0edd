"""Models, and programs that become models."""

from __future__ import annotations

import io
import os
import re
import sys
from functools import cached_property
from typing import Any, NamedTuple

from . import _kanshape
from ._errors import Error
from ._kanshape import Type
from ._verify import Verification, verify


class Condition(NamedTuple):
    """What has to hold for a model."""

    text: str
    """The condition."""
    node: str | None
    """The node that requires it; ``None`` if it was given."""
    under: list[str]
    """The bodies in which it has to hold."""

    def __str__(self) -> str:
        return self.text


class Problem(NamedTuple):
    """What is wrong with a model, or with what was given of it."""

    severity: str
    """``error`` or ``warning``."""
    code: str
    headline: str
    text: str
    """All of it, for a person."""
    node: str | None
    """The node that it is about."""

    def __str__(self) -> str:
        return self.text


class Assumption(NamedTuple):
    """What torch assumed of a size, and the program does not require."""

    input: str
    """The input that has the size."""
    axis: int
    """Which dim of it, from 0."""
    name: str
    """What the size is called where nothing is assumed of it."""
    assumes: str
    """What is assumed: ``d0 == 64``."""
    requires: list[str]
    """What the program requires of the size: ``d0 % 32 == 0``."""
    text: str
    """All of it, for a person."""

    def __str__(self) -> str:
        return self.text


class Report:
    """What has been found out of a model. Each part of it becomes objects of Python when it is first read.

    It pickles with all that was found, so that it can come from another process. The model in it is solved again only where it is
    written or compared there.
    """

    def __init__(self, found: _kanshape.Report, model: bytes, options: dict[str, Any]) -> None:
        self._solved: _kanshape.Report | None = found
        self._asked = (model, options)

    @cached_property
    def verdict(self) -> str:
        """Whether the model holds whatever its open dims are: ``always``, ``depends``, ``never``, ``unknown``."""
        return self._found.verdict

    @cached_property
    def signature(self) -> str:
        """The model as one line."""
        return self._found.signature

    @cached_property
    def inputs(self) -> dict[str, Type]:
        """The types of what has to be given to the model, by name."""
        return self._found.inputs

    @cached_property
    def outputs(self) -> dict[str, Type]:
        """The types of what it gives, by name."""
        return self._found.outputs

    @cached_property
    def values(self) -> dict[str, Type]:
        """The types of all its values, by name; those in bodies are called ``NODE/BODY/VALUE``."""
        return self._found.values

    @cached_property
    def conditions(self) -> list[Condition]:
        """What has to hold for it."""
        return [Condition(*row) for row in self._found.conditions]

    @cached_property
    def assumed(self) -> list[Assumption]:
        """What torch assumed of sizes beyond what the program requires. It is found out when it is first read, which takes as long as a
        check."""
        return [Assumption(*row) for row in self._found.assumed()]

    @cached_property
    def problems(self) -> list[Problem]:
        """What is wrong with it, warnings as well."""
        return [Problem(*row) for row in self._found.problems]

    @cached_property
    def untyped(self) -> dict[str, str]:
        """The nodes of which nothing is known, and why."""
        return dict(self._found.untyped)

    @property
    def errors(self) -> list[Problem]:
        """What is wrong with it."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def written(self) -> bytes:
        """The bytes of the model with all types written into it."""
        return self._found.written()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the model with all types into a file."""
        written = self.written()
        with open(path, "wb") as file:
            file.write(written)

    def page(self, name: str = "model") -> str:
        """A page in HTML with all of it, as ``kanshape report`` writes it: it opens in a browser without a server."""
        return self._found.page(name)

    def verify(self, session: Any = None, *, samples: int = 24, seed: int = 0) -> Verification:
        """Runs the model with onnxruntime, at sizes that its conditions allow and at sizes just outside of these, and says where what
        comes of it is not as it was said: a model that should run and doesn't, one that runs and shouldn't, an output of another type.

        Without a ``session`` one is made of the model. Another one is anything with the method ``run`` of onnxruntime's sessions. Floats are
        small random numbers, other elements 0; an input of one element on which a condition turns has the values that this speaks of.
        """
        return verify(self, session, samples, seed)

    @property
    def _found(self) -> _kanshape.Report:
        if self._solved is None:
            model, options = self._asked
            self._solved = _kanshape.check_bytes(model, **options)
        return self._solved

    def _parts(self) -> dict[str, Any]:
        return {part: getattr(self, part) for part in _PARTS}

    def __getstate__(self) -> dict[str, Any]:
        return {**self._parts(), "_solved": None, "_asked": self._asked}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<kanshape.Report {self.verdict}: {self.signature}>"

    def _repr_html_(self) -> str:
        rows = [(f"input {name}", str(own)) for name, own in self.inputs.items()]
        rows += [(f"output {name}", str(own)) for name, own in self.outputs.items()]
        rows += [("where", one.text) for one in self.conditions]
        return _kanshape.html_table(rows)


_PARTS = ("verdict", "signature", "inputs", "outputs", "values", "conditions", "problems", "untyped")


class Difference(NamedTuple):
    """What is other in a second model than in a first one."""

    values: list[tuple[str, Type | None, Type | None]]
    """Values with other types, or that only one model has."""
    ports: tuple[Any, Any] | None
    """The names of inputs and outputs in both, if these are not the same."""
    nodes: list[tuple[str | None, str | None]]
    """Nodes that are written otherwise, or that only one model has."""
    conditions: tuple[list[str], list[str]]
    """Conditions that only the first model has, and those that only the second one has."""
    sizes: list[str]
    """Sizes that the second model has lost or fixed, where the models are of different systems: a program of torch, and the ONNX made of it."""
    renamed: int
    """How many values are the same in both under other names. That alone is no difference."""

    def _repr_html_(self) -> str:
        rows = [(f"value {name}", f"{_shown(a)} | {_shown(b)}") for name, a, b in self.values]
        if self.ports is not None:
            rows += [("inputs and outputs", _shown(own)) for own in self.ports]
        rows += [("node", f"{_shown(a)} | {_shown(b)}") for a, b in self.nodes]
        rows += [("size", text) for text in self.sizes]
        rows += [(f"only where, {i}", text) for i, texts in zip(("first", "second"), self.conditions) for text in texts]
        return _kanshape.html_table(rows)

    def __bool__(self) -> bool:
        return bool(self.values or self.ports or self.nodes or self.sizes or any(self.conditions))


def check(
    model: Any,
    *,
    dims: dict[str, Any] | None = None,
    inputs: dict[str, Any] | None = None,
    outputs: dict[str, Any] | None = None,
    sizes: dict[str, int] | None = None,
    batch: Any = None,
    cuts: dict[str, Any] | None = None,
    trust_annotations: bool = False,
    budget: int | None = None,
    timeout: float | None = None,
) -> Report:
    """Types an ONNX model, a path, the bytes of one or a ``ModelProto``; or a program that torch has exported, the path or the bytes of
    its archive, or the ``ExportedProgram`` itself; or a module of StableHLO, the path or the text of it, or what has one: a
    ``jax.export.Exported``, whose symbolic dims are names, or a ``Lowered``.

    ``dims`` has dims of inputs in place of those that the model declares, ``inputs`` whole types of them. ``outputs`` has types
    that values have: what follows for the inputs? ``sizes`` sets names of dims, ``batch`` the first dim of the inputs.
    ``cuts`` has types of values that nodes make, or of weights: these are then inputs.
    What is not checked after ``budget`` steps or ``timeout`` seconds is unknown, and the verdict is ``unknown`` unless it is ``never``.
    """
    options = {
        "dims": {**_symbolic(model, {*(dims or ()), *(inputs or ())}), **(dims or {})},
        "inputs": inputs,
        "outputs": outputs,
        "sizes": sizes,
        "batch": batch,
        "cuts": cuts,
        "trust_annotations": trust_annotations,
        "budget": budget,
        "timeout": timeout,
    }
    data = _bytes(model)
    return Report(_kanshape.check_bytes(data, **options), data, options)


def diff(first: Any, second: Any, **options: Any) -> Difference:
    """What is other in a second model: reports, or what ``check`` takes, with options for both."""
    reports = [model if isinstance(model, Report) else check(model, **options) for model in (first, second)]
    return Difference(*_kanshape.diff_reports(*(report._found for report in reports)))


def _shown(part: Any) -> str:
    return "-" if part is None else str(part)


_MODULE = re.compile(r"(\s|//[^\n]*\n)*(module\b|func\.func\b|\"builtin\.module\"|#loc)")
_HEAD = re.compile(r"@main\((.*?)\)\s*(?:->|\{|attributes)", re.S)


def _module(model: Any) -> str | None:
    """The text of a module of StableHLO: the model is one, or has one, as what JAX exports or lowers."""
    if isinstance(model, str):
        return model if "\n" in model and _MODULE.match(model) else None
    for name in ("mlir_module", "as_text"):
        give = getattr(model, name, None)
        if callable(give):
            text = str(give())
            if not _MODULE.match(text):
                headline = f"`{name}()` gives no module of StableHLO: what `jax.export.export` or `lower` gives has one"
                raise Error("", headline, f"error: {headline}")
            return text
    return None


def _symbolic(model: Any, given: set[str]) -> dict[str, list[Any]]:
    """The dims of the inputs of what JAX has exported, with JAX's names, but for those of which something is given."""
    avals = getattr(model, "in_avals", None)
    if avals is None or not hasattr(model, "mlir_module"):
        return {}
    head = _HEAD.search(_module(model) or "")
    if head is None:
        return {}
    names = re.findall(r"%(\w+)\s*:\s*tensor", head[1])
    kept = getattr(model, "module_kept_var_idx", None)
    kept = range(len(avals)) if kept is None else kept
    # Before them stands which platform it is, where there are several.
    names = names[max(len(names) - len(kept), 0) :]
    dims: dict[str, list[Any]] = {}
    for name, place in zip(names, kept):
        shape = [_dim(size) for size in avals[place].shape]
        if name not in given and any(isinstance(size, str) for size in shape):
            dims[name] = shape
    return dims


def _dim(size: Any) -> int | str | None:
    """A dim of JAX; ``None`` of one that is written in a way that is not known here."""
    if isinstance(size, int):
        return size
    try:
        shape = str(Type((size,)))
    except (Error, TypeError):
        return None
    return shape[shape.index("[") + 1 : -1]


def _bytes(model: Any) -> bytes:
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if hasattr(model, "SerializeToString"):
        return bytes(model.SerializeToString())
    text = _module(model)
    if text is not None:
        return text.encode()
    if hasattr(model, "graph_module") and hasattr(model, "graph_signature"):
        # Whoever has such a program has torch.
        archive = io.BytesIO()
        sys.modules["torch"].export.save(model, archive)
        return archive.getvalue()
    if isinstance(model, str) and "\n" in model:
        start = model.strip().partition("\n")[0][:60]
        headline = f"this is a text, `{start}` .., and no ONNX model: a path, the bytes of one, or a ModelProto"
        raise Error("", headline, f"error: {headline}")
    # A number would be the descriptor of an open file.
    with open(os.fspath(model), "rb") as file:
        return file.read()
