"""Store: fitted estimators as documents of the model file, and back.

    estimator        the record of a fit, made of the others; `check` looks whether they fit together
    plan, plain      how the tree was grown, and the parameters that were given
    report, path     the decisions of a pruning, and the trees it chose from
    rows             on request: the training rows
    ledgers          on request: the candidates of every node; `ledger_file` is their document
"""
