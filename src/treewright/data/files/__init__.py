"""Data files: reading tables from files, for training and for a model, and writing them.

The bytes of a file, of any format:

    source           where they come from (a path or standard input, decompressed) and the format
    encoding         text of any encoding becomes UTF-8

A table that fits in memory, by `table_reader.read`:

    csv_table        CSV and TSV: `csv_structure` checks whether polars reads the text correctly, `csv_rows` is the
                     careful reader for text that it does not, `column_names` names the columns
    typed_reader     Parquet, Arrow and JSON lines, read by polars
    arff_reader      ARFF, a `declared_table` that declares its columns
    names_reader     C4.5's and C5.0's files, with `names_tokens`; another `declared_table`
    column_kinds     which columns are numbers and which are categories, and why
    column_roles     target, weights and ignored columns, by the user, a `schema_file` and the file
    loaded_data      the result: `Data`

A table larger than memory, in `batches`, by `stream.open_stream`:

    csv_stream       CSV and TSV, block by block
    typed_reader     Parquet, Arrow and JSON lines

Rows for a model, whose columns are known: `model_rows`.

A table becomes a file of any format: `table_writer`.

Everywhere: `cell_parsing` decides what a cell of text is (missing, a number, a code), `number_forms` and
`date_forms` read numbers written for people and dates, `reading_notes` says so in notes, and `error_text` formats
values in error messages.
"""
