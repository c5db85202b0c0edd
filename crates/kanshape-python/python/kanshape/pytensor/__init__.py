"""Operators of PyTensor from their signatures, and graphs of PyTensor typed in both directions.

Both run on PyTensor 3, and on 2.38, which PyMC 5.28 has.
"""

from ._check import Report, Weaker, check
from ._op import SignatureOp, op

__all__ = ["Report", "SignatureOp", "Weaker", "check", "op"]
