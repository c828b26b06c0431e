"""Tests of `just crawl`, over real sockets."""
