"""Error-based pruning, the method of C4.5: by upper confidence limits of the errors of leaves.

Subtree raising, which routes the training rows again, is in `raising`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import nearest_same_column
from treewright.errors import ParameterError, at_least
from treewright.language import N_
from treewright.model.formatting import format_number
from treewright.model.subtree import Subtree, rebuild_tree
from treewright.model.tree import TABLE, Tree
from treewright.model.tree_columns import COLUMNS
from treewright.prune.class_stats import stopped_class_weights
from treewright.prune.limits import Limit
from treewright.prune.losses import training_losses
from treewright.prune.method import TRAINING, Method, Pruned, PruningInput, RaiseBranches
from treewright.prune.report import PruningReport
from treewright.prune.traversal import Wording, bottom_up_order, build_result, compare_bottom_up

RULE = N_("A node becomes a leaf when its estimated errors are not above those of its branches.")
RULE_WITH_ALLOWANCE = N_(
    "A node becomes a leaf when its estimated errors are not above those of its branches + {allowance}."
)
RAISING_RULE = N_(
    "A node becomes a leaf when its estimated errors are not above those of its branches, nor those of its largest "
    "branch in its place; otherwise that branch is raised when its errors are not above those of all branches."
)
RAISING_RULE_WITH_ALLOWANCE = N_(
    "A node becomes a leaf when its estimated errors are not above those of its branches, nor those of its largest "
    "branch in its place + {allowance}; otherwise that branch is raised when its errors are not above those of all "
    "branches + {allowance}."
)
ESTIMATED_ERRORS = N_("estimated errors")


@dataclass(frozen=True, slots=True)
class ErrorBased(Method):
    """Error-based pruning (Quinlan 1993): the method of C4.5, by the training rows alone.

    Parameters
    ----------
    confidence : float, default=0.25
        CF: the lower, the more errors are estimated for a leaf, and the more is pruned.
    limit : {"release8", "weka", "exact"}, default="release8"
        How the errors of a leaf with E errors among N rows are estimated, N * U_CF(E, N): as in Quinlan's program, as
        in Weka's J48, or by the binomial distribution; see `treewright.prune.limits.upper_limit`.
    raising : bool, default=True
        Whether the largest branch of a node may take its place, as in C4.5; this needs the training rows.
    allowance : float, default=0.1
        How far the estimate of the smaller tree may be above the others; 0.1 in C4.5.

    Notes
    -----
    From the bottom up, a node becomes a leaf if its estimate as a leaf is at most the sum of those of its branches
    (plus the allowance), and at most that of its largest branch with all rows of the node. Otherwise that branch
    takes the place of the node if its estimate is at most the sum: all rows of the node are routed by its splits, and
    it is pruned again. The largest branch is the one with most rows, the last of them on a tie. An empty branch has
    an estimate of 0. Rows that stop at a node because a value is missing count with the rate of the node.

    Examples
    --------
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, table
    >>> votes = Column("education spending", Kind.CATEGORY, ("n", "y", "u"))
    >>> schema = Schema((votes,), Target("party", ("democrat", "republican")))
    >>> parties = {"n": leaf({"democrat": 6}), "y": leaf({"democrat": 9}), "u": leaf({"republican": 1})}
    >>> pruned = ErrorBased(raising=False).prune(build(schema, table("education spending", parties)))
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 2.51 estimated errors as a leaf, 3.27 as a subtree, 3.37 with the allowance: pruned.
    """

    confidence: float = 0.25
    limit: str = "release8"
    raising: bool = True
    allowance: float = 0.1

    name: ClassVar[str] = "error_based"
    messages: ClassVar[tuple[str, ...]] = (
        RULE, RULE_WITH_ALLOWANCE, RAISING_RULE, RAISING_RULE_WITH_ALLOWANCE, ESTIMATED_ERRORS
    )  # fmt: skip

    def __post_init__(self) -> None:
        Limit(self.limit, self.confidence)
        at_least("allowance", self.allowance, 0.0)
        if not isinstance(self.raising, bool | np.bool_):
            raise ParameterError(f"raising must be True or False, got {self.raising!r}.")

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({TRAINING}) if self.raising else frozenset()

    def needs_besides(self, inputs: PruningInput) -> frozenset[str]:
        """What the method needs besides the tree: nothing if there is a function that raises branches.

        Parameters
        ----------
        inputs : PruningInput
            What is passed to the method.

        Returns
        -------
        frozenset of str
            TRAINING, or nothing.
        """
        return self.needs if inputs.raise_branches is None else frozenset()

    def _prune(self, inputs: PruningInput) -> Pruned:
        if self.raising and inputs.raise_branches is not None:
            return self._with_raising(inputs.tree, inputs.raise_branches)
        tree, limit = inputs.tree, Limit(self.limit, self.confidence)
        leaf = limit.estimates(tree.weight, training_losses(tree).leaf)
        rate = np.divide(leaf, tree.weight, out=np.zeros(tree.n_nodes), where=tree.weight > 0)
        staying = rate * stopped_class_weights(tree).sum(axis=1)
        comparison = compare_bottom_up(tree, leaf, staying, allowance=self.allowance)
        wording = Wording(self.name, self._rule(RULE, RULE_WITH_ALLOWANCE), ESTIMATED_ERRORS)
        return build_result(tree, wording, leaf, comparison, self.allowance)

    def _with_raising(self, tree: Tree, raise_branches: RaiseBranches) -> Pruned:
        raised = raise_branches(tree, Limit(self.limit, self.confidence), self.allowance)
        left = drop_impossible_branches(rebuild_tree(tree, raised.split_of, raised.contents))
        visit = bottom_up_order(tree)
        leaf, subtree, branch = raised.numbers[visit].T
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=self._rule(RAISING_RULE, RAISING_RULE_WITH_ALLOWANCE),
            unit=ESTIMATED_ERRORS,
            node=visit,
            leaf=leaf,
            subtree=subtree,
            allowance=np.full(len(visit), float(self.allowance)),
            verdict=raised.verdict[visit],
            branch=branch,
            origin=left.origin,
            weight=raised.contents.get("weight", tree.weight)[visit],
        )
        return Pruned(left.tree, report)

    def _rule(self, plain: str, with_allowance: str) -> str:
        return with_allowance.format(allowance=format_number(self.allowance)) if self.allowance else plain


def drop_impossible_branches(left: Subtree) -> Subtree:
    """The tree without the branches that no row can take; a split keeps at least two branches.

    They come from grouped categories: the categories that are absent at a node form a last, empty branch. Release 8
    leaves it out of a pruned tree if a split of the same column above sends all of them elsewhere.

    >>> from treewright.model.build import golf_example
    >>> from treewright.model.subtree import collapse_nodes
    >>> drop_impossible_branches(collapse_nodes(golf_example(), np.zeros(8))).tree.n_nodes
    8
    """
    tree = left.tree
    empty = np.flatnonzero((tree.count == 0) & tree.is_leaf & (tree.parent >= 0))
    empty = empty[tree.kind[tree.parent[empty]] == TABLE]
    if not len(empty):
        return left
    nearest, step = _same_column_above(tree)
    gone = np.zeros(tree.n_nodes, bool)
    for node in empty[nearest[tree.parent[empty]] >= 0].tolist():
        parent = int(tree.parent[node])
        above, branch = int(nearest[parent]), node - int(tree.first_child[parent])
        if tree.kind[above] != TABLE or branch == tree.missing_branch[parent]:
            continue
        let_through = _branch_of_category(tree, above) == step[parent] - tree.first_child[above]
        if not (let_through & (_branch_of_category(tree, parent) == branch)).any():
            siblings = slice(int(tree.first_child[parent]), int(tree.first_child[parent] + tree.n_children[parent]))
            gone[node] = np.count_nonzero(~gone[siblings]) > 2
    return Subtree(_drop_leaves(tree, gone), left.origin[~gone]) if gone.any() else left


def _same_column_above(tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nearest node above each node that splits on the same column, or -1, and its child on the path."""
    n = tree.n_nodes
    nearest, step = np.empty(n, np.int64), np.empty(n, np.int64)
    work = np.full(tree.schema.n_columns, -1), np.empty(2 * n, np.int64), np.empty(n, np.int64)
    nearest_same_column((tree.parent, tree.first_child, tree.n_children), tree.column, work, nearest, step)
    return nearest, step


def _branch_of_category(tree: Tree, node: int) -> NDArray[np.int32]:
    """The branch of each category of the node's column."""
    found = np.full(tree.schema.columns[tree.column[node]].n_categories, tree.other[node])
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    found[tree.table_code[own]] = tree.table_branch[own]
    return found


def _drop_leaves(tree: Tree, gone: NDArray[np.bool_]) -> Tree:
    """The tree without these leaves; their categories are dropped, or go to the heaviest branch."""
    kept = ~gone
    new_id: NDArray[np.int64] = np.cumsum(kept) - kept  # of a node that is gone: that of the next one
    inner = tree.n_children > 0

    def moved(node: NDArray[np.int64], branch: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of a branch among those that are left."""
        before = np.concatenate([[0], np.cumsum(gone)])
        first = tree.first_child[node]
        return branch - (before[first + branch] - before[first])

    node = np.arange(tree.n_nodes)
    lost = np.bincount(tree.parent[gone], minlength=tree.n_nodes)
    owner = np.repeat(node, np.diff(tree.table_start))
    stays = kept[tree.first_child[owner] + tree.table_branch]
    tables = tree.kind == TABLE
    other = tree.other.astype(np.int64)
    is_gone = tables & gone[np.where(tables, tree.first_child + other, 0)]
    other[is_gone] = tree.heaviest_branch[is_gone]
    other[tables] = moved(node[tables], other[tables])
    missing = tree.missing_branch.astype(np.int64)
    missing[inner] = moved(node[inner], missing[inner])
    columns = {name: getattr(tree, name) for name in COLUMNS if not name.startswith("table")}
    columns |= {
        "parent": np.where(tree.parent < 0, -1, new_id[tree.parent]),
        "first_child": np.where(inner, new_id[tree.first_child], -1),
        "n_children": tree.n_children - lost,
        "other": other,
        "missing_branch": missing,
    }
    columns = {name: column[kept] for name, column in columns.items()}
    owned = np.bincount(owner[stays], minlength=tree.n_nodes)[kept]
    columns["table_start"] = np.concatenate([[0], np.cumsum(owned)])
    columns["table_code"] = tree.table_code[stays]
    columns["table_branch"] = moved(owner, tree.table_branch.astype(np.int64))[stays]
    how = tree.prediction_rule
    return Tree.unchecked(tree.schema, tree.criterion, tree.missing, tree.surrogates, prediction_rule=how, **columns)
