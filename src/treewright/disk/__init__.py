"""Disk: files are written wholly or not at all, and read without trusting their size or content."""
