"""Data files: a file becomes a `Data`, batches of rows, or rows for a model; and a table becomes a file.

The bytes, whatever the format:

    source          where they come from: a path or standard input, unpacked
    format          which kind of file they are
    encoding        text of any encoding becomes UTF-8

A table that fits in memory: `read.read` goes one of three ways, and `parts` ends each of them.

    text            CSV and TSV: `sniff` guesses the layout, `survey` sees whether the fast reader may be trusted,
                    `csv_rows` reads by the letter where it may not, `naming` names the columns
    text_kinds      which columns of text are numbers
    typed           Parquet, Arrow and JSON lines, read by polars
    typed_kinds     what columns of these types are
    arff/, names/   files that declare their columns: a `raw.RawTable`, its cells checked by `declared_cells`
    kinds           what all ways find: a `Found` for each column, its kind and why
    parts           the part of each column (target, weights, ignored), as the user, a `schema_file` and the file say
    data            the result: `Data`, printed by `listing`

A table larger than memory: `stream.open_stream` gives `batches`.

    blocks          a text cut where rows end
    text_stream     CSV and TSV, block by block
    typed_stream    Parquet, Arrow and JSON lines

Rows for a model, whose columns are known:

    like            cells become what the model knows its columns as
    coded           the same in codes, the plain columns at once

A table becomes a file: `write`, `arff/`, `names/`, with `cell_text` for the words and `formulas` for spreadsheets.

Everywhere: `cell_meaning` says what a cell of text is (nothing, a number, a code, a date), and `wording` puts what
stands in a file into the sentences of errors.
"""
