"""Relational type inference for tensor operators: one signature, every direction.

>>> import kanshape as ks
>>> ks.infer("(m,n),(n,p)->(m,p)", "f32[2, 3]", "f32[3, 4]").outputs[0]
Type('f32[2, 4]')
>>> ks.infer("(m,n),(n,p)->(m,p)", "f32[2, n]", None, outputs=["f32[2, 4]"]).inputs[1]
Type('f32[n, 4]')
"""

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

__all__ = [
    "Answer",
    "Answers",
    "Dim",
    "Error",
    "Fact",
    "Never",
    "Operator",
    "Prepared",
    "Repair",
    "Several",
    "Signature",
    "Type",
    "Undecided",
    "__version__",
    "infer",
    "operators",
    "solve",
]
