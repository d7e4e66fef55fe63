"""Frames: how fluid the page of a large tree is in a real browser.

In: a tree of some 20,000 nodes, grown on a table drawn by chance, always the same. Out: how long it takes to open the
page and all nodes in it, and for each frame of moving and zooming the processor time of the page's main thread and the
time between two frames. Needs playwright and a chromium.
Run: python -m benchmarks.page_frames
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from treewright import CARTClassifier

N_FRAMES = 90
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

MOVE = """async ([what, n]) => {
    const frame = () => new Promise(requestAnimationFrame), apart = [];
    await frame();
    let last = performance.now();
    for (let i = 0; i < n; i++) {
        if (what === "move") treewright.pan(i % 30 < 15 ? 14 : -14, i % 20 < 10 ? 6 : -6);
        else treewright.zoom(i < n / 2 ? 1.06 : 1 / 1.06);
        await frame();
        const now = performance.now();
        apart.push(now - last);
        last = now;
    }
    return apart;
}"""
OPEN_ALL = """async () => {
    treewright.open(1e6);
    treewright.fit();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def large_page() -> str:
    """The page of a large tree."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(100_000, 10)).round(3)).add_prefix("x")
    kind = np.where(table["x0"] + rng.normal(size=len(table)) > 0, "yes", "no")
    model = CARTClassifier(pruning=None, max_leaf_nodes=10_000).fit(table, kind)
    print(f"{model.tree_.n_nodes:,} nodes")
    return str(model.to_html())


def processor_time(session: Any) -> float:
    """Milliseconds that the main thread of the page has worked."""
    found = session.send("Performance.getMetrics")["metrics"]
    return 1000.0 * next(float(one["value"]) for one in found if one["name"] == "TaskDuration")


def measure(page: Any, session: Any) -> None:
    """Print a line for each way to look at the tree."""
    start = processor_time(session)
    page.evaluate(OPEN_ALL)
    print(f"all nodes opened: {processor_time(session) - start:.0f} ms of processor time")
    print(f"{'':16}{'':6}{'work a frame':>14}{'median frame':>14}{'95 %':>8}")
    for where, factor in (("whole tree", 1), ("6 times", 6), ("36 times", 6), ("boxes readable", 10)):
        page.evaluate("(factor) => treewright.zoom(factor)", factor)
        for what in ("move", "zoom"):
            start = processor_time(session)
            apart = sorted(page.evaluate(MOVE, [what, N_FRAMES]))
            work = (processor_time(session) - start) / N_FRAMES
            middle, late = apart[N_FRAMES // 2], apart[int(N_FRAMES * 0.95)]
            print(f"{where:16}{what:6}{work:11.1f} ms{middle:11.1f} ms{late:5.0f} ms")


def main() -> None:
    """Open the page and measure it."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "tree.html"
        file.write_text(large_page(), encoding="utf-8")
        browser = driver.chromium.launch(executable_path=program, args=FLAGS, headless=True)
        page = browser.new_context(viewport={"width": 1366, "height": 800}).new_page()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        start = perf_counter()
        page.goto(file.as_uri())
        while not page.evaluate("window.treewright !== undefined"):
            pass
        print(f"open after {perf_counter() - start:.2f} s")
        measure(page, session)
        browser.close()


if __name__ == "__main__":
    main()
