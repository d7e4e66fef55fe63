"""Answering: how a tree answers, in a model file.

In: an Answering, or the object that was written of one. Out: the other. A tree that answers with plain shares, as all
trees of older files do, has no such object.
"""

from typing import Any

import numpy as np

from treewright.errors import InputError
from treewright.model.answering import PLAIN, Answering
from treewright.model.check_answering import PROBABILITIES
from treewright.model.file.fields import LARGEST, Fields


def answering_document(answering: Answering) -> dict[str, Any]:
    """The answering as an object of a file.

    >>> answering_document(Answering("m-estimate", 2.0, costs=((0.0, 5.0), (1.0, 0.0))))["costs"].tolist()
    [0.0, 5.0, 1.0, 0.0]
    """
    lists = {"prior": answering.prior, "costs": answering.costs, "factors": answering.factors}
    return {
        "probability": answering.probability,
        "amount": answering.amount,
        **{name: None if given is None else np.array(given, np.float64).ravel() for name, given in lists.items()},
        "row_weight": answering.row_weight,
    }


def read_answering(fields: Fields | None, n_classes: int) -> Answering:
    """The answering that an object of a file holds, checked; the plain one where there is none.

    >>> how = Answering("laplace", factors=(0.5, 1.5))
    >>> read_answering(Fields(answering_document(how), "tree.answering"), 2) == how, read_answering(None, 2) == PLAIN
    (True, True)
    """
    if fields is None:
        return PLAIN
    probability = fields.one_of("probability", PROBABILITIES)
    amount = fields.number("amount", 0.0)
    row_weight = fields.number("row_weight", 0.0)
    prior, costs, factors = (
        None if fields.is_null(name) else tuple(fields.floats(name, n, low=0.0, high=LARGEST).tolist())
        for name, n in (("prior", n_classes), ("costs", n_classes**2), ("factors", n_classes))
    )
    fields.done()
    table = None if costs is None else tuple(costs[i : i + n_classes] for i in range(0, len(costs), n_classes))
    try:
        return Answering(probability, amount, prior, table, factors, row_weight)
    except InputError as error:
        wrong, why = str(error).removeprefix("The ").removesuffix(".").split(" of an answering ", 1)
        fields.refuse(wrong, why)
