"""Bytes in, rows out: from a model's name to norm vectors in the lake."""
