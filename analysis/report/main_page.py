"""What the main page says: the answer in three paragraphs, the dispute, the words of both languages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from analysis.claims.results import Measurement, Run
from analysis.languages import Language, filled, in_language, read_texts
from analysis.report.headlines import headlines, planned
from analysis.rows import fetch_dicts
from warehouse.catalog.definitions import read_query
from warehouse.documents.documents import short_name

TEXTS = Path(__file__).with_name("texts")
HERO = ("patterns", "predicted")
"""Figures of the first screen."""

AGREEING: dict[Language, tuple[str, str]] = {"en": ("agree", "disagree"), "ko": ("일치", "불일치")}


def texts(name: str, language: Language) -> dict[str, Any]:
    """The texts of a page in one language."""
    found: dict[str, Any] = in_language(read_texts(TEXTS / f"{name}.toml"), language)
    return found


def answer_figures(connection: duckdb.DuckDBPyConnection) -> dict[str, float | None]:
    [found] = fetch_dicts(connection, read_query("report/answer"))
    return found


def answer(figures: Mapping[str, float | None], about: Mapping[str, Any], language: Language) -> list[str]:
    """What was claimed, what holds, what nobody knows; a replica's figures are never told as findings."""
    told = texts("main", language)["answer"]
    caution = about["caution"] or ""
    case = "absent" if figures["cosine"] is None else "others" if caution else "read"
    if caution.startswith("synthetic"):
        case = "replica"
    holds = f"{told['cosine']} {told['weights'][case]}"
    values = {**figures, "lake": about["lake"]}
    return [filled(text, values) for text in (told["claimed"], holds, told["limit"])]


def dispute(run: Run, language: Language) -> list[dict[str, Any]]:
    """The steps, each with the headlines that belong to it."""
    lines = headlines(run, planned(language))
    steps = texts("main", language)["step"]
    return [{**step, "lines": [line for line in lines if line.planned.step == step["key"]]} for step in steps]


def measured_words(measurements: tuple[Measurement, ...], language: Language) -> str:
    """What others published, in a few words of the language."""
    by_source = dict.fromkeys(
        f"{short_name(one.source)} {one.value:.4g} ({AGREEING[language][0 if one.agrees else 1]})"
        for one in measurements
    )
    return ", ".join(by_source)
