"""A tree as one page that a browser opens from disk."""
