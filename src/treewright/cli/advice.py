"""Advice: what an error advises, in the words of the command line.

In: the sentence of an error, which speaks of the parameters of Python. Out: the same, with the options that stand for
them here.
"""

import re

_SAID = {
    "give X and y, or X_val and y_val, or set alpha or cp.": "give --data FILE or --validation, or --set alpha=NUMBER.",
    "give X_val and y_val, or set validation_fraction.": "give them with --validation.",
    "give X and y.": "give --data FILE.",
    "set numeric='bisect' to cut at thresholds, or list in categorical_features what is really a category.": (
        "--set numeric=bisect cuts at thresholds, and --categorical names what is really a category."
    ),
    "(overwrite=True, on the command line --force)": "(--force)",
    "set pruning=None": "take --pruning none",
    "give objects of treewright.prune with their parameters, such as [ErrorBased(confidence=0.1), Global()].": (
        "leave it out, or name one method."
    ),
    "In the validation rows (X_val, y_val):": "In the validation rows:",
    ", or None to hold none out": "",
    "or choose another missing=.": "or choose another --missing.",
    "but X and y have": "but --data has",
    "than X and y, whose": "than those of --data, whose",
    "Unknown label type: continuous; y has": "The target has",
    "use a regressor, or turn y into classes.": "take --regression, or turn it into classes.",
    "y has the value": "The target has the value",
    "use a classifier for classes.": "leave --regression out to answer with classes.",
    "save() wrote": "`treewright fit` wrote",
    "give these columns alone and in their order.": (
        "give these columns alone and in their order, and name a column of answers with --target."
    ),
    "choose missing='fractional', or use CARTClassifier.": "choose --missing fractional, or take --algorithm cart.",
    ", or None for no limit": ", or leave it out for no limit",
    "use form='leaves'.": "use --form leaves.",
    "which this table does not name; say which column it is.": "which this table does not name; give --target.",
}

_PARAMETER = re.compile(
    r"^(missing|criterion|pruning|max_depth|min_samples_leaf|min_samples_split|confidence|validation_fraction|"
    r"target|weights|ignore|categorical|numeric|ordered|delimiter|encoding|decimal|format|schema|form)"
    r"=('[^']*'|[^ ;,]+)(?= )"
)
_COLUMNS = re.compile(r"^(target|weights|ignore|categorical|numeric|ordered)(?= names the column |\[)")
"""Parameters that name columns, at the beginning of a sentence about one of these."""
_NAMES = {"validation_fraction": "validation"}


def on_the_command_line(said: str) -> str:
    """The sentence with the options of the command line.

    >>> on_the_command_line("Reduced-error pruning needs validation rows; give X_val and y_val, or set "
    ...     "validation_fraction.")
    'Reduced-error pruning needs validation rows; give them with --validation.'
    >>> on_the_command_line("missing='x' is not known; choose one of 'stop', 'error'.")
    "--missing x is not known; choose one of 'stop', 'error'."
    """
    for python, words in _SAID.items():
        said = said.replace(python, words)
    return _COLUMNS.sub(r"--\1", _PARAMETER.sub(_option, said))


def _option(found: re.Match[str]) -> str:
    name = _NAMES.get(found[1], found[1]).replace("_", "-")
    return f"--{name} {found[2].strip(chr(39))}"
