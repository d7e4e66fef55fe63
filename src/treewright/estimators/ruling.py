"""Ruling: a fitted tree as rules.

In: which rules are wanted. Out: a `RuleSet`.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treewright.errors import ParameterError, one_of
from treewright.estimators.fitted import FittedTree
from treewright.estimators.missing import UNSEEN
from treewright.estimators.parameters import switch

if TYPE_CHECKING:
    from treewright.rules.reading import Reader
    from treewright.rules.ruleset import RuleSet


class Ruling(FittedTree):
    """The tree as rules."""

    def rules(
        self,
        form: str = "leaves",
        X: object = None,
        y: object = None,
        *,
        sample_weight: object = None,
        confidence: float = 0.25,
        redundancy: float = 1.0,
        polish: bool = True,
        class_order: object = None,
    ) -> "RuleSet":
        """The tree as rules, which can be printed, asked and written down.

        form           "leaves": one rule for each leaf of `tree_`, with the tests of a column put together; exactly one
                       of them applies to a row. "generalised": what Quinlan's c4.5rules makes of `grown_tree_`: fewer
                       and shorter rules, asked in order, with a default class; for classifiers alone
        X, y, sample_weight
                       for "generalised": the rows the tree was grown on, where `fit` has not kept them. A row of
                       weight 2 is two cases; with weights that are not all whole, a row counts its weight divided by
                       their mean
        confidence     for "generalised": CF of the estimated errors; the lower, the fewer and shorter the rules
        redundancy     for "generalised": above 1 where several columns say the same; makes conditions cheaper
        polish         for "generalised": whether rules are taken out at last that do more harm than good. c4.5rules
                       prints the rules as they were before, and answers without them
        class_order    for "generalised": all classes, in the order in which they are looked at; it decides ties, and
                       what chance picks in the search for the best rules. None is the order of `classes_`; c4.5rules
                       has that of its file of names

        >>> from treewright import CARTClassifier
        >>> X = [[20, "red"], [30, "blue"], [40, "red"], [50, "blue"], [60, "red"]]
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes", "yes"])
        >>> for rule in model.rules():
        ...     print(rule, "|", rule.figures())
        x0 <= 45 -> no | support 3 (60.0%), confidence 100.0%, lift 1.67
        x0 > 45 -> yes | support 2 (40.0%), confidence 100.0%, lift 2.50
        """
        # A score of modules that nobody needs who only fits and predicts.
        from treewright.rules.generalise import Making, refuse_numbers
        from treewright.rules.making import generalised_rules, rules_of_leaves
        from treewright.rules.ruleset import FORMS, NO_CONDITION

        tree, how = self._tree(), self._asking()
        one_of("form", form, FORMS)
        order = None if class_order is None else _order(class_order, tree.schema.target.classes or ())
        making = Making(confidence, _above_zero("redundancy", redundancy), switch("polish", polish), order)
        reader, classes = self._reader(), getattr(self, "classes_", np.zeros(0))
        if form == "leaves":
            return rules_of_leaves(tree, how.rule, reader, classes)
        refuse_numbers(tree)
        rows = self._training_rows(X, y, sample_weight)
        unseen = "error" if self.unseen_category == "error" else "mark"
        reader = replace(reader, unseen=unseen, words=NO_CONDITION, complete=False)
        return generalised_rules(self.grown_tree_, rows, making, reader, classes)

    def _reader(self) -> "Reader":
        """How rows to be answered are read by what knows the tree, but not this estimator."""
        from treewright.rules.reading import Reader

        how, given = self._asking(), getattr(self, "feature_names_in_", None)
        names = None if given is None else tuple(given.tolist())
        return Reader(
            self._tree().schema.columns, names, how.cells, UNSEEN[how.unseen], how.rule.missing == "error"
        )


def _above_zero(name: str, value: object) -> float:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < float(value) < np.inf:
        raise ParameterError(f"{name}={value!r} cannot be used; give a number above 0, such as 1.")
    return float(value)


def _order(given: object, classes: Sequence[object]) -> tuple[int, ...]:
    """The codes of all classes in the order given."""
    labels = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    place = {label: code for code, label in enumerate(classes)}
    codes = tuple(place[label] for label in labels if isinstance(label, Hashable) and label in place)
    if len(labels) != len(classes) or len(set(codes)) != len(classes):
        raise ParameterError(
            f"class_order={given!r} cannot be used; give each class once: {', '.join(map(repr, classes))}."
        )
    return codes
