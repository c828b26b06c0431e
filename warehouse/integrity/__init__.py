"""Finds damage in our own lakes and refuses malformed ones of others."""
