"""The peer's side of the bench: for each path read, the CPU seconds that `onnx` takes for the model's bytes.

A line is answered with three numbers: `infer_shapes` as it is called from Python, its C++ alone, and its C++ without
data propagation. Each is the mean of a round of at least 20 ms, as on the other side.
"""

import pathlib
import sys
import time

import onnx
from onnx import shape_inference


def seconds(run):
    count, begun = 0, time.process_time()
    while True:
        run()
        count += 1
        taken = time.process_time() - begun
        if taken >= 0.02:
            return taken / count


print(onnx.__version__, flush=True)
for line in sys.stdin:
    model = pathlib.Path(line.rstrip("\n")).read_bytes()
    native = onnx.onnx_cpp2py_export.shape_inference.infer_shapes
    print(
        seconds(lambda: shape_inference.infer_shapes(model, data_prop=True)),
        seconds(lambda: native(model, False, False, True)),
        seconds(lambda: native(model, False, False, False)),
        flush=True,
    )
