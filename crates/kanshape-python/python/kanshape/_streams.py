"""Iterators and generators that are checked as they are read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from typing import Any

from ._plans import Found, Plan, Stream, Unfit
from ._scope import CODES, Scope, unfit


def no_stream(plan: Stream, value: Any, label: str) -> Any:
    """Plans have no streams within anything else."""
    raise AssertionError(label)


def admit(scope: Scope, plan: Plan, value: Any, label: str) -> None:
    """Checks a value in the course of a call."""
    if not plan.has_types:
        return
    found = Found()
    try:
        plan.collect(value, label, found, no_stream)
    except Unfit as error:
        raise unfit(scope.name, error) from None
    scope.admit(found, False)


def wrapped(function: Any, scope: Scope, plan: Stream, value: Any, label: str) -> Any:
    """The iterator or generator that checks what this one gives."""
    item = f"what {label} gives" if label.startswith("`") else label
    if plan.is_async:
        asend = hasattr(value, "asend")
        return (_async_generator if asend else _async_iterator)(function, scope, plan, value, item)
    return (_generator if hasattr(value, "send") else _iterator)(function, scope, plan, value, item)


def _iterator(function: Any, scope: Scope, plan: Stream, value: Iterator[Any], label: str) -> Iterator[Any]:
    for item in value:
        admit(scope, plan.item, item, label)
        yield item


async def _async_iterator(function: Any, scope: Scope, plan: Stream, value: AsyncIterator[Any], label: str) -> AsyncIterator[Any]:
    async for item in value:
        admit(scope, plan.item, item, label)
        yield item


def _generator(function: Any, scope: Scope, plan: Stream, value: Generator[Any, Any, Any], label: str) -> Generator[Any, Any, Any]:
    try:
        item = next(value)
        while True:
            admit(scope, plan.item, item, label)
            try:
                sent = yield item
            except GeneratorExit:
                raise
            except BaseException as error:
                item = value.throw(error)
            else:
                if sent is None:
                    item = next(value)
                else:
                    admit(scope, plan.sent, sent, "what is sent")
                    item = value.send(sent)
    except StopIteration as stop:
        admit(scope, plan.result, stop.value, "the result")
        return stop.value
    finally:
        value.close()


async def _async_generator(function: Any, scope: Scope, plan: Stream, value: AsyncGenerator[Any, Any], label: str) -> AsyncGenerator[Any, Any]:
    try:
        item = await value.__anext__()
        while True:
            admit(scope, plan.item, item, label)
            try:
                sent = yield item
            except GeneratorExit:
                raise
            except BaseException as error:
                item = await value.athrow(error)
            else:
                if sent is not None:
                    admit(scope, plan.sent, sent, "what is sent")
                item = await value.asend(sent)
    except StopAsyncIteration:
        return
    finally:
        await value.aclose()


for _own in (_iterator, _async_iterator, _generator, _async_generator):
    CODES[_own.__code__] = lambda own: own["scope"]
