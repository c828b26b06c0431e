"""How a lake is stored: commits from snapshot to snapshot, bundles of many models, compaction."""
