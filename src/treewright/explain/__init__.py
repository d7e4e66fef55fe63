"""Explanations: why a row is predicted so, the effect of missing values, and the stability of splits."""
