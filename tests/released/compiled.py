"""Shows counterexamples of `values.kan` to JAX, whose compiler has the bugs that these rules restate.

    compiled.py REPORT PAGE

REPORT is what `kanshape rule check --json` prints of the rules. Operation by operation JAX has to give the numbers of the left side, and compiled
those of the right side. Prints a table, and exits with 1 if a rule is not replayed, or if the table is not in PAGE. With
KANSHAPE_UPDATE=1 it is written there.
"""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
from jax import lax

BEGIN = "<!-- what follows is printed by tests/released/compiled.py -->\n"
END = "<!-- up to here, by compiled.py -->\n"

# A printed number has as many digits as an f32 needs.
TOLERANCE = 1e-5


def cropped_pad_into_pool(X):
    """Beside the pad that cuts off there is one that does nothing, between the members of an axis that has one."""
    inner = [(0, 0, 1), (0, 0, 0), (0, 0, 0), (-1, 0, 0)]
    padded = lax.pad(X[None], jnp.zeros((), X.dtype), inner)
    ends = [(0, 0), (0, 0), (0, 0), (1, 0)]
    sums = lax.reduce_window(padded, jnp.zeros((), X.dtype), lax.add, (1, 1, 1, 2), (1, 1, 1, 1), ends)
    return sums[0] / 2


def nested_dynamic_slices(X, i, j):
    """The primitive itself: `lax.dynamic_slice` counts from the end where a place is negative."""
    three = lax.dynamic_slice_p.bind(X, i, slice_sizes=(3,))
    return lax.dynamic_slice_p.bind(three, j, slice_sizes=(2,))


def log_of_power(A, B):
    return lax.log(lax.pow(A, B))


REPLAYED = [cropped_pad_into_pool, nested_dynamic_slices, log_of_power]


def array(text):
    """A type with contents, as it is printed."""
    kind, shape, numbers = re.fullmatch(r"(\w+)\[([^\]]*)\] = \[(.*)\]", text).groups()
    dtype = {"f32": np.float32, "i64": np.int32}[kind]
    shape = [int(size) for size in shape.split(",") if size]
    return np.array([float(own) for own in numbers.split(",") if own], dtype).reshape(shape)


def shown(values):
    return "`" + str([float(f"{own:.6g}") for own in np.ravel(values)]).replace(".0,", ",").replace(".0]", "]") + "`"


def row(rule, case):
    """A line of the table; none if JAX gives other numbers."""
    leaves = [jnp.asarray(array(text)) for text in case["leaves"].values()]
    with jax.disable_jit():
        plain = rule(*leaves)
    compiled = jax.jit(rule)(*leaves)
    for who, found, side in [("plain", plain, "left"), ("compiled", compiled, "right")]:
        expected = array(case[side])
        if not np.allclose(found, expected, rtol=TOLERANCE, equal_nan=True):
            print(f"{rule.__name__}: {who} gives {found}, and not {expected}", file=sys.stderr)
            return None
    given = ", ".join(f"{name} {text}" for name, text in case["leaves"].items())
    return f"| `{rule.__name__}` | `{given}` | {shown(plain)} | {shown(compiled)} |\n"


def main(report, page):
    checked = {}
    for line in Path(report).read_text().splitlines():
        own = json.loads(line)
        checked[own["rule"]] = own["values"]["counterexample"]
    rows = [row(rule, checked[rule.__name__]) for rule in REPLAYED]
    if None in rows:
        return 1
    table = f"\n| rule | counterexample | JAX {jax.__version__} | compiled |\n| --- | --- | --- | --- |\n" + "".join(rows) + "\n"
    print(table)
    text = Path(page).read_text()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    if old == table:
        return 0
    if os.environ.get("KANSHAPE_UPDATE") == "1":
        Path(page).write_text(before + BEGIN + table + END + after)
        return 0
    print(f"{page} has another table; KANSHAPE_UPDATE=1 writes it", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
