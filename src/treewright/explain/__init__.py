"""Saying why: what a tree does with a table, in numbers and in the user's words."""
