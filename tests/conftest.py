"""What all tests share: the folder of reference data, a browser, and how many examples hypothesis makes.

The default profile makes the same examples every time, so that a red test is red for everybody; the profile
`long` (make check-long) makes many new ones.
"""

import gc
import os
import signal
from collections import Counter
from pathlib import Path

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn skips its array checks without; read on import of scipy

import pytest
from hypothesis import HealthCheck, Phase, settings

# A shell starts background jobs with SIGINT ignored: the tests of Ctrl-C would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

PROJECT = Path(__file__).resolve().parent.parent

# No deadline per example: a busy machine may stall in any of them. pytest-timeout watches the whole test.
# No explain phase: it can take minutes on a failing example, and the example itself says what is wrong.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink)
settings.register_profile("default", derandomize=True, deadline=None, max_examples=30, phases=PHASES)
settings.register_profile(
    "long", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("default")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference tables and results; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("TREEWRIGHT_SHARED", PROJECT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"reference data not found at {folder}; set TREEWRIGHT_SHARED to its folder")
    return folder


@pytest.fixture(scope="session")
def browser():
    """A browser that is started once; tests that need it are skipped, with the reason, where there is none."""
    from tests.page.browser import running_browser, why_not

    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with running_browser() as found:
        yield found


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Search for no garbage among the tests: all stay, and are too many to be looked through again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was skipped and why, one line a reason: a green run without a browser is not one with it."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, n in reasons.most_common():
        terminalreporter.write_line(f"{n} skipped: {reason}")
