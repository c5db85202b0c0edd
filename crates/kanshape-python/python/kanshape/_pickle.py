"""What pickles call."""

from __future__ import annotations

from typing import Any

from ._kanshape import Operator, Prepared


def prepared(
    operator: Operator,
    n_inputs: int,
    n_outputs: int | None,
    attrs: dict[str, Any] | None,
) -> Prepared:
    """A prepared operator."""
    return operator.prepare(n_inputs, n_outputs, attrs=attrs)
