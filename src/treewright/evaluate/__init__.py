"""How right a tree is: scores of answers, and cross-validation."""
