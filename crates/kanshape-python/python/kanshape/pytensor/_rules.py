"""The rules of PyTensor's operators: for each node a signature of its shapes, and the sizes that follow from what it is given as numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pytensor.graph.basic import Apply
from pytensor.scalar.basic import ScalarType
from pytensor.tensor.random.type import RandomType
from pytensor.tensor.type import TensorType
from pytensor.tensor.type_other import NoneTypeT, SliceType

from . import _gufunc
from ._contents import Member, Members, calculated, greatest, is_natural, least
from ._op import SignatureOp


class Rule(NamedTuple):
    """What a node requires of shapes, and says of them."""

    text: str
    """A signature of its tensors."""
    inputs: list[Any]
    """The inputs that the signature speaks of."""
    outputs: list[Any]
    params: tuple[tuple[str, int | None], ...] = ()
    """Parameters of the signature, ``None`` for one that is open."""
    shapes: tuple[tuple[int, tuple[Member, ...]], ...] = ()
    """Of an output, by its number, dims that follow from what is in the inputs."""


class Seen(NamedTuple):
    """A node, and what is known of its inputs."""

    node: Apply
    contents: Callable[[Any], Members | None]
    """What is in a variable."""
    size: Callable[[Any, int], Member]
    """A dim of a variable, by a name if it is not known."""


Dims = list[str]

KNOWN_TYPES = (TensorType, ScalarType, RandomType, NoneTypeT, SliceType)
"""Operators on others have rules of their own, whatever they are called."""


def signature(inputs: Sequence[Sequence[str]], outputs: Sequence[Sequence[str]], where: Sequence[str] = ()) -> str:
    """The text of a signature that says nothing of dtypes."""
    operands = [f"({','.join(dims)}):ty_{i}" for i, dims in enumerate([*inputs, *outputs])]
    conditions = f" where {', '.join(where)}" if where else ""
    return f"{','.join(operands[: len(inputs)])}->{','.join(operands[len(inputs) :])}{conditions}"


def dims(variable: Any, prefix: str) -> Dims:
    """A name for each dim."""
    return [f"{prefix}{axis}" for axis in range(variable.type.ndim)]


def is_tensor(variable: Any) -> bool:
    return isinstance(variable.type, TensorType)


def rule(seen: Seen) -> Rule | None:
    """The rule of a node, ``None`` if there is none for its operator."""
    node = seen.node
    if isinstance(node.op, SignatureOp):
        return _of_signature(node, node.op)
    if any(not isinstance(v.type, KNOWN_TYPES) for v in (*node.inputs, *node.outputs)):
        return None
    for base in type(node.op).__mro__:
        found = RULES.get(base.__name__)
        if found is not None:
            return found(seen)
    if isinstance(getattr(node.op, "gufunc_signature", None), str):
        return _by_gufunc_signature(node)
    # Of scalars, sets of random numbers and slices there is nothing to say.
    is_plain = all(getattr(v.type, "ndim", 0) == 0 for v in (*node.inputs, *node.outputs))
    return Rule(signature([], []), [], []) if is_plain else None


def plain(node: Apply, inputs: Sequence[Dims], outputs: Sequence[Dims], where: Sequence[str] = (), of: Sequence[Any] | None = None) -> Rule:
    """The rule of a node whose first inputs, or these ones, have such dims."""
    operands = list(of) if of is not None else list(node.inputs[: len(inputs)])
    return Rule(signature(inputs, outputs, where), operands, list(node.outputs[: len(outputs)]))


def _of_signature(node: Apply, own: SignatureOp) -> Rule:
    return Rule(str(own.signature), list(node.inputs), list(node.outputs), own.parameters)


def same(seen: Seen) -> Rule:
    """The output has the shape of the first input."""
    own = dims(seen.node.inputs[0], "a")
    return plain(seen.node, [own], [own])


def alike(seen: Seen) -> Rule:
    """All inputs and outputs have one shape."""
    own = dims(seen.node.inputs[0], "a")
    return plain(seen.node, [own for _ in seen.node.inputs], [own for _ in seen.node.outputs])


def free(seen: Seen) -> Rule:
    """Nothing is known of the sizes of the outputs but what their static shapes say."""
    outputs = [v for v in seen.node.outputs if is_tensor(v)]
    own = [dims(v, f"o{i}_") for i, v in enumerate(outputs)]
    return Rule(signature([], own), [], outputs)


# ---------------------------------------------------------------------- elementwise operators, reductions, products


def _elementwise(seen: Seen) -> Rule:
    """Dims that are known to be 1 broadcast; a size that is not known is then no 1."""
    node = seen.node
    rank = node.outputs[0].type.ndim
    names = [f"a{axis}" for axis in range(rank)]
    operands, result = _spread([v.type.shape for v in node.inputs], names)
    return plain(node, operands, [result for _ in node.outputs])


def _spread(shapes: Sequence[Sequence[int | None]], names: Dims) -> tuple[list[Dims], Dims]:
    operands = [["1" if size == 1 else name for size, name in zip(shape, names, strict=True)] for shape in shapes]
    only_ones = [all(shape[axis] == 1 for shape in shapes) and bool(shapes) for axis in range(len(names))]
    return operands, ["1" if one else name for one, name in zip(only_ones, names, strict=True)]


def _dimshuffle(seen: Seen) -> Rule:
    node = seen.node
    order = node.op.new_order
    kept = {axis for axis in order if axis != "x"}
    # A dim that is dropped is 1.
    own = [f"a{axis}" if axis in kept else "1" for axis in range(node.inputs[0].type.ndim)]
    return plain(node, [own], [["1" if axis == "x" else own[axis] for axis in order]])


def _reduction(seen: Seen) -> Rule:
    node = seen.node
    own = dims(node.inputs[0], "a")
    axis = node.op.axis
    axes = range(len(own)) if axis is None else [int(a) % max(len(own), 1) for a in (axis if isinstance(axis, (tuple, list)) else [axis])]
    left = [name for i, name in enumerate(own) if i not in axes]
    return plain(node, [own], [left for _ in node.outputs])


_PRODUCTS = {
    (2, 2): (["m", "n"], ["n", "p"], ["m", "p"]),
    (2, 1): (["m", "n"], ["n"], ["m"]),
    (1, 2): (["n"], ["n", "p"], ["p"]),
    (1, 1): (["n"], ["n"], []),
}


def _dot(seen: Seen) -> Rule | None:
    product = _PRODUCTS.get(tuple(v.type.ndim for v in seen.node.inputs[:2]))
    return plain(seen.node, product[:2], [product[2]]) if product else None


def _fixed(*operands: str) -> Callable[[Seen], Rule | None]:
    """The rule of an operator whose operands always have these dims, the output last."""
    parts = [list(operand) for operand in operands]

    def found(seen: Seen) -> Rule | None:
        ranks = [v.type.ndim for v in seen.node.inputs[: len(parts) - 1]]
        return plain(seen.node, parts[:-1], parts[-1:]) if ranks == [len(part) for part in parts[:-1]] else None

    return found


def _by_gufunc_signature(node: Apply) -> Rule | None:
    """The rule of an operator on core dims that says which."""
    core = _gufunc.core(node.op.gufunc_signature)
    if core is None:
        return None
    ranks = [[len(own) for own in side] for side in (core.inputs, core.outputs)]
    if ranks != [[getattr(v.type, "ndim", -1) for v in side] for side in (node.inputs, node.outputs)]:
        return None
    return plain(node, core.inputs, core.outputs)


def _blockwise(seen: Seen) -> Rule | None:
    """A core operator on batches, of which dims that are known to be 1 broadcast."""
    node = seen.node
    own = node.op.core_op
    core = _gufunc.core(node.op.signature)
    head, tail = "", ""
    params: tuple[tuple[str, int | None], ...] = ()
    if isinstance(own, SignatureOp) and own._core is not None and not own._core.prefix and not own._core.has_runs:
        # It says more than NumPy's signature, which is one of its: arithmetic and conditions.
        core = own._core
        text = str(own.signature)
        head, tail, params = _gufunc.head(text), _gufunc.conditions(text), own.parameters
    if core is None:
        return None
    batch = [v.type.ndim - len(part) for v, part in zip(node.inputs, core.inputs, strict=True)]
    rank = max(batch, default=0)
    if any(b != rank for b in batch) or any(v.type.ndim - len(part) != rank for v, part in zip(node.outputs, core.outputs, strict=True)):
        return None
    operands, result = _spread([v.type.shape[:rank] for v in node.inputs], [f"batch_{axis}" for axis in range(rank)])
    inputs = [[*spread, *part] for spread, part in zip(operands, core.inputs, strict=True)]
    written = signature(inputs, [[*result, *part] for part in core.outputs]) + tail
    return Rule(f"{head} {written}".strip(), list(node.inputs), list(node.outputs), params)


# ---------------------------------------------------------------------- shapes


def _shape(seen: Seen) -> Rule:
    own = dims(seen.node.inputs[0], "a")
    return plain(seen.node, [own], [[str(len(own))]])


def _shape_i(seen: Seen) -> Rule:
    return plain(seen.node, [dims(seen.node.inputs[0], "a")], [[]])


def _make_vector(seen: Seen) -> Rule:
    return plain(seen.node, [[] for _ in seen.node.inputs], [[str(len(seen.node.inputs))]])


def _scalars(seen: Seen) -> Rule:
    return plain(seen.node, [dims(v, f"a{i}_") for i, v in enumerate(seen.node.inputs)], [[]])


def single(seen: Seen, variable: Any) -> Member:
    """What a scalar is."""
    members = seen.contents(variable)
    return members[0] if members and len(members) == 1 else None


def _sizes(seen: Seen, variables: Sequence[Any]) -> tuple[Member, ...]:
    """What sizes are that a node makes a tensor of: a negative one would end the run."""
    return tuple(single(seen, v) for v in variables)


def _specify_shape(seen: Seen) -> Rule:
    node = seen.node
    own = dims(node.inputs[0], "a")
    sizes = [single(seen, v) if getattr(v.type, "ndim", None) == 0 else None for v in node.inputs[1:]]
    return plain(node, [own], [own])._replace(shapes=((0, tuple(sizes)),))


def _alloc(seen: Seen) -> Rule:
    node = seen.node
    value, *sizes = node.inputs
    out = dims(node.outputs[0], "a")
    own = out[len(out) - value.type.ndim :]
    operand = ["1" if size == 1 else name for size, name in zip(value.type.shape, own, strict=True)]
    return plain(node, [operand], [out])._replace(shapes=((0, _sizes(seen, sizes)),))


def _alloc_empty(seen: Seen) -> Rule:
    out = dims(seen.node.outputs[0], "a")
    return plain(seen.node, [], [out])._replace(shapes=((0, _sizes(seen, seen.node.inputs)),))


def _eye(seen: Seen) -> Rule:
    return plain(seen.node, [], [["a", "b"]])._replace(shapes=((0, _sizes(seen, seen.node.inputs[:2])),))


def _arange(seen: Seen) -> Rule:
    start, stop, step = (single(seen, v) for v in seen.node.inputs)
    count: Member = None
    if isinstance(step, int) and step != 0:
        if all(isinstance(x, int) for x in (start, stop)):
            count = len(range(start, stop, step))  # type: ignore[arg-type]
        elif step > 0:
            span = calculated(lambda a, b: a - b, stop, start)
            ends = calculated(lambda a: (a + (step - 1)) // step, span)
            count = ends if is_natural(ends) else calculated(greatest, ends, 0)
    return plain(seen.node, [], [["n"]])._replace(shapes=((0, (count,)),))


def _reshape(seen: Seen) -> Rule:
    node = seen.node
    own, out = dims(node.inputs[0], "a"), dims(node.outputs[0], "b")
    wanted = seen.contents(node.inputs[1])
    sizes: list[Member] = [None for _ in out]
    if wanted is not None and len(wanted) == len(out):
        # -1 is what is left.
        sizes = [member if is_natural(member) else None for member in wanted]
    # Of no dims, the product is 1.
    where = [f"{'*'.join(own) or '1'} == {'*'.join(out) or '1'}"] if own or out else []
    return plain(node, [own], [out], where)._replace(shapes=((0, tuple(sizes)),))


def _join_dims(seen: Seen) -> Rule:
    node = seen.node
    own = dims(node.inputs[0], "a")
    start, end = node.op.start_axis, node.op.start_axis + node.op.n_axes
    return plain(node, [own], [[*own[:start], "*".join(own[start:end]) or "1", *own[end:]]])


def _split_dims(seen: Seen) -> Rule:
    node = seen.node
    own, axis = dims(node.inputs[0], "a"), node.op.axis
    count = node.outputs[0].type.ndim - len(own) + 1
    parts = [f"b{i}" for i in range(count)]
    wanted = seen.contents(node.inputs[1])
    known = wanted if wanted is not None and len(wanted) == count and all(map(is_natural, wanted)) else [None] * count
    spread = [*[None] * axis, *known, *[None] * (len(own) - axis - 1)]
    found = plain(node, [own], [[*own[:axis], *parts, *own[axis + 1 :]]], [f"{own[axis]} == {'*'.join(parts) or '1'}"])
    return found._replace(shapes=((0, tuple(spread)),))


# ---------------------------------------------------------------------- tensors put together and taken apart


def _join(seen: Seen) -> Rule | None:
    axis, *parts = seen.node.inputs
    at = single(seen, axis)
    rank = parts[0].type.ndim if parts else 0
    if not isinstance(at, int) or rank == 0:
        return None
    at %= rank
    names = [f"a{i}" for i in range(rank)]
    inputs = [[*names[:at], f"n{i}", *names[at + 1 :]] for i in range(len(parts))]
    total = [*names[:at], " + ".join(f"n{i}" for i in range(len(parts))), *names[at + 1 :]]
    return plain(seen.node, inputs, [total], of=parts)


def _split(seen: Seen) -> Rule | None:
    node = seen.node
    at = single(seen, node.inputs[1])
    own = dims(node.inputs[0], "a")
    if not isinstance(at, int) or not own:
        return None
    at %= len(own)
    parts = [f"n{i}" for i in range(len(node.outputs))]
    outputs = [[*own[:at], part, *own[at + 1 :]] for part in parts]
    sizes = seen.contents(node.inputs[2])
    known = sizes if sizes is not None and len(sizes) == len(parts) else [None] * len(parts)
    shapes = tuple((i, tuple(size if axis == at else None for axis in range(len(own)))) for i, size in enumerate(known))
    return plain(node, [own], outputs, [f"{own[at]} == {' + '.join(parts)}"])._replace(shapes=shapes)


def _repeat(seen: Seen) -> Rule:
    node = seen.node
    x, repeats = node.inputs
    own, axis = dims(x, "a"), node.op.axis
    if axis is None:
        return plain(node, [own], [["n"]])
    axis %= max(len(own), 1)
    times = seen.contents(repeats)
    if repeats.type.ndim == 0:
        length = f"{own[axis]}*{times[0]}" if times and isinstance(times[0], int) and times[0] >= 0 else "n"
        return plain(node, [own], [[*own[:axis], length, *own[axis + 1 :]]])
    # One for each, or one for all.
    total = sum(x for x in times if isinstance(x, int)) if times and all(isinstance(x, int) for x in times) else None
    per_each = "r" if repeats.type.shape[0] == 1 else own[axis]
    length = "n" if total is None else f"{own[axis]}*{total}" if repeats.type.shape[0] == 1 else str(total)
    return plain(node, [own, [per_each]], [[*own[:axis], length, *own[axis + 1 :]]])


def _cumulative(seen: Seen) -> Rule:
    own = dims(seen.node.inputs[0], "a")
    return plain(seen.node, [own], [own if seen.node.op.axis is not None or len(own) == 1 else ["*".join(own) or "1"]])


def _sort(seen: Seen) -> Rule:
    own = dims(seen.node.inputs[0], "a")
    out = own if seen.node.outputs[0].type.ndim == len(own) else ["*".join(own) or "1"]
    return plain(seen.node, [own], [out for _ in seen.node.outputs])


def _extract_diag(seen: Seen) -> Rule:
    node = seen.node
    own = dims(node.inputs[0], "a")
    rows, columns = own[node.op.axis1], own[node.op.axis2]
    offset = int(node.op.offset)
    if offset > 0:
        columns = f"max({columns} - {offset}, 0)"
    elif offset < 0:
        rows = f"max({rows} - {-offset}, 0)"
    kept = [name for axis, name in enumerate(own) if axis not in (node.op.axis1, node.op.axis2)]
    return plain(node, [own], [[*kept, f"min({rows}, {columns})"]])


def _nonzero(seen: Seen) -> Rule:
    return plain(seen.node, [dims(seen.node.inputs[0], "a")], [["n"] for _ in seen.node.outputs])


def _search_sorted(seen: Seen) -> Rule:
    node = seen.node
    sorted_by = [["n"] for _ in node.inputs[2:]]
    own = dims(node.inputs[1], "a")
    return plain(node, [["n"], own, *sorted_by], [own])


def _if_else(seen: Seen) -> Rule:
    return free(seen)


def _random(seen: Seen) -> Rule | None:
    """A random variable: parameters broadcast, against the size if that is given."""
    node, own = seen.node, seen.node.op
    _rng, size, *params = node.inputs
    core = _gufunc.core(getattr(own, "signature", None) or "")
    outputs = [v for v in node.outputs if is_tensor(v)]
    if core is None or len(core.inputs) != len(params) or len(outputs) != 1:
        return None
    [out] = outputs
    rank = out.type.ndim - len(core.outputs[0])
    result = [f"out_{axis}" for axis in range(rank)]
    inputs: list[Dims] = []
    for place, (variable, part) in enumerate(zip(params, core.inputs, strict=True)):
        batch = variable.type.ndim - len(part)
        if batch < 0 or batch > rank:
            return None
        # NumPy's generators broadcast when they run: one that is not known to be 1 may be it all the same.
        shape = variable.type.shape[:batch]
        own_dims = ["1" if s == 1 else result[rank - batch + axis] if s is not None else f"p{place}_{axis}" for axis, s in enumerate(shape)]
        inputs.append([*own_dims, *part])
    wanted = seen.contents(size) if is_tensor(size) else None
    known = wanted if wanted is not None and len(wanted) == rank else [None] * rank
    text = signature(inputs, [[*result, *core.outputs[0]]])
    return Rule(text, params, [out], (), ((0, (*known, *[None] * len(core.outputs[0]))),))


RULES: dict[str, Callable[[Seen], Rule | None]] = {
    "Elemwise": _elementwise,
    "DimShuffle": _dimshuffle,
    "CAReduce": _reduction,
    "Argmax": _reduction,
    "MaxAndArgmax": _reduction,
    "Dot": _dot,
    "Dot22": _dot,
    "Dot22Scalar": _fixed("mn", "np", "", "mp"),
    "BatchedDot": _fixed("bmn", "bnp", "bmp"),
    "Gemv": _fixed("m", "", "mn", "n", "", "m"),
    "Ger": _fixed("mn", "", "m", "n", "mn"),
    "Gemm": _fixed("mp", "", "mn", "np", "", "mp"),
    "Blockwise": _blockwise,
    "Shape": _shape,
    "Shape_i": _shape_i,
    "MakeVector": _make_vector,
    "ScalarFromTensor": _scalars,
    "TensorFromScalar": _scalars,
    "SpecifyShape": _specify_shape,
    "Alloc": _alloc,
    "AllocEmpty": _alloc_empty,
    "Eye": _eye,
    "ARange": _arange,
    "Reshape": _reshape,
    "JoinDims": _join_dims,
    "SplitDims": _split_dims,
    "Join": _join,
    "Split": _split,
    "Repeat": _repeat,
    "CumOp": _cumulative,
    "SortOp": _sort,
    "ArgSortOp": _sort,
    "ExtractDiag": _extract_diag,
    "Nonzero": _nonzero,
    "SearchsortedOp": _search_sorted,
    "Unique": free,
    "IfElse": _if_else,
    "RandomVariable": _random,
    "CheckAndRaise": same,
    "Softmax": same,
    "LogSoftmax": same,
    "SoftmaxGrad": alike,
    "Unbroadcast": same,
    "ViewOp": same,
    "TypeCastingOp": same,
    "DeepCopyOp": same,
    "OutputGuard": same,
    "CpuContiguous": same,
    "FillDiagonal": same,
    "FillDiagonalOffset": same,
    "GradClip": same,
    "PermuteRowElements": free,
}


def size_of_slice(size: Member, start: Member, stop: Member, step: Member, has: tuple[bool, bool, bool]) -> Member:
    """How many places of an axis are in a slice; ``has`` says which of its parts there are. ``None`` if that is not known.

    Places that are negative count from the end, and all are moved to the nearest one that there is.
    """
    has_start, has_stop, has_step = has
    by = step if has_step else 1
    if size is None or not isinstance(by, int) or by == 0 or (has_start and start is None) or (has_stop and stop is None):
        return None
    if isinstance(size, int) and all(isinstance(x, int) for x, there in ((start, has_start), (stop, has_stop)) if there):
        places: Any = slice(start if has_start else None, stop if has_stop else None, by)
        return len(range(size)[places])
    if by < 0:
        if has_start or has_stop:
            return None
        return calculated(lambda n: (n + (-by - 1)) // -by, size)
    begin = _place(size, start) if has_start else 0
    end = _place(size, stop) if has_stop else size
    span = end if begin == 0 else calculated(lambda a, b: greatest(a - b, 0), end, begin)
    return span if by == 1 else calculated(lambda n: (n + (by - 1)) // by, span)


def _place(size: Member, place: Member) -> Member:
    if isinstance(place, int) and place < 0:
        return calculated(lambda n: greatest(n + place, 0), size)
    if not is_natural(place):
        return None
    if place == 0:
        return 0
    return calculated(least, size, place)

