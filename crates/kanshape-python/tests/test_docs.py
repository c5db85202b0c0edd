"""The blocks of the pages are run."""

import doctest
import re
from pathlib import Path

import pytest

import kanshape

ROOT = Path(__file__).parents[3]
# What stands there in Rust stands there in Python as well.
BOTH = ["README.md", *(f"docs/guides/{page}.md" for page in ("compiler-pass", "e-graph", "own-operators", "own-types", "service"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)


def run(page):
    """How many examples a page has that give what stands below them."""
    text = (ROOT / page).read_text()
    assert text.count("```python") == len(BLOCK.findall(text))
    # Lines that are no code keep their place, so that a failure names the right one.
    kept, end = [], 0
    for block in BLOCK.finditer(text):
        kept.append("\n" * text.count("\n", end, block.start(1)))
        kept.append(block[1])
        end = block.end(1)
    test = doctest.DocTestParser().get_doctest("".join(kept), {}, page, page, 0)
    out = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=out.append)
    assert result.failed == 0, "".join(out)
    return result.attempted


def test_the_page_for_python():
    assert run("docs/python.md") > 10


def test_the_page_for_torch(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert run("docs/torch.md") == 7


def test_the_page_for_jax(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert run("docs/guides/jax.md") == 4


@pytest.mark.parametrize("page", BOTH)
def test_pages_in_both_languages(page):
    assert run(page) > 2


def test_the_package():
    result = doctest.testmod(kanshape)
    assert result.attempted > 1
    assert result.failed == 0


def test_the_readme_of_the_package():
    blocks = BLOCK.findall((ROOT / "crates/kanshape-python/README.md").read_text())
    assert len(blocks) == 1
    names = {}
    for line in blocks[0].splitlines():
        code, _, says = line.partition("  # ")
        if says:
            assert str(eval(code, names)) == says
        else:
            exec(code, names)
    assert "ks" in names
