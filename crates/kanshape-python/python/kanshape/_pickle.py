"""What pickles call."""

from __future__ import annotations

from typing import Any

from ._kanshape import Loaded, Operator, Prepared, Rule, read_rules


def loaded(sources: list[tuple[str, str]], name: str, since: int) -> Operator:
    """An operator of files of one's own."""
    return Loaded(sources).operator(name, since)


def prepared(
    operator: Operator,
    n_inputs: int,
    n_outputs: int | None,
    attrs: dict[str, Any] | None,
) -> Prepared:
    """A prepared operator."""
    return operator.prepare(n_inputs, n_outputs, attrs=attrs)


def rule(source: str, text: str, name: str) -> Rule:
    """A rule of a text, by its name."""
    return next(rule for rule in read_rules(source, text) if rule.name == name)
