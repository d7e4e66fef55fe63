"""Work: everything the growth loop reads and writes, by name.

In: arrays and numbers by name, as listed with their types in work.pxd. Out: the same, for the kernels to use
without the interpreter. Several threads each have a Work; what they share is the same arrays behind it.
"""

import cython


@cython.cclass
class Work:
    """A plain record; see work.pxd for what each name holds."""

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)
