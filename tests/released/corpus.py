"""Runs both sides of the counterexamples of the rules in `tests/data/rewrite_rules.jsonl`.

    corpus.py --rules ROWS FOLDER
    corpus.py --run FOLDER

The first writes the rules of all rows to files: FOLDER/3/0.kan has some of those that are checked up to rank 3. For each file,
`kanshape rule check --json --timeout 60 --max-rank 3 --max-dim 3 --write FOLDER/3/models` has to be in FOLDER/3/0.jsonl before the
second. That runs the left side by onnx.reference, which has to give what kanshape says, and the right side, which has to be refused
or to give something else. onnx.reference takes some calls that the standard forbids; where it gives what the left side gives,
onnxruntime has to do otherwise. Exits with 1 where that is not so.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import onnx

from replay import Pass, are, by_reference, by_runtime, outputs, prepared, undeclared

# The most rules of a file. The files are checked at the same time.
MOST_RULES = 80

# What shows that the sides differ, and of how many counterexamples.
COUNTED = {"onnx.reference": 101, "onnxruntime": 12}

# The left sides that onnx.reference does not run, by the number of the row.
NOT_RUN = {
    "rule_30": "ConvTranspose of one spatial axis is not implemented",
    "rule_32": "Flatten is written as a reshape to (0, -1), which is refused where the 0 is copied",
    "bare_96": "an index into nothing",
    "bare_116": "an index into nothing",
    "rule_117": "an index into nothing",
    "bare_119": "an index into nothing",
    "bare_120": "an index into nothing",
    "bare_127": "Pad of i4 is not implemented",
    "bare_133": "an operator of Relay",
}


def write(rows, folder):
    texts = {}
    for i, line in enumerate(Path(rows).read_text().splitlines()):
        row = json.loads(line)
        kinds = ["rule"] if row.get("rule") == row.get("bare") else ["rule", "bare"]
        of_rank = texts.setdefault(row.get("max_rank", 3), [])
        of_rank += [f"rule {kind}_{i}: {row[kind]}\n" for kind in kinds if row.get(kind)]
    for rank, rules in texts.items():
        here = Path(folder) / str(rank)
        here.mkdir(parents=True)
        parts = -(-len(rules) // MOST_RULES)
        for part in range(parts):
            (here / f"{part}.kan").write_text("".join(rules[part::parts]))


def run(folder):
    counted = Counter()
    not_run = {}
    failed = []
    for report in sorted(Path(folder).glob("*/*.jsonl")):
        for line in map(json.loads, report.read_text().splitlines()):
            if case := line["counterexample"]:
                what, why = shown(report.parent / "models" / line["rule"], case)
                if what == "left":
                    not_run[line["rule"]] = why
                elif what == "neither":
                    failed.append(f"{line['rule']}: both sides give {why}")
                else:
                    counted[what] += 1
    if counted != COUNTED:
        failed.append(f"counterexamples by what shows them: {dict(counted)}, and not {COUNTED}")
    if not_run.keys() != NOT_RUN.keys():
        failed += [f"{rule}: {not_run.get(rule, 'is run')}" for rule in sorted(not_run.keys() ^ NOT_RUN.keys())]
    for why in failed:
        print(why, file=sys.stderr)
    print(f"{counted.total()} counterexamples are run, and {len(not_run)} can't be", file=sys.stderr)
    return 1 if failed else 0


def shown(path, case):
    """What shows that the sides differ; or `left` or `neither`, and why."""
    left, right = (onnx.load(f"{path}.{side}.onnx") for side in ("left", "right"))
    types = case["left"] if isinstance(case["left"], list) else [case["left"]]
    found = outputs_of(by_reference, left)
    if not are(found, types):
        return "left", found
    found = outputs_of(by_reference, right)
    if not are(found, types):
        return "onnx.reference", None
    if not are(outputs_of(by_runtime, right), types):
        return "onnxruntime", None
    return "neither", found


def outputs_of(run, model):
    return outputs(run, undeclared(model), prepared(model, Pass("")))


if __name__ == "__main__":
    sys.exit(write(*sys.argv[2:]) if sys.argv[1] == "--rules" else run(*sys.argv[2:]))
