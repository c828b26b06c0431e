"""Runs the claims of `sql/claims/` on a lake, judges them, and keeps a ledger of what was observed."""
