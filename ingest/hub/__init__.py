"""Models on a Hugging Face hub: settings, connections, one repo's files, and the commits kept to."""
