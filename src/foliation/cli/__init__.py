"""The command line. One file per command; ``foliation.cli.app`` puts them together."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from importlib.util import find_spec


def main() -> None:
    """Run the command line, or print what it needs."""
    if find_spec("typer") is None or find_spec("rich") is None:
        print('The command line needs typer and rich: run `pip install "foliation[cli]"`.', file=sys.stderr)
        sys.exit(2)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that unfinished files are removed
    try:
        import_module("foliation.cli.app").app()  # imports typer and rich, which are optional
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(130)
