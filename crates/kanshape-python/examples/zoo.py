"""Types a folder of ONNX models on a cluster of Dask, and prints a table of what was found.

    python zoo.py FOLDER [BATCH]

BATCH is a name for the first dim of the inputs of all models. With the address of a scheduler in DASK_SCHEDULER, that cluster is used;
else one on this machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
from distributed import Client, LocalCluster

import kanshape as ks


def typed(name: str, model: bytes, batch: str | None = None) -> dict[str, Any]:
    """A row of the table. It runs on a worker: bytes go in, and what is small comes out."""
    try:
        report = ks.check(model, batch=batch, timeout=60)
    except ks.Error as error:
        return {"model": name, "verdict": "error", "problem": error.headline}
    return {
        "model": name,
        "verdict": report.verdict,
        "signature": report.signature,
        "values": len(report.values),
        "conditions": [str(condition) for condition in report.conditions],
        "untyped": len(report.untyped),
        "problem": report.errors[0].headline if report.errors else None,
    }


def table(client: Client, paths: Iterable[Path], batch: str | None = None) -> pd.DataFrame:
    """A row for each model, in the order of the paths. A model is read here, so that no worker needs the files."""
    rows = [client.submit(typed, path.name, path.read_bytes(), batch, pure=False) for path in paths]
    return pd.DataFrame(client.gather(rows)).set_index("model")


def main(folder: str, batch: str | None = None) -> None:
    paths = sorted(Path(folder).glob("**/*.onnx"))
    scheduler = os.environ.get("DASK_SCHEDULER")
    with Client(scheduler) if scheduler else Client(LocalCluster(dashboard_address=None)) as client:
        print(table(client, paths, batch).to_string(max_colwidth=60))


if __name__ == "__main__":
    main(*sys.argv[1:])
