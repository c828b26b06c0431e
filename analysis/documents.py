"""The five documents by the names that readers know them by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """One source; documents of the same group are versions of one text, or of one author."""

    key: str
    short: str
    name: str
    group: str


DOCUMENTS = {
    document.key: document
    for document in (
        Document("sionic_ko", "sionic (ko)", "sionic-ai/solar-vs-glm, README in Korean", "sionic"),
        Document("sionic_en", "sionic (en)", "sionic-ai/solar-vs-glm, README in English", "sionic"),
        Document("hyunwoong", "hyunwoong", "hyunwoongko/solar-vs-glm-vs-phi, README", "hyunwoong"),
        Document("critique_results", "critique", "chahero/solar-vs-glm-critique, RESULTS.md", "critique"),
        Document(
            "critique_readme", "critique (readme)", "chahero/solar-vs-glm-critique, older README", "critique"
        ),
    )
}

# Headings of the figures; what no document shows comes last.
GROUPS = {
    "sionic": "sionic: Solar and GLM are independent",
    "hyunwoong": "hyunwoong: Solar, GLM and Phi by seven metrics",
    "critique": "critique: the baseline of the accusation",
    "normhouse": "What none of the documents shows",
}


def group_of(documents: tuple[str, ...]) -> str:
    """The heading under which something said by these documents stands."""
    return DOCUMENTS[documents[0]].group if documents else "normhouse"


def short_name(key: str) -> str:
    return DOCUMENTS[key].short if key in DOCUMENTS else key
