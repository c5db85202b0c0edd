"""From annotations to plans: what of a value is to be checked, and where in it."""

from __future__ import annotations

import collections
import collections.abc as abc
import dataclasses
import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ForwardRef, Literal, NewType, TypeVar, Union, get_args, get_origin

from ._annotated import T
from ._errors import Error, Misuse
from ._plans import Each, Either, Fields, Fixed, Leaf, Mapped, Plain, Plan, Stream

_MEMBERS: dict[Any, type] = {
    list: list,
    set: set,
    frozenset: frozenset,
    collections.deque: collections.deque,
    abc.Sequence: abc.Sequence,
    abc.MutableSequence: abc.MutableSequence,
    abc.Collection: abc.Collection,
    abc.Set: abc.Set,
    abc.MutableSet: abc.MutableSet,
    abc.ValuesView: abc.ValuesView,
}
_MAPPINGS = (dict, abc.Mapping, abc.MutableMapping, collections.OrderedDict, collections.defaultdict, types.MappingProxyType)
_STREAMS = (abc.Iterable, abc.Iterator, abc.Generator)
_ASYNC_STREAMS = (abc.AsyncIterable, abc.AsyncIterator, abc.AsyncGenerator)
_MAX_QUOTES = 8
_WRAPPERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")


class _Missing(type):
    """The class of what stands for a name that can't be resolved: it takes part in any expression."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __getitem__(cls, args: Any) -> Any:
        # What would be `Annotated` may have a type in it.
        if any(isinstance(arg, T) for arg in (args if isinstance(args, tuple) else (args,))):
            return _Lost
        return cls

    def __or__(cls, other: Any) -> Any:
        return Union[cls, other]

    def __ror__(cls, other: Any) -> Any:
        return Union[other, cls]

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        # What would be `T` is called with a text.
        return _Lost if args and isinstance(args[0], str) else cls


class Missing(metaclass=_Missing):
    """A class that can't be found."""


class _Lost(metaclass=_Missing):
    """A type that can't be read, since a name in it can't be found."""


class Names(Mapping[str, Any]):
    """The names that annotations are written in."""

    def __init__(self, *scopes: Mapping[str, Any]) -> None:
        self.scopes = scopes
        self.missing: list[str] = []

    def __getitem__(self, name: str) -> Any:
        for scope in self.scopes:
            if name in scope:
                return scope[name]
        self.missing.append(name)
        return Missing

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def meant(self, hint: Any) -> Any:
        """What an annotation denotes, which may be a text, or the text of one."""
        for _ in range(_MAX_QUOTES):
            if isinstance(hint, ForwardRef):
                hint = hint.__forward_arg__
            if not isinstance(hint, str):
                return hint
            hint = self.evaluate(hint)
        return Missing

    def evaluate(self, text: str) -> Any:
        """What a text denotes."""
        try:
            return eval(text, {"__builtins__": {}}, self)
        except Error:
            # A type with a mistake in it.
            raise
        except Exception:
            self.missing.append(text)
            # Something like `int | "Name"`, of which Python itself has no value.
            return _Lost if "T(" in text else Missing


def names_of(function: Any, caller: Mapping[str, Any]) -> Names:
    """The names of a function: those that it is within, and those of its module."""
    inner = inspect.unwrap(function)
    code = getattr(inner, "__code__", None)
    cells: dict[str, Any] = {}
    for name, cell in zip(getattr(code, "co_freevars", ()), getattr(inner, "__closure__", None) or ()):
        try:
            cells[name] = cell.cell_contents
        except ValueError:
            continue
    builtins = vars(__import__("builtins"))
    return Names(cells, caller, getattr(inner, "__globals__", {}), builtins)


def annotations_of(obj: Any) -> dict[str, Any]:
    """The annotations as they are written, texts or not."""
    inner = obj if isinstance(obj, type) else inspect.unwrap(obj)
    try:
        return dict(inspect.get_annotations(inner))
    except NameError:
        # From Python 3.14 on they are evaluated here.
        import annotationlib  # type: ignore[import-not-found,unused-ignore]

        return dict(annotationlib.get_annotations(inner, format=annotationlib.Format.FORWARDREF))


class Planner:
    """Makes the plans of the annotations of one function."""

    def __init__(self, names: Names) -> None:
        self.names = names
        # Classes whose fields are looked at, and those of them that have themselves in them.
        self._within: list[type] = []
        self._recursive: set[type] = set()

    def plan(self, hint: Any, about: str) -> Plan:
        """The plan of an annotation. A stream can be wrapped only where the value itself is one."""
        return self._plan(hint, about, True)

    def _plan(self, hint: Any, about: str, is_whole: bool) -> Plan:
        hint = self.names.meant(hint)
        if hint is _Lost:
            missing = ", ".join(f"`{name}`" for name in dict.fromkeys(self.names.missing))
            raise Misuse(f"the annotation of {about} can't be read: {missing} can't be found")
        if isinstance(hint, T):
            return Leaf(hint, None, False)
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._annotated(args, about, is_whole)
        if origin is Union or origin is types.UnionType:
            return self._either([self._plan(arg, about, is_whole) for arg in args], hint)
        inner = _within(hint, origin, args)
        if inner is not None:
            return self._plan(inner, about, is_whole)
        if origin is Literal:
            return Plain(hint)
        if origin is None:
            return self._of_class(hint, about)
        return self._generic(hint, origin, args, about, is_whole)

    def _annotated(self, args: tuple[Any, ...], about: str, is_whole: bool) -> Plan:
        base, *extras = args
        types_of = [extra for extra in extras if isinstance(extra, T)]
        inner = self._plan(base, about, is_whole)
        if _Lost in extras:
            return self._plan(_Lost, about, is_whole)
        if not types_of:
            return inner
        if len(types_of) > 1 or inner.has_types:
            raise Misuse(f"{about} has more than one type: {', '.join(map(repr, types_of))}")
        return Leaf(types_of[0], _classes(base, self.names), _has_none(base, self.names))

    def _either(self, members: list[Plan], hint: Any) -> Plan:
        return Either(members, _text(hint)) if any(member.has_types for member in members) else Plain(hint)

    def _generic(self, hint: Any, origin: Any, args: tuple[Any, ...], about: str, is_whole: bool) -> Plan:
        if origin is tuple:
            return self._tuple(hint, args, about)
        if origin is collections.Counter or not isinstance(origin, type):
            plans = [self._plan(arg, about, False) for arg in _flat(args)]
            return self._no_types(hint, plans, about)
        if origin in _STREAMS + _ASYNC_STREAMS:
            return self._stream(hint, origin, args, about, is_whole)
        plans = [self._plan(arg, about, False) for arg in _flat(args)]
        if not any(plan.has_types for plan in plans):
            own = self._of_class(origin, about)
            return own if own.has_types else Plain(hint)
        if origin in _MEMBERS:
            return Each(plans[0], _MEMBERS[origin], _text(hint))
        if origin in _MAPPINGS and not plans[0].has_types:
            return Mapped(plans[1], _text(hint))
        return self._no_types(hint, plans, about)

    def _no_types(self, hint: Any, plans: list[Plan], about: str) -> Plan:
        if any(plan.has_types for plan in plans):
            raise Misuse(f"{about}: a type within {_text(hint)} can't be checked")
        return Plain(hint)

    def _tuple(self, hint: Any, args: tuple[Any, ...], about: str) -> Plan:
        if len(args) == 2 and args[1] is Ellipsis:
            item = self._plan(args[0], about, False)
            return Each(item, tuple, _text(hint)) if item.has_types else Plain(hint)
        plans = [self._plan(arg, about, False) for arg in args]
        if any(map(is_unpacked, args)):
            return self._no_types(hint, plans, about)
        return Fixed(plans, _text(hint)) if any(plan.has_types for plan in plans) else Plain(hint)

    def _stream(self, hint: Any, origin: Any, args: tuple[Any, ...], about: str, is_whole: bool) -> Plan:
        plans = [self._plan(arg, about, False) for arg in args]
        if not any(plan.has_types for plan in plans):
            return Plain(hint)
        if not is_whole:
            raise Misuse(f"{about}: a type within {_text(hint)} can't be checked, since that is within something else")
        nothing = Plain(Any)
        sent = plans[1] if len(plans) > 1 else nothing
        result = plans[2] if len(plans) > 2 else nothing
        return Stream(plans[0], sent, result, origin in _ASYNC_STREAMS, origin is abc.Iterable, _text(hint))

    def _of_class(self, hint: Any, about: str) -> Plan:
        if not isinstance(hint, type) or not _has_fields(hint):
            return Plain(hint)
        if hint in self._within:
            self._recursive.add(hint)
            return Plain(hint)
        self._within.append(hint)
        outer, self.names = self.names, names_of_class(hint)
        try:
            fields = {}
            for name, own in fields_of(hint).items():
                fields[name] = self._plan(own, f"{hint.__name__}.{name}", False)
        finally:
            self.names = outer
            self._within.pop()
        if not any(plan.has_types for plan in fields.values()):
            return Plain(hint)
        if hint in self._recursive:
            raise Misuse(f"{about}: {hint.__name__} has itself within it, and can't be checked")
        return Fields({name: plan for name, plan in fields.items() if plan.has_types}, hint)


def names_of_class(own: type) -> Names:
    """The names that the annotations of a class are written in."""
    module = sys.modules.get(own.__module__)
    return Names(vars(own), vars(module) if module else {}, vars(__import__("builtins")))


def fields_of(own: type) -> dict[str, Any]:
    """The annotations of the fields of a dataclass, a NamedTuple or a TypedDict, those of its bases first."""
    if dataclasses.is_dataclass(own):
        return {field.name: field.type for field in dataclasses.fields(own)}
    found: dict[str, Any] = {}
    for base in reversed(own.__mro__):
        found.update(annotations_of(base) if "__annotations__" in vars(base) or "__annotate__" in vars(base) else {})
    return found


def is_named_tuple(own: type) -> bool:
    return issubclass(own, tuple) and hasattr(own, "_fields")


def _is_typed_dict(own: Any) -> bool:
    # Those of `typing_extensions` are none of `typing`'s.
    return type(own).__name__ == "_TypedDictMeta"


def is_unpacked(hint: Any) -> bool:
    """Whether it is `Unpack[..]` or `*..`."""
    return getattr(get_origin(hint), "_name", None) == "Unpack" or bool(getattr(hint, "__unpacked__", False))


def _has_fields(own: type) -> bool:
    return dataclasses.is_dataclass(own) or is_named_tuple(own) or _is_typed_dict(own)


def _within(hint: Any, origin: Any, args: tuple[Any, ...]) -> Any:
    """What stands within something that says nothing of values; ``None`` if it is nothing like that."""
    if isinstance(hint, NewType):
        return hint.__supertype__
    if isinstance(hint, dataclasses.InitVar):
        return hint.type
    if isinstance(hint, TypeVar):
        constraints = hint.__constraints__
        return Union[constraints] if constraints else hint.__bound__
    if hasattr(hint, "__value__") and type(hint).__name__ == "TypeAliasType":
        return hint.__value__
    if hasattr(origin, "__value__") and type(origin).__name__ == "TypeAliasType":
        return origin.__value__[args]
    if origin is not None and getattr(origin, "_name", None) in _WRAPPERS:
        return args[0]
    return None


def _flat(args: tuple[Any, ...]) -> list[Any]:
    """The arguments, and what stands in lists of them, as those of ``Callable``."""
    flat: list[Any] = []
    for arg in args:
        flat.extend(arg if isinstance(arg, list) else [arg])
    return [arg for arg in flat if arg is not Ellipsis]


def _members(hint: Any, names: Names) -> list[Any]:
    """The members of a union, or the annotation itself."""
    hint = names.meant(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return [member for arg in get_args(hint) for member in _members(arg, names)]
    inner = _within(hint, get_origin(hint), get_args(hint))
    return [hint] if inner is None else _members(inner, names)


def _has_none(hint: Any, names: Names) -> bool:
    return any(member in (None, type(None)) for member in _members(hint, names))


def _classes(hint: Any, names: Names) -> tuple[type, ...] | None:
    """The classes of which an array has to be; ``None`` for any. ``np.ndarray`` stands for any array: others pass through functions that are
    written for it, under ``jax.jit`` for example."""
    classes: list[type] = []
    for member in _members(hint, names):
        own = get_origin(member) or member
        if own in (None, type(None)):
            continue
        is_class = isinstance(own, type) and own not in (object, Missing) and not getattr(own, "_is_protocol", False)
        if not is_class or (own.__module__, own.__name__) == ("numpy", "ndarray"):
            return None
        classes.append(own)
    return tuple(classes) or None


def _text(hint: Any) -> str:
    """The annotation as it is mostly written."""
    if isinstance(hint, type) and get_origin(hint) is None:
        return hint.__name__
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        own = [arg for arg in args[1:] if isinstance(arg, T)]
        return own[0].text if own else _text(args[0])
    if origin is Union or origin is types.UnionType:
        return " | ".join(map(_text, args))
    if origin is not None and args:
        return f"{_text(origin)}[{', '.join(map(_text, args))}]"
    return {type(None): "None", Ellipsis: "..."}.get(hint) or str(hint) if not isinstance(hint, list) else str(hint)


def accepts(hint: Any, value: Any) -> bool:
    """Whether a value is one of an annotation that has no type in it, as far as its class tells."""
    origin = get_origin(hint)
    if hint is None or hint is type(None):
        return value is None
    if hint is Any or hint is object:
        return True
    if origin is Annotated:
        return accepts(get_args(hint)[0], value)
    if origin is Union or origin is types.UnionType:
        return any(accepts(arg, value) for arg in get_args(hint))
    if origin is Literal:
        return any(value == arg and type(value) is type(arg) for arg in get_args(hint))
    inner = _within(hint, origin, get_args(hint))
    if inner is not None:
        return accepts(inner, value)
    own = origin or hint
    if own is Missing or not isinstance(own, type):
        # Nobody knows of what class it is; an array is what there is a type for.
        return not (hasattr(value, "shape") and hasattr(value, "dtype"))
    if own is float:
        return isinstance(value, (float, int))
    if own is complex:
        return isinstance(value, (complex, float, int))
    try:
        return isinstance(value, own)
    except TypeError:
        return isinstance(value, dict) and _is_typed_dict(own)
