"""An embedded stand-in for the Hugging Face hub: twelve synthetic model repos served on loopback.

configs → architectures → shards   what the files look like: real names, shapes, dtypes, shard counts
facts → patterns → values          what is planted in them: published statistics of the norm weights
relations → weights                all other tensors: made up, alike where models are relatives
vocabularies → tokenizers          tokenizer.json, with the project's anchors among made-up words
repos                              all put together as files that can be read at any byte
site, messages → about, listing, api, hub, faults   what is answered, as the hub does or misbehaving on demand
server → running, serving          the sockets; started in a thread or a process, and by `just hub` (command)
synthetic → population             made-up models, as many as wanted: norm vectors, and whole repos of them

No weight here comes from a released model: the replica shows that the machinery works and proves
nothing about the models it is named after.
"""
