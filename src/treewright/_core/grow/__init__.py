"""The growth loop: a sorted table and a plan -> a grown draft.

    workspace             everything the growth loop reads and writes, in parts, by name and C type
    coded_columns         the part of it for coded columns and their histograms
    impurity              stats of branches -> impurity, gain and split information; the tie rule
    node                  a node of the draft: its stats, impurity and value, and whether it may be split
    node_median           absolute error: the median of the rows of a node, and the loss about it
    cuts                  what the scans of a sorted column have in common
    cuts_gini             best cut of a sorted column by Gini, where every row counts once
    cuts_entropy          the same by entropy
    cuts_weighted         the same for classes and rows of any weight, by any criterion
    cuts_mean             the same by squared error
    cuts_median           the same by absolute error
    cuts_poisson          the same by Poisson deviance
    cuts_monotone         the same among cuts that keep the order of a monotone tree
    cuts_histogram        best cut of a coded number, from a histogram
    cuts_small_histogram  the same from counts of 8 or 16 bits
    histograms            which nodes keep histograms of coded columns, and how they are counted
    numbers               a number of one node -> its candidate: the best cut
    coded_numbers         a coded number of one node -> its candidate, and the split made of it
    contingency           a category column -> its contingency table, and a branch for each value
    categories            a category of one node -> its candidate: branches for the categories present
    subsets               a category column in two subsets
    subsets_gini          the same by Gini, with running sums of squares
    subsets_median        the same for absolute error
    groups                a category column in groups, merged greedily (C4.5)
    groups_least_loss     the same, merged by the least loss; or in two groups
    candidates            gain, penalty and split information of each candidate; the choice among them
    columns               one column of one node -> its candidate
    missing               the rows of a node that are missing on a column, and what that means for a gain
    monotone              monotone trees: what children may predict
    monotone_choice       monotone trees: the choice, once the children are known
    fractional_weights    rows that go down several branches with a part of their weight (C4.5)
    surrogates            splits on other columns that send rows to the same branches as the split of a node
    coded_surrogates      the same for coded columns
    partition             rows of a node -> rows of its children
    split                 the chosen candidate -> a split in the draft -> child nodes
    loop                  the growth loop
"""

try:
    from treewright._core._grow import *
except ModuleNotFoundError:  # not compiled
    from treewright._core.grow.coded_columns import *
    from treewright._core.grow.workspace import *
    from treewright._core.grow.impurity import *
    from treewright._core.grow.node_median import *
    from treewright._core.grow.node import *
    from treewright._core.grow.cuts import *
    from treewright._core.grow.cuts_gini import *
    from treewright._core.grow.cuts_entropy import *
    from treewright._core.grow.cuts_weighted import *
    from treewright._core.grow.cuts_mean import *
    from treewright._core.grow.cuts_median import *
    from treewright._core.grow.cuts_poisson import *
    from treewright._core.grow.cuts_monotone import *
    from treewright._core.grow.cuts_histogram import *
    from treewright._core.grow.cuts_small_histogram import *
    from treewright._core.grow.histograms import *
    from treewright._core.grow.numbers import *
    from treewright._core.grow.coded_numbers import *
    from treewright._core.grow.contingency import *
    from treewright._core.grow.categories import *
    from treewright._core.grow.subsets import *
    from treewright._core.grow.subsets_gini import *
    from treewright._core.grow.subsets_median import *
    from treewright._core.grow.groups import *
    from treewright._core.grow.groups_least_loss import *
    from treewright._core.grow.candidates import *
    from treewright._core.grow.columns import *
    from treewright._core.grow.missing import *
    from treewright._core.grow.monotone import *
    from treewright._core.grow.monotone_choice import *
    from treewright._core.grow.fractional_weights import *
    from treewright._core.grow.surrogates import *
    from treewright._core.grow.coded_surrogates import *
    from treewright._core.grow.partition import *
    from treewright._core.grow.split import *
    from treewright._core.grow.loop import *
