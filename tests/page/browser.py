"""A real browser for the pages: Debian's chromium, driven by playwright.

In: the HTML of a page. Out: the page opened from disk and watched: whatever it complains of, asks of the network or
pops up is written down. Where there is no chromium or no playwright, `why_not` says so.
"""

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from time import monotonic
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
"""No sandbox for root in a container; and nothing of the browser's own on the network."""

LAPTOP, PHONE = {"width": 1366, "height": 800}, {"width": 390, "height": 780}


def program():
    """The path of a chromium, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def why_not():
    """What is lacking for these tests, None where nothing is."""
    if find_spec("playwright") is None:
        return "playwright is not installed, so pages are not opened in a browser; pip install -e '.[dev]'"
    if program() is None:
        return f"no browser was found ({', '.join(NAMES)}), so pages are not opened in one; install chromium"
    return None


@contextmanager
def running_browser():
    """A browser with a new, empty profile of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program(), args=list(FLAGS), headless=True)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page that is open, and all that it did besides being shown."""

    page: Any
    address: str
    troubles: list = field(default_factory=list)
    listeners: dict = field(default_factory=dict)

    def watch(self):
        note = self.troubles.append
        self.listeners = {
            "console": lambda one: note(f"console {one.type}: {one.text}"),
            "pageerror": lambda error: note(f"error: {error.stack or error}"),
            "dialog": lambda one: (note(f"dialog: {one.message}"), one.dismiss()),
            "popup": lambda _: note("a window"),
            "download": lambda _: note("a download"),
            "websocket": lambda one: note(f"socket: {one.url}"),
            "request": lambda one: None if one.url == self.address else note(f"request: {one.url}"),
            "framenavigated": lambda one: None if one.url == self.address else note(f"went to {one.url}"),
        }
        for event, listener in self.listeners.items():
            self.page.on(event, listener)

    def leave(self):
        """Make the window as empty as a new one, for the next page."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.mouse.move(0, 0)
        self.page.emulate_media(media="null")
        self.page.goto("about:blank")

    def ask(self, script, given=None):
        """What a script in the page gives back."""
        return self.page.evaluate(script, given)

    def shown(self):
        """How many nodes are open, how many boxes are drawn, the scale, the node selected, the leaves of the view."""
        return self.ask("treewright.shown()")

    def settle(self):
        """Wait until what was done is drawn: flights of the camera take a fifth of a second."""
        self.ask(
            """async () => {
                const frame = () => new Promise(requestAnimationFrame);
                let before = null;
                for (let still = 0, i = 0; still < 3 && i < 200; i++) {
                    await frame();
                    const now = document.querySelector(".world").getAttribute("transform");
                    still = now === before ? still + 1 : 0;
                    before = now;
                }
            }"""
        )

    def wait(self, script, seconds=10):
        """Wait until a script gives something true; the page itself may not evaluate text, so it is asked again."""
        end = monotonic() + seconds
        while not self.ask(script):
            assert monotonic() < end, f"never came true: {script}"

    def text(self, selector):
        """The visible text of the first element that fits."""
        return self.page.locator(selector).first.inner_text()

    def box(self, node):
        """The box of a node of the grown tree, while it is drawn."""
        return self.page.locator(f"#node-{node}")


def new_window(browser, **options):
    """An empty window of its own, as large as on a laptop."""
    context = browser.new_context(**({"viewport": LAPTOP, "locale": "en-GB", "reduced_motion": "reduce"} | options))
    return context.new_page()


def open_page(window, html, folder):
    """Write the page to disk and open it there."""
    file = folder / f"page-{len(list(folder.iterdir()))}.html"
    file.write_text(html, encoding="utf-8")
    visit = Visit(window, file.as_uri())
    visit.watch()
    visit.page.goto(visit.address)
    visit.wait("window.treewright !== undefined")
    return visit
