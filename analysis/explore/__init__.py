"""A page on the lake that asks as one clicks: `just explore`."""
