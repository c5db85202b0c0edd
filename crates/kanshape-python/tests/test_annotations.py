"""Functions that are checked by their annotations: what is found in values, and that nothing passes unchecked."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Callable, Generic, NamedTuple, NewType, Optional, TypedDict, TypeVar, Union

import numpy as np
import pytest

import kanshape as ks
from kanshape import T

if TYPE_CHECKING:
    from somewhere import Config

Array = np.ndarray
N = Annotated[Array, T("f32[n]")]
M = Annotated[Array, T("f32[m, n]")]


def zeros(*shape, dtype="f4"):
    return np.zeros(shape, dtype)


def annotated(hint, result=None, default=...):
    """A function of `x`, which has a type, and `y`, which has this annotation; it gives what `result` is."""
    if default is ...:

        def f(x, y):
            return result
    else:

        def f(x, y=default):
            return result

    f.__annotations__ = {"x": N, "y": hint}
    return ks.checked(f)


class Pair(NamedTuple):
    a: N
    b: int


@dataclasses.dataclass
class Batch:
    x: N
    label: str = ""


class Options(TypedDict, total=False):
    x: N
    other: str


Vector = NewType("Vector", N)
Bound = TypeVar("Bound", bound=N)

# Each with a value that fits beside f32[3], and one that does not.
PLACES = [
    (Optional[N], [None, zeros(3)], [zeros(4), 3.0, "f32[3]", zeros(3, dtype="f8")]),
    (N | None, [None, zeros(3)], [zeros(4), [None]]),
    (Union[N, float], [1.0, 2, zeros(3)], [zeros(4), None, "a"]),
    (Union[N, M], [zeros(3), zeros(9, 3)], [zeros(4), zeros(9, 4), zeros(1, 1, 3)]),
    (list[N], [[], [zeros(3), zeros(3)]], [[zeros(4)], [zeros(3), None], zeros(3), (zeros(3),), None]),
    (list[Optional[N]], [[None, zeros(3)]], [[zeros(2)]]),
    (tuple[N, ...], [(), (zeros(3),) * 2], [(zeros(3), zeros(4)), [zeros(3)]]),
    (tuple[N, int], [(zeros(3), 1)], [(zeros(4), 1), (zeros(3),), zeros(3), None]),
    (Sequence[N], [[zeros(3)], (zeros(3),)], [[zeros(1)], "ab", {}]),
    (dict[str, N], [{}, {"a": zeros(3)}], [{"a": zeros(3), "b": zeros(4)}, [zeros(3)]]),
    (Mapping[str, list[N]], [{"a": [zeros(3)]}], [{"a": [zeros(4)]}, {"a": zeros(3)}]),
    (collections.deque[N], [collections.deque([zeros(3)])], [collections.deque([zeros(4)])]),
    (Iterable[N], [[zeros(3)], {}], [[zeros(4)], 3]),
    (Annotated[N, "doc"], [zeros(3)], [zeros(4)]),
    (Annotated[Optional[Array], T("f32[n]")], [None, zeros(3)], [zeros(4)]),
    (T("f32[n]"), [zeros(3)], [zeros(4)]),
    ("N", [zeros(3)], [zeros(4)]),
    ("list['N']", [[zeros(3)]], [[zeros(4)]]),
    (Vector, [zeros(3)], [zeros(4)]),
    (Bound, [zeros(3)], [zeros(4)]),
    (Pair, [Pair(zeros(3), 1)], [Pair(zeros(4), 1), (zeros(3), 1), zeros(3)]),
    (Batch, [Batch(zeros(3))], [Batch(zeros(4)), None]),
    (Options, [{}, {"x": zeros(3)}], [{"x": zeros(4)}, zeros(3)]),
    (list[Pair], [[Pair(zeros(3), 1)]], [[Pair(zeros(4), 1)]]),
    (N, [zeros(3), ks.Type("f32[3]")], [None, "f32[3]", (3,), [1.0] * 3, 1.0, Array, object(), np.array([None] * 3)]),
]


@pytest.mark.parametrize(("hint", "good", "bad"), PLACES, ids=lambda value: None if isinstance(value, list) else str(value)[:40])
def test_a_type_is_found_wherever_it_is(hint, good, bad):
    f = annotated(hint)
    for value in good:
        f(zeros(3), value)
    for value in bad:
        with pytest.raises(ks.Never) as never:
            f(zeros(3), value)
        assert "`y" in str(never.value) and "annotated.<locals>" not in str(never.value)


@pytest.mark.parametrize(("hint", "good", "bad"), PLACES, ids=lambda value: None if isinstance(value, list) else str(value)[:40])
def test_a_type_of_a_result_is_found_wherever_it_is(hint, good, bad):
    for value in (*good, *bad):

        def f(x):
            return value

        f.__annotations__ = {"x": N, "return": hint}
        if any(value is own for own in good):
            assert ks.checked(f)(zeros(3)) is value
        else:
            with pytest.raises(ks.Never, match=r"f\(\): .*the result"):
                ks.checked(f)(zeros(3))


class Box(Generic[Bound]): ...


@dataclasses.dataclass
class Node:
    x: N
    next: Optional[Node] = None


@pytest.mark.parametrize(
    "hint",
    [
        Callable[[N], int],
        Callable[..., N],
        Box[N],
        dict[N, int],
        list[Iterator[N]],
        Annotated[Array, T("f32[n]"), T("f32[m]")],
        type[N],
        Node,
        "Annotated[Array, Unknown.T('f32[n]')]",
    ],
    ids=str,
)
def test_a_type_that_can_not_be_checked_is_an_error_when_it_is_decorated(hint):
    with pytest.raises(ks.Error, match="`y`"):
        annotated(hint)
    with pytest.raises(TypeError):
        annotated(hint)


def test_what_has_no_types_is_not_looked_at():
    for hint in (int, "Config", Callable[[int], str], "somewhere.Config | None", list["Config"], 3, dict[str, Any], "not python"):
        assert annotated(hint, 1)(zeros(3), object()) == 1
        with pytest.raises(ks.Never):
            annotated(hint)(zeros(3, 3), object())


def test_a_name_that_is_found_later_counts():
    namespace = {"Annotated": Annotated, "np": np, "ks": ks, "N": N}
    text = "@ks.checked\ndef f(x: 'N', y: 'Later'): return x\n@ks.checked\ndef g(y: 'Later'): return y\n@ks.checked\ndef h(y: 'Never'): return y"
    exec(text, namespace)
    namespace["Later"] = N
    for call in (lambda: namespace["f"](zeros(3), zeros(4)), lambda: namespace["g"](zeros(3, 3))):
        with pytest.raises(ks.Never):
            call()
    assert namespace["g"](zeros(3)).shape == (3,)
    with pytest.raises(TypeError, match="`Never` can't be found"):
        namespace["h"](zeros(3))


def test_names_of_the_function_around_it():
    Own = Annotated[Array, T("f32[n, n]")]

    @ks.checked
    def f(x: Own) -> Own:
        return x

    assert f(zeros(2, 2)).shape == (2, 2)
    with pytest.raises(ks.Never):
        f(zeros(2, 3))


def test_a_default_of_none():
    f = annotated(N, default=None)
    f(zeros(3))
    f(zeros(3), None)
    with pytest.raises(ks.Never):
        f(zeros(3), zeros(4))
    g = annotated(list[N], default=None)
    g(zeros(3))
    with pytest.raises(ks.Never):
        g(zeros(3), [zeros(4)])


def test_a_missing_return():
    @ks.checked
    def f(x: N) -> N:
        x + 1

    with pytest.raises(ks.Never, match=r"f\(\): the result is None, and an array is expected: f32\[n\]"):
        f(zeros(3))


def test_args_and_kwargs():
    @ks.checked
    def f(*xs: N, **named: N) -> N:
        return (*xs, *named.values())[0]

    assert f(zeros(3), zeros(3), a=zeros(3)).shape == (3,)
    with pytest.raises(ks.Never, match=r"`xs\[1\]`"):
        f(zeros(3), zeros(4))
    with pytest.raises(ks.Never, match="`b`"):
        f(zeros(3), a=zeros(3), b=zeros(4))
    with pytest.raises(ks.Never, match=r"`xs\[0\]` is None"):
        f(None)


def test_a_size_that_is_an_argument():
    @ks.checked
    def full(size: int, extra: Optional[int] = None) -> Annotated[Array, T("f32[size + extra]")]:
        return zeros(5)

    assert full(3, 2).shape == full(np.int64(2)).shape == (5,)
    with pytest.raises(ks.Never, match="size = 3"):
        full(3, 3)
    with pytest.raises(ks.Never, match="`size` is -1, and a size is expected"):
        full(-1)
    with pytest.raises(ks.Never, match="`size` is a float"):
        full(2.5)

    @ks.checked("[s] (n)->(n//s)")
    def strided(x, s=2):
        return x[::s]

    assert strided(zeros(6)).shape == (3,)
    assert strided(zeros(6), 3).shape == (2,)
    with pytest.raises(ks.Never):
        strided(zeros(5), 2)


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("{f32,f64}[n]", [zeros(3), zeros(3, dtype="f8")], [zeros(3, dtype="i8"), zeros(2, 3)]),
        ("?[n]", [zeros(3), zeros(3, dtype="i8")], [zeros(2, 3)]),
        ("f32[n] where n >= 2", [zeros(3)], [zeros(1)]),
        ("f32[n?]", [zeros(3), zeros()], [zeros(2, 3)]),
        ("f32[n|1, n]", [zeros(1, 3), zeros(3, 3)], [zeros(2, 3)]),
        ("Float[n]", [zeros(3), zeros(3, dtype="f2")], [zeros(3, dtype="i8")]),
        ("t[n] where t: Float", [zeros(3, dtype="f8")], [zeros(3, dtype="i4")]),
        ("f32[.2., n]", [zeros(2, 3, 4)], [zeros(3, 4)]),
        ("f32[..., d]", [zeros(3), zeros(2, 3)], [zeros()]),
        ("f32[...r, d] where prod(...r) == 6", [zeros(2, 3, 9)], [zeros(2, 2, 9)]),
        ("f32[... , 2] where prod(...) == 6", [zeros(2, 3, 2)], [zeros(2, 2, 2)]),
        ("float32[ n, 2*n ]", [zeros(3, 6)], [zeros(3, 5)]),
        ("Tensor[(2, n), float32]", [zeros(2, 3)], [zeros(3, 3)]),
        ("(2, n)", [zeros(2, 3), zeros(2, 3, dtype="i8")], [zeros(3, 3)]),
        ("f32[3, ?]", [zeros(3, 5)], [zeros(4, 5)]),
        ("f32[min(a, b), a, b]", [zeros(2, 2, 3)], [zeros(3, 2, 3)]),
        ("f32[]", [zeros(), np.float32(1)], [1.0, zeros(1)]),
    ],
)
def test_what_a_type_may_say(text, good, bad):
    def f(x):
        return x

    f.__annotations__ = {"x": Annotated[Array, T(text)]}
    f = ks.checked(f)
    for value in good:
        f(value)
        assert isinstance(value, T(text))
    for value in bad:
        assert not isinstance(value, T(text))
        with pytest.raises(ks.Never):
            f(value)


@pytest.mark.parametrize("text", ["", "f32", "f32 n", "n d", "f32[n", "flaot32[n]", "f32[..., ...]", "f32[n] where", "i64[2] = [1, 2]"])
def test_what_is_no_type_is_an_error_where_it_is_written(text):
    with pytest.raises(ks.Error):
        T(text)


def test_dims_that_are_not_shared():
    @ks.checked
    def f(x: Annotated[Array, T("f32[..., d]")], y: Annotated[Array, T("f32[..., d]")]) -> Annotated[Array, T("f32[...]")]:
        return zeros(9, 9)

    f(zeros(2, 3), zeros(3))
    with pytest.raises(ks.Never):
        f(zeros(2, 3), zeros(4))

    @ks.checked
    def g(x: Annotated[Array, T("?[?]")], y: Annotated[Array, T("?[?]")]): ...

    g(zeros(2), zeros(3, dtype="f8"))

    @ks.checked
    def two(x: Annotated[Array, T("f32[...a]")], y: Annotated[Array, T("f32[...b]")]) -> Annotated[Array, T("f32[prod(...a), prod(...b)]")]:
        return np.outer(x, y)

    two(zeros(2, 3), zeros(4))
    with pytest.raises(ks.Never, match=r"\.\.\.a = \(2, 3\)"):
        ks.checked(_swapped(two.__wrapped__))(zeros(2, 3), zeros(4))


def _swapped(function):
    def swapped(x, y):
        return function(y, x)

    swapped.__annotations__ = function.__annotations__
    return swapped


def test_generators():
    closed = []

    @ks.checked
    def f(x: N, ys: Iterator[N]) -> Generator[N, N, N]:
        try:
            for y in ys:
                sent = yield y
                if sent is not None:
                    yield sent
        finally:
            closed.append(True)
        return x[:1]

    with pytest.raises(ks.Never):
        f(zeros(3, 3), iter(()))
    assert [y.shape for y in _all(f(zeros(1), iter([zeros(1)] * 2)))] == [(1,), (1,)]
    with pytest.raises(ks.Never, match="`ys` gives"):
        next(f(zeros(3), iter([zeros(4)])))
    with pytest.raises(ks.Never, match="the result"):
        _all(f(zeros(3), iter([zeros(3)])))
    gen = f(zeros(3), iter([zeros(3)]))
    next(gen)
    with pytest.raises(ks.Never, match="what is sent"):
        gen.send(zeros(4))
    closed.clear()
    gen = f(zeros(3), iter([zeros(3)]))
    next(gen)
    gen.close()
    assert closed

    @ks.checked
    def g(x: N) -> Iterator[N]:
        yield x
        yield x[:1]

    gen = g(zeros(3))
    next(gen)
    with pytest.raises(ks.Never, match=r"g\(\): .*what it yields"):
        next(gen)
    with pytest.raises(TypeError, match="Iterator"):

        @ks.checked
        def wrong(x: N) -> N:
            yield x


def _all(gen):
    return list(gen)


def test_async():
    @ks.checked
    async def f(x: N, n: int = 1) -> Optional[N]:
        return x[:n]

    assert asyncio.run(f(zeros(1))).shape == (1,)
    with pytest.raises(ks.Never):
        asyncio.run(f(zeros(3)))

    @ks.checked
    async def g(x: N) -> AsyncIterator[N]:
        yield x
        yield x[:2]

    async def read(x):
        return [y.shape async for y in g(x)]

    assert asyncio.run(read(zeros(2))) == [(2,), (2,)]
    with pytest.raises(ks.Never, match="what it yields"):
        asyncio.run(read(zeros(3)))


def test_isinstance_is_about_the_names_of_the_call():
    @ks.checked
    def f(x: N, other: Any):
        assert [isinstance(x[:1], T("f32[n]")) for _ in range(1)] == [len(x) == 1]
        return isinstance(other, T("f32[n]")), isinstance(other, T("f32[k]")), isinstance(x, T("f32[k]"))

    assert f(zeros(3), zeros(3)) == (True, True, True)
    # The first that `k` is holds for the rest of the call.
    assert f(zeros(3), zeros(4)) == (False, True, False)
    assert f(zeros(3), None) == (False, False, True)

    def helper(y):
        return isinstance(y, T("f32[n]"))

    @ks.checked
    def g(x: N):
        return helper(x[:1])

    assert g(zeros(3))
    alias = isinstance

    @ks.checked
    def h(x: N):
        return alias(x[:1], T("f32[n]"))

    assert not h(zeros(3)) and h(zeros(1))

    @ks.checked
    def nested(x: N):
        return len(x) < 2 or nested(x[1:]) and isinstance(x, T("f32[n]"))

    assert nested(zeros(4))

    @ks.checked
    def gen(x: N) -> Iterator[bool]:
        yield isinstance(x[:1], T("f32[n]"))

    assert list(gen(zeros(3))) == [False]


def test_the_class_of_an_array():
    class Own(np.ndarray): ...

    @ks.checked
    def f(x: Annotated[Own, T("f32[n]")]) -> Annotated[Own, T("f32[n]")]:
        return np.asarray(x) if isinstance(x, Own) and len(x) == 4 else x

    assert f(zeros(3).view(Own)).shape == (3,)
    assert f(ks.Type("f32[3]")) == ks.Type("f32[3]")
    with pytest.raises(ks.Never, match=r"`x` is a ndarray, and an? .*Own is expected"):
        f(zeros(3))
    with pytest.raises(ks.Never, match="the result is a ndarray"):
        f(zeros(4).view(Own))


def test_classes():
    @ks.checked
    @dataclasses.dataclass
    class D:
        x: N
        y: Annotated[Array, T("f32[n]")] = None
        z: list[N] = dataclasses.field(default_factory=list)
        w: dataclasses.InitVar[N] = None

        def __post_init__(self, w):
            if w is not None:
                self.z.append(w[:1])

    assert D(zeros(3), zeros(3)).x.shape == (3,) and D(zeros(3)).y is None
    for args in ((zeros(3), zeros(4)), (zeros(3, 3),), (zeros(3), None, [zeros(4)]), (zeros(3), None, [], zeros(4)), (None,)):
        with pytest.raises(ks.Never, match=r"D\(\): "):
            D(*args)
    with pytest.raises(ks.Never):
        D(zeros(3), w=zeros(3))

    @ks.checked
    class P(NamedTuple):
        x: N
        y: Optional[N] = None

    assert P(zeros(3)).y is None and P._make([zeros(3), zeros(3)])._replace(x=zeros(3)).y.shape == (3,)
    for make in (lambda: P(zeros(3), zeros(4)), lambda: P._make([zeros(3), zeros(4)]), lambda: P(zeros(3), zeros(3))._replace(y=zeros(4))):
        with pytest.raises(ks.Never):
            make()

    @ks.checked
    class C:
        def __init__(self, x: N, y: N):
            self.x = x

    assert C(zeros(3), zeros(3)).x.shape == (3,)
    with pytest.raises(ks.Never):
        C(zeros(3), zeros(4))
    with pytest.raises(TypeError):

        @ks.checked
        class Empty: ...


class Methods:
    w = zeros(3, 4)

    @ks.checked
    def method(self, x: N) -> N:
        return x[:2]

    @ks.checked
    @classmethod
    def of_class(cls, x: N) -> N:
        return x[:2]

    @ks.checked
    @staticmethod
    def static(x: N) -> N:
        return x[:2]

    @ks.checked
    @property
    def prop(self) -> Annotated[Array, T("f32[3, 4]")]:
        return self.w[:2]

    @ks.checked("(n)->(n)")
    def by_signature(this, x):
        return x[:2]

    @staticmethod
    @ks.checked("(n)->(n)")
    def static_by_signature(x):
        return x[:2]


def test_methods():
    own = Methods()
    for method in (own.method, own.of_class, Methods.of_class, own.static, Methods.static, own.by_signature, own.static_by_signature):
        assert method(zeros(2)).shape == (2,)
        with pytest.raises(ks.Never):
            method(zeros(3))
        with pytest.raises(ks.Never):
            method(zeros(2, 2))
    with pytest.raises(ks.Never):
        own.prop


def test_types_of_which_one_name_means_two_things_are_an_error():
    def f(x: Annotated[Array, T("n[2]")], y: Annotated[Array, T("f32[n]")]): ...

    with pytest.raises(ks.Error):
        ks.checked(f)


def test_many_members_cost_no_more_than_they_are():
    @ks.checked
    def f(xs: list[N], ys: list[Annotated[Array, T("f32[?, 2]")]]): ...

    f([zeros(3)] * 2000, [zeros(i, 2) for i in range(200)])
    with pytest.raises(ks.Never, match=r"`xs\[1999\]`"):
        f([zeros(3)] * 1999 + [zeros(2)], [])


def test_choices_that_are_too_many_are_undecided():
    @ks.checked
    def f(xs: list[Union[Annotated[Array, T("f32[n, 2]")], Annotated[Array, T("f32[2, n]")]]]): ...

    f([zeros(2, 2)] * 30)
    f([zeros(5, 2), zeros(2, 5)])
    with pytest.raises(ks.Never):
        f([zeros(5, 2), zeros(2, 6)])
    own = [Annotated[Array, T(f"f32[n{i}, m{i}, 2]")] | Annotated[Array, T(f"f32[2, n{i}, m{i}]")] for i in range(12)]

    def g(*xs): ...

    g.__annotations__ = {"xs": Union[Annotated[Array, T("f32[a, b]")], Annotated[Array, T("f32[b, a]")]]}
    with pytest.raises(ks.Undecided):
        ks.checked(g)(*(zeros(i + 2, 2 * i + 3) for i in range(12)))
    assert own
