"""Runs the claims of `sql/claims/` on a lake, judges them, and keeps a ledger of what was observed.

claim_file.py   reads a claim file; its docstring is the contract for authors of claims
lock.py         refuses queries that changed without a new version
run.py          runs the queries and judges their rows
results.py      the inventory of items, verdicts, counts, and a run as JSON
headlines.py    the argument in a dozen lines; `just readme`
ledger.py       records full runs, and compares with an earlier one
show.py         what the terminal shows; command.py `just claims` and `just claims-lock`
"""
