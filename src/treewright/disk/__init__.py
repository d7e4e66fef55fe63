"""Files on disk: written atomically, and read without trusting their size or content."""
