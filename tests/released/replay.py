"""Shows the counterexamples of `passes.kan` to the released packages whose passes these rules restate.

    replay.py --instances RULES REPORT INSTANCES
    replay.py RULES REPORT NEEDS MODELS PAGE

RULES is the file of rules, REPORT what `kanshape rule check --json` prints of it, and MODELS the folder that its `--write` has
filled. A rule with variables denotes many: the first line writes the one that a counterexample is of to INSTANCES, and NEEDS is
what `kanshape rule check --json` prints of those. The left side of each rule is run by onnx.reference, and by onnxruntime without optimizations: both have to give what
kanshape says. Then the released pass is run on it, and its model is run in the same way: that has to give something else, or
nothing. Prints a table, and exits with 1 if a rule is not replayed, or if the table is not in PAGE. With KANSHAPE_UPDATE=1 it is
written there.
"""

import importlib
import json
import os
import re
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

ONNXOPTIMIZER = "onnxoptimizer 0.4.2"
ONNXSCRIPT = "onnxscript 0.7.2"
ONNXRUNTIME = "onnxruntime 1.31.1"


@dataclass
class Pass:
    """Which pass a rule restates, and what the pass has to see beside the left side of the rule."""

    package: str
    # Of onnxscript: the module of its rule, and its name there.
    rule: tuple = ()
    # Of onnxruntime: the names of the optimizers that do it, if it is not that of the rule.
    names: tuple = ()
    # The pass leaves alone what is between an input and an output of the model: there is another node before it and behind it.
    inside: bool = False
    # Inputs of which the pass must not know a size other than 0: the first one has a name instead.
    unsized: tuple = ()
    # An operator, and which of its inputs is no constant, but an input of the model.
    unknown: tuple = ()
    # Names in the place of sizes that are declared of the output.
    declared: dict = field(default_factory=dict)
    # Initializers that are not 1 all over.
    contents: dict = field(default_factory=dict)


PASSES = {
    "eliminate_nop_with_unit": Pass(ONNXOPTIMIZER),
    "eliminate_consecutive_idempotent_ops": Pass(ONNXOPTIMIZER),
    "eliminate_nop_reshape": Pass(ONNXOPTIMIZER, inside=True, unsized=("X",)),
    "eliminate_slice_after_shape": Pass(ONNXOPTIMIZER),
    "eliminate_shape_gather": Pass(ONNXOPTIMIZER, contents={"i": 0}),
    "adjust_slice_and_matmul": Pass(ONNXOPTIMIZER),
    "fuse_qkv": Pass(ONNXOPTIMIZER, inside=True),
    "fuse_pad_into_pool": Pass(ONNXOPTIMIZER),
    "fuse_pad_into_conv": Pass(ONNXOPTIMIZER),
    "fuse_consecutive_squeezes": Pass(ONNXOPTIMIZER),
    "fuse_consecutive_reduce_unsqueeze": Pass(ONNXOPTIMIZER),
    "fuse_concat_into_reshape": Pass(ONNXOPTIMIZER, unknown=("Concat", 0)),
    "MatMulAddToGemm": Pass(ONNXSCRIPT, ("_matmul_add_to_gemm", "matmul_add_to_gemm_rule")),
    "two_reshapes_matmul_reshape": Pass(ONNXSCRIPT, ("_broadcast_to_matmul", "two_reshapes_matmul_reshape_rule")),
    "gemm_to_matmul_add": Pass(ONNXSCRIPT, ("_gemm_to_matmul_add", "gemm_to_matmul_add_rule")),
    "expand_before_binary_op_rules": Pass(ONNXSCRIPT, ("_remove_expand_before_binary_op", "expand_before_binary_op_rules")),
    "MaterializeReshapeShape": Pass(
        ONNXSCRIPT,
        ("_materialize_reshape_shape", "materialize_reshape_shape_rule"),
        unknown=("Reshape", 1),
        declared={0: "n"},
    ),
    "FuseMinMaxToClip": Pass(ONNXSCRIPT, ("_min_max_to_clip", "min_max_rule")),
    "ConvAffineFusion": Pass(ONNXSCRIPT, ("_fuse_conv_affine", "conv_affine_fusion_rule")),
    "Flatten2Reshape": Pass(ONNXSCRIPT, ("_basic_rules", "flatten_to_reshape_rule")),
    "ExpandElimination": Pass(ONNXRUNTIME, inside=True),
    "DivMulFusion": Pass(ONNXRUNTIME),
    "SimplifiedLayerNormFusion": Pass(ONNXRUNTIME),
    # The other one takes a part of the same nodes.
    "LayerNormFusion": Pass(
        ONNXRUNTIME, names=("LayerNormFusionL1", "LayerNormFusionL2", "SimplifiedLayerNormFusion")
    ),
}

# Wrong passes whose types are right: the rule is *always*, or no rule of ONNX's operators.
RIGHT_IN_TYPE = {"fuse_transpose_into_gemm"}

# How many passes are found wrong. It is a number of its own so that a row can't get lost unseen.
FOUND = 24

# The most seconds that a pass may take.
PATIENCE = 60

BEGIN = "<!-- what follows is printed by tests/released/replay.py -->\n"
END = "<!-- up to here -->\n"


# One rule, in a process of its own: a pass may end that.


def show(name, path):
    """Prints what is found of one rule: a line for the left side, and one for what the pass makes of it."""
    how = PASSES[name]
    model = onnx.load(path)
    values = prepared(model, how)
    onnx.checker.check_model(model)
    evaluators = {"onnx.reference": by_reference, "onnxruntime": by_runtime}
    say("before", {who: outputs(run, undeclared(model), values) for who, run in evaluators.items()})
    if how.package == ONNXRUNTIME:
        names = how.names or (name,)
        say("after", {"onnxruntime": outputs(by_runtime, undeclared(model), values, optimized=True)})
        say("without", {"onnxruntime": outputs(by_runtime, undeclared(model), values, optimized=True, without=names)})
        return
    try:
        model = undeclared(passed(name, how, model))
    except Exception as error:  # Whatever it is, the pass has failed.
        say("after", {who: f"{type(error).__name__}: {error}" for who in evaluators})
        return
    say("after", {who: outputs(run, model, values) for who, run in evaluators.items()})


def prepared(model, how):
    """Changes the left side to what the pass has to see. Values for its inputs."""
    graph = model.graph
    values = {}
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    for node in graph.node:
        if how.unknown and node.op_type == how.unknown[0]:
            # The constant may be taken elsewhere as well.
            array = constants[node.input[how.unknown[1]]]
            node.input[how.unknown[1]] = "unknown"
            dtype = helper.np_dtype_to_tensor_dtype(array.dtype)
            graph.input.append(helper.make_tensor_value_info("unknown", dtype, array.shape))
            values["unknown"] = array
    for initializer in graph.initializer:
        if initializer.name in how.contents:
            array = np.full_like(constants[initializer.name], how.contents[initializer.name])
            initializer.CopyFrom(numpy_helper.from_array(array, initializer.name))
    for value in graph.input:
        tensor = value.type.tensor_type
        if value.name not in values:
            shape = [dim.dim_value for dim in tensor.shape.dim]
            dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
            values[value.name] = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        if value.name in how.unsized:
            tensor.shape.dim[0].dim_param = "m"
    for value in graph.output:
        for i, size in how.declared.items():
            value.type.tensor_type.shape.dim[i].dim_param = size
    if how.inside:
        for value in graph.input:
            inner = surrounded(graph, value)
            graph.node.insert(0, helper.make_node("Neg", [value.name], [inner]))
        for value in graph.output:
            inner = surrounded(graph, value)
            graph.node.append(helper.make_node("Neg", [inner], [value.name]))
    return values


def surrounded(graph, value):
    """Gives another name to the value of an input or output in all nodes."""
    inner = f"{value.name}_inner"
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [inner if name == value.name else name for name in names]
    declared = graph.value_info.add()
    declared.CopyFrom(value)
    declared.name = inner
    return inner


def undeclared(model):
    """The model without the shapes that are declared of its outputs: it is run to see what they are."""
    model = onnx.load_from_string(model.SerializeToString())
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    return model


def passed(name, how, model):
    """What the released pass makes of a model."""
    if how.package == ONNXOPTIMIZER:
        import onnxoptimizer

        return onnxoptimizer.optimize(model, [name])
    from onnxscript import rewriter

    module, rule = how.rule
    rule = getattr(importlib.import_module(f"onnxscript.rewriter.rules.common.{module}"), rule)
    rules = rule if isinstance(rule, rewriter.RewriteRuleSet) else [rule]
    return rewriter.rewrite(model, pattern_rewrite_rules=rules)


def by_reference(model, values):
    return ReferenceEvaluator(model).run(None, values)


def by_runtime(model, values, optimized=False, without=()):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    level = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_ENABLE_ALL if optimized else level.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"], disabled_optimizers=list(without)
    )
    return session.run(None, values)


def outputs(run, *args, **options):
    """The outputs, each as a type and what is in it; or, as a text, why there are none."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            arrays = [np.asarray(one) for one in run(*args, **options)]
    except Exception as error:  # Neither package has a base of its errors.
        return f"{type(error).__name__}: {error}"
    return [[typed(array), json.dumps(array.tolist())] for array in arrays]


def typed(array):
    dtype = "bool" if array.dtype == bool else f"{array.dtype.kind}{8 * array.dtype.itemsize}"
    return f"{dtype}[{', '.join(map(str, array.shape))}]"


def say(step, found):
    print(json.dumps({"step": step, "found": found}), flush=True)


# All rules.


def main(rules, report, needs, models, page):
    texts = rule_texts(Path(rules).read_text())
    checked = report_of(report)
    of_instance = report_of(needs)
    always = {name for name, line in checked.items() if line["verdict"] == "always"}
    passes = checked.keys() - always
    failed = [f"{name}: is a wrong rule and no pass here, or the other way round" for name in passes ^ PASSES.keys()]
    if always != RIGHT_IN_TYPE:
        failed.append(f"{always} are right in type, and not {RIGHT_IN_TYPE}")
    failed += right_in_type()
    names = [name for name in PASSES if name in passes]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        replayed = list(pool.map(lambda name: replay(name, checked[name], Path(models)), names))
    rows = []
    for name, (steps, why) in zip(names, replayed):
        if why:
            failed.append(f"{name}: {why}")
        else:
            rows.append(row(name, texts[name], checked[name], of_instance.get(name, checked[name]), steps))
    head = ["pass", "rule", "counterexample", "before", "after", "needs"]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *rows])
    print(table)
    if len(rows) != FOUND:
        failed.append(f"{len(rows)} passes are found wrong, and not {FOUND}")
    if not failed and not is_in(Path(page), table):
        failed.append(f"the table is not in {page}: KANSHAPE_UPDATE=1 writes it there")
    for why in failed:
        print(why, file=sys.stderr)
    print(f"{len(rows)} passes are found wrong, and replayed", file=sys.stderr)
    return 1 if failed else 0


def replay(name, line, models):
    """What was found of a rule step by step, and why it is no replay; None if it is one."""
    case = line["counterexample"]
    if line["verdict"] not in ("depends", "never") or not case:
        return {}, f"kanshape calls it {line['verdict']}"
    command = [sys.executable, __file__, "--one", name, str(models / f"{name}.left.onnx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    steps = [json.loads(one) for one in done.stdout.splitlines()]
    steps = {one["step"]: one["found"] for one in steps}
    if "before" not in steps:
        return steps, f"its left side can't be run: {done.stderr}"
    left = case["left"] if isinstance(case["left"], list) else [case["left"]]
    for who, found in steps["before"].items():
        if not are(found, left):
            return steps, f"{who} gives {found} for the left side, and kanshape says {left}"
    if "after" not in steps:
        # The pass has ended its process.
        steps["after"] = {who: done.stderr for who in steps["before"]}
    if all(are(found, left) for found in steps["after"].values()):
        return steps, f"the pass keeps the types: {steps['after']}"
    if not are(steps.get("without", steps["before"])["onnxruntime"], left):
        return steps, f"it is another pass: {steps['without']}"
    return steps, None


def are(found, types):
    """Are these outputs what kanshape says?"""
    if isinstance(found, str) or len(found) != len(types):
        return False
    # What is in an output is compared where kanshape knows it.
    return all(f"{ty} = {inside}" == said or ty == said for (ty, inside), said in zip(found, types))


def right_in_type():
    """What docs/released.md says of the passes that are right in type and wrong all the same; what of it is not so."""
    import onnxoptimizer

    failed = []
    head = '<ir_version: 10, opset_import: ["": 23]> '
    gemm = "g (float[2, 3] A, float[2, 4] B) => (float[3, 4] y) { t = Transpose(A) y = Gemm(t, B) }"
    try:
        onnxoptimizer.optimize(onnx.parser.parse_model(head + gemm), ["fuse_transpose_into_gemm"])
        failed.append("fuse_transpose_into_gemm does not stop")
    except RuntimeError as error:
        if "Assertion" not in str(error):
            failed.append(f"fuse_transpose_into_gemm stops otherwise: {error}")
    product = "g (float[2, 4, 3] X, float[4] v) => (float[2, 3] y) { t = Transpose <perm = [0, 2, 1]> (X) y = MatMul(t, v) }"
    model = onnx.parser.parse_model(head + product)
    values = {"X": np.arange(24, dtype=np.float32).reshape(2, 4, 3), "v": np.arange(1, 5, dtype=np.float32)}
    [[plain, numbers]] = outputs(by_runtime, model, values)
    [[optimized, others]] = outputs(by_runtime, model, values, optimized=True)
    if plain != optimized or numbers == others:
        failed.append(f"the product of a transposed operand and a vector is {optimized} = {others}")
    return failed


# The table.


def row(name, text, line, of_instance, steps):
    case = line["counterexample"]
    values = [f"{name} = {value}" for name, value in (case.get("attrs") or {}).items()]
    values += [f"{leaf} {ty}" for leaf, ty in case["leaves"].items()]
    left = case["left"] if isinstance(case["left"], list) else [case["left"]]
    with_contents = any(" = " in ty for ty in left)
    after = {who: shown(found, with_contents) for who, found in steps["after"].items()}
    if len(set(after.values())) == 1:
        after = next(iter(after.values()))
    else:
        after = "; ".join(f"{who}: {found}" for who, found in after.items())
    if of_instance["verdict"] == "never":
        needs = "never holds"
    else:
        needs = code(", ".join(of_instance["needs"])) if of_instance["needs"] else "no goals found"
    pass_of = f"{PASSES[name].package} `{name}`"
    return [pass_of, code(text), code(", ".join(values)), code(", ".join(left)), after, needs]


def shown(found, with_contents):
    if isinstance(found, str):
        return "refused"
    return code(", ".join(f"{ty} = {inside}" if with_contents else ty for ty, inside in found))


def code(text):
    return f"`{text}`"


def report_of(path):
    lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return {line["rule"]: line for line in lines}


def rule_texts(text):
    """The rules of a file, each in one line: what stands behind the name."""
    lines = [line for line in text.splitlines() if not line.startswith(("#", "///"))]
    rules = (re.match(r"rule (\w+)(.*)", one.strip(), re.DOTALL) for one in "\n".join(lines).split("\n\n"))
    return {rule[1]: " ".join(rule[2].split()).removeprefix(": ") for rule in rules if rule}


def write_instances(rules, report, instances):
    """The rules with variables, with the values of the counterexample in their places."""
    texts = rule_texts(Path(rules).read_text())
    lines = []
    for name, line in report_of(report).items():
        values = (line["counterexample"] or {}).get("attrs")
        if values:
            # The variables are declared in front. No attribute of an operator has a name of one letter.
            text = re.sub(r"^\[.*?\]", "", texts[name]).strip()
            text = re.sub(r"\b[a-z]\b", lambda one: values.get(one[0], one[0]), text)
            lines.append(f"rule {name} {text}\n")
    Path(instances).write_text("".join(lines))


def is_in(page, table):
    text = page.read_text()
    before, rest = text.split(BEGIN)
    old, behind = rest.split(END)
    new = f"\n{table}\n"
    if old != new and os.environ.get("KANSHAPE_UPDATE") == "1":
        page.write_text(before + BEGIN + new + END + behind)
        return True
    return old == new


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        show(*sys.argv[2:])
    elif sys.argv[1] == "--instances":
        write_instances(*sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))
