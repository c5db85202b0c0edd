"""What NumPy and PyTensor can read of a signature: how many core dims each operand has, and which of them are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_NAME = re.compile(r"[^\W\d]\w*")
_PREFIX = re.compile(r"[+=]\d*")


class Core(NamedTuple):
    """The operands of a signature, as lists of dims as they are written."""

    prefix: str
    """What stands in front of all operands, for batch dims: ``+``, ``=2``, or nothing."""
    inputs: list[list[str]]
    outputs: list[list[str]]

    @property
    def has_runs(self) -> bool:
        """Is it open how many dims an operand has, but for batch dims and optional ones?"""
        return any(dim.startswith(".") for dims in (*self.inputs, *self.outputs) for dim in dims)

    def ranks(self, given: Sequence[int]) -> list[int] | None:
        """How many core dims inputs of these ranks have; the others are batch dims. ``None`` if that is open."""
        if self.has_runs or len(given) != len(self.inputs):
            return None
        dropped: set[str] = set()
        for dims, rank in zip(self.inputs, given, strict=True):
            optional = [dim for dim in dims if dim.endswith("?")]
            dropped.update(optional[: max(len(dims) - rank, 0)])
        return [len(dims) - sum(dim in dropped for dim in dims) for dims in self.inputs]

    def reduced(self) -> str | None:
        """The signature that NumPy reads: each dim that is no name has a new name, one that is written alike the same.

        Dtypes and conditions are dropped. A run in front of all operands is batch dims; ``None`` if there is another one.
        """
        inputs, outputs = self.inputs, self.outputs
        if self._has_leading_runs():
            inputs, outputs = ([dims[1:] for dims in operands] for operands in (inputs, outputs))
        if not outputs or any(dim.startswith(".") for dims in (*inputs, *outputs) for dim in dims):
            return None
        taken = {dim.removesuffix("?") for dims in (*inputs, *outputs) for dim in dims}
        names: dict[str, str] = {}

        def name(dim: str) -> str:
            dim = dim.removesuffix("?")
            if _NAME.fullmatch(dim):
                return dim
            if dim not in names:
                number = len(names)
                while f"d{number}" in taken:
                    number += 1
                names[dim] = f"d{number}"
                taken.add(names[dim])
            return names[dim]

        def written(operands: list[list[str]]) -> str:
            return ",".join(f"({','.join(map(name, dims))})" for dims in operands)

        return f"{written(inputs)}->{written(outputs)}"

    def _has_leading_runs(self) -> bool:
        operands = [*self.inputs, *self.outputs]
        return bool(operands) and all(dims and dims[0] == "..." for dims in operands)


def core(text: str) -> Core | None:
    """The operands of a signature that is written so; ``None`` if one of them is no tensor."""
    text = text.strip()
    if text.startswith("["):
        text = text[_closing(text, 0) + 1 :].lstrip()
    prefix = _PREFIX.match(text)
    if prefix is not None:
        text = text[prefix.end() :].lstrip()
    text = parts(text, " where ")[0]
    sides = parts(text, "->")
    if len(sides) != 2:
        return None
    inputs, outputs = ([_dims(operand) for operand in parts(side, ",") if operand.strip()] for side in sides)
    if any(dims is None for dims in (*inputs, *outputs)):
        return None
    return Core(prefix.group() if prefix else "", [d for d in inputs if d is not None], [d for d in outputs if d is not None])


def parameters(text: str) -> list[str]:
    """What the parameters of a signature are called: ``stride`` and ``p`` of ``[stride: s, p]``."""
    if not text.startswith("["):
        return []
    return [part.split(":")[0].strip() for part in parts(text[1 : _closing(text, 0)], ",")]


def head(text: str) -> str:
    """The parameters of a signature as they are written in front of it."""
    return text[: _closing(text, 0) + 1] if text.startswith("[") else ""


def conditions(text: str) -> str:
    """The conditions of a signature as they are written behind it."""
    first = parts(text, " where ")[0]
    return text[len(first) :]


def _dims(operand: str) -> list[str] | None:
    """The dims of ``(m,n):t`` or ``t[m, n]``."""
    operand = operand.strip()
    if operand.startswith("("):
        inner = operand[1 : _closing(operand, 0)]
    else:
        dtype = re.match(r"\w+\[|\{[^}]*\}\[|\?\[", operand)
        if dtype is None or not operand.endswith("]") or operand.startswith(("fn", "List[", "Sequence[", "Optional[")):
            return None
        inner = operand[dtype.end() : -1]
        if "[" in inner:
            return None
    return ["".join(dim.split()) for dim in parts(inner, ",") if dim.strip()]


_OPEN, _CLOSE = "([{", ")]}"


def _closing(text: str, at: int) -> int:
    """Where the bracket is closed that is opened there."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in _OPEN) - (text[i] in _CLOSE)
        if depth == 0:
            return i
    return len(text)


def parts(text: str, separator: str) -> list[str]:
    """The parts between separators that are in no brackets."""
    found, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth == 0 and i >= start and text.startswith(separator, i):
            found.append(text[start:i])
            start = i + len(separator)
    return [*found, text[start:]]
