"""Reads the CSV files of `sql/`: the documents, their items and printed figures."""
