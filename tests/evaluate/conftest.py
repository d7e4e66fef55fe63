"""The browser of the pages, for the report of a comparison."""

from tests.page.conftest import browser

__all__ = ["browser"]
