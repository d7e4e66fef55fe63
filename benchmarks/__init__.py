"""Ratios against peers, taken in one process with the fits interleaved. Run it with `make bench`."""
