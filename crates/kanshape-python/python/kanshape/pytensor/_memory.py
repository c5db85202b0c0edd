"""Results that share memory with something else.

PyTensor writes into values that nobody needs any more. Of a result that is a view of an input, of another result or of an array that its
function keeps, that has to be declared, or that is overwritten too. What is not declared is copied.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np


def held(value: Any) -> Any:
    """An input as a function gets it that may not write into it."""
    view = np.asarray(value).view()
    view.flags.writeable = False
    return view


def separate(results: list[Any], inputs: Sequence[Any], shared: Sequence[Sequence[int]]) -> list[Any]:
    """The results, with a copy of each that shares memory with an input, another result, or anything that is kept elsewhere.

    Nothing but the list may hold the results. ``shared`` says of each which inputs it may share memory with.
    """
    found: list[Any] = []
    for place in range(len(results)):
        allowed = shared[place]
        if any(np.may_share_memory(results[place], inputs[i]) for i in allowed):
            others = [value for i, value in enumerate(inputs) if i not in allowed]
            is_free = True
        else:
            others = list(inputs)
            is_free = _is_free(results, place)
        others += found
        is_free = is_free and not any(np.may_share_memory(results[place], other) for other in others)
        found.append(results[place] if is_free else results[place].copy())
    return found


def _is_free(results: list[Any], place: int) -> bool:
    """Is it, with the memory it is a view of, held by nothing but this list?"""
    if _holders(results, place) != _ALONE:
        return False
    base = results[place].base
    if base is None:
        return bool(results[place].flags.owndata)
    # A view of an array that was made for it. NumPy lets a view refer to the owner of the memory, so that there is one step.
    is_plain = isinstance(base, np.ndarray) and base.base is None and bool(base.flags.owndata)
    return is_plain and sys.getrefcount(base) == _ALONE_AS_BASE


def _holders(results: list[Any], place: int) -> int:
    return sys.getrefcount(results[place])


def _holders_of_base(results: list[Any], place: int) -> int:
    base = results[place].base
    return sys.getrefcount(base)


# How many there are where nothing else holds it. It depends on the version of Python, so it is measured; elsewhere than in CPython nothing
# is known of it, and all is copied.
_counts = sys.implementation.name == "cpython" and hasattr(sys, "getrefcount")
_ALONE = _holders([np.empty(2)], 0) if _counts else -1
_ALONE_AS_BASE = _holders_of_base([np.empty(2)[:1]], 0) if _counts else -1
