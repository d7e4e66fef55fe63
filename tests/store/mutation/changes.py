"""Changes: what can be done to the document of a model file. Each change picks a place by chance and says which.

In: a stream of chance, a document of plain Python values, and for some the document of another seed. Out: the document
is changed in place; what is returned is the path of the place.
"""

AGAIN = "\x7fagain\x7f"
"""Stands before a key that is there twice when the document is written."""

INF = float("inf")
ODD_NUMBERS = [
    *(-1, -2, 0, 1, 2, 3, 7, 255, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**30, 10**400),
    *(0.5, -0.5, 1.5, 1e-320, 1e308, -1e308, INF, -INF, float("nan"), -0.0),
]
ODD_VALUES = [None, True, False, "", "7", "nan", "leaves", [], {}, [1], {"a": 1}, [[1.0]], "x" * 5000, "\u202e\x1b[2J"]
LINKS = (
    *("first_child", "n_children", "column", "n_codes", "table_code", "table_branch", "other", "missing_branch"),
    *("n_surrogates", "low", "node", "origin", "codes", "n_conditions", "answer", "leaf", "chosen", "verdict"),
    *("reason", "n_branches", "n_told", "branch_words", "default", "n_dropped", "target", "count", "number"),
)


def places(document):
    """Every (object, key) of a document, with its path; lists of objects are gone into."""
    found, waiting = [], [("", document)]
    while waiting:
        path, here = waiting.pop()
        pairs = here.items() if isinstance(here, dict) else enumerate(here)
        for key, value in pairs:
            inner = isinstance(value, (dict, list)) and value and not _is_flat(value)
            if isinstance(here, dict) or inner:
                found.append((here, key, f"{path}.{key}"))
            if inner:
                waiting.append((f"{path}.{key}", value))
    return found


def _is_flat(value):
    return isinstance(value, list) and not isinstance(value[0], (dict, list))


def one(rng, some):
    return some[int(rng.integers(len(some)))] if len(some) else None


def _pick(rng, document, fits):
    """A place whose value is of a kind; any place where there is none."""
    every = places(document)
    return one(rng, [p for p in every if fits(p[0][p[1]])] or every)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_list(value):
    return isinstance(value, list) and len(value) > 0


def number_changed(rng, document, _):
    """A number, alone or in a list, becomes an odd one or a near one."""
    here, key, path = _pick(rng, document, lambda v: is_number(v) or (is_list(v) and (v[0] is None or is_number(v[0]))))
    if is_list(here[key]):
        here, key = here[key], int(rng.integers(len(here[key])))
    value = here[key]
    if is_number(value) and abs(value) < 1e300 and rng.random() < 0.4:
        here[key] = one(rng, [value + 1, value - 1, -value, value * 2, value / 2, value * (1 + 1e-9), value + 1e-3])
    else:
        here[key] = one(rng, ODD_NUMBERS)
    return f"{path}[{key}]"


def value_changed(rng, document, _):
    """A value of any kind becomes an odd one."""
    here, key, path = one(rng, places(document))
    here[key] = one(rng, ODD_VALUES + ODD_NUMBERS)
    return path


def item_changed(rng, document, _):
    """A value in a list becomes an odd one."""
    here, key, path = _pick(rng, document, is_list)
    if is_list(here[key]):
        here[key][int(rng.integers(len(here[key])))] = one(rng, ODD_VALUES + ODD_NUMBERS)
    return path


def link_redirected(rng, document, _):
    """Numbers that lead somewhere lead elsewhere: some of them, or one a step further."""
    every = [p for p in places(document) if p[1] in LINKS and is_list(p[0][p[1]])] or places(document)
    here, key, path = one(rng, every)
    if is_list(here[key]):
        values = here[key]
        for _n in range(int(rng.choice([1, 1, 2, 5]))):
            values[int(rng.integers(len(values)))] = int(rng.integers(-2, len(values) + 2))
    return path


def list_resized(rng, document, _):
    here, key, path = _pick(rng, document, is_list)
    if is_list(here[key]):
        values = here[key]
        way = int(rng.integers(4))
        here[key] = [values[:-1], [*values, values[-1]], [], values * 3][way]
    return path


def all_resized(rng, document, _):
    """All lists of an object lose or gain an entry together, or are empty."""
    every = [p for p in places(document) if isinstance(p[0][p[1]], dict)] or places(document)
    here, key, path = one(rng, every)
    way = int(rng.integers(3))
    if isinstance(here[key], dict):
        for name, values in here[key].items():
            if is_list(values):
                here[key][name] = [values[:-1], [*values, values[-1]], []][way]
    return path


def list_permuted(rng, document, _):
    here, key, path = _pick(rng, document, is_list)
    if is_list(here[key]):
        here[key] = [here[key][i] for i in rng.permutation(len(here[key]))]
    return path


def lists_exchanged(rng, document, _):
    """Two values of the document change places; mostly lists."""
    (a, k, path), (b, m, there) = _pick(rng, document, is_list), _pick(rng, document, is_list)
    a[k], b[m] = b[m], a[k]
    if _holds_itself(document):
        a[k], b[m] = b[m], a[k]
    return f"{path} and {there}"


def _holds_itself(document):
    """Whether an exchange made a ring, which JSON cannot hold."""
    waiting = [(document, ())]
    while waiting:
        here, above = waiting.pop()
        if id(here) in above:
            return True
        if isinstance(here, (dict, list)) and not (isinstance(here, list) and here and _is_flat(here)):
            waiting += [(v, (*above, id(here))) for v in (here.values() if isinstance(here, dict) else here)]
    return False


def key_removed(rng, document, _):
    here, key, path = one(rng, [p for p in places(document) if isinstance(p[0], dict)])
    del here[key]
    return path


def key_renamed(rng, document, _):
    here, key, path = one(rng, [p for p in places(document) if isinstance(p[0], dict)])
    here[one(rng, [key + "s", key.upper(), "", "a" * 3000, "\u202e", "__class__", key[:-1]])] = here.pop(key)
    return path


def key_added(rng, document, _):
    here, key, path = one(rng, [p for p in places(document) if isinstance(p[0], dict)])
    here[one(rng, ["more", "__reduce__", "__proto__", key + "_", "fingerprint"])] = one(rng, ODD_VALUES)
    return path


def doubled(rng, document, _):
    here, key, path = one(rng, [p for p in places(document) if isinstance(p[0], dict)])
    here[AGAIN + key] = here[key]
    return path


def nested(rng, document, _):
    """A value wrapped in lists or objects, a few or far too many."""
    here, key, path = one(rng, places(document))
    value, listed = here[key], rng.random() < 0.5
    for _n in range(int(rng.choice([1, 2, 10, 63, 64, 65, 200, 400]))):
        value = [value] if listed else {"a": value}
    here[key] = value
    return path


def turned(rng, document, _):
    """An object becomes a list, a list an object."""
    here, key, path = _pick(rng, document, lambda v: isinstance(v, (dict, list)))
    value = here[key]
    if isinstance(value, dict):
        here[key] = list(value.values())
    elif isinstance(value, list):
        here[key] = {str(i): v for i, v in enumerate(value)}
    return path


def text_changed(rng, document, other):
    """A text becomes another one: of the same document, of another, or an odd one."""
    every = [p for p in places(document) if isinstance(p[0][p[1]], str)]
    theirs = [p[0][p[1]] for p in places(other) if isinstance(p[0][p[1]], str)]
    here, key, path = one(rng, every or places(document))
    same = [p[0][p[1]] for p in places(other) if p[1] == key and isinstance(p[0][p[1]], str)]
    here[key] = one(rng, same * 10 + theirs + ["", "x" * 3000, "\u202e\x00", "\ud800"])
    return path


def taken_over(rng, document, other):
    """A value comes from the same place of another seed, or from any."""
    here, key, path = one(rng, places(document))
    theirs = places(other)
    same = [p[0][p[1]] for p in theirs if p[2] == path]
    here[key] = one(rng, same or [p[0][p[1]] for p in theirs])
    return path


def part_taken_over(rng, document, other):
    """A whole part of the document comes from another seed."""
    keys = [key for key in document if key in other]
    for key in [one(rng, keys)] if keys else []:
        document[key] = other[key]
        return f".{key}"
    return ""


WITH_ANOTHER = (text_changed, taken_over, part_taken_over)
ALL = [
    *(number_changed, number_changed, number_changed, link_redirected, link_redirected, value_changed, item_changed),
    *(list_resized, all_resized, list_permuted, lists_exchanged, key_removed, key_renamed, key_added, doubled),
    *(nested, turned, text_changed, taken_over, part_taken_over),
]
