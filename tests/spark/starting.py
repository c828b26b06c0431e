"""Spark for tests: small, and started once."""

from __future__ import annotations

import pytest

MASTER = "local[2]"

# Rows are few here, and the time goes into compiling: by the JVM, and by Spark for the JVM.
SETTINGS = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
}
OPTIONS = ("--master", MASTER, *(word for one in SETTINGS.items() for word in ("--conf", "=".join(one))))

# of a busy machine
patient = pytest.mark.timeout(400)
