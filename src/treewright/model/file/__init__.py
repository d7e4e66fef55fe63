"""The model file: a model as JSON, validated before it is used.

    model_file      the fields of every file, writing to disk, opening a file
    fields          one object of a file, read field by field
    stored_schema   columns, target and type of the classes
    stored_tree     the nodes of a tree, and files that hold only a tree
    json_writer     documents to bytes

`model.schema.json` describes every field. `treewright.store` writes and reads estimators, `treewright.rules` rule sets.
"""
