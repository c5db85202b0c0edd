"""The exceptions of kanshape. All are a ``ValueError``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ._kanshape import Answer, Refusal


class Fact(NamedTuple):
    """Something that was given and takes part in a conflict."""

    slot: str
    """Where it was given: ``inputs[0]``, ``params.s``."""
    axis: int | None
    """The dim, or the member of a list, that it is about."""
    about: str
    """What it is about: ``dim``, ``dtype``, ``rank``, ..."""
    says: str
    """The fact in words."""
    span: tuple[int, int] | None
    """The bytes of the signature that speak of it."""


class Repair(NamedTuple):
    """What could be given instead of something. With it there is an answer."""

    slot: str
    """Instead of what."""
    instead: Any
    """A ``Type`` of an operand, a value of a parameter or attribute; ``None`` leaves it out."""
    where: list[str]
    """What has to hold of the names in it."""


class Error(ValueError):
    """A text that is no signature, type or query. Its message is the diagnostic for a person."""

    def __init__(self, code: str, headline: str, text: str) -> None:
        super().__init__(code, headline, text)
        self.code = code
        self.headline = headline
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.headline!r})"

    def _repr_html_(self) -> str:
        text = self.text.replace("&", "&amp;").replace("<", "&lt;")
        return f"<pre>{text}</pre>"


class Misuse(Error, TypeError):
    """A function that can't be checked as it is written. It is a ``TypeError`` as well."""

    def __init__(self, headline: str) -> None:
        super().__init__("", headline, f"error: {headline}")

    def __reduce__(self) -> Any:
        return (Misuse, (self.headline,))


class Never(Error):
    """No shapes and dtypes satisfy the rule together with what was given.

    Why is found out when it is first read.
    """

    def __init__(self, refusal: Refusal | str) -> None:
        ValueError.__init__(self, refusal)
        self._refusal: Refusal | None = None
        if not isinstance(refusal, str):
            self._refusal = refusal
            return
        # Made again of its text with more behind it, as PyTensor does to say which node it was.
        found = _FIRST_LINE.search(refusal)
        self.code, self.headline = found.groups() if found else ("", refusal.partition("\n")[0])
        self.text = refusal
        self.facts, self.repairs = [], []

    def __getattr__(self, name: str) -> Any:
        refusal = self.__dict__.get("_refusal")
        if refusal is None or name not in _FOUND:
            raise AttributeError(name)
        self.code, self.headline, self.text = refusal.text()
        self.facts = [Fact(*row) for row in refusal.facts()]
        self.repairs = [Repair(*row) for row in refusal.repairs()]
        return self.__dict__[name]

    if TYPE_CHECKING:
        code: str
        headline: str
        text: str
        facts: list[Fact]
        """What can't hold together: without any one of these, the others can."""
        repairs: list[Repair]
        """What could be given instead, the smallest change first."""

    def __reduce__(self) -> Any:
        own = (self.code, self.headline, self.text, self.facts, self.repairs)
        return (_never, own)


_FIRST_LINE = re.compile(r"error\[(\w+)\]: ([^\n]*)")

_FOUND = frozenset({"code", "headline", "text", "facts", "repairs"})


def _never(code: str, headline: str, text: str, facts: Any, repairs: Any) -> Never:
    """One that is known already."""
    error = Never.__new__(Never, code, headline, text)
    error._refusal = None
    error.code, error.headline, error.text = code, headline, text
    error.facts, error.repairs = list(facts), list(repairs)
    return error


class Several(Error):
    """More than one answer: the first two of them. ``kanshape.solve`` gives all."""

    def __init__(self, first: Answer, second: Answer) -> None:
        text = f"there is more than one answer: {first}, and {second}"
        super().__init__("", text, text)
        self.answers = (first, second)

    def __reduce__(self) -> Any:
        return (Several, self.answers)


class Undecided(Error):
    """Budget or timeout ran out before there was an answer."""

    def __init__(self, why: str) -> None:
        super().__init__("", why, why)

    def __reduce__(self) -> Any:
        return (Undecided, (self.headline,))
