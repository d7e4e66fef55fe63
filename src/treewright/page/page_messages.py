"""The texts of the page in English, by the key under which its scripts use them.

A text may contain `{name}` placeholders, which the scripts fill in. A key that ends in `_one` is the form for a count
of one. `page_messages` returns the texts in every language that has a catalogue, so that a new language needs only a
`.po` file.
"""

from treewright.language import LANGUAGES, N_, messages

MESSAGES = {
    # The tree
    "root": N_("root"),
    "is": N_("{column} is {value}"),
    "is_missing": N_("is missing"),
    "is_known": N_("is known"),
    "more": N_("{n} more"),
    "leaf": N_("leaf"),
    "splits_on": N_("splits on {column}"),
    "predicts": N_("Prediction: {prediction}"),
    "node_number": N_("Node {n}"),
    "node_grown": N_("Node {n} of the unpruned tree"),
    "weight_of": N_("weight {n}"),
    "missing": N_("missing"),
    "path_to_node": N_("Path to this node"),
    "path_root": N_("The root: all rows start here."),
    "steps_before": N_("… {n} earlier steps"),
    "steps_before_one": N_("… 1 earlier step"),
    # Header
    "target": N_("Target"),
    "nodes": N_("Nodes"),
    "leaves": N_("Leaves"),
    "leaves_log": N_("Leaves (logarithmic scale)"),
    "rmse_training": N_("Training RMSE"),
    "rmse_validation": N_("Validation RMSE"),
    "shown_tree": N_("Pruning"),
    "node_count": N_("{n} nodes"),
    "node_count_one": N_("1 node"),
    "leaf_count": N_("{n} leaves"),
    "leaf_count_one": N_("1 leaf"),
    # Toolbar
    "toolbar": N_("Tree view"),
    "tree": N_("Tree"),
    "search": N_("Search"),
    "search_long": N_("Search for columns, categories, classes or node numbers"),
    "no_hits": N_("no matches"),
    "hit_before": N_("Previous match (N)"),
    "hit_after": N_("Next match (n)"),
    "depth": N_("Depth"),
    "zoom_in": N_("Zoom in (+)"),
    "zoom_out": N_("Zoom out (−)"),
    "fit": N_("Fit to window (f)"),
    "open_all": N_("Expand all (e)"),
    "close_all": N_("Collapse all"),
    "direction": N_("Root at the top or on the left"),
    "to_dark": N_("Dark theme (d)"),
    "to_light": N_("Light theme (d)"),
    "charts": N_("Show or hide the distributions in the nodes (h)"),
    "save": N_("Save as a picture"),
    "export": N_("Export as SQL, code or rules (x)"),
    "print": N_("Print"),
    "help": N_("Help (?)"),
    "close": N_("Close"),
    "language_name": N_("English"),
    # Tabs
    "panel": N_("Details"),
    "tab_node": N_("Node"),
    "tab_case": N_("Case"),
    "tab_pruning": N_("Pruning"),
    "tab_about": N_("About"),
    "panel_fold": N_("Collapse the panel"),
    "panel_unfold": N_("Expand the panel"),
    # Node
    "classes_here": N_("Classes"),
    "numbers_here": N_("Target values"),
    "figures": N_("Statistics and branches"),
    "training": N_("training"),
    "validation": N_("validation"),
    "empty_node": N_("No training row reaches this node; it predicts the same as its parent."),
    "more_classes": N_("{n} more classes"),
    "more_classes_one": N_("1 more class"),
    "more_branches": N_("… {n} more branches"),
    "more_branches_one": N_("… 1 more branch"),
    "branches": N_("Branches"),
    "weight": N_("Weight"),
    "row_count": N_("Training rows"),
    "validation_weight": N_("Validation weight"),
    "errors_as_leaf": N_("Errors as a leaf"),
    "validation_errors": N_("Validation errors"),
    "impurity": N_("Impurity ({criterion})"),
    "gain": N_("Gain"),
    "ratio": N_("Gain ratio"),
    "nodes_below": N_("Nodes below"),
    "value": N_("Predicted value"),
    "loss_squared": N_("Sum of squared errors"),
    "loss_squared_each": N_("Mean squared error"),
    "loss_absolute": N_("Sum of absolute errors"),
    "loss_absolute_each": N_("Mean absolute error"),
    "validation_value": N_("Validation mean"),
    "validation_squared": N_("Validation mean squared error"),
    "raised_here": N_("This node uses the split of node {n} of the unpruned tree: its subtree was raised."),
    "surrogates": N_("Surrogate splits"),
    "surrogates_why": N_("If the value is missing, the first surrogate whose value is known decides."),
    "agrees": N_("agrees on {share} of the rows, adjusted agreement {adjusted}"),
    # Distribution
    "distribution": N_("Distribution"),
    "histogram_of": N_("Rows by {column}, threshold {cut}"),
    "histogram_absent": N_("The histogram of this node is not in the page. In Python:"),
    "histogram_raised": N_("The histogram shows the rows before the subtree was raised."),
    # Candidates
    "why_this_split": N_("Why this split"),
    "ledger_absent": N_("The candidates of this node are not in the page. In Python:"),
    "ledger_leaf": N_("This node is a leaf, and its candidates are not in the page."),
    "ledger_more": N_("All candidates in Python:"),
    "won_by_gain": N_("{column} has the highest gain."),
    "won_by_ratio": N_("{column} has the highest gain ratio."),
    "average_gain": N_("Only columns whose gain is at least the average, {x}, are compared."),
    "floor_gain": N_(
        "Only columns whose gain is at least {x} are compared: {part} of the average gain plus {rest} of "
        "0.9 log2({n}) / {rows}, the cost of naming a column."
    ),
    "margin": N_("Its lead over the second best is {x}."),
    "margin_none": N_("Another column is equally good."),
    "column": N_("Column"),
    "cut": N_("Threshold"),
    "verdict": N_("Result"),
    "verdict_chosen": N_("chosen"),
    "verdict_tied": N_("tied"),
    "verdict_ranked": N_("not chosen"),
    "verdict_below": N_("gain too low"),
    "verdict_rejected": N_("rejected"),
    "more_columns": N_("Show {n} more columns"),
    "more_columns_one": N_("Show 1 more column"),
    "columns_unlisted": N_("{n} more columns are not in the page."),
    "columns_unlisted_one": N_("1 more column is not in the page."),
    "known_share": N_("Known values"),
    "impurity_before": N_("Impurity before"),
    "impurity_after": N_("Impurity after"),
    "penalty": N_("Penalty"),
    "split_info": N_("Split information"),
    "gini_index": N_("Gini index"),
    "next_cuts": N_("Best thresholds and their gains:"),
    "tied_cut": N_("(tied)"),
    # Rows
    "rows_here": N_("Rows"),
    "rows_absent": N_("The training rows are not in the page. To include them:"),
    "row_number": N_("Row"),
    "rows_first": N_("First {n} of {all} rows:"),
    "rows_all": N_("{n} rows:"),
    "rows_all_one": N_("1 row:"),
    "rows_some": N_("The page contains {n} of {all} rows, some from every leaf."),
    "rows_raised": N_(
        "These are the rows of the unpruned tree; after a subtree was raised, other rows reach this node "
        "too."
    ),
    "half_deviance": N_("half deviance"),
    # Pruning
    "views": N_("Compared trees"),
    "used_badge": N_("used for prediction"),
    "errors_rate": N_("Error rate"),
    "errors_cost": N_("Error rate, weighted by cost"),
    "errors_squared": N_("Mean squared error"),
    "errors_squared_table": N_("Mean squared error, and R²"),
    "error_rate_training": N_("Training error rate"),
    "error_rate_validation": N_("Validation error rate"),
    "error_rate_cv": N_("Cross-validated error rate"),
    "error_cost_training": N_("Training error, weighted by cost"),
    "error_cost_validation": N_("Validation error, weighted by cost"),
    "error_cost_cv": N_("Cross-validated error, weighted by cost"),
    "error_squared_training": N_("Training mean squared error"),
    "error_squared_validation": N_("Validation mean squared error"),
    "error_squared_cv": N_("Cross-validated mean squared error"),
    "cross_validation": N_("cross-validation"),
    "used_validation": N_("the validation rows were used to choose this tree, so its error is optimistic"),
    "view_grown": N_("not pruned"),
    "method_cost_complexity": N_("cost-complexity"),
    "method_error_based": N_("error-based"),
    "method_pessimistic": N_("pessimistic"),
    "method_reduced_error": N_("reduced-error"),
    "method_minimum_error": N_("minimum-error"),
    "method_critical_value": N_("critical-value"),
    "method_mdl": N_("minimum description length"),
    "method_global": N_("global"),
    "method_same_decision": N_("same decision"),
    "method_max_leaves": N_("maximum number of leaves"),
    "method_pre_pruning": N_("pre-pruning"),
    "path": N_("Cost-complexity path"),
    "path_intro": N_(
        "From the full tree to the root: each step removes the branches whose error reduction per leaf "
        "is smallest."
    ),
    "path_whole": N_("full tree"),
    "path_root_only": N_("root only"),
    "path_chosen": N_("Cost-complexity pruning chose this tree."),
    "path_off": N_("No tree of the path has as many leaves as the tree shown."),
    "path_same_leaves": N_("The tree of the path with as many leaves as the tree shown."),
    "error_plot": N_("{errors} by number of leaves"),
    "pruning_here": N_("Pruning"),
    "as_leaf": N_("As a leaf"),
    "as_subtree": N_("As a subtree"),
    "as_branch": N_("With its largest branch raised"),
    "allowance": N_("Allowance"),
    "unit": N_("Unit"),
    "decided_kept": N_("kept"),
    "decided_pruned": N_("pruned to a leaf"),
    "decided_raised": N_("replaced by its largest branch"),
    "decision_absent": N_("Pruning did not examine this node."),
    "decision_more": N_("In Python:"),
    # About
    "about": N_("About this tree"),
    "estimator": N_("Estimator"),
    "criterion": N_("Criterion"),
    "columns": N_("Number of columns"),
    "missing_rule": N_("Missing values"),
    "unseen_rule": N_("Unseen categories"),
    "unseen_missing": N_("treated as missing"),
    "unseen_majority": N_("follow the heaviest branch"),
    "unseen_stop": N_("stop at the node that tests them"),
    "unseen_error": N_("raise an error"),
    "notes": N_("Notes"),
    "keys": N_("Keyboard shortcuts"),
    # Case
    "case_intro": N_(
        "Enter what you know about a case. Only columns that still matter are asked for, and the path is "
        "highlighted in the tree."
    ),
    "case_clear": N_("Start again"),
    "case_more": N_("{n} more columns are needed."),
    "case_more_one": N_("1 more column is needed."),
    "change": N_("change"),
    "unknown": N_("unknown"),
    "other_value": N_("another value"),
    "accept": N_("OK"),
    "filter": N_("Type to filter"),
    "more_options": N_("… {n} more; type to find them"),
    "case_empty": N_("Enter a value or choose “unknown”."),
    "case_not_number": N_("“{text}” is not a number. Enter a number such as 12.5 or 12,5."),
    "case_not_date": N_("“{text}” is not a date or time. Enter one as in the example."),
    "case_no_missing": N_("This tree does not accept missing values. Enter a value."),
    "case_no_unseen": N_(
        "This tree does not accept values that did not occur in training. Choose one from the list."
    ),
    "case_no_category": N_(
        "“{text}” did not occur in training. Choose from the list, or choose “another value”."
    ),
    "case_several": N_("Several values match “{text}”. Choose one."),
    "case_refused": N_(
        "No prediction: the value of {column} is missing or did not occur in training, and this tree "
        "does not accept that."
    ),
    "case_so_far": N_("So far"),
    "case_why": N_("Why"),
    "case_steps_more": N_("{n} more nodes with smaller fractions of the case."),
    "case_steps_more_one": N_("1 more node with a smaller fraction of the case."),
    "case_shared": N_("The case ends at {n} nodes, with fractional weights:"),
    "case_ends_more": N_("… {n} more"),
    "step_open": N_("not entered yet"),
    "step_open_surrogate": N_("so {column} decides, which is not entered yet"),
    "step_stop": N_("so this node makes the prediction"),
    "step_share": N_("so it follows every branch, by weight: {parts}"),
    "step_absent": N_("{words}, like all categories that did not reach this node in training"),
    "step_majority": N_("{words}, the heaviest branch"),
    "step_surrogate": N_("{words}, because {column} is {value} (agrees on {share} of the rows)"),
    "probability_calculated": N_("Probability of {predicted}: {calculation} = {found}."),
    "probability_shrunk": N_(
        "Probability of {predicted}: {share} at this node, shrunk towards its ancestors (λ = {amount}) "
        "to {found}."
    ),
    "number_shrunk": N_("{own} at this node, shrunk towards its ancestors (λ = {amount}) to {found}."),
    "prediction_costs": N_(
        "The prediction with the lowest expected cost. Expected cost of each class: {costs}."
    ),
    "support_class": N_("{node}: {hits} of {rows} training rows are {predicted}."),
    "support_number": N_("{node}: {rows} training rows, predicted value {predicted}."),
    "interval": N_("95 % confidence interval: {low} to {high}."),
    "interval_caveat": N_("The leaf was chosen using these rows, so the interval is too narrow."),
    "interval_shared": N_("The prediction is a weighted mean over several nodes, so no interval is given."),
    "now": N_("now {value}"),
    "changes": N_("What would change the prediction"),
    "not_pruned": N_("Nothing was pruned from the tree shown."),
    "unpruned_same": N_("The unpruned tree makes the same prediction."),
    "unpruned_other": N_("The unpruned tree predicts {predicted}."),
    "unpruned_open": N_("The unpruned tree also needs {column}."),
    "used_same": N_("The tree used for prediction predicts the same."),
    "used_other": N_("The tree used for prediction predicts {predicted}."),
    "used_open": N_("The tree used for prediction also needs {column}."),
    # Print and help
    "print_window": N_("Visible part"),
    "print_window_words": N_("the part of the tree in the window"),
    "print_open": N_("All expanded nodes"),
    "print_open_words": N_("as one picture, scaled to the page"),
    "print_text": N_("Whole tree as text"),
    "print_text_words": N_("indented, on as many pages as needed"),
    "save_svg": N_("SVG picture"),
    "save_svg_words": N_("shapes and text that can be scaled and edited"),
    "save_png": N_("PNG picture"),
    "save_png_words": N_("pixels, twice as many as on the screen"),
    "save_all": N_("The picture shows all expanded nodes."),
    "save_window": N_("More than {n} nodes are expanded, so the picture shows the visible part."),
    # Export
    "export_title": N_("Export"),
    "export_format": N_("Format"),
    "export_group_sql": N_("SQL for a database"),
    "export_group_code": N_("Code"),
    "export_group_text": N_("Text"),
    "export_rules": N_("Rules of the leaves"),
    "export_shown": N_("The tree shown, which is used for prediction: {used}."),
    "export_not_shown": N_("This is the tree used for prediction ({used}), not the tree shown ({shown})."),
    "export_other": N_("The tree shown, in Python:"),
    "export_refused": N_("This tree cannot be exported to {format}:"),
    "export_absent": N_("The tree is large, so this text is not in the page. In Python:"),
    "export_unreadable": N_("This browser cannot decompress the text. In Python:"),
    "export_check": N_(
        "The text was not executed when the page was made. In Python, this call executes it, if its program is "
        "installed, and compares the predictions with the model:"
    ),
    "export_escaped": N_(
        "Invisible characters are shown as escapes such as \\u202e. Copy and Save use the exact text."
    ),
    "export_copy": N_("Copy"),
    "export_copied": N_("Copied."),
    "export_not_copied": N_("The browser does not allow copying. The text is selected: press Ctrl+C."),
    "export_save": N_("Save"),
    "help_title": N_("Help"),
    "help_words": N_(
        "Drag to move, use the wheel or pinch to zoom. Click a node for details, and the button below it "
        "to expand or collapse it."
    ),
    "key_arrows": N_("go to the parent, a child or a neighbour"),
    "key_enter": N_("expand or collapse the node"),
    "key_home": N_("go to the root"),
    "key_zoom": N_("zoom"),
    "key_fit": N_("fit the expanded nodes to the window"),
    "key_open_all": N_("expand all"),
    "key_charts": N_("show or hide the distributions in the nodes"),
    "key_search": N_("search"),
    "key_hits": N_("next or previous match"),
    "key_case": N_("enter a case"),
    "key_pruning": N_("compare pruned trees"),
    "key_export": N_("export as SQL, code or rules"),
    "key_theme": N_("dark or light theme"),
    "key_help": N_("show this help"),
    "key_escape": N_("back to the tree"),
}
"""All texts that the scripts show."""


NO_SCRIPT = N_("This page needs JavaScript to show a decision tree. Allow scripts, or open it in another browser.")


def page_messages() -> dict[str, dict[str, str]]:
    """The texts of the page by language and key.

    >>> page_messages()["zh"]["tab_node"]
    '结点'
    """
    found = {}
    for language in LANGUAGES:
        _ = messages(language)
        found[language] = {key: _(text) for key, text in MESSAGES.items()}
    return found


def in_every_language(message: str, /, **values: object) -> dict[str, str]:
    """Return a message by language, with its values filled in.

    >>> in_every_language("{n} nodes", n=3)["en"]
    '3 nodes'
    """
    # gettext translates an empty message to the header of the catalogue.
    return {language: messages(language)(message, **values) if message else "" for language in LANGUAGES}
