"""Data files: tables from CSV, Parquet, Arrow, JSON lines, ARFF and C4.5's own files."""
