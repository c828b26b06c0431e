"""Runs the claims of `sql/claims/` on a lake, judges them, and keeps a ledger of what was observed.

claim_file.py   reads a claim file; its docstring is the contract for whoever writes one
lock.py         no query changes unnoticed: version and checksum of each
run.py          asks the queries and applies the rules of results.py
results.py      the inventory of items, verdicts, counts, and a run as JSON
ledger.py       keeps full runs, and compares with an earlier one
show.py         what the terminal shows; command.py `just claims` and `just claims-lock`
"""
