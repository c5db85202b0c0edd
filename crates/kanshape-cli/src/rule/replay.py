"""Calculates both sides of the rule NAME on its counterexample, with ONNX's own reference."""

from pathlib import Path

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

for side in ["left", "right"]:
    model = onnx.load(Path(__file__).with_name(f"NAME.{side}.onnx"))
    feeds = {}
    for own in model.graph.input:
        # A counterexample in types is one whatever the numbers are.
        tensor = own.type.tensor_type
        shape = [dim.dim_value for dim in tensor.shape.dim]
        feeds[own.name] = np.ones(shape, onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
    try:
        outputs = ReferenceEvaluator(model).run(None, feeds)
    except Exception as why:
        print(side, "fails:", why)
        continue
    for output, own in zip(model.graph.output, outputs):
        print(side, output.name, own.dtype, list(own.shape), own.tolist())
