"""Failures for tests of engines that run on other processes: tasks that kill theirs, and a ban on treewright."""

import os
import signal
from functools import partial
from inspect import getsource


def refuse_treewright():
    """A script after which a process cannot import treewright."""
    return f"import sys\n{getsource(Refuse)}\n{getsource(forget)}\nforget()\nsys.meta_path.insert(0, Refuse())\n"


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "treewright":
            raise ImportError("treewright is refused")


def forget():
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "treewright"]:
        del sys.modules[name]


def fail_once(marker, *_):
    """Kill the process if the file `marker` exists, which is removed."""
    try:
        os.unlink(marker)  # noqa: PTH108, only one process can
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def kill_this_process(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def run_after(fail, task, *args):
    fail(*args)
    return task(*args)


def let_fail(ship, task, fail):
    """`ship`, by which `task` does something else first."""

    def shipped(function):
        found = ship(function)
        return partial(by_value(run_after), by_value(fail), found) if function is task else found

    return shipped


def by_value(function):
    """A function whose code is sent to other processes, not its name."""
    if isinstance(function, partial):
        return partial(by_value(function.func), *function.args)
    function.__module__ = "shipped_by_value"
    return function

