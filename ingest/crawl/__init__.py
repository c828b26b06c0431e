"""`just crawl`: thousands of models of a hub into a lake, within its rate limits."""
