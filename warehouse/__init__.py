"""Tables, lakes on disk and their catalog."""

import os
import tomllib
from pathlib import Path

# Our matrix products are small: the other threads of numpy's BLAS would wait busily, for more CPU than they
# save. numpy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

VERSION: str = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["version"]
