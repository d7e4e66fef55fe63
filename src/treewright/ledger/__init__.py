"""Why a tree is as it is: every candidate of a node with its numbers, and the arithmetic of a textbook."""
