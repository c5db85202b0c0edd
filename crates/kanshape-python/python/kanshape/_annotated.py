"""``T``: what an annotation says of an array, and the signature that several of them make."""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

from ._errors import Error
from ._kanshape import Signature, Type


class T:
    """The type of an argument or a result, for ``Annotated[np.ndarray, ks.T("f32[b, t]")]``.

    Names mean the same in all types of a function; ``?`` is any size and ``...`` any dims, others each time. Dims may be optional, ``n?``, or
    1 instead, ``n|1``; the dtype one of a set, ``{f32, f64}[n]``, or any, ``?[n]``; and conditions may follow: ``f32[n] where n >= 2``.

    ``isinstance(x, T("f32[n]"))`` in a function that is checked is about the names of its call.
    """

    __slots__ = ("_form", "_text")

    def __init__(self, text: str | Type) -> None:
        self._text = str(text)
        self._form = _form(self._text)

    @property
    def text(self) -> str:
        """The text."""
        return self._text

    @property
    def names(self) -> dict[str, str]:
        """The operand that shows what each of the names in it is: ``bool[n]``."""
        return self._form.names

    def __instancecheck__(self, value: Any) -> bool:
        from ._scope import is_instance

        return is_instance(self, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"T({self._text!r})"

    def __reduce__(self) -> Any:
        return T, (self._text,)


class _Form(NamedTuple):
    """A type as an operand of a signature."""

    operand: str
    """A NUL begins a name that is another one in each operand."""
    conditions: str
    names: dict[str, str]


_TENSOR = re.compile(r"\s*(\{[^{}]*\}|\?|[^\W\d][\w.]*)\s*\[([^\[\]]*)\]\s*(?:where\b(.*\S.*))?", re.DOTALL)
_FUNCTIONS = frozenset({"min", "max", "prod", "ceil", "broadcast", "promote"})
_WORD = re.compile(r"[^\W\d]\w*")
_RUN = re.compile(r"\.\.\.\s*([^\W\d]\w*)?")
_SKIP = re.compile(r"\.\s*(\w+)\s*\.(?!\.)")


def _form(text: str) -> _Form:
    try:
        canonical = str(Type(text))
    except Error:
        # What only operands of signatures have: `n?`, `n|1`, `.2.`, `prod(...r)`. If it is none of these, the error is that of types.
        if not any(sign in text for sign in ("?", "|", ".")) or _TENSOR.fullmatch(text) is None:
            raise
        canonical = text
    found = _TENSOR.fullmatch(canonical)
    if found is None:
        form = _Form(canonical, "", {})
    else:
        dtype, dims, conditions = found.groups()
        form = _tensor(dtype, [item.strip() for item in _items(dims)], (conditions or "").strip())
    # Whether it can be an operand.
    _signature_of((form,), (), (), tuple(form.names.values()))
    return form


def _items(dims: str) -> list[str]:
    """The dims between the commas that stand in no parenthesis."""
    items, depth = [""], 0
    for sign in dims:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            items.append("")
        else:
            items[-1] += sign
    return [] if items == [""] or not dims.strip() else items


def _tensor(dtype: str, items: list[str], conditions: str) -> _Form:
    names: dict[str, str] = {}
    is_pattern = dtype.startswith(("{", "?"))
    own: list[str] = []
    for i, item in enumerate(items):
        run, skip = _RUN.fullmatch(item), _SKIP.fullmatch(item)
        if run is not None:
            own.append("..." + (run[1] or "\0r"))
            if run[1]:
                names[run[1]] = f"bool[...{run[1]}]"
            continue
        is_optional = item.endswith("?") and item != "?"
        is_pattern |= is_optional or "|" in item or "..." in item or skip is not None
        own.append(f"\0d{i}" if item == "?" else item)
        names.update({run[1]: f"bool[...{run[1]}]" for run in _RUN.finditer(item) if run[1]})
        for name in _WORD.findall(re.sub(r"@\s*\w+", "", _RUN.sub("", item))):
            if name not in _FUNCTIONS and skip is None:
                names[name] = f"({name}?):bool" if is_optional else f"bool[{name}]"
    conditions = re.sub(r"\.\.\.(?!\s*\w)", "...\0r", conditions)
    if dtype == "?":
        dtype = "\0t"
    elif is_variable(dtype):
        names[dtype] = f"{dtype}[]"
    if is_pattern:
        return _Form(f"({','.join(own)}):{dtype}", conditions, names)
    holes = ["?" if dim.startswith("\0") else dim for dim in own]
    return _Form(f"{dtype}[{', '.join(holes)}]", conditions, names)


@functools.cache
def is_variable(dtype: str) -> bool:
    """Is it a dtype variable, and no dtype or class of them?"""
    if not dtype.isidentifier() or dtype == "Any":
        return False
    try:
        own = Type(f"{dtype}[]")
    except Error:
        return False
    return own.dtype is None and own.dtypes == Type("?[]").dtypes


def _signature_of(inputs: tuple[_Form, ...], outputs: tuple[_Form, ...], sizes: tuple[str, ...], probes: tuple[str, ...] = ()) -> Signature:
    texts = [form.operand.replace("\0", f"any{i}_") for i, form in enumerate(inputs + outputs)]
    every = [form.conditions.replace("\0", f"any{i}_") for i, form in enumerate(inputs + outputs)]
    params = f"[{', '.join(sizes)}] " if sizes else ""
    conditions = ", ".join(filter(None, every))
    where = f" where {conditions}" if conditions else ""
    n = len(inputs)
    return Signature(f"{params}{', '.join(texts[:n])} -> {', '.join([*texts[n:], *probes])}{where}")


class Joint(NamedTuple):
    """Several types with the names that they share."""

    signature: Signature
    names: tuple[str, ...]
    """The names of which its last outputs say what they are."""
    sizes: tuple[str, ...]
    """The names that are its parameters."""


@functools.lru_cache(1024)
def joint(inputs: tuple[T, ...], outputs: tuple[T, ...], sizes: tuple[str, ...]) -> Joint:
    """The signature of these types, in which these names are parameters."""
    names: dict[str, str] = {}
    for own in inputs + outputs:
        names.update(own.names)
    used = tuple(size for size in sizes if size in names)
    shown = {name: operand for name, operand in names.items() if name not in used}
    signature = _signature_of(_forms(inputs), _forms(outputs), used, tuple(shown.values()))
    return Joint(signature, tuple(shown), used)


def plain(inputs: tuple[T, ...], outputs: tuple[T, ...], sizes: tuple[str, ...] = ()) -> Signature:
    """The same without outputs that say what names are, for messages and for calls that are fast."""
    return _signature_of(_forms(inputs), _forms(outputs), sizes)


def _forms(types: tuple[T, ...]) -> tuple[_Form, ...]:
    return tuple(own._form for own in types)
