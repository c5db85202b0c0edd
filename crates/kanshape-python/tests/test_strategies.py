"""Strategies of Hypothesis."""

import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import kanshape as ks
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
@given(strategies.inputs("+(),()->()", max_dims=3, dtypes=["float64", "int32"]))
def test_broadcasting_is_that_of_numpy(arrays):
    x, y = arrays
    assert (x + y).shape == np.broadcast_shapes(x.shape, y.shape)
    assert x.dtype == y.dtype


@quick
@given(strategies.inputs("+(),()->()", max_dims=2, almost=True))
def test_what_does_not_broadcast(arrays):
    with pytest.raises(ValueError):
        np.broadcast_shapes(*(x.shape for x in arrays))


@quick
@given(strategies.inputs("onnx::Concat", attrs={"axis": 0}, max_dims=2).filter(len))
def test_operators(arrays):
    assert ks.infer("onnx::Concat", *arrays, attrs={"axis": 0}).outputs


def test_they_shrink_to_small_ones():
    x, y = find(strategies.inputs(MATMUL), lambda arrays: arrays[0].shape[1] >= 2, settings=quick)
    assert (x.shape, y.shape) in {((0, 2), (2, 0))}
    assert not x.any() and not y.any()


def test_all_shapes_that_broadcast_are_found():
    found = {tuple(x.shape for x in arrays) for arrays in _all("+(),()->()", 2, 2)}
    sides = [()] + [(a,) for a in range(3)] + [(a, b) for a in range(3) for b in range(3)]

    def fits(a, b):
        try:
            np.broadcast_shapes(a, b)
        except ValueError:
            return False
        return True

    assert found == {(a, b) for a in sides for b in sides if fits(a, b)}


def _all(rule, max_side, max_dims):
    own = strategies._shapes(rule, max_side, max_dims, ("float32",), ())
    return [tuple(np.zeros(shape) for shape in shapes) for _, shapes in own]


def test_rules_without_shapes_in_bounds():
    with pytest.raises(ValueError, match="no shapes"):
        strategies.inputs("(9)->()", max_side=4)
