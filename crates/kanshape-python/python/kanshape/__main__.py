"""The program ``kanshape``, which is a part of this package: ``kanshape``, or ``python -m kanshape``."""

import os
import signal
import sys

from . import _kanshape


def main() -> None:
    # Ctrl-C ends it, as it ends the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # `check --run` starts what this is run by.
    os.environ.setdefault("KANSHAPE_PYTHON", sys.executable)
    sys.exit(_kanshape.command(["kanshape", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
