"""How weights that nobody released say so, wherever they are met."""

from __future__ import annotations

# A tag of every repo of the replica hub, in its API and its model card.
REPLICA_TAG = "normhouse-replica"
