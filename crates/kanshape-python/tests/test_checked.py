"""Functions that are checked when they are called."""

import asyncio
import inspect
from typing import Annotated

import numpy as np
import pytest

import kanshape as ks

Array = np.ndarray


@ks.checked("(b,t,d),(d,h)->(b,t,h)")
def project(x, w, scale=1):
    """Projects."""
    return x @ w * np.float32(scale)


def zeros(*shape):
    return np.zeros(shape, "f4")


def test_what_fits_is_called():
    assert project(zeros(2, 3, 4), zeros(4, 5)).shape == (2, 3, 5)
    assert project(w=zeros(4, 5), x=zeros(2, 3, 4), scale=2).shape == (2, 3, 5)
    assert (project.__name__, project.__doc__) == ("project", "Projects.")


def test_arguments_that_do_not_fit():
    with pytest.raises(ks.Never, match=r"project\(\): `x` and `w` disagree about `d`"):
        project(zeros(2, 3, 4), zeros(5, 4))
    with pytest.raises(ks.Never):
        project(zeros(3, 4), zeros(4, 5))
    with pytest.raises(TypeError, match="missing"):
        project(zeros(2, 3, 4))


def test_results_that_do_not_fit():
    @ks.checked("(n),(n)->()")
    def dot(x, y):
        return x * y

    with pytest.raises(ks.Never) as never:
        dot(zeros(3), zeros(3))
    assert "outputs[0]" in {fact.slot for fact in never.value.facts}


def test_a_result_that_the_arguments_leave_open():
    @ks.checked("(n)->(k)")
    def unique(x):
        return np.unique(x)

    assert unique(zeros(3)).shape == (1,)

    @ks.checked("(n)->(k,k)")
    def pairs(x):
        return zeros(2, 3)

    with pytest.raises(ks.Never):
        pairs(zeros(3))


def test_several_results():
    @ks.checked("(m,n)->(m),(n)")
    def sums(x):
        return x.sum(1), x.sum(0)

    assert [s.shape for s in sums(zeros(2, 3))] == [(2,), (3,)]

    @ks.checked("(m,n)->(m),(n)")
    def swapped(x):
        return x.sum(0), x.sum(1)

    with pytest.raises(ks.Never):
        swapped(zeros(2, 3))


def test_parameters():
    @ks.checked("[s] (h),(k)->((h - k)//s + 1)", params={"s": 2})
    def conv(x, w):
        return zeros((len(x) - len(w)) // 2 + 1)

    assert conv(zeros(9), zeros(3)).shape == (4,)


def test_operators():
    @ks.checked("onnx::MatMul")
    def matmul(a, b):
        return np.matmul(a, b)

    assert matmul(zeros(2, 3), zeros(3, 4)).shape == (2, 4)
    with pytest.raises(ks.Never):
        matmul(zeros(2, 3), zeros(2, 3))


def test_annotations():
    @ks.checked
    def attend(
        mask: Annotated[Array, ks.T("bool[t, s]")],
        name: str,
        x: Annotated[Array, ks.T("f32[b, t]")],
        y: Annotated[Array, ks.T("f32[b, s]")],
    ) -> Annotated[Array, ks.T("f32[t, s]")]:
        assert name == "a"
        return x.T @ y

    mask = np.ones((3, 4), bool)
    assert attend(mask, "a", zeros(2, 3), zeros(2, 4)).shape == (3, 4)
    assert attend(y=zeros(2, 4), name="a", x=zeros(2, 3), mask=mask).shape == (3, 4)
    with pytest.raises(ks.Never):
        attend(mask, "a", zeros(2, 3), zeros(3, 4))
    with pytest.raises(ks.Never):
        attend(mask.astype("f4"), "a", zeros(2, 3), zeros(2, 4))


def test_annotations_of_results_and_of_arguments_alone():
    @ks.checked()
    def split(x: Annotated[Array, ks.T("f32[2*n]")]) -> tuple[Annotated[Array, ks.T("f32[n]")], int]:
        return x[::2], 1

    with pytest.raises(ks.Never):
        split(zeros(5))

    @ks.checked()
    def show(x: Annotated[Array, ks.T("f32[n, n]")]) -> str:
        return "square"

    assert show(zeros(2, 2)) == "square"
    with pytest.raises(ks.Never):
        show(zeros(2, 3))


def test_what_can_not_be_checked():
    with pytest.raises(TypeError, match="annotated"):
        ks.checked(lambda x: x)
    with pytest.raises(TypeError, match="2 inputs"):
        ks.checked("(n),(n)->()")(lambda x: x)
    with pytest.raises(ks.Error):
        ks.checked("(n->()")(lambda x: x)


def test_switched_off():
    def function(x):
        return x

    assert ks.checked("(n)->()", enabled=False)(function) is function


def test_a_coroutine_is_checked_when_it_is_done():
    @ks.checked("(n)->(n)")
    async def cut(x, by):
        return x[by:]

    assert inspect.iscoroutinefunction(cut)
    assert asyncio.run(cut(zeros(3), 0)).shape == (3,)
    with pytest.raises(ks.Never):
        asyncio.run(cut(zeros(3), 1))


class Layer:
    def __init__(self, w):
        self.w = w

    @ks.checked("(b,d),()->(b,h)")
    def forward(self, x, scale):
        return x @ self.w * scale

    @classmethod
    @ks.checked("(n)->(n)")
    def twice(cls, x):
        return np.concatenate([x, x])

    @staticmethod
    @ks.checked("(n)->(n)")
    def same(x):
        return x


def test_a_method_is_checked_without_its_object():
    layer = Layer(zeros(4, 5))
    assert layer.forward(zeros(2, 4), zeros()).shape == (2, 5)
    assert layer.forward(scale=zeros(), x=zeros(2, 4)).shape == (2, 5)
    assert Layer.forward(layer, zeros(2, 4), scale=zeros()).shape == (2, 5)
    with pytest.raises(ks.Never):
        layer.forward(zeros(2, 3, 4), zeros())
    with pytest.raises(ks.Never):
        Layer.twice(zeros(3))
    assert layer.same(zeros(3)).shape == (3,)
    with pytest.raises(TypeError, match="takes 1 arguments"):

        class Short:
            @ks.checked("(n),(n)->()")
            def one(self, x): ...


@ks.checked
def attend(
    q: Annotated[Array, ks.T("f32[b,h,t,d]")],
    k: Annotated[Array, ks.T("f32[b,h,s,d]")],
    v: Annotated[Array, ks.T("f32[b,h,s,e]")],
) -> Annotated[Array, ks.T("f32[b,h,t,e]")]:
    return np.einsum("bhts,bhse->bhte", np.einsum("bhtd,bhsd->bhts", q, k), v)


def text_of(call):
    with pytest.raises(ks.Never) as never:
        call()
    return str(never.value)


def test_errors_name_function_arguments_types_sizes_and_a_repair():
    assert (
        text_of(lambda: attend(zeros(2, 5, 4, 8), zeros(2, 4, 6, 8), zeros(2, 4, 6, 7)))
        == """\
error[K0101]: attend(): `q` and `k` disagree about `h`
 --> attend:1:7
  |
1 | f32[b,h,t,d], f32[b,h,s,d], f32[b,h,s,e] -> f32[b,h,t,e]
  |       ^ `q` makes `h` 5
  |                     - `k` makes `h` 4
  |
  = `q` is f32[2, 5, 4, 8], and f32[b,h,t,d] is expected
  = `k` is f32[2, 4, 6, 8], and f32[b,h,s,d] is expected
  = with b = 2, h = 5, t = 4, d = 8
  = help: `q` would fit as f32[2, 4, 4, 8]
  = help: did you mean the transpose of `q`? f32[2, 4, 5, 8] fits"""
    )
    dtype = text_of(lambda: attend(zeros(2, 4, 5, 8), zeros(2, 4, 6, 8), zeros(2, 4, 6, 7).astype("f8")))
    assert "attend(): the dtype of `v` can't be f64" in dtype and "`v` would fit as f32[2, 4, 6, 7]" in dtype
    rank = text_of(lambda: attend(zeros(2, 4, 5, 8), zeros(4, 6, 8), zeros(2, 4, 6, 7)))
    assert "`k` can't have 3 dims" in rank and "f32[2, 4, 6, 8]" in rank
    assert text_of(lambda: attend(zeros(2, 4, 5, 8), [1.0], None)) == "error[K0101]: attend(): `k` is a list, and an array is expected: f32[b,h,s,d]"
    by_signature = text_of(lambda: project(zeros(2, 3, 4), zeros(5, 4)))
    for part in ("project(): `x` and `w` disagree about `d`", "`x` is f32[2, 3, 4]", "`w` is f32[5, 4]", "with b = 2, t = 3, d = 4", "help: "):
        assert part in by_signature, by_signature


def test_values_are_arrays():
    @ks.checked("(n),(n)->(n)")
    def add(x, y):
        return x

    for y in (None, "f32[3]", (3,), [1.0, 2.0, 3.0], 2.0, Array, object()):
        assert "add(): `y` is " in text_of(lambda: add(zeros(3), y))
    assert "the type of `y` is not known" in text_of(lambda: add(zeros(3), np.array([None] * 3)))
    assert add(ks.Type("f32[n]"), zeros(3)) == ks.Type("f32[n]")
    for result in (None, "f32[3]", 1.0, (zeros(3),), iter([1]), (x for x in [1])):
        assert "the result is " in text_of(lambda: ks.checked("(n)->(n)")(lambda x: result)(zeros(3)))

    @ks.checked("(n)->(n),(n)")
    def two(x, result):
        return result

    assert len(two(zeros(3), [zeros(3)] * 2)) == 2
    for result in ((zeros(3),) * 3, zeros(2, 3), (zeros(3), None)):
        assert "the result" in text_of(lambda: two(zeros(3), result))


def test_an_optional_input_and_several():
    @ks.checked("(n),(n)->(n)")
    def add(x, y=None):
        return x

    assert add(zeros(3)).shape == (3,)
    assert "`y`" in text_of(lambda: add(zeros(3), zeros(4)))

    @ks.checked("(n),(n)->(n)")
    def each(*xs):
        return xs[0]

    assert each(zeros(3), zeros(3)).shape == (3,)
    assert "`xs[1]`" in text_of(lambda: each(zeros(3), zeros(4)))
    assert "3 arrays are given" in text_of(lambda: each(*[zeros(3)] * 3))

    @ks.checked("onnx::Conv")
    def conv(x, w, b=None):
        return zeros(1, 4, 6, 6)

    conv(zeros(1, 3, 8, 8), zeros(4, 3, 3, 3))
    assert "conv(): " in text_of(lambda: conv(zeros(1, 3, 8, 8), zeros(4, 3, 3, 3), zeros(5)))
