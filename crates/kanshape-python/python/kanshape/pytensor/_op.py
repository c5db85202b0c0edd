"""Operators of PyTensor from their signatures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.graph.replace import _vectorize_node
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.shape import Shape_i
from pytensor.tensor.type import TensorType
from pytensor.tensor.utils import safe_signature

from .._errors import Several
from .._kanshape import Answer, Signature, Type
from . import _gufunc, _memory, _sizes

Places = Mapping[int, Sequence[int]]
"""Of an output, by its number, the numbers of inputs."""


@dataclass(frozen=True)
class OnCopies:
    """A function that gets copies of some of its arguments, to write into."""

    function: Callable[..., Any]
    written: frozenset[int]

    def __call__(self, *inputs: Any) -> Any:
        return self.function(*(value.copy() if i in self.written else value for i, value in enumerate(inputs)))


class SignatureOp(Op):
    """An ``Op`` whose types and shapes come from its signature. ``op`` makes one."""

    __props__ = ("signature", "function", "name", "given", "batched", "checked", "views", "destroys")

    def __init__(
        self,
        signature: Signature,
        function: Callable[..., Any],
        name: str,
        *,
        params: Mapping[str, Any] | None = None,
        batched: bool = True,
        checked: bool = True,
        view_map: Places | None = None,
        destroy_map: Places | None = None,
    ) -> None:
        self.signature = signature
        self.function = function
        self.name = name
        self.given = tuple(sorted((params or {}).items()))
        self.parameters = tuple((own, (params or {}).get(own)) for own in _gufunc.parameters(str(signature)))
        if unknown := sorted({*(params or {})} - {own for own, _ in self.parameters}):
            raise ValueError(f"`{signature}` has no parameter `{unknown[0]}`")
        self.batched = batched
        self.checked = checked
        self.views = _places(signature, "view_map", view_map)
        self.destroys = _places(signature, "destroy_map", destroy_map)
        if both := {place for place, _ in self.views} & {place for place, _ in self.destroys}:
            raise ValueError(f"output {min(both)} stands in view_map and in destroy_map: what is written in place is a view already")
        if self.views:
            self.view_map = {place: list(inputs) for place, inputs in self.views}
        if self.destroys:
            self.destroy_map = {place: list(inputs) for place, inputs in self.destroys}
        self._core = _gufunc.core(str(signature))
        if not batched and self._core is not None and self._core.prefix and self._core.has_runs:
            raise ValueError(f"batched=False: `{signature}` leaves open which dims are batch dims, since a run of dims stands in it")
        reduced = self._core.reduced() if self._core is not None else None
        if reduced is not None:
            # So that `Blockwise` and `vectorize_graph` know its core dims.
            self.gufunc_signature = reduced

    def __str__(self) -> str:
        return self.name

    def _without_writing(self) -> SignatureOp:
        """The same, which writes into no input: a member of a batch may be that of others as well."""
        if not self.destroys:
            return self
        written = frozenset(i for _, inputs in self.destroys for i in inputs)
        function = OnCopies(self.function, written)
        views = dict(self.views)
        own, given = self.signature, dict(self.given)
        return SignatureOp(own, function, self.name, params=given, batched=self.batched, checked=self.checked, view_map=views)

    def make_node(self, *inputs: Any) -> Apply:
        variables = [pt.as_tensor_variable(x) for x in inputs]
        answer = self._answer(variables)
        outputs = [TensorType(*self._static(ty))() for ty in answer.outputs]
        return Apply(self, variables, outputs)

    def _infer(self, inputs: Sequence[Any], outputs: Sequence[Any] | None = None) -> Answer:
        return self.signature.infer(*inputs, outputs=outputs, params=dict(self.given) if self.given else None)

    def _answer(self, variables: Sequence[Any]) -> Answer:
        return self._infer([Type(v.type.dtype, _sizes.named(v.type.shape, i)) for i, v in enumerate(variables)])

    def _static(self, ty: Type) -> tuple[str, tuple[int | None, ...]]:
        if ty.dtype is None or ty.shape is None:
            raise TypeError(f"{self.signature} leaves open what {self} gives: {ty}")
        return ty.dtype, tuple(size if isinstance(size, int) else None for size in ty.shape)

    def infer_shape(self, *args: Any) -> list[tuple[Any, ...]]:
        # Older versions give the graph first.
        node, shapes = args[-2:]
        static = [variable.type.shape for variable in node.inputs]
        answer = self._answer(node.inputs)
        sizes = _sizes.each(shapes, static)
        defined = _sizes.definitions(answer.where, sizes)
        if answer.where and self.checked and sizes:
            held = Holds(self, tuple((v.type.dtype, v.type.shape) for v in node.inputs))
            checked = held(*(pt.as_tensor_variable(size, dtype="int64") for size in sizes.values()))
            sizes = dict(zip(sizes, checked if isinstance(checked, list) else [checked], strict=True))
        found = []
        for output, ty in zip(node.outputs, answer.outputs, strict=True):
            dims = [_sizes.size(dim, sizes, defined) for dim in ty.shape or ()]
            found.append(tuple(Shape_i(axis)(output) if dim is None else dim for axis, dim in enumerate(dims)))
        return found

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: Any) -> None:
        inputs = [np.asarray(value) for value in inputs]
        answer = self._checked_inputs(inputs) if self.checked or not self.batched else None
        shared = [dict((*self.views, *self.destroys)).get(place, ()) for place in range(len(node.outputs))]
        given = {i for places in shared for i in places}
        passed = [_memory.held(value) if self.checked and i not in given else value for i, value in enumerate(inputs)]
        results = self._members(passed, node, answer) if self._has_members() else self._results(passed, node)
        self._check_forms(node, results)
        # What is not plain is solved again, with the results.
        if self.checked and (answer is None or not answer._gives(*results)):
            self._checked_results(inputs, results)
        for storage, array in zip(output_storage, _memory.separate(results, inputs, shared), strict=True):
            storage[0] = array

    def _check_forms(self, node: Apply, results: Sequence[Any]) -> None:
        for output, array in zip(node.outputs, results, strict=True):
            if str(array.dtype) != output.type.dtype or array.ndim != output.type.ndim:
                what = f"{array.dtype} of rank {array.ndim}"
                raise TypeError(f"{self} gives {what}, and its signature {self.signature} says {output.type}")

    def _checked_inputs(self, inputs: Sequence[Any]) -> Answer | None:
        """What the signature says of these inputs; ``None`` if it says several things. They may not fit it at all: ``Never``."""
        try:
            return self._infer(inputs)
        except Several:
            return None

    def _checked_results(self, inputs: Sequence[Any], results: Sequence[Any]) -> None:
        try:
            self._infer(inputs, results)
        except Several:
            pass

    def _results(self, inputs: Sequence[Any], node: Apply) -> list[Any]:
        """The arrays that the function gives, held by the list alone."""
        given = self.function(*inputs)
        count = len(node.outputs)
        if count == 1:
            results = [given]
        elif isinstance(given, (tuple, list)) and len(given) == count:
            results = list(given)
        elif count == 0 and given is None:
            results = []
        else:
            what = f"{len(given)} results" if isinstance(given, (tuple, list)) else f"one {type(given).__name__}"
            raise TypeError(f"{self} gives {what}: its signature {self.signature} has {count} outputs, so that it gives a tuple of them")
        del given
        for i in range(count):
            results[i] = np.asarray(results[i])
        return results

    def _has_members(self) -> bool:
        return not self.batched and self._core is not None and bool(self._core.prefix)

    def _members(self, inputs: Sequence[Any], node: Apply, answer: Answer | None) -> list[Any]:
        """The results for each member of a batch, put together."""
        ranks = self._core.ranks([value.ndim for value in inputs]) if self._core is not None else None
        if ranks is None:
            raise TypeError(f"{self.signature} leaves open which dims of the inputs of {self} are batch dims")
        cut = [value.ndim - rank for value, rank in zip(inputs, ranks, strict=True)]
        batch = np.broadcast_shapes(*(value.shape[:at] for value, at in zip(inputs, cut, strict=True)))
        if math.prod(batch) == 0:
            return self._empty(node, answer)
        spread = [np.broadcast_to(value, batch + value.shape[at:]) for value, at in zip(inputs, cut, strict=True)]
        rows = [self._results([value[index] for value in spread], node) for index in np.ndindex(*batch)]
        stacked = [np.stack(parts) for parts in zip(*rows, strict=True)]
        return [array.reshape(batch + array.shape[1:]) for array in stacked]

    def _empty(self, node: Apply, answer: Answer | None) -> list[Any]:
        """The results for a batch without members: their shapes follow from the signature, or are not known."""
        shapes = [ty.shape for ty in answer.outputs] if answer is not None else [None]
        if any(shape is None or not all(isinstance(size, int) for size in shape) for shape in shapes):
            raise ValueError(f"{self} got an empty batch, and {self.signature} does not say which shape the result of one member has")
        return [np.empty(shape, output.type.dtype) for shape, output in zip(shapes, node.outputs, strict=True)]


def _places(signature: Signature, what: str, places: Places | None) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found = tuple(sorted((place, tuple(inputs)) for place, inputs in (places or {}).items()))
    for place, inputs in found:
        if not 0 <= place < signature.n_outputs or not all(0 <= i < signature.n_inputs for i in inputs) or not inputs:
            raise ValueError(f"{what} has {{{place}: {list(inputs)}}}, and {signature} has no such output or input")
    return found


class Holds(Op):
    """The sizes of inputs as they are, if the signature of an ``Op`` allows them: an assertion.

    Its inputs are the sizes that are not static, in order.
    """

    __props__ = ("own", "static")

    def __init__(self, own: SignatureOp, static: tuple[tuple[str, tuple[int | None, ...]], ...]) -> None:
        self.own = own
        self.static = static

    def __str__(self) -> str:
        return f"Holds{{{self.own.signature}}}"

    def make_node(self, *sizes: Any) -> Apply:
        return Apply(self, list(sizes), [TensorType("int64", ())() for _ in sizes])

    def infer_shape(self, *args: Any) -> list[tuple[Any, ...]]:
        return [() for _ in args[-2].outputs]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: Any) -> None:
        sizes = iter([int(size) for size in inputs])
        types = [Type(dtype, [next(sizes) if size is None else size for size in shape]) for dtype, shape in self.static]
        self.own._checked_inputs(types)
        for storage, size in zip(output_storage, inputs, strict=True):
            storage[0] = np.array(size)


@_vectorize_node.register(SignatureOp)  # type: ignore[untyped-decorator]
def _vectorized(own: SignatureOp, node: Apply, *inputs: Any) -> Any:
    """A node on batches of what it is on.

    An ``Op`` whose signature has ``+`` in front takes batches itself. Each other one is called for each member.
    """
    ranks = [variable.type.ndim for variable in node.inputs]
    core = own._core.ranks(ranks) if own._core is not None else None
    if core is not None and own._core is not None and own._core.prefix == "+":
        batch = max((rank - own_rank for rank, own_rank in zip(ranks, core, strict=True)), default=0)
        padded = [
            pt.expand_dims(value, tuple(range(extra, extra + batch - rank + own_rank)))
            for value, rank, own_rank in zip(inputs, ranks, core, strict=True)
            for extra in [value.type.ndim - rank]
        ]
        # Dims that only some of the inputs have more stand before the batch dims that all have.
        most = max((value.type.ndim - own_rank for value, own_rank in zip(padded, core, strict=True)), default=0)
        return own.make_node(*(_padded(value, most + own_rank) for value, own_rank in zip(padded, core, strict=True)))
    ranks_out = [variable.type.ndim for variable in node.outputs]
    signature = getattr(own, "gufunc_signature", None)
    if signature is None or not _is_of_ranks(signature, ranks, ranks_out):
        signature = safe_signature(ranks, ranks_out)
    return Blockwise(own._without_writing(), signature=signature).make_node(*inputs)


def _padded(value: Any, ndim: int) -> Any:
    missing = ndim - value.type.ndim
    return pt.expand_dims(value, tuple(range(missing))) if missing else value


def _is_of_ranks(signature: str, inputs: Sequence[int], outputs: Sequence[int]) -> bool:
    found = _gufunc.core(signature)
    return found is not None and [[len(dims) for dims in side] for side in found[1:]] == [list(inputs), list(outputs)]


def op(
    signature: str | Signature,
    perform: Callable[..., Any],
    *,
    name: str | None = None,
    batched: bool = True,
    params: Mapping[str, Any] | None = None,
    checked: bool = True,
    view_map: Places | None = None,
    destroy_map: Places | None = None,
    inplace: bool = False,
) -> SignatureOp:
    """An ``Op`` of PyTensor: types of outputs, static shapes and ``infer_shape`` come from the signature.

    ``perform`` takes the arrays of the inputs and gives that of the output, or a tuple of several. Where the signature has a
    prefix for batch dims, ``+(m,n),(n,p)->(m,p)``, it takes batches, as functions of NumPy do; with ``batched=False`` it takes
    one member, and is called for each. ``params`` fixes parameters of the signature.

    Each call is held against the signature: shapes of inputs and results with all its conditions, and that no input is written to. So is
    ``infer_shape``. ``checked=False`` turns that off.

    A result that is a view of an input is copied, since PyTensor writes into values that nobody needs any more. With
    ``view_map={0: [1]}`` PyTensor knows that output 0 is a view of input 1, and nothing is copied; with ``destroy_map={0: [1]}`` output
    0 is written into input 1. ``inplace=True`` is ``destroy_map={0: [0]}``. PyTensor takes such an ``Op`` in a graph that is compiled with
    ``accept_inplace=True``, or that a rewrite brings it into.

    >>> import numpy as np
    >>> import pytensor.tensor as pt
    >>> flip = op("(m,n)->(n,m)", np.transpose)
    >>> flip(pt.tensor("x", shape=(2, None))).type.shape
    (None, 2)
    >>> pool = op("[s] (n)->(n//s)", lambda x: x[1::2], params={"s": 2})
    >>> pool(pt.tensor("x", shape=(7,))).type.shape
    (3,)
    """
    own = Signature(signature) if isinstance(signature, str) else signature
    if inplace:
        destroy_map = {0: [0], **(destroy_map or {})}
    return SignatureOp(
        own,
        perform,
        name or str(getattr(perform, "__name__", own)),
        params=params,
        batched=batched,
        checked=checked,
        view_map=view_map,
        destroy_map=destroy_map,
    )

