"""Relational type inference for tensor operators: one signature, every direction.

>>> import kanshape as ks
>>> ks.infer("(m,n),(n,p)->(m,p)", "f32[2, 3]", "f32[3, 4]").outputs[0]
Type('f32[2, 4]')
>>> ks.infer("(m,n),(n,p)->(m,p)", "f32[2, n]", None, outputs=["f32[2, 4]"]).inputs[1]
Type('f32[n, 4]')
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from ._annotated import T
from ._checked import checked
from ._errors import Error, Fact, Never, Repair, Several, Undecided
from ._kanshape import (
    Answer,
    Answers,
    Dim,
    Operator,
    Prepared,
    Signature,
    Type,
    __version__,
    call,
    infer,
    operators,
    solve,
)
from ._loaded import Operators, load
from ._models import Assumption, Condition, Difference, Problem, Report, check, diff
from ._page import Server, serve
from ._programs import Global, Program, ProgramProblem, program
from ._rewriting import Call, Calls, Case, Cost, Match, Rewritten, Rule, Rules, Soundness, Values, find, rewrite, rules
from ._verify import Run, Verification

if TYPE_CHECKING:
    from . import pytensor as pytensor
    from . import strategies as strategies
else:

    def __getattr__(name: str) -> ModuleType:
        # They need packages of their own, and are imported when they are first used.
        if name in ("pytensor", "strategies"):
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted([*__all__, "pytensor", "strategies", "__doc__", "__file__", "__name__", "__path__"])


__all__ = [
    "Answer",
    "Answers",
    "Assumption",
    "Call",
    "Calls",
    "Case",
    "Condition",
    "Cost",
    "Difference",
    "Dim",
    "Error",
    "Fact",
    "Global",
    "Match",
    "Never",
    "Operator",
    "Operators",
    "Prepared",
    "Problem",
    "Program",
    "ProgramProblem",
    "Repair",
    "Report",
    "Rewritten",
    "Rule",
    "Rules",
    "Run",
    "Server",
    "Several",
    "Signature",
    "Soundness",
    "T",
    "Type",
    "Undecided",
    "Values",
    "Verification",
    "__version__",
    "call",
    "check",
    "checked",
    "diff",
    "find",
    "infer",
    "load",
    "operators",
    "program",
    "rewrite",
    "rules",
    "serve",
    "solve",
]
