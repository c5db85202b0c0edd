"""ONNX models."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from . import _kanshape
from ._kanshape import Type


class Condition(NamedTuple):
    """What has to hold for a model."""

    text: str
    """The condition."""
    node: str | None
    """The node that asks for it; ``None`` if it was given."""
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


class Report:
    """What has been found out of a model.

    It pickles with all that was found, so that it can come from another process. The model in it is solved again only where it is
    written or compared there.
    """

    def __init__(self, found: _kanshape.Report, model: bytes, options: dict[str, Any]) -> None:
        self._solved: _kanshape.Report | None = found
        self._asked = (model, options)
        self._texts = (repr(found), found._repr_html_())
        self.verdict = found.verdict
        """Whether the model holds whatever its open dims are: ``always``, ``depends``, ``never``, ``unknown``."""
        self.signature = found.signature
        """The model as one line."""
        self.inputs = found.inputs
        """The types of what has to be given to the model, by name."""
        self.outputs = found.outputs
        """The types of what it gives, by name."""
        self.values = found.values
        """The types of all its values, by name; those in bodies are called ``NODE/BODY/VALUE``."""
        self.conditions = [Condition(*row) for row in found.conditions]
        """What has to hold for it."""
        self.problems = [Problem(*row) for row in found.problems]
        """What is wrong with it, warnings as well."""
        self.untyped = dict(found.untyped)
        """The nodes of which nothing is known, and why."""

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

    @property
    def _found(self) -> _kanshape.Report:
        if self._solved is None:
            model, options = self._asked
            self._solved = _kanshape.check_bytes(model, **options)
        return self._solved

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_solved": None}

    def __repr__(self) -> str:
        return self._texts[0]

    def _repr_html_(self) -> str:
        return self._texts[1]


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

    def __bool__(self) -> bool:
        return bool(self.values or self.ports or self.nodes or any(self.conditions))


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
    """Types an ONNX model: a path, the bytes of one, or a ``ModelProto``.

    ``dims`` has dims of inputs in place of those that the model declares, ``inputs`` whole types of them. ``outputs`` has types
    that values have: what follows for the inputs? ``sizes`` sets names of dims, ``batch`` the first dim of the inputs.
    ``cuts`` has types of values that nodes make, or of weights: these are then inputs.
    What is not checked after ``budget`` steps or ``timeout`` seconds is unknown, and the verdict is ``unknown`` unless it is ``never``.
    """
    options = {
        "dims": dims,
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


def _bytes(model: Any) -> bytes:
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if hasattr(model, "SerializeToString"):
        return bytes(model.SerializeToString())
    # A number would be the descriptor of an open file.
    with open(os.fspath(model), "rb") as file:
        return file.read()
