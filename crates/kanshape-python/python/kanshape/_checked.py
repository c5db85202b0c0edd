"""Functions that are checked when they are called."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from . import _by_annotations, _by_rule
from ._errors import Misuse
from ._kanshape import Operator, Prepared, Signature

F = TypeVar("F", bound=Callable[..., Any])

_RULES = (str, Signature, Operator, Prepared)


@overload
def checked(rule: F, *, enabled: bool = True) -> F: ...


@overload
def checked(
    rule: str | Signature | Operator | Prepared | None = None, *, enabled: bool = True, params: dict[str, Any] | None = None
) -> Callable[[F], F]: ...


def checked(
    rule: Any = None,
    *,
    enabled: bool = True,
    params: dict[str, Any] | None = None,
) -> Any:
    """Checks shapes and dtypes of arguments and results each time a function is called: ``Never`` if they don't fit.

    With a signature or an operator, its inputs are the first arguments of the function, in order, behind the ``self`` or ``cls`` of a method,
    and its outputs the results. ``params`` fixes parameters of the signature; one of the name of an argument is that argument.

    Without one, they are what is annotated with ``T``, at the top or within ``Optional``, unions, tuples, lists, dicts, iterators, dataclasses,
    NamedTuples and TypedDicts; a ``T`` in a place that can't be checked is an error here. A name in a ``T`` that is the name of an argument of the
    class ``int`` is that argument. What generators and iterators give is checked when it is read.

    A class is checked when an object of it is made: a dataclass, a NamedTuple, or one with an ``__init__`` that is annotated.
    With ``enabled=False`` the function is returned as it is.
    """
    if rule is not None and not isinstance(rule, _RULES):
        return _decorated(rule, None, None, _caller()) if enabled else rule

    def decorate(function: F) -> F:
        decorated: F = _decorated(function, rule, params, _caller()) if enabled else function
        return decorated

    return decorate


def _decorated(function: Any, rule: Any, params: dict[str, Any] | None, caller: Mapping[str, Any]) -> Any:
    if isinstance(function, (staticmethod, classmethod)):
        is_bound = isinstance(function, classmethod)
        return type(function)(_checked_function(function.__func__, rule, params, caller, is_bound))
    if isinstance(function, property):
        getter = _checked_function(function.fget, rule, params, caller, True)
        return property(getter, function.fset, function.fdel, function.__doc__)
    if isinstance(function, type):
        if rule is not None:
            raise Misuse(f"{function.__name__} is a class, which is checked by the annotations of its fields")
        return _by_annotations.of_class(function, caller)
    if not callable(function):
        raise Misuse(f"a function is checked, and no {type(function).__name__}")
    return _checked_function(function, rule, params, caller, None)


def _checked_function(function: Any, rule: Any, params: dict[str, Any] | None, caller: Mapping[str, Any], is_bound: bool | None) -> Any:
    if rule is None:
        return _by_annotations.of_function(function, caller)
    own: Any = rule
    if isinstance(own, str):
        own = Signature(own) if "->" in own else Operator(own)
    if is_bound is None:
        is_bound = _is_method(function)
    if is_bound is not None:
        return _by_rule.of_function(function, own, params, is_bound)
    # Within a class the first argument may be the object: the first call tells.
    made: dict[bool, Any] = {False: _by_rule.of_function(function, own, params, False)}

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        is_bound = _has_method(args, wrapper)
        if is_bound not in made:
            made[is_bound] = _by_rule.of_function(function, own, params, is_bound)
        return made[is_bound](*args, **kwargs)

    return wrapper


def _is_method(function: Any) -> bool | None:
    """Whether its first argument is the object of a method; ``None`` if that is not plain to see."""
    within = getattr(function, "__qualname__", "").rpartition(".")[0]
    if not within or within.endswith("<locals>"):
        return False
    first = next(iter(inspect.signature(function).parameters), "")
    return True if first in ("self", "cls") else None


def _has_method(args: tuple[Any, ...], wrapper: Any) -> bool:
    """Whether a wrapper is a method of the class of the first argument, or of that itself."""
    if not args:
        return False
    first = args[0]
    classes = (*(first.__mro__ if isinstance(first, type) else ()), *type(first).__mro__)
    for own in classes:
        for found in vars(own).values():
            inner = getattr(found, "__func__", None) or getattr(found, "fget", None) or found
            if inner is wrapper:
                return not isinstance(found, staticmethod)
    return False


def _caller() -> Mapping[str, Any]:
    """The local names where a function is decorated: annotations that are texts may be about them."""
    frame = sys._getframe(2)
    own: dict[str, Any] = {}
    # Within a class, those of the function around it as well.
    if "__qualname__" in frame.f_locals and frame.f_back is not None and frame.f_back.f_globals is frame.f_globals:
        own.update(frame.f_back.f_locals)
    own.update(frame.f_locals)
    return own
