"""`python -m drystone ARGUMENT...` runs the program drystone: the one that `DRYSTONE_PROGRAM` names,
the one of the build or installation that this package belongs to, or that on the PATH."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Optional


def program() -> Optional[str]:
    """Its path, or none."""
    named = os.environ.get("DRYSTONE_PROGRAM")
    if named:
        return named
    for folder in Path(__file__).resolve().parents[:6]:
        candidate = folder / "bin" / "drystone"
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return str(candidate)
    return shutil.which("drystone")


def main() -> int:
    path = program()
    if path is None:
        print("drystone: the program is neither beside the package nor on the PATH", file=sys.stderr)
        return 127
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
