"""File: a document as one HTML text that needs nothing else.

In: the document, and the scripts and styles of the page. Out: HTML. The data stand in an inert block in which nothing
can end it; the one script and the one style sheet are allowed by their hashes, and the browser is told to refuse
everything else: no network, no other script, no form.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from treewright.errors import TreewrightError
from treewright.model.words import printable

ORDER = "order.txt"
"""The asset that lists the others, one on a line, in the order in which they follow each other."""

# What could end the block, or what an editor, a browser or UTF-8 would not pass on as it is: brackets, ampersands,
# line separators, characters that turn the direction of the text around, surrogates without their partner.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")

ENDS = ("</script", "</style", "<!--", "\r")
"""What an asset must not hold."""

NO_SCRIPT = {
    "en": "This page shows a decision tree by a script; allow scripts for it, or open it in another browser.",
    "zh": "本页用脚本显示决策树；请允许运行脚本，或换一个浏览器打开。",
}


def page_text(document: Mapping[str, Any]) -> str:
    """The page as HTML.

    >>> page_text({"title": "<golf>", "language": "en"})[:42]
    '<!doctype html>\\n<html lang="en">\\n<head>\\n<m'
    """
    script, style = assets()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    language = document.get("language") or "en"
    told = [f'<p lang="{one}">{escape(words)}</p>' for one, words in NO_SCRIPT.items()]
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(language)}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="generator" content="Treewright">',
            f"<title>{escape(printable(str(document['title'])))}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            '<div id="treewright"></div>',
            f"<noscript>{''.join(told)}</noscript>",
            f'<script type="application/json" id="treewright-data">{data_block(document)}</script>',
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def data_block(document: Mapping[str, Any]) -> str:
    """The document as JSON that can stand in a page.

    >>> data_block({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@cache
def assets() -> tuple[str, str]:
    """The script and the style sheet of a page."""
    folder = files("treewright.page") / "assets"
    names = [line.partition("#")[0].strip() for line in _read(folder / ORDER).splitlines()]
    parts = {name: _read(folder / name) for name in names if name}
    for name, text in parts.items():
        for end in ENDS:
            if end in text.lower():
                raise TreewrightError(f"The asset {name} holds {end!r}, which cannot stand in a page; take it out.")
    script = "\n".join(text for name, text in parts.items() if name.endswith(".js"))
    style = "\n".join(text for name, text in parts.items() if name.endswith(".css"))
    return f'(() => {{\n"use strict";\n{script}\n}})();\n', style


def _read(asset: Any) -> str:
    return str(asset.read_bytes().decode("utf-8"))


def _hash(text: str) -> str:
    """What a policy calls an inline text."""
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
