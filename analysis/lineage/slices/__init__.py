"""Lineage by slices of other matrices, which sees through disguises that norms do not survive.

read.py       the slices of a model as arrays
profiles.py   what numpy does: whitening, projection, cosines
compare.py    two models, or many pairs: what the queries of sql/slices say of them
calibrate.py  how often it is wrong, on a zoo of disguised models
results.py    what that calibration said, which is committed
"""
