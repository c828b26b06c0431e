"""Formats of model files: headers, dtypes, tensor names and vocabularies."""
