"""A graph of PyTensor with all that is within its nodes, as one graph of signatures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Optional

from pytensor.graph.basic import Apply
from pytensor.graph.traversal import toposort
from pytensor.tensor.type import TensorType

from .._kanshape import Dim, Type
from . import _contents
from ._contents import Member, Members
from ._indexing import indices, part_of_slice
from ._rules import RULES, Rule, Seen, dims, is_tensor, rule, signature, single

DEEPEST = 24
"""Graphs that stand in more others are not looked at."""
MOST_NODES = 50_000
"""Of the nodes within nodes, no more than so many are looked at."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


Params = tuple[tuple[str, Optional[int]], ...]

_OWN_DTYPE = re.compile(r":ty_[0-9]+")


class Step(NamedTuple):
    """A node of the graph of signatures."""

    node: Apply
    """The node of PyTensor that it is about."""
    rule: int
    inputs: list[int]
    outputs: list[int]
    operands: list[Any]
    """The variables that the inputs are."""


class Scope:
    """The variables of one graph. A graph that stands in two nodes is two, since its sizes may be others."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.numbers: dict[Any, int] = {}
        self.contents: dict[Any, Members | None] = {}


class Walk:
    """The graph of signatures, as it grows."""

    def __init__(self) -> None:
        self.variables: list[Any] = []
        self.shapes: list[list[Member]] = []
        self.rules: dict[tuple[str, Params], int] = {}
        self.steps: list[Step] = []
        self.untyped: list[Apply] = []
        self.count = 0
        self.names: set[str] = set()
        self.outer = Scope(0)

    def types(self) -> list[Type]:
        # Scalars of PyTensor are tensors without dims.
        return [Type(_dtype(v), shape) for v, shape in zip(self.variables, self.shapes, strict=True)]

    def number(self, scope: Scope, variable: Any) -> int:
        found = scope.numbers.get(variable)
        if found is None:
            found = scope.numbers[variable] = len(self.variables)
            self.variables.append(variable)
            self.shapes.append(list(getattr(variable.type, "shape", ())))
        return found

    def size(self, scope: Scope, variable: Any, axis: int) -> Member:
        """A dim of a variable: its size, or a name that it has from now on."""
        shape = self.shapes[self.number(scope, variable)]
        if shape[axis] is None:
            shape[axis] = self.name(f"{variable.name or 'size'}_{axis}")
        return shape[axis]

    def name(self, wanted: str) -> Dim:
        word = wanted if _WORD.fullmatch(wanted) else f"size_{wanted.rpartition('_')[2]}"
        word = word if _WORD.fullmatch(word) else "size"
        name, i = word, 0
        while name in self.names:
            i += 1
            name = f"{word}_{i}"
        self.names.add(name)
        return Dim(name)

    # ------------------------------------------------------------------ nodes

    def graph(self, outputs: Sequence[Any], scope: Scope) -> None:
        nodes = list(toposort(outputs))
        self._name_sizes(nodes, scope)
        for node in nodes:
            self.count += 1
            self._node(node, scope)

    def _name_sizes(self, nodes: Iterable[Apply], scope: Scope) -> None:
        """Numbers that tensors are made of are no sizes less than 0 where the graph runs, and have names."""
        for node in nodes:
            first = {"Alloc": 1, "AllocEmpty": 0}.get(type(node.op).__name__)
            for variable in node.inputs[first:] if first is not None else ():
                is_open = variable.owner is None and _contents.constant(variable) is None
                if is_open and variable not in scope.contents:
                    scope.contents[variable] = [self.name(f"{variable.name or 'size'}")]

    def _node(self, node: Apply, scope: Scope) -> None:
        contents = self._contents(scope)
        seen = Seen(node, contents, lambda variable, axis: self.size(scope, variable, axis))
        for variable in (*node.inputs, *node.outputs):
            if is_tensor(variable):
                self.number(scope, variable)
        inner = _inner(node)
        if inner is not None:
            if scope.depth >= DEEPEST or self.count > MOST_NODES:
                self.untyped.append(node)
                return
            inner(self, node, scope)
            return
        try:
            own = rule(seen)
        except (AttributeError, LookupError, TypeError, ValueError):
            # An operator of another version, that has other parts.
            own = None
        if own is None:
            self.untyped.append(node)
        else:
            self.add(node, own, scope)
        self._follow(node, scope, seen)

    def _contents(self, scope: Scope) -> Any:
        def contents(variable: Any) -> Members | None:
            if variable not in scope.contents:
                scope.contents[variable] = _contents.constant(variable)
            return scope.contents[variable]

        return contents

    def _follow(self, node: Apply, scope: Scope, seen: Seen) -> None:
        """What is in the outputs."""
        if len(node.outputs) != 1 or getattr(node.outputs[0].type, "ndim", 0) > 1:
            return
        if type(node.op).__name__ == "Subtensor":
            found = _indexed(node, seen)
        else:
            found = _contents.of_outputs(node, [seen.contents(v) for v in node.inputs], seen.size)
        if found is not None and len(found) <= _contents.MOST:
            scope.contents[node.outputs[0]] = found

    def add(self, node: Apply, own: Rule, scope: Scope, others: Scope | None = None) -> None:
        """Adds a signature that relates variables of a graph, or of a graph and of one that stands in it."""
        inputs = [self.number(scope, variable) for variable in own.inputs]
        outputs = [self.number(others or scope, variable) for variable in own.outputs]
        self.step(node, own.text, own.params, inputs, outputs, own.inputs)
        for place, sizes in own.shapes:
            self._has_shape(node, own.outputs[place], outputs[place], sizes)

    def step(self, node: Apply, text: str, params: Params, inputs: list[int], outputs: list[int], operands: list[Any]) -> None:
        if inputs or outputs:
            if len({_dtype(self.variables[i]) for i in (*inputs, *outputs)}) == 1:
                # Operands that nothing is said of have one dtype.
                text = _OWN_DTYPE.sub("", text)
            number = self.rules.setdefault((text, params), len(self.rules))
            self.steps.append(Step(node, number, inputs, outputs, operands))

    def _has_shape(self, node: Apply, variable: Any, number: int, sizes: Sequence[Member]) -> None:
        """A variable has these sizes as well."""
        shape = self.shapes[number]
        beside: list[Member] = [None for _ in shape]
        for axis, size in enumerate(sizes):
            if size is None or (isinstance(size, int) and size < 0):
                continue
            if shape[axis] is None:
                shape[axis] = size
            elif shape[axis] != size:
                beside[axis] = size
        if any(size is not None for size in beside):
            # It has one size, and is to have another one: both are those of a value.
            own = dims(variable, "a")
            self.variables.append(variable)
            self.shapes.append(beside)
            self.step(node, signature([own], [own]), (), [number], [len(self.variables) - 1], [variable])

    def same(self, node: Apply, pairs: Iterable[tuple[Any, Any]], scope: Scope, others: Scope) -> None:
        """Variables of one graph are those of another one."""
        for variable, other in pairs:
            if not (is_tensor(variable) and is_tensor(other)) or other in others.numbers:
                continue
            own = dims(variable, "a")
            self.add(node, Rule(signature([own], [own]), [variable], [other]), scope, others)


def _dtype(variable: Any) -> str:
    return str(variable.type.dtype)


def _indexed(node: Apply, seen: Seen) -> Members | None:
    """What is in a vector at a place that is known, or in a part of it."""
    members = seen.contents(node.inputs[0])
    found = indices(node, node.inputs[1:])
    if members is None or node.inputs[0].type.ndim != 1 or len(found) != 1:
        return None
    [index] = found
    if not isinstance(index, slice):
        place = single(seen, index)
        return _contents.picked(members, place) if isinstance(place, int) else None
    parts = [part_of_slice(seen, part) for part in (index.start, index.stop, index.step)]
    if any(there and not isinstance(part, int) for there, part in parts):
        return None
    return _contents.picked(members, slice(*(part if there else None for there, part in parts)))


# ---------------------------------------------------------------------- graphs within nodes


def _inner(node: Apply) -> Any:
    names = {base.__name__ for base in type(node.op).__mro__}
    if names & RULES.keys():
        return None
    if "Scan" in names:
        return _scan
    return _of_graph if "OpFromGraph" in names and hasattr(node.op, "inner_inputs") else None


def _of_graph(walk: Walk, node: Apply, scope: Scope) -> None:
    """A node that stands for a graph: what it is given, and gives, is what the graph is given and gives."""
    inner = Scope(scope.depth + 1)
    contents = walk._contents(scope)
    for outer, own in zip(node.inputs, node.op.inner_inputs, strict=False):
        if (members := contents(outer)) is not None:
            inner.contents[own] = list(members)
    walk.same(node, zip(node.inputs, node.op.inner_inputs, strict=False), scope, inner)
    walk.graph(node.op.inner_outputs, inner)
    for outer, own in zip(node.outputs, node.op.inner_outputs, strict=False):
        if (members := inner.contents.get(own)) is not None:
            scope.contents[outer] = list(members)
        if is_tensor(outer) and is_tensor(own):
            walk.number(inner, own)
            link(walk, node, [own], inner, outer, scope)


def link(walk: Walk, node: Apply, inner: Sequence[Any], inner_scope: Scope, outer: Any, scope: Scope) -> None:
    own = dims(outer, "a")
    walk.add(node, Rule(signature([own for _ in inner], [own]), list(inner), [outer]), inner_scope, scope)


def _scan(walk: Walk, node: Apply, scope: Scope) -> None:
    """A loop: what each step is given and gives is a row of what the node is given and gives, and a state keeps its shape."""
    own, info = node.op, node.op.info
    inner = Scope(scope.depth + 1)
    contents = walk._contents(scope)

    def rows(outer: Any, steps: Iterable[Any]) -> None:
        for step in steps:
            if is_tensor(outer) and is_tensor(step) and outer.type.ndim == step.type.ndim + 1 and step not in inner.numbers:
                row = dims(step, "a")
                walk.add(node, Rule(signature([["t", *row]], [row]), [outer], [step]), scope, inner)

    for outer, step in zip(own.outer_seqs(node.inputs), own.inner_seqs(own.inner_inputs), strict=True):
        rows(outer, [step])
    groups = [
        (own.outer_mitmot(node.inputs), own.inner_mitmot(own.inner_inputs), [len(taps) for taps in info.mit_mot_in_slices]),
        (own.outer_mitsot(node.inputs), own.inner_mitsot(own.inner_inputs), [len(taps) for taps in info.mit_sot_in_slices]),
        (own.outer_sitsot(node.inputs), own.inner_sitsot(own.inner_inputs), [1 for _ in info.sit_sot_in_slices]),
    ]
    for outers, steps, counts in groups:
        left = list(steps)
        for outer, count in zip(outers, counts, strict=True):
            rows(outer, left[:count])
            left = left[count:]
    fixed = [
        *zip(own.outer_untraced_sit_sot(node.inputs), own.inner_untraced_sit_sot(own.inner_inputs), strict=True),
        *zip(own.outer_non_seqs(node.inputs), own.inner_non_seqs(own.inner_inputs), strict=True),
    ]
    for outer, step in fixed:
        if (members := contents(outer)) is not None:
            inner.contents[step] = list(members)
    for step in own.inner_untraced_sit_sot(own.inner_inputs):
        # A state that is no row: another step may be given another one, so that nothing of what is in it is known.
        inner.contents[step] = None
    walk.same(node, fixed, scope, inner)
    walk.graph(own.inner_outputs, inner)
    _scan_outputs(walk, node, scope, inner)


def _scan_outputs(walk: Walk, node: Apply, scope: Scope, inner: Scope) -> None:
    own, info = node.op, node.op.info
    # A loop that ends by a condition gives fewer rows.
    length = "u" if info.as_while else "t"

    def states(outers: Sequence[Any], results: Sequence[Sequence[Any]], outputs: Sequence[Any]) -> None:
        for outer, made, output in zip(outers, results, outputs, strict=True):
            row = [f"a{axis}" for axis in range(output.type.ndim - 1)]
            made = [v for v in made if is_tensor(v) and v.type.ndim == len(row)]
            for v in made:
                walk.number(inner, v)
            # The rows are of one graph, what they stand in is of another one: both are values of one graph of signatures.
            text = signature([["t", *row], *[row for _ in made]], [[length, *row]])
            inputs = [walk.number(scope, outer), *(walk.number(inner, v) for v in made)]
            walk.step(node, text, (), inputs, [walk.number(scope, output)], [outer, *made])

    made = own.inner_outputs
    grouped = list(own.inner_mitmot_outs(made))
    mit_mot: list[list[Any]] = []
    for taps in info.mit_mot_out_slices:
        mit_mot.append(grouped[: len(taps)])
        grouped = grouped[len(taps) :]
    states(own.outer_mitmot(node.inputs), mit_mot, own.outer_mitmot_outs(node.outputs))
    states(own.outer_mitsot(node.inputs), [[v] for v in own.inner_mitsot_outs(made)], own.outer_mitsot_outs(node.outputs))
    states(own.outer_sitsot(node.inputs), [[v] for v in own.inner_sitsot_outs(made)], own.outer_sitsot_outs(node.outputs))
    contents = walk._contents(scope)
    for steps, result, output in zip(own.outer_nitsot(node.inputs), own.inner_nitsot_outs(made), own.outer_nitsot_outs(node.outputs), strict=True):
        if not (is_tensor(result) and is_tensor(output)) or output.type.ndim != result.type.ndim + 1:
            continue
        row = dims(result, "a")
        known = contents(steps)
        count = known[0] if known and not info.as_while and _contents.is_natural(known[0]) else None
        shape = ((0, (count, *[None] * len(row))),)
        walk.number(inner, result)
        walk.add(node, Rule(signature([row], [["t", *row]]), [result], [output], (), shape), inner, scope)
    for result, output in zip(own.inner_untraced_sit_sot_outs(made), own.outer_untraced_sit_sot_outs(node.outputs), strict=True):
        if is_tensor(result) and is_tensor(output):
            walk.number(inner, result)
            link(walk, node, [result], inner, output, scope)
