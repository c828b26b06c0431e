"""Runs claims, draws charts, writes the report."""
