"""A reader of the few statements that the export to SAS writes, with the comparisons of SAS.

A missing number is minus infinity here: it is below all others, as in SAS. Texts are compared without blanks at the
end, and an empty text is missing.
"""

import re
from math import inf

import numpy as np

from treewright.data.schema import Kind
from treewright.export.check import Predicted
from treewright.export.code_sas import SasWriter

TOKEN = re.compile(
    r"\s+|/\*.*?\*/"
    r"|(?P<text>'(?:[^']|'')*')(?P<kind>[nx]?)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<sign><=|>=|[-=<>+*()\[\],;:$])",
    re.DOTALL,
)


def tokens(text):
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at : at + 80]
        at = match.end()
        if match["text"] is not None:
            inner = match["text"][1:-1].replace("''", "'")
            if match["kind"] == "n":
                found.append(("name", inner.rstrip().lower()))
            else:
                found.append(("text", bytes.fromhex(inner).decode() if match["kind"] == "x" else inner))
        elif match["number"] is not None:
            found.append(("number", float(match["number"])))
        elif match["word"] is not None:
            found.append(("word", match["word"].lower()))
        elif match["sign"] is not None:
            found.append(("sign", match["sign"]))
    return found


def plain(value):
    return value.rstrip(" ") if isinstance(value, str) else value


def is_missing(value):
    return value in ("", -inf)


FUNCTIONS = {"missing": lambda value: is_missing(plain(value)), "max": max, "min": min}


class Reader:
    """Statements as functions of the variables."""

    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0
        self.dropped, self.arrays, self.lengths = [], {}, {}

    def program(self):
        steps = []
        while self.at < len(self.tokens):
            steps.append(self.statement())
        return steps

    def peek(self, *what):
        if self.at == len(self.tokens):
            return False
        kind, value = self.tokens[self.at]
        return kind in ("word", "sign") and value in what

    def take(self, *what):
        token = self.tokens[self.at]
        assert not what or (token[1] in what and token[0] in ("word", "sign")), (token, what)
        self.at += 1
        return token

    def until_semicolon(self):
        found = []
        while not self.peek(";"):
            found.append(self.take()[1])
        self.take(";")
        return found

    def statement(self):
        if self.peek("if"):
            return self.conditional()
        if self.peek("do"):
            self.take("do"), self.take(";")
            steps = []
            while not self.peek("end"):
                steps.append(self.statement())
            self.take("end"), self.take(";")
            return lambda env: [step(env) for step in steps]
        if self.peek("length", "array", "drop", "call"):
            word, rest = self.take()[1], self.until_semicolon()
            if word == "drop":
                self.dropped += rest
            elif word == "length":
                self.lengths[rest[0]] = int(rest[2])
            elif word == "array":
                assert rest[-1] == "_temporary_"
                self.arrays[rest[0]] = (0 if ":" in rest else 1, int(rest[-3]))
            else:
                assert rest[0] == "missing"
                names = [name for name in rest[2:-1] if name != ","]
                return lambda env: env.update(dict.fromkeys(names))
            return lambda env: None
        return self.assignment()

    def conditional(self):
        self.take("if")
        test = self.either()
        self.take("then")
        first, second = self.statement(), None
        if self.peek("else"):
            self.take("else")
            second = self.statement()

        def step(env):
            if test(env):
                first(env)
            elif second is not None:
                second(env)

        return step

    def assignment(self):
        name = self.take()[1]
        if self.peek("["):
            self.take("[")
            index = int(self.take()[1])
            self.take("]")
            low, high = self.arrays[name]
            assert low <= index <= high
            name = (name, index)
        self.take("=")
        value = self.either()
        self.take(";")
        return lambda env: env.__setitem__(name, value(env))

    def either(self):
        parts = [self.both()]
        while self.peek("or"):
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda env: any(part(env) for part in parts)

    def both(self):
        parts = [self.negated()]
        while self.peek("and"):
            self.take()
            parts.append(self.negated())
        return parts[0] if len(parts) == 1 else lambda env: all(part(env) for part in parts)

    def negated(self):
        if self.peek("not"):
            self.take()
            inner = self.negated()
            return lambda env: not inner(env)
        return self.comparison()

    def comparison(self):
        left = self.total()
        if self.peek("in"):
            self.take(), self.take("(")
            values = {plain(value) for value in self.constants()}
            return lambda env: plain(left(env)) in values
        for sign, test in (
            ("=", lambda a, b: a == b), ("<=", lambda a, b: a <= b), (">=", lambda a, b: a >= b),
            ("<", lambda a, b: a < b), (">", lambda a, b: a > b),
        ):  # fmt: skip
            if self.peek(sign):
                self.take()
                right = self.total()
                return lambda env, test=test: test(plain(left(env)), plain(right(env)))
        return left

    def constants(self):
        values = []
        while True:
            sign = -1 if self.peek("-") and self.take() else 1
            kind, value = self.take()
            assert kind in ("number", "text")
            values.append(sign * value if kind == "number" else value)
            if self.take(",", ")")[1] == ")":
                return values

    def total(self):
        found = self.product()
        while self.peek("+", "-"):
            found = added(found, 1 if self.take()[1] == "+" else -1, self.product())
        return found

    def product(self):
        found = self.single()
        while self.peek("*"):
            self.take()
            found = multiplied(found, self.single())
        return found

    def single(self):
        if self.peek("-"):
            self.take()
            inner = self.single()
            return lambda env: -inner(env)
        if self.peek("("):
            self.take()
            inner = self.either()
            self.take(")")
            return inner
        kind, value = self.take()
        if kind in ("number", "text"):
            return lambda env: value
        if kind == "word" and value in FUNCTIONS and self.peek("("):
            return self.call(FUNCTIONS[value], value)
        if kind == "word" and self.peek("["):
            self.take("[")
            key = (value, int(self.take()[1]))
            self.take("]")
            return lambda env: env[key]
        assert kind in ("name", "word")
        return lambda env: env[value]

    def call(self, function, name):
        self.take("(")
        arguments = [self.either()]
        while self.peek(","):
            self.take()
            arguments.append(self.either())
        self.take(")")
        if name == "missing":
            return lambda env: function(arguments[0](env))
        return lambda env: function([argument(env) for argument in arguments])


def added(a, sign, b):
    return lambda env: a(env) + sign * b(env)


def multiplied(a, b):
    return lambda env: a(env) * b(env)


def cell(value, is_text):
    if value is None:
        return "" if is_text else -inf
    return value if is_text else float(value)


def run_sas(text, probes):
    """What the statements predict for probes."""
    scoring, reader = probes.scoring, Reader(text)
    steps = reader.program()
    columns, cells = scoring.tree.schema.columns, probes.cells()
    names = SasWriter(scoring, "predict")
    wanted = [names.predicted] if scoring.is_regression else names.probabilities
    is_text = [c.kind is not Kind.NUMBER and any(isinstance(v, str) for v in c.categories) for c in columns]
    values = np.full(probes.probabilities.shape, np.nan)
    classes = [None] * len(values)
    for i in range(len(values)):
        env = {c.name.rstrip().lower(): cell(cells[j][i], is_text[j]) for j, c in enumerate(columns)}
        given = set(env)
        for step in steps:
            step(env)
        made = {key for key in env if isinstance(key, str)} - given - set(reader.dropped)
        assert made <= {names.predicted, *wanted}
        if env[names.predicted] is not None:
            classes[i] = env[names.predicted]
            values[i] = [env[name] for name in wanted]
            if isinstance(classes[i], str):
                assert len(classes[i].encode()) <= reader.lengths[names.predicted]
    return Predicted(None if scoring.is_regression else classes, values)
