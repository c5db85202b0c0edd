"""The rules of indexing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytensor.graph.basic import Apply, Constant
from pytensor.graph.type import Type as VariableType

from ._contents import Member
from ._rules import RULES, Rule, Seen, dims, is_tensor, plain, same, single, size_of_slice

_NEW = object()
"""A new axis."""


def indices(node: Apply, variables: Sequence[Any]) -> list[Any]:
    """What a node is indexed by: slices of variables, variables, and new axes."""
    listed = getattr(node.op, "idx_list", None)
    left = list(variables)
    if listed is None:
        return [_of_input(variable) for variable in left]

    def part(entry: Any) -> Any:
        # Later versions have the place of an input, older ones its type.
        if isinstance(entry, VariableType):
            return left.pop(0)
        return variables[entry] if isinstance(entry, int) else entry

    return [slice(part(e.start), part(e.stop), part(e.step)) if isinstance(e, slice) else part(e) for e in listed]


def _of_input(variable: Any) -> Any:
    """An index that is an input of its own: a slice, ``None`` for a new axis, or a tensor."""
    if isinstance(variable, Constant) and (variable.data is None or isinstance(variable.data, slice)):
        return _NEW if variable.data is None else variable.data
    owner = variable.owner
    if owner is not None and type(owner.op).__name__ == "MakeSlice":
        return slice(*owner.inputs)
    return variable


def part_of_slice(seen: Seen, part: Any) -> tuple[bool, Member]:
    """Is a part of a slice there, and which number is it?"""
    if part is None or (isinstance(part, Constant) and part.data is None):
        return False, None
    if isinstance(part, int):
        return True, part
    return True, single(seen, part)


def sliced(seen: Seen, x: Any, axis: int, index: slice) -> Member:
    """The size of a slice of an axis, ``None`` if it is not known."""
    (has_start, start), (has_stop, stop), (has_step, step) = (part_of_slice(seen, part) for part in (index.start, index.stop, index.step))
    return size_of_slice(seen.size(x, axis), start, stop, step, (has_start, has_stop, has_step))


def is_whole(index: Any) -> bool:
    return isinstance(index, slice) and all(part is None or getattr(part, "data", 0) is None for part in (index.start, index.stop, index.step))


def _least_size(seen: Seen, index: Any) -> int | None:
    """How many places an axis has at least where this is one of them."""
    place = single(seen, index)
    if not isinstance(place, int):
        return None
    return place + 1 if place >= 0 else -place


def _basic(seen: Seen, x: Any, all_indices: Sequence[Any]) -> tuple[list[str], list[str], list[str], list[Member]]:
    """The dims of a tensor and of what an index gives of it, conditions, and sizes of it that are known."""
    own = dims(x, "a")
    out: list[str] = []
    where: list[str] = []
    sizes: list[Member] = []
    for axis, name in enumerate(own):
        index = all_indices[axis] if axis < len(all_indices) else slice(None)
        if not isinstance(index, slice):
            at_least = _least_size(seen, index)
            # One of an axis of any size: there is at least one.
            where.append(f"{name} >= {at_least or 1}")
        elif is_whole(index):
            out.append(name)
            sizes.append(None)
        else:
            out.append(f"s{axis}")
            sizes.append(sliced(seen, x, axis, index))
            where.append(f"s{axis} <= {name}")
    return own, out, where, sizes


def _subtensor(seen: Seen) -> Rule:
    node = seen.node
    x, *rest = node.inputs
    own, out, where, sizes = _basic(seen, x, indices(node, rest))
    return plain(node, [own], [out], where)._replace(shapes=((0, tuple(sizes)),))


def _inc_subtensor(seen: Seen) -> Rule:
    """What is written to has the shape that it had; what is written broadcasts to the place that it is written to."""
    node = seen.node
    x, y, *rest = node.inputs
    own, out, where, sizes = _basic(seen, x, indices(node, rest))
    # A size that is not known may be 1, and stretch.
    tail = list(zip(out, sizes, strict=True))[len(out) - y.type.ndim :] if y.type.ndim <= len(out) else []
    written = [name if known not in (1, None) else f"y{axis}" for axis, (known, (name, _)) in enumerate(zip(y.type.shape, tail, strict=False))]
    if len(written) != y.type.ndim:
        return plain(node, [own], [own], [c for c in where if not c.startswith("s")])
    # A slice that is not in the signature otherwise has no size of its own.
    used = set(written)
    kept = [c for c in where if not c.startswith("s") or c.split(" ")[0] in used]
    fixed = [f"{name} == {size}" for name, size in zip(out, sizes, strict=True) if name in used and name.startswith("s") and isinstance(size, int)]
    return plain(node, [own, written], [own], [*kept, *fixed])


def _advanced_one(seen: Seen) -> Rule:
    """Rows by their numbers."""
    own = dims(seen.node.inputs[0], "a")
    return plain(seen.node, [own, ["k"]], [["k", *own[1:]]])


def _advanced(seen: Seen) -> Rule | None:
    """Tensors of numbers and masks among the indices: the dims they broadcast to stand where the first of them is, or in front."""
    node = seen.node
    x, *rest = node.inputs
    found = indices(node, rest)
    own = dims(x, "a")
    axis = 0
    groups: list[int] = []
    basic: list[tuple[int, str, Member]] = []
    operands: list[list[str]] = [own]
    variables: list[Any] = [x]
    arrays: list[Any] = []
    masks = False
    where: list[str] = []
    place = 0
    for index in [*found, *[slice(None)] * len(own)]:
        if index is _NEW:
            basic.append((place, "1", 1))
            place += 1
            continue
        if axis >= len(own):
            break
        if isinstance(index, slice):
            name, size = (own[axis], None) if is_whole(index) else (f"s{axis}", sliced(seen, x, axis, index))
            if not is_whole(index):
                where.append(f"s{axis} <= {own[axis]}")
            basic.append((place, name, size))
            axis, place = axis + 1, place + 1
            continue
        if not is_tensor(index):
            return None
        if index.type.dtype == "bool":
            covered = own[axis : axis + index.type.ndim]
            operands.append(covered)
            variables.append(index)
            masks = True
            groups += range(place, place + len(covered))
            axis, place = axis + len(covered), place + len(covered)
            continue
        arrays.append(index)
        groups.append(place)
        axis, place = axis + 1, place + 1
    if not groups:
        out, sizes = [name for _, name, _ in basic], [size for _, _, size in basic]
        return plain(node, [own], [out], where)._replace(shapes=((0, tuple(sizes)),))
    rank = max([v.type.ndim for v in arrays], default=0)
    rank = max(rank, 1) if masks else rank
    spread = [f"k{i}" for i in range(rank)]
    for array in arrays:
        shape = array.type.shape
        tail = spread[rank - len(shape) :]
        # Several broadcast when they run, so that an unknown size may be 1 among others.
        alone = len(arrays) == 1 and not masks
        dims_of = [name if alone or size not in (1, None) else "1" if size == 1 else f"u{len(operands)}_{i}" for i, (name, size) in enumerate(zip(tail, shape, strict=True))]
        operands.append(dims_of)
        variables.append(array)
    together = groups == list(range(groups[0], groups[0] + len(groups)))
    first = groups[0] if together else 0
    before = [entry for entry in basic if entry[0] < first]
    behind = [entry for entry in basic if entry[0] >= first]
    out = [*(name for _, name, _ in before), *spread, *(name for _, name, _ in behind)]
    sizes = [*(size for _, _, size in before), *[None] * rank, *(size for _, _, size in behind)]
    if len(out) != node.outputs[0].type.ndim:
        return None
    return plain(node, operands, [out], where, of=variables)._replace(shapes=((0, tuple(sizes)),))


RULES.update(
    {
        "Subtensor": _subtensor,
        "IncSubtensor": _inc_subtensor,
        "AdvancedSubtensor1": _advanced_one,
        "AdvancedIncSubtensor1": same,
        "AdvancedSubtensor": _advanced,
        "AdvancedIncSubtensor": same,
    }
)
