"""Worker: tries mutations in children that may die, hang or eat memory, and says of each how it was met.

In: lines "first last" of numbers of mutations. Out: a line of JSON for each: counts, and the failures, by number. A
process of its own, because a process with threads, as that of the tests is, cannot be divided safely.
"""

import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.store.mutation.mutate import mutated
from tests.store.mutation.seeds import seeds
from tests.store.mutation.trial import tried

BATCH = 500
"""Mutations that one child tries."""
MOST_SECONDS = 1.0
"""Of the processor, for one file."""
SILENT = 30.0
"""After so many seconds on one file a child is ended."""
MOST_MEMORY = 2**31
"""What a child may ask for; far above what is allowed, so that the machine stays whole."""
TIMES_FILE, AND_MEGABYTES = 10, 64


def run(first: int, last: int) -> dict:
    """Try the mutations from `first` up to `last`, this one not."""
    total = {"accepted": 0, "refused": 0, "fields": Counter(), "failures": [], "slowest": 0.0, "largest": 0.0}
    at = first
    while at < last:
        told, done = _child(at, min(at + BATCH, last))
        for name in ("accepted", "refused"):
            total[name] += told.get(name, 0)
        total["fields"].update(told.get("fields", {}))
        total["failures"] += told.get("failures", [])
        for name in ("slowest", "largest"):
            total[name] = max(total[name], told.get(name, 0.0))
        at = done
    return total


def _child(first: int, last: int) -> tuple[dict, int]:
    """A batch in a child, and the number to go on with: the one behind a mutation that ended the child."""
    shared = mmap.mmap(-1, 16)
    shared[:] = struct.pack("qd", first, time.time())
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            _limit_memory()
            told = json.dumps(_batch(first, last, shared)).encode()
            with os.fdopen(writing, "wb") as out:
                out.write(told)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    parts, ended = [], ""
    while True:
        ready, _, _ = select.select([reading], [], [], 1.0)
        if ready:
            part = os.read(reading, 2**16)
            if not part:
                break
            parts.append(part)
        elif time.time() - struct.unpack("qd", shared[:])[1] > SILENT and not parts:
            ended = f"more than {SILENT} seconds"
            os.kill(pid, signal.SIGKILL)
    os.close(reading)
    status = os.waitpid(pid, 0)[1]
    number = struct.unpack("qd", shared[:])[0]
    if parts:
        return json.loads(b"".join(parts)), last
    why = ended or (f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "the child ended")
    # What the child had found before is lost; its numbers are tried again one by one up to the culprit.
    before = run(first, number) if number > first else {}
    return before | {"failures": [*before.get("failures", []), _failure(number, why)]}, number + 1


def _batch(first: int, last: int, shared: mmap.mmap) -> dict:
    told = {"accepted": 0, "refused": 0, "fields": Counter(), "failures": [], "slowest": 0.0, "largest": 0.0}
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        scratch = Path(folder, "model.json")
        for number in range(first, last):
            shared[:] = struct.pack("qd", number, time.time())
            file = mutated(number)
            before, start = _memory(new=True), time.process_time()
            met = tried(file.data, scratch, deep=number % 8 == 0)
            seconds, megabytes = time.process_time() - start, (_memory(new=False) - before) / 1024
            told["slowest"], told["largest"] = max(told["slowest"], seconds), max(told["largest"], megabytes)
            if seconds > MOST_SECONDS:
                told["failures"].append(_failure(number, f"{seconds:.2f} seconds"))
            if megabytes > AND_MEGABYTES + TIMES_FILE * len(file.data) / 2**20:
                told["failures"].append(_failure(number, f"{megabytes:.0f} megabytes of memory"))
            if met.how == "wrong":
                told["failures"].append(_failure(number, met.what))
            else:
                told[met.how] += 1
                told["fields"][met.what] += met.how == "refused"
    return told


def _failure(number: int, why: str) -> dict:
    file = mutated(number)
    return {"number": number, "seed": file.seed, "done": file.done[:200], "why": why}


def _limit_memory() -> None:
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MOST_MEMORY, held + MOST_MEMORY))


def _memory(*, new: bool) -> int:
    """The most memory this process held since it was asked with `new`, in kilobytes; with `new`, what it holds now."""
    try:
        if new:
            Path("/proc/self/clear_refs").write_text("5")
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Serve until the input ends."""
    seeds()
    for line in sys.stdin:
        first, last = map(int, line.split())
        sys.stdout.write(json.dumps(run(first, last)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
