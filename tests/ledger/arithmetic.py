"""Arithmetic: the value of what a worked solution writes down, so that its equations can be checked."""

from math import isclose, log, log2, sqrt

from treewright.ledger.worked.document import (
    Bars,
    Call,
    Chain,
    Count,
    Formula,
    Fraction,
    Power,
    Product,
    Root,
    Sentence,
    Sum,
    Value,
)


def value_of(expression):
    """The number an expression stands for; None where it has letters, words or terms that are left out."""
    match expression:
        case Value(value) | Count(value):
            return value
        case Fraction(top, bottom):
            return _apply(lambda a, b: a / b, top, bottom)
        case Sum(terms, n_more):
            parts = [value_of(term) for _, term in terms]
            known = n_more == 0 and None not in parts
            return sum(sign * part for (sign, _), part in zip(terms, parts, strict=True)) if known else None
        case Product(factors):
            return _apply(_product, *factors)
        case Power(base, exponent):
            return _apply(pow, base, exponent)
        case Root(inside):
            return _apply(sqrt, inside)
        case Bars(inside):
            return _apply(abs, inside)
        case Call(name, (inside,)) if name.name in ("log2", "ln"):
            return _apply(log2 if name.name == "log2" else log, inside)
    return None


def _apply(function, *parts):
    values = [value_of(part) for part in parts]
    return None if None in values else function(*values)


def _product(*factors):
    found = 1.0
    for factor in factors:
        found *= factor
    return found


def wrong_steps(chain):
    """The steps of a chain that do not hold."""
    wrong, last = [], value_of(chain.first)
    for relation, other in chain.rest:
        here = value_of(other)
        if last is not None and here is not None and not _holds(last, relation, here):
            wrong.append((last, relation, here))
        last = here if here is not None else last
    return wrong


def _holds(a, relation, b):
    same = isclose(a, b, rel_tol=1e-9, abs_tol=1e-10)
    return {"=": same, "≤": same or a < b, "≥": same or a > b, "<": a < b, ">": a > b}[relation]


def chains(solution):
    """Every chain of a solution, also those in tables and sentences."""
    for section in solution.document.sections:
        for part in section.parts:
            if isinstance(part, Formula):
                yield part.chain
                continue
            cells = [part] if isinstance(part, Sentence) else [cell for row in part.rows for cell in row]
            yield from (piece for cell in cells for piece in cell.pieces if isinstance(piece, Chain))
