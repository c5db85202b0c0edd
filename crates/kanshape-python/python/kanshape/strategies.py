"""Strategies of Hypothesis: arrays that fit a rule, or just don't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from ._errors import Error, Never, Undecided
from ._kanshape import Answer, Operator, Prepared, Signature, Type, sample, solve

_TRIES = 3
"""So many samples are looked for until the choices are given up: a rule may not take every number of inputs."""


def inputs(
    rule: str | Signature | Operator | Prepared,
    *,
    min_side: int = 1,
    max_side: int = 4,
    max_dims: int = 5,
    dtypes: Sequence[Any] | st.SearchStrategy[Any] = ("float32",),
    almost: bool = False,
    inputs: Sequence[Any] | None = None,
    params: dict[str, Any] | None = None,
    attrs: dict[str, Any] | None = None,
    where: str | Sequence[str] | None = None,
    elements: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[tuple[np.ndarray[Any, Any], ...]]:
    """Tuples of arrays that are inputs of a rule: of shapes that fit, with sides and ranks within these bounds, shrinking to small ones. A
    side that the rule or a type in ``inputs`` fixes is what it is.

    There are no sides of 0 unless ``min_side=0`` requests them, as in Hypothesis's own strategies of shapes: most functions have no
    meaning for empty arrays, and tests would be about little else.

    All arrays have one of the ``dtypes``, a list of them or a strategy, wherever the rule takes that. ``inputs`` are types of the inputs as far
    as they are given, ``params`` and ``attrs`` parameters and attributes of the rule, and ``where`` conditions on the names in these types.

    An array on whose elements the outputs depend, as the shape of ``onnx::Reshape``, has such as fit. With ``almost``, one dim, the rank or the
    dtype of one array is other than it may be, so that the rule refuses them; ``elements`` are those of arrays whose dtype has them.
    """
    given: dict[str, Any] = {"inputs": inputs, "params": params, "attrs": attrs, "where": where}
    given.update(min_dim=min_side, max_dim=max_side, max_rank=max_dims)
    rule_of: Any = rule

    def of(choose: Callable[[int], int], dtype: str, almost: bool) -> Answer:
        return sample(rule_of, choose, dtypes=[dtype], almost=almost, **given)

    fits: dict[str, bool] = {}

    def is_there(dtype: Any) -> bool:
        name = _name(dtype)
        if name not in fits:
            fits[name] = _is_there(of, name)
        return fits[name]

    if isinstance(dtypes, st.SearchStrategy):
        drawn = dtypes.filter(is_there)
    else:
        fitting = [dtype for dtype in dtypes if is_there(dtype)]
        if not fitting:
            raise ValueError(f"no shapes within these bounds fit {rule}{_missing(rule, attrs, min_side)}")
        drawn = st.sampled_from(fitting)

    @st.composite
    def draw_inputs(draw: Any) -> tuple[np.ndarray[Any, Any], ...]:
        def choose(ways: int) -> int:
            return int(draw(st.integers(0, ways - 1)))

        dtype = _name(draw(drawn))
        for _ in range(_TRIES):
            try:
                found = of(choose, dtype, almost)
            except (Never, Undecided):
                continue
            arrays = tuple(draw(_array(ty, elements, is_other=almost and ty.dtype != dtype)) for ty in _inputs(found))
            # The elements are drawn without the rule, which may look at them: an axis has to be one. And an attribute that is
            # chosen with the types may have another default, with which they fit.
            if _fits(rule_of, list(arrays), attrs, params) == almost:
                continue
            return arrays
        reject()

    return draw_inputs()


def _fits(rule: Any, arrays: list[Any], attrs: dict[str, Any] | None, params: dict[str, Any] | None) -> bool:
    """Whether the rule takes these arrays. Attributes that a question has to say and that are not given are solved for."""
    try:
        return next(solve(rule, arrays, attrs=attrs, params=params), None) is not None
    except Error as error:
        if error.code != "K0322":
            raise
    operator = Operator(rule) if isinstance(rule, str) else rule
    asked: dict[str, Any] = {**dict.fromkeys(operator.attributes), **(attrs or {})}
    return next(solve(rule, arrays, attrs=asked, params=params), None) is not None


def _missing(rule: Any, attrs: dict[str, Any] | None, min_side: int) -> str:
    """What there may be to give, in words."""
    if isinstance(rule, Prepared):
        return ""
    if isinstance(rule, str) and "->" not in rule:
        rule = Operator(rule)
    words = []
    if isinstance(rule, Operator):
        left = [name for name in rule.attributes if name not in (attrs or {})]
        if left:
            words.append(f"attributes that are not given: {', '.join(left)}")
    if min_side > 0:
        words.append("there may be some with a side of 0: min_side=0")
    return f"; {'; '.join(words)}" if words else ""


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


def _array(ty: Type, elements: st.SearchStrategy[Any] | None, is_other: bool) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    shape = tuple(int(size) for size in ty.shape or () if isinstance(size, int))
    if not _has_dtype(ty):
        reject()
    if ty.contents is not None:
        return st.just(np.array(ty.contents, dtype=ty.dtype).reshape(shape))
    dtype = np.dtype(ty.dtype)
    # The elements that are given are those of the dtype that is, and not of one that is changed.
    own = None if is_other else elements
    if own is None and dtype.type.__module__ != "numpy":
        # Of a dtype that NumPy has from another package, `bfloat16`, Hypothesis knows no elements. These any number has.
        own = st.sampled_from([0, 1])
    return npst.arrays(dtype, shape, elements=own)
