"""Functions that are checked when they are called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints, overload

from ._kanshape import Answer, Operator, Prepared, Signature, infer

F = TypeVar("F", bound=Callable[..., Any])


class T(NamedTuple):
    """The type of an argument or a result, for ``Annotated[np.ndarray, ks.T("f32[b, t]")]``.

    Names mean the same in all types of a function.
    """

    text: str


@overload
def checked(rule: F, *, enabled: bool = True) -> F: ...


@overload
def checked(
    rule: str | Signature | Operator | Prepared | None = None, *, enabled: bool = True, params: dict[str, Any] | None = None
) -> Callable[[F], F]: ...


def checked(
    rule: str | Signature | Operator | Prepared | Callable[..., Any] | None = None,
    *,
    enabled: bool = True,
    params: dict[str, Any] | None = None,
) -> Any:
    """Checks shapes and dtypes of arguments and results each time a function is called.

    With a signature, its inputs are the first arguments of the function, in order, behind the ``self`` or ``cls`` of a method, and its
    outputs the results: ``Never`` if they don't fit. Without one, they are those that are annotated with ``T``. ``params`` fixes parameters of the signature.
    With ``enabled=False`` the function is returned as it is.
    """
    if callable(rule) and not isinstance(rule, (Signature, Operator, Prepared)):
        return checked(enabled=enabled)(rule)

    def decorate(function: F) -> F:
        if not enabled:
            return function
        if rule is None:
            return _by_annotations(function)
        own: Any = Signature(rule) if isinstance(rule, str) and "->" in rule else rule
        if isinstance(own, Signature):
            return _by_signature(function, own, params)
        if isinstance(own, str):
            own = Operator(own)
        return _by_rule(function, own, _names(function), params, None)

    return decorate


def _by_signature(function: F, signature: Signature, params: dict[str, Any] | None) -> F:
    names = _names(function)
    if len(names) < signature.n_inputs:
        takes = f"{function.__name__} takes {len(names)} arguments"
        raise TypeError(f"{takes}, and {signature} has {signature.n_inputs} inputs")
    return _by_rule(function, signature, names[: signature.n_inputs], params, signature.n_outputs)


def _names(function: F) -> list[str]:
    """The names of its arguments, without that of the object of a method."""
    names = list(inspect.signature(function).parameters)
    within = getattr(function, "__qualname__", "").rpartition(".")[0]
    is_method = within and not within.endswith("<locals>") and names[:1] in (["self"], ["cls"])
    return names[1:] if is_method else names


def _by_rule(function: F, rule: Any, names: list[str], params: dict[str, Any] | None, outputs: int | None, picked: list[int] | None = None) -> F:
    """A function whose arguments of these names are the inputs of a rule, and whose results are its outputs.

    There are so many of them, if that is known; ``picked`` are those of a tuple that are.
    """
    own = inspect.signature(function)
    parameters = own.parameters.values()
    in_order = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    # Where they stand side by side, as mostly, they are found at once.
    first = in_order.index(names[0]) if names and names[0] in in_order else 0
    last = first + len(names)
    in_row = names == in_order[first:last]
    solve = functools.partial(infer, rule) if params is None else functools.partial(infer, rule, params=params)

    def named(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        bound = own.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments[name] for name in names)

    def checked_result(result: Any, answer: Answer, inputs: tuple[Any, ...]) -> Any:
        if outputs == 0:
            return result
        if picked is not None:
            results = tuple(result[i] for i in picked)
        else:
            results = result if outputs != 1 and isinstance(result, tuple) else (result,)
        # What is not plain is solved again, with the results.
        if not answer._gives(*results):
            solve(*inputs, outputs=results)
        return result

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        inputs = args[first:last] if in_row and len(args) >= last else named(args, kwargs)
        answer = solve(*inputs)
        return checked_result(function(*args, **kwargs), answer, inputs)

    @functools.wraps(function)
    async def waiting(*args: Any, **kwargs: Any) -> Any:
        inputs = args[first:last] if in_row and len(args) >= last else named(args, kwargs)
        answer = solve(*inputs)
        return checked_result(await function(*args, **kwargs), answer, inputs)

    return waiting if inspect.iscoroutinefunction(function) else wrapper  # type: ignore[return-value]


def _by_annotations(function: F) -> F:
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return", None)
    inputs = {name: text for name, hint in hints.items() if (text := _text_of(hint)) is not None}
    picked = None
    if get_origin(result) is tuple:
        parts = {i: text for i, part in enumerate(get_args(result)) if (text := _text_of(part)) is not None}
        picked, outputs = list(parts), list(parts.values())
    else:
        text = _text_of(result)
        outputs = [] if text is None else [text]
    if not inputs and not outputs:
        raise TypeError(f"nothing of {function.__name__} is annotated with kanshape.T")
    signature = Signature(f"{', '.join(inputs.values())} -> {', '.join(outputs)}")
    return _by_rule(function, signature, list(inputs), None, len(outputs), picked)


def _text_of(hint: Any) -> str | None:
    if get_origin(hint) is not Annotated:
        return None
    texts = [own.text for own in get_args(hint)[1:] if isinstance(own, T)]
    return texts[0] if texts else None
