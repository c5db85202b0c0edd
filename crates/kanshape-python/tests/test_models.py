"""ONNX models: typed, written, compared."""

import io
import json
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import pytest

import kanshape as ks
from kanshape import _verify

MODELS = Path(__file__).parents[3] / "tests/data/models"
RESNET = MODELS / "light_resnet50.onnx"


def test_a_path_bytes_and_a_message_are_the_same():
    reports = [ks.check(RESNET), ks.check(str(RESNET)), ks.check(RESNET.read_bytes()), ks.check(onnx.load(RESNET))]
    assert len({report.signature for report in reports}) == 1
    assert reports[0].verdict == "always"
    assert reports[0].errors == []
    assert list(reports[0].outputs.values()) == [ks.Type("f32[1, 1000]")]
    assert reports[0].untyped == {}


def network():
    """Two images in, ten numbers each out."""
    helper, float32 = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["y"], "conv", strides=[2, 2], kernel_shape=[3, 3]),
        helper.make_node("Flatten", ["y"], ["flat"], "flatten"),
        helper.make_node("MatMul", ["flat", "v"], ["z"], "dense"),
    ]
    inputs = [helper.make_tensor_value_info("x", float32, [2, 3, 9, 9])]
    outputs = [helper.make_tensor_value_info("z", float32, None)]
    weights = [
        onnx.numpy_helper.from_array(np.zeros((4, 3, 3, 3), "f4"), "w"),
        onnx.numpy_helper.from_array(np.zeros((64, 10), "f4"), "v"),
    ]
    graph = helper.make_graph(nodes, "network", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


def test_dims_of_inputs():
    model = network()
    assert ks.check(model).signature == "f32[2, 3, 9, 9] -> f32[2, 10]"
    report = ks.check(model, dims={"x": ["N", 3, "H", None]})
    assert report.signature.startswith("f32[N, 3, H, 9] -> f32[N, 10] where ")
    assert report.values["y"] <= ks.Type("f32[?, 4, ?, 4]")
    assert report.verdict == "depends"
    assert {condition.node for condition in report.conditions} == {"dense"}
    by_axis = ks.check(model, dims={"x": {0: "N", 2: "H"}})
    assert by_axis.signature == report.signature
    assert str(ks.check(model, batch="N").inputs["x"]) == "f32[N, 3, 9, 9]"
    whole = ks.check(model, inputs={"x": "f32[8, 3, 9, 9]"})
    assert str(whole.outputs["z"]) == "f32[8, 10]"
    sized = ks.check(model, dims={"x": {0: "N"}}, sizes={"N": 8})
    assert sized.outputs == whole.outputs


@pytest.mark.parametrize("dims, given", [([1], "1 is"), (["N", 3, "H", "W", 1], "5 are"), ([], "0 are")])
def test_a_list_of_dims_has_them_all(dims, given):
    report = ks.check(network(), dims={"x": dims})
    [error] = report.errors
    assert error.headline == f"the input `x` is `f32[2, 3, 9, 9]`, which has 4 dims, and {given} given for it"
    # The input is as the model declares it.
    assert report.inputs["x"] == ks.Type("f32[2, 3, 9, 9]")
    assert ks.check(network(), dims={"x": {0: 1}}).errors == []


def test_a_list_of_dims_of_each_input_is_of_those_with_as_many():
    report = ks.check(network(), dims={"*": [8, None, None, None]})
    assert report.errors == [] and str(report.outputs["z"]) == "f32[8, 10]"
    assert ks.check(network(), dims={"*": [8]}).inputs["x"] == ks.Type("f32[2, 3, 9, 9]")


def test_types_of_outputs_say_something_of_inputs():
    report = ks.check(network(), dims={"x": {0: "N"}}, outputs={"z": "f32[8, 10]"})
    assert report.inputs["x"] == ks.Type("f32[8, 3, 9, 9]")


def test_a_wrong_model_has_errors():
    report = ks.check(MODELS / "broken/wrong_perm.onnx")
    assert report.errors
    error = report.errors[0]
    assert error.code.startswith("K")
    assert error.node
    assert error.headline in str(error)


def test_what_is_no_model():
    with pytest.raises(ks.Error):
        ks.check(b"nothing")
    with pytest.raises(FileNotFoundError):
        ks.check("nowhere.onnx")
    with pytest.raises(TypeError):
        ks.check(0)
    with pytest.raises(TypeError):
        ks.check(RESNET, dims={"x": "N"})


def test_written_models_have_all_types(tmp_path):
    report = ks.check(RESNET)
    path = tmp_path / "typed.onnx"
    report.write(path)
    written = onnx.load(path)
    onnx.checker.check_model(written)
    typed = {value.name: ks.Type(value) for value in written.graph.value_info}
    produced = {name for node in written.graph.node for name in node.output}
    outputs = {value.name for value in written.graph.output}
    assert produced - outputs <= set(typed)
    assert all(report.values[name] == ty for name, ty in typed.items())


def test_all_models_agree_with_what_onnx_infers():
    compared = 0
    for path in sorted(MODELS.glob("light_*.onnx")):
        model = onnx.load(path)
        report = ks.check(model)
        inferred = onnx.shape_inference.infer_shapes(model)
        for value in inferred.graph.value_info:
            assert report.values[value.name] <= ks.Type(value), (path.name, value.name)
            compared += 1
    assert compared > 500


def test_a_program_that_torch_has_exported(monkeypatch):
    path = MODELS.parent / "torch/export/hf-mamba.pt2"
    report = ks.check(path)
    assert report.verdict == "always"
    assert report.outputs == {"to_47": ks.Type("f32[s43, 7, 100]")}
    assert ks.check(path, sizes={"s43": 2}).outputs == {"to_47": ks.Type("f32[2, 7, 100]")}

    # torch writes an archive of the program that one has.
    class Program:
        graph_module = graph_signature = None

    def save(program, file):
        assert isinstance(program, Program)
        file.write(path.read_bytes())

    torch = SimpleNamespace(export=SimpleNamespace(save=save))
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert ks.check(Program()).signature == report.signature


def test_diff():
    model = onnx.load(RESNET)
    assert not ks.diff(model, RESNET)
    other = onnx.load(RESNET)
    other.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 8
    found = ks.diff(model, other)
    assert found
    name = model.graph.input[0].name
    changed = {row[0]: row[1:] for row in found.values}
    assert [ty.shape[0] for ty in changed[name]] == [1, 8]
    report = ks.check(model)
    assert not ks.diff(report, report)
    # A value that another name is given is the same one.
    node = model.graph.node[0]
    name, node.output[0] = node.output[0], "by_another_name"
    for user in model.graph.node:
        user.input[:] = ["by_another_name" if own == name else own for own in user.input]
    found = ks.diff(report, model)
    assert (bool(found), found.renamed) == (False, 1)


def test_reports_pickle_with_what_was_found():
    report = ks.check(network(), dims={"x": {0: "N"}})
    other = pickle.loads(pickle.dumps(report))
    assert other._solved is None
    assert (other.signature, other.verdict, other.values) == (report.signature, report.verdict, report.values)
    assert (other.conditions, other.problems, repr(other)) == (report.conditions, report.problems, repr(report))
    # It is solved again where that is needed.
    assert other.written() == report.written()
    assert not ks.diff(report, other)


MODULES = Path(__file__).parents[3] / "tests/data/stablehlo"


class Size:
    """A symbolic size, which JAX writes as a text."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def __repr__(self):
        return self.text


class Exported:
    """What JAX has exported, as far as it is read."""

    def __init__(self, text, shapes, kept=None):
        self.text = text
        self.in_avals = tuple(SimpleNamespace(shape=shape) for shape in shapes)
        self.module_kept_var_idx = tuple(range(len(shapes))) if kept is None else kept

    def mlir_module(self):
        return self.text


def test_modules_as_text_and_as_files():
    path = MODULES / "reshape-merge.dynamic.mlir"
    text = path.read_text()
    reports = [ks.check(given) for given in (path, str(path), text, "// a comment\n" + text, text.encode())]
    assert {report.signature for report in reports} == {reports[0].signature}
    assert reports[0].verdict == "depends"
    lowered = SimpleNamespace(as_text=lambda: text)
    assert ks.check(lowered).signature == reports[0].signature


def test_what_jax_has_exported_has_its_names():
    text = (MODULES / "reshape-merge.dynamic.mlir").read_text()
    report = ks.check(Exported(text, [(Size("a"), Size("b"), 6)]))
    assert report.signature == "f32[a, b, 6] -> f32[a*b, 6] where a >= 1, b >= 1"
    assert pickle.loads(pickle.dumps(report)) == report
    # What the user says comes first.
    report = ks.check(Exported(text, [(Size("a"), Size("b"), 6)]), inputs={"arg0": "f32[3, n, 6]"})
    assert report.signature == "f32[3, n, 6] -> f32[3*n, 6] where n >= 1"
    report = ks.check(Exported(text, [(Size("a"), Size("b"), 6)]), sizes={"a": 3, "b": 5})
    assert str(report.outputs.popitem()[1]) == "f32[15, 6]"
    # A size that is written in an unknown way is one of which nothing is known.
    report = ks.check(Exported(text, [(Size("$x"), Size("b"), 6)]))
    assert report.signature == "f32[d0, b, 6] -> f32[d0*b, 6] where d0 >= 1, b >= 1"
    # An argument that is not used is none of the module.
    report = ks.check(Exported(text, [(Size("c"),), (Size("a"), Size("b"), 6)], kept=(1,)))
    assert report.signature == "f32[a, b, 6] -> f32[a*b, 6] where a >= 1, b >= 1"


def test_texts_that_are_no_modules():
    with pytest.raises(ks.Error, match="no ONNX model"):
        ks.check("HloModule x\n\nENTRY main {}\n")
    with pytest.raises(ks.Error, match="no module of StableHLO"):
        ks.check(SimpleNamespace(as_text=lambda: "HloModule x\n"))
    with pytest.raises(ks.Error):
        ks.check("module {\n  func.func @main( {\n}\n")


def test_modules_are_compared():
    text = (MODULES / "reshape-merge.dynamic.mlir").read_text()
    assert not ks.diff(text, text)
    assert ks.diff(text, text, sizes={"x": 2}) == ks.diff(text, text)


def test_a_function_of_jax():
    jax = pytest.importorskip("jax")
    from jax import export

    function = jax.jit(lambda x, w: jax.nn.relu(x @ w).reshape(-1))
    specs = jax.ShapeDtypeStruct(export.symbolic_shape("b, 8"), "float32"), jax.ShapeDtypeStruct((8, 4), "float32")
    report = ks.check(export.export(function)(*specs))
    assert report.signature == "f32[b, 8], f32[8, 4] -> f32[4*b] where b >= 1"
    fixed = [jax.ShapeDtypeStruct(shape, "float32") for shape in ((3, 8), (8, 4))]
    assert ks.check(function.lower(*fixed)).signature == "f32[3, 8], f32[8, 4] -> f32[12]"


def one_frame():
    """A model that takes signals of one frame: 40 to 79 samples at a rate of 16, and 20 to 39 at another one."""
    helper, proto = onnx.helper, onnx.TensorProto

    def branch(window, step):
        nodes = [
            helper.make_node("Conv", ["x", window], ["f"], strides=[step]),
            helper.make_node("Squeeze", ["f", "last"], ["r"]),
        ]
        return helper.make_graph(nodes, window, [], [helper.make_tensor_value_info("r", proto.FLOAT, None)])

    nodes = [
        helper.make_node("Equal", ["rate", "sixteen"], ["c"]),
        helper.make_node("If", ["c"], ["y"], then_branch=branch("wide", 40), else_branch=branch("narrow", 20)),
    ]
    inputs = [
        helper.make_tensor_value_info("x", proto.FLOAT, ["b", 1, "n"]),
        helper.make_tensor_value_info("rate", proto.INT64, []),
    ]
    weights = [
        onnx.numpy_helper.from_array(np.ones((1, 1, 40), "f4"), "wide"),
        onnx.numpy_helper.from_array(np.ones((1, 1, 20), "f4"), "narrow"),
        onnx.numpy_helper.from_array(np.array([2]), "last"),
        onnx.numpy_helper.from_array(np.array(16), "sixteen"),
    ]
    outputs = [helper.make_tensor_value_info("y", proto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_a_model_is_run_at_the_limits_of_its_conditions():
    report = ks.check(one_frame())
    assert report.signature == "x f32[b, 1, n], rate i64[] -> f32[b, 1]\n  where rate == 16: 40 <= n <= 79\n  else:             20 <= n <= 39"
    pytest.importorskip("onnxruntime")
    found = report.verify(samples=60)
    assert found, str(found)
    tried = {(run.inputs["x"].shape[2], run.inputs["rate"].contents[0]): run.error is None for run in found.runs}
    for rate, sizes in [(16, range(40, 80)), (17, range(20, 40))]:
        for n in (sizes.start - 1, sizes.start, sizes.stop - 1, sizes.stop):
            assert tried[n, rate] == (n in sizes), (n, rate)


class Lying:
    """It runs whatever it is given, and gives one row more than it should."""

    def run(self, names, given):
        return [np.zeros((given["x"].shape[0] + 1, 10), "f4")]


class Refusing:
    def run(self, names, given):
        raise RuntimeError("no memory\nfor that")


def test_what_is_not_as_it_was_said():
    report = ks.check(network(), dims={"x": {0: "N", 2: "H"}})
    found = report.verify(Lying(), samples=10)
    assert not found and len(found.runs) == 10
    texts = {text for run in found.differences for text in run.differences}
    assert "z is f32[3, 10], and should be f32[2, 10]" in texts
    assert any(text.startswith("it should not run: ") for text in texts)
    assert "10 runs, 10 completed" in str(found)
    refused = report.verify(Refusing(), samples=10)
    assert {text for run in refused.differences for text in run.differences} == {"it should run: no memory"}
    assert {run.predicted for run in refused.differences} == {"always"}


def told(monkeypatch, capsys, asked, runtime):
    """What the program that `check --run` starts says, with this in place of onnxruntime."""
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(asked)))
    _verify.main()
    return json.loads(capsys.readouterr().out)


def test_what_a_program_is_told_of_runs(monkeypatch, capsys, tmp_path):
    path = str(tmp_path / "model.onnx")
    onnx.save(network(), path)
    asked = {"model": path, "options": {"inputs": {"x": "f32[N, 3, 9, 9]"}, "cuts": {}, "trust_annotations": False}}
    loaded = []

    def session(model, options, providers):
        # Of a file it finds what is beside it.
        loaded.append(model)
        return Lying()

    runtime = SimpleNamespace(SessionOptions=SimpleNamespace, InferenceSession=session)
    found = told(monkeypatch, capsys, asked, runtime)
    assert loaded == [path]
    assert found["count"] == found["finished"] > 2
    assert {"inputs", "predicted", "error", "lines"} == found["differences"][0].keys()
    lines = {line for run in found["differences"] for line in run["lines"]}
    assert "z is f32[3, 10], and should be f32[2, 10]" in lines
    refused = told(monkeypatch, capsys, asked, None)
    assert refused == {"refused": "onnxruntime is not installed: give `verify` a session, or anything else with such a method `run`"}
