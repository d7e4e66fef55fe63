"""Ledgers: every candidate of a node with its numbers, and its arithmetic written out as in a textbook."""
