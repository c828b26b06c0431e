"""Which anchors a model has as single tokens, from its `tokenizer.json`."""

from __future__ import annotations

from functools import cache

from ingest.files import ModelFiles
from ingest.formats.token_spellings import Scheme, anchors_among, tokens_of
from ingest.formats.tokenizer_json import VocabularyReader
from warehouse.documents.anchors import anchors
from warehouse.errors import FormatError, RangeIgnored

TOKENIZER = "tokenizer.json"
PIECE_BYTES = 2_000_000
# The largest have 35 MB.
MOST_BYTES = 64_000_000


async def anchor_ids(files: ModelFiles) -> dict[str, int]:
    """Token ids by anchor, in the shipped order; reads the file no further than its vocabulary goes."""
    where = f"{files.where}/{TOKENIZER}"
    reader = VocabularyReader(_table(), where)
    try:
        piece, size = await files.front(TOKENIZER, PIECE_BYTES)
        if size > MOST_BYTES:
            raise FormatError(
                f"{where} has {size:,} bytes, and no tokenizer has more than {MOST_BYTES:,}: "
                f"ingest without --slices"
            )
        reached = len(piece)
        while not reader.done:
            reader.feed(piece, last=reached >= size)
            if reader.done:
                break
            piece = await files.range(TOKENIZER, reached, min(reached + PIECE_BYTES, size))
            reached += len(piece)
    except RangeIgnored:
        # a small file that a hub keeps outside of its large storage
        reader = VocabularyReader(_table(), where)
        reader.feed(await files.whole(TOKENIZER), last=True)
    found = anchors_among(reader.ids, _table())
    return {anchor: found[anchor] for anchor in anchors() if anchor in found}


@cache
def _table() -> dict[str, list[tuple[Scheme, str]]]:
    return tokens_of(anchors())
