"""Reading a page back: what a browser would find in it.

In: HTML. Out: its tags, its blocks, and the document of its data block.
"""

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Found:
    """What stands in a page: (tag, attributes) in order, the texts of scripts and styles, and all other text."""

    tags: list = field(default_factory=list)
    scripts: list = field(default_factory=list)
    styles: list = field(default_factory=list)
    text: str = ""
    doctype: str = ""

    def script(self, **attributes):
        """The texts of the scripts that have exactly these attributes."""
        return [text for given, text in self.scripts if given == attributes]


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found = Found()
        self.open = None

    def handle_decl(self, decl):
        self.found.doctype = decl

    def handle_starttag(self, tag, attrs):
        self.found.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.open = self.found.scripts
            self.open.append((dict(attrs), ""))
        elif tag == "style":
            self.open = self.found.styles
            self.open.append((dict(attrs), ""))

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.open = None

    def handle_data(self, data):
        if self.open is None:
            self.found.text += data
        else:
            given, text = self.open.pop()
            self.open.append((given, text + data))


def read(html):
    """The page, as a parser finds it."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


def document(html):
    """The document of a page; refused where there is not exactly one."""
    (text,) = read(html).script(type="application/json", id="treewright-data")
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant):
    raise AssertionError(f"{constant} is no number of JSON")
