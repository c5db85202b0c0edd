"""Strategies of Hypothesis."""

import os
import random
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

import kanshape as ks
import kanshape._kanshape
from kanshape import strategies

MATMUL = "(m,n),(n,p)->(m,p)"
quick = settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@quick
@given(strategies.inputs(MATMUL, elements=st.integers(-3, 3)))
def test_what_fits_is_multiplied(arrays):
    x, y = arrays
    assert (x @ y).shape == ks.infer(MATMUL, x, y).outputs[0].shape
    assert max(*x.shape, *y.shape) <= 4


@quick
@given(strategies.inputs(MATMUL, almost=True))
def test_what_just_does_not_fit(arrays):
    x, y = arrays
    with pytest.raises(ks.Never):
        ks.infer(MATMUL, x, y)


@quick
@given(strategies.inputs("+(),()->()", max_dims=3, dtypes=["f64", np.int32]))
def test_broadcasting_is_that_of_numpy(arrays):
    x, y = arrays
    assert (x + y).shape == np.broadcast_shapes(x.shape, y.shape)
    assert x.dtype == y.dtype


@quick
@given(strategies.inputs("+(),()->()", max_dims=2, almost=True))
def test_what_does_not_broadcast(arrays):
    with pytest.raises(ks.Never):
        ks.infer("+(),()->()", *arrays)
    # It is refused for a dim, a rank or a dtype.
    x, y = arrays
    if x.dtype == y.dtype:
        with pytest.raises(ValueError):
            np.broadcast_shapes(x.shape, y.shape)


@quick
@given(strategies.inputs("onnx::Concat", attrs={"axis": 0}, max_dims=2).filter(len))
def test_operators(arrays):
    assert ks.infer("onnx::Concat", *arrays, attrs={"axis": 0}).outputs


def test_they_shrink_to_small_ones():
    x, y = find(strategies.inputs(MATMUL), lambda arrays: arrays[0].shape[1] >= 2, settings=quick)
    assert (x.shape, y.shape) == ((1, 2), (2, 1))
    assert not x.any() and not y.any()


def test_all_shapes_that_broadcast_are_found():
    found = {tuple(ty.shape for ty in answer.inputs) for answer in _all("+(),()->()", 2, 2)}
    sides = [()] + [(a,) for a in range(3)] + [(a, b) for a in range(3) for b in range(3)]

    def fits(a, b):
        try:
            np.broadcast_shapes(a, b)
        except ValueError:
            return False
        return True

    assert found == {(a, b) for a in sides for b in sides if fits(a, b)}


def _all(rule, max_dim, max_rank):
    """What all choices come to."""
    path = []
    while True:
        at = 0

        def choose(ways):
            nonlocal at
            if at == len(path):
                path.append((0, ways))
            at += 1
            return path[at - 1][0]

        try:
            yield ks._kanshape.sample(rule, choose, dtypes=["f32"], max_dim=max_dim, max_rank=max_rank)
        except ks.Error:
            pass
        del path[at:]
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return
        path[-1] = (path[-1][0] + 1, path[-1][1])


@quick
@given(strategies.inputs("onnx::Reshape", max_dims=3))
def test_elements_on_which_shapes_depend(arrays):
    x, shape = arrays
    assert x.dtype == np.float32 and shape.dtype == np.int64
    assert ks.infer("onnx::Reshape", x, shape).outputs


@quick
@given(strategies.inputs("onnx::Gather", attrs={"axis": 0}, dtypes=["float64"]))
def test_a_dtype_that_a_rule_takes_only_of_some_inputs(arrays):
    x, indices = arrays
    assert x.dtype == np.float64 and indices.dtype.kind == "i"


def test_an_error_in_a_choice_is_that_error():
    def choose(ways):
        raise KeyError(ways)

    with pytest.raises(KeyError):
        ks._kanshape.sample(MATMUL, choose)


def test_rules_without_shapes_in_bounds():
    with pytest.raises(ValueError, match="no shapes"):
        strategies.inputs("(n)->() where n >= 9", max_side=4)


@quick
@given(strategies.inputs("(n,9)->(n)", max_side=4))
def test_a_size_that_the_rule_fixes_is_what_it_is(arrays):
    assert arrays[0].shape[1] == 9 and arrays[0].shape[0] <= 4


def _drawn(rule, almost):
    """Two tuples of arrays that fit a rule, or just don't; none where it needs an attribute, or has no shapes in the bounds."""
    seen = []
    try:
        strategy = strategies.inputs(rule, max_side=3, max_dims=4, almost=almost)
    except ValueError:
        return seen

    @settings(quick, max_examples=2, phases=[Phase.generate])
    @given(arrays=strategy)
    def draw(arrays):
        seen.append(arrays)

    try:
        draw()
    except Unsatisfiable:
        pass
    return seen


def _answer(rule, arrays):
    """The first answer for these arrays, if there is one. Attributes that a question has to say are solved for."""
    try:
        return next(rule.solve(list(arrays)), None)
    except ks.Error as error:
        if error.code != "K0322":
            raise
        return next(rule.solve(list(arrays), attrs=dict.fromkeys(rule.attributes)), None)


def test_operators_of_the_catalog():
    # Some of each domain, others for another KANSHAPE_SEED; or all of them: KANSHAPE_ALL_RULES=1.
    chosen, names = random.Random(int(os.environ.get("KANSHAPE_SEED", 1))), ks.operators()
    domains = {}
    for name in names:
        domains.setdefault(name.partition("::")[0], []).append(name)
    some = [name for own in domains.values() for name in chosen.sample(own, min(len(own), 8))]
    own = names if os.environ.get("KANSHAPE_ALL_RULES") else some
    start, drawn, refused = time.process_time(), set(), set()
    for name in own:
        rule = ks.Operator(name)
        for arrays in _drawn(rule, almost=False):
            assert _answer(rule, arrays) is not None, (name, arrays)
            drawn.add(name)
        for arrays in _drawn(rule, almost=True):
            assert _answer(rule, arrays) is None, (name, arrays)
            refused.add(name)
    seconds = time.process_time() - start
    print(f"{len(drawn)} of {len(own)} operators in {seconds:.0f} s of CPU, {len(refused)} refuse what is almost right")
    assert len(drawn) > len(own) / 2
    assert len(refused) > len(own) / 2
    assert seconds < len(own)


@quick
@given(strategies.inputs(MATMUL))
def test_no_side_is_0_unless_asked_for(arrays):
    assert all(arrays[0].shape + arrays[1].shape)


def test_sides_of_0():
    x, y = find(strategies.inputs(MATMUL, min_side=0), lambda arrays: True, settings=quick)
    assert 0 in x.shape + y.shape
    with pytest.raises(ValueError, match="min_side=0"):
        strategies.inputs("(n),(m)->() where n*m == 0")
    assert find(strategies.inputs("(n),(m)->() where n*m == 0", min_side=0), lambda arrays: True, settings=quick)
    assert find(strategies.inputs("(n,0)->()"), lambda arrays: True, settings=quick)[0].shape == (1, 0)


@quick
@given(strategies.inputs(MATMUL, min_side=2, max_side=3))
def test_bounds(arrays):
    assert {*arrays[0].shape, *arrays[1].shape} <= {2, 3}


@quick
@given(strategies.inputs("(a),(b)->(a - b)", min_side=1))
def test_outputs_have_no_side_of_0(arrays):
    assert len(arrays[0]) > len(arrays[1])


@quick
@given(strategies.inputs("[s] (h)->(h//s)", params={"s": 3}, min_side=1, max_side=8))
def test_parameters(arrays):
    assert len(arrays[0]) >= 3


@quick
@given(strategies.inputs(MATMUL, inputs=["f32[2, n]", None], where="n >= 3"))
def test_given_inputs_and_conditions(arrays):
    x, y = arrays
    assert x.shape[0] == 2 and x.shape[1] >= 3 and y.shape[0] == x.shape[1]


@quick
@given(strategies.inputs("(n)->(n)", dtypes=st.sampled_from([np.float64, "i32", "complex64"])))
def test_a_strategy_of_dtypes(arrays):
    assert arrays[0].dtype.name in ("float64", "int32", "complex64")


@quick
@given(strategies.inputs(MATMUL, almost=True, elements=st.integers(-9, 9)))
def test_what_just_does_not_fit_with_elements(arrays):
    with pytest.raises(ks.Never):
        ks.infer(MATMUL, *arrays)


def test_what_is_missing():
    with pytest.raises(ValueError, match="attributes that are not given: equation"):
        strategies.inputs("onnx::Einsum")
    with pytest.raises(ValueError, match="num_outputs"):
        strategies.inputs("onnx::Split")
