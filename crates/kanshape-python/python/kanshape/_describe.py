"""Where the libraries keep shape and dtype, what is in an array, and names."""

from __future__ import annotations

import operator
import sys
from contextlib import suppress
from numbers import Number
from typing import Any


def describe(obj: Any) -> Any:
    """The type of an object: a text, or its dtype and its shape, of which ``None`` is not known; ``None`` if it has neither."""
    proto = getattr(type(obj), "DESCRIPTOR", None)
    if proto is not None:
        return _onnx(obj, proto.name)
    if isinstance(obj, type):
        return None
    # A variable of PyTensor: its own `shape` is a computation.
    own: Any = getattr(obj, "type", None)
    if isinstance(getattr(own, "shape", None), tuple) and hasattr(own, "dtype"):
        return own.dtype, own.shape
    shape, dtype = getattr(obj, "shape", None), getattr(obj, "dtype", None)
    if shape is None or dtype is None:
        return None
    if isinstance(shape, tuple) and not all(type(size) is int for size in shape):
        shape = tuple(_size(size) for size in shape)
    return dtype, shape


def symbolic_size(obj: Any) -> Any:
    """A symbolic size of torch as a dim; ``None`` if it is none."""
    return _size(obj) if hasattr(obj, "node") else None


def _size(size: Any) -> Any:
    """A symbolic size of JAX or torch as a dim, ``None`` if its text can't be read as one: as a number, that of torch would be one example of
    it, and fixed to that."""
    node = getattr(size, "node", None)
    if node is not None and hasattr(node, "is_symbolic"):
        is_symbolic = node.is_symbolic()
    else:
        is_symbolic = hasattr(type(size), "__floordiv__") and not isinstance(size, Number) and not _is_index(size)
    if not is_symbolic:
        return size
    from ._kanshape import Dim, symbolic_dim

    return size if isinstance(size, Dim) else symbolic_dim(str(size))


def _is_index(size: Any) -> bool:
    try:
        operator.index(size)
    except Exception:
        return False
    return True


def listed(array: Any) -> list[Any] | None:
    """What is in a small array of integers, in a row; ``None`` if that can't be read."""
    if isinstance(array, list) or not hasattr(array, "shape"):
        return None
    with suppress(Exception):
        return _flat(array.tolist())
    numpy = sys.modules.get("numpy")
    for read in ("asarray", "from_dlpack"):
        with suppress(Exception):
            found = getattr(numpy, read)(array)
            # What has no `__array__` would be an object in an array.
            if found.dtype.kind in "biu":
                return _flat(found.tolist())
    return None


def _flat(members: Any) -> list[Any] | None:
    flat = members if isinstance(members, list) else [members]
    return flat if all(isinstance(member, int) for member in flat) else None


def default_dtype(library: str, kind: str) -> str:
    """The dtype that a library gives a scalar of Python that stands alone."""
    is_wide = True
    if library == "jax":
        jax = sys.modules.get("jax")
        is_wide = bool(jax is not None and jax.config.jax_enable_x64)
    elif library == "torch":
        torch = sys.modules.get("torch")
        own = str(torch.get_default_dtype()).rpartition(".")[2] if torch is not None else "float32"
        if kind in ("float", "complex"):
            return {"float": own, "complex": "complex128" if own == "float64" else "complex64"}[kind]
    wide = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
    narrow = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}
    return (wide if is_wide else narrow)[kind]


_LIBRARIES = {"numpy": "numpy", "jax": "numpy", "torch": "torch", "scipy": "scipy"}
"""The domains in which operators have the names of the functions of a library."""


def operator_name(function: Any) -> str | None:
    """The operator that a function of NumPy, JAX or torch is called like; ``None`` if it is none of theirs."""
    name = getattr(function, "__name__", None)
    if not callable(function) or isinstance(function, type) or not isinstance(name, str):
        return None
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or getattr(owner, "__module__", None) or getattr(owner, "__name__", None)
    if not isinstance(module, str):
        module = type(function).__module__
    library, _, within = module.partition(".")
    domain = _LIBRARIES.get(library)
    if domain is None:
        return None
    from ._kanshape import operators

    known = set(operators(domain))
    # A function of `numpy.linalg` is `numpy::linalg.solve` or `numpy::solve`.
    public = [part for part in within.split(".") if part and not part.startswith("_")]
    if library == "jax" and public[:1] == ["numpy"]:
        del public[0]
    for at in range(len(public) + 1):
        full = f"{domain}::{'.'.join([*public[at:], name])}"
        if full in known:
            return full
    return f"{domain}::{name}"


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
