"""Strategies of Hypothesis: arrays that fit a rule, or just don't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from ._errors import Never, Undecided
from ._kanshape import Answer, Operator, Prepared, Signature, Type, sample, solve

_TRIES = 3
"""So many samples are looked for until the choices are given up: a rule may not take every number of inputs."""


def inputs(
    rule: str | Signature | Operator | Prepared,
    *,
    max_side: int = 4,
    max_dims: int = 5,
    dtypes: Sequence[Any] = ("float32",),
    almost: bool = False,
    attrs: dict[str, Any] | None = None,
    elements: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[tuple[np.ndarray[Any, Any], ...]]:
    """Tuples of arrays that are inputs of a rule: of shapes that fit, with sides and ranks up to these, shrinking to small ones. A side
    that the rule fixes is what it is.

    All arrays have one of the ``dtypes`` wherever the rule takes that. An array on whose elements the outputs depend, as the shape of
    ``onnx::Reshape``, has such as fit. With ``almost``, one dim, the rank or the dtype of one array is other than it may be, so that the
    rule refuses them.
    """
    every = [_name(dtype) for dtype in dtypes]

    def of(choose: Callable[[int], int], dtype: str, almost: bool) -> Answer:
        return sample(rule, choose, attrs=attrs, dtypes=[dtype], max_dim=max_side, max_rank=max_dims, almost=almost)

    fitting = [dtype for dtype in every if _is_there(of, dtype)]
    if not fitting:
        raise ValueError(f"no shapes within these bounds fit {rule}")

    @st.composite
    def draw_inputs(draw: Any) -> tuple[np.ndarray[Any, Any], ...]:
        def choose(ways: int) -> int:
            return int(draw(st.integers(0, ways - 1)))

        dtype = draw(st.sampled_from(fitting))
        for _ in range(_TRIES):
            try:
                found = of(choose, dtype, almost)
            except (Never, Undecided):
                continue
            arrays = tuple(draw(_array(ty, elements)) for ty in _inputs(found))
            # The elements are drawn without the rule, which may look at them: an axis has to be one. And an attribute that is
            # chosen with the types may have another default, with which they fit.
            fits = next(solve(rule, list(arrays), attrs=attrs), None) is not None
            if fits == almost:
                continue
            return arrays
        reject()

    return draw_inputs()


def _is_there(of: Callable[..., Answer], dtype: str) -> bool:
    """Whether there is a sample: with the simplest choices, or with others."""
    for way in range(4):
        try:
            found = of(lambda ways, way=way: min(way, ways - 1), dtype, False)
        except (Never, Undecided):
            continue
        if all(map(_has_dtype, _inputs(found))):
            return True
    return False


def _inputs(found: Answer) -> list[Type]:
    """The types of the inputs of a sample, which leaves none out."""
    return [ty for ty in found.inputs if ty is not None]


def _name(dtype: Any) -> str:
    """The name that NumPy has for a dtype: of a text as types have it, ``f32``, or of what NumPy takes for one."""
    named = Type(f"{dtype}[]").dtype if isinstance(dtype, str) else np.dtype(dtype).name
    return str(named)


def _has_dtype(ty: Type) -> bool:
    """Whether NumPy has its dtype."""
    try:
        np.dtype(ty.dtype)
    except TypeError:
        return False
    return ty.shape is not None


def _array(ty: Type, elements: st.SearchStrategy[Any] | None) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    shape = tuple(int(size) for size in ty.shape or () if isinstance(size, int))
    if not _has_dtype(ty):
        reject()
    if ty.contents is not None:
        return st.just(np.array(ty.contents, dtype=ty.dtype).reshape(shape))
    return npst.arrays(np.dtype(ty.dtype), shape, elements=elements)
