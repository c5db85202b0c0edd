"""Operators of PyTensor from their signatures, and graphs of PyTensor typed in both directions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytensor.tensor as pt
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.op import Op
from pytensor.graph.traversal import toposort
from pytensor.tensor.math import Dot
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.elemwise import CAReduce, DimShuffle, Elemwise
from pytensor.tensor.shape import Shape_i
from pytensor.tensor.type import TensorType

from ._errors import Never, _never
from ._kanshape import Answer, Dim, Signature, Type, type_graph


class SignatureOp(Op):
    """An ``Op`` whose types and shapes come from its signature."""

    __props__ = ("signature", "function", "name")

    def __init__(self, signature: Signature, function: Callable[..., Any], name: str) -> None:
        self.signature = signature
        self.function = function
        self.name = name
        text = str(signature)
        if text.startswith("("):
            # So that `Blockwise` and `vectorize_graph` know its core dims.
            self.gufunc_signature = text

    def __str__(self) -> str:
        return self.name

    def make_node(self, *inputs: Any) -> Apply:
        variables = [pt.as_tensor_variable(x) for x in inputs]
        answer = self._answer(variables)
        outputs = [TensorType(*_static(self, ty))() for ty in answer.outputs]
        return Apply(self, variables, outputs)

    def _answer(self, variables: Sequence[Any]) -> Answer:
        types = [_named(variable.type, f"i{i}") for i, variable in enumerate(variables)]
        return self.signature.infer(*types)

    def infer_shape(self, *args: Any) -> list[tuple[Any, ...]]:
        # Older versions give the graph first.
        node, shapes = args[-2:]
        sizes = {
            f"i{i}_{axis}": shapes[i][axis]
            for i, variable in enumerate(node.inputs)
            for axis, size in enumerate(variable.type.shape)
            if size is None
        }
        found = []
        for output, ty in zip(node.outputs, self._answer(node.inputs).outputs, strict=True):
            dims = []
            for axis, dim in enumerate(ty.shape or ()):
                size = _size(dim, sizes)
                dims.append(Shape_i(axis)(output) if size is None else size)
            found.append(tuple(dims))
        return found

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: Any) -> None:
        results = self.function(*inputs)
        if len(node.outputs) == 1:
            results = (results,)
        for storage, output, result in zip(output_storage, node.outputs, results, strict=True):
            array = np.asarray(result)
            if str(array.dtype) != output.type.dtype or array.ndim != output.type.ndim:
                what = f"{array.dtype} of rank {array.ndim}"
                raise TypeError(f"{self} gives {what}, and its signature {self.signature} says {output.type}")
            storage[0] = array


def op(
    signature: str | Signature,
    perform: Callable[..., Any],
    *,
    name: str | None = None,
    batched: bool = True,
) -> SignatureOp:
    """An ``Op`` of PyTensor: types of outputs, static shapes and ``infer_shape`` come from the signature.

    ``perform`` takes the arrays of the inputs and gives that of the output, or a tuple of several. Where the signature has a
    prefix for batch dims, ``+(m,n),(n,p)->(m,p)``, it takes batches, as functions of NumPy do; with ``batched=False`` it takes
    one member, and is called for each.
    """
    own = Signature(signature) if isinstance(signature, str) else signature
    function = perform
    if not batched:
        core = str(own).removeprefix("+")
        function = np.vectorize(perform, signature=core)
    return SignatureOp(own, function, name or str(getattr(perform, "__name__", own)))


def _named(ty: Any, prefix: str) -> Type:
    """A type of PyTensor, each size that is not known with a name of its own."""
    shape = [f"{prefix}_{axis}" if size is None else size for axis, size in enumerate(ty.shape)]
    return Type(ty.dtype, shape)


def _static(op: SignatureOp, ty: Type) -> tuple[str, tuple[int | None, ...]]:
    if ty.dtype is None or ty.shape is None:
        raise TypeError(f"{op.signature} leaves open what {op} gives: {ty}")
    return ty.dtype, tuple(size if isinstance(size, int) else None for size in ty.shape)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "neg": operator.neg,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "ceildiv": lambda a, b: -(-a // b),
    "min": lambda *args: _fold(pt.minimum, args),
    "max": lambda *args: _fold(pt.maximum, args),
    "prod": lambda *args: _fold(operator.mul, args),
}


def _fold(function: Callable[[Any, Any], Any], args: Sequence[Any]) -> Any:
    result = args[0]
    for arg in args[1:]:
        result = function(result, arg)
    return result


def _size(dim: int | Dim | None, sizes: dict[str, Any]) -> Any:
    """The size as a computation on those of the inputs; ``None`` if they don't determine it."""
    if dim is None:
        return None
    size = _evaluated(dim if isinstance(dim, int) else dim._tree(), sizes)
    return None if size is None else pt.as_tensor_variable(size, dtype="int64") if isinstance(size, int) else size


def _evaluated(tree: Any, sizes: dict[str, Any]) -> Any:
    if isinstance(tree, str):
        return sizes.get(tree)
    if not isinstance(tree, tuple):
        return tree
    args = [_evaluated(part, sizes) for part in tree[1:]]
    function = _OPERATORS.get(tree[0])
    return None if function is None or any(arg is None for arg in args) else function(*args)


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
    """Nodes whose operator has no signature here: nothing is concluded from them."""
    types: dict[Any, Type]
    """The shape of each variable as a type, in which a name is one size in the whole graph. It is written with the dtype f32, whichever the variable has."""
    where: list[str]
    """What has to hold of these names."""


def check(outputs: Any, *, budget: int | None = None, timeout: float | None = None) -> Report:
    """Types the graph that computes these variables, forwards and backwards.

    ``outputs`` are variables, or a ``FunctionGraph``. All nodes are one graph of kanshape, so that what is known of a variable flows to
    all others.
    """
    if isinstance(outputs, Variable):
        outputs = [outputs]
    numbers: dict[Any, int] = {}
    values: list[Type] = []
    rules: dict[str, int] = {}
    nodes: list[tuple[int, list[int], list[int]]] = []
    typed, untyped = [], []

    def number(variable: Any) -> int:
        if variable not in numbers:
            numbers[variable] = len(values)
            values.append(Type("f32", variable.type.shape))
        return numbers[variable]

    for node in toposort(getattr(outputs, "outputs", outputs)):
        rule = _rule(node)
        if rule is None:
            untyped.append(node)
            for variable in (*node.inputs, *node.outputs):
                if isinstance(variable.type, TensorType):
                    number(variable)
            continue
        typed.append(node)
        text = rules.setdefault(str(rule), len(rules))
        nodes.append((text, [number(v) for v in node.inputs], [number(v) for v in node.outputs]))
    found, problems, where = type_graph(values, list(rules), nodes, budget, timeout)
    types = {variable: found[i] for variable, i in numbers.items()}
    shapes = {variable: _sizes(ty, variable.type.shape) for variable, ty in types.items()}
    weaker = [Weaker(v, v.type.shape, shape) for v, shape in shapes.items() if shape != v.type.shape]
    errors = [(typed[i], _never(*texts, [], [])) for i, texts in problems]
    return Report(shapes, weaker, errors, untyped, types, where)


def _sizes(ty: Type, static: tuple[int | None, ...]) -> tuple[int | None, ...]:
    if ty.shape is None or len(ty.shape) != len(static):
        return static
    return tuple(size if isinstance(size, int) else None for size in ty.shape)


def _rule(node: Apply) -> Signature | None:
    """The signature of a node's shapes."""
    own = node.op
    if any(not isinstance(v.type, TensorType) for v in (*node.inputs, *node.outputs)):
        return None
    if isinstance(own, SignatureOp):
        return own.signature
    names = [f"a{axis}" for axis in range(node.inputs[0].type.ndim)] if node.inputs else []
    if isinstance(own, DimShuffle):
        return _plain(names, ["1" if axis == "x" else names[axis] for axis in own.new_order])
    if isinstance(own, CAReduce):
        axes = range(len(names)) if own.axis is None else [axis % len(names) for axis in own.axis]
        return _plain(names, [name for axis, name in enumerate(names) if axis not in axes])
    if isinstance(own, Dot):
        return Signature("(m,n),(n,p)->(m,p)") if [v.type.ndim for v in node.inputs] == [2, 2] else None
    if isinstance(own, Elemwise):
        return _batched(node, ["()" for _ in node.inputs], ["()" for _ in node.outputs])
    if isinstance(own, Blockwise) and own.signature is not None:
        inputs, outputs = own.signature.split("->")
        return Signature(f"+{inputs}->{outputs}")
    return None


def _plain(inputs: Sequence[str], outputs: Sequence[str]) -> Signature:
    return Signature(f"({','.join(inputs)})->({','.join(outputs)})")


def _batched(node: Apply, inputs: Sequence[str], outputs: Sequence[str]) -> Signature | None:
    """Elementwise, where a size that is not known is no 1, as PyTensor has it: dims that are known to be 1 broadcast."""
    rank = max((v.type.ndim for v in node.inputs), default=0)
    if any(v.type.ndim != rank for v in (*node.inputs, *node.outputs)):
        return Signature(f"+{','.join(inputs)}->{','.join(outputs)}")
    names = [f"a{axis}" for axis in range(rank)]
    operands = [",".join("1" if size == 1 else name for size, name in zip(v.type.shape, names, strict=True)) for v in node.inputs]
    only_ones = [all(v.type.shape[axis] == 1 for v in node.inputs) for axis in range(rank)]
    result = ",".join("1" if one else name for one, name in zip(only_ones, names, strict=True))
    return Signature(f"{','.join(f'({own})' for own in operands)}->{','.join(f'({result})' for _ in outputs)}")
