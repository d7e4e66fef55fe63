"""Trying: which methods of pruning can be tried on a tree.

In: methods as they are named, or none: all there are; what kind of target the tree has, and whether there are
validation rows. Out: the methods by name, and those that are left out with the reason.
"""

from collections.abc import Callable, Iterable

from treewright.prune.method import VALIDATION, Method
from treewright.prune.registry import METHODS

LeftOut = tuple[str, str]
"""The name of a method, and why it is not tried."""


def sort_out(
    methods: Iterable[str | Method] | str | Method | None,
    read: Callable[[str | Method], Method | None],
    *,
    is_number: bool,
    has_validation: bool,
) -> tuple[dict[str, Method | None], list[LeftOut]]:
    """The methods that can be tried by name, the grown tree ("none") first, and those that cannot.

    methods    names or objects, or one of them; a list among them is a sequence of methods. None: all that have a
               meaning for the target
    read       makes an object of a name
    is_number  whether the target is a number

    >>> from treewright.prune.registry import read_method
    >>> tried, left_out = sort_out(["mdl", "reduced-error"], read_method, is_number=False, has_validation=False)
    >>> list(tried), left_out
    (['none', 'mdl'], [('reduced_error', 'it needs validation rows, X_val and y_val')])
    """
    tried: dict[str, Method | None] = {"none": None}
    left_out = []
    methods = [methods] if isinstance(methods, str | Method) else methods
    for one in METHODS if methods is None else methods:
        method = read(one)
        if method is None or (methods is None and is_number and not method.for_numbers):
            continue
        method.check_target(is_number)
        if VALIDATION in method.needs and not has_validation:
            left_out.append((method.label, "it needs validation rows, X_val and y_val"))
            continue
        # Two settings of one method are told apart by their parameters.
        tried[method.label if method.label not in tried else repr(method)] = method
    return tried, left_out
