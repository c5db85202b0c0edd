"""One call of a function that is checked: what its names are, and why something does not fit."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
from typing import Any

from ._annotated import T, joint, plain
from ._errors import Fact, Never, Several, Undecided, _never
from ._kanshape import Answer, Refusal, Type, refused, value_type
from ._plans import Found, Part, Unfit

MAX_WAYS = 256
"""The most ways of choosing among the types of unions that are tried."""

NEVER = "K0101"


def solve(inputs: Sequence[Part], outputs: Sequence[Part], sizes: Mapping[str, int]) -> dict[str, Any] | None:
    """What the names of these types are as far as that follows; ``None`` if the types don't fit together."""
    own = joint(tuple(part.type for part in inputs), tuple(part.type for part in outputs), tuple(sizes))
    given = [*(part.found for part in outputs), *(None for _ in own.names)]
    params = {size: sizes[size] for size in own.sizes}
    answer: Answer
    try:
        answer = own.signature.infer(*(part.found for part in inputs), outputs=given, params=params)
    except Several as several:
        answer = several.answers[0]
    except Never:
        return None
    shown = answer.outputs[len(outputs) :]
    found = {name: value for name, ty in zip(own.names, shown) if (value := _value(ty)) is not None}
    return {**params, **found}


def _value(ty: Type) -> Any:
    """What a name is, by the operand that shows it: a size, a run of them, a dtype."""
    if ty.dtype != "bool":
        return ty.dtype if ty.rank == 0 else None
    shape = ty.shape
    if shape is None or not all(isinstance(size, int) for size in shape):
        return None
    return shape


def shown(names: Mapping[str, Any], types: Iterable[T], sizes: Mapping[str, int]) -> str:
    """Names with what they are: ``b = 2, ...r = (3, 4)``."""
    runs = {name for own in types for name, operand in own.names.items() if "..." in operand}
    texts = []
    for name, value in names.items():
        if name in runs:
            texts.append(f"...{name} = ({', '.join(map(str, value))})")
        elif isinstance(value, tuple):
            texts.append(f"{name} = {value[0]}" if value else f"{name} is left out")
        else:
            texts.append(f"{name} = {value}")
    return ", ".join(texts)


class Scope:
    """What has been found in one call."""

    __slots__ = ("bound", "known", "name", "sizes")

    def __init__(self, name: str, sizes: Mapping[str, int], known: Sequence[Part] = ()) -> None:
        self.name = name
        self.sizes = sizes
        self.known = list(known)
        self.bound: dict[str, Any] | None = None

    def admit(self, found: Found, as_input: bool) -> None:
        """Takes up what was found, if it fits; ``Never`` otherwise."""
        ways = found.ways()
        first: list[Part] | None = None
        for parts in itertools.islice(ways, MAX_WAYS):
            fresh = self._fresh(parts)
            if self._take(fresh, as_input):
                return
            first = fresh if first is None else first
        if next(ways, None) is not None:
            raise Undecided(f"{self.name}(): there are more than {MAX_WAYS} ways of choosing among the types of unions, and none of these fits")
        raise Never(Mismatch(self, first or [], as_input))  # type: ignore[arg-type]

    def _fresh(self, parts: Sequence[Part]) -> list[Part]:
        """The parts of which there has been none that is the same."""
        seen = {(part.type, part.found) for part in self.known}
        fresh = []
        for part in parts:
            key = (part.type, part.found)
            if key not in seen:
                seen.add(key)
                fresh.append(part)
        return fresh

    def _take(self, fresh: list[Part], as_input: bool) -> bool:
        if not fresh:
            return True
        # What has no names has nothing to do with the others.
        alone = [part for part in fresh if not part.type.names]
        if any(solve([part], [], self.sizes) is None for part in alone):
            return False
        named = [part for part in fresh if part.type.names]
        if not named:
            return True
        bound = solve([*self.known, *named], [], self.sizes) if as_input else solve(self.known, named, self.sizes)
        if bound is None:
            return False
        before = self.bound or {}
        # One whose names were known already says nothing that is new.
        self.known.extend(part for part in named if not before.keys() >= part.type.names.keys())
        self.bound = bound
        return True

    def names(self) -> dict[str, Any]:
        """What the names are so far."""
        if self.bound is None:
            self.bound = solve(self.known, [], self.sizes) or {}
        return self.bound


class Mismatch:
    """Why values don't fit, in the words of the function. That is found out when it is first read."""

    def __init__(self, scope: Scope, fresh: list[Part], as_input: bool) -> None:
        self.name = scope.name
        self.sizes = dict(scope.sizes)
        self.known = list(scope.known)
        self.fresh = fresh
        inputs = [*self.known, *fresh] if as_input else self.known
        self.parts = inputs if as_input else [*self.known, *fresh]
        self.n_inputs = len(inputs)
        self._inner: Refusal | None = None

    def _refusal(self) -> Refusal:
        if self._inner is None:
            inputs, outputs = self.parts[: self.n_inputs], self.parts[self.n_inputs :]
            types = [tuple(part.type for part in parts) for parts in (inputs, outputs)]
            used = tuple(size for size in self.sizes if any(size in part.type.names for part in self.parts))
            try:
                signature = plain(types[0], types[1], used)
            except ValueError:
                # A condition is about a name that no part has: what shows the names has it.
                own = joint(types[0], types[1], used)
                signature = own.signature
            more = [None] * (signature.n_outputs - len(outputs))
            self._inner = refused(
                signature,
                [part.found for part in inputs],
                [*(part.found for part in outputs), *more],
                {size: self.sizes[size] for size in used},
                self.name,
                [part.label for part in self.parts],
            )
        return self._inner

    def text(self) -> tuple[str, str, str]:
        """Code, headline, and all of it."""
        code, headline, text = self._refusal().text()
        return code, f"{self.name}(): {headline}", with_notes(text, headline, self.name, self._notes())

    def _notes(self) -> list[str]:
        slots = {row[0] for row in self.facts()}
        numbers = range(len(self.parts))
        involved = [self.parts[i] for i in numbers if self._slot(i) in slots] or self.fresh
        notes = [f"{part.label} is {part.found}, and {part.type.text} is expected" for part in involved]
        names = self._bound()
        if names:
            notes.append(f"with {shown(names, [part.type for part in self.parts], self.sizes)}")
        return notes

    def _slot(self, i: int) -> str:
        return f"inputs[{i}]" if i < self.n_inputs else f"outputs[{i - self.n_inputs}]"

    def _bound(self) -> dict[str, Any]:
        """What the names are by the parts before the first one that does not fit."""
        names: dict[str, Any] = {}
        for end in range(len(self.parts)):
            parts = self.parts[: end + 1]
            found = solve(parts[: self.n_inputs], parts[self.n_inputs :], self.sizes)
            if found is None:
                break
            names = found
        return names or dict(self.sizes)

    def facts(self) -> list[Any]:
        return self._refusal().facts()

    def repairs(self) -> list[Any]:
        return self._refusal().repairs()


def with_notes(text: str, headline: str, name: str, notes: Iterable[str]) -> str:
    """The text of a diagnostic with the function that it is about, and more lines before what helps."""
    text = text.replace(headline, f"{name}(): {headline}", 1)
    lines = text.splitlines()
    place = next((i for i, line in enumerate(lines) if line.lstrip().startswith("= help:")), len(lines))
    return "\n".join([*lines[:place], *(f"  = {note}" for note in notes), *lines[place:]])


def unfit(name: str, error: Unfit) -> Never:
    """The error of a value that is not of the form that its annotation says."""
    headline = f"{name}(): {error.why}"
    fact = Fact(error.label.strip("`"), None, "form", error.why, None)
    return _never(NEVER, headline, f"error[{NEVER}]: {headline}", [fact], [])


def is_instance(own: T, value: Any) -> bool:
    """Whether a value is an array of this type, with the names of the call in whose function this is asked."""
    try:
        found = value_type(value)
    except (TypeError, ValueError):
        return False
    if found is None:
        return False
    scope = _scope_of(sys._getframe(2)) or Scope("", {})
    parts = Found()
    parts.parts.append(Part(own, found, "the value"))
    try:
        scope.admit(parts, True)
    except Never:
        return False
    return True


CODES: dict[Any, Callable[[Mapping[str, Any]], Scope]] = {}
"""The codes of the wrappers, and what gives the scope of a call by their local variables."""


def _scope_of(frame: FrameType | None) -> Scope | None:
    """The scope of the function in whose text this is: it is the innermost one that is checked and has the code."""
    asked = frame.f_code if frame is not None else None
    while frame is not None:
        scope_of = CODES.get(frame.f_code)
        if scope_of is not None:
            own = frame.f_locals
            if asked in codes_of(own["function"]):
                return scope_of(own)
        frame = frame.f_back
    return None


def codes_of(function: Any) -> set[Any]:
    """The code of a function, and those of what is defined within it."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    found, left = set(), [getattr(function, "__code__", None)]
    while left:
        code = left.pop()
        if code is not None:
            found.add(code)
            left.extend(const for const in code.co_consts if hasattr(const, "co_consts"))
    return found
