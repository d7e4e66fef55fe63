"""Store: fitted estimators as documents of the model file, and back.

    fitted_estimator   the record of a fit, with its plan and training rows
    parameter_values   parameters and pruning methods
    pruning_reports    the decisions of a pruning, and the pruning path
    ledgers            on request: the candidates of every node
    consistency        checks that the parts belong together
    json_schema        the JSON Schema of model files
"""
