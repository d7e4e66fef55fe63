"""A few ordinary rows, as the user has them -> the nodes where they end.

In: numbers, among them the numbers that stand for categories. Out: a node for each row; or nothing, where a cell is
missing, infinite or no category that is known: such rows are read and routed elsewhere. All that is known of the tree
is handed over once, and not at every call: to one row the tree is the smaller part of the work.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.route import branch_of
else:
    from treewright._core.route import branch_of

i64 = cython.typedef(cython.longlong)

INFINITE = cython.declare(cython.double, float("inf"))


@cython.cclass
class Ways:
    """A tree, and how its columns are read; never changed once it is made.

    cells, tables  as `route` takes them; a leaf has no child
    first          by column, where its codes begin; -1 for numbers, which stand as they are
    length         by column, how many codes there are: for the whole numbers from 0 on
    codes          -1 where a number is no category
    """

    def __init__(self, cells: object, tables: tuple, first: object, length: object, codes: object) -> None:
        self.cells = cells
        self.n_codes, self.dense, self.spans, self.entries = tables
        self.first = first
        self.length = length
        self.codes = codes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def code_of(self, column: i64, value: cython.double) -> cython.double:
        """The value as the tree knows it: a number, or the code of a category; -1 where it has none."""
        whole: i64
        if self.first[column] < 0:
            return value
        if not (0.0 <= value and value < self.length[column]):
            return -1.0
        whole = cython.cast(i64, value)
        if whole != value:
            return -1.0
        return cython.cast(cython.double, self.codes[self.first[column] + whole])

    def send(self, rows: cython.const[cython.double][:, :], nodes: i64[::1]) -> bool:
        """Write the node where each row ends into `nodes`; False, with nothing said, where a row is not ordinary."""
        n_columns: i64 = self.first.shape[0]
        i: i64
        j: i64
        node: i64
        value: cython.double
        if rows.shape[1] != n_columns:
            return False
        for i in range(rows.shape[0]):
            for j in range(n_columns):
                value = rows[i, j]
                if not (-INFINITE < value and value < INFINITE):  # neither is NaN
                    return False
                if self.first[j] >= 0 and self.code_of(j, value) < 0.0:
                    return False
            node = 0
            while self.cells[node].child >= 0:
                j = self.cells[node].column
                if j < 0:
                    j = -1 - j
                value = self.code_of(j, rows[i, j])
                node = self.cells[node].child + branch_of(
                    self.cells, self.n_codes, self.dense, self.spans, self.entries, node, value
                )
            nodes[i] = node
        return True
