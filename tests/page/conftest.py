"""What the browser tests share: pages that must not complain."""

import pytest

from tests.page.browser import open_page


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
