"""What the browser tests share: one browser for all of them, and pages that must not complain."""

import pytest

from tests.page.browser import open_page, running_browser, why_not


@pytest.fixture(scope="session")
def browser():
    """A browser that is started once; tests that need it are skipped, with the reason, where there is none."""
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with running_browser() as found:
        yield found


@pytest.fixture
def visit(browser, tmp_path):
    """Opens pages from disk; when the test is over, none of them may have complained or asked for anything."""
    opened = []

    def opens(html, **options):
        opened.append(open_page(browser, html, tmp_path, **options))
        return opened[-1]

    yield opens
    troubles = [trouble for one in opened for trouble in one.troubles]
    for one in opened:
        one.page.context.close()
    assert troubles == []
