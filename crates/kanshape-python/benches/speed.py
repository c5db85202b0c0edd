"""What a query from Python costs, beside what others ask for the same. Run with a wheel of a release build:

    maturin build --release --out wheels && pip install wheels/*.whl && python benches/speed.py

From Python to Python. Packages that are not installed are left out.
"""

import timeit
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import numpy as np

import kanshape as ks


def imported(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        return None


# At the top of the module: annotations of a function are read in its globals.
jaxtyping, beartype, jax, onnx = (imported(package) for package in ("jaxtyping", "beartype", "jax", "onnx"))

X, Y = np.zeros((2, 3), "f4"), np.zeros((3, 4), "f4")


def plain(x: Any, y: Any) -> Any:
    return x


by_signature = ks.checked("(m,n),(n,p)->(m,n)")(plain)


@ks.checked
def by_annotations(x: Annotated[np.ndarray, ks.T("f32[m, n]")], y: Annotated[np.ndarray, ks.T("f32[n, p]")]) -> Annotated[np.ndarray, ks.T("f32[m, n]")]:
    return x


if jaxtyping and beartype:

    @jaxtyping.jaxtyped(typechecker=beartype.beartype)
    def by_jaxtyping(
        x: jaxtyping.Float32[np.ndarray, "m n"], y: jaxtyping.Float32[np.ndarray, "n p"]
    ) -> jaxtyping.Float32[np.ndarray, "m n"]:
        return x


def checks(function: Callable[..., Any]) -> Callable[[], Any]:
    """A call of a function that refuses what does not fit: one that checks nothing is not timed."""
    for wrong in ((X, X), (X, Y[0]), (X.astype("f8"), Y), (X, None)):
        try:
            function(*wrong)
        except Exception:
            continue
        raise SystemExit(f"{function} takes {wrong}: it checks nothing, and is not timed")
    return lambda: function(X, Y)


def cost(function: Callable[[], Any]) -> float:
    """Microseconds a call: the least of many short rounds, so that what else runs on the machine counts little."""
    timer = timeit.Timer(function)
    timer.timeit(100)
    n = max(1, int(1e-3 / (timer.timeit(100) / 100)))
    return min(timer.repeat(400, n)) / n * 1e6


def rows() -> Any:
    x, y = X, Y
    matmul = ks.Signature("(m,n),(n,p)->(m,p)")
    text = "(m,n),(n,p)->(m,p)"
    a, b = ks.Type("f32[2, 3]"), ks.Type("f32[3, 4]")
    yield "matmul: ks.infer, parsed signature, arrays", lambda: ks.infer(matmul, x, y)
    yield "matmul: ks.infer, text of a signature, arrays", lambda: ks.infer(text, x, y)
    yield "matmul: ks.infer, parsed signature, Types", lambda: ks.infer(matmul, a, b)
    yield "matmul: ks.infer, a named batch", lambda: ks.infer(matmul, "f32[N, 3]", b)
    conv = ks.Operator("onnx::Conv").prepare(2, attrs={"strides": [2, 2]})
    image, kernel = ks.Type("f32[1, 3, 230, 230]"), ks.Type("f32[64, 3, 7, 7]")
    yield "conv: prepared operator, Types", lambda: conv.infer(image, kernel)
    bias = np.zeros(4, "f4")
    add = ks.Signature("+(),()->()")
    yield "broadcast: ks.infer, parsed signature, arrays", lambda: ks.infer(add, y, bias)
    yield "broadcast: np.broadcast_shapes", lambda: np.broadcast_shapes(y.shape, bias.shape)
    yield "matmul itself, NumPy", lambda: x @ y
    yield "a call of a function that does nothing", lambda: plain(x, y)
    yield "the same, ks.checked by a signature", checks(by_signature)
    yield "the same, ks.checked by annotations", checks(by_annotations)
    if jaxtyping and beartype:
        yield "the same, jaxtyping with beartype", checks(by_jaxtyping)
    if jax:
        structs = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in (x, y)]
        yield "matmul: jax.eval_shape", lambda: jax.eval_shape(jax.numpy.matmul, *structs)
        yield "matmul: ks.infer, the same structs", lambda: ks.infer(matmul, *structs)
    if onnx:
        node = onnx.helper.make_node("MatMul", ["x", "y"], ["z"])
        ports = [
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
            for name, shape in (("x", [2, 3]), ("y", [3, 4]), ("z", None))
        ]
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "g", ports[:2], ports[2:]))
        data = model.SerializeToString()
        yield "a model of one matmul: onnx.shape_inference", lambda: onnx.shape_inference.infer_shapes(data)
        yield "a model of one matmul: ks.check", lambda: ks.check(data)
    if imported("pytensor"):
        import pytensor.tensor as pt

        import kanshape.pytensor

        own = ks.pytensor.op(text, np.matmul)
        dot = pt.dot(pt.matrix(), pt.matrix()).owner.op
        u, v = pt.tensor(shape=(2, 3), dtype="float32"), pt.tensor(shape=(3, 4), dtype="float32")
        yield "make_node: PyTensor's own", lambda: dot.make_node(u, v)
        yield "make_node: ks.pytensor.op", lambda: own.make_node(u, v)


def main() -> None:
    print("| | us |\n|---|---|")
    for name, function in rows():
        print(f"| {name} | {cost(function):.2f} |", flush=True)


if __name__ == "__main__":
    main()
