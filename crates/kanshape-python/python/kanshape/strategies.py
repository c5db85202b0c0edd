"""Strategies of Hypothesis: arrays that fit a rule, or just don't."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from ._errors import Error, Never
from ._kanshape import Operator, Prepared, Signature, Type, infer, solve

Shapes = tuple[tuple[int, ...], ...]

_MOST = 2000
"""So many tuples of shapes are listed of a rule, small ones first."""


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
    """Tuples of arrays that are inputs of a rule: of shapes that fit, with sides and ranks up to these, shrinking to small ones.

    All arrays have one of the ``dtypes`` that the rule takes. With ``almost``, one dim or the rank of one array is other than it
    may be, so that the rule refuses them.
    """
    frozen = tuple(sorted((name, _hashable(value)) for name, value in (attrs or {}).items()))
    shapes = _shapes(rule, max_side, max_dims, tuple(np.dtype(dtype).name for dtype in dtypes), frozen)
    if not shapes:
        raise ValueError(f"no shapes within these bounds fit {rule}")

    # By size, since numbers shrink to small ones.
    by_size = [list(group) for _, group in itertools.groupby(shapes, key=_size)]

    @st.composite
    def draw_inputs(draw: Any) -> tuple[np.ndarray[Any, Any], ...]:
        dtype, own = draw(st.sampled_from(by_size[draw(st.integers(0, len(by_size) - 1))]))
        if almost:
            others = _refused(rule, dtype, own, frozen)
            # A scalar operator takes all shapes that are near.
            own = draw(st.sampled_from(others)) if others else draw(st.nothing())
        return tuple(draw(npst.arrays(dtype, shape, elements=elements)) for shape in own)

    return draw_inputs()


@functools.lru_cache(maxsize=256)
def _shapes(
    rule: Any, max_side: int, max_dims: int, dtypes: tuple[str, ...], attrs: tuple[tuple[str, Any], ...]
) -> list[tuple[str, Shapes]]:
    """Shapes that fit, each with a dtype, small ones first."""
    found: dict[tuple[str, Shapes], None] = {}
    for dtype in dtypes:
        count = _count(rule)
        given = [Type(dtype, None)] * count
        try:
            answers = solve(rule, given, attrs=_attrs(attrs), max_rank=max_dims, max_dim=max_side, limit=_MOST)
            for answer in answers:
                own = tuple(tuple(size for size in ty.shape or () if isinstance(size, int)) for ty in answer.inputs)
                whole = all(ty.rank == len(shape) for ty, shape in zip(answer.inputs, own, strict=True))
                if whole and all(size <= max_side for shape in own for size in shape):
                    found[dtype, own] = None
        except Never:
            continue
    return sorted(found, key=lambda one: (_size(one), one))


def _size(one: tuple[str, Shapes]) -> int:
    return sum(map(len, one[1])) + sum(map(sum, one[1]))


def _refused(rule: Any, dtype: str, shapes: Shapes, attrs: tuple[tuple[str, Any], ...]) -> list[Shapes]:
    """Shapes that are near these, and that the rule refuses."""
    near: list[Shapes] = []
    for i, shape in enumerate(shapes):
        others = [(*shape[:axis], size + step, *shape[axis + 1 :]) for axis, size in enumerate(shape) for step in (1, -1)]
        others += [shape[1:], (2, *shape)] if shape else [(2,)]
        near += [(*shapes[:i], other, *shapes[i + 1 :]) for other in others if min(other, default=0) >= 0]
    return [own for own in dict.fromkeys(near) if _is_refused(rule, dtype, own, attrs)]


def _is_refused(rule: Any, dtype: str, shapes: Shapes, attrs: tuple[tuple[str, Any], ...]) -> bool:
    try:
        infer(rule, *(Type(dtype, shape) for shape in shapes), attrs=_attrs(attrs))
    except Never:
        return True
    except Error:
        return False
    return False


def _count(rule: Any) -> int:
    if isinstance(rule, str):
        rule = Signature(rule) if "->" in rule else Operator(rule)
    return len(rule.inputs) if isinstance(rule, Operator) else int(rule.n_inputs)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _attrs(attrs: tuple[tuple[str, Any], ...]) -> dict[str, Any] | None:
    return dict(attrs) or None
