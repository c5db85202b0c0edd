"""Pickles, threads, signals, deadlines."""

import copy
import gc
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import kanshape as ks

# It has no solution in numbers, and nobody finds that out by trying.
ENDLESS = ks.Signature("(a,b,c)->() where a*a + b*b + 1 == 4*c")


def values():
    yield ks.Type("f32[2, n] where n >= 3")
    yield ks.Dim("2*n + 1")
    yield ks.Signature("(m,n),(n,p)->(m,p)")
    yield ks.Operator("onnx::Conv", 11)
    yield ks.Operator("onnx::Conv").prepare(2, attrs={"strides": [2, 2], "pads": [1, 1, 1, 1]})
    yield ks.load("type Box(of)\nop Open(b: Box(A)) -> (of) :- of = A")
    yield ks.rules("rule twice: Relu(Relu(A)) => Relu(A)")
    yield ks.T("f32[b, t]")
    yield ks.infer("(m,n),(n,p)->(m,p)", "f32[2, n]", "f32[3, 4]")
    yield ks.infer("onnx::Clip", "f32[2]", "-", "f32[]")
    yield next(ks.solve("onnx::Concat", ["f32[2, 3]", "f32[2, 5]"], ["f32[2, 8]"], attrs={"axis": None}))


@pytest.mark.parametrize("value", list(values()), ids=str)
def test_everything_pickles(value):
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert type(again) is type(value)
        assert again == value
        assert hash(again) == hash(value)
        assert str(again) == str(value)
    if isinstance(value, ks.Answer):
        again = pickle.loads(pickle.dumps(value))
        own = (value.inputs, value.outputs, value.params, value.attrs, value.where, value.verdict)
        assert own == (again.inputs, again.outputs, again.params, again.attrs, again.where, again.verdict)


def test_prepared_operators_pickle():
    conv = ks.Operator("onnx::Conv").prepare(2, attrs={"strides": [2, 2]})
    again = pickle.loads(pickle.dumps(conv))
    types = ["f32[1, 3, 230, 230]", "f32[64, 3, 7, 7]"]
    assert again.infer(*types) == conv.infer(*types)


def test_prepared_operators_are_equal_by_what_was_prepared():
    conv = ks.Operator("onnx::Conv")
    own = conv.prepare(2, attrs={"strides": [2, 2], "group": 1})
    assert own == conv.prepare(2, attrs={"group": 1, "strides": [2, 2]})
    others = [conv.prepare(3, attrs={"strides": [2, 2], "group": 1}), conv.prepare(2), conv.prepare(2, attrs={"strides": [1, 2]})]
    assert own not in others and len({own, *others}) == 4
    assert repr(own) == "<kanshape.Prepared onnx::Conv[group = 1, strides = [2, 2]] since 1>"


def test_what_is_found_is_shown_in_a_notebook():
    model = (Path(__file__).parent / "../../../tests/data/models/light_squeezenet.onnx").read_bytes()
    rules = ks.rules("rule twice: Relu(Relu(A)) => Relu(A)")
    shown = [
        (ks.Operator("onnx::Relu").prepare(1), "onnx::Relu"),
        (rules, "<code>Relu(Relu(A)) =&gt; Relu(A)</code>"),
        (rules[0], "twice"),
        (rules[0].check(), "<code>always</code>"),
        (ks.load("op Same(a: T[..r]) -> (b: T[..r])"), "op Same"),
    ]
    for value, text in shown:
        assert text in value._repr_html_()
    report = ks.check(model, dims={"data_0": ["N", 3, 224, 224]})
    assert "<code>f32[N, 3, 224, 224]</code>" in report._repr_html_()
    assert "data_0" in ks.diff(report, ks.check(model))._repr_html_()
    assert "table" in ks.rewrite(model, rules)._repr_html_()
    assert "fn (Tensor[(2, 3), float32]" in ks.program(PROGRAM)._repr_html_()
    assert "onnx::MatMul" in ks.find(["f32[2, 3]", "f32[3, 4]"], "f32[2, 4]", ops=["onnx::MatMul"])._repr_html_()


def test_errors_pickle():
    with pytest.raises(ks.Never) as never:
        ks.infer("(m,n),(n,p)->(m,p)", "f32[2, 3]", "f32[4, 5]")
    with pytest.raises(ks.Several) as several:
        ks.infer("onnx::Concat", "f32[3]", "f32[5]", outputs=["f32[8]"], attrs={"axis": None})
    with pytest.raises(ks.Undecided) as undecided:
        ks.infer("onnx::Concat", "f32[3]", "f32[5]", outputs=["f32[8]"], attrs={"axis": None}, budget=10)
    with pytest.raises(ks.Error) as text:
        ks.Type("f32[")
    assert repr(never.value) == "Never('the two inputs disagree about `n`')"
    for error in (never.value, several.value, undecided.value, text.value):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.code == error.code
    again = pickle.loads(pickle.dumps(never.value))
    assert (again.facts, again.repairs) == (never.value.facts, never.value.repairs)


def test_a_timeout_ends_a_search():
    start = time.monotonic()
    with pytest.raises(ks.Undecided, match="timeout"):
        list(ENDLESS.solve(ground=True, budget=10**15, timeout=0.2))
    assert 0.2 <= time.monotonic() - start < 5
    with pytest.raises(ValueError, match="timeout"):
        ENDLESS.solve(timeout=-1)


def test_whoever_asks_again_is_told_the_same():
    late = ENDLESS.solve(ground=True, budget=10**15, timeout=0.05)
    spent = ENDLESS.solve(ground=True, budget=1000)
    for _ in range(3):
        with pytest.raises(ks.Undecided, match="within the timeout"):
            next(late)
        with pytest.raises(ks.Undecided, match="within the budget"):
            next(spent)
    assert late.verdict == spent.verdict == "unknown"
    assert not late.complete and not spent.complete
    with pytest.raises(ks.Undecided, match="within the timeout"):
        next(late)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_search():
    # A process that was started in the background ignores the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    answers = ENDLESS.solve(ground=True, budget=10**15, timeout=60)
    # What is raised while the interpreter drops an object is lost: nothing is left to drop.
    gc.collect()
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        next(answers)
    assert time.monotonic() - start < 30
    timer.join()
    # It is raised once.
    with pytest.raises(ks.Undecided, match="interrupted"):
        next(answers)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    "call",
    [
        lambda: ks.infer(
            "(a),(b),(c),(d)->(a*b*c*d + a*b + c*d*a)",
            *["f32[x]", "f32[y]", "f32[z]", "f32[w]"],
            outputs=["f32[99999999]"],
            where="x > 3, y > 5",
        ),
        lambda: ks.find([None, None], None, depth=3),
    ],
    ids=["infer", "find"],
)
def test_ctrl_c_ends_what_asks_more_than_once(call):
    """Python reports the signal once; all that goes on after it ends as well, and it is not lost with an answer."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    gc.collect()
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call()
        # Where it was done before.
        timer.join()
    assert time.monotonic() - start < 30
    timer.join()


PROGRAM = "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { add(%x, %y) }"


def test_a_budget_ends_what_is_no_search():
    assert ks.program(PROGRAM, budget=10**6, timeout=60).verdict == "always"
    assert ks.find(["f32[2, 3]"], "f32[3, 2]", ops=["onnx::Transpose"]).cut_off == []
    cut = ks.find(["f32[2, 3]"], "f32[3, 2]", ops=["onnx::Transpose"], timeout=0)
    assert cut == [] and cut.cut_off == ["onnx::Transpose"]
    model = (Path(__file__).parent / "../../../tests/data/models/light_squeezenet.onnx").read_bytes()
    dims = {"data_0": ["N", 3, "H", "W"]}
    assert ks.check(model, dims=dims).verdict == "depends"
    for bound in ({"budget": 5}, {"timeout": 0}):
        report = ks.check(model, dims=dims, **bound)
        assert report.verdict == "unknown"
        assert pickle.loads(pickle.dumps(report)).verdict == "unknown"


def test_loaded_operators_pickle():
    own = ks.load("type Box(of)\nop Open(b: Box(A)) -> (of) :- of = A")
    assert (list(own), own.types, own.warnings) == (["Open"], {"Box": ["of"]}, [])
    again = pickle.loads(pickle.dumps(own))["Open"]
    assert again == own["Open"] == pickle.loads(pickle.dumps(own["Open"]))
    assert again != ks.load("type Box(of)\nop Open(b: Box(A)) -> (of: f32[])")["Open"]
    assert again.infer("Box[f32[n]]").outputs[0] == ks.Type("f32[n]")
    prepared = pickle.loads(pickle.dumps(own["Open"].prepare(1)))
    assert prepared.infer("Box[f32[n]]").outputs[0] == ks.Type("f32[n]")
    with pytest.raises(ks.Error, match="takes one argument"):
        ks.load("type Box(of)\nop Open(b: Box(A, A)) -> (of)")


def test_others_run_while_a_search_runs():
    ticks = 0
    done = threading.Event()

    def search():
        with pytest.raises(ks.Undecided):
            list(ENDLESS.solve(ground=True, budget=10**15, timeout=0.5))
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.wait(0.01):
        ticks += 1
    thread.join()
    assert ticks > 5


def test_eight_threads_find_what_one_finds():
    queries = [
        lambda i: ks.infer("(m,n),(n,p)->(m,p)", f"f32[2, {i + 1}]", None, outputs=["f32[2, 4]"]),
        lambda i: ks.infer("+(),()->()", f"f32[n, {i + 1}]", "f32[3, 1]"),
        lambda i: ks.infer("onnx::Conv", f"f32[N, 3, {i + 10}, W]", "f32[8, 3, 3, 3]", attrs={"pads": [1, 1, 1, 1]}),
        lambda i: list(ks.solve("(a,b)->(a*b)", outputs=[f"f32[{i + 12}]"])),
        lambda i: pytest.raises(ks.Never, ks.infer, "(n),(n)->()", f"f32[{i + 1}]", "f32[99]").value.facts,
    ]
    jobs = [(query, i) for i in range(40) for query in queries]
    alone = [query(i) for query, i in jobs]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda job: job[0](job[1]), jobs)) == alone
