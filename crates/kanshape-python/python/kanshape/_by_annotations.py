"""Functions and classes that are checked by their annotations."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import numbers
import operator
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any, SupportsIndex, get_args

from ._annotated import T, joint, plain
from ._errors import Error, Misuse
from ._hints import Names, Planner, _members, annotations_of, fields_of, is_named_tuple, is_unpacked, names_of, names_of_class
from ._kanshape import fits
from ._plans import Either, Fields, Fixed, Found, Leaf, Part, Plain, Plan, Stream, Unfit, at, called
from ._scope import CODES, Scope, codes_of, unfit
from ._streams import no_stream, wrapped

Parameter = inspect.Parameter


def label_of(name: str) -> str:
    """What messages call an argument."""
    return f"`{name}`"


def name_of(function: Any) -> str:
    """What messages call a function: without what it is local to."""
    while isinstance(function, functools.partial):
        function = function.func
    qualified = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    return str(qualified).rpartition("<locals>.")[2] if qualified else repr(function)


class Checker:
    """What is checked in the calls of one function."""

    def __init__(self, function: Any, caller: Mapping[str, Any]) -> None:
        self.function = function
        self.name = name_of(function)
        self.signature = inspect.signature(function)
        self.names = names_of(function, caller)
        planner, hints = Planner(self.names), annotations_of(function)
        self.plans: dict[str, Plan] = {}
        for parameter in self.signature.parameters.values():
            hint = hints.get(parameter.name)
            if hint is not None:
                plan = planner.plan(_unpacked(hint), f"the argument `{parameter.name}` of {self.name}")
                if plan.has_types:
                    self.plans[parameter.name] = _or_none(plan) if parameter.default is None else plan
        self.result: Plan = planner.plan(hints["return"], f"the result of {self.name}") if "return" in hints else Plain(Any)
        self.whole = {name for name, hint in hints.items() if is_unpacked(hint)}
        self._check_generator()
        every = [own for plan in (*self.plans.values(), self.result) for own in types_in(plan)]
        self.types = tuple(dict.fromkeys(every))
        own_names = {name for own in self.types for name in own.names}
        sizes = [name for name, hint in hints.items() if name in own_names and name not in self.plans and _is_int(hint, self.names)]
        self.sizes = tuple(name for name in sizes if name in self.signature.parameters)
        if self.types:
            # Types that say different things of one name can't be met together.
            joint(self.types, (), self.sizes)

    def _check_generator(self) -> None:
        inner = inspect.unwrap(self.function)
        is_async = inspect.isasyncgenfunction(inner)
        if not is_async and not inspect.isgeneratorfunction(inner):
            return
        if self.result.has_types and not isinstance(self.result, Stream):
            raise Misuse(f"{self.name} is a generator: what it gives is annotated as Iterator[..]")
        if asks(self.function) and not self.result.has_types:
            # What is asked in it is about the names of the call.
            nothing = Plain(Any)
            self.result = Stream(nothing, nothing, nothing, is_async, False, "a generator")

    @property
    def may_change(self) -> bool:
        """Whether a name in an annotation was not there: it may be when the function is called."""
        return bool(self.names.missing)

    def enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Scope, tuple[Any, ...], dict[str, Any]]:
        """Checks the arguments of a call. What is to be checked as it is read is replaced by what does that."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        found, is_other = Found(), False
        try:
            scope = Scope(self.name, {name: size for name in self.sizes if (size := _size(name, bound.arguments[name])) is not None})
            wrap = functools.partial(wrapped, self.function, scope)
            for name, plan in self.plans.items():
                value = bound.arguments[name]
                kind = self.signature.parameters[name].kind
                label = label_of(name)
                if kind is Parameter.VAR_POSITIONAL and name not in self.whole:
                    for i, own in enumerate(value):
                        plan.collect(own, at(label, i), found, no_stream)
                elif kind is Parameter.VAR_KEYWORD and name not in self.whole:
                    for key, own in value.items():
                        plan.collect(own, at(label, key) if key in self.plans else label_of(key), found, no_stream)
                else:
                    other = plan.collect(value, label, found, wrap)
                    if other is not value:
                        bound.arguments[name] = other
                        is_other = True
        except Unfit as error:
            raise unfit(self.name, error) from None
        scope.admit(found, True)
        return (scope, bound.args, bound.kwargs) if is_other else (scope, args, kwargs)

    def leave(self, scope: Scope, result: Any) -> Any:
        """Checks the result of a call, and gives it or what checks it as it is read."""
        if not self.result.has_types:
            return result
        found = Found()
        is_stream = isinstance(self.result, Stream) and self.result.is_like(result) and not isinstance(result, Collection)
        label = "what it yields" if is_stream else "the result"
        try:
            result = self.result.collect(result, label, found, functools.partial(wrapped, self.function, scope))
        except Unfit as error:
            raise unfit(self.name, error) from None
        scope.admit(found, False)
        return result


def types_in(plan: Plan) -> list[T]:
    """The types in a plan."""
    if isinstance(plan, Leaf):
        return [plan.type]
    parts: list[Plan] = []
    for name in ("item", "sent", "result"):
        parts.extend(filter(None, [getattr(plan, name, None)]))
    for name in ("members", "items"):
        parts.extend(getattr(plan, name, ()))
    if isinstance(plan, Fields):
        parts.extend(plan.fields.values())
    return [own for part in parts for own in types_in(part)]


def _unpacked(hint: Any) -> Any:
    """What stands in ``*args: Unpack[..]`` and ``**kwargs: Unpack[..]``."""
    is_alias = is_unpacked(hint) and not getattr(hint, "__unpacked__", False)
    return get_args(hint)[0] if is_alias else hint


def _or_none(plan: Plan) -> Plan:
    """The plan of an argument with the default ``None``."""
    if isinstance(plan, Leaf):
        return Leaf(plan.type, plan.classes, True)
    return plan if isinstance(plan, Stream) else Either([plan, Plain(None)], "None")


def _is_int(hint: Any, names: Names) -> bool:
    """Whether an argument is annotated as a whole number, or that or ``None``."""
    members = [member for member in _members(hint, names) if member not in (None, type(None))]
    return bool(members) and all(
        member is SupportsIndex or (isinstance(member, type) and member is not bool and issubclass(member, numbers.Integral)) for member in members
    )


def _size(name: str, value: Any) -> int | None:
    """The size that an argument is."""
    if value is None:
        return None
    label = label_of(name)
    try:
        size = operator.index(value)
    except Exception:
        raise Unfit(label, f"{label} is {called(value)}, and a size is expected") from None
    if size < 0:
        raise Unfit(label, f"{label} is {size}, and a size is expected")
    return size


def of_function(function: Any, caller: Mapping[str, Any]) -> Any:
    """A function that is checked by its annotations."""
    checker = Checker(function, caller)
    if not checker.may_change:
        if not checker.types:
            raise Misuse(f"nothing of {checker.name} is annotated with kanshape.T")
        return _wrapper(function, checker)
    own: Any = None
    is_last = False

    def at_first() -> Any:
        nonlocal own, is_last
        if not is_last:
            again = Checker(function, caller)
            if not again.types:
                missing = ", ".join(f"`{name}`" for name in dict.fromkeys(again.names.missing))
                about = f" that can be read: {missing} can't be found" if missing else ""
                raise Misuse(f"nothing of {again.name} is annotated with kanshape.T{about}")
            own, is_last = _wrapper(function, again), True
        return own

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def waiting(*args: Any, **kwargs: Any) -> Any:
            return await at_first()(*args, **kwargs)

        return waiting

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return (own if is_last else at_first())(*args, **kwargs)

    return wrapper


def _wrapper(function: Any, checker: Checker) -> Any:
    flat = _flat(function, checker)
    return flat if flat is not None else _general(function, checker)


def _general(function: Any, checker: Checker) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        scope, args, kwargs = checker.enter(args, kwargs)
        return checker.leave(scope, function(*args, **kwargs))

    @functools.wraps(function)
    async def waiting(*args: Any, **kwargs: Any) -> Any:
        scope, args, kwargs = checker.enter(args, kwargs)
        return checker.leave(scope, await function(*args, **kwargs))

    own: Any = waiting if inspect.iscoroutinefunction(function) else wrapper
    CODES[own.__code__] = lambda own: own["scope"]
    return own


def _flat(function: Any, checker: Checker) -> Any:
    """The same where each type is that of one argument or result: most calls are checked by one query. ``None`` if it is other."""
    parameters = checker.signature.parameters
    leaves = {name: plan for name, plan in checker.plans.items() if isinstance(plan, Leaf)}
    own_kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    is_flat = len(leaves) == len(checker.plans) and all(not leaf.is_optional and parameters[name].kind in own_kinds for name, leaf in leaves.items())
    results = _flat_results(checker.result)
    if not is_flat or results is None or checker.sizes or asks(function):
        return None
    picked, outputs = results
    inputs_of = arguments(checker.signature, list(leaves))
    try:
        signature = plain(tuple(leaf.type for leaf in leaves.values()), tuple(leaf.type for leaf in outputs))
    except Error:
        # A run or a name that no operand has, but an expression or a condition.
        return None
    classes = _classes(list(leaves.values()))
    result_classes = _classes(outputs)
    first, last, named = inputs_of

    def known(answer: Any) -> Scope:
        types = zip(leaves.items(), answer.inputs)
        return Scope(checker.name, {}, [Part(leaf.type, ty, label_of(name)) for (name, leaf), ty in types])

    def is_given(answer: Any, result: Any) -> bool:
        if picked is None:
            results = (result,)
        elif isinstance(result, tuple) and len(result) == picked[0]:
            results = tuple([result[i] for i in picked[1]])
        else:
            return False
        return (result_classes is None or _are(results, result_classes)) and bool(answer._gives(*results))

    has_results, is_one = bool(outputs), picked is None and result_classes is None

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        inputs = args[first:last] if len(args) >= last else named(args, kwargs)
        answer = fits(signature, inputs, None) if classes is None or _are(inputs, classes) else None
        scope = checker.enter(args, kwargs)[0] if answer is None else None
        result = function(*args, **kwargs)
        if has_results and (answer is None or not (answer._gives(result) if is_one else is_given(answer, result))):
            checker.leave(scope or known(answer), result)
        return result

    @functools.wraps(function)
    async def waiting(*args: Any, **kwargs: Any) -> Any:
        inputs = args[first:last] if len(args) >= last else named(args, kwargs)
        answer = fits(signature, inputs, None) if classes is None or _are(inputs, classes) else None
        scope = checker.enter(args, kwargs)[0] if answer is None else None
        result = await function(*args, **kwargs)
        if has_results and (answer is None or not (answer._gives(result) if is_one else is_given(answer, result))):
            checker.leave(scope or known(answer), result)
        return result

    own: Any = waiting if inspect.iscoroutinefunction(function) else wrapper
    CODES[own.__code__] = lambda own: own["scope"] or own["known"](own["answer"])
    return own


def _are(values: tuple[Any, ...], classes: list[tuple[type, ...] | None]) -> bool:
    return all(own is None or isinstance(value, own) for value, own in zip(values, classes))


def arguments(signature: inspect.Signature, names: list[str]) -> tuple[int, int, Callable[..., tuple[Any, ...]]]:
    """Where among the arguments those of these names stand if they are given in order, and what finds them otherwise."""
    in_order = [p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    first = in_order.index(names[0]) if names and names[0] in in_order else 0
    last = first + len(names)
    if names != in_order[first:last]:
        # No call has so many: they are never found by their places.
        first, last = 0, sys.maxsize

    def named(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments[name] for name in names)

    return first, last, named


def _classes(leaves: list[Leaf]) -> list[tuple[type, ...] | None] | None:
    return [leaf.classes for leaf in leaves] if any(leaf.classes for leaf in leaves) else None


def _flat_results(result: Plan) -> tuple[tuple[int, list[int]] | None, list[Leaf]] | None:
    """The types of results, and of which of a tuple of so many."""
    if not result.has_types:
        return None, []
    if isinstance(result, Leaf) and not result.is_optional:
        return None, [result]
    if not isinstance(result, Fixed):
        return None
    leaves = {i: item for i, item in enumerate(result.items) if item.has_types}
    plain_leaves = [item for item in leaves.values() if isinstance(item, Leaf) and not item.is_optional]
    if len(plain_leaves) < len(leaves):
        return None
    return (len(result.items), list(leaves)), plain_leaves


def asks(function: Any) -> bool:
    """Whether there is `isinstance` in a function, which may be about the names of a call."""
    return any("isinstance" in code.co_names for code in codes_of(function))


def of_class(own: type, caller: Mapping[str, Any]) -> type:
    """A class whose objects are checked when they are made."""
    if dataclasses.is_dataclass(own):
        return _of_dataclass(own, caller)
    if is_named_tuple(own):
        return _of_named_tuple(own, caller)
    if "__init__" not in vars(own):
        raise Misuse(f"{own.__name__} is no dataclass and no NamedTuple, and has no __init__ of its own")
    setattr(own, "__init__", of_function(vars(own)["__init__"], caller))
    return own


def _field_plans(own: type, hints: Mapping[str, Any], defaults: Mapping[str, Any], caller: Mapping[str, Any]) -> dict[str, Plan]:
    names = Names(*names_of_class(own).scopes[:1], caller, *names_of_class(own).scopes[1:])
    plans = {}
    for name, hint in hints.items():
        plan = Planner(names).plan(hint, f"{own.__name__}.{name}")
        if plan.has_types:
            plans[name] = _or_none(plan) if defaults.get(name, ...) is None else plan
    return plans


def _checked_fields(own: type, plans: Mapping[str, Plan]) -> None:
    if not plans:
        raise Misuse(f"no field of {own.__name__} is annotated with kanshape.T")
    joint(tuple(dict.fromkeys(t for plan in plans.values() for t in types_in(plan))), (), ())


def _admit_fields(scope: Scope, plans: Mapping[str, Plan], values: Mapping[str, Any]) -> None:
    found = Found()
    try:
        for name, plan in plans.items():
            if name in values:
                plan.collect(values[name], label_of(name), found, no_stream)
    except Unfit as error:
        raise unfit(scope.name, error) from None
    scope.admit(found, True)


def _of_dataclass(own: Any, caller: Mapping[str, Any]) -> type:
    hints = fields_of(own)
    # Those that are arguments of `__init__` alone.
    hints.update({name: hint for name, hint in annotations_of(own).items() if isinstance(hint, dataclasses.InitVar)})
    defaults = {field.name: field.default for field in dataclasses.fields(own)}
    plans = _field_plans(own, hints, defaults, caller)
    _checked_fields(own, plans)
    init = own.__init__
    signature = inspect.signature(init)

    @functools.wraps(init)
    def checked_init(self: Any, *args: Any, **kwargs: Any) -> None:
        scope = Scope(own.__name__, {})
        _admit_fields(scope, plans, signature.bind(self, *args, **kwargs).arguments)
        init(self, *args, **kwargs)
        _admit_fields(scope, plans, {name: getattr(self, name) for name in plans if name in defaults and hasattr(self, name)})

    own.__init__ = checked_init
    return own  # type: ignore[no-any-return]


def _of_named_tuple(own: Any, caller: Mapping[str, Any]) -> type:
    plans = _field_plans(own, fields_of(own), own._field_defaults, caller)
    _checked_fields(own, plans)
    new = own.__new__

    @functools.wraps(new)
    def checked_new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        made = new(cls, *args, **kwargs)
        _admit_fields(Scope(own.__name__, {}), plans, {name: getattr(made, name) for name in plans})
        return made

    def make(cls: Any, members: Any) -> Any:
        return cls(*members)

    own.__new__ = checked_new
    # `_replace` goes by it as well.
    own._make = classmethod(make)
    return own  # type: ignore[no-any-return]
