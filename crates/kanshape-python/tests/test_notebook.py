"""The notebook is run, and each cell gives what stands below it."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples/kanshape.ipynb"


def shown(cell):
    """What a cell shows, as text."""
    texts = []
    for output in cell.outputs:
        assert output.output_type != "error", output.evalue
        texts.append(output.text if output.output_type == "stream" else output.data["text/plain"])
    return "".join(texts)


def test_each_cell_gives_what_stands_below_it():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [shown(cell) for cell in cells]
    assert sum(bool(text) for text in stored) > 5
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    assert [shown(cell) for cell in cells] == stored
