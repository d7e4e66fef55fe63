"""Consultations: a tree asks a person only what still matters, as Quinlan's program `consult` does.

    belief        what is known of one column, as it is typed, and how a split divides it
    case_routing  a partly known case through a tree: where it may end, and which questions can still change that
    consultation  the next question, or the result
"""

from treewright.explain.consult.consultation import Consultation, Question, consult

__all__ = ["Consultation", "Question", "consult"]
