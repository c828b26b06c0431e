"""Real models inside packages of PyPI: where they are, how their files are read, which are related."""
