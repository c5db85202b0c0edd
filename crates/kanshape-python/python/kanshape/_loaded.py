"""Operators and types of one's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import _kanshape
from ._kanshape import Operator


class Operators:
    """The operators and types that files define, by name."""

    def __init__(self, sources: list[tuple[str, str]]) -> None:
        self._loaded = _kanshape.Loaded(sources)

    def __getitem__(self, name: str) -> Operator:
        return self.operator(name)

    def operator(self, name: str, opset: int | None = None) -> Operator:
        """An operator of the files or of the catalog, as it is in this version of its domain."""
        return self._loaded.operator(name, opset)

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded.operators)

    def __len__(self) -> int:
        return len(self._loaded.operators)

    def __contains__(self, name: object) -> bool:
        return name in self._loaded.operators

    @property
    def types(self) -> dict[str, list[str]]:
        """The types that the files declare, each with the names of its arguments."""
        return dict(self._loaded.types)

    @property
    def warnings(self) -> list[str]:
        """What is probably not meant as it is written."""
        return self._loaded.warnings

    def __repr__(self) -> str:
        return f"<kanshape.Operators {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return _kanshape.html_table([(name, self[name].text) for name in self])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operators) and self._loaded.sources == other._loaded.sources

    def __hash__(self) -> int:
        return hash(tuple(self._loaded.sources))

    def __reduce__(self) -> Any:
        return Operators, (self._loaded.sources,)


def load(*sources: str | os.PathLike[str]) -> Operators:
    """Operators, relations and types of files, on top of the catalog: each a path (a ``Path``, or a text that ends in ``.kan``), or a text."""
    return Operators([_read(source, i) for i, source in enumerate(sources)])


def _read(source: str | os.PathLike[str], place: int) -> tuple[str, str]:
    if isinstance(source, str) and not source.endswith(".kan"):
        return f"operators{place or ''}", source
    return str(source), Path(source).read_text(encoding="utf-8")
