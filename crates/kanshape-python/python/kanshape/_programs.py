"""Programs in Relay's text format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from . import _kanshape


class ProgramProblem(NamedTuple):
    """What is wrong with a program."""

    severity: str
    """``error`` or ``warning``."""
    code: str
    headline: str
    text: str
    """All of it, for a person."""
    kind: str | None
    """Relay's kind of error: ``mismatch``, ``occurs-check``, ..."""

    def __str__(self) -> str:
        return self.text


class Global(NamedTuple):
    """A global of a program."""

    name: str
    type: str
    """Its type, with the relations that have to hold at each call."""
    where: list[str]
    """What has to hold of the sizes and dtypes in it."""


class Program(NamedTuple):
    """What has been found out of a program."""

    verdict: str
    """Whether its entry holds: ``always``, ``depends``, ``never``, ``unknown``."""
    entry: str
    """The global that the verdict is about: ``main``, or the last one."""
    globals: dict[str, Global]
    """The globals, in their order."""
    problems: list[ProgramProblem]
    """What is wrong with it, warnings as well."""
    annotated: str | None
    """The program with the types of globals and functions written in; ``None`` if it has errors."""

    @property
    def type(self) -> str | None:
        """The type of its entry."""
        found = self.globals.get(self.entry)
        return None if found is None else found.type

    @property
    def errors(self) -> list[ProgramProblem]:
        """What is wrong with it."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def _repr_html_(self) -> str:
        rows = []
        for one in self.globals.values():
            rows += [(f"@{one.name}", one.type), *(("where", text) for text in one.where)]
        rows += [(problem.severity, problem.headline) for problem in self.problems]
        return _kanshape.html_table(rows)


def program(
    source: str | os.PathLike[str], *, budget: int | None = None, timeout: float | None = None
) -> Program:
    """Types a program of Relay: a text, or the path of a file (a ``Path``, or a text that ends in ``.rly`` or ``.relay``)."""
    name, text = "program", source
    if not isinstance(source, str) or source.endswith((".rly", ".relay")):
        name, text = str(source), Path(source).read_text(encoding="utf-8")
    verdict, entry, found, problems, annotated = _kanshape.type_program(name, str(text), budget, timeout)
    every = {row[0]: Global(*row) for row in found}
    return Program(verdict, entry, every, [ProgramProblem(*row) for row in problems], annotated)
