"""What the browser tests share: a window, and pages that must not complain."""

import pytest

from tests.page.browser import new_window, open_page


@pytest.fixture(scope="session")
def empty_windows():
    """Windows that tests have left empty: to open another one takes longer than to open a page in it."""
    return []


@pytest.fixture
def visit(browser, empty_windows, tmp_path):
    """Opens pages from disk; when the test is over, none of them may have complained or asked for anything."""
    opened, usual = [], []

    def opens(html, **options):
        window = empty_windows.pop() if empty_windows and not options else new_window(browser, **options)
        if not options:
            usual.append(window)
        opened.append(open_page(window, html, tmp_path))
        return opened[-1]

    yield opens
    troubles = [trouble for one in opened for trouble in one.troubles]
    for one in opened:
        if troubles or empty_windows or one.page not in usual:
            one.page.context.close()
        else:
            one.leave()
            empty_windows.append(one.page)
    assert troubles == []
