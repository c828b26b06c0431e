"""The tables' contract: schemas, atomic Parquet writing, lakes on disk, the catalog."""

VERSION = "0.1.0"
