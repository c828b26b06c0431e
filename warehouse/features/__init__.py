"""Derived tables: what questions need of a model and would be too slow to compute each time."""
