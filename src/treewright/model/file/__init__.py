"""The model file: a tree as JSON that is checked before it is used."""
