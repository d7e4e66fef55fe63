"""The interactive page inside a notebook.

In: the HTML of a page. Out: an `InlinePage`, which a notebook shows in a frame. The frame may run the script of the
page, but is otherwise isolated from the notebook, and the page itself loads nothing from the network.
"""

from dataclasses import dataclass, field
from html import escape


@dataclass(frozen=True, slots=True)
class InlinePage:
    """The interactive page of a tree, shown by a notebook; made by `show` of an estimator.

    Parameters
    ----------
    page : str
        The HTML of the page.
    height : int
        Height of the frame in pixels; it is as wide as the cell.
    title : str
        Title of the frame, for screen readers.

    Examples
    --------
    >>> InlinePage("<p>a & b</p>", 400, "tree")
    The interactive page of a tree, which a notebook shows here.
    Elsewhere, write it with to_html("tree.html") and open the file in a browser.
    """

    page: str = field(repr=False)
    height: int
    title: str

    def _repr_html_(self) -> str:
        source, title = escape(self.page), escape(self.title)
        style = f"width:100%;height:{self.height}px;border:1px solid #8888;box-sizing:border-box"
        return f'<iframe title="{title}" sandbox="allow-scripts" style="{style}" srcdoc="{source}"></iframe>'

    def __repr__(self) -> str:
        return (
            "The interactive page of a tree, which a notebook shows here.\n"
            'Elsewhere, write it with to_html("tree.html") and open the file in a browser.'
        )
