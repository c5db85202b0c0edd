"""Sizes as computations of PyTensor on the sizes of the inputs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytensor.tensor as pt

from .._kanshape import Dim
from ._gufunc import parts


def _broadcast(a: Any, b: Any) -> Any:
    """The one that is not 1. That they fit is checked elsewhere."""
    return pt.switch(pt.eq(a, 1), b, a)


def _fold(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def folded(*args: Any) -> Any:
        result = args[0]
        for arg in args[1:]:
            result = function(result, arg)
        return result

    return folded


# All that `Dim._tree` names.
OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "neg": operator.neg,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "ceildiv": lambda a, b: -(-a // b),
    "min": _fold(pt.minimum),
    "max": _fold(pt.maximum),
    "prod": _fold(operator.mul),
    "sum": _fold(operator.add),
    "broadcast": _fold(_broadcast),
}


def size(dim: int | Dim | None, sizes: Mapping[str, Any], defined: Mapping[str, Any]) -> Any:
    """The size as a computation on those of the inputs; ``None`` if they don't determine it.

    ``defined`` are the trees of names that conditions define.
    """
    if dim is None:
        return None
    found = _evaluated(dim if isinstance(dim, int) else dim._tree(), sizes, defined, frozenset())
    return pt.as_tensor_variable(found, dtype="int64") if isinstance(found, int) else found


def _evaluated(tree: Any, sizes: Mapping[str, Any], defined: Mapping[str, Any], within: frozenset[str]) -> Any:
    if isinstance(tree, str):
        if tree in sizes or tree not in defined or tree in within:
            return sizes.get(tree)
        return _evaluated(defined[tree], sizes, defined, within | {tree})
    if not isinstance(tree, tuple):
        return tree
    args = [_evaluated(part, sizes, defined, within) for part in tree[1:]]
    function = OPERATORS.get(tree[0])
    return None if function is None or any(arg is None for arg in args) else function(*args)


def definitions(conditions: Iterable[str], known: Iterable[str]) -> dict[str, Any]:
    """The names that a condition defines, ``d0 == broadcast(a, b)``, with the trees of what they are."""
    given = set(known)
    found: dict[str, Any] = {}
    for condition in conditions:
        sides = condition.split(" == ")
        if len(sides) != 2:
            continue
        for name, other in (sides, reversed(sides)):
            if name.isidentifier() and name not in given and name not in found:
                tree = _tree(other)
                if tree is not None:
                    found[name] = tree
                    break
    return found


def _tree(text: str) -> Any:
    """The tree of a side of a condition: a dim, or what dims broadcast to."""
    try:
        if text.startswith("broadcast(") and text.endswith(")"):
            return ("broadcast", *(Dim(part)._tree() for part in parts(text[len("broadcast(") : -1], ",")))
        return Dim(text)._tree()
    except ValueError:
        return None


def each(shapes: Sequence[Sequence[Any]], static: Sequence[Sequence[int | None]], prefix: str = "i") -> dict[str, Any]:
    """The sizes that are not known before the graph runs, by the names that they have in :func:`named`."""
    return {
        f"{prefix}{i}_{axis}": shape[axis]
        for i, (shape, known) in enumerate(zip(shapes, static, strict=True))
        for axis, own in enumerate(known)
        if own is None
    }


def named(static: Sequence[int | None], i: int, prefix: str = "i") -> list[int | str]:
    """A static shape, each size that is not known with a name of its own."""
    return [f"{prefix}{i}_{axis}" if own is None else own for axis, own in enumerate(static)]
