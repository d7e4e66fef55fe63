"""Asking a finished tree: rows to leaves, leaves to answers."""
