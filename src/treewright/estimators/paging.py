"""Paging: a fitted tree as a page.

In: a path, and rows to be counted. Out: one HTML file that a browser opens from disk.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import KindError, one_of
from treewright.estimators.fitted import FittedTree
from treewright.estimators.given_parameters import call_words
from treewright.estimators.missing import asking
from treewright.estimators.parameters import settle
from treewright.estimators.pruning import read_fraction, refuse_half
from treewright.prune.method import Material, Method
from treewright.prune.trying import sort_out

if TYPE_CHECKING:
    from treewright.page.given import Given

LANGUAGES = ("en", "zh")

Rows = tuple[object, object, object]
"""A table, its answers and its weights, as the user has them; all of them may be None."""


class Paging(FittedTree):
    """The tree as a page."""

    def to_html(
        self,
        path: Any = None,
        X: object = None,
        y: object = None,
        *,
        sample_weight: object = None,
        X_val: object = None,
        y_val: object = None,
        sample_weight_val: object = None,
        title: str | None = None,
        language: str | None = None,
        methods: Iterable[str | Method] | None = None,
    ) -> str | Path:
        """Write the tree as one HTML file, which works from disk and asks nothing of the network.

        path           the file, as text or as a Path; one that is there already is replaced when the new one is
                       complete. None: nothing is written, and the HTML is given back as text
        X, y, sample_weight
                       the rows the tree was grown on, once more. They are shown in the page, some of each leaf: do
                       not give them where whoever gets the page must not see them. Without them the rows that `fit`
                       kept are counted, but none of them is in the page
        X_val, y_val, sample_weight_val
                       validation rows, counted in every node beside the training rows, and for the methods of
                       pruning that need them; they are not shown
        title          of the page; None: the estimator and the target
        language       "en" or "zh"; None: that of the browser, and it can be changed in the page
        methods        methods of pruning to compare, as in `compare_pruning`; None: all that can be tried

        Gives back the path of the file that was written, or the HTML itself where `path` is None.

        >>> from treewright import C45Classifier
        >>> X = [["sunny", 85], ["sunny", 70], ["rain", 80], ["rain", 70]]
        >>> model = C45Classifier(min_samples_leaf=1).fit(X, ["stay", "play", "stay", "play"])
        >>> model.to_html()[:15]
        '<!doctype html>'
        """
        # A score of modules that nobody needs who only fits and predicts.
        from treewright.disk.write import read_path, write_text
        from treewright.page.document import make_document
        from treewright.page.file import page_text

        self._tree()
        place = None if path is None else read_path(path)
        if title is not None and not isinstance(title, str):
            raise KindError(f"title is a {type(title).__name__}; give text, or None.")
        if language is not None:
            one_of("language", language, LANGUAGES)
        material = self._page_material((X, y, sample_weight), (X_val, y_val, sample_weight_val))
        numbers = None
        if X is not None:
            numbers = self._numbers(X, y, sample_weight)
        given = self._given(material, title=title, language=language, methods=methods, numbers=numbers)
        text = page_text(make_document(given))
        if place is None:
            return text
        write_text(place, text)
        return place

    def _page_material(self, training: Rows, validation: Rows) -> Material:
        """The grown tree and the rows around it, as far as they are at hand."""
        refuse_half(X=training[0], y=training[1], sample_weight=training[2])
        refuse_half(X_val=validation[0], y_val=validation[1], sample_weight_val=validation[2])
        how = self._asking()
        rows, others = self._kept, None
        if training[0] is not None:
            rows, others = self._rows_again(*training)
        if validation[0] is not None:
            others = self._validation(*validation, how)
        grow = self._grower(self._grown_by, self.grown_tree_.answering)
        return Material(self.grown_tree_, rows, others, grow, how.rule, self._row_weight)

    def _given(self, material: Material, *, title: str | None, methods: Any, **others: Any) -> "Given":
        """All that the page is made from."""
        from treewright.page.given import Given

        tree = self._tree()
        named = methods is not None
        tried, left_out = sort_out(
            methods,
            self._read_method,
            is_number=tree.schema.target.is_number,
            # A method that was named says itself what it lacks.
            has_validation=named or material.validation is not None,
        )
        plan, share = self._grown_by
        name = type(self).__name__
        return Given(
            estimator=name,
            parameters=call_words(self),
            title=f"{name}: {tree.schema.target.name}" if title is None else title,
            tree=tree,
            material=material,
            report=self.pruning_report_,
            pre_report=self.pre_pruning_report_,
            method=self._pruned_by[0],
            plan=plan if material.rows is None else settle(plan, material.rows, share),
            unseen=self._asking().unseen,
            methods={key: method for key, method in tried.items() if method is not None},
            named=named,
            left_out=tuple(left_out),
            **others,
        )

    def _numbers(self, X: object, y: object, sample_weight: object) -> NDArray[np.int64]:
        """The number in the user's table of each training row."""
        from treewright.page.rows import numbers_in_table

        table, places = self._rows_and_places(X, y, sample_weight, asking(self.grown_tree_, None, "error"))
        fraction = read_fraction(self.validation_fraction)
        numbers = np.arange(table.n_rows) if fraction is None else numbers_in_table(table, fraction)
        return numbers if places is None else places[numbers]
