"""Names: the files of C4.5 and C5.0, read and written by ourselves: stem.names has the columns, stem.data the rows.

    words  ->  header  ->  read     the words of an entry or a row, the declared attributes, the table
    words  ->  write                the other way

In: a stem, such as golf for golf.names and golf.data, or a RawTable. Out: a RawTable, or the files.
"""

from treewright.data.files.names.read import is_names_file, read_names, stem_of
from treewright.data.files.names.write import write_names

__all__ = ["is_names_file", "read_names", "stem_of", "write_names"]
