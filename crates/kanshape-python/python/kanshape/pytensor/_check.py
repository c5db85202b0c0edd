"""Graphs of PyTensor typed in both directions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytensor
from pytensor.graph.basic import Apply, Variable

from .. import _errors as kanshape_errors
from .._errors import Fact, Never, _never
from .._kanshape import Dim, Type, type_graph
from ._walk import Step, Walk

# What is in these is not the user's program.
_LIBRARIES = tuple(str(Path(str(file)).parent) for file in (pytensor.__file__, kanshape_errors.__file__))

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Weaker(NamedTuple):
    """A variable of which more is known than PyTensor says."""

    variable: Any
    static: tuple[int | None, ...]
    """The static shape that PyTensor has."""
    found: tuple[int | None, ...]
    """The shape that follows."""


class Report(NamedTuple):
    """What has been found out of a graph."""

    shapes: dict[Any, tuple[int | None, ...]]
    """The shape of each variable that has one."""
    weaker: list[Weaker]
    """Where PyTensor's static shape says less."""
    errors: list[tuple[Any, Never]]
    """Nodes that no shapes satisfy, and why."""
    untyped: list[Any]
    """Nodes whose operator has no rule here: nothing is concluded from them."""
    types: dict[Any, Type]
    """The type of each variable. A name in it is one size in the whole graph."""
    where: list[str]
    """What has to hold of these names."""
    nodes: int = 0
    """How many nodes have been looked at, with those of graphs within nodes."""

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        lines = [f"{_count(self.nodes, 'node')}, {_count(len(self.errors), 'error')}"]
        lines += [f"error at {label(node)}: {error.headline}" for node, error in self.errors]
        if self.weaker:
            lines.append(f"more is known than the static shapes of {_count(len(self.weaker), 'variable')} say")
        if self.where:
            lines.append(f"it has to hold: {', '.join(self.where)}")
        if self.untyped:
            kinds = Counter(type(node.op).__name__ for node in self.untyped).most_common()
            listed = ", ".join(f"{count} {name}" for name, count in kinds)
            lines.append(f"not checked, for lack of a rule: {listed}")
        return "\n".join(lines)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def check(outputs: Any, *, budget: int | None = None, timeout: float | None = None) -> Report:
    """Types the graph that computes these variables, forwards and backwards.

    ``outputs`` are variables, a ``FunctionGraph``, or a compiled function. All nodes, and those of the loops and graphs within them, are
    one graph of kanshape, so that what is known of a variable flows to all others. Dims broadcast as PyTensor has it: where they are
    known to be 1.

    >>> import pytensor.tensor as pt
    >>> x, w = pt.matrix("x"), pt.tensor("w", shape=(3, 4))
    >>> report = check(x @ w)
    >>> report.shapes[x]
    (None, 3)
    >>> report = check([x @ w, x @ pt.tensor("v", shape=(5, 4))])
    >>> print(report.errors[0][1])  # doctest: +ELLIPSIS
    error[K0101]: the two inputs disagree about `n`...
    """
    walk = Walk()
    walk.graph(_variables(outputs), walk.outer)
    rules = [(text, list(params)) for text, params in walk.rules]
    nodes = [(step.rule, step.inputs, step.outputs) for step in walk.steps]
    found, problems, where = type_graph(walk.types(), rules, nodes, budget, timeout)
    types = {variable: found[i] for variable, i in walk.outer.numbers.items()}
    shapes = {variable: _sizes(ty, _static(variable)) for variable, ty in types.items()}
    weaker = [Weaker(v, _static(v), shape) for v, shape in shapes.items() if shape != _static(v)]
    errors = [(walk.steps[i].node, _error(walk, walk.steps[i], texts, lines)) for i, texts, lines in problems]
    return Report(shapes, weaker, errors, walk.untyped, types, _about(where, types, walk.names), walk.count)


def _about(where: Sequence[str], types: dict[Any, Type], own: set[str]) -> list[str]:
    """The conditions, without those that do no more than to say what a name is that was made here and stands nowhere else."""
    left = list(where)
    shown = {word for ty in types.values() for size in ty.shape or () if isinstance(size, Dim) for word in size.names}
    while True:
        words = [frozenset(_WORD.findall(condition)) for condition in left]
        uses = Counter(word for each in words for word in each)
        defined = [
            any(side in own and side not in shown and uses[side] == 1 for side in condition.split(" == "))
            if condition.count(" == ") == 1
            else False
            for condition in left
        ]
        if not any(defined):
            return left
        # One at a time: each of two may be what the other one is about.
        del left[defined.index(True)]


def _variables(outputs: Any) -> Sequence[Any]:
    maker = getattr(outputs, "maker", None)
    if maker is not None and hasattr(maker, "fgraph"):
        outputs = maker.fgraph
    if isinstance(outputs, Variable):
        return [outputs]
    listed = getattr(outputs, "outputs", outputs)
    if not isinstance(listed, (list, tuple)) or not all(isinstance(v, Variable) for v in listed):
        what = "variables of PyTensor, a FunctionGraph or a compiled function"
        raise TypeError(f"a graph is given by {what}, and not by {type(outputs).__name__}")
    return listed


def _static(variable: Any) -> tuple[int | None, ...]:
    return tuple(getattr(variable.type, "shape", ()))


def _sizes(ty: Type, static: tuple[int | None, ...]) -> tuple[int | None, ...]:
    if ty.shape is None or len(ty.shape) != len(static):
        return static
    return tuple(size if isinstance(size, int) else None for size in ty.shape)


# ---------------------------------------------------------------------- what is wrong, in the words of the graph


def label(thing: Any) -> str:
    """What a variable or a node is called: by its name, or by what makes it."""
    if isinstance(thing, Apply):
        names = [f"`{name}`" for name in _names_behind(thing)]
        return f"{thing.op} of {', '.join(names)}" if names else str(thing.op)
    if thing.name:
        return f"`{thing.name}`"
    data = getattr(thing, "data", None)
    if data is not None:
        return f"the constant {str(data)[:40]}"
    return f"the result of {thing.owner.op}" if thing.owner is not None else f"an input of type {thing.type}"


def _names_behind(node: Apply) -> list[str]:
    """The names of the variables that a node is of, or of those that are nearest behind them."""
    found: dict[str, None] = {}
    left, seen = list(node.inputs), 0
    while left and seen < 24 and len(found) < 4:
        variable = left.pop(0)
        seen += 1
        if variable.name and getattr(variable, "data", None) is None:
            found[str(variable.name)] = None
        elif variable.owner is not None:
            left += variable.owner.inputs
    return list(found)


def made_at(thing: Any) -> str:
    """Where in the user's program it was made, if PyTensor has kept that."""
    trace = getattr(getattr(thing, "tag", None), "trace", None)
    for frames in reversed(trace or []):
        for frame in reversed(frames if isinstance(frames, list) else [frames]):
            if not str(frame[0]).startswith(_LIBRARIES):
                return f"{frame[0]}:{frame[1]}"
    return ""


def _error(walk: Walk, step: Step, texts: tuple[str, str, str], lines: Sequence[Any]) -> Never:
    code, headline, text = texts
    told: list[str] = []
    facts = []
    for slot, axis, says, span, way, required in lines:
        line = says
        if required is not None:
            condition, nodes = required
            line = f"`{condition}`, which {' and '.join(label(walk.steps[i].node) for i in nodes) or 'is given'} requires"
        elif slot.startswith("inputs[") and (place := int(slot[7:-1])) < len(step.operands):
            line = f"{label(step.operands[place])} as {says}"
        if way is not None:
            line += _way(walk, way)
        told.append(line)
        facts.append(Fact(slot, axis, "", line, span))
    places = [f"in {label(step.node)}"]
    output = step.node.outputs[0] if step.node.outputs else None
    at = made_at(output)
    if at:
        places.append(f"made at {at}")
    inputs = ", ".join(f"{label(v)}: {walk_type(v)}" for v in step.operands)
    if inputs:
        places.append(f"of {inputs}")
    notes = "\n".join(f"  = note: {note}" for note in [", ".join(places), *told])
    return _never(code, headline, f"{text.rstrip()}\n{notes}", facts, [])


def walk_type(variable: Any) -> str:
    return str(Type(str(variable.type.dtype), list(_static(variable))))


def _way(walk: Walk, way: tuple[str, int, int, int | None, list[int], bool]) -> str:
    kind, value, axis, node, through, is_computed = way
    variable = walk.variables[value]
    verb = "computed from" if is_computed else "from"
    if kind == "given" and not through:
        return ", as it was given"
    if kind == "made":
        text = f", made by {label(walk.steps[node].node)}" if node is not None else ""
    else:
        text = f", {verb} dim {axis} of {label(variable)}"
        if kind == "required" and node is not None:
            text += f", which {label(walk.steps[node].node)} requires"
    handed = [label(walk.steps[i].node) for i in through]
    if handed:
        listed = handed if len(handed) <= 4 else [*handed[:2], f"{len(handed) - 3} more", handed[-1]]
        text += f", through {', '.join(listed)}"
    return text
