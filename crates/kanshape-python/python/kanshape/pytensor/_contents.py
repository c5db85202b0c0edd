"""What is known to be in small tensors of integers: sizes, and what a graph computes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from pytensor.graph.basic import Apply, Constant

from .._kanshape import Dim

Member = Optional[Union[int, Dim]]
"""A number, a size by its name or an expression of such, or ``None`` if it is not known."""
Members = list[Member]

MOST = 64
"""Of a tensor with more elements, nothing is said."""

# What is calculated in others may overflow.
_WIDE = frozenset({"int32", "int64"})


def constant(variable: Any) -> Members | None:
    """What is in a constant of integers."""
    data = getattr(variable, "data", None)
    if not isinstance(variable, Constant) or data is None or getattr(data, "size", 1) > MOST:
        return None
    if isinstance(data, (bool, int)):
        return [int(data)]
    kind = getattr(getattr(data, "dtype", None), "kind", "")
    return [int(x) for x in data.ravel()] if kind in ("i", "u", "b") else None


def is_natural(member: Member) -> bool:
    """Is it certain that it is not negative?"""
    if isinstance(member, int):
        return member >= 0
    return member is not None and _is_natural(member._tree())


def _is_natural(tree: Any) -> bool:
    # Sizes that a graph computes are as deep as its scalars are, and texts of dims bound how deep that is.
    if not isinstance(tree, tuple):
        return isinstance(tree, str) or (isinstance(tree, int) and tree >= 0)
    if tree[0] == "max":
        return any(map(_is_natural, tree[1:]))
    if tree[0] in ("mod", "floordiv", "ceildiv"):
        return _is_natural(tree[1]) and isinstance(tree[2], int) and tree[2] > 0
    return tree[0] in ("add", "mul", "min", "prod") and all(map(_is_natural, tree[1:]))


def same(a: Member, b: Member) -> bool:
    return a is not None and b is not None and (a is b or str(a) == str(b))


def _called(name: str, *args: Any) -> Member:
    if all(isinstance(arg, int) for arg in args):
        return int(min(args) if name == "min" else max(args))
    return Dim(f"{name}({', '.join(map(str, args))})")


def calculated(function: Callable[..., Any], *args: Member) -> Member:
    """What a function makes of members; ``None`` if one of them is not known, or the result is no expression of sizes."""
    if any(arg is None for arg in args):
        return None
    try:
        found = function(*args)
    except (ValueError, TypeError, ArithmeticError):
        return None
    if isinstance(found, Dim) and len(str(found)) > 200:
        return None
    return found if isinstance(found, (int, Dim)) else None


def _divided(a: Any, b: Any) -> Any:
    return a // b if isinstance(b, int) and b > 0 else None


def _rest(a: Any, b: Any) -> Any:
    return a % b if isinstance(b, int) and b > 0 else None


def least(*args: Any) -> Any:
    return _called("min", *args)


def greatest(*args: Any) -> Any:
    return _called("max", *args)


def _sum(*args: Any) -> Any:
    total = args[0]
    for arg in args[1:]:
        total = total + arg
    return total


def _product(*args: Any) -> Any:
    total = args[0]
    for arg in args[1:]:
        total = total * arg
    return total


_SCALAR_OPS: dict[str, Callable[..., Any]] = {
    "Add": _sum,
    "Mul": _product,
    "Sub": lambda a, b: a - b,
    "Neg": lambda a: 0 - a if isinstance(a, int) else None,
    "IntDiv": _divided,
    "Mod": _rest,
    "ScalarMaximum": greatest,
    "ScalarMinimum": least,
    "Maximum": greatest,
    "Minimum": least,
    "Cast": lambda a: a,
    "Identity": lambda a: a,
    "Second": lambda _a, b: b,
}


def elementwise(scalar_op: Any, inputs: Sequence[Members | None], ranks: Sequence[int], dtype: str) -> Members | None:
    """What an elementwise operator makes of scalars and vectors."""
    function = _SCALAR_OPS.get(type(scalar_op).__name__)
    if function is None or dtype not in _WIDE or any(rank > 1 for rank in ranks) or any(members is None for members in inputs):
        return None
    known = [members for members in inputs if members is not None]
    count = max((len(members) for members in known), default=0)
    if any(len(members) not in (1, count) for members in known):
        return None
    columns = [members * count if len(members) == 1 else members for members in known]
    return [calculated(function, *column) for column in zip(*columns, strict=True)]


def of_outputs(node: Apply, inputs: Sequence[Members | None], shape: Callable[[Any, int], Member]) -> Members | None:
    """What is known to be in the one output of a node, if what is in its inputs is known so far.

    ``shape`` gives the size of a dim of an input, by a name if it is not known.
    """
    own, name = node.op, type(node.op).__name__
    if len(node.outputs) != 1:
        return None
    [output] = node.outputs
    dtype = getattr(output.type, "dtype", "")
    if name == "Shape":
        return [shape(node.inputs[0], axis) for axis in range(node.inputs[0].type.ndim)]
    if name == "Shape_i":
        return [shape(node.inputs[0], own.i)]
    if name in _SAME or getattr(own, "exc_type", None) is not None:
        return inputs[0]
    if name == "MakeVector":
        return [members[0] if members else None for members in inputs] if len(inputs) <= MOST else None
    if name == "Elemwise":
        return elementwise(own.scalar_op, inputs, [v.type.ndim for v in node.inputs], dtype)
    if name in _SCALAR_OPS:
        return elementwise(own, inputs, [0 for _ in node.inputs], dtype)
    if name == "DimShuffle":
        order = [axis for axis in own.new_order if axis != "x"]
        return inputs[0] if order == sorted(order) else None
    if name in ("Sum", "Prod") and output.type.ndim == 0 and inputs[0] and dtype in _WIDE:
        return [calculated(_sum if name == "Sum" else _product, *inputs[0])]
    if name == "Join":
        parts = inputs[1:]
        if output.type.ndim != 1 or any(part is None for part in parts):
            return None
        joined = [member for part in parts for member in part or ()]
        return joined if len(joined) <= MOST else None
    return None


_SAME = frozenset(
    {"ScalarFromTensor", "TensorFromScalar", "SpecifyShape", "ViewOp", "DeepCopyOp", "Unbroadcast", "CpuContiguous", "OutputGuard"}
)


def picked(members: Members, index: Any) -> Members | None:
    """The members of a vector at a constant index or slice."""
    if isinstance(index, slice):
        return members[index]
    return [members[index]] if -len(members) <= index < len(members) else None
