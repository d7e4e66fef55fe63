"""As many mutations as are asked for: python -m tests.store.mutation --n 1000000 --jobs 2; one: --only 4711."""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

PROJECT = Path(__file__).resolve().parents[3]
STEP = 2000


def ask(process, first, last):
    """What a worker says of a stretch of mutations."""
    process.stdin.write(f"{first} {last}\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def worker():
    """A worker that waits for numbers."""
    command = [sys.executable, "-m", "tests.store.mutation.worker"]
    return subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(text):
    """Write to the terminal or the log, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def only(number):
    """One mutation, tried here, with what was done and the file kept."""
    from tests.store.mutation.mutate import mutated
    from tests.store.mutation.trial import tried

    file = mutated(number)
    with TemporaryDirectory() as folder:
        met = tried(file.data, Path(folder, "model.json"), deep=number % 8 == 0)
    say(f"{number}: seed {file.seed}, {file.done}\n{len(file.data)} bytes\n{met}\n")
    if met.how == "wrong":
        kept = Path(f"mutation-{number}.json")
        kept.write_bytes(file.data)
        say(f"kept as {kept}\n")


def main():
    asked = argparse.ArgumentParser(description="Mutated model files: none may crash, hang or eat memory.")
    asked.add_argument("--n", type=int, default=20_000, help="how many")
    asked.add_argument("--first", type=int, default=0, help="the number of the first")
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--only", type=int, help="try one mutation, by its number")
    given = asked.parse_args()
    if given.only is not None:
        return only(given.only)
    start, fields, total, failures = time.monotonic(), Counter(), Counter(), []
    workers = [worker() for _ in range(given.jobs)]
    stretches = [(a, min(a + STEP, given.first + given.n)) for a in range(given.first, given.first + given.n, STEP)]

    def serve(process):
        while stretches:
            told = ask(process, *stretches.pop(0))
            fields.update(told["fields"])
            total.update({name: told[name] for name in ("accepted", "refused")})
            failures.extend(told["failures"])
            done, seconds = total["accepted"] + total["refused"], time.monotonic() - start
            say(
                f"\r{done} of {given.n}: {total['accepted']} accepted, {total['refused']} refused, "
                f"{len(failures)} wrong; {done / seconds:.0f} a second; slowest {told['slowest']:.2f} s, "
                f"largest {told['largest']:.0f} MB   " + ("" if sys.stdout.isatty() else "\n")
            )

    with ThreadPoolExecutor(given.jobs) as pool:
        for future in [pool.submit(serve, process) for process in workers]:
            future.result()
    say(f"\nRefused by field, of {len(fields)}:\n")
    for name, n in fields.most_common(40):
        say(f"  {n:8} {name}\n")
    for failure in failures[:50]:
        say(f"WRONG {failure}\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
