"""An embedded stand-in for the Hugging Face hub: twelve synthetic model repos served on loopback.

published          facts of the twelve models, from configs.json and models.toml
layout             what the files look like: real names, shapes, dtypes, shard counts
patterns, values   what is in them: norms with published statistics, random values elsewhere
tokenizers         tokenizer.json, with the project's anchors among made-up words
repos, population  the repos: the twelve, and any number of small made-up ones
site, api          which answers the hub gives, without sockets
messages, server   the sockets, and `just hub`
running            runs it in a child process, for ingest

No weight here comes from a released model: the replica shows that the machinery works and proves
nothing about the models that give it their names.
"""
