"""The command line: one file for each verb, loaded when it is asked for.

    main            the command `treewright`: finds the verb, and turns errors into sentences and exit codes
    verb            what every verb is made with: its options in groups, examples, --json, --quiet
    advice          an error that speaks of Python's parameters, said with the options that stand for them
    terminal        stdout and stderr: results, notes, progress, colours

From words to things, for all verbs:

    tables          the options about a table, and the table
    rows            a table read for a model, whose columns say how
    models          the model in a file
    algorithms      the options about growth and pruning, and an estimator; `values` reads NAME=VALUE
    output          -o and --force
    about           what a model is, in a few lines

The verbs are fit, predict, evaluate, cv, compare, show, why, explain, rules, consult, plot, prune, diff, export,
convert and c45 (`treewright c4.5`). What a verb needs besides:

    fit             `fit_table` the rows to learn from, `fit_report` what is said of the model
    predict         `predict_job` which columns go in and out, `asked` a model that answers frame by frame, with its
                    `reasons`, `predict_belt` reading, answering and writing at once, `predict_file` what comes out
    cv, compare     `contest` the table and the algorithms
    consult         `consult_talk` questions and answers in a terminal
    convert         `convert_tables` from a table to a table
    c45             `c45_trees` the trees and their figures
"""
