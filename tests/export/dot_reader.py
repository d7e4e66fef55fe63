"""A reader of the DOT language, as far as its grammar says, for tests: statements with attributes, quoted strings."""

import re

TOKEN = re.compile(r'\s*(?:("(?:\\.|[^"\\])*")|([A-Za-z_][\w]*|-?[\d.]+)|(->|[{}\[\];,=]))', re.DOTALL)


def read(text):
    """The nodes {id: attributes} and edges [(from, to, attributes)] of a digraph; an error where the grammar ends."""
    tokens = list(_tokens(text))
    assert tokens[:3] == [("id", "digraph"), ("id", "tree"), ("sign", "{")]
    assert tokens[-1] == ("sign", "}")
    nodes, edges, at = {}, [], 3
    while at < len(tokens) - 1:
        kind, name = tokens[at]
        assert kind == "id", tokens[at]
        at += 1
        target = None
        if tokens[at] == ("sign", "->"):
            target = tokens[at + 1][1]
            at += 2
        attributes, at = _attributes(tokens, at)
        if target is not None:
            edges.append((name, target, attributes))
        elif name not in ("graph", "node", "edge"):
            assert name not in nodes
            nodes[name] = attributes
    return nodes, edges


def shown(string):
    """What Graphviz shows of a label: escapes of the language, then characters of HTML."""
    from html import unescape

    return unescape(re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], string, flags=re.DOTALL))


def _attributes(tokens, at):
    assert tokens[at] == ("sign", "["), tokens[at]
    found, at = {}, at + 1
    while tokens[at] != ("sign", "]"):
        (_, name), equal, (kind, value) = tokens[at : at + 3]
        assert equal == ("sign", "=")
        assert kind == "id"
        found[name] = value
        at += 3
        if tokens[at] == ("sign", ","):
            at += 1
    return found, at + 1


def _tokens(text):
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at : at + 80]
        if match[1] is not None:
            # In the language only \" is an escape; the others are left for the label.
            yield "id", match[1][1:-1].replace('\\"', '"')
        elif match[2] is not None:
            yield "id", match[2]
        else:
            yield "sign", match[3]
        at = match.end()
