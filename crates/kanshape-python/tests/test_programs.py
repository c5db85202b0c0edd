"""Programs of Relay, as the command line has them."""

import json
import re
from pathlib import Path

import pytest

import kanshape as ks

DATA = Path(__file__).parents[3] / "tests/data/relay"
TEXT = "def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) { nn.dense(%x, %w) }"


def test_a_program_is_typed():
    found = ks.program(TEXT)
    assert (found.verdict, found.entry, found.errors) == ("always", "main", [])
    assert found.type == found.globals["main"].type
    assert found.type.endswith("Tensor[(2, 4), float32]")
    # What is written in reads as the same program.
    assert ks.program(found.annotated).type == found.type


def test_a_program_that_can_not_be():
    found = ks.program(TEXT.replace("(4, 3)", "(4, 5)"))
    assert found.verdict == "never"
    assert found.errors[0].kind == "mismatch"
    assert found.errors[0].code.startswith("K")
    assert found.annotated is None


def test_a_text_that_is_no_program():
    with pytest.raises(ks.Error):
        ks.program("def @main( {")


def test_a_file(tmp_path):
    path = tmp_path / "prog.relay"
    path.write_text(TEXT)
    assert ks.program(path) == ks.program(str(path)) == ks.program(TEXT)


def shown(row):
    """The type of the entry with its conditions, or the kind of the first error; `None` if the program can't be read."""
    try:
        found = ks.program(row["program"])
    except ks.Error:
        return None
    if found.errors:
        return found.errors[0].kind
    own = found.globals[row["expect"].get("entry", "main")]
    return own.type + (f" where {', '.join(own.where)}" if own.where else "")


def test_recorded_programs():
    """Each is as it is recorded but for those that `docs/programs.md` lists, as through Rust (`tests/relay/recorded.rs`)."""
    page = (DATA.parents[2] / "docs/programs.md").read_text()
    _, table = page.split("## Where kanshape says something else than Relay")
    listed = set(re.findall(r"^\| `([^`]+)`", table, re.M))
    rows = [json.loads(line) for line in (DATA / "programs.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["id"] not in listed]
    wrong, unread = [], 0
    for row in rows:
        expect = row["expect"]
        found = shown(row)
        if found is None:
            unread += 1
            assert not expect["ok"], row["id"]
        elif found != (expect["type"] if expect["ok"] else expect["error_kind"]):
            wrong.append((row["id"], found, expect))
    assert not wrong
    assert len(rows) - unread >= 110
