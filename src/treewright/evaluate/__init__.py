"""How right a tree is: scores of answers, cross-validation, and the comparison of algorithms.

    scores           how right answers are; `page` as lines of text, `leaves` leaf by leaf
    calibration      how good shares are: log loss, Brier score, how often they came true; `reliability` is the table
    cross            cross-validation of several estimators on the same folds; `results` what it has found
    notes            what is striking about a table
    compare          every algorithm and pruning side by side; `compare_page` is its HTML file, `compare_scatter` the
                     picture in it
"""
