"""Functions that are checked against a signature or an operator."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

from ._by_annotations import arguments, label_of, name_of
from ._errors import Error, Misuse, Never, Several
from ._kanshape import Prepared, Refusal, Signature, Type, fits, infer, refused
from ._plans import Unfit, at, called, type_of
from ._scope import unfit, with_notes

Parameter = inspect.Parameter


class RuleChecker:
    """What is checked in the calls of one function."""

    def __init__(self, function: Any, rule: Any, params: dict[str, Any] | None, is_bound: bool) -> None:
        self.name = name_of(function)
        self.rule = rule
        self.signature = inspect.signature(function)
        self.fixed = params or {}
        parameters = list(self.signature.parameters.values())[int(is_bound) :]
        n_inputs = rule.n_inputs if isinstance(rule, (Signature, Prepared)) else None
        self.n_inputs = n_inputs
        self.n_outputs = rule.n_outputs if isinstance(rule, Signature) else None
        self.names: list[str] = []
        self.rest: str | None = None
        for parameter in parameters:
            if n_inputs is not None and len(self.names) == n_inputs:
                break
            if parameter.kind is Parameter.VAR_POSITIONAL:
                self.rest = parameter.name
                break
            if parameter.kind is not Parameter.VAR_KEYWORD:
                self.names.append(parameter.name)
        if n_inputs is not None and len(self.names) < n_inputs and self.rest is None:
            takes = f"{self.name} takes {len(self.names)} arguments"
            raise Misuse(f"{takes}, and {rule} has {n_inputs} inputs")
        # A parameter of the signature that is an argument of the function as well.
        free = {parameter.name for parameter in parameters} - {*self.names, self.rest}
        self.params = [label for label in _labels(rule) if label in free and label not in self.fixed]

    def values(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[tuple[str, Any]], dict[str, Any]]:
        """The inputs of a call with what they are called, and the parameters."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        found = [(label_of(name), bound.arguments[name]) for name in self.names]
        if self.rest is not None:
            found += [(at(label_of(self.rest), i), value) for i, value in enumerate(bound.arguments[self.rest])]
        params = {label: bound.arguments[label] for label in self.params}
        return found, {**self.fixed, **{label: _size(label, value) for label, value in params.items()}}

    def enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Checks the arguments of a call."""
        try:
            found, params = self.values(args, kwargs)
            if self.n_inputs is not None and len(found) != self.n_inputs:
                raise Unfit(f"`{self.rest}`", f"{len(found)} arrays are given, and {self.rule} has {self.n_inputs} inputs")
            call = Call(self, params)
            for label, value in found:
                call.labels.append(label)
                call.types.append(self._input(label, value))
        except Unfit as error:
            raise unfit(self.name, error) from None
        if self.n_inputs is None:
            # Inputs of an operator that are left out at the end.
            while call.types and call.types[-1] == "-":
                call.types.pop()
        call.solve(None)
        return call

    def _input(self, label: str, value: Any) -> Any:
        name = label.strip("`").partition("[")[0]
        if value is None and self.signature.parameters[name].default is None:
            return None if self.n_inputs is not None else "-"
        return type_of(value, label, None)

    def leave(self, call: Call, result: Any) -> None:
        """Checks the result of a call."""
        if self.n_outputs == 0:
            return
        several = isinstance(result, (tuple, list)) and self.n_outputs != 1
        results = list(result) if several else [result]
        try:
            if self.n_outputs is not None and len(results) != self.n_outputs:
                shown = f"{len(results)} results" if several else called(result)
                raise Unfit("the result", f"the result is {shown}, and {self.rule} has {self.n_outputs} outputs")
            labels = [at("the result", i) for i in range(len(results))] if several else ["the result"]
            outputs = [type_of(value, label, None) for label, value in zip(labels, results)]
        except Unfit as error:
            raise unfit(self.name, error) from None
        call.solve(list(zip(labels, outputs)))


class Call:
    """One call of a function."""

    def __init__(self, checker: RuleChecker, params: dict[str, Any]) -> None:
        self.checker = checker
        self.params = params
        self.labels: list[str] = []
        self.types: list[Any] = []

    def solve(self, outputs: list[tuple[str, Type]] | None) -> None:
        """Whether there is an answer; ``Never`` otherwise."""
        given = None if outputs is None else [ty for _, ty in outputs]
        params: Any = self.params or None
        try:
            infer(self.checker.rule, *self.types, outputs=given, params=params)
        except Several:
            return
        except Never:
            raise Never(RuleMismatch(self, outputs or [])) from None  # type: ignore[arg-type]


class RuleMismatch:
    """Why a call does not fit, in the words of the function. That is found out when it is first read."""

    def __init__(self, call: Call, outputs: list[tuple[str, Type]]) -> None:
        self.call = call
        self.outputs = outputs
        self._inner: Refusal | None = None

    def _refusal(self) -> Refusal:
        if self._inner is None:
            call, outputs = self.call, self.outputs
            labels = [*call.labels[: len(call.types)], *(label for label, _ in outputs)]
            given = [ty for _, ty in outputs] or None
            rule = call.checker.rule
            self._inner = refused(rule, call.types, given, call.params or None, call.checker.name, labels)
        return self._inner

    def text(self) -> tuple[str, str, str]:
        """Code, headline, and all of it."""
        code, headline, text = self._refusal().text()
        name = self.call.checker.name
        return code, f"{name}(): {headline}", with_notes(text, headline, name, self._notes())

    def _notes(self) -> list[str]:
        slots = {row[0] for row in self.facts()}
        operands = [(f"inputs[{i}]", *own) for i, own in enumerate(zip(self.call.labels, self.call.types))]
        operands += [(f"outputs[{i}]", *own) for i, own in enumerate(self.outputs)]
        involved = [(label, ty) for slot, label, ty in operands if slot in slots or not slots]
        notes = [f"{label} is {ty}" for label, ty in involved]
        names = _bound(self.call.checker.rule, [ty for _, _, ty in operands], len(self.call.types), self.call.params)
        if names:
            notes.append(f"with {', '.join(f'{name} = {size}' for name, size in names.items())}")
        return notes

    def facts(self) -> list[Any]:
        return self._refusal().facts()

    def repairs(self) -> list[Any]:
        return self._refusal().repairs()


def _bound(rule: Any, types: list[Any], n_inputs: int, params: dict[str, Any]) -> dict[str, int]:
    """The sizes of a signature's names by the operands before the first one that does not fit."""
    if not isinstance(rule, Signature):
        return {}
    text, separator, where = str(rule).partition(" where ")
    names = list(dict.fromkeys(re.findall(r"(?<![\w.:@])[^\W\d]\w*(?![\w(:@?.])", re.sub(r":\w+|:\{[^}]*\}|\[[^\]]*\]", "", text))))
    probes = ", ".join(f"bool[{name}]" for name in names)
    ends_open = text.rstrip().endswith("->")
    try:
        probed = Signature(f"{text}{'' if ends_open else ','} {probes}{separator}{where}")
    except Error:
        return {}
    found: dict[str, int] = {}
    for end in range(1, len(types) + 1):
        inputs = [*types[: min(end, n_inputs)], *[None] * (n_inputs - end)]
        outputs = [*types[n_inputs:end], *[None] * (probed.n_outputs - max(end - n_inputs, 0))]
        try:
            answer = probed.infer(*inputs, outputs=outputs, params=params or None)
        except Several:
            continue
        except Error:
            break
        shapes = [ty.shape for ty in answer.outputs[len(answer.outputs) - len(names) :]]
        found = {name: shape[0] for name, shape in zip(names, shapes) if shape and isinstance(shape[0], int)}
    return found


def _labels(rule: Any) -> list[str]:
    """What the parameters of a signature are called."""
    found = re.match(r"\s*\[([^\]]*)\]", str(rule)) if isinstance(rule, Signature) else None
    return [part.partition(":")[0].strip() for part in found[1].split(",")] if found else []


def _size(label: str, value: Any) -> Any:
    if value is None:
        return None
    if not hasattr(value, "__index__") or int(value) < 0:
        raise Unfit(label_of(label), f"{label_of(label)} is {called(value)}, and a size is expected")
    return int(value)


def of_function(function: Any, rule: Any, params: dict[str, Any] | None, is_bound: bool) -> Any:
    """A function that is checked against a rule."""
    checker = RuleChecker(function, rule, params, is_bound)
    is_plain = isinstance(rule, Signature) and checker.rest is None and not checker.params
    first, last, named = arguments(checker.signature, checker.names)
    n_outputs, fixed = checker.n_outputs, checker.fixed or None

    def fit(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return fits(rule, args[first:last] if len(args) >= last else named(args, kwargs), fixed) if is_plain else None

    def is_given(answer: Any, result: Any) -> bool:
        return bool(answer._gives(*(result if n_outputs != 1 and isinstance(result, tuple) else (result,))))

    def known(answer: Any) -> Call:
        call = Call(checker, dict(checker.fixed))
        call.labels, call.types = [label_of(name) for name in checker.names], list(answer.inputs)
        return call

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        answer = fit(args, kwargs)
        call = checker.enter(args, kwargs) if answer is None else None
        result = function(*args, **kwargs)
        if n_outputs != 0 and (answer is None or not is_given(answer, result)):
            checker.leave(call or known(answer), result)
        return result

    @functools.wraps(function)
    async def waiting(*args: Any, **kwargs: Any) -> Any:
        answer = fit(args, kwargs)
        call = checker.enter(args, kwargs) if answer is None else None
        result = await function(*args, **kwargs)
        if n_outputs != 0 and (answer is None or not is_given(answer, result)):
            checker.leave(call or known(answer), result)
        return result

    return waiting if inspect.iscoroutinefunction(function) else wrapper
