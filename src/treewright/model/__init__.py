"""The finished tree: frozen columns, views for people, the validator and the words it is shown in."""
