"""Rewrite rules and searches for operators, as the command line has them."""

import pickle
from pathlib import Path

import numpy as np
import onnx
import pytest

import kanshape as ks

RULES = Path(__file__).parents[3] / "rules/everyday.kan"
ZERO = "rule zero: Add(A, c) => A"


def test_a_rule_is_checked():
    rules = ks.rules(ZERO)
    assert [rule.name for rule in rules] == ["zero"]
    found = rules["zero"].check(types_only=True)
    assert found.verdict == "depends"
    assert found.values is None
    assert found.needs == ["BroadcastShapes(shape(c), shape(A), shape(A))"]
    case = found.counterexample
    assert set(case.leaves) == {"A", "c"}
    # The counterexample is one.
    with_zero = ks.infer("onnx::Add", *(case.leaves[name] for name in "Ac"))
    assert with_zero.outputs[0] == case.left[0] != case.leaves["A"]
    assert found.forward is False


def test_a_rule_is_checked_by_values():
    found = ks.rules(ZERO)["zero"].check()
    # Both sides have one type under a condition, and other numbers even then.
    assert (found.verdict, found.values.verdict) == ("depends", "refuted")
    assert found.needs == found.values.needs != ["BroadcastShapes(shape(c), shape(A), shape(A))"]
    case = found.values.counterexample
    assert case.left[0].contents != case.right[0].contents
    found = ks.rules("rule swap: Add(A, B) => Add(B, A)")["swap"].check()
    assert (found.verdict, found.values.verdict, found.values.ranks) == ("always", "proved", None)


def test_rules_of_a_file():
    rules = ks.rules(RULES)
    assert len(rules) > 3
    assert repr(rules[0]) == repr(ks.rules(str(RULES))[0])
    with pytest.raises(KeyError):
        rules["no such rule"]
    assert len(rules + ks.rules(ZERO)) == len(rules) + 1


def test_what_is_no_rule():
    with pytest.raises(ks.Error, match="error"):
        ks.rules("rule zero: Add(A, => A")
    with pytest.raises(FileNotFoundError):
        ks.rules("nowhere.kan")


def test_rules_pickle():
    rules = ks.rules(ZERO)
    assert pickle.loads(pickle.dumps(rules))[0] == rules[0]
    assert pickle.loads(pickle.dumps(rules[0])).check() == rules[0].check()


def twice_transposed():
    helper, float32 = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], "there", perm=[1, 0]),
        helper.make_node("Transpose", ["t"], ["u"], "back", perm=[1, 0]),
        helper.make_node("Relu", ["u"], ["y"], "relu"),
    ]
    ports = [helper.make_tensor_value_info(name, float32, shape) for name, shape in [("x", ["N", 3]), ("y", ["N", 3])]]
    graph = helper.make_graph(nodes, "g", ports[:1], ports[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


def test_rules_are_applied_to_a_model():
    model = twice_transposed()
    rule = "rule back: Transpose[perm = [1, 0]](Transpose[perm = [1, 0]](A)) => A"
    rewritten = ks.rewrite(model, rule)
    assert rewritten.applied == [("back", "u")]
    assert rewritten.looped == []
    after = onnx.load_from_string(rewritten.model)
    assert [node.op_type for node in after.graph.node] == ["Relu"]
    assert ks.check(after).signature == ks.check(model).signature
    again = ks.rewrite(rewritten.model, ks.rules(rule))
    assert not again.applied and again.model == rewritten.model


def sum_of(size):
    helper, float32 = onnx.helper, onnx.TensorProto.FLOAT
    ports = [helper.make_tensor_value_info(name, float32, shape) for name, shape in [("x", ["N"]), ("c", [size]), ("y", None)]]
    nodes = [helper.make_node("Add", ["x", "c"], ["sum"]), helper.make_node("Relu", ["sum"], ["y"])]
    graph = helper.make_graph(nodes, "g", ports[:2], ports[2:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


def test_a_rule_is_applied_where_it_always_holds():
    rule = ZERO + " :- BroadcastShapes(shape(c), shape(A), shape(A))"
    rewritten = ks.rewrite(sum_of("M"), rule)
    assert not rewritten.applied
    assert rewritten.left == [("zero", "sum", "depends", ["M in {1, N}"])]
    assert ks.rewrite(sum_of("N"), rule).applied == [("zero", "sum")]


def test_operators_are_found():
    (first, *_) = ks.find(["f32[N, 3, H, W]"], "f32[N, H, W, 3]", ops=["onnx::Transpose"])
    assert str(first) == "onnx::Transpose[perm = [0, 2, 3, 1]]"
    assert (first.op, first.attrs, first.inputs) == ("onnx::Transpose", {"perm": [0, 2, 3, 1]}, (0,))
    found = ks.infer(first.op, np.zeros((2, 3, 4, 5), "f4"), attrs=first.attrs)
    assert found.outputs[0].shape == (2, 4, 5, 3)


def test_the_cheapest_call_comes_first():
    n = ks.Dim("N")
    calls = ks.find(["f32[N, 3]", "f32[3, 8]"], "f32[N, 8]", ops=["onnx::MatMul", "onnx::Gemm"], cheapest=True)
    assert {call.op for call in calls} == {"onnx::MatMul", "onnx::Gemm"}
    assert calls[0].cost == (8 * n, 32 * n, 24 * n)


def test_chains_are_found():
    ops = ["onnx::Transpose", "onnx::MatMul"]
    assert ks.find(["f32[3, 2]", "f32[2, 4]"], "f32[4, 3]", ops=ops) == []
    chains = ks.find(["f32[3, 2]", "f32[2, 4]"], "f32[4, 3]", depth=2, ops=ops)
    assert str(chains[0]) == "onnx::Transpose(onnx::MatMul(x0, x1))"
    (made,) = chains[0].inputs
    assert isinstance(made, ks.Call)
    assert (made.op, made.inputs, made.output) == ("onnx::MatMul", (0, 1), ks.Type("f32[3, 4]"))
