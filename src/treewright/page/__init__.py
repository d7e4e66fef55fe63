"""The interactive page: a tree in one HTML file that a browser opens from disk."""
