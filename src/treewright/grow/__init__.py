"""Growth: an algorithm as data (plan), and the grower that turns a dataset into a tree by it."""
