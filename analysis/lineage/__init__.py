"""Whether models share weight history, as far as their norms tell, and how often that answer is wrong."""
