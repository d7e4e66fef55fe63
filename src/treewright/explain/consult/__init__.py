"""Consult: a tree that asks a person only what still matters, as Quinlan's program `consult` does.

    hearing     what is typed becomes a belief: a value, a range, categories with probabilities, or nothing
    belief      what is known of one column, and how a question parts it
    walk        a case of beliefs through a tree: where it may end, and which questions can still alter that
    asking      the consultation: the next question, or the verdict

In: a tree and a rule for missing values. Out: a `Consultation`.
"""

from treewright.explain.consult.asking import Consultation, Question, consult

__all__ = ["Consultation", "Question", "consult"]
