"""The catalog of a lake: its views and macros, where it is kept, and how it is opened."""
