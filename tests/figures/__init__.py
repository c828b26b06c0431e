"""Figures: their queries, their charts, their command."""
