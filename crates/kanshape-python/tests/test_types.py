"""Types and dims, and what is taken for one."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import kanshape as ks


@pytest.mark.parametrize(
    "text, dtype, shape, rank",
    [
        ("f32[2, n, ?]", "float32", (2, ks.Dim("n"), None), 3),
        ("?[2]", None, (2,), 1),
        ("T[...]", None, None, None),
        ("i64[]", "int64", (), 0),
        ("?", None, None, None),
        ("{f32, f64}[2*k]", None, (ks.Dim("2*k"),), 1),
    ],
)
def test_parts(text, dtype, shape, rank):
    ty = ks.Type(text)
    assert (ty.dtype, ty.shape, ty.rank) == (dtype, shape, rank)
    assert ks.Type(str(ty)) == ty
    assert eval(repr(ty), {"Type": ks.Type}) == ty


def test_dtypes():
    assert ks.Type("{f32, f64}[2]").dtypes == {"float32", "float64"}
    assert ks.Type("bool[2]").dtypes == {"bool"}
    assert len(ks.Type("?").dtypes) > 20
    for name in ks.Type("?").dtypes:
        assert ks.Type(name, ()).dtype == name


def test_of_dtype_and_shape():
    assert ks.Type("float32", (2, "n", None)) == ks.Type("f32[2, n, ?]")
    assert ks.Type(np.dtype("i2"), [ks.Dim("n") + 1]) == ks.Type("i16[n + 1]")
    assert ks.Type(np.float64, ()) == ks.Type("f64[]")
    assert ks.Type(None, None) == ks.Type("?[...]")
    assert ks.Type("Float", (2,)) == ks.Type("Float[2]")
    for wrong in (-1, 1.5, 2**63, "n+", object()):
        with pytest.raises((ValueError, TypeError)):
            ks.Type("f32", (wrong,))
    with pytest.raises(ks.Error, match="flaot32"):
        ks.Type("flaot32", (2,))


@pytest.mark.parametrize("dtype", "?bhilqBHILQefdFD")
def test_arrays(dtype):
    array = np.zeros((2, 0, 3), dtype)
    ty = ks.Type(array)
    assert ty.shape == array.shape
    assert np.dtype(ty.dtype) == array.dtype
    assert ks.Type(array.astype(array.dtype.newbyteorder())) == ty


def test_arrays_of_texts_and_of_objects():
    assert str(ks.Type(np.array(["a", "bc"]))) == "str[2]"
    with pytest.raises(ks.Error, match="object"):
        ks.Type(np.array([object()]))


def test_anything_with_shape_and_dtype():
    class Described:
        shape = [2, None, "n"]
        dtype = "float16"

    assert str(ks.Type(Described())) == "f16[2, ?, n]"


def test_onnx_messages():
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3, None, "a b"])
    assert str(ks.Type(value)) == "f32[N, 3, ?, ?]"
    assert str(ks.Type(helper.make_tensor_value_info("x", TensorProto.BFLOAT16, None))) == "bf16[...]"
    assert str(ks.Type(numpy_helper.from_array(np.zeros((2, 3), "i4")))) == "i32[2, 3]"
    sequence = helper.make_sequence_type_proto(value.type)
    assert ks.infer("onnx::SequenceAt", sequence, "i64[]").outputs[0] <= ks.Type("f32[?, 3, ?, ?]")


def test_every_element_type_of_onnx():
    for name, number in TensorProto.DataType.items():
        ty = ks.Type(helper.make_tensor_value_info("x", number, [2]))
        assert (ty.dtype is None) == (name == "UNDEFINED")
        if name not in ("UNDEFINED", "STRING"):
            assert ty.dtype.replace("_", "").startswith(str(helper.tensor_dtype_to_np_dtype(number)).replace("_", "")[:6])


def test_variables_of_pytensor():
    pt = pytest.importorskip("pytensor.tensor", reason="PyTensor is not installed")
    assert str(ks.Type(pt.tensor("x", shape=(2, None), dtype="float32"))) == "f32[2, ?]"
    assert str(ks.Type(pt.matrix("x", dtype="int8").type)) == "i8[?, ?]"


def test_order():
    ty = ks.Type
    assert ty("f32[2, 3]") <= ty("f32[2, ?]") <= ty("f32[?, ?]") <= ty("f32[...]") <= ty("?")
    assert ty("f32[2, 3]") < ty("f32[?, 3]")
    assert not ty("f32[?, 3]") <= ty("f32[2, 3]")
    assert ty("f32[n]") <= ty("f32[n]")
    assert not ty("f32[n]") < ty("f32[n]")
    assert not ty("f32[2]") <= ty("f32[n]")


def test_meet_and_join():
    assert ks.Type("f32[?, 3]") & "f32[2, ?]" == ks.Type("f32[2, 3]")
    assert ks.Type("f32[...]") & np.zeros((2, 3), "f4") == ks.Type("f32[2, 3]")
    assert ks.Type("f32[2, 3]") | "f32[2, 4]" >= ks.Type("f32[2, 3]")
    with pytest.raises(ks.Never):
        ks.Type("f32[2]") & ks.Type("f32[3]")


def test_dims_compute():
    n = ks.Dim("n")
    assert n + n == 2 * n == n * 2
    assert n * 2 + 1 - 1 == 2 * n
    assert (n // 2 % 3).at(n=11) == 2
    assert 10 - n + n == 10
    assert n + -1 == -1 + n == n - 1
    assert n - -1 == n + 1
    assert -1 * n + 2 * n == -n + 2 * n == n
    assert (n * 2 + 1).at(n=3) == 7
    assert (n * 2 + 1).at() is None
    assert (n * ks.Dim("k")).names == ["k", "n"]
    assert int(ks.Dim(3)) == 3
    assert len({n + n, 2 * n}) == 1
    with pytest.raises(TypeError):
        int(n)
    with pytest.raises(TypeError):
        n + 1.5
    with pytest.raises(ks.Undecided):
        n < 3
