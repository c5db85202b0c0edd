"""The example that types many models on a cluster, on one of this machine."""

import sys
from pathlib import Path

from distributed import Client, LocalCluster

HERE = Path(__file__).parent
MODELS = HERE / "../../../tests/data/models"
sys.path.insert(0, str(HERE / "../examples"))

import zoo  # noqa: E402


def test_a_zoo_on_a_local_cluster(tmp_path):
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"this is no model")
    paths = [*sorted(MODELS.glob("light_*.onnx")), MODELS / "broken/joined.onnx", broken]
    # Threads: solving releases the lock, and processes would have to import from this folder.
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            found = zoo.table(client, paths)
            named = zoo.table(client, [MODELS / "light_squeezenet.onnx"], batch="N")
    assert list(found.index) == [path.name for path in paths]
    light = found.loc[[path.name for path in paths[:-2]]]
    assert len(light) == 9
    assert set(light.verdict) == {"always"} and light.untyped.sum() == 0
    assert light.signature["light_squeezenet.onnx"] == "f32[1, 3, 224, 224] -> f32[1, 1000, 1, 1]"
    assert found.verdict["joined.onnx"] == "never" and "don't fit" in found.problem["joined.onnx"]
    assert found.verdict["broken.onnx"] == "error"
    assert named.signature["light_squeezenet.onnx"] == "f32[N, 3, 224, 224] -> f32[N, 1000, 1, 1]"
