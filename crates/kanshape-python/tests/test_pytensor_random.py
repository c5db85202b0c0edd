"""Random graphs of PyTensor: with whatever sizes one runs, they are among those that are reported of it."""

import random

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.builders import OpFromGraph
from pytensor.graph.traversal import ancestors

import kanshape as ks
import kanshape.pytensor

# The graph as it is written.
MODE = pytensor.compile.mode.Mode(linker="py", optimizer=None)
REWRITTEN = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")


class Graph:
    """A graph that grows by operators that its sizes allow."""

    def __init__(self, rng):
        self.rng = rng
        self.leaves = {}
        self.values = {}
        for _ in range(rng.randint(1, 2)):
            self.leaf([rng.choice([0, 1, 1, 2, 3, 4]) for _ in range(rng.randint(1, 3))])

    def leaf(self, shape, data=None):
        """An input, of which some sizes are known."""
        data = np.ones(shape) if data is None else data
        static = [size if self.rng.random() < 0.45 else None for size in data.shape]
        variable = pt.tensor(f"v{len(self.leaves)}", shape=static, dtype=str(data.dtype))
        self.leaves[variable] = data
        if data.dtype == "float64":
            self.values[variable] = data.shape
        return variable

    def run(self, outputs):
        function = pytensor.function(list(self.leaves), outputs, mode=MODE, on_unused_input="ignore")
        return function(*self.leaves.values())

    def grow(self):
        rng = self.rng
        variable = rng.choice(list(self.values))
        made = rng.choice(MAKERS)(self, variable, self.values[variable])
        if made is None:
            return
        made = made.astype("float64")
        try:
            self.values[made] = self.run(made).shape
        except (ValueError, IndexError, TypeError, AssertionError):
            # It does not run: nothing is said of it.
            return


def elementwise(g, v, s):
    other = g.leaf(s) if g.rng.random() < 0.6 else v
    return v + other


def bound(g, size):
    kind = g.rng.random()
    if kind < 0.3:
        return None
    if kind < 0.75:
        return g.rng.randint(-size - 1, size + 1)
    other = g.rng.choice([v for v in g.values])
    if other.ndim == 0:
        return None
    of = other.shape[g.rng.randrange(other.ndim)]
    return of if kind < 0.9 else of - 1


def sliced(g, v, s):
    steps = [None, None, 1, 2, 3, -1, -2]
    return v[tuple(slice(bound(g, n), bound(g, n), g.rng.choice(steps)) for n in s[: g.rng.randint(1, len(s))])] if s else None


def indexed(g, v, s):
    return v[g.rng.randint(-s[0], s[0] - 1)] if s and s[0] else None


def new_axis(g, v, s):
    return v[(g.rng.randrange(s[0]), None, slice(bound(g, s[1]), None))] if len(s) > 1 and s[0] else None


def joined(g, v, s):
    if not s:
        return None
    axis = g.rng.randrange(len(s))
    return pt.concatenate([v, g.leaf([*s[:axis], g.rng.randint(1, 3), *s[axis + 1 :]])], axis=g.rng.choice([axis, axis - len(s)]))


def reshaped(g, v, s):
    if not s:
        return None
    ways = [(-1,), (v.shape[0], -1), (s[0], -1), (*v.shape, 1), (v.shape[-1], *v.shape[:-1])]
    return v.reshape(g.rng.choice(ways), ndim=None)


def allocated(g, v, s):
    other = g.rng.choice(list(g.values))
    if not s:
        return None
    return pt.zeros((v.shape[0] + 1, other.shape[0])) if other.ndim else pt.alloc(v, 2, *v.shape)


def picked(g, v, s):
    if not s or not s[0]:
        return None
    places = g.leaf(None, np.array([g.rng.randrange(s[0]) for _ in range(g.rng.randint(1, 4))]))
    ways = [lambda: v[places], lambda: v[places[:, None]]]
    if len(s) > 1 and s[1]:
        ways += [lambda: v[places[:, None], np.array([0])], lambda: v[:, pt.zeros((2,), dtype="int64")], lambda: v[places, ..., :1]]
    if all(s):
        ways.append(lambda: v[v[(slice(None), *(0 for _ in s[1:]))] > 0])
    return g.rng.choice(ways)()


def ranged(g, v, s):
    return pt.arange(g.rng.choice([0, 1, 2]), v.shape[0] + g.rng.choice([0, 1]), g.rng.choice([1, 2])) if s else None


def written(g, v, s):
    if not s:
        return None
    value = g.leaf([1, *s[1:]]) if g.rng.random() < 0.5 else 0.0
    return pt.set_subtensor(v[: g.rng.randint(1, 3)], value)


def product(g, v, s):
    batch = list(s[:-2]) if g.rng.random() < 0.5 else []
    return pt.matmul(v, g.leaf([*batch, s[-1], g.rng.randint(1, 3)])) if s else None


def split(g, v, s):
    return pt.split(v, [1, s[0] - 1], n_splits=2, axis=0)[g.rng.randrange(2)] if s and s[0] > 1 else None


def within(g, v, s):
    inner = v.type()
    own = OpFromGraph([inner], [inner * 2, inner[:1] * 2 if s else inner * 3])
    return own(v)[g.rng.randrange(2)]


def loop(g, v, s):
    if not s or not s[0]:
        return None
    return pytensor.scan(lambda x, h: pt.tanh(h) + x, sequences=[v], outputs_info=[pt.zeros_like(v[0])], return_updates=False)


MAKERS = [
    elementwise, elementwise, sliced, sliced, indexed, new_axis, joined, reshaped, allocated, picked, picked, ranged, written, product, split,
    within, loop,
    lambda g, v, s: pt.stack([v, v], axis=g.rng.randint(0, len(s))),
    lambda g, v, s: pt.diagonal(v, offset=g.rng.randint(-2, 2), axis1=0, axis2=1) if len(s) > 1 else None,
    lambda g, v, s: pt.cumsum(v, axis=g.rng.choice([None, 0, -1])) if s else None,
    lambda g, v, s: g.rng.choice([pt.sort, pt.argsort])(v, axis=-1) if s else None,
    lambda g, v, s: pt.repeat(v, g.rng.randint(1, 3), axis=g.rng.randrange(len(s))) if s else None,
    lambda g, v, s: v.nonzero()[0] if s else None,
    lambda g, v, s: pt.eye(v.shape[0], v.shape[-1]) if s else None,
    lambda g, v, s: v.sum(axis=g.rng.choice([None, 0, -1]), keepdims=g.rng.random() < 0.5) if s else None,
    lambda g, v, s: v.dimshuffle(*g.rng.sample(range(len(s)), len(s))),
    lambda g, v, s: pt.expand_dims(v, g.rng.randint(0, len(s))),
    lambda g, v, s: pt.squeeze(v, axis=s.index(1)) if 1 in s else None,
    lambda g, v, s: g.rng.choice([pt.special.softmax, pt.special.log_softmax])(v, axis=-1) if s else None,
    lambda g, v, s: pt.outer(v.reshape((-1,)), g.rng.choice(list(g.values)).reshape((-1,))),
    lambda g, v, s: pt.tile(v, (2,) * len(s)) if s else None,
    lambda g, v, s: pt.specify_shape(v, tuple(n if g.rng.random() < 0.5 else None for n in s)) if s else None,
    lambda g, v, s: pt.broadcast_to(v, (2, *v.shape)),
]  # fmt: skip


def check(graph):
    outputs = [v for v in graph.values if v not in graph.leaves]
    if not outputs:
        return 0
    variables = [v for v in dict.fromkeys(ancestors(outputs)) if isinstance(v.type, pt.TensorType)]
    shapes = {v: np.shape(value) for v, value in zip(variables, graph.run(variables), strict=True)}
    report = ks.pytensor.check(outputs)
    assert report.errors == [], str(report.errors[0][1])
    assert report.untyped == []
    sizes = {}
    dims = [(dim, size) for v in shapes for dim, size in zip(report.types[v].shape, shapes[v], strict=True)]
    for dim, size in dims:
        if isinstance(dim, int):
            assert dim == size
        elif dim is not None and str(dim).isidentifier():
            # One name is one size.
            assert sizes.setdefault(str(dim), size) == size
    for dim, size in dims:
        if isinstance(dim, ks.Dim) and set(dim.names) <= sizes.keys():
            assert dim.at(**{name: sizes[name] for name in dim.names}) == size
    return report.nodes


def check_compiled(graph):
    """What the rewrites of PyTensor make of a graph."""
    outputs = [v for v in graph.values if v not in graph.leaves]
    function = pytensor.function(list(graph.leaves), outputs, mode=REWRITTEN, on_unused_input="ignore")
    report = ks.pytensor.check(function)
    assert report.errors == [], str(report.errors[0][1])
    for variable, value in zip(function.maker.fgraph.inputs, graph.leaves.values(), strict=True):
        shape = report.shapes.get(variable, value.shape)
        assert all(known in (None, size) for known, size in zip(shape, value.shape, strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_sizes_of_a_run_are_among_those_reported(seed):
    rng = random.Random(seed)
    nodes = 0
    for _ in range(3):
        graph = Graph(rng)
        for _ in range(rng.randint(2, 5)):
            graph.grow()
        nodes += check(graph)
    check_compiled(graph)
    assert nodes > 0
