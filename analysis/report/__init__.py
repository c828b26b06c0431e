"""Writes what people read: one page that opens offline, and the comparison of two models."""
