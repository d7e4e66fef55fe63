"""Evaluation of trees: scores, calibration, cross-validation and the comparison of algorithms.

    scores              confusion matrix and errors; `score_report` prints them, also leaf by leaf
    calibration         log loss, Brier score and calibration of predicted probabilities
    cross               cross-validation of several estimators on the same folds; `cross_results` is what it returns
    table_report        `treewright.inspect`: what is unusual about a table; its sentences are in `table_findings`
    table_checks        identifiers, free text, constant and repeated columns
    target_leaks        columns that alone predict the target
    compare_pruning     all pruning methods on one grown tree
    compare_algorithms  every algorithm with every pruning method; `compare_page` is the report as an HTML file
"""
