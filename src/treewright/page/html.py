"""The page as one self-contained HTML text.

The data are in a block that the browser does not execute and that nothing inside can close. A content security policy
allows the script and the style sheet by their hashes, and images written out as data, for saving a picture. It blocks
everything else: network, other scripts, forms.
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
from treewright.model.formatting import printable
from treewright.page.page_messages import NO_SCRIPT, in_every_language

ORDER = "order.txt"
"""The asset that lists the others in the order in which they are joined, one per line."""

# What could close the block, or what an editor, a browser or UTF-8 would change: angle brackets, ampersands, line
# separators, bidirectional control characters, lone surrogates.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")

ENDS = ("</script", "</style", "<!--", "\r")
"""What an asset must not contain."""


def page_html(document: Mapping[str, Any]) -> str:
    """Return the page as HTML.

    >>> page_html({"title": "<golf>", "language": "en"})[:42]
    '<!doctype html>\\n<html lang="en">\\n<head>\\n<m'
    """
    script, style = assets()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    language = document.get("language") or "en"
    no_script = [f'<p lang="{one}">{escape(text)}</p>' for one, text in in_every_language(NO_SCRIPT).items()]
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
            f"<noscript>{''.join(no_script)}</noscript>",
            f'<script type="application/json" id="treewright-data">{data_block(document)}</script>',
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def data_block(document: Mapping[str, Any]) -> str:
    """Return the document as JSON that is safe inside a page.

    >>> data_block({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@cache
def assets() -> tuple[str, str]:
    """Return the script and the style sheet of a page."""
    folder = files("treewright.page") / "assets"
    names = [line.partition("#")[0].strip() for line in _read(folder / ORDER).splitlines()]
    parts = {name: _read(folder / name) for name in names if name}
    for name, text in parts.items():
        for end in ENDS:
            if end in text.lower():
                raise TreewrightError(f"The asset {name} contains {end!r}, which must not occur in a page. Remove it.")
    script = "\n".join(text for name, text in parts.items() if name.endswith(".js"))
    style = "\n".join(text for name, text in parts.items() if name.endswith(".css"))
    return f'(() => {{\n"use strict";\n{script}\n}})();\n', style


def _read(asset: Any) -> str:
    return str(asset.read_bytes().decode("utf-8"))


def _hash(text: str) -> str:
    """The hash of an inline text in a content security policy."""
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
