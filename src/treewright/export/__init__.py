"""A tree written down for other programs."""
