"""Small models trained here, whose history is known: the documents' init experiment, and the zoo."""
