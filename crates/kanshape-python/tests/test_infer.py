"""Queries: forwards, backwards, with parameters, attributes and conditions."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import kanshape as ks

MATMUL = "(m,n),(n,p)->(m,p)"


def test_forwards():
    answer = ks.infer(MATMUL, "f32[2, 3]", np.zeros((3, 4), "f4"))
    assert answer.outputs == (ks.Type("f32[2, 4]"),)
    assert answer.verdict == "always"
    assert answer.where == ()
    assert str(answer) == "f32[2, 3], f32[3, 4] -> f32[2, 4]"


def test_backwards():
    answer = ks.infer(MATMUL, "f32[2, n]", None, outputs=["f32[2, 4]"])
    assert str(answer.inputs[1]) == "f32[n, 4]"


def test_conditions_are_kept():
    answer = ks.infer(MATMUL, "f32[2, n]", "f32[3, 4]")
    assert answer.where == ("n == 3",)
    assert answer.verdict == "depends"
    assert ks.infer(MATMUL, "f32[2, n]", "f32[3, 4]", where="n == 3").verdict == "always"
    with pytest.raises(ks.Never):
        ks.infer(MATMUL, "f32[2, n]", "f32[3, 4]", where=["n >= 1", "n <= 2"])


def test_operator_backwards_with_attributes():
    answer = ks.infer(
        "onnx::Conv",
        "f32[N, 3, H, W]",
        "f32[64, 3, 7, 7]",
        attrs={"strides": [2, 2]},
        outputs=["f32[N, 64, 112, 112]"],
    )
    assert answer.where == ("H in {229, 230}", "W in {229, 230}")


def test_an_attribute_is_found():
    answers = ks.solve("onnx::Concat", ["f32[2, 3]", "f32[2, 5]"], ["f32[2, 8]"], attrs={"axis": None})
    assert [answer.attrs for answer in answers] == [{"axis": 1}, {"axis": -1}]


def test_parameters():
    conv = "[s] (h),(k)->((h - k)//s + 1)"
    assert str(ks.infer(conv, "f32[9]", "f32[3]", params={"s": 2}).outputs[0]) == "f32[4]"
    assert ks.infer(conv, "f32[9]", "f32[3]", outputs=["f32[4]"]).params == {"s": 2}


def test_what_is_in_an_array_counts_for_operators():
    answer = ks.infer("onnx::Reshape", "f32[2, 6]", np.array([3, -1]))
    assert str(answer.outputs[0]) == "f32[3, 4]"
    assert answer.inputs[1].contents == (3, -1)


def test_operands_that_are_left_out():
    answer = ks.infer("onnx::Clip", "f32[2]", "-", "f32[]")
    assert answer.inputs == (ks.Type("f32[2]"), None, ks.Type("f32[]"))


def test_promotion():
    assert str(ks.infer("numpy::add", "i32[2]", "f32[2]").outputs[0]) == "f64[2]"
    assert str(ks.infer("numpy::add", "i32[2]", "f32[2]", promotion="torch").outputs[0]) == "f32[2]"
    with pytest.raises(ks.Error, match="tortch"):
        ks.infer("numpy::add", "i32[2]", "f32[2]", promotion="tortch")


def test_answers_are_found_one_by_one():
    add = ks.Signature("+(),()->()")
    answers = add.solve(None, ["f32[8, 7]"], ground=True)
    first = next(answers)
    assert first.outputs == (ks.Type("f32[8, 7]"),)
    assert answers.verdict == "always"
    pairs = list(add.solve(None, ["f32[8, 7]"], max_rank=2, max_dim=8))
    assert len(pairs) == 17
    assert len(set(pairs)) == 17


def test_several_and_undecided():
    concat = ks.Operator("onnx::Concat")
    types = dict(outputs=["f32[2, 8]"], attrs={"axis": None})
    with pytest.raises(ks.Several) as several:
        concat.infer("f32[2, 3]", "f32[2, 5]", **types)
    assert [answer.attrs["axis"] for answer in several.value.answers] == [1, -1]
    with pytest.raises(ks.Undecided, match="budget"):
        concat.infer("f32[2, 3]", "f32[2, 5]", **types, budget=10)


def test_never_says_why_and_what_would_fit():
    with pytest.raises(ks.Never) as never:
        ks.infer(MATMUL, "f32[2, 3]", "f32[4, 5]")
    why = never.value
    assert isinstance(why, ValueError)
    assert why.code == "K0101"
    assert [(fact.slot, fact.axis) for fact in why.facts] == [("inputs[0]", 1), ("inputs[1]", 0)]
    repairs = {repair.slot: repair.instead for repair in reversed(why.repairs)}
    assert repairs == {"inputs[0]": ks.Type("f32[2, 4]"), "inputs[1]": ks.Type("f32[3, 5]")}
    assert "(m,n),(n,p)->(m,p)" in str(why)
    for repair in why.repairs:
        inputs = ["f32[2, 3]", "f32[4, 5]"]
        inputs[int(repair.slot[7])] = repair.instead
        assert ks.infer(MATMUL, *inputs).outputs


@pytest.mark.parametrize(
    "rule, inputs, code",
    [
        ("(m,n->(m)", [], "K0"),
        (MATMUL, ["f32[2,"], "K0003"),
        (MATMUL, ["f32[2]"], "K0"),
        ("onnx::Conf", [], "K0"),
    ],
)
def test_a_wrong_text_is_an_error_and_not_never(rule, inputs, code):
    with pytest.raises(ks.Error) as error:
        ks.infer(rule, *inputs)
    assert not isinstance(error.value, ks.Never)
    assert error.value.code.startswith(code)
    assert error.value.headline in str(error.value)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="a rule is"):
        ks.infer(3)
    with pytest.raises(TypeError, match="object"):
        ks.infer(MATMUL, object(), None)
    with pytest.raises(TypeError, match="list of types"):
        ks.infer(MATMUL, None, None, outputs="f32[2, 4]")
    with pytest.raises(ValueError, match="attrs"):
        ks.infer("onnx::Relu", "f32[2]", params={"a": 1})
    with pytest.raises(ks.Error):
        ks.infer("onnx::Relu", "f32[2]", attrs={"alpha": 1})


def test_operators():
    names = ks.operators()
    assert len(names) == len(set(names)) > 300
    assert "Conv" in {name.split("::")[-1] for name in ks.operators("onnx")}
    conv = ks.Operator("onnx::Conv", opset=11)
    assert (conv.inputs, conv.outputs) == (["X", "W", "B"], ["Y"])
    assert "strides" in conv.attributes
    assert conv == ks.Operator("onnx::Conv", 11)


def test_prepared():
    conv = ks.Operator("onnx::Conv").prepare(2, attrs={"strides": [2, 2]})
    answer = conv.infer("f32[1, 3, 230, 230]", "f32[64, 3, 7, 7]")
    assert str(answer.outputs[0]) == "f32[1, 64, 112, 112]"
    assert conv.n_inputs == 2
    with pytest.raises(ValueError, match="fixed"):
        ks.infer(conv, None, None, attrs={"strides": [1, 1]})


def test_as_html():
    answer = ks.infer(MATMUL, "f32[2, n]", "f32[3, 4]")
    assert "<code>n == 3</code>" in answer._repr_html_()
    assert ks.Type("f32[n] where n < 3")._repr_html_() == "<code>f32[n] where n &lt; 3</code>"


def test_it_may_be_open_whether_an_input_is_there():
    given = ["f32[1, 3, 8, 8]", "f32[4, 3, 3, 3]", "? or -"]
    answers = list(ks.solve("onnx::Conv", given, ["f32[1, 4, 6, 6]"]))
    assert [answer.inputs[2] for answer in answers] == [None, ks.Type("f32[4]")]
    assert [str(answer) for answer in answers][0].startswith("f32[1, 3, 8, 8], f32[4, 3, 3, 3], - ->")
    assert [pickle.loads(pickle.dumps(answer)) for answer in answers] == answers
    # A required input can't be absent, and a variadic one has a number of inputs.
    assert ks.infer("onnx::Relu", "f32[2] or -").outputs[0] == ks.Type("f32[2]")
    with pytest.raises(ks.Error):
        ks.infer("onnx::Concat", "f32[2]", "f32[3] or -", attrs={"axis": 0})


def test_modules_that_need_packages_are_imported_when_they_are_used():
    code = "import sys, kanshape as ks; assert 'hypothesis' not in sys.modules; assert ks.strategies.inputs; assert 'hypothesis' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ks.nothing


def test_no_size_is_below_zero():
    for below in (-1, "-1"):
        with pytest.raises(ks.Error, match="`s` can't be -1"):
            ks.infer("[s] (n)->(n + s)", "f32[5]", params={"s": below})
    with pytest.raises(ks.Error, match="a size cannot be negative"):
        ks.Dim("-1")
