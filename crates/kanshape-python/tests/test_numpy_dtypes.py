"""The catalog's operators of NumPy, by the functions that they stand for: dtypes and shapes of what these give, or that they refuse."""

import itertools
import re
from functools import partial

import numpy as np
import pytest
from numpy import fft, linalg

import kanshape as ks

DTYPES = ["bool", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
# Of three operands and more.
FEWER = ["bool", "i1", "u1", "i8", "f2", "f4", "c8"]

# A name of the catalog, and the function that it stands for, the shapes of its arguments, and attributes.
CALLS = {}


def calls(names, *shapes, by=None, **attrs):
    """These operators, on arrays of these shapes and with these attributes, are the functions of their names, or `by`."""
    for name in names.split():
        found = (getattr(place, name, None) for place in (np, linalg, fft))
        own = by or partial(next(f for f in found if callable(f)), **attrs)
        CALLS[name] = own, shapes, attrs


def along(name):
    return lambda x: getattr(np, name)(x, axis=1)


# Element by element.
calls("add multiply maximum minimum fmax fmin subtract power floor_divide remainder divide true_divide", (2, 3), (3,))
calls("arctan2 hypot logaddexp copysign nextafter bitwise_and bitwise_or bitwise_xor left_shift right_shift", (2, 3), (3,))
calls("gcd lcm equal not_equal less less_equal greater greater_equal isclose divmod ldexp", (2, 3), (3,))
calls("logical_and logical_or logical_xor", (2, 3), (3,))
calls("invert bitwise_not bitwise_invert logical_not isnan isfinite isinf signbit", (2, 3))
calls("negative positive sign square reciprocal exp log sqrt sin cos tan sinh cosh tanh", (2, 3))
calls("arcsin arccos arctan arcsinh arccosh arctanh asin acos atan asinh acosh atanh log10 cbrt fabs", (2, 3))
calls("deg2rad rad2deg degrees radians spacing rint round around fix conj conjugate absolute sinc i0", (2, 3))
calls("isneginf isposinf iscomplex isreal nan_to_num sort_complex", (2, 3))
calls("mod fmod pow float_power logaddexp2 heaviside atan2 bitwise_left_shift bitwise_right_shift", (2, 3), (3,))
calls("expm1 log1p exp2 log2 floor ceil trunc abs bitwise_count modf frexp real imag angle", (2, 3))
calls("add_3", (2, 1), (3,), (), by=lambda x, y, z: x + y + z)
calls("multiply_3", (2, 1), (3,), (), by=lambda x, y, z: x * y * z)
calls("popcount", (2, 3), by=np.bitwise_count)
calls("complex_abs", (2, 3), by=np.abs)
calls("where clip", (2, 1), (3,), ())
calls("cast astype", (2, 3), by=lambda x: x.astype("f4"))

# Reductions and scans.
for name in "sum prod nansum nanprod max min amax amin nanmax nanmin any all argmax argmin".split():
    calls(name, (2, 3, 4), by=along(name), axis=1)
for name in "mean nanmean average median nanmedian var std nanvar nanstd count_nonzero".split():
    calls(name, (2, 3, 4), by=along(name), axis=1)
for name in "cumsum cumprod nancumsum nancumprod sort flip argsort".split():
    calls(name, (2, 3), by=along(name), axis=1)
calls("roll", (2, 3), by=lambda x: np.roll(x, 1, axis=1), shift=1, axis=1)
calls("cummax", (2, 3), by=lambda x: np.maximum.accumulate(x, axis=1), axis=1)
calls("global_average_pool", (2, 3, 4), by=lambda x: np.mean(x, axis=(-2, -1)))
for name in "quantile percentile nanquantile nanpercentile".split():
    calls(name, (4, 3), (5,), by=(lambda f: lambda x, q: f(x, q, axis=0))(getattr(np, name)), axis=0)
calls("ptp nanargmax nanargmin", (2, 3))
for name in "cumulative_sum cumulative_prod".split():
    calls(name, (2, 3), by=along(name), axis=1)
calls("partition argpartition", (2, 3), kth=1)
calls("lexsort ediff1d trapezoid gradient unique_values unique_counts unique_inverse unique_all", (2, 3))
calls("diff", (2, 3))
calls("histogram histogram_bin_edges", (8,), bins=4)
calls("bincount unique", (3,))
calls("searchsorted", (4,), (2, 3))
calls("bucketize", (4,), (2, 3), by=np.searchsorted)
calls("digitize", (2, 3), (4,))
calls("fft ifft rfft irfft hfft ihfft fft2 ifft2 fftn ifftn fftshift ifftshift", (2, 4))
calls("fftfreq rfftfreq", n=5)
calls("convolve correlate", (5,), (3,))
calls("polyval", (3,), (2, 3))
calls("polyfit", (4,), (4,), deg=1)
calls("poly_multiply", (5,), (3,), by=np.polymul)

# Linear algebra.
calls("matmul", (5, 2, 3), (3, 4))
calls("dot", (2, 3), (3, 4))
calls("vecdot vdot inner", (2, 3), (2, 3))
calls("matvec", (2, 3), (3,))
calls("vecmat", (2,), (2, 3))
calls("mv", (2, 3), (3,), by=np.matvec)
calls("outer", (2,), (3,))
calls("kron", (2, 3), (4, 5))
calls("cross", (2, 3), (3,))
calls("multi_dot", (2, 3), (3, 4), (4, 5), by=lambda x, y, z: linalg.multi_dot([x, y, z]))
calls("matrix_power", (3, 3), n=2)
calls("trace diagonal", (3, 4, 2))
calls("diag tril triu", (3, 3))
calls("diagflat", (3,))
calls("diag_embed", (3,), by=np.diag)
calls("pack_triangle", (4, 4), by=lambda x: x[np.tril_indices(4)])
calls("solve", (7, 1, 3, 3), (5, 3, 2))
calls("inv det slogdet cholesky eigh eigvalsh eig eigvals", (5, 3, 3))
calls("tensorinv", (2, 3, 6), by=lambda x: linalg.tensorinv(np.eye(6).reshape(2, 3, 6).astype(x.dtype)), ind=2)
calls("tensorsolve", (2, 3, 6), (2, 3), by=lambda x, y: linalg.tensorsolve(np.eye(6).reshape(2, 3, 6).astype(x.dtype), y))
calls("pinv matrix_rank cond matrix_norm qr svd svdvals", (2, 3))
calls("vector_norm norm", (2, 3), by=lambda x: linalg.norm(x, axis=-1), axis=-1)
calls("lstsq", (5, 3), (5, 2))
calls("vander", (3,), N=4)
calls("cov corrcoef", (3, 4))

# Contractions.
EINSUM = {
    "matmul": "ij,jk->ik",
    "batch_matmul": "bij,bjk->bik",
    "ellipsis_matmul": "...ij,...jk->...ik",
    "dot": "i,i->",
    "outer": "i,j->ij",
    "trace": "ii->",
    "diagonal": "ii->i",
    "transpose": "ij->ji",
    "row_sum": "ij->i",
    "total": "ij->",
    "hadamard": "ij,ij->ij",
    "frobenius": "ij,ij->",
    "bilinear": "bi,oij,bj->bo",
    "quadratic_form": "i,ij,j->",
    "attention_scores": "bhqd,bhkd->bhqk",
    "attention_values": "bhqk,bhkd->bhqd",
    "tensor_contraction": "ijkl,klm->ijm",
    "tucker": "abc,ia,jb,kc->ijk",
    "batch_diagonal": "...ii->...i",
}
for name, text in EINSUM.items():
    shapes = [(2,) * len(part.replace("...", "")) for part in text.split("->")[0].split(",")]
    calls(f"einsum.{name}", *shapes, by=(lambda text: lambda *x: np.einsum(text, *x))(text))
calls("einsum.khatri_rao", (2, 5), (3, 5), by=lambda x, y: np.einsum("ik,jk->ijk", x, y).reshape(-1, 5))
calls("tensordot", (2, 3, 4, 5), (4, 5, 6))
calls("einsum", (2, 3), (3, 4), by=lambda x, y: np.einsum("ij,jk->ik", x, y), subscripts="ij,jk->ik")

# Picking and placing.
calls("take_along_axis", (2, 5, 3), (2, 4, 3), by=lambda x, i: np.take_along_axis(x, i, axis=1), axis=1)
for name in "take index_select".split():
    calls(name, (2, 5, 3), (4,), by=lambda x, i: np.take(x, i, axis=1), axis=1)
calls("isin intersect1d union1d setdiff1d setxor1d", (3,), (4,))
calls("unravel_index", (4,), by=lambda i: np.unravel_index(i, (2, 3)), shape=[2, 3])
calls("interp", (2,), (3,), (3,))
calls("slice", (10, 4), by=lambda x: x[2:9:3], start=2, stop=9, step=3)
calls("compress", (2,), (2, 3), axis=0)
calls("extract", (2, 3), (2, 3))
for name in "boolean_mask masked_select".split():
    calls(name, (2, 3), (2, 3), by=lambda x, mask: np.extract(mask, x) if mask.dtype == bool else refuse())
calls("argwhere nonzero flatnonzero", (2, 3))


def refuse():
    raise TypeError


def put(x, i, v):
    x = x.copy()
    np.put_along_axis(x, i, v, axis=1)
    return x


for name in "scatter put_along_axis".split():
    calls(name, (2, 5), (2, 3), (2, 3), by=put, axis=1)
calls("meshgrid", (3,), (4,))
calls("ix_", (3,), (4,))
calls("arange", by=lambda: np.arange(0, 10, 3), start=0, stop=10, step=3)
calls("linspace logspace geomspace", (2,), (2,), num=5)
calls("eye tri", N=3, M=4)
calls("identity", n=3)
calls("zeros ones empty", shape=[2, 3])
calls("full", (), by=lambda x: np.full((2, 3), x), shape=[2, 3])
calls("zeros_like ones_like empty_like copy array asarray asanyarray ascontiguousarray asfortranarray", (2, 3))
calls("full_like", (2, 3), ())
calls("rand_like", (2, 3), by=np.empty_like)
calls("tril_indices triu_indices diag_indices", n=4)
calls("tril_indices_from triu_indices_from", (3, 3))
calls("indices", dimensions=[2, 3])
calls("hanning hamming blackman bartlett", M=5)
calls("kaiser", by=lambda: np.kaiser(5, 1.0), M=5)

# Dims moved, joined, cut, folded and counted.
calls("transpose permute_dims matrix_transpose", (2, 3, 4))
calls("mT", (5, 2, 3), by=np.matrix_transpose)
calls("moveaxis", (2, 3, 4), source=0, destination=-1)
calls("swapaxes", (2, 3, 4), axis1=0, axis2=-1)
calls("rollaxis", (2, 3, 4), axis=2)
calls("stack", (3, 4), (3, 4), by=lambda *x: np.stack(x, axis=1), axis=1)
for name in "concat concatenate cat".split():
    calls(name, (2, 3), (4, 3), (5, 3), by=lambda *x: np.concatenate(x), axis=0)
for name in "vstack hstack dstack column_stack row_stack".split():
    calls(name, (2, 3), (2, 3), by=lambda *x, f=getattr(np, name, np.vstack): f(x))
calls("atleast_1d atleast_2d atleast_3d broadcast_arrays", (2, 3), (3,))
calls("unstack fliplr flipud", (2, 3))
calls("append", (2, 3), (4,))
calls("split array_split vsplit", (2, 6), indices_or_sections=2)
calls("hsplit", (2, 6), indices_or_sections=2)
calls("dsplit", (2, 3, 4), indices_or_sections=2)
calls("delete", (2, 6), obj=1)
calls("resize", (2, 6), new_shape=[3, 5])
calls("split_at", (3, 7), by=lambda x: np.split(x, [2], axis=1), at=2, axis=1)
calls("flatten", (2, 3), by=np.ravel)
calls("ravel size ndim", (2, 3))
calls("squeeze", (2, 1, 3), by=lambda x: np.squeeze(x, 1), axis=1)
for name in "unsqueeze expand_dims".split():
    calls(name, (2, 3), by=lambda x: np.expand_dims(x, 1), axis=1)
calls("tile", (4, 5), reps=[2, 3])
calls("repeat", (2, 4), by=lambda x: np.repeat(x, 3, axis=1), repeats=3, axis=1)
calls("pad", (2, 3), pad_width=[[0, 0], [1, 2]])
calls("sliding_window_view", (2, 10), by=lambda x: np.lib.stride_tricks.sliding_window_view(x, 3, axis=-1), window_shape=3, axis=-1)
calls("rot90", (2, 3, 4))
calls("reshape view", (2, 6), by=lambda x: np.reshape(x, (3, 4)), shape=[3, 4])
calls("broadcast_to expand", (3, 1), by=lambda x: np.broadcast_to(x, (2, 3, 4)), shape=[2, 3, 4])

# The dtype is open, or the values decide it.
OPEN = {"cast", "astype", "eig", "eigvals"}
# Of these NumPy has no function.
NO_FUNCTIONS = {"complex"}


def array(dtype, shape):
    """Numbers for which every function is defined: a matrix is positive definite, a vector is sorted."""
    if len(shape) < 2:
        return np.ones(shape, dtype)
    return np.broadcast_to(np.eye(*shape[-2:]), shape).astype(dtype)


def given(function, arrays):
    """Dtypes and shapes of what a function gives; nothing if it refuses."""
    try:
        found = function(*arrays)
    except (TypeError, ValueError, IndexError):
        return None
    found = map(np.asarray, found if isinstance(found, (tuple, list)) else [found])
    return [(x.dtype.name, x.shape) for x in found]


def said(op, types, attrs):
    """The same of an operator; in a shape, `None` is a size that the contents decide."""
    answers = list(op.solve(types, attrs=attrs, limit=3))
    if not answers:
        return None
    assert len(answers) == 1, (op, types)
    sizes = ((dim if isinstance(dim, int) else None for dim in ty.shape) for ty in answers[0].outputs)
    return [(ty.dtype, tuple(shape)) for ty, shape in zip(answers[0].outputs, sizes)]


def agree(name, found, recorded):
    if found is None or recorded is None:
        return found is recorded
    return len(found) == len(recorded) and all(
        (dtype == own or name in OPEN) and len(shape) == len(sizes) and all(a in (b, None) for a, b in zip(sizes, shape))
        for (own, sizes), (dtype, shape) in zip(found, recorded)
    )


def operators():
    """The operators of NumPy by each of their names; those of a module of it by their last word, where no other is called so."""
    named, modules = {}, {}
    for full in ks.operators("numpy"):
        op = ks.Operator(full)
        names = re.match(r"op ([\w., ]+?)\s*[\[(\"]", op.text)[1]
        for name in map(str.strip, names.split(",")):
            module, _, word = name.rpartition(".")
            (named if module in ("", "einsum") else modules)[name if module == "einsum" else word] = op
    return modules | named


def compare(named):
    wrong, compared = [], 0
    for name, (function, shapes, attrs) in CALLS.items():
        for dtypes in itertools.product(DTYPES if len(shapes) < 3 else FEWER, repeat=len(shapes)):
            recorded = given(function, [array(*own) for own in zip(dtypes, shapes)])
            types = [ks.Type(np.dtype(dtype), shape) for dtype, shape in zip(dtypes, shapes)]
            found = said(named[name], types, attrs)
            compared += 1
            if not agree(name, found, recorded):
                wrong.append((name, dtypes, "NumPy", recorded, "here", found))
    return wrong, compared


def test_every_operator_is_compared():
    assert set(operators()) - set(CALLS) == NO_FUNCTIONS
    assert set(CALLS) <= set(operators())


@pytest.mark.filterwarnings("ignore")
def test_dtypes_are_those_that_numpy_gives():
    wrong, compared = compare(operators())
    if np.lib.NumpyVersion(np.__version__) < "2.4.0":
        # There a percentile of an integer keeps the small floats that it is of.
        others = [row for row in wrong if row[0] not in ("percentile", "nanpercentile")]
        assert len(wrong) - len(others) == 12
        wrong = others
    assert not wrong, wrong[:20]
    assert (len(CALLS), compared) == (374, 23070)


def test_three_dtypes_promote_as_numpy_promotes_them():
    dtypes = [*DTYPES, "i2", "u2", "u4"]
    rule = ks.Signature("():x,():y,():z->():promote(x,y,z)")
    compared = 0
    for three in itertools.product(map(np.dtype, dtypes), repeat=3):
        [found] = rule.infer(*(ks.Type(dtype, ()) for dtype in three)).outputs
        assert found.dtype == np.result_type(*three).name, three
        compared += 1
    assert compared == 14**3
