"""A Hugging Face hub: settings, connections, files of a repo, lists of repos, fixed commits."""
