"""Where the libraries keep shape and dtype."""

from __future__ import annotations

from typing import Any


def describe(obj: Any) -> Any:
    """The type of an object: a text, or its dtype and its shape, of which ``None`` is not known."""
    proto = getattr(type(obj), "DESCRIPTOR", None)
    if proto is not None:
        return _onnx(obj, proto.name)
    # A variable of PyTensor: its own `shape` is a computation.
    own: Any = getattr(obj, "type", None)
    if isinstance(getattr(own, "shape", None), tuple) and hasattr(own, "dtype"):
        return own.dtype, own.shape
    shape, dtype = getattr(obj, "shape", None), getattr(obj, "dtype", None)
    if shape is not None and dtype is not None:
        if isinstance(shape, tuple) and not all(type(size) is int for size in shape):
            shape = tuple(_size(size) for size in shape)
        return dtype, shape
    raise TypeError(f"a type is a text, a Type, None or something with shape and dtype, and no {type(obj).__name__}")


def _size(size: Any) -> Any:
    """A symbolic size of torch by its text, ``None`` if that is no dim: as a number it would be one example of it, and fixed to that."""
    node = getattr(size, "node", None)
    if node is None or not node.is_symbolic():
        return size
    from ._errors import Error
    from ._kanshape import Dim

    try:
        return Dim(str(size))
    except Error:
        return None


def _onnx(proto: Any, name: str) -> Any:
    if name == "ValueInfoProto":
        return _onnx(proto.type, "TypeProto")
    if name == "TensorProto":
        return _elem(proto.data_type), tuple(proto.dims)
    if name == "TypeProto":
        kind = proto.WhichOneof("value")
        if kind is None:
            return "?"
        if kind == "tensor_type":
            tensor = proto.tensor_type
            if not tensor.HasField("shape"):
                return _elem(tensor.elem_type), None
            return _elem(tensor.elem_type), tuple(_dim(dim) for dim in tensor.shape.dim)
        if kind == "sequence_type":
            return f"Sequence[{_text(proto.sequence_type.elem_type)}]"
        if kind == "optional_type":
            return f"Optional[{_text(proto.optional_type.elem_type)}]"
    raise TypeError(f"a message {name} has no type")


def _text(proto: Any) -> str:
    from ._kanshape import Type

    return str(Type(proto))


def _dim(dim: Any) -> Any:
    kind = dim.WhichOneof("value")
    if kind == "dim_value":
        return dim.dim_value
    if kind == "dim_param" and dim.dim_param.isidentifier():
        return dim.dim_param
    return None


def _elem(number: int) -> str | None:
    return _ELEMENTS[number] if 0 < number < len(_ELEMENTS) else None


# By the numbers of TensorProto.DataType.
_ELEMENTS: tuple[str | None, ...] = (
    None,
    "float32",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "string",
    "bool",
    "float16",
    "float64",
    "uint32",
    "uint64",
    "complex64",
    "complex128",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "uint4",
    "int4",
    "float4_e2m1fn",
    "float8_e8m0fnu",
    "uint2",
    "int2",
    "float6_e2m3fn",
    "float6_e3m2fn",
)
