"""Plans: which parts of a value have a type, and what is found there."""

from __future__ import annotations

import collections.abc as abc
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ._annotated import T, plain
from ._errors import Error
from ._kanshape import Type, fits, value_type


class Unfit(Exception):
    """A value that is not of the form that its annotation says."""

    def __init__(self, label: str, why: str) -> None:
        super().__init__(label, why)
        self.label = label
        self.why = why


class Part(NamedTuple):
    """An array that was found, and the type that it has to have."""

    type: T
    found: Type
    label: str


class Found:
    """What is found in values: arrays, and choices between types for them."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        # By what there is to choose: where that is the same twice, nothing is gained by choosing twice.
        self.choices: dict[Any, list[Found]] = {}

    def add(self, other: Found) -> None:
        self.parts.extend(other.parts)
        self.choices.update(other.choices)

    def key(self) -> Any:
        """What tells it from others."""
        return tuple((part.type, part.found) for part in self.parts), tuple(self.choices)

    def ways(self) -> Iterator[list[Part]]:
        """The ways of choosing."""
        if not self.choices:
            yield self.parts
            return
        # The choices of each way are behind it: each is taken up once.
        open_: list[tuple[list[Part], list[list[Found]]]] = [(self.parts, list(self.choices.values()))]
        while open_:
            parts, choices = open_.pop()
            if not choices:
                yield parts
                continue
            first, *rest = choices
            for way in reversed(first):
                open_.append((parts + way.parts, [*way.choices.values(), *rest]))


Wrap = Callable[["Stream", Any, str], Any]
"""What makes a stream one that is checked as it is read."""


class Plan:
    """What is to be checked of a value."""

    has_types = True

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        """Notes the arrays in a value; the value itself, or what stands for it and is checked when it is used."""
        raise NotImplementedError

    def is_like(self, value: Any) -> bool:
        """Whether it is about such a value, by its outermost class."""
        raise NotImplementedError


class Plain(Plan):
    """Nothing is checked."""

    has_types = False

    def __init__(self, hint: Any) -> None:
        self.hint = hint

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        return value

    def is_like(self, value: Any) -> bool:
        from ._hints import accepts

        return accepts(self.hint, value)


class Leaf(Plan):
    """An array of a type."""

    def __init__(self, own: T, classes: tuple[type, ...] | None, is_optional: bool) -> None:
        self.type = own
        self.classes = classes
        self.is_optional = is_optional

    def is_like(self, value: Any) -> bool:
        if value is None:
            return self.is_optional
        is_array = isinstance(value, Type) or (hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, type))
        return is_array and (self.classes is None or isinstance(value, (Type, *self.classes)))

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        if value is None and self.is_optional:
            return value
        own = type_of(value, label, self.type.text)
        if self.classes is not None and not isinstance(value, (Type, *self.classes)):
            expected = " or ".join(own.__qualname__ for own in self.classes)
            raise Unfit(label, f"{label} is {a(type(value).__qualname__)}, and {a(expected)} is expected")
        found.parts.append(Part(self.type, own, label))
        return value


def type_of(value: Any, label: str, text: str | None) -> Type:
    """The type of an array."""
    expected = f": {text}" if text else ""
    try:
        own = value_type(value)
    except (Error, TypeError, ValueError) as error:
        why = getattr(error, "headline", "") or str(error).partition("\n")[0]
        raise Unfit(label, f"the type of {label} is not known: {why}") from None
    if own is None:
        raise Unfit(label, f"{label} is {called(value)}, and an array is expected{expected}")
    return own


def called(value: Any) -> str:
    """A value in a few words."""
    if value is None:
        return "None"
    if isinstance(value, (str, bool, int, float, complex)):
        text = repr(value)
        return f"{a(type(value).__name__)}, {text if len(text) <= 40 else text[:37] + '...'}"
    return a(type(value).__name__)


def a(name: str) -> str:
    return f"{'an' if name[:1] in 'aeioAEIO' else 'a'} {name}"


class Either(Plan):
    """One of several."""

    def __init__(self, members: list[Plan], text: str) -> None:
        self.members = members
        self.text = text

    def is_like(self, value: Any) -> bool:
        return any(member.is_like(value) for member in self.members)

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        like = [member for member in self.members if member.is_like(value)]
        if any(not member.has_types for member in like):
            return value
        if len(like) == 1:
            return like[0].collect(value, label, found, wrap)
        ways: list[Found] = []
        for member in like:
            way = Found()
            try:
                member.collect(value, label, way, wrap)
            except Unfit:
                continue
            if all(fits_alone(part) for part in way.parts):
                ways.append(way)
        if not ways:
            own = value_type(value)
            shown = str(own) if own is not None else called(value)
            raise Unfit(label, f"{label} is {shown}, and {self.text} is expected")
        if len(ways) == 1:
            found.add(ways[0])
        else:
            found.choices[tuple(way.key() for way in ways)] = ways
        return value


def fits_alone(part: Part) -> bool:
    """Whether an array has its type as far as that says it alone."""
    if fits(plain((part.type,), ()), (part.found,), None) is not None:
        return True
    from ._scope import solve

    return solve([part], [], {}) is not None


class Each(Plan):
    """Each member of a list, or the like."""

    def __init__(self, item: Plan, own: type, text: str) -> None:
        self.item = item
        self.own = own
        self.text = text

    def is_like(self, value: Any) -> bool:
        return isinstance(value, self.own) and not isinstance(value, (str, bytes))

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        if not self.is_like(value):
            raise Unfit(label, f"{label} is {called(value)}, and {self.text} is expected")
        for i, member in enumerate(value):
            self.item.collect(member, at(label, i), found, wrap)
        return value


def at(label: str, key: Any) -> str:
    """What a member is called."""
    return f"{label[:-1]}[{key!r}]`" if label.endswith("`") else f"{label}[{key!r}]"


class Fixed(Plan):
    """A tuple of so many."""

    def __init__(self, items: list[Plan], text: str) -> None:
        self.items = items
        self.text = text

    def is_like(self, value: Any) -> bool:
        return isinstance(value, tuple) and len(value) == len(self.items)

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        if not self.is_like(value):
            shown = f"a tuple of {len(value)}" if isinstance(value, tuple) else called(value)
            raise Unfit(label, f"{label} is {shown}, and {self.text} is expected")
        for i, (item, member) in enumerate(zip(self.items, value)):
            item.collect(member, at(label, i), found, wrap)
        return value


class Mapped(Plan):
    """Each value of a dict."""

    def __init__(self, item: Plan, text: str) -> None:
        self.item = item
        self.text = text

    def is_like(self, value: Any) -> bool:
        return isinstance(value, abc.Mapping)

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        if not self.is_like(value):
            raise Unfit(label, f"{label} is {called(value)}, and {self.text} is expected")
        for key, member in value.items():
            self.item.collect(member, at(label, key), found, wrap)
        return value


class Fields(Plan):
    """The fields of a dataclass, a NamedTuple or a TypedDict."""

    def __init__(self, fields: Mapping[str, Plan], own: type) -> None:
        self.fields = fields
        self.own = own
        self.is_dict = issubclass(own, dict)

    def is_like(self, value: Any) -> bool:
        return isinstance(value, abc.Mapping if self.is_dict else self.own)

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        if not self.is_like(value):
            raise Unfit(label, f"{label} is {called(value)}, and {a(self.own.__name__)} is expected")
        for name, plan in self.fields.items():
            if self.is_dict:
                if name in value:
                    plan.collect(value[name], at(label, name), found, wrap)
            else:
                own = f"{label[:-1]}.{name}`" if label.endswith("`") else f"{label}.{name}"
                plan.collect(getattr(value, name), own, found, wrap)
        return value


class Stream(Plan):
    """What an iterator or generator gives: it is checked when it is read."""

    def __init__(self, item: Plan, sent: Plan, result: Plan, is_async: bool, may_be_list: bool, text: str) -> None:
        self.item = item
        self.sent = sent
        self.result = result
        self.is_async = is_async
        self.may_be_list = may_be_list
        self.text = text

    def is_like(self, value: Any) -> bool:
        if self.is_async:
            return hasattr(value, "__aiter__")
        return isinstance(value, abc.Iterable if self.may_be_list else abc.Iterator) and not isinstance(value, (str, bytes))

    def collect(self, value: Any, label: str, found: Found, wrap: Wrap) -> Any:
        if not self.is_like(value):
            raise Unfit(label, f"{label} is {called(value)}, and {self.text} is expected")
        if isinstance(value, abc.Collection):
            for i, member in enumerate(value):
                self.item.collect(member, at(label, i), found, wrap)
            return value
        return wrap(self, value, label)
