"""The finished tree: its columns, views of nodes and splits, the validator, and its text."""
