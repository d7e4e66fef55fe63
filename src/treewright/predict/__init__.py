"""Prediction by a finished tree: routing of rows, class probabilities, predicted classes and numbers."""
