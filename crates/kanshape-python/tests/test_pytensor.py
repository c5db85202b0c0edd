"""Operators of PyTensor from signatures, and graphs of PyTensor."""

import functools

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.graph.op import Op
from pytensor.tensor.blockwise import Blockwise

import kanshape as ks
import kanshape.pytensor

# What is computed counts here, not how fast: nothing is compiled.
run = functools.partial(pytensor.function, mode=pytensor.compile.mode.Mode(linker="py", optimizer="fast_run"))
matmul = ks.pytensor.op("(m,n),(n,p)->(m,p)", np.matmul)


def matrix(*shape, dtype="float64"):
    return pt.tensor(shape=shape, dtype=dtype)


def test_an_op_is_an_op():
    assert isinstance(matmul, Op)
    assert str(matmul) == "matmul"
    assert matmul == ks.pytensor.op("(m,n),(n,p)->(m,p)", np.matmul)
    assert len({matmul, ks.pytensor.op("(m,n),(n,p)->(m,p)", np.matmul)}) == 1


def test_static_shapes():
    assert matmul(matrix(2, None), matrix(3, 4)).type.shape == (2, 4)
    assert matmul(matrix(None, 3), matrix(None, 4)).type.shape == (None, 4)
    assert matmul(matrix(2, 3, dtype="int32"), matrix(3, 4, dtype="int32")).type.dtype == "int32"
    with pytest.raises(ks.Never, match="disagree"):
        matmul(matrix(2, 3), matrix(4, 5))
    with pytest.raises(ks.Never):
        matmul(matrix(2, 3), matrix(3, 4, dtype="int32"))


def test_it_runs():
    x, y = matrix(None, None), matrix(None, 4)
    function = run([x, y], matmul(x, y))
    a, b = np.arange(6.0).reshape(2, 3), np.ones((3, 4))
    np.testing.assert_array_equal(function(a, b), a @ b)


def test_shapes_are_computed_from_shapes():
    conv = ks.pytensor.op("(h),(k)->((h - k)//2 + 1)", lambda x, w: 1 / 0, name="conv")
    x, w = matrix(None), matrix(None)
    shape = run([x, w], conv(x, w).shape)
    # The op itself is not run for it.
    assert tuple(shape(np.zeros(9), np.zeros(3))) == (4,)
    x, y = matrix(None, None), matrix(None, None)
    shape = run([x, y], matmul(x, y).shape)
    assert not any(node.op == matmul for node in shape.maker.fgraph.apply_nodes)
    assert tuple(shape(np.zeros((2, 3)), np.zeros((3, 5)))) == (2, 5)


def test_shapes_that_inputs_leave_open_are_those_of_the_result():
    unique = ks.pytensor.op("(n)->(k)", np.unique)
    x = matrix(None)
    shape = run([x], unique(x).shape)
    assert tuple(shape(np.array([1.0, 2.0, 1.0]))) == (2,)


def test_several_outputs():
    sums = ks.pytensor.op("(m,n)->(m),(n)", lambda x: (x.sum(1), x.sum(0)), name="sums")
    x = matrix(2, None)
    rows, columns = sums(x)
    assert (rows.type.shape, columns.type.shape) == ((2,), (None,))
    function = run([x], [rows, columns])
    assert [r.shape for r in function(np.ones((2, 3)))] == [(2,), (3,)]


def test_batches():
    batched = ks.pytensor.op("+(m,n),(n,p)->(m,p)", np.matmul)
    x, y = matrix(7, None, 3), matrix(3, 4)
    assert batched(x, y).type.shape == (7, None, 4)
    trace = ks.pytensor.op("+(n,n)->()", np.trace, batched=False)
    z = matrix(None, 5, 5)
    assert trace(z).type.shape == (None,)
    assert run([z], trace(z))(np.ones((2, 5, 5))).tolist() == [5, 5]


def test_blockwise_knows_the_core_dims():
    x, y = matrix(7, 2, 3), matrix(7, 3, 4)
    out = Blockwise(matmul)(x, y)
    assert out.type.shape == (7, 2, 4)
    assert run([x, y], out)(np.ones((7, 2, 3)), np.ones((7, 3, 4))).shape == (7, 2, 4)


def test_a_wrong_result_is_found():
    wrong = ks.pytensor.op("(n)->(n)", lambda x: x.astype("float32"), name="wrong")
    x = matrix(None)
    with pytest.raises(TypeError, match="float32"):
        run([x], wrong(x))(np.zeros(3))


def test_graphs_are_typed_backwards():
    x, y, z = matrix(None, None), matrix(3, 4), matrix(5, 4)
    out = pt.exp(matmul(x, y)) + z
    report = ks.pytensor.check(out)
    assert report.shapes[x] == (5, 3)
    assert report.errors == [] and report.untyped == []
    assert x in {weaker.variable for weaker in report.weaker}
    assert all(weaker.static != weaker.found for weaker in report.weaker)


def test_graphs_that_can_not_be():
    a = matrix(None, None)
    three_columns, four_rows = matmul(a, matrix(3, 5)), matmul(matrix(2, 4), a)
    report = ks.pytensor.check([three_columns, four_rows])
    assert report.shapes[a] == (4, 3) and not report.errors
    report = ks.pytensor.check([three_columns, four_rows, a + a.T])
    assert report.errors
    assert isinstance(report.errors[0][1], ks.Never)


def test_operators_without_a_signature_are_told():
    x = matrix(None, 3)
    assert [type(node.op).__name__ for node in ks.pytensor.check(x[:, :2]).untyped] != []


def test_what_is_known_goes_through_the_whole_graph():
    x, y = matrix(None, None), matrix(None, None)
    product = matmul(x, y)
    report = ks.pytensor.check([product, matmul(product, matrix(6, 2))])
    assert report.shapes[y] == (None, 6)
    # One name is one size.
    assert report.types[x].shape[1] == report.types[y].shape[0]
    assert report.where == []


def test_a_shape_that_pytensor_gives_and_a_signature_refuses():
    x = matrix(2, 3)
    out = matmul(x, matrix(None, None))
    out.type = out.type.clone(shape=(5, None))
    report = ks.pytensor.check(out)
    assert [node for node, _ in report.errors] == [out.owner]
    assert "5" in str(report.errors[0][1])
