"""Rewrite rules: checked for all shapes, and applied to ONNX models; operators that make one type of others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import _kanshape
from ._kanshape import Dim, Type
from ._models import _bytes


class Case(NamedTuple):
    """Inputs whose sizes are numbers, and what both sides of a rule are for them."""

    attrs: dict[str, str]
    """The variables in attributes and constants, with their values."""
    leaves: dict[str, Type]
    """The types of the leaves."""
    left: list[Type]
    """The outputs of the left side."""
    right: list[Type] | None
    """Those of the right side; ``None`` if it can't be."""
    why: str | None
    """Why the right side is not the left one."""


class Values(NamedTuple):
    """Whether both sides of a rule are the same numbers, where they have one type and the precondition holds."""

    verdict: str
    """``proved``, ``tested``, ``refuted``, ``opaque``. *Proved* is equality over the reals, and over integers that wrap around."""
    ranks: int | None
    """The most dims of a leaf for which the result holds; ``None`` if it holds for all."""
    sizes: int | None
    """The largest size for which the result holds; ``None`` if it holds for all."""
    instances: int
    """How many leaves were calculated."""
    counterexample: Case | None
    """Leaves with contents, for which both sides have the contents that are there."""
    needs: list[str] | None
    """Goals with which both sides were the same numbers wherever that was tried, of a rule that is refuted; ``None`` if none were found."""
    loses: Case | None
    """The smallest sound leaves that these goals exclude; ``None`` if they exclude none that were tried."""
    why: str | None
    """Why nothing was calculated, or it is not proved, or not for all sizes."""

    def _repr_html_(self) -> str:
        rows = [(name, str(found)) for name, found in self._asdict().items() if found is not None]
        return _kanshape.html_table(rows)


class Soundness(NamedTuple):
    """What is found out of a rule. The verdict is about types; what the rule needs and the audit are about values as well, where these are judged."""

    verdict: str
    """``always``, ``depends``, ``never``, ``unknown``: has the right side the type of the left side wherever that has one?"""
    counterexample: Case | None
    """The smallest inputs for which it has not."""
    needs: list[str] | None
    """Goals with which the rule is sound, and which exclude no inputs for which it is; ``None`` if none were found."""
    complete_up_to: tuple[int, int | None] | None
    """How far that was checked, a rank and a size; ``None`` if it is true of all."""
    audit: str | None
    """The author's own precondition beside the weakest one: ``exact``, ``too weak``, ``too strong``."""
    lost: Case | None
    """The smallest inputs that the author's precondition excludes, and for which the rule is sound."""
    forward: bool | None
    """Wherever the left side has a type, has the right side the same?"""
    backward: bool | None
    """Wherever the right side has a type, has the left side the same?"""
    why: str | None
    """Why it is unknown, or never."""
    values: Values | None = None
    """Whether both sides are the same numbers; ``None`` if only types were judged."""

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), str(found)) for name, found in self._asdict().items() if found is not None]
        return _kanshape.html_table(rows)


class Rule:
    """A rewrite rule: ``rule zero: Add(A, c) => A``."""

    def __init__(self, found: _kanshape.Rule, name: str, text: str) -> None:
        self._found = found
        self._source = (name, text)
        self.name = found.name
        self.left = found.left
        """Its left side."""
        self.right = found.right
        """Its right side."""

    def check(
        self,
        *,
        opset: int | None = None,
        max_rank: int | None = None,
        max_dim: int | None = None,
        types_only: bool = False,
    ) -> Soundness:
        """Whether it keeps types and values, for all shapes; where that is not decided for types, for those up to these bounds.

        With ``types_only`` values are not judged.
        """
        found = self._found.found(types_only, opset=opset, max_rank=max_rank, max_dim=max_dim)
        verdict, counterexample, needs, up_to, audit, lost, forward, backward, why, values = found
        own = None if values is None else _agreed(values)
        return Soundness(
            verdict, _case(counterexample), needs, up_to, audit, _case(lost), forward, backward, why, own
        )

    def values(self, *, opset: int | None = None) -> Values:
        """Whether both sides are the same numbers."""
        return _agreed(self._found.values(opset=opset))

    def __repr__(self) -> str:
        return repr(self._found)

    def _repr_html_(self) -> str:
        return _kanshape.html_table([(self.name, f"{self.left} => {self.right}")])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and (self.name, self._source) == (other.name, other._source)

    def __hash__(self) -> int:
        return hash((self.name, self._source))

    def __reduce__(self) -> Any:
        return (_named, (self.name, *self._source))


class Rules(Sequence[Rule]):
    """Rewrite rules, in their order; each is found by its name as well."""

    def __init__(self, sources: Iterable[tuple[str, str]]) -> None:
        self._sources = tuple(sources)
        self._rules = [Rule(rule, name, text) for name, text in self._sources for rule in _kanshape.read_rules(name, text)]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for rule in self._rules:
                if rule.name == key:
                    return rule
            raise KeyError(key)
        return self._rules[key]

    def __contains__(self, key: object) -> bool:
        return any(key in (rule.name, rule) for rule in self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __add__(self, other: Rules) -> Rules:
        return Rules((*self._sources, *other._sources))

    def __repr__(self) -> str:
        return f"<kanshape.Rules {', '.join(rule.name for rule in self._rules)}>"

    def _repr_html_(self) -> str:
        return _kanshape.html_table([(rule.name, f"{rule.left} => {rule.right}") for rule in self._rules])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._sources == other._sources

    def __hash__(self) -> int:
        return hash(self._sources)

    def __reduce__(self) -> Any:
        return (Rules, (self._sources,))


class Match(NamedTuple):
    """Where a rule matches a model, and was not applied."""

    rule: str
    value: str
    """The value that is the first output of the left side."""
    verdict: str
    """Whether the rule holds there: ``depends``, ``never``, ``unknown``."""
    why: list[str]
    """What it needs, or why it is not known to hold."""


class Rewritten(NamedTuple):
    """What has come of a model."""

    model: bytes
    """The model. Where nothing was applied it is what it was."""
    applied: list[tuple[str, str]]
    """The rules that were applied, each with the value that it made, in order."""
    left: list[Match]
    """Where a rule matches the model as it is now, and was not applied."""
    looped: list[str]
    """Rules whose results they match themselves: the last change of theirs is taken back."""

    def _repr_html_(self) -> str:
        rows = [("applied", f"{rule} at {value}") for rule, value in self.applied]
        rows += [("left", f"{one.rule} at {one.value}: {one.verdict}") for one in self.left]
        return _kanshape.html_table(rows)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the model into a file."""
        Path(path).write_bytes(self.model)


class Cost(NamedTuple):
    """What operators cost, in the names of the dims; ``None`` if it is not known."""

    elements: int | Dim | None
    """The elements that they give."""
    bytes: int | Dim | None
    """The bytes of these."""
    multiply_adds: int | Dim | None
    """Multiplications, each with an addition."""


class Call(NamedTuple):
    """A call of an operator that gives what is wanted."""

    op: str
    attrs: dict[str, Any]
    """The attributes that it needs; the others have their defaults."""
    inputs: tuple[Any, ...]
    """For each input the place of a given one, the ``Type`` of a further one, another ``Call``, or ``None`` if it is left out."""
    output: Type
    text: str
    cost: Cost
    """What it costs, with the calls that make its inputs."""

    def __str__(self) -> str:
        return self.text


class Calls(list[Call]):
    """Calls that have been found."""

    cut_off: list[str]
    """The operators that were not searched to their end, because of their own bounds, ``budget`` or ``timeout``."""

    def _repr_html_(self) -> str:
        return _kanshape.html_table([(str(call.output), call.text) for call in self])


def rules(source: str | os.PathLike[str]) -> Rules:
    """Rewrite rules of a file, or of a text with ``=>`` in it."""
    if isinstance(source, str) and "=>" in source:
        return Rules([("rules", source)])
    path = Path(source)
    return Rules([(str(path), path.read_text(encoding="utf-8"))])


def rewrite(
    model: Any,
    rules: Rules | str | os.PathLike[str],
    *,
    assume: str | Iterable[str] = (),
    timeout: float | None = None,
) -> Rewritten:
    """Applies rules to an ONNX model - a path, bytes or a ``ModelProto`` - until none matches that holds always.

    ``assume`` are conditions on the names of its dims.
    """
    own = rules if isinstance(rules, Rules) else _read(rules)
    assumed = [assume] if isinstance(assume, str) else list(assume)
    data, applied, left, looped = _kanshape.rewrite_model(_bytes(model), list(own._sources), assumed, timeout)
    return Rewritten(data, applied, [Match(*one) for one in left], looped)


def find(
    inputs: Iterable[Any],
    output: Any,
    *,
    depth: int = 1,
    ops: str | Iterable[str] = (),
    cheapest: bool = False,
    opset: int | None = None,
    budget: int | None = None,
    timeout: float | None = None,
) -> Calls:
    """The calls of operators that make the output of these inputs, in this order, the simplest first, or the ``cheapest``.

    ``depth`` is how many operators a chain has at most, ``ops`` are names of operators or domains. An input that is ``None`` may be
    anything. ``cut_off`` of what is found are the operators that were not searched to their end.
    """
    own = [ops] if isinstance(ops, str) else list(ops)
    found, cut_off = _kanshape.find_calls(inputs, output, depth, own, cheapest, opset, budget, timeout)
    calls = Calls(_call(one) for one in found)
    calls.cut_off = cut_off
    return calls


_read = rules


def _call(found: Any) -> Call:
    op, attrs, inputs, output, text, cost = found
    return Call(op, attrs, tuple(_input(one) for one in inputs), output, text, Cost(*cost))


def _input(found: Any) -> Any:
    if not isinstance(found, tuple):
        return found
    return found[0] if len(found) == 2 else _call(found)


def _case(found: Any) -> Case | None:
    if found is None:
        return None
    attrs, leaves, *others = found
    return Case(dict(attrs), dict(leaves), *others)


def _agreed(found: Any) -> Values:
    verdict, ranks, sizes, instances, counterexample, needs, loses, why = found
    return Values(verdict, ranks, sizes, instances, _case(counterexample), needs, _case(loses), why)


def _named(name: str, source: str, text: str) -> Rule:
    rule: Rule = Rules([(source, text)])[name]
    return rule
