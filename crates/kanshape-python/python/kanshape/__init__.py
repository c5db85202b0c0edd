"""Relational type inference for tensor operators: one signature, every direction.

>>> import kanshape as ks
>>> ks.infer("(m,n),(n,p)->(m,p)", "f32[2, 3]", "f32[3, 4]").outputs[0]
Type('f32[2, 4]')
>>> ks.infer("(m,n),(n,p)->(m,p)", "f32[2, n]", None, outputs=["f32[2, 4]"]).inputs[1]
Type('f32[n, 4]')
"""

from ._checked import T, checked
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
    infer,
    operators,
    solve,
)
from ._models import Condition, Difference, Problem, Report, check, diff

__all__ = [
    "Answer",
    "Answers",
    "Condition",
    "Difference",
    "Dim",
    "Error",
    "Fact",
    "Never",
    "Operator",
    "Prepared",
    "Problem",
    "Repair",
    "Report",
    "Several",
    "Signature",
    "T",
    "Type",
    "Undecided",
    "__version__",
    "check",
    "checked",
    "diff",
    "infer",
    "operators",
    "solve",
]
