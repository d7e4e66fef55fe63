"""Ways to write a file, tried in processes of their own that are killed or find no room.

Run as a program with the name of a try and a folder: it forks one process per try, looks at the folder after each, and
prints what it found as JSON. A process that forks has no threads here, so that nothing but the writing is tested.
"""

import errno
import json
import os
import signal
import sys
import time
from pathlib import Path

from treewright.disk import atomic_write

OLD = b"old " * 1000
NEW = b"".join(b"row %06d\n" % i for i in range(4000))


def in_one_piece(path, overwrite):
    atomic_write.write_bytes(path, NEW, overwrite=overwrite)


def in_many_pieces(path, overwrite):
    with atomic_write.open_atomic(path, overwrite=overwrite) as file:
        for start in range(0, len(NEW), 4000):
            file.write(NEW[start : start + 4000])


def as_text(path, overwrite):
    atomic_write.write_file(path, NEW.decode(), overwrite=True)


SCENARIOS = {
    "bytes over a file": (in_one_piece, True),
    "bytes": (in_one_piece, False),
    "pieces over a file": (in_many_pieces, True),
    "pieces": (in_many_pieces, False),
    "text over a file": (as_text, True),
}


class Place:
    """A folder with one file to write, and what is right in it afterwards."""

    def __init__(self, folder, name="model.json", old=OLD, new=NEW):
        self.folder, self.path, self.old, self.new = Path(folder), Path(folder) / name, old, new

    def prepare(self, overwrite):
        for path in self.folder.iterdir():
            path.unlink()
        if overwrite:
            self.path.write_bytes(self.old)
        self.overwrite = overwrite

    def found(self, drafts_allowed):
        """"old" or "new"; anything else is damage, and ends the program."""
        others = [path.name for path in self.folder.iterdir() if path != self.path]
        drafts = [name for name in others if name.startswith(".") and name.endswith(".part")]
        assert len(others) == len(drafts) <= drafts_allowed, others
        there = self.path.read_bytes() if self.path.exists() else None
        assert there in (self.new, self.old if self.overwrite else None), (there or b"")[:100]
        return "new" if there == self.new else "old"


def child(work):
    """Start a process that does the work; its id."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return pid


def ended(pid):
    """The signal that ended the process, or minus its exit code."""
    _, status = os.waitpid(pid, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status)


def limit_files(most):
    """Let no file of this process be longer."""
    import resource  # not on every system

    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def killed_at_line(way, path, overwrite, number):
    """Do it, and die before the given line of the module that writes (or behind the last)."""
    n_lines = 0

    def trace(frame, event, _):
        nonlocal n_lines
        if frame.f_code.co_filename != atomic_write.__file__:
            return None
        if event in ("line", "return"):
            if n_lines == number:
                os.kill(os.getpid(), signal.SIGKILL)
            n_lines += 1
        return trace

    sys.settrace(trace)
    way(path, overwrite)


def at_every_line(folder):
    """SIGKILL before each line that runs, in all ways."""
    place, outcomes = Place(folder), {}
    for name, (way, overwrite) in SCENARIOS.items():
        found = []
        for number in range(1000):
            place.prepare(overwrite)
            signal_number = ended(child(lambda w=way, o=overwrite, k=number: killed_at_line(w, place.path, o, k)))
            if signal_number != signal.SIGKILL:
                assert signal_number == 0
                break
            found.append(place.found(drafts_allowed=1))
        outcomes[name] = found
    return outcomes


def at_every_byte(folder):
    """The system kills the process in the middle of a write, behind so many bytes."""
    place, outcomes = Place(folder), {}

    def work(way, overwrite, most):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        limit_files(most)
        way(place.path, overwrite)

    for name, (way, overwrite) in SCENARIOS.items():
        found = []
        for most in [*range(0, len(NEW), len(NEW) // 15), len(NEW) - 1]:
            place.prepare(overwrite)
            assert ended(child(lambda w=way, o=overwrite, m=most: work(w, o, m))) == signal.SIGXFSZ
            found.append(place.found(drafts_allowed=1))
        outcomes[name] = found
    return outcomes


def from_outside(folder):
    """SIGKILL by another process, at any time of a write that takes a while."""
    place, outcomes = Place(folder, new=NEW * 50), {}

    def work(overwrite, ready):
        os.write(ready, b"x")
        if overwrite:
            atomic_write.write_bytes(place.path, place.new, overwrite=True)
        else:
            with atomic_write.open_atomic(place.path, overwrite=False) as file:
                for _ in range(50):
                    file.write(NEW)
        time.sleep(10)

    def kill_after(seconds, overwrite):
        place.prepare(overwrite)
        reader, writer = os.pipe()
        pid = child(lambda: work(overwrite, writer))
        os.read(reader, 1)
        os.close(reader)
        os.close(writer)
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
        assert ended(pid) == signal.SIGKILL
        return place.found(drafts_allowed=1)

    for overwrite in (True, False):
        longest = 0.0005
        while kill_after(longest, overwrite) == "old" and longest < 5:
            longest *= 1.5
        outcomes["over a file" if overwrite else "new"] = [
            kill_after(longest * step / 50, overwrite) for step in range(75)
        ]
    return outcomes


def not_allowed(folder):
    """A limit on the size of a file: an error, and nothing is changed, not even a draft stays."""
    place, outcomes = Place(folder), {}

    def work(way, overwrite, most):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limit_files(most)
        refused_for_want_of_room(way, place.path, overwrite, errno.EFBIG)

    for name, (way, overwrite) in SCENARIOS.items():
        found = []
        for most in [*range(0, len(NEW), len(NEW) // 10), len(NEW) - 1]:
            place.prepare(overwrite)
            assert ended(child(lambda w=way, o=overwrite, m=most: work(w, o, m))) == 0
            found.append(place.found(drafts_allowed=0))
        outcomes[name] = found
    return outcomes


def refused_for_want_of_room(way, path, overwrite, number):
    """Write where there is no room; it must be said of the file that was asked for."""
    said = None
    try:
        way(path, overwrite)
    except OSError as error:
        said = (error.errno, error.filename)
    assert said == (number, str(path)), said


def full_disk(folder):
    """A disk of its own (this program runs where it may mount one) with room for less than the file, or for no name."""
    place, outcomes = Place(folder), {}
    page = os.sysconf("SC_PAGESIZE")
    size = (len(OLD) // page + len(NEW) // page + 4) * page
    mount(folder, f"size={size},nr_inodes=4")  # the folder, the old file, what fills the disk, and the draft
    filler = Path(folder) / "filler"

    def no_room(way, overwrite):
        refused_for_want_of_room(way, place.path, overwrite, errno.ENOSPC)

    for name, (way, overwrite) in SCENARIOS.items():
        found = []
        for free in range(len(NEW) // page + 1):
            place.prepare(overwrite)
            fill(filler, free * page)
            assert ended(child(lambda w=way, o=overwrite: no_room(w, o))) == 0
            filler.unlink()
            found.append(place.found(drafts_allowed=0))
        place.prepare(overwrite)
        others = [Path(folder) / f"other{number}" for number in range(2 if overwrite else 3)]
        for other in others:
            other.touch()  # no room for another name
        assert ended(child(lambda w=way, o=overwrite: no_room(w, o))) == 0
        for other in others:
            other.unlink()
        found.append(place.found(drafts_allowed=0))
        place.prepare(overwrite)
        way(place.path, overwrite)  # and with room, it is written
        assert place.found(drafts_allowed=0) == "new"
        outcomes[name] = found
    return outcomes


def mount(folder, options):
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, options.encode()) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(folder))


def fill(filler, left_free):
    """Write until exactly so much is free."""
    free = os.statvfs(filler.parent)
    n = free.f_bavail * free.f_frsize - left_free
    with filler.open("wb") as file:
        file.write(bytes(n))


def saved_model(folder):
    """The real thing: an estimator that is saved over an older one, killed and without room."""
    from treewright import CARTClassifier

    rows = [[i % 7, i % 3, (i * i) % 11] for i in range(300)]
    small = CARTClassifier(max_depth=1).fit(rows, [i % 2 for i in range(300)])
    large = CARTClassifier().fit(rows, [(i // 3) % 4 for i in range(300)])
    place = Place(folder)
    small.save(place.path)
    place.old = place.path.read_bytes()
    large.save(place.path, overwrite=True)
    place.new = place.path.read_bytes()
    assert len(place.new) > len(place.old) > 0

    def save(path, overwrite):
        large.save(path, overwrite=overwrite)

    def save_with_limit(most, action):
        signal.signal(signal.SIGXFSZ, action)
        limit_files(most)
        if action == signal.SIG_DFL:
            save(place.path, place.overwrite)
        else:
            refused_for_want_of_room(save, place.path, place.overwrite, errno.EFBIG)

    outcomes = {}
    for overwrite in (True, False):
        found = outcomes["saved over a model" if overwrite else "saved"] = []
        for number in range(0, 1000, 4):
            place.prepare(overwrite)
            signal_number = ended(child(lambda o=overwrite, k=number: killed_at_line(save, place.path, o, k)))
            if signal_number != signal.SIGKILL:
                assert signal_number == 0
                break
            found.append(place.found(drafts_allowed=1))
        for most in range(0, len(place.new), len(place.new) // 3):
            for action, end in ((signal.SIG_DFL, signal.SIGXFSZ), (signal.SIG_IGN, 0)):
                place.prepare(overwrite)
                assert ended(child(lambda m=most, a=action: save_with_limit(m, a))) == end
                found.append(place.found(drafts_allowed=1 if end else 0))
    return outcomes


TRIES = {
    try_.__name__: try_
    for try_ in (at_every_line, at_every_byte, from_outside, not_allowed, full_disk, saved_model)
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(TRIES[sys.argv[1]](sys.argv[2])))
