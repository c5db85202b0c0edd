"""What a user gives by mistake, and what libraries give that is not quite what Python has."""

import copy
import decimal
import fractions
import pickle

import numpy as np
import pytest

import kanshape as ks

MATMUL = "(m,n),(n,p)->(m,p)"
TRANSPOSE = ks.Operator("onnx::Transpose")


@pytest.mark.parametrize("bound", ["budget", "limit", "max_rank", "max_dim"])
def test_a_bound_is_a_number_from_0_on(bound):
    solve = ks.Signature(MATMUL).solve
    with pytest.raises(ValueError, match="a number from 0 on is expected, and no -1"):
        solve(**{bound: -1})
    with pytest.raises(TypeError, match="a whole number is expected, and no str"):
        solve(**{bound: "1"})
    # A bound that is beyond all is none.
    assert next(solve(["f32[2, 3]", "f32[3, 4]"], **{bound: 2**70})).outputs[0].shape == (2, 4)


def test_versions_and_counts_are_numbers_from_0_on():
    with pytest.raises(ValueError, match="no -1"):
        ks.infer("onnx::Relu", "f32[3]", opset=-1)
    assert ks.infer("onnx::Relu", "f32[3]", opset=2**70).outputs[0] == ks.Type("f32[3]")
    with pytest.raises(ValueError, match="no -2"):
        TRANSPOSE.prepare(-2)
    with pytest.raises(ValueError, match="at most"):
        ks.Operator("onnx::Concat").prepare(10**10, attrs={"axis": 0})
    with pytest.raises(ValueError, match="no size"):
        ks.Dim("n").at(n=-1)
    with pytest.raises(TypeError, match="no str"):
        ks.Dim("n").at(n="2")


def test_the_version_of_an_operator_is_fixed():
    with pytest.raises(ValueError, match="version"):
        ks.infer(TRANSPOSE, "f32[2, 3]", opset=9)
    with pytest.raises(ValueError, match="version"):
        ks.infer(TRANSPOSE.prepare(1), "f32[2, 3]", opset=9)


def test_a_timeout_may_be_endless():
    matmul = ks.Signature(MATMUL)
    for timeout in (float("inf"), 1e300, 1e18):
        assert matmul.infer("f32[n, 3]", None, timeout=timeout).outputs[0].shape[0] == ks.Dim("n")
    for timeout in (-1, float("nan")):
        # Also where there is nothing to wait for.
        with pytest.raises(ValueError, match="timeout"):
            matmul.infer("f32[2, 3]", "f32[3, 4]", timeout=timeout)


def test_operands_are_a_list():
    matmul = ks.Signature(MATMUL)
    for operands in (np.zeros((2, 3)), "f32[2, 3]", ks.Type("f32[2, 3]"), {"f32[2, 3]": 0, "f32[3, 4]": 1}, 3):
        with pytest.raises(TypeError, match="operands are a list of types, and no"):
            matmul.solve(operands)
        with pytest.raises(TypeError, match="operands are a list of types, and no"):
            matmul.infer(None, None, outputs=operands)
    with pytest.raises(TypeError, match="operands are a list of types, and no str"):
        ks.find("f32[2, 3]", "f32[3, 2]")
    with pytest.raises(TypeError, match="a condition is a text"):
        matmul.infer("f32[n, 3]", "f32[3, 4]", where=3)
    with pytest.raises(TypeError, match="a condition is a text"):
        matmul.infer("f32[n, 3]", "f32[3, 4]", where=[3])


def test_a_shape_is_a_list():
    for shape in (3, "ab", 2.5):
        with pytest.raises(TypeError, match="a shape is a list of dims, or None, and no"):
            ks.Type("f32", shape)
    assert ks.Type("f32", np.array([2, 3])) == ks.Type("f32[2, 3]")
    assert ks.Type("f32", range(2)) == ks.Type("f32[0, 1]")


def test_operators_to_find_are_there():
    calls = ks.find(["f32[2, 3]"], "f32[3, 2]", ops="onnx::Transpose")
    assert [call.op for call in calls] == ["onnx::Transpose"]
    with pytest.raises(ks.Error, match="there is no operator `onnx::Nope`"):
        ks.find(["f32[2, 3]"], "f32[3, 2]", ops=["onnx::Nope"])
    assert {call.op.split("::")[0] for call in ks.find(["f32[2, 3]"], "f32[3, 2]", ops=["numpy"])} == {"numpy"}


def attr(op, name, value, *inputs):
    return ks.infer(op, *inputs, attrs={name: value})


def test_attributes_are_scalars_of_numpy_as_well():
    for perm in (np.array([1, 0]), [np.int64(1), np.uint8(0)], (1, 0), range(1, -1, -1), iter([1, 0])):
        assert attr("onnx::Transpose", "perm", perm, "f32[2, 3]").outputs[0].shape == (3, 2)
    for alpha in (np.float32(2), np.float16(2), np.array(2.0), 2.0, fractions.Fraction(2), decimal.Decimal(2)):
        assert attr("onnx::Elu", "alpha", alpha, "f32[3]").outputs[0].shape == (3,)
    for axis in (np.int8(1), np.array(1), np.array([1])[0], True, np.True_):
        assert attr("onnx::Flatten", "axis", axis, "f32[2, 3, 4]").outputs[0].shape == (2, 12)
    # As messages of ONNX have them.
    same = ks.infer("onnx::MaxPool", "f32[1, 1, 5, 5]", attrs={"auto_pad": b"SAME_UPPER", "kernel_shape": [2, 2]})
    assert same.outputs[0].shape == (1, 1, 5, 5)


def test_what_is_no_attribute_is_said_to_be_none():
    for value in ({1, 0}, frozenset({0}), {1: 0}, object(), 1 + 2j, np.complex64(1), b"\xff", [[[[[[[[[[1]]]]]]]]]]):
        with pytest.raises(TypeError, match="is no value of an attribute"):
            attr("onnx::Transpose", "perm", value, "f32[2, 3]")
    for value in (2**63, -(2**63) - 1, [2**70]):
        with pytest.raises(ValueError, match="more than 64 bits"):
            attr("onnx::Transpose", "perm", value, "f32[2, 3]")


def test_equal_dims_have_equal_hashes():
    n, two = ks.Dim("n"), ks.Dim(2)
    assert n == "n" and hash(n) == hash("n") and {n: 1}["n"] == 1
    assert two == 2 == np.int64(2) and hash(two) == hash(2) and two != "2"
    assert n + 1 == "n + 1" and n + 1 != "n+1"
    assert (2, "n") == ks.Type("f32[2, n]").shape

    class Named:
        def __str__(self):
            return "n"

    assert n != Named()
    assert n not in (None, 1, 2.0, object())


OWN = ks.load("type Q(values)\nop Open(q: Q(A)) -> (y: f32[..s]) :- A: T[..s]")
ANSWER = OWN["Open"].infer("Q[f32[2]]")


@pytest.mark.parametrize("own", [ANSWER, ANSWER.inputs[0], ks.Type(ANSWER.inputs[0])])
def test_types_of_files_are_the_same_in_pickles(own):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(own, protocol))
        assert again == own and hash(again) == hash(own) and repr(again) == repr(own)
    assert copy.copy(own) == own == copy.deepcopy(own)


def test_a_rule_is_among_the_rules_by_its_name():
    rules = ks.rules("rule zero: Add(A, c) => A")
    assert "zero" in rules and rules[0] in rules and "one" not in rules


class Node:
    def __init__(self, symbolic):
        self.symbolic = symbolic

    def is_symbolic(self):
        return self.symbolic


class Symbolic:
    """As torch has a size that stands for any: as a number it is one example of it, and is fixed to that."""

    def __init__(self, text, symbolic=True):
        self.text, self.node = text, Node(symbolic)

    def __index__(self):
        assert not self.node.symbolic
        return int(self.text)

    def __str__(self):
        return self.text


class Fake:
    dtype = "float32"

    def __init__(self, *shape):
        self.shape = shape


def test_symbolic_sizes_of_torch_are_names():
    fake = Fake(Symbolic("s0"), Symbolic("2*s0 + 1"), Symbolic("((s0 + 1)//2)"), Symbolic("t0.size(0)"), Symbolic("4", False), 5)
    assert str(ks.Type(fake)) == "f32[s0, 2*s0 + 1, (s0 + 1)//2, ?, 4, 5]"
    for text, dim in [
        ("s0//2", "s0//2"),
        ("(s0//2)", "s0//2"),
        ("Mod(s0, 4)", "s0 % 4"),
        ("PythonMod(s0, 4)", "s0 % 4"),
        ("FloorDiv(s0 - 1, 2) + 1", "(s0 - 1)//2 + 1"),
        ("s0**2", "s0*s0"),
        ("PowByNatural(s0, 2)", "s0*s0"),
        ("Max(1, s0)", "max(1, s0)"),
        ("Min(s0, s1)", "min(s0, s1)"),
        ("CeilToInt(IntTrueDiv(s0, 2))", "ceil(s0/2)"),
        ("FloorToInt(0.5*ToFloat(s0))", "s0//2"),
        ("ModularIndexing(s0, 2, 4)", "s0//2 % 4"),
        ("Piecewise((s0, s0 > 1), (1, True))", "?"),
    ]:
        assert str(ks.Type(Fake(Symbolic(text)))) == f"f32[{dim}]", text
    assert ks.infer(MATMUL, Fake(Symbolic("s0"), 3), "f32[3, 4]").outputs[0] == ks.Type("f32[s0, 4]")


class Dims:
    """A symbolic size of JAX: no number can be had of it."""

    def __init__(self, text):
        self.text = text

    def __index__(self):
        raise TypeError("inconclusive")

    def __floordiv__(self, other): ...

    def __str__(self):
        return self.text


def test_symbolic_sizes_of_jax():
    for text, dim in [
        ("b", "b"),
        ("2*b", "2*b"),
        ("floordiv(b, 2)", "b//2"),
        ("mod(b, 4)", "b % 4"),
        ("b^2 + 1", "b*b + 1"),
        ("max(b, 3)", "max(b, 3)"),
        ("-1*b + 10", "-1*b + 10"),
        ("floordiv(b - 1, 2) + 1", "(b - 1)//2 + 1"),
        ("a*mod(b, 2)^2", "a*(b % 2*(b % 2))"),
    ]:
        assert str(ks.Type(Fake(Dims(text)))) == f"f32[{dim}]", text
    assert ks.Type("f32", (Dims("floordiv(b, 2)"),)) == ks.Type("f32[b//2]")
    for no_dim in (2.5, object(), 1j):
        with pytest.raises(TypeError, match="is no dim"):
            ks.Type("f32", (no_dim,))


class Listed:
    """An array of another library: its elements are had by one way alone."""

    dtype, shape = "int64", (2,)


class ByTolist(Listed):
    def tolist(self):
        return [3, -1]


class ByArray(Listed):
    def __array__(self, dtype=None, copy=None):
        return np.array([3, -1], dtype)


class ByDlpack(Listed):
    def __dlpack__(self, **options):
        return np.array([3, -1]).__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


class Traced(Listed):
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("traced")


def test_what_is_in_an_array_of_any_library():
    for array in (np.array([3, -1]), ByTolist(), ByArray(), ByDlpack()):
        assert ks.infer("onnx::Reshape", "f32[2, 6]", array).outputs[0] == ks.Type("f32[3, 4]"), array
    assert ks.infer("onnx::Reshape", "f32[2, 6]", Traced()).outputs[0].rank == 2


ADD = "(...):a,(...):b->(...):promote(a,b)"
PROMOTE = "():a,():b->():promote(a,b)"


@pytest.mark.parametrize("dtype", ["bool", "i1", "u1", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("scalar", [True, 3, 3.0, 3j])
def test_numbers_of_python_beside_arrays_of_numpy(dtype, scalar):
    x = np.ones((), dtype)
    found = np.add(np.ones(2, dtype), scalar).dtype.name
    for answer in (ks.infer(PROMOTE, x, scalar), ks.infer(PROMOTE, scalar, x)):
        assert answer.outputs[0] == ks.Type(found, ())


def test_numbers_of_python():
    assert ks.infer("add", "f32[n]", 3.0).outputs[0] == ks.Type("f32[n]")
    assert ks.infer("+(),()->()", "f32[2]", 3).outputs[0] == ks.Type("f32[2]")
    assert ks.infer(PROMOTE, 1, 2.0).outputs[0].dtype == "float64"
    assert ks.infer(PROMOTE, "i32[]", 2.0, promotion="torch").outputs[0].dtype == "float32"
    assert ks.infer(PROMOTE, "i32[]", 2, promotion="jax").outputs[0].dtype == "int32"
    assert ks.infer("onnx::Add", "f16[2]", 1.0).outputs[0].dtype == "float16"
    # An index is no float.
    assert ks.infer("onnx::Gather", "f32[2, 3]", 1, attrs={"axis": 1}).outputs[0] == ks.Type("f32[2]")
    assert next(ks.solve("onnx::Gather", ["f32[2, 3]", 1])).outputs[0] == ks.Type("f32[3]")
    with pytest.raises(ValueError, match="300 out of bounds for u8"):
        ks.infer(PROMOTE, "u8[]", 300)
    with pytest.raises(ks.Never):
        ks.infer("(),(n)->()", 2.0, "i64[3]")


class Weak:
    """A weakly typed array of JAX."""

    shape, weak_type = (), True

    def __init__(self, dtype):
        self.dtype = dtype


@pytest.mark.parametrize(
    ("dtype", "weak", "found"),
    [("bf16", "float32", "bfloat16"), ("bf16", "float64", "bfloat16"), ("i32", "float32", "float32"), ("f16", "int32", "float16"), ("u8", "int32", "uint8"), ("bf16", "complex64", "complex64"), ("bool", "int32", "int32")],
)
def test_weak_types_of_jax(dtype, weak, found):
    assert ks.infer(PROMOTE, f"{dtype}[]", Weak(weak), promotion="jax").outputs[0].dtype == found


def test_a_tuple_is_a_shape():
    assert ks.infer(MATMUL, (2, 3), (3, 4)).outputs[0].shape == (2, 4)
    assert ks.Type((2, "n", None)) == ks.Type("?[2, n, ?]")
    with pytest.raises(TypeError, match="no list: a shape is a tuple"):
        ks.infer(MATMUL, [2, 3], (3, 4))


def test_a_function_is_the_operator_of_its_name():
    assert ks.infer(np.matmul, "f32[2, 3]", "f32[3, 4]").outputs[0].shape == (2, 4)
    assert ks.Operator("numpy::matmul") == ks.Operator("matmul")
    with pytest.raises(ks.Error, match="there is no operator"):
        ks.infer(np.busday_count, "f32[2]")
    with pytest.raises(TypeError, match="no function"):
        ks.infer(lambda x: x, "f32[2]")


def test_an_attribute_as_a_keyword():
    for ask in (ks.infer, ks.solve):
        with pytest.raises(TypeError, match=r"has no keyword `axis`: attributes go into attrs=\{'axis': 0\}"):
            ask("onnx::Concat", ["f32[2]"], axis=0)
        with pytest.raises(TypeError, match=r"parameters go into params=\{'s': 2\}"):
            ask("[s] (n)->(n)", ["f32[2]"], s=2)
    assert "promotion" in ks.infer.__doc__ and "attrs=None" in ks.infer.__text_signature__


def test_dims_are_compared_where_that_is_decided():
    n = ks.Dim("n")
    assert n + 1 > n and n >= 0 and not n < n and n * 2 >= n and n > -1 and not n < 0
    for undecided in (lambda: n > 3, lambda: max(n, 3), lambda: n < ks.Dim("m")):
        with pytest.raises(ks.Undecided, match="where="):
            undecided()
    with pytest.raises(TypeError):
        n > None
    assert n**2 == n * n and n**0 == 1 and (n + 1) ** 2 == (n + 1) * (n + 1)
    with pytest.raises(ValueError):
        n**17
    with pytest.raises(TypeError):
        n**0.5


def test_a_type_of_keywords():
    assert ks.Type(shape=(2, "n"), dtype="f32") == ks.Type("f32", shape=[2, "n"]) == ks.Type("f32[2, n]")
    assert ks.Type(shape=(2,)) == ks.Type("?[2]") and ks.Type(dtype="f32") == ks.Type("f32[...]")
    assert ks.Type("f32[2, n]").ndim == 2 and ks.Type("f32[...]").ndim is None
    with pytest.raises(TypeError):
        ks.Type()
    with pytest.raises(TypeError):
        ks.Type(rank=2)


def test_a_text_is_no_model():
    with pytest.raises(ks.Error, match="no ONNX model"):
        ks.check("HloModule x\n\nENTRY main {}\n" * 100)


def test_what_there_is_in_the_package():
    assert {"pytensor", "strategies", "infer"} <= set(dir(ks)) and "ModuleType" not in dir(ks)


def test_a_repair_says_what_has_to_hold():
    with pytest.raises(ks.Never) as never:
        ks.infer("einops: B (L S) H D -> (B L) S H D", "f32[1,42528,40,128]", params={"L": 21})
    assert "could be L where 42528 % L == 0" in str(never.value)
