"""Names that try to be more than names, and trees that have nothing else."""

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, leaf, number, table

HOSTILE = [
    "</script><script>alert(1)</script>", "</title><svg onload=alert(1)>", "]]>", "<!--", "-->", "<b>",
    "&amp;", "&#60;", '"', "'", '" onload="alert(1)', "a\nb", "a\r\nb", "tab\there", "nul\x00",
    "\x1b[31m", "\x7f", "\x85", "\u2028", "\u2029", "\u202eevil", "\u2066iso", "\ud800", "\udfff",
    "\ufffe", "\uffff", "", " ", "\\", "\\n", "\\N", 'a\\"', "{a|b}", "$x^2$", "$", "_hidden", "%", "😀",
    "👨‍👩‍👧", "עברית", "हिन्दी", "西瓜", "e\u0301" * 40, "x" * 10_000, "#0", "n=1", "…",
]  # fmt: skip


def tree_of_all():
    """A root with a branch for each of the names, each the class of its leaf, and a column for each of them."""
    names = tuple(dict.fromkeys(HOSTILE))
    columns = (Column("name", Kind.CATEGORY, names), *(Column(name, Kind.NUMBER) for name in names))
    spec = {name: leaf({name: 2, names[-1 - i]: 1}) for i, name in enumerate(names)}
    return build(Schema(columns, Target("t", names)), table("name", spec))


def hostile_tree(evil: str):
    """A tree in which the column, its category, the class and the target are all called so."""
    columns = (Column(evil, Kind.CATEGORY, (evil, "other")), Column("x" + evil, Kind.NUMBER))
    schema = Schema(columns, Target(evil, (evil, "ok")))
    below = number("x" + evil, 1.5, leaf({evil: 1}), leaf({"ok": 2, evil: 1}))
    return build(schema, table(evil, {evil: leaf({evil: 2}), "other": below}))
