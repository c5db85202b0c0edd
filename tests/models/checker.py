"""Are models with types written into them what onnx takes for models?

    checker.py BEFORE AFTER...

BEFORE is a folder of models, AFTER are the same models, by file name, with the types of their values. Each of them has to pass
the checker of onnx, which infers the types itself and compares them, unless the model did not pass it before. Prints
what does not pass, and exits with 1 if there is something.
"""

import sys
from pathlib import Path

import onnx


def mistake(path):
    """What the checker has against a model; None if nothing."""
    try:
        onnx.checker.check_model(onnx.load(path), full_check=True)
    except Exception as error:  # Its errors have no common base.
        return f"{type(error).__name__}: {error}"
    return None


def untyped(path):
    """The outputs of nodes that have no declared type."""
    graph = onnx.load(path).graph
    declared = {value.name for value in [*graph.value_info, *graph.output]}
    made = (name for node in graph.node for name in node.output)
    return [name for name in made if name and name not in declared]


def main(before, *after):
    before = {path.name: path for path in Path(before).rglob("*.onnx")}
    passed = refused = failed = 0
    for path in sorted(map(Path, after)):
        if mistake(before[path.name]):
            refused += 1
        elif why := mistake(path):
            failed += 1
            print(f"{path}: {why}")
        else:
            passed += 1
        if names := untyped(path):
            print(f"{path}: without a type: {', '.join(names)}")
    print(f"{passed} models pass, {failed} fail, {refused} did not pass before their types were written")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
