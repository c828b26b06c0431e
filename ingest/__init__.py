"""Reads models, wherever they are, and writes their norm vectors into a lake."""
