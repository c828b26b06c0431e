"""Real models that come inside packages of PyPI: where they are, how each file is read, which are related."""
