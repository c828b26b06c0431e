"""Slices of a model's other weights: embedding rows of anchor tokens, gate and up of some layers."""
