"""What figures were made with.

In: who takes part. Out: names and versions, for the head of a run and the page.
"""

import os
import platform
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers import Peer


def made_with(peers: Sequence[Peer]) -> dict[str, str]:
    """The date, the command, the machine, and the versions of all that is there."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]]),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores{processor()}",
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        **{peer.NAME: peer.version() for peer in peers if peer.missing() is None},
    }


def processor() -> str:
    """What the system calls its processor, where it says."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f" of {names[0]}" if names else ""
