"""Operators of PyTensor from signatures."""

import functools
import pickle
import random

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.graph.op import Op
from pytensor.graph.replace import vectorize_graph
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


# ---------------------------------------------------------------------- memory

PY = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")
MODES = pytest.mark.parametrize("mode", [PY, "FAST_RUN", "CVM"], ids=["py", "FAST_RUN", "CVM"])
TABLE = np.arange(3.0)

VIEWS = {
    "transpose": ("(m,n)->(n,m)", np.transpose),
    "itself": ("(m,n)->(m,n)", lambda a: a),
    "asarray": ("(m,n)->(m,n)", np.asarray),
    "reshape": ("(m,n)->(m*n)", lambda a: a.reshape(-1)),
    "slice": ("(m,n)->((m + 1)//2,n)", lambda a: a[::2]),
    "diagonal": ("(n,n)->(n)", lambda a: np.lib.stride_tricks.as_strided(a, (len(a),), (sum(a.strides),))),
    "spread": ("(m,n)->(2,m,n)", lambda a: np.broadcast_to(a, (2, *a.shape))),
    "subclass": ("(m,n)->(m,n)", np.asmatrix),
    "buffer": ("(m,n)->(m,n)", lambda a: np.ndarray(a.shape, a.dtype, memoryview(a))),
}


@MODES
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::PendingDeprecationWarning")
def test_a_view_of_an_input_is_not_overwritten(name, mode):
    text, function = VIEWS[name]
    own = ks.pytensor.op(text, function, name=name)
    x = pt.matrix("x", dtype="float64")
    a = pt.dot(x, x)
    value = np.array([[0.0, 1.0], [2.0, 3.0]])
    expected = np.array(function(value @ value))
    # The exponential function is free to write into what it is of.
    result = pytensor.function([x], [own(a), pt.exp(a)], mode=mode)(value)[0]
    np.testing.assert_array_equal(result, expected)
    shared = pytensor.shared(value.copy())
    before = np.array(function(value))
    step = pytensor.function([], own(shared), updates={shared: shared + 1}, mode=mode)
    np.testing.assert_array_equal(step(), before)
    kept = step()
    step()
    np.testing.assert_array_equal(kept, np.array(function(value + 1)))


@MODES
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_a_function_keeps_and_what_it_gives_twice_is_not_overwritten(mode):
    cache = {}

    def remembered(a):
        return cache.setdefault(a.shape, np.zeros(a.shape))

    x = pt.vector("x", dtype="float64")
    table = ks.pytensor.op("(n)->(3)", lambda a: TABLE, name="table")
    part = ks.pytensor.op("(n)->(2)", lambda a: TABLE[1:], name="part")
    own = ks.pytensor.op("(n)->(n)", remembered)
    twice = ks.pytensor.op("(n)->(n),(n)", lambda a: (lambda b: (b, b[:]))(a + 1), name="twice")
    value = np.array([1.0, 2.0])
    for _ in range(2):
        for one in (table, part, own):
            pytensor.function([x], pt.exp(one(x)), mode=mode)(value)
            # The result of the function itself is the user's, who may write into it.
            pytensor.function([x], one(x), mode=mode)(value)[...] = 7
        first, second = pytensor.function([x], [pt.exp(twice(x)[0]), twice(x)[1]], mode=mode)(value)
        np.testing.assert_array_equal(second, value + 1)
        np.testing.assert_array_equal(first, np.exp(value + 1))
    np.testing.assert_array_equal(TABLE, [0, 1, 2])
    np.testing.assert_array_equal(cache[2,], [0, 0])


def test_what_is_made_for_the_result_is_not_copied():
    made = []

    def doubled(a):
        result = a * 2
        made.append(result.__array_interface__["data"][0])
        return result

    def turned(a):
        result = (a * 2).T
        made.append(result.__array_interface__["data"][0])
        return result

    x = pt.matrix("x", dtype="float64")
    for function in (doubled, turned):
        result = run([pytensor.In(x, borrow=True)], pytensor.Out(ks.pytensor.op("(n,n)->(n,n)", function)(x), borrow=True))(np.ones((3, 3)))
        assert result.__array_interface__["data"][0] == made[-1]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_debug_mode_finds_nothing():
    x = pt.matrix("x", dtype="float64")
    transposed = ks.pytensor.op("(m,n)->(n,m)", np.transpose)
    told = ks.pytensor.op("(m,n)->(n,m)", np.transpose, view_map={0: [0]})
    for own in (transposed, told):
        np.testing.assert_array_equal(pytensor.function([x], own(x) + 1, mode="DebugMode")(np.eye(2)), np.eye(2) + 1)


@MODES
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_views_and_writes_that_pytensor_is_told_of(mode):
    x = pt.matrix("x", dtype="float64")
    told = ks.pytensor.op("(m,n)->(n,m)", np.transpose, view_map={0: [0]})
    assert told.view_map == {0: [0]} and told != ks.pytensor.op("(m,n)->(n,m)", np.transpose)
    a = pt.dot(x, x)
    value = np.array([[0.0, 1.0], [2.0, 3.0]])
    np.testing.assert_array_equal(pytensor.function([x], [told(a), pt.exp(a)], mode=mode)(value)[0], (value @ value).T)

    def added(a):
        a += 1
        return a

    for own in (ks.pytensor.op("(m,n)->(m,n)", added, inplace=True), ks.pytensor.op("(m,n)->(m,n)", added, destroy_map={0: [0]})):
        assert own.destroy_map == {0: [0]}
        first, second = pytensor.function([x], [own(a), pt.exp(a)], mode=mode, accept_inplace=True)(value)
        np.testing.assert_array_equal(first, value @ value + 1)
        np.testing.assert_array_equal(second, np.exp(value @ value))
        # A member of a batch may be that of others as well, and is copied.
        batch = pt.tensor("batch", shape=(3, 2, 2), dtype="float64")
        three = np.stack([value] * 3)
        np.testing.assert_array_equal(pytensor.function([batch], vectorize_graph(own(x), {x: batch}), mode=mode)(three), three + 1)
        np.testing.assert_array_equal(three[0], value)


def test_a_function_that_writes_into_its_input_says_so():
    def sorted_in_place(a):
        a.sort()
        return a

    x = matrix(None)
    with pytest.raises(ValueError, match="read-only"):
        run([x], ks.pytensor.op("(n)->(n)", sorted_in_place)(x))(np.array([2.0, 1.0]))
    own = ks.pytensor.op("(n)->(n)", sorted_in_place, inplace=True)
    a = x + 1
    assert run([x], own(a), accept_inplace=True)(np.array([2.0, 1.0])).tolist() == [2, 3]
    with pytest.raises(ValueError, match="no such output or input"):
        ks.pytensor.op("(n)->(n)", sorted_in_place, view_map={0: [1]})
    with pytest.raises(ValueError, match="destroy_map"):
        ks.pytensor.op("(n)->(n)", sorted_in_place, view_map={0: [0]}, inplace=True)


# ---------------------------------------------------------------------- batches of any signature


def many(*shapes):
    return [(matrix(*shape), np.arange(1.0, 1 + np.prod(shape, dtype=int)).reshape(shape)) for shape in shapes]


# A signature, a function, shapes of one call, what NumPy reads of the signature, and the shape of the result.
BATCHED = [
    ("(n,n)->(n):i64", lambda a: a.argmax(0), [(3, 3)], "(n,n)->(n)", (3,)),
    ("(...,n)->(...,1)", lambda a: a.sum(-1, keepdims=True), [(4, 3)], "(n)->(d0)", (4, 1)),
    ("(a),(b)->(a+b)", lambda a, b: np.concatenate([a, b]), [(4,), (3,)], "(a),(b)->(d0)", (7,)),
    ("(n),(k)->(n + k - 1)", np.convolve, [(4,), (3,)], "(n),(k)->(d0)", (6,)),
    ("(m,n)->(min(m,n))", np.diagonal, [(4, 3)], "(m,n)->(d0)", (3,)),
    ("(m,n)->(m,min(m,n)),(min(m,n),n)", lambda a: tuple(np.linalg.qr(a)), [(4, 3)], "(m,n)->(m,d0),(d0,n)", (4, 3)),
    ("(n)->(n) where n >= 2", np.sort, [(3,)], "(n)->(n)", (3,)),
    ("(2,n)->(n)", lambda a: a[0] + a[1], [(2, 3)], "(d0,n)->(n)", (3,)),
    ("(n)->(2*n)", lambda a: np.concatenate([a, a]), [(3,)], "(n)->(d0)", (6,)),
    ("(n|1),(n)->(n)", lambda a, b: a + b, [(1,), (3,)], "(d0),(n)->(n)", (3,)),
    ("(m?,n),(n)->(m?)", lambda a, b: a @ b, [(2, 3), (3,)], "(m,n),(n)->(m)", (2,)),
    ("(m?,n),(n)->(m?)", lambda a, b: a @ b, [(3,), (3,)], "(m,n),(n)->(m)", ()),
    ("(.k.)->(k):i64", lambda a: np.array(a.shape), [(2, 3)], None, (2,)),
    ("[s] (h)->(h//s)", lambda a: a[1::2], [(4,)], "(h)->(d0)", (2,)),
    ("=(n),(n)->()", lambda a, b: (a * b).sum(-1), [(4,), (4,)], "(n),(n)->()", ()),
    ("+2(n),(n)->()", lambda a, b: (a * b).sum(-1), [(4,), (4,)], "(n),(n)->()", ()),
    ("+(n),(n)->()", lambda a, b: (a * b).sum(-1), [(4,), (4,)], "(n),(n)->()", ()),
    ("t[m,n]->t[n]", lambda a: a.sum(0), [(4, 3)], "(m,n)->(n)", (3,)),
    ("()->(3)", lambda a: np.array([a, a, a]), [()], "()->(d0)", (3,)),
    ("(n),(d0)->(n*d0)", lambda a, b: np.outer(a, b).reshape(-1), [(2,), (3,)], "(n),(d0)->(d1)", (6,)),
]


@pytest.mark.parametrize(("text", "function", "shapes", "reduced", "shape"), BATCHED, ids=[f"{row[0]} {row[2]}" for row in BATCHED])
def test_any_signature_is_batched(text, function, shapes, reduced, shape):
    own = ks.pytensor.op(text, function, name="own", params={"s": 2} if text.startswith("[s]") else None)
    assert getattr(own, "gufunc_signature", None) == reduced
    operands = many(*shapes)
    out = own(*(variable for variable, _ in operands))
    out = out[0] if isinstance(out, list) else out
    assert out.type.shape == shape
    batch = [matrix(7, *one) for one in shapes]
    values = [np.stack([value + i for i in range(7)]) for _, value in operands]
    vectorized = vectorize_graph(out, {variable: many for (variable, _), many in zip(operands, batch, strict=True)})
    assert vectorized.type.shape == (7, *shape)
    results = run(batch, vectorized)(*values)
    for i in range(7):
        one = function(*(value[i] for value in values))
        np.testing.assert_allclose(results[i], one[0] if isinstance(one, tuple) else one)
    # A batch of which only the first input has several.
    first, *others = operands
    once = vectorize_graph(out, {first[0]: batch[0]})
    assert once.type.shape == (7, *shape)
    results = run([batch[0], *(variable for variable, _ in others)], once)(values[0], *(value for _, value in others))
    one = function(values[0][6], *(value for _, value in others))
    np.testing.assert_allclose(results[6], one[0] if isinstance(one, tuple) else one)
    if reduced is not None and text.count("?") == 0:
        blocked = Blockwise(own)(*batch)
        blocked = blocked[0] if isinstance(blocked, list) else blocked
        assert blocked.type.shape == (7, *shape)


def test_batches_within_batches():
    batched = ks.pytensor.op("+(m,n),(n,p)->(m,p)", np.matmul)
    x, y = matrix(7, None, 3), matrix(3, 4)
    out = batched(x, y)
    more = matrix(5, 3, 4)
    vectorized = vectorize_graph(out, {y: more})
    assert vectorized.type.shape == (5, 7, None, 4)
    a, b = np.random.default_rng(0).normal(size=(7, 2, 3)), np.random.default_rng(1).normal(size=(5, 3, 4))
    np.testing.assert_allclose(run([x, more], vectorized)(a, b), a @ b[:, None])


def test_one_member_at_a_time():
    dot = ks.pytensor.op("+(n),(n)->()", lambda a, b: np.asarray(a @ b), batched=False, name="dot")
    assert dot == ks.pytensor.op("+(n),(n)->()", dot.function, batched=False, name="dot")
    x, y = matrix(None, 1, None), matrix(None, None)
    function = run([x, y], dot(x, y))
    a, b = np.random.default_rng(0).normal(size=(2, 1, 3)), np.random.default_rng(1).normal(size=(4, 3))
    np.testing.assert_allclose(function(a, b), (a * b).sum(-1))
    assert function(np.zeros((0, 1, 3)), b).shape == (0, 4)
    for text, function, shapes, _, shape in BATCHED:
        if "?" in text or text.startswith("+2"):
            continue
        own = ks.pytensor.op(text, function, name="own", batched=False, params={"s": 2} if text.startswith("[s]") else None)
        operands = many(*shapes)
        out = own(*(variable for variable, _ in operands))
        out = out[0] if isinstance(out, list) else out
        assert run([v for v, _ in operands], out)(*(value for _, value in operands)).shape == shape
    with pytest.raises(ValueError, match="leaves open which dims are batch dims"):
        ks.pytensor.op("+(...,n)->(...,1)", np.sum, batched=False)
    unique = ks.pytensor.op("+(n)->(k)", np.unique, batched=False)
    with pytest.raises(ValueError, match="empty batch"):
        run([y], unique(y))(np.zeros((0, 3)))


# ---------------------------------------------------------------------- what a signature says holds when it runs


def valid(a, b):
    return np.convolve(a, b, "valid")


def test_conditions_hold_at_run_time():
    conv = ks.pytensor.op("(h),(k)->(h - k + 1) where h >= k, k >= 1", valid, name="conv")
    x, w = matrix(None), matrix(None)
    value, shape = run([x, w], conv(x, w)), run([x, w], conv(x, w).shape)
    assert value(np.ones(9), np.ones(3)).shape == (7,) and tuple(shape(np.ones(9), np.ones(3))) == (7,)
    for function in (value, shape):
        with pytest.raises(ks.Never, match="don't fit together"):
            function(np.ones(2), np.ones(5))
    half = ks.pytensor.op("(2*n)->(n)", lambda a: a[: len(a) // 2], name="half")
    for function in (run([x], half(x)), run([x], half(x).shape)):
        with pytest.raises(ks.Never, match="can't be 5"):
            function(np.ones(5))
    agree = ks.pytensor.op("(n),(n)->()", lambda a, b: a.sum() + b.sum(), name="agree")
    with pytest.raises(ks.Never, match="disagree about `n`") as refused:
        run([x, w], agree(x, w))(np.ones(3), np.ones(4))
    assert refused.value.code == "K0101" and refused.value.headline
    unchecked = ks.pytensor.op("(n),(n)->()", agree.function, name="agree", checked=False)
    assert run([x, w], unchecked(x, w))(np.ones(3), np.ones(4)) == 7


def test_the_node_is_named_where_it_fails():
    agree = ks.pytensor.op("(n),(n)->()", lambda a, b: a.sum() + b.sum(), name="agree")
    x, w = matrix(None), matrix(None)
    with pytest.raises(ks.Never) as refused:
        pytensor.function([x, w], agree(x, w), mode="DebugMode")(np.ones(3), np.ones(4))
    # PyTensor makes the error again of its text, to say more.
    assert refused.value.code == "K0101" and "disagree about `n`" in str(refused.value)
    assert pickle.loads(pickle.dumps(refused.value)).headline == refused.value.headline


def test_results_have_the_shape_that_the_signature_says():
    x = matrix(None)
    for function in (lambda a: a[:-1], lambda a: np.append(a, 1)):
        with pytest.raises(ks.Never, match="output 0"):
            run([x], ks.pytensor.op("(n)->(n)", function, name="wrong")(x))(np.ones(5))
    two = ks.pytensor.op("(n)->(n),(n)", lambda a: np.stack([a, a]), name="two")
    with pytest.raises(TypeError, match="2 outputs"):
        run([x], two(x))(np.ones(2))
    parts = ks.pytensor.op("(n)->(k),(k)", lambda a: (a[:1], a[:2]), name="parts")
    with pytest.raises(ks.Never, match="`k`"):
        run([x], parts(x))(np.ones(3))


def test_parameters():
    pool = ks.pytensor.op("[s] (h),(k)->((h - k)//s + 1)", lambda a, b: valid(a, b)[::2], params={"s": 2})
    assert pool(matrix(9), matrix(3)).type.shape == (4,)
    x = matrix(None)
    assert tuple(run([x], pool(x, np.ones(3)).shape)(np.ones(9))) == (4,)
    assert run([x], pool(x, np.ones(3)))(np.ones(9)).shape == (4,)
    with pytest.raises(ks.Never):
        run([x], ks.pytensor.op("[s] (h),(k)->((h - k)//s + 1)", valid, params={"s": 3})(x, np.ones(3)))(np.ones(9))
    with pytest.raises(ValueError, match="no parameter `t`"):
        ks.pytensor.op("[s] (h)->(h//s)", valid, params={"t": 1})


def test_no_shape_runs_an_op():
    """Every operator of sizes, and broadcasting, is a computation of PyTensor."""

    def never_run(*_):
        raise AssertionError("the op itself was run")

    cases = [
        ("+(m,n),(n,p)->(m,p)", [(1, 2, 3), (5, 3, 4)], (5, 2, 4)),
        ("+(),()->()", [(1,), (5,)], (5,)),
        ("+(),()->()", [(4, 1), (3,)], (4, 3)),
        ("+(),(),()->()", [(1,), (0,), (1,)], (0,)),
        ("(n)->(3*n - 1)", [(2,)], (5,)),
        ("(a),(b)->(a*b, a//b, a % b, ceil(a/b))", [(7,), (3,)], (21, 2, 1, 3)),
        ("(a),(b),(c)->(min(a,b,c), max(a,b,c))", [(7,), (3,), (5,)], (3, 7)),
        ("(d,...r)->(d,prod(...r))", [(2, 3, 4)], (2, 12)),
        ("(n)->(10 + (-n % 4))", [(9,)], (13,)),
    ]
    for text, shapes, expected in cases:
        variables = [matrix(*(None for _ in shape)) for shape in shapes]
        out = ks.pytensor.op(text, never_run)(*variables)
        assert tuple(run(variables, out.shape)(*map(np.zeros, shapes))) == expected, text
    variables = [matrix(None), matrix(None)]
    with pytest.raises(ks.Never):
        run(variables, ks.pytensor.op("+(),()->()", never_run)(*variables).shape)(np.ones(2), np.ones(5))


TEXTS = [
    "(m,n),(n,p)->(m,p)", "(a),(b)->(a+b)", "(h),(k)->((h - k)//2 + 1) where h >= k, k >= 1", "(m,n)->(m,min(m,n)),(min(m,n),n)",
    "(d,...r)->(d,prod(...r))", "(n)->(ceil(n/3))", "(2*n)->(n)", "(3*n,m)->(n,2*m)", "(m,n),(m,n)->(m*n)", "(a),(b),(c)->(max(a,b,c))",
    "(n)->(n%3)", "+(n),(n)->()", "+(m,n)->(n,m)", "+(),()->()", "(...,n)->(n,...)", "(a,b)->(b*(b+1)//2)", "(n|1),(n)->(n)", "=(a),(a)->()",
    "(m?,n),(n)->(m?)", "einsum: ...ij,jk->...ik", "(n+1),(n)->(n)",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_shapes_of_random_calls(text):
    """``infer_shape``, static shapes and values say what ``infer`` says of the sizes."""
    rng = random.Random(text)
    for _ in range(2):
        answer = ks._kanshape.sample(text, rng.randrange, dtypes=["float64"], max_dim=6, max_rank=4)
        values = [np.zeros(ty.shape) for ty in answer.inputs]
        try:
            wanted = [ty.shape for ty in ks.infer(text, *values).outputs]
        except ks.Several:
            continue
        variables = [matrix(*(size if rng.random() < 0.4 else None for size in value.shape)) for value in values]
        results = [np.zeros(shape) for shape in wanted]
        own = ks.pytensor.op(text, lambda *_, results=results: tuple(results) if len(results) > 1 else results[0], name="own")
        try:
            outputs = own(*variables)
        except ks.Several:
            continue
        outputs = outputs if isinstance(outputs, list) else [outputs]
        function = pytensor.function(variables, [*(v.shape for v in outputs), *outputs], mode=PY, on_unused_input="ignore")
        found = function(*values)
        assert [tuple(map(int, shape)) for shape in found[: len(outputs)]] == wanted
        assert [value.shape for value in found[len(outputs) :]] == wanted
        for output, shape in zip(outputs, wanted, strict=True):
            assert all(known in (None, size) for known, size in zip(output.type.shape, shape, strict=True))
