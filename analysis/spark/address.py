"""Folders and addresses as Spark takes them, and what it says of those that it cannot use."""

from __future__ import annotations

import re
from pathlib import Path

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://?.+")


def file_address(folder: Path) -> str:
    # not as_uri(): Hadoop takes %20 for what it says
    return f"file://{folder.absolute()}"


def said(error: Exception, longest: int = 400) -> str:
    """Spark's words without its stack."""
    text = str(error).partition("JVM stacktrace")[0].partition("\n\tat ")[0]
    return " ".join(text.split())[:longest]


def no_file_system(error: Exception, address: str) -> str | None:
    """What to do if an error says that Spark has no class for such addresses."""
    if not re.search(r"UnsupportedFileSystemException|ClassNotFoundException", str(error)):
        return None
    return (
        f"Spark has no file system for {address.partition(':')[0]}:// addresses: give it the jar, as in "
        f"--conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0"
    )


def no_file(error: Exception) -> str | None:
    """What to do if an executor lacks a file that this machine has."""
    if (found := re.search(r"FILE_NOT_EXIST\].* file (\S+?)\.? File does not exist", str(error))) is None:
        return None
    return (
        f"an executor has no {found[1]}: a folder must stand in the same place on every machine of a cluster "
        f"while it is asked; else name an address that all reach, as s3a://…"
    )
