"""Graphs of PyTensor, typed in both directions."""

import doctest

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.builders import OpFromGraph
from pytensor.tensor import linalg
from pytensor.tensor.random.basic import multivariate_normal, normal

import kanshape as ks
import kanshape.pytensor

PY = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")
matmul = ks.pytensor.op("(m,n),(n,p)->(m,p)", np.matmul)


def matrix(*shape, dtype="float64", name=None):
    return pt.tensor(name, shape=shape, dtype=dtype)


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


class Odd(pytensor.graph.op.Op):
    """An operator that nothing is known of."""

    def make_node(self, x):
        return pytensor.graph.basic.Apply(self, [x], [pt.vector(dtype="float64")])

    def perform(self, node, inputs, outputs):
        raise NotImplementedError


def test_operators_without_a_rule_are_told():
    x = matrix(None, 3, name="x")
    report = ks.pytensor.check(Odd()(x) + pt.ones(2))
    assert [type(node.op).__name__ for node in report.untyped] == ["Odd"]
    assert "not checked, for lack of a rule: 1 Odd" in repr(report)
    assert "not checked" not in repr(ks.pytensor.check(x + 1))


def test_a_report_says_what_there_is():
    x = matrix(None, None, name="x")
    report = ks.pytensor.check([matmul(x, matrix(3, 4)), matmul(x, matrix(5, 4))])
    assert str(report).splitlines() == [
        "2 nodes, 1 error",
        "error at matmul of `x`: the two inputs disagree about `n`",
        *[line for line in str(report).splitlines() if line.startswith("more is known")],
    ]
    assert report.nodes == 2


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


def test_types_have_the_dtypes_that_there_are():
    x, y = matrix(2, None, dtype="int32", name="x"), matrix(None, dtype="bool", name="y")
    types = ks.pytensor.check([pt.switch(y, x, x), x.sum(0)]).types
    assert (types[x].dtype, types[y].dtype) == ("int32", "bool")
    assert types[x].shape[1] == types[y].shape[0]


# ---------------------------------------------------------------------- dims that broadcast


def test_blockwise_broadcasts_what_is_known_to_be_1():
    q, k = matrix(None, 2, 3), matrix(5, 3, 4)
    out = pt.matmul(q, k)
    report = ks.pytensor.check(out)
    assert report.shapes[q] == (5, 2, 3) and report.where == []
    function = pytensor.function([q, k], out, mode=pytensor.compile.mode.Mode(linker="py", optimizer=None))
    assert function(np.ones((5, 2, 3)), np.ones((5, 3, 4))).shape == (5, 2, 4)
    with pytest.raises(ValueError, match="Runtime broadcasting"):
        function(np.ones((1, 2, 3)), np.ones((5, 3, 4)))
    one = matrix(1, 2, 3)
    assert ks.pytensor.check(pt.matmul(one, k)).shapes[one] == (1, 2, 3)
    a, b, c = matrix(None), matrix(5), matrix(1)
    assert ks.pytensor.check(a + b + c).shapes[a] == (5,)
    value = matrix(None)
    assert ks.pytensor.check(pt.alloc(value, 4, 6)).shapes[value] == (6,)


def test_blockwise_of_a_signature_keeps_its_arithmetic_and_its_conditions():
    conv = ks.pytensor.op("[s] (h),(k)->((h - k)//s + 1) where h >= k, k >= 1", np.convolve, params={"s": 2}, name="conv")
    x, w = matrix(7, 9), matrix(7, None)
    out = pytensor.tensor.blockwise.Blockwise(conv)(x, w)
    report = ks.pytensor.check(out + matrix(7, 4))
    assert report.untyped == [] and report.errors == []
    name = report.types[w].shape[1]
    assert any(str(name) in condition for condition in report.where)
    assert ks.pytensor.check(pytensor.tensor.blockwise.Blockwise(conv)(matrix(7, 9), matrix(7, 3))).errors == []
    wrong = pytensor.tensor.blockwise.Blockwise(ks.pytensor.op("(h),(k)->(h - k + 1) where h >= k", np.convolve))(matrix(7, None), matrix(7, 3))
    assert ks.pytensor.check([wrong, wrong + matrix(7, 4)]).shapes[wrong.owner.inputs[0]] == (7, 6)


def test_a_dim_that_is_dropped_is_1():
    x = matrix(None, None)
    assert ks.pytensor.check(pt.squeeze(x, axis=1)).shapes[x] == (None, 1)
    row = pt.squeeze(x, axis=0)
    assert ks.pytensor.check([row, x + matrix(2, 3)]).errors


# ---------------------------------------------------------------------- rules


def found(out):
    """The shape that is found of a result."""
    report = ks.pytensor.check(out)
    assert report.untyped == [] and report.errors == []
    return report.types[out].shape


def test_slices():
    x, n = matrix(None, name="x"), 10
    bounds = [None, 0, 1, 3, 20, -1, -3, -20]
    for start in bounds:
        for stop in bounds:
            for step in (None, 1, 2, 3, -1, -2):
                index = slice(start, stop, step)
                out = x[index]
                [size] = found(out)
                report = ks.pytensor.check(out)
                assert found(matrix(n)[index]) == (len(range(n)[index]),)
                if out is not x and isinstance(size, ks.Dim) and set(size.names) <= set(report.types[x].shape[0].names):
                    for length in (0, 1, 2, 5, n):
                        assert size.at(**{str(report.types[x].shape[0]): length}) == len(range(length)[index]), (index, length)


def test_sizes_that_a_graph_computes():
    x, y = matrix(None, 3, name="x"), matrix(None, None, name="y")
    out = pt.zeros((x.shape[0] + 1, y.shape[1])) + matrix(5, 7)
    report = ks.pytensor.check(out)
    assert report.shapes[x] == (4, 3) and report.shapes[y] == (None, 7)
    out = x.reshape((x.shape[1], -1))
    assert str(found(out)[0]) == "3"
    report = ks.pytensor.check(x.reshape((4, -1)) + matrix(4, 6))
    assert report.shapes[x] == (8, 3)
    report = ks.pytensor.check(pt.arange(y.shape[0]) + matrix(6))
    assert report.shapes[y] == (6, None)
    report = ks.pytensor.check(pt.concatenate([x, matrix(2, 3)]) + matrix(5, 1))
    assert report.shapes[x] == (3, 3)
    report = ks.pytensor.check(pt.specify_shape(y, (x.shape[0], 4)) + matrix(2, 1))
    assert report.shapes[y] == (2, 4) and report.shapes[x] == (2, 3)
    k = pt.scalar("k", dtype="int64")
    report = ks.pytensor.check([pt.zeros((k,)) + matrix(5), pt.ones((k, 2)) + y])
    assert report.shapes[y] == (5, 2)


def test_indices():
    x, i = matrix(None, 3, name="x"), matrix(None, dtype="int64", name="i")
    report = ks.pytensor.check(x[i] + matrix(4, 3))
    assert report.shapes[i] == (4,) and report.untyped == []
    report = ks.pytensor.check(x[3])
    assert report.where == [f"{report.types[x].shape[0]} >= 4"]
    short = matrix(None, 3)
    assert ks.pytensor.check([short[3], short + matrix(2, 3)]).errors
    report = ks.pytensor.check(pt.set_subtensor(x[:2], 0.0) + matrix(5, 3))
    assert report.shapes[x] == (5, 3)
    mask = matrix(None, dtype="bool", name="mask")
    report = ks.pytensor.check([x[mask], x + matrix(6, 3)])
    assert report.shapes[mask] == (6,)
    y = matrix(None, None, 5)
    assert found(y[:, pt.as_tensor([0, 1]), None, :2])[1:] == (2, 1, 2)


@pytest.mark.filterwarnings("ignore:.*RandomVariable.*:DeprecationWarning")
def test_linear_algebra_and_random_variables():
    c, x = matrix(None, None, name="c"), matrix(None, 5, name="x")
    out = linalg.solve_triangular(linalg.cholesky(c), x.T, lower=True)
    assert ks.pytensor.check(out).shapes[c] == (5, 5)
    q, r = linalg.qr(matrix(4, None), mode="reduced")
    assert ks.pytensor.check([q, r]).untyped == []
    mu, sigma, n = matrix(None, name="mu"), pt.scalar("sigma", dtype="float64"), matrix(7)
    out = normal(mu, sigma, size=(n.shape[0],)) + n
    assert ks.pytensor.check(out).errors == []
    cov = matrix(None, None, name="cov")
    report = ks.pytensor.check(multivariate_normal(mu, cov) + matrix(3))
    assert report.shapes[cov] == (3, 3) and report.untyped == []


def test_loops():
    h0, w, u, seq = matrix(None, 32), matrix(None, None), matrix(16, None), matrix(None, None, None)
    steps = pytensor.scan(lambda x, h, w, u: pt.tanh(h @ w + x @ u), sequences=[seq], outputs_info=[h0], non_sequences=[w, u], return_updates=False)
    report = ks.pytensor.check(steps[-1].sum())
    assert report.untyped == [] and report.errors == []
    assert report.shapes[w] == (32, 32) and report.shapes[u] == (16, 32) and report.shapes[seq] == (None, None, 16)
    states = pytensor.scan(lambda h, w: h @ w, outputs_info=[matrix(None, 4)], non_sequences=[w], n_steps=2, return_updates=False)
    errors = ks.pytensor.check([states, w + matrix(3, 1)]).errors
    assert errors and all(isinstance(error, ks.Never) for _, error in errors)


def test_graphs_within_nodes_have_sizes_of_their_own():
    a, b = matrix(None, None), matrix(None, None)
    product = OpFromGraph([a, b], [a @ b])
    x, y, z = matrix(2, None), matrix(None, 3), matrix(None, 4)
    report = ks.pytensor.check(product(product(x, y), z))
    assert report.shapes[z] == (3, 4) and report.errors == [] and report.untyped == []
    assert ks.pytensor.check(product(matrix(2, 3), matrix(4, 5))).errors
    deep = OpFromGraph([c := matrix(None)], [c * 2])
    for _ in range(30):
        deep = OpFromGraph([c := matrix(None)], [deep(c)])
    # What is nested deeper than that is reported as unchecked.
    assert len(ks.pytensor.check(deep(matrix(3))).untyped) == 1


def test_types_of_other_kinds_are_no_tensors():
    xtensor = pytest.importorskip("pytensor.xtensor")
    x, y = xtensor.xtensor("x", dims=("a", "b"), shape=(2, None)), xtensor.xtensor("y", dims=("b", "c"), shape=(3, None))
    assert len(ks.pytensor.check(x.dot(y)).untyped) == 1


# ---------------------------------------------------------------------- what is given, and what is said


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("mode", [PY, "FAST_RUN", "CVM"], ids=["py", "FAST_RUN", "CVM"])
def test_compiled_functions(mode):
    x, b, y = matrix(None, 3, name="x"), matrix(None, name="b"), matrix(100, name="y")
    function = pytensor.function([x, b, y], pt.sum(y * pt.log(pt.sigmoid(x @ b))), mode=mode)
    for given in (function, function.maker.fgraph):
        report = ks.pytensor.check(given)
        assert report.untyped == [] and report.errors == []
        assert sorted(report.shapes[v] for v in function.maker.fgraph.inputs) == [(3,), (100,), (100, 3)]


def test_what_is_no_graph():
    for wrong in (np.ones(3), 3, "x", lambda x: x, [matrix(2), 3], None):
        with pytest.raises(TypeError, match="a graph is given by"):
            ks.pytensor.check(wrong)


def test_errors_name_variables_and_where_sizes_come_from():
    a, w, v, u = matrix(None, None, name="A"), matrix(3, 4, name="W"), matrix(5, 4, name="V"), matrix(6, 1, name="u")
    report = ks.pytensor.check([a @ w, a.T @ v + 0 * u])
    [(node, error)] = report.errors
    assert isinstance(error, ks.Never)
    assert set(node.inputs) == {a, w}
    text = str(error)
    assert "`A`: f64[?, ?], `W`: f64[3, 4]" in text
    assert "from dim 1 of `A`, which Add of `A.T`, `V`, `u` requires" in text
    assert "`W` as input 1 is f64[3, 4]: its dim 0 is 3, as it was given" in text
    assert {fact.slot for fact in error.facts} == {"inputs[0]", "inputs[1]"}
    with pytensor.config.change_flags(traceback__limit=8):
        x = matrix(None, None, name="x")
        outputs = [matmul(x, w), x + matrix(1, 5)]
    # The node that comes last in PyTensor's order does not fit what the other one requires.
    [(node, error)] = ks.pytensor.check(outputs).errors
    assert node in {v.owner for v in outputs} and f"made at {__file__}:" in str(error)
    assert "from dim 1 of `x`, which " in str(error)


# ---------------------------------------------------------------------- real graphs


def kernel(a, b):
    return pt.exp(-0.5 * (pt.sum(a**2, 1)[:, None] + pt.sum(b**2, 1)[None, :] - 2 * a @ b.T))


def graphs():
    """Ordinary models, each with sizes that follow backwards."""
    x, y, b = matrix(None, 3), matrix(100, dtype="int64"), matrix(None)
    p = pt.sigmoid(x @ b)
    yield pt.sum(y * pt.log(p) + (1 - y) * pt.log1p(-p)), {x: (100, 3), b: (3,)}
    x, mu, c = matrix(None, 5), matrix(None), matrix(None, None)
    lower = linalg.cholesky(c)
    z = linalg.solve_triangular(lower, (x - mu).T, lower=True)
    yield -0.5 * pt.sum(z**2, 0) - pt.sum(pt.log(pt.diag(lower))) - x.shape[1] * 0.9, {c: (5, 5), mu: (5,)}
    x, new, y = matrix(None, 2), matrix(50, None), matrix(20)
    yield kernel(new, x) @ linalg.solve(kernel(x, x) + pt.eye(x.shape[0]) * 1e-6, y), {x: (20, 2), new: (50, 2)}
    w, b, v, x, t = matrix(784, None), matrix(64), matrix(None, 10), matrix(None, None), matrix(None, dtype="int64")
    soft = pt.special.softmax(pt.tanh(x @ w + b) @ v, axis=-1)
    loss = -pt.mean(pt.log(soft)[pt.arange(t.shape[0]), t])
    yield [loss, *pytensor.grad(loss, [w, b, v])], {w: (784, 64), v: (64, 10), x: (None, 784)}
    q, k, v = matrix(None, 8, None, 64), matrix(4, None, None, 64), matrix(None, 8, 128, None)
    weights = pt.special.softmax(pt.matmul(q, k.transpose(0, 1, 3, 2)) / 8, axis=-1)
    yield pt.matmul(weights, v), {q: (4, 8, None, 64), k: (4, 8, 128, 64), v: (4, 8, 128, None)}
    alpha, group, y = matrix(8), matrix(None, dtype="int64"), matrix(919)
    yield pt.sum((y - alpha[group]) ** 2), {group: (919,)}
    f, p, h, r, m, y = matrix(None, None), matrix(None, None), matrix(2, None), matrix(None, None), matrix(4), matrix(None)
    predicted = f @ p @ f.T
    gain = predicted @ h.T @ linalg.inv(h @ predicted @ h.T + r)
    yield [f @ m + gain @ (y - h @ (f @ m)), (pt.eye(4) - gain @ h) @ predicted], {f: (4, 4), p: (4, 4), h: (2, 4), r: (2, 2), y: (2,)}
    a, b = matrix(None, 3, None), matrix(7, None, 5)
    yield [pt.einsum("bij,bjk->bik", a, b), pt.tensordot(a, b, axes=[[1], [1]])], {a: (7, 3, 3), b: (7, 3, 5)}
    a, b = matrix(None, 3), matrix(2, None)
    joined = pt.concatenate([a, b], axis=0)
    yield [joined.reshape((-1,)), pt.stack([a, a]), pt.zeros((a.shape[0], 4)) + a[:, :1]], {b: (2, 3)}


@pytest.mark.parametrize("number", range(9))
def test_models(number):
    outputs, shapes = list(graphs())[number]
    report = ks.pytensor.check(outputs)
    assert report.untyped == [] and report.errors == []
    assert {variable: report.shapes[variable] for variable in shapes} == shapes


def test_the_examples_of_the_functions():
    for function in (ks.pytensor.op, ks.pytensor.check):
        names = {"op": ks.pytensor.op, "check": ks.pytensor.check}
        [test] = doctest.DocTestFinder(recurse=False).find(function, globs=names)
        result = doctest.DocTestRunner(verbose=False).run(test)
        assert result.attempted > 3 and result.failed == 0
