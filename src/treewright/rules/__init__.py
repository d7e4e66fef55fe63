"""A tree as rules: one for each leaf, or fewer and shorter ones that do not need the tree."""
