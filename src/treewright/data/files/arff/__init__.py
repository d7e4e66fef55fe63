"""Arff: Weka's file of a table with declared columns, read and written by ourselves.

    words  ->  header  ->  read     the words of a line, the declared columns, the rows
    words  ->  write                the other way

In: a stream of text, or a RawTable. Out: a RawTable, or the text.
"""

from treewright.data.files.arff.read import read_arff
from treewright.data.files.arff.write import arff_text, write_arff

__all__ = ["arff_text", "read_arff", "write_arff"]
