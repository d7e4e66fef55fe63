"""The model file: a model as JSON that is checked before it is used.

    writing    schema, tree, labels -> text -> save     documents, their bytes, the way to the disk
    reading    load -> fields -> schema, tree, labels    bytes, fields that are refused by name, the model
    both       alone                                     a file that holds a tree and nothing else

`model.schema.json` describes every field. Estimators and rules are written and read by the room `store`.
"""
