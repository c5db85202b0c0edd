"""The page in the browser."""

from __future__ import annotations

import os
from typing import Any

from . import _kanshape
from ._models import _bytes


class Server:
    """The page, shown on this machine alone until ``stop`` is called or the process ends."""

    def __init__(self, own: _kanshape.Server) -> None:
        self._own = own

    @property
    def url(self) -> str:
        """Where the page is."""
        return self._own.url

    def stop(self) -> None:
        """Shows it no longer."""
        self._own.stop()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<kanshape.Server {self.url}>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank">{self.url}</a>'


def serve(model: Any = None, *, port: int = 0, name: str = "model", browser: bool = False) -> Server:
    """Shows the page in the browser, as ``kanshape serve`` does, with a model opened in it: whatever ``check`` takes.

    Port 0 is any that is free. ``name`` is what a model is called that is no file. With ``browser`` the page is opened in one.
    """
    if model is None:
        own = _kanshape.Server(None, name, None, port)
    elif isinstance(model, (str, os.PathLike)) and not (isinstance(model, str) and "\n" in model):
        own = _kanshape.Server(os.fspath(model), name, None, port)
    else:
        own = _kanshape.Server(None, name, _bytes(model), port)
    server = Server(own)
    if browser:
        import webbrowser

        webbrowser.open(server.url)
    return server
