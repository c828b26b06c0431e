"""Writes the table of tables in README.md from the registry: `just dictionary`."""

from __future__ import annotations

from pathlib import Path

from warehouse.tables import TABLES

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- written by `just dictionary` -->\n", "<!-- end of what it writes -->"


def dictionary() -> str:
    """One line per table in Markdown."""
    lines = ["| table | one row per | stored | columns |", "| --- | --- | --- | --- |"]
    for name, table in TABLES.items():
        grain = table.grain.removeprefix("one row per ")
        stored = f"`sql/{table.csv}`" if table.csv else table.stored
        lines.append(f"| `{name}` | {grain} | {stored} | {', '.join(table.columns)} |")
    return "\n".join(lines) + "\n"


def updated(readme: str) -> str:
    """The text with the current table between its two markers."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{dictionary()}{END}{after}"


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
