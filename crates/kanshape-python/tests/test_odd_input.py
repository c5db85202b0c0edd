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
    fake = Fake(Symbolic("s0"), Symbolic("2*s0 + 1"), Symbolic("((s0 + 1)//2)"), Symbolic("Mod(s0, 3)"), Symbolic("4", False), 5)
    assert str(ks.Type(fake)) == "f32[s0, 2*s0 + 1, (s0 + 1)//2, ?, 4, 5]"
    assert ks.infer(MATMUL, Fake(Symbolic("s0"), 3), "f32[3, 4]").outputs[0] == ks.Type("f32[s0, 4]")
