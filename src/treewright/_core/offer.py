"""A candidate of a column, offered to the choice: its gain, charge and split information for the whole node.

In: the gain of a cut or of branches, on all rows of a node or on those known on the column. Out: wk.c_*.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.category import large_enough
    from cython.cimports.treewright._core.charge import charge_of_cut, charge_of_groups, loss_of_bits
    from cython.cimports.treewright._core.codes import BRANCH, DESCRIPTION, IS_MISSING, NO_CHARGE, THIRD
    from cython.cimports.treewright._core.missing import gain_apart, info_with_missing
    from cython.cimports.treewright._core.scan import Cut
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.category import large_enough
    from treewright._core.charge import charge_of_cut, charge_of_groups, loss_of_bits
    from treewright._core.codes import BRANCH, DESCRIPTION, IS_MISSING, NO_CHARGE, THIRD
    from treewright._core.missing import gain_apart, info_with_missing
    from treewright._core.scan import Cut
    from treewright._core.work import Work

LEAST_GAIN = cython.declare(cython.double, 1e-10)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer(wk: Work, f: cython.longlong, gain: cython.double,
          info: cython.double) -> cython.void:
    """Column f has a candidate of this gain and split information."""
    wk.c_ok[f] = 1
    wk.c_gain[f] = gain
    wk.c_info[f] = info


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_charged(wk: Work, node: cython.longlong, f: cython.longlong, gain: cython.double, bits: cython.double,
                  info: cython.double) -> cython.void:
    """The same, less what its description costs; no candidate where that is all it gains."""
    least: cython.double = LEAST_GAIN
    wk.c_charge[f] = bits
    if wk.n_classes == 0:
        wk.c_charge[f] = loss_of_bits(wk, wk.impurity[node] - gain, bits)
        least *= wk.impurity[node]
    gain -= wk.c_charge[f]
    if gain > least:
        offer(wk, f, gain, info)
    else:
        wk.c_info[f] = info  # a ledger shows what the charge has eaten up


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_cut(wk: Work, node: cython.longlong, f: cython.longlong, cut: Cut, gain: cython.double,
              info: cython.double) -> cython.void:
    """The same for a cut, charged for the choice among cuts where the plan says so."""
    wk.c_pos[f] = cut.pos
    wk.c_cuts[f] = cut.cuts
    wk.c_scored[f] = cut.scored
    wk.c_branches[f] = 2
    if cut.pos < 0:
        return
    if wk.charge == NO_CHARGE:
        offer(wk, f, gain, info)
    else:
        offer_charged(wk, node, f, gain, charge_of_cut(wk, node, cut.cuts), info)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_branches(wk: Work, node: cython.longlong, f: cython.longlong, gain: cython.double,
                   info: cython.double) -> cython.void:
    """The same for the branches of a category, charged for the choice among groupings where the plan says so."""
    if wk.charge == DESCRIPTION:
        offer_charged(wk, node, f, gain, charge_of_groups(wk, node, f), info)
    else:
        offer(wk, f, gain, info)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_for_node(wk: Work, node: cython.longlong, ghost: cython.longlong, f: cython.longlong,
                info: cython.double) -> cython.double:
    """The split information of the known rows' candidate for the whole node; notes how it treats the others."""
    known: cython.double = cython.cast(cython.double, wk.weight[ghost])
    missing: cython.double = cython.cast(cython.double, wk.weight[node] - wk.weight[ghost])
    if wk.missing == BRANCH:
        wk.c_way[f] = THIRD
    if wk.missing == BRANCH or wk.info_all:
        return info_with_missing(info, known, missing)
    return info


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def whole_gain(wk: Work, node: cython.longlong, ghost: cython.longlong, gain: cython.double) -> cython.double:
    """The gain of the known rows' candidate as that of the whole node."""
    gain *= cython.cast(cython.double, wk.weight[ghost]) / cython.cast(cython.double, wk.weight[node])
    if wk.missing == BRANCH:
        gain += gain_apart(wk, node)
    return gain


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def offer_test(wk: Work, node: cython.longlong, ghost: cython.longlong, f: cython.longlong) -> cython.void:
    """Own branch, and the known rows have no candidate: the test whether the value is missing."""
    missing: cython.longlong = wk.weight[node] - wk.weight[ghost]
    if wk.missing != BRANCH:
        return
    if not (large_enough(wk, wk.rows[ghost], wk.weight[ghost]) and large_enough(wk, wk.c_missing[f], missing)):
        return
    wk.c_way[f] = IS_MISSING
    wk.c_branches[f] = 2
    offer(wk, f, gain_apart(wk, node),
          info_with_missing(0.0, cython.cast(cython.double, wk.weight[ghost]),
                            cython.cast(cython.double, missing)))
