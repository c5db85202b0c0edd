from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, SupportsIndex, final, overload

from typing_extensions import Self, TypeAlias

__all__ = [
    "Answer",
    "Answers",
    "Dim",
    "Loaded",
    "Operator",
    "Prepared",
    "Refusal",
    "Report",
    "Rule",
    "Server",
    "Signature",
    "Type",
    "__version__",
    "call",
    "check_bytes",
    "command",
    "diff_reports",
    "find_calls",
    "fits",
    "html_table",
    "infer",
    "operators",
    "read_rules",
    "refused",
    "rewrite_model",
    "sample",
    "solve",
    "symbolic_dim",
    "type_graph",
    "type_program",
    "value_type",
]

__version__: str

_TypeLike: TypeAlias = Any
"""A text, a ``Type``, a tuple of sizes, something with shape and dtype, a number of Python, or ``None`` for unknown."""
_DimLike: TypeAlias = SupportsIndex | str | Dim | None
"""A size, a name or an expression; ``None`` for unknown."""
_RuleLike: TypeAlias = str | Signature | Operator | Prepared | Callable[..., Any]
"""A signature or its text, an operator or its name, a function of a library that is an operator."""
_Conditions: TypeAlias = str | Iterable[str] | None
_Verdict: TypeAlias = Literal["always", "depends", "never", "unknown"]

@final
class Dim:
    """A dim that is no plain number: ``n``, ``2*n + 1``. It computes."""

    def __new__(cls, dim: SupportsIndex | str | Dim) -> Self: ...
    @property
    def names(self) -> list[str]:
        """The names in it."""
    def at(self, **sizes: int) -> int | None:
        """Its size where these names have these sizes; ``None`` if that is not known or no size."""
    def _tree(self) -> Any: ...
    def __add__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __radd__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __sub__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __rsub__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __mul__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __rmul__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __floordiv__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __rfloordiv__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __mod__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __rmod__(self, other: SupportsIndex | str | Dim, /) -> Dim | int: ...
    def __pow__(self, exponent: int, modulo: None = None, /) -> Dim | int: ...
    def __rpow__(self, base: Any, modulo: None = None, /) -> Any: ...
    def __neg__(self) -> Dim | int: ...
    def __lt__(self, other: SupportsIndex | str | Dim, /) -> bool: ...
    def __le__(self, other: SupportsIndex | str | Dim, /) -> bool: ...
    def __gt__(self, other: SupportsIndex | str | Dim, /) -> bool: ...
    def __ge__(self, other: SupportsIndex | str | Dim, /) -> bool: ...
    def __int__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Type:
    """What is known of a value: ``f32[2, n]``."""

    @overload
    def __new__(cls, of: _TypeLike, /) -> Self: ...
    @overload
    def __new__(cls, of: Any, dims: Iterable[_DimLike] | None, /) -> Self: ...
    @overload
    def __new__(cls, of: Any, /, *, shape: Iterable[_DimLike]) -> Self: ...
    @overload
    def __new__(cls, *, shape: Iterable[_DimLike] | None = None, dtype: Any = None) -> Self: ...
    @property
    def dtype(self) -> str | None:
        """The dtype, as NumPy calls it: ``float32``; ``None`` if it is not known."""
    @property
    def dtypes(self) -> frozenset[str]:
        """The dtypes that it can be."""
    @property
    def shape(self) -> tuple[int | Dim | None, ...] | None:
        """The dims; ``None`` if not even how many there are is known."""
    @property
    def rank(self) -> int | None:
        """How many dims there are, if that is known."""
    @property
    def ndim(self) -> int | None:
        """The same, as NumPy calls it."""
    @property
    def contents(self) -> tuple[int | float | bool | str | Dim | None, ...] | None:
        """What is known of what is in the tensor; ``None`` if nothing is."""
    @property
    def where(self) -> tuple[str, ...]:
        """The conditions behind ``where``."""
    @property
    def is_ground(self) -> bool:
        """Whether nothing is open: neither dtype nor rank nor a size."""
    def __and__(self, other: _TypeLike, /) -> Type: ...
    def __rand__(self, other: _TypeLike, /) -> Type: ...
    def __or__(self, other: _TypeLike, /) -> Type: ...
    def __ror__(self, other: _TypeLike, /) -> Type: ...
    def __le__(self, other: Type, /) -> bool: ...
    def __lt__(self, other: Type, /) -> bool: ...
    def __ge__(self, other: Type, /) -> bool: ...
    def __gt__(self, other: Type, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Answer:
    """One way in which a rule holds."""

    @property
    def inputs(self) -> tuple[Type | None, ...]:
        """The types of the inputs. One of an operator that is left out is ``None``."""
    @property
    def outputs(self) -> tuple[Type | Any, ...]:
        """The types of the outputs. One of an operator that is left out is ``None``: who leaves none out need not ask for it."""
    @property
    def params(self) -> dict[str, int | Dim | None]:
        """The parameters of a signature."""
    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes of an operator that were queried."""
    @property
    def where(self) -> tuple[str, ...]:
        """The conditions under which it holds."""
    @property
    def verdict(self) -> _Verdict:
        """Whether the rule holds of what was given, or depends on the conditions."""
    def _gives(self, *results: Any) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Answers(Iterator[Answer]):
    """The answers to a query, found one by one."""

    def __next__(self) -> Answer: ...
    @property
    def verdict(self) -> _Verdict:
        """Whether the rule holds. What is found for it is still given out."""
    @property
    def complete(self) -> bool:
        """Whether the answers given out so far are all."""

@final
class Signature:
    """The typing rule of an operator in one line: ``(m,n),(n,p)->(m,p)``."""

    def __new__(cls, text: str) -> Self: ...
    @property
    def n_inputs(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    def infer(
        self,
        *inputs: _TypeLike,
        outputs: Iterable[_TypeLike] | None = None,
        params: dict[str, Any] | None = None,
        where: _Conditions = None,
        promotion: str | None = None,
        budget: int | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Its one answer."""
    def solve(
        self,
        inputs: Iterable[_TypeLike] | None = None,
        outputs: Iterable[_TypeLike] | None = None,
        *,
        params: dict[str, Any] | None = None,
        where: _Conditions = None,
        promotion: str | None = None,
        budget: int | None = None,
        timeout: float | None = None,
        limit: int | None = None,
        max_rank: int | None = None,
        max_dim: int | None = None,
        ground: bool = False,
    ) -> Answers:
        """Its answers, found one by one."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Operator:
    """An operator of the catalog, ``onnx::Conv``, or of files that were loaded."""

    def __new__(cls, name: str, opset: int | None = None) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def since(self) -> int: ...
    @property
    def doc(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def outputs(self) -> list[str]: ...
    @property
    def attributes(self) -> list[str]: ...
    def prepare(
        self,
        n_inputs: int,
        n_outputs: int | None = None,
        *,
        attrs: dict[str, Any] | None = None,
    ) -> Prepared:
        """It with its attributes fixed, for calls of so many inputs and outputs."""
    def infer(
        self,
        *inputs: _TypeLike,
        outputs: Iterable[_TypeLike] | None = None,
        attrs: dict[str, Any] | None = None,
        where: _Conditions = None,
        promotion: str | None = None,
        budget: int | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """The one answer to a call. An operand that is left out is ``"-"``, an input that may be is ``"f32[2] or -"``."""
    def solve(
        self,
        inputs: Iterable[_TypeLike] | None = None,
        outputs: Iterable[_TypeLike] | None = None,
        *,
        attrs: dict[str, Any] | None = None,
        where: _Conditions = None,
        promotion: str | None = None,
        budget: int | None = None,
        timeout: float | None = None,
        limit: int | None = None,
        max_rank: int | None = None,
        max_dim: int | None = None,
        ground: bool = False,
    ) -> Answers:
        """The answers to a call, found one by one."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Loaded:
    def __new__(cls, sources: list[tuple[str, str]]) -> Self: ...
    def operator(self, name: str, opset: int | None = None) -> Operator: ...
    @property
    def operators(self) -> list[str]: ...
    @property
    def types(self) -> list[tuple[str, list[str]]]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def sources(self) -> list[tuple[str, str]]: ...

@final
class Prepared:
    """An operator with its attributes fixed, prepared once for many calls."""

    @property
    def operator(self) -> Operator: ...
    @property
    def n_inputs(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    def infer(
        self,
        *inputs: _TypeLike,
        outputs: Iterable[_TypeLike] | None = None,
        where: _Conditions = None,
        promotion: str | None = None,
        budget: int | None = None,
        timeout: float | None = None,
    ) -> Answer: ...
    def solve(
        self,
        inputs: Iterable[_TypeLike] | None = None,
        outputs: Iterable[_TypeLike] | None = None,
        *,
        where: _Conditions = None,
        promotion: str | None = None,
        budget: int | None = None,
        timeout: float | None = None,
        limit: int | None = None,
        max_rank: int | None = None,
        max_dim: int | None = None,
        ground: bool = False,
    ) -> Answers: ...

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Refusal:
    def text(self) -> tuple[str, str, str]: ...
    def facts(self) -> list[tuple[str, int | None, str, str, tuple[int, int] | None]]: ...
    def repairs(self) -> list[tuple[str, Any, list[str]]]: ...

@final
class Report:
    @property
    def verdict(self) -> _Verdict: ...
    @property
    def signature(self) -> str: ...
    @property
    def inputs(self) -> dict[str, Type]: ...
    @property
    def outputs(self) -> dict[str, Type]: ...
    @property
    def values(self) -> dict[str, Type]: ...
    @property
    def conditions(self) -> list[tuple[str, str | None, list[str]]]: ...
    @property
    def problems(self) -> list[tuple[str, str, str, str, str | None]]: ...
    @property
    def untyped(self) -> list[tuple[str, str]]: ...
    @property
    def free(self) -> list[tuple[str, int, str]]: ...
    def assumed(self) -> list[tuple[str, int, str, str, list[str], str]]: ...
    def written(self) -> bytes: ...
    def page(self, name: str) -> str: ...

@final
class Server:
    def __new__(cls, path: str | None, name: str, bytes: bytes | None, port: int) -> Server: ...
    @property
    def url(self) -> str: ...
    def stop(self) -> None: ...

def command(args: list[str]) -> int: ...
def check_bytes(
    model: bytes,
    dims: dict[str, Any] | None = None,
    inputs: dict[str, Any] | None = None,
    outputs: dict[str, Any] | None = None,
    sizes: dict[str, int] | None = None,
    batch: _DimLike = None,
    cuts: dict[str, Any] | None = None,
    trust_annotations: bool = False,
    budget: int | None = None,
    timeout: float | None = None,
) -> Report: ...
@final
class Rule:
    @property
    def name(self) -> str: ...
    @property
    def left(self) -> str: ...
    @property
    def right(self) -> str: ...
    def found(
        self,
        types_only: bool,
        opset: int | None = None,
        max_rank: int | None = None,
        max_dim: int | None = None,
    ) -> tuple[
        str,
        Any,
        list[str] | None,
        tuple[int, int | None] | None,
        str | None,
        Any,
        bool | None,
        bool | None,
        str | None,
        tuple[str, int | None, int | None, int, Any, list[str] | None, Any, str | None] | None,
    ]: ...
    def values(
        self, opset: int | None = None
    ) -> tuple[str, int | None, int | None, int, Any, list[str] | None, Any, str | None]: ...

def read_rules(name: str, text: str) -> list[Rule]: ...
def rewrite_model(
    model: bytes,
    rules: list[tuple[str, str]],
    assume: list[str],
    timeout: float | None = None,
) -> tuple[bytes, list[tuple[str, str]], list[tuple[str, str, str, list[str]]], list[str]]: ...
def find_calls(
    inputs: Iterable[_TypeLike],
    output: _TypeLike,
    depth: int,
    ops: list[str],
    cheapest: bool,
    opset: int | None = None,
    budget: int | None = None,
    timeout: float | None = None,
) -> tuple[list[Any], list[str]]: ...
def type_graph(
    values: Iterable[_TypeLike],
    rules: list[tuple[str, list[tuple[str, int | None]]]],
    nodes: list[tuple[int, list[int], list[int]]],
    budget: int | None = None,
    timeout: float | None = None,
) -> tuple[
    list[Type],
    list[
        tuple[
            int,
            tuple[str, str, str],
            list[
                tuple[
                    str,
                    int | None,
                    str,
                    tuple[int, int] | None,
                    tuple[str, int, int, int | None, list[int], bool] | None,
                    tuple[str, list[int]] | None,
                ]
            ],
        ]
    ],
    list[str],
]: ...
def type_program(
    name: str, text: str, budget: int | None = None, timeout: float | None = None
) -> tuple[
    str,
    str,
    list[tuple[str, str, list[str]]],
    list[tuple[str, str, str, str, str | None]],
    str | None,
]: ...
def html_table(rows: list[tuple[str, str]]) -> str: ...
def diff_reports(first: Report, second: Report) -> Any: ...
def infer(
    rule: _RuleLike,
    /,
    *inputs: _TypeLike,
    outputs: Iterable[_TypeLike] | None = None,
    params: dict[str, Any] | None = None,
    attrs: dict[str, Any] | None = None,
    opset: int | None = None,
    where: _Conditions = None,
    promotion: str | None = None,
    budget: int | None = None,
    timeout: float | None = None,
) -> Answer:
    """The one answer of a rule: types of inputs and outputs, refined as far as they follow.

    ``Never`` if there is none, ``Several`` if there are more, ``Undecided`` if budget or timeout ran out.
    """

def call(
    op: Any,
    /,
    *args: Any,
    where: _Conditions = None,
    budget: int | None = None,
    timeout: float | None = None,
    **kwargs: Any,
) -> Answer:
    """The one answer of a call of an operator or a function of torch, with its own arguments.

    ``Never`` if there is none, ``Several`` if there are more, ``Undecided`` if budget or timeout ran out.
    """

def solve(
    rule: _RuleLike,
    inputs: Iterable[_TypeLike] | None = None,
    outputs: Iterable[_TypeLike] | None = None,
    *,
    params: dict[str, Any] | None = None,
    attrs: dict[str, Any] | None = None,
    opset: int | None = None,
    where: _Conditions = None,
    promotion: str | None = None,
    budget: int | None = None,
    timeout: float | None = None,
    limit: int | None = None,
    max_rank: int | None = None,
    max_dim: int | None = None,
    ground: bool = False,
) -> Answers:
    """The answers of a rule, found one by one."""

def sample(
    rule: _RuleLike,
    choose: Callable[[int], int],
    *,
    inputs: Iterable[_TypeLike] | None = None,
    params: dict[str, Any] | None = None,
    attrs: dict[str, Any] | None = None,
    opset: int | None = None,
    where: _Conditions = None,
    dtypes: Iterable[Any] | None = None,
    min_dim: int | None = None,
    max_dim: int | None = None,
    max_rank: int | None = None,
    almost: bool = False,
) -> Answer:
    """One answer without unknowns.

    ``choose`` chooses one of so many ways, by a number from 0 on, of which 0 is the simplest.
    """

def fits(signature: Signature, values: tuple[Any, ...], params: dict[str, Any] | None) -> Answer | None:
    """The answer to a call with these values where that is plain."""

def refused(
    rule: _RuleLike,
    inputs: Iterable[_TypeLike],
    outputs: Iterable[_TypeLike] | None,
    params: dict[str, Any] | None,
    source: str,
    operands: list[str],
) -> Refusal:
    """Why a call has no answer, in the words of a function."""

def value_type(value: Any) -> Type | None:
    """The type of a value; ``None`` if it is no array."""

def symbolic_dim(text: str) -> int | Dim | None:
    """A size as another library writes it; ``None`` if it is none that can be read."""

def operators(domain: str | None = None) -> list[str]:
    """The names of the operators that come with kanshape, or of those of one domain."""
