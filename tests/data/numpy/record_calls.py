"""Random calls of NumPy's functions: what each gives, or that it refuses. record_calls.py SEED COUNT [NAME...] > numpy_calls.jsonl

A line is a call: the operator's name, the types of its inputs, its attributes, and the types of the results, or why it is refused.
Half of the calls are made to fit, the others have a dim or an argument that does not."""
import json, random, sys, warnings
import numpy as np
warnings.simplefilter("ignore"); np.seterr(all="ignore")
SHORT = {"bool": "bool", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}
NAME = {np.dtype(v): k for k, v in SHORT.items()}
rng = random.Random(int(sys.argv[1])); N = int(sys.argv[2]); ONLY = set(sys.argv[3:])
L, F = np.linalg, np.fft
U = object()  # an argument that is left out

def size(): return rng.choice([0, 1, 1, 2, 2, 3, 3, 4])
def shape(lo=0, hi=3): return [size() for _ in range(rng.randint(lo, hi))]
def dt(): return rng.choice(["f32", "f64", "f32", "i64", "i32", "bool", "u8", "f16", "c64", "c128", "i8", "u64", "i16", "u16", "u32"])
def odd(p): return rng.random() < p
def arr(sh, d=None):
    d = d or dt(); k = SHORT[d]; n = int(np.prod(sh, dtype=int))
    v = np.array([rng.randint(0, 3) for _ in range(n)])
    if d[0] in "fc": v = v + np.array([rng.random() for _ in range(n)])
    if d[0] == "c": v = v + 1j * np.array([rng.random() for _ in range(n)])
    return v.reshape(sh).astype(k)
def mess(sh, p=.1):
    sh = list(sh)
    if odd(p) and sh: sh[rng.randrange(len(sh))] = size()
    if odd(p / 2): sh.insert(rng.randint(0, len(sh)), size())
    if odd(p / 2) and sh: sh.pop(rng.randrange(len(sh)))
    return sh
def bsh(sh):
    o = [1 if odd(.25) else d for d in sh]
    return mess(o[(rng.randint(0, len(o)) if odd(.3) else 0):], .06)
def ax(r):
    if r == 0: return rng.choice([0, -1, 1, 0])
    return rng.randrange(-r, r) if not odd(.05) else rng.choice([r, -r - 1])
def axs(r):
    k = min(r, rng.choice([0, 1, 2, 2, 3])); a = rng.sample(range(r), k)
    a = [x - r if odd(.4) else x for x in a]
    if odd(.04): a.append(ax(r))
    return a
def some(v, p=.5): return v() if odd(p) else U
def tup(v): return tuple(tup(x) for x in v) if isinstance(v, list) else v
DTY = lambda v: np.dtype(SHORT[v])

G = {}
def op(*names, f=None):
    def deco(gen):
        for n in names: G[n] = (gen, f)
        return gen
    return deco
def fn(name):
    for place in (np, L, F, np.lib.stride_tricks):
        o = place
        for p in name.split("."): o = getattr(o, p, None)
        if callable(o): return o
class R(dict):
    """Attributes; what is U is left out."""
    def __init__(self, **kw): super().__init__((k, v) for k, v in kw.items() if v is not U)
def kw(at):
    return {k: (None if v == "-" else DTY(v) if k == "dtype" else tup(v)) for k, v in at.items()}
def plain(f, ins, at): return f(*ins, **kw(at))
def first(f, ins, at): return f(ins, **kw(at))           # a list of arrays
def star(f, ins, at): return f(*ins, **kw(at))
def shaped(f, ins, at): return f(**kw(at))

# elementwise
UN = "exp log sqrt sin cos tan sinh cosh tanh expm1 log1p exp2 log2 log10 floor ceil trunc rint fabs negative positive sign square reciprocal absolute abs invert bitwise_not bitwise_invert logical_not isnan isfinite isinf signbit real imag angle modf frexp bitwise_count arcsin arccos arctan arcsinh arccosh arctanh cbrt conj conjugate deg2rad rad2deg degrees radians spacing sinc i0 fix isneginf isposinf iscomplex isreal asin acos atan asinh acosh atanh nan_to_num around round sort_complex size ndim".split()
def un(): s = shape(); return [arr(s)], {}, plain
for n in UN: G[n] = (un, None)
BI = "add subtract multiply divide true_divide floor_divide remainder mod fmod power pow float_power maximum minimum fmax fmin arctan2 hypot logaddexp logaddexp2 copysign nextafter heaviside bitwise_and bitwise_or bitwise_xor left_shift right_shift bitwise_left_shift bitwise_right_shift gcd lcm equal not_equal less less_equal greater greater_equal isclose logical_and logical_or logical_xor divmod ldexp atan2".split()
def bi(): s = shape(); d = dt(); return [arr(bsh(s), d), arr(bsh(s), d if odd(.4) else None)], {}, plain
for n in BI: G[n] = (bi, None)
@op("where")
def _(): s = shape(); return [arr(bsh(s)), arr(bsh(s)), arr(bsh(s))], {}, plain
@op("clip")
def _():
    s = shape(); k = rng.choice([3, 3, 2]); return [arr(bsh(s)) for _ in range(k)], {}, lambda f, i, a: f(*i) if len(i) > 2 else f(*i, None)

# reductions
def red(dtype=False, dd=None, lo=0):
    def g():
        s = shape(lo, 4); r = len(s)
        at = R(axis=rng.choice([U, ax(r), ax(r), axs(r)]), keepdims=some(lambda: rng.choice([True, False]), .4))
        if dtype and odd(.2): at["dtype"] = rng.choice(["f32", "f64", "i32", "f16", "c64"])
        return [arr(s, dd and dd())], at, plain
    return g
for n in "sum prod nansum nanprod mean nanmean".split(): G[n] = (red(True), None)
for n in "max min amax amin nanmax nanmin ptp any all count_nonzero var std nanvar nanstd".split(): G[n] = (red(), None)
for n in "median nanmedian".split(): G[n] = (red(), None)
@op("average")
def _():
    s = shape(); r = len(s); a = rng.choice([U, ax(r), axs(r)]); ins = [arr(s)]
    if odd(.5):
        w = s
        if isinstance(a, int) and odd(.5) and -r <= a < r: w = [s[a]]
        if isinstance(a, list) and odd(.5):
            try: w = [s[i] for i in a]
            except IndexError: pass
        x = arr(mess(w, .05)); x = (np.abs(x) + 1).astype(x.dtype); ins.append(x)
    return ins, R(axis=a, keepdims=some(lambda: True, .3)), lambda f, i, at: f(i[0], weights=i[1] if len(i) > 1 else None, **kw(at))
@op("argmax", "argmin", "nanargmax", "nanargmin")
def _():
    s = shape(0, 4); return [arr(s)], R(axis=rng.choice([U, ax(len(s)), ax(len(s))]), keepdims=some(lambda: rng.choice([True, False]), .4)), plain
@op("quantile", "nanquantile", "percentile", "nanpercentile")
def _():
    s = shape(); r = len(s); q = rng.choice([[], [], [2], [3], [1], [0]]); qd = rng.choice(["f64", "f64", "f32", "i64", "u8", "bool", "f16", "u64"])
    return [arr(s), (arr(q, qd) * 0).astype(SHORT[qd])], R(axis=rng.choice([U, ax(r), axs(r)]), keepdims=some(lambda: True, .3)), plain
@op("cumsum", "cumprod", "nancumsum", "nancumprod")
def _():
    s = shape(); return [arr(s)], R(axis=rng.choice([U, ax(len(s)), ax(len(s))]), dtype=some(lambda: rng.choice(["f32", "i64", "f64"]), .2)), plain
@op("cumulative_sum", "cumulative_prod")
def _():
    s = shape(); return [arr(s)], R(axis=rng.choice([U, ax(len(s)), ax(len(s))]), include_initial=some(lambda: True, .4)), plain
@op("sort", "argsort")
def _(): s = shape(); return [arr(s)], R(axis=rng.choice([U, U, ax(len(s)), ax(len(s)), "-"])), plain
@op("partition", "argpartition")
def _(): s = shape(1); return [arr(s)], R(kth=rng.choice([0, 0, 1, -1, [0, 1]]), axis=rng.choice([U, ax(len(s)), "-"])), plain
@op("lexsort")
def _(): s = shape(1, 3); return [arr(s)], R(axis=some(lambda: ax(len(s) - 1))), plain
@op("diff")
def _(): s = shape(); return [arr(s)], R(n=some(lambda: rng.randint(0, 3)), axis=some(lambda: ax(len(s)))), plain
@op("ediff1d")
def _(): return [arr(shape())], {}, plain
@op("trapezoid")
def _():
    s = shape(1); a = rng.choice([U, ax(len(s))]); ins = [arr(s)]
    if odd(.4): ins.append(arr(rng.choice([s, [s[a if a is not U and -len(s) <= a < len(s) else -1]]])))
    return ins, R(axis=a), plain
@op("gradient")
def _(): s = shape(0, 3); r = len(s); return [arr(s)], R(axis=rng.choice([U, ax(r), axs(r)])), plain
@op("histogram", "histogram_bin_edges")
def _(): return [arr(shape(), rng.choice([None, "f64", "i64", "f32", "u8"]))], R(bins=some(lambda: rng.randint(0, 5))), plain
@op("bincount")
def _(): n = size(); return [arr(mess([n], .05), rng.choice(["i64", "i32", "u8", "bool", "f32", "u64"]))] + ([arr([n])] if odd(.3) else []), R(minlength=some(lambda: rng.randint(0, 4), .3)), plain
@op("unique")
def _(): s = shape(); return [arr(s)], R(axis=some(lambda: ax(len(s)), .4)), plain
@op("unique_values", "unique_counts", "unique_inverse", "unique_all")
def _(): return [arr(shape())], {}, plain
@op("searchsorted")
def _():
    a = np.sort(arr(mess([size()], .1), rng.choice(["f64", "i64", "f32"])))
    return [a, arr(shape(0, 2), rng.choice([None, "f64"]))], R(side=some(lambda: rng.choice(["left", "right"]), .3)), plain
@op("digitize")
def _(): return [arr(shape(0, 2)), np.sort(arr(mess([size()], .1)))], {}, plain
@op("cov", "corrcoef")
def _():
    s = mess([size(), size()], .3); ins = [arr(s)]
    if odd(.3): ins.append(arr(mess(s, .1)))
    return ins, R(rowvar=some(lambda: rng.choice([True, False]))), plain

# shape
def factors(n):
    out = []
    while n > 1 and odd(.8):
        d = rng.choice([k for k in range(1, n + 1) if n % k == 0]); out.append(d); n //= d
    if n != 1 or odd(.2): out.append(n)
    rng.shuffle(out); return out
@op("reshape")
def _():
    s = shape(0, 3); n = int(np.prod(s, dtype=int)); t = factors(n) if n else rng.choice([[0], [0, 2], [3, 0], [2, 2]])
    if odd(.5) and t: t[rng.randrange(len(t))] = -1
    if odd(.08): t = mess(t, .6)
    if odd(.03): t.append(-1)
    return [arr(s)], R(shape=t[0] if len(t) == 1 and odd(.5) else t), lambda f, i, a: f(i[0], tup(a["shape"]))
@op("ravel")
def _(): return [arr(shape())], {}, plain
@op("transpose", "permute_dims")
def _():
    s = shape(0, 4); p = list(range(len(s))); rng.shuffle(p); p = [x - len(s) if odd(.3) else x for x in p]
    if odd(.06): p = p[1:]
    return [arr(s)], R(axes=some(lambda: p, .6)), plain
@op("matrix_transpose", "linalg.matrix_transpose")
def _(): return [arr(shape(0, 4))], {}, plain
@op("swapaxes")
def _(): s = shape(0, 4); return [arr(s)], R(axis1=ax(len(s)), axis2=ax(len(s))), plain
@op("moveaxis")
def _():
    s = shape(1, 4); a = axs(len(s)); b = rng.sample(range(len(s)), min(len(a), len(s))); b = [x - len(s) if odd(.4) else x for x in b]
    if odd(.5): a, b = ax(len(s)), ax(len(s))
    return [arr(s)], R(source=a, destination=b), plain
@op("rollaxis")
def _(): s = shape(1, 4); return [arr(s)], R(axis=ax(len(s)), start=some(lambda: rng.randint(-len(s), len(s)))), plain
@op("expand_dims")
def _():
    s = shape(); k = rng.choice([1, 2]); r = len(s) + k; return [arr(s)], R(axis=ax(len(s) + 1) if odd(.5) else [x - r if odd(.4) else x for x in rng.sample(range(r), k)]), plain
@op("squeeze")
def _():
    s = [rng.choice([1, 1, 2, 3, 0]) for _ in range(rng.randint(0, 4))]; ones = [i for i, d in enumerate(s) if d == 1]
    a = rng.choice([U, ax(len(s)), rng.sample(ones, min(len(ones), rng.randint(0, 2))), rng.choice(ones or [0])])
    return [arr(s)], R(axis=a), plain
@op("broadcast_to")
def _(): s = shape(); t = bsh(s); return [arr(t)], R(shape=s[0] if len(s) == 1 and odd(.5) else mess(s, .05)), lambda f, i, a: f(i[0], tup(a["shape"]))
@op("broadcast_arrays")
def _(): s = shape(); return [arr(bsh(s)) for _ in range(rng.randint(1, 4))], {}, star
@op("concatenate", "concat")
def _():
    s = shape(1); a = rng.choice([U, ax(len(s)), ax(len(s)), "-"]); xs = []
    for _ in range(rng.randint(1, 5)):
        t = list(s); i = 0 if a is U else a if a != "-" else 0
        if -len(s) <= i < len(s): t[i] = size()
        xs.append(arr(mess(t, .03) if a != "-" else shape()))
    return xs, R(axis=a, dtype=some(lambda: rng.choice(["f64", "c128"]), .1)), first
@op("stack")
def _(): s = shape(); return [arr(mess(s, .03)) for _ in range(rng.randint(1, 5))], R(axis=some(lambda: ax(len(s) + 1), .7)), first
@op("unstack")
def _(): s = shape(1); return [arr(s)], R(axis=some(lambda: ax(len(s)))), plain
def vary(axis, lo):
    def g():
        s = shape(lo); xs = []
        for _ in range(rng.randint(1, 4)):
            t = list(s)
            if len(t) > axis and odd(.7): t[axis] = size()
            xs.append(arr(mess(t, .04)))
        return xs, {}, first
    return g
G["vstack"] = (vary(0, 0), None); G["hstack"] = (vary(1, 0), None); G["dstack"] = (vary(2, 0), None); G["column_stack"] = (vary(1, 0), None)
@op("atleast_1d", "atleast_2d", "atleast_3d")
def _(): return [arr(shape(0, 4)) for _ in range(rng.randint(1, 3))], {}, star
@op("append")
def _():
    s = shape(1); a = rng.choice([U, ax(len(s))]); t = list(s)
    if a is not U and -len(s) <= a < len(s): t[a] = size()
    return [arr(s), arr(mess(t, .05))], R(axis=a), plain
def cuts(n): return rng.choice([rng.randint(1, 4), 2, n or 1, sorted(rng.randint(0, 5) for _ in range(rng.randint(0, 3))), [rng.randint(-3, 5) for _ in range(rng.randint(1, 3))]])
@op("split", "array_split")
def _():
    s = shape(1); a = rng.choice([U, ax(len(s))]); i = 0 if a is U else a
    n = s[i] if -len(s) <= i < len(s) else 2
    if odd(.5) and -len(s) <= i < len(s): s[i] = n = rng.choice([2, 4, 6])
    return [arr(s)], R(indices_or_sections=cuts(n), axis=a), plain
@op("vsplit", "hsplit", "dsplit")
def _(): s = [rng.choice([2, 4, 3, 0, 1]) for _ in range(rng.randint(1, 3))]; return [arr(s)], R(indices_or_sections=cuts(2)), plain
@op("tile")
def _(): s = shape(); k = rng.choice([rng.randint(0, 3), [rng.randint(0, 3) for _ in range(rng.randint(0, 4))]]); return [arr(s)], R(reps=k), plain
@op("repeat")
def _():
    s = shape(); a = rng.choice([U, ax(len(s)), ax(len(s))]); n = int(np.prod(s, dtype=int)) if a is U else s[a] if -len(s) <= a < len(s) else 1
    k = rng.choice([rng.randint(0, 3), [rng.randint(0, 3) for _ in range(n)], [2]])
    return [arr(s)], R(repeats=k, axis=a), plain
@op("delete")
def _(): s = shape(1); a = rng.choice([U, ax(len(s)), ax(len(s))]); return [arr(s)], R(obj=rng.choice([0, -1, 1, [0], [0, 1], [0, -1], []]), axis=a), lambda f, i, at: f(i[0], np.array(at["obj"], int) if isinstance(at["obj"], list) else at["obj"], **{k: v for k, v in at.items() if k == "axis"})
@op("resize")
def _(): return [arr(shape())], R(new_shape=shape(0, 3)), plain
@op("flip")
def _(): s = shape(); return [arr(s)], R(axis=rng.choice([U, ax(len(s)), axs(len(s))])), plain
@op("fliplr", "flipud")
def _(): return [arr(shape())], {}, plain
@op("roll")
def _():
    s = shape(); r = len(s); a = rng.choice([U, ax(r), axs(r)]); k = 1 if not isinstance(a, list) or odd(.4) else [1] * len(a)
    return [arr(s)], R(shift=k, axis=a), plain
@op("rot90")
def _(): s = shape(0, 4); a = rng.choice([U, [ax(len(s)), ax(len(s))]]); return [arr(s)], R(k=some(lambda: rng.randint(-3, 5)), axes=a), plain
@op("pad")
def _():
    s = shape(0, 3); p = lambda: rng.randint(0, 2)
    w = rng.choice([p(), [p(), p()], [p()], [[p(), p()] for _ in s] or 1, [[p(), p()]], [[p()]], [[p()] for _ in s] or 1])
    return [arr(s)], R(pad_width=w, mode=rng.choice([U, U, U, "edge", "constant", "wrap", "reflect", "symmetric", "empty"])), plain
@op("sliding_window_view")
def _():
    s = shape(0, 3); r = len(s); k = rng.choice([0, 1, 1, 2, 2, 3])
    if odd(.6) and r: at = R(window_shape=k, axis=ax(r))
    elif odd(.5): a = axs(r); at = R(window_shape=[rng.randint(0, 3) for _ in a], axis=a)
    else: at = R(window_shape=[rng.choice([1, 1, 2, 0]) for _ in s])
    return [arr(s)], at, plain

# creation
@op("arange")
def _(): return [], rng.choice([R(start=rng.randint(-3, 9)), R(start=rng.randint(-3, 5), stop=rng.randint(-3, 9)), R(start=rng.randint(-3, 5), stop=rng.randint(-3, 9), step=rng.choice([1, 2, 3, -1, -2, 0]), dtype=some(lambda: rng.choice(["f32", "i32"])))]), lambda f, i, a: f(*[a[k] for k in ("start", "stop", "step") if k in a], **({"dtype": DTY(a["dtype"])} if "dtype" in a else {}))
@op("linspace", "logspace", "geomspace")
def _():
    s = shape(0, 2); d = rng.choice(["f64", "f32", "i64", None]); ins = [arr(bsh(s), d), arr(bsh(s), d)]; ins = [(np.abs(x) + 1).astype(x.dtype) for x in ins]
    r = max(x.ndim for x in ins) + 1
    return ins, R(num=some(lambda: rng.randint(0, 5)), axis=some(lambda: ax(r), .4), dtype=some(lambda: rng.choice(["f32", "i64"]), .2)), plain
@op("eye", "tri")
def _(): return [], R(N=rng.randint(0, 4), M=some(lambda: rng.randint(0, 4)), k=some(lambda: rng.randint(-2, 2)), dtype=some(lambda: rng.choice(["f32", "i64", "bool"]), .4)), shaped
@op("identity")
def _(): return [], R(n=rng.randint(0, 4), dtype=some(lambda: rng.choice(["f32", "i64", "bool"]), .4)), shaped
@op("zeros", "ones", "empty")
def _(): return [], R(shape=rng.choice([rng.randint(-1, 4), shape()]), dtype=some(dt)), shaped
@op("full")
def _(): s = shape(); return [arr(bsh(s) if odd(.4) else [])], R(shape=s, dtype=some(dt, .3)), lambda f, i, a: f(tup(a["shape"]), i[0], **({"dtype": DTY(a["dtype"])} if "dtype" in a else {}))
@op("zeros_like", "ones_like", "empty_like")
def _(): return [arr(shape())], R(dtype=some(dt, .3), shape=some(shape, .3)), plain
@op("full_like")
def _(): s = shape(); return [arr(s), arr(bsh(s) if odd(.4) else [])], R(dtype=some(dt, .3)), plain
@op("copy", "ascontiguousarray", "asarray")
def _(): return [arr(shape())], {}, plain
@op("diag")
def _(): return [arr(shape(0, 3))], R(k=some(lambda: rng.randint(-3, 3))), plain
@op("diagflat")
def _(): return [arr(shape(0, 2))], R(k=some(lambda: rng.randint(-3, 3))), plain
@op("tril", "triu")
def _(): return [arr(shape(0, 3))], R(k=some(lambda: rng.randint(-3, 3))), plain
@op("vander")
def _(): return [arr(mess([size()], .1))], R(N=some(lambda: rng.randint(0, 4))), plain
@op("meshgrid")
def _(): return [arr(shape(0, 2) if odd(.1) else shape(0, 1)) for _ in range(rng.randint(1, 4))], R(indexing=some(lambda: rng.choice(["ij", "xy"])), sparse=some(lambda: True, .3)), star
@op("indices")
def _(): return [], R(dimensions=shape(), dtype=some(lambda: rng.choice(["i32", "f64"]), .3)), shaped
@op("ix_")
def _(): return [arr(mess([rng.randint(0, 4)], .05), rng.choice(["i64", "i32", "u8", "f32", "bool"])) for _ in range(rng.randint(1, 3))], {}, star
@op("tril_indices", "triu_indices")
def _(): return [], R(n=rng.randint(0, 4), k=some(lambda: rng.randint(-3, 3)), m=some(lambda: rng.randint(0, 4))), shaped
@op("tril_indices_from", "triu_indices_from")
def _(): return [arr(mess([size(), size()], .1))], R(k=some(lambda: rng.randint(-3, 3))), plain
@op("diag_indices")
def _(): return [], R(n=rng.randint(0, 4), ndim=some(lambda: rng.randint(1, 3))), shaped
@op("hanning", "hamming", "blackman", "bartlett")
def _(): return [], R(M=rng.randint(-2, 6)), shaped
@op("fftfreq", "rfftfreq")
def _(): return [], R(n=rng.randint(1, 6)), shaped

# index
@op("take")
def _():
    s = shape(); a = rng.choice([U, ax(len(s)), ax(len(s))]); return [arr(s), idx(arr(shape(0, 2), rng.choice(["i64", "i32", "u8", "bool", "f32", "u64"])))], R(axis=a), plain
def idx(x): return np.zeros_like(x)
@op("take_along_axis")
def _():
    s = shape(1); a = rng.choice([U, ax(len(s)), ax(len(s)), "-"]); i = -1 if a is U else a; t = list(s)
    if i == "-": t = [size()]
    else:
        t = [1 if odd(.15) else d for d in t]
        if -len(s) <= i < len(s): t[i] = size()
    return [arr(s), idx(arr(mess(t, .05), rng.choice(["i64", "i32", "u8", "bool"])))], R(axis=a), plain
@op("compress")
def _():
    s = shape(); a = rng.choice([U, ax(len(s))]); n = int(np.prod(s, dtype=int)) if a is U else s[a] if -len(s) <= a < len(s) else 1
    return [arr(mess([rng.randint(0, n)], .05), rng.choice(["bool", "bool", "i64"])), arr(s)], R(axis=a), plain
@op("extract")
def _(): s = shape(); return [arr(s, rng.choice(["bool", "bool", "i64"])), arr(mess(s, .05))], {}, plain
@op("nonzero", "flatnonzero", "argwhere")
def _(): return [arr(shape())], {}, plain
@op("isin", "intersect1d", "union1d", "setdiff1d", "setxor1d")
def _(): return [arr(shape(0, 2)), arr(shape(0, 2))], {}, plain
@op("unravel_index")
def _(): return [idx(arr(shape(0, 2), rng.choice(["i64", "i32", "u8", "bool", "f32"])))], R(shape=[rng.randint(1, 3) for _ in range(rng.randint(1, 3))]), plain
@op("interp")
def _(): n = size(); return [arr(shape(0, 2)), np.sort(arr(mess([n], .05))), arr(mess([n], .05))], {}, plain

# linear algebra
def mm():
    b = shape(0, 2); m, k, p = size(), size(), size()
    a = bsh(b) + [m, k] if odd(.8) else [k]; c = bsh(b) + [k, p] if odd(.8) else [k]
    d = dt(); return [arr(mess(a, .05), d), arr(mess(c, .05), d if odd(.5) else None)], {}, plain
G["matmul"] = (mm, None); G["linalg.matmul"] = (mm, None)
@op("dot")
def _():
    k = size(); a = shape(0, 2) + [k] if odd(.85) else []; c = rng.choice([[k], shape(0, 2) + [k, size()], shape(0, 1) + [k, size()], []]); return [arr(mess(a, .05)), arr(mess(c, .05))], {}, plain
@op("inner")
def _(): k = size(); return [arr(mess(shape(0, 2) + [k] if odd(.85) else [], .05)), arr(mess(shape(0, 2) + [k] if odd(.85) else [], .05))], {}, plain
@op("vdot")
def _(): s = shape(); t = list(s); rng.shuffle(t); return [arr(s), arr(mess(t, .1))], {}, plain
@op("outer", "kron")
def _(): return [arr(shape(0, 2)), arr(shape(0, 2))], {}, plain
@op("linalg.outer")
def _(): return [arr(mess([size()], .1)), arr(mess([size()], .1))], {}, plain
@op("vecdot", "linalg.vecdot")
def _(): b = shape(0, 2); k = size(); return [arr(mess(bsh(b) + [k], .05)), arr(mess(bsh(b) + [k], .05))], {}, plain
@op("matvec")
def _(): b = shape(0, 2); m, k = size(), size(); return [arr(mess(bsh(b) + [m, k], .05)), arr(mess(bsh(b) + [k], .05))], {}, plain
@op("vecmat")
def _(): b = shape(0, 2); m, k = size(), size(); return [arr(mess(bsh(b) + [k], .05)), arr(mess(bsh(b) + [k, m], .05))], {}, plain
@op("cross")
def _():
    s = shape(0, 2); x, y = bsh(s) + [rng.choice([3, 3, 2])], bsh(s) + [rng.choice([3, 3, 2])]
    at = R()
    if odd(.3): at = R(axis=ax(len(x)))
    elif odd(.3): at = R(axisa=ax(len(x)), axisb=ax(len(y)), axisc=some(lambda: ax(max(len(x), len(y)))))
    return [arr(mess(x, .05)), arr(mess(y, .05))], at, plain
@op("linalg.cross")
def _(): s = shape(0, 2); return [arr(mess(bsh(s) + [3], .1)), arr(mess(bsh(s) + [3], .1))], {}, plain
@op("tensordot", "linalg.tensordot")
def _():
    a, b = shape(0, 3), shape(0, 3); k = rng.randint(0, 2)
    if odd(.5):
        both = shape(k, k); return [arr(mess(a[:2] + both, .05)), arr(mess(both + b[:2], .05))], R(axes=k if k != 2 or odd(.5) else U), plain
    a, b = a or [2], b or [2]
    ka = rng.sample(range(len(a)), min(len(a), len(b), k)); kb = rng.sample(range(len(b)), len(ka))
    for i, j in zip(ka, kb): b[j] = a[i]
    ka = [i - len(a) if odd(.3) else i for i in ka]
    return [arr(mess(a, .03)), arr(mess(b, .03))], R(axes=[ka, kb] if len(ka) != 1 or odd(.5) else [ka[0], kb[0]]), plain
EQ = ["ij,jk->ik", "ij,jk", "ii", "ii->i", "ij->ji", "i,j->ij", "...ij,...jk->...ik", "bij,bjk->bik", "ij->", "i,i->", "abc,ia->ibc", "...ii->...i", "ij,ij->ij", "bi,oij,bj->bo", "ijk->kji", "...j->..."]
@op("einsum")
def _():
    e = rng.choice(EQ); d = {}; ins = []; b = shape(0, 2)
    for part in e.split("->")[0].split(","):
        s = []
        for c in part.replace("...", "."): s += bsh(b) if c == "." else [d.setdefault(c, size()) if not odd(.05) else 1]
        ins.append(arr(mess(s, .03)))
    return ins, R(subscripts=e), lambda f, i, a: f(a["subscripts"], *i)
@op("multi_dot", "linalg.multi_dot")
def _():
    k = rng.randint(2, 4); ds = [size() for _ in range(k + 1)]; d = dt(); ss = [[ds[i], ds[i + 1]] for i in range(k)]
    if odd(.2): ss[0] = ss[0][1:]
    if odd(.2): ss[-1] = ss[-1][:1]
    return [arr(mess(s, .03), d if odd(.7) else None) for s in ss], {}, first
FD = ["f32", "f64", "c64", "c128", "i64", "bool", "f16", "i32", "u8", "f32", "f64"]
def sq(pos=True, lo=0):
    def g():
        m = rng.choice([0, 1, 2, 3]); s = mess(shape(0, 2) + [m, m], .1); d = rng.choice(FD); x = arr(s, d)
        if x.ndim >= 2 and pos: x = np.broadcast_to(np.eye(*s[-2:]), s).astype(SHORT[d])
        return [x], {}, plain
    return g
for n in "inv det slogdet cholesky eigh eigvalsh linalg.inv linalg.eig eigvals".split(): G[n] = (sq(), None)
G["matrix_power"] = (lambda: (lambda t: (t[0], R(n=rng.randint(-2, 4)), plain))(sq()()), None)
def rect(at=lambda: R()):
    def g():
        s = mess(shape(0, 2) + [rng.choice([0, 1, 2, 3]), rng.choice([0, 1, 2, 3])], .08); d = rng.choice(FD)
        x = arr(s, d)
        if x.ndim >= 2: x = (np.broadcast_to(np.eye(*s[-2:]), s)).astype(SHORT[d])
        return [x], at(), plain
    return g
for n in "pinv matrix_rank svdvals".split(): G[n] = (rect(), None)
G["cond"] = (rect(lambda: R(p=some(lambda: rng.choice(["fro", "nuc"]), .2))), None)
G["qr"] = (rect(lambda: R(mode=some(lambda: rng.choice(["complete", "r", "reduced", "raw"])))), None)
G["svd"] = (rect(lambda: R(full_matrices=some(lambda: rng.choice([True, False])), compute_uv=some(lambda: False, .3))), None)
G["matrix_norm"] = (rect(lambda: R(keepdims=some(lambda: True, .3))), None)
@op("norm", "linalg.norm", "vector_norm")
def _():
    s = shape(0, 4); r = len(s); return [arr(s)], R(axis=rng.choice([U, ax(r), axs(r)]), keepdims=some(lambda: True, .3)), plain
@op("trace")
def _(): s = shape(0, 4); return [arr(s)], R(offset=some(lambda: rng.randint(-2, 2), .4), **(dict(axis1=ax(len(s)), axis2=ax(len(s))) if odd(.4) else {})), plain
@op("diagonal")
def _(): s = shape(0, 4); return [arr(s)], R(offset=some(lambda: rng.randint(-4, 4), .4), **(dict(axis1=ax(len(s)), axis2=ax(len(s))) if odd(.4) else {})), plain
@op("linalg.trace", "linalg.diagonal")
def _(): s = shape(0, 4); return [arr(s)], R(offset=some(lambda: rng.randint(-4, 4), .4)), plain
@op("solve", "linalg.solve")
def _():
    m, k = rng.choice([1, 2, 3, 0]), size(); b = shape(0, 2); s = mess(bsh(b) + [m, m], .05); d = rng.choice(FD); x = arr(s, d)
    if x.ndim >= 2: x = np.broadcast_to(np.eye(*s[-2:]), s).astype(SHORT[d])
    return [x, arr(mess(rng.choice([bsh(b) + [m, k], [m]]), .05), rng.choice(FD))], {}, plain
@op("lstsq")
def _():
    m, n, k = size(), size(), size(); d = rng.choice(FD); x = arr(mess([m, n], .05), d)
    if x.ndim == 2: x = np.eye(*x.shape).astype(SHORT[d])
    return [x, arr(mess(rng.choice([[m, k], [m]]), .05), rng.choice(FD))], {}, plain
@op("tensorinv")
def _():
    a = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))]; n = int(np.prod(a)); b = rng.choice([[n], factors(n) or [1]])
    return [np.eye(n).reshape(a + b).astype(SHORT[rng.choice(FD)])], R(ind=len(a) if len(a) != 2 or odd(.5) else U), plain

# signal
@op("fft", "ifft", "rfft", "ihfft", "irfft", "hfft", "fft.fft")
def _(): s = shape(); return [arr(s)], R(n=some(lambda: rng.randint(0, 6), .4), axis=some(lambda: ax(len(s)), .4)), plain
@op("fft2", "ifft2", "fftn", "ifftn")
def _():
    s = shape(1); a = rng.choice([U, axs(len(s))]); t = some(lambda: [rng.randint(1, 4) for _ in (a if a is not U else s[-2:])], .4)
    return [arr(s)], R(axes=a, s=t), plain
@op("fftshift", "ifftshift")
def _(): s = shape(); return [arr(s)], R(axes=rng.choice([U, ax(len(s)), axs(len(s))])), plain
@op("convolve", "correlate")
def _(): return [arr(mess([size()], .15)), arr(mess([size()], .15))], R(mode=some(lambda: rng.choice(["full", "same", "valid"]))), plain
@op("polyval")
def _(): return [arr(mess([size()], .05)), arr(shape(0, 2))], {}, plain
@op("polyfit")
def _(): n = rng.choice([4, 5, 0]); return [np.arange(n).astype(SHORT[dt()]), arr(mess([n], .1))], R(deg=rng.randint(0, 2)), plain

def typ(x): x = np.asarray(x); return f"{NAME[x.dtype]}[{', '.join(map(str, x.shape))}]"
def main():
    names = [n for n in G if not ONLY or n in ONLY]
    state = 0; made = 0
    while made < N:
        n = names[made % len(names)]; gen, f = G[n]; f = f or fn(n)
        assert f, n
        try: ins, at, how = gen()
        except (ValueError, IndexError): made += 1; continue
        row = {"op": n, "inputs": [typ(x) for x in ins], "attrs": dict(at)}
        try:
            y = how(f, ins, at)
            row["outputs"] = [typ(v) for v in (y if isinstance(y, (tuple, list)) else [y])]
        except KeyError as e: made += 1; continue
        except Exception as e: row["outputs"] = None; row["why"] = f"{type(e).__name__}: {e}".split("\n")[0][:90]
        made += 1
        print(json.dumps(row))
main()
