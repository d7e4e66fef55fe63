"""The command line: one module for each command, imported when it is used.

    main            the command `treewright`: finds the subcommand, and turns errors into one line and an exit code
    command         what all commands share: options in groups, examples, --json, --quiet, -o, --language
    terminal        stdout and stderr: results, notes, progress, colours

From options to objects:

    input_tables    the options about a table, and reading it for training or for a model
    training_table  the tables of fit, cv and compare
    models          model files, and a model described in a few lines
    algorithms      the options about growth and pruning, and an estimator; `option_values` parses NAME=VALUE

The commands are inspect, fit, predict, evaluate, cv, compare, show, why, explain, rules, consult, plot, prune, diff,
export, convert and c45 (`treewright c4.5`). `predictor` predicts frame by frame, `predict_stream` reads, predicts and
writes in batches, and `c45_trees` makes the trees of C4.5. They import numpy or scikit-learn; --help must not wait for
these.
"""
