"""Slices of models of known geometry, and what is done to them: no training, no files."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from analysis.lineage.slices.compare import SlicePair
from analysis.lineage.slices.read import Layer, Matrix, Slices

WIDTH, NEURONS, TOKENS, DEPTH = 48, 40, 160, 6
READ = (1, 4)
ANCHORS = tuple(f"token {number}" for number in range(TOKENS))


def normal(random: np.random.Generator, *shape: int) -> Matrix:
    return random.normal(0, 1, shape).astype(np.float32)


def model(name: str, seed: int, width: int = WIDTH, neurons: int = NEURONS, depth: int = DEPTH) -> Slices:
    """Independent of any other seed; norms vary, and tokens share a direction, as real ones do."""
    random = np.random.default_rng(seed)
    rows = normal(random, TOKENS, width) + 3 * normal(random, width)
    layers = {
        layer: Layer(
            tuple(("", row) for row in range(neurons)),
            normal(random, neurons, width),
            normal(random, neurons, width),
            neurons,
            np.exp(0.4 * normal(random, width)),
        )
        for layer in READ
    }
    return Slices(name, depth, dict(zip(ANCHORS, rows, strict=True)), layers)


def child(name: str, parent: Slices, seed: int, noise: float = 0.2) -> Slices:
    """Every weight moved a little."""
    random = np.random.default_rng(seed)

    def moved(values: Matrix) -> Matrix:
        return values + np.float32(noise) * normal(random, *values.shape)

    layers = {
        number: replace(layer, gate=moved(gate_of(layer)), up=moved(layer.up))
        for number, layer in parent.layers.items()
    }
    tokens = {anchor: moved(row) for anchor, row in parent.tokens.items()}
    return Slices(name, parent.depth, tokens, layers)


def disguised(name: str, parent: Slices, seed: int) -> Slices:
    """Stream turned, norms folded and reinitialised, neurons reordered, ups scaled and negated."""
    random = np.random.default_rng(seed)
    width = next(iter(parent.tokens.values())).size
    turn = np.linalg.qr(random.normal(0, 1, (width, width)))[0].astype(np.float32)
    layers = {}
    for number, layer in parent.layers.items():
        order = random.permutation(len(layer.neurons))
        factors = np.exp(0.7 * normal(random, order.size)) * random.choice([-1, 1], order.size)
        norm = np.exp(0.4 * normal(random, width))
        assert layer.norm is not None
        folded = [(matrix * layer.norm)[order] @ turn / norm for matrix in (gate_of(layer), layer.up)]
        layers[number] = replace(layer, gate=folded[0], up=folded[1] * factors[:, None], norm=norm)
    tokens = {anchor: (1.7 * row @ turn).astype(np.float32) for anchor, row in parent.tokens.items()}
    return Slices(name, parent.depth, tokens, layers)


def forged(name: str, slices: Slices, victim: Slices) -> Slices:
    """With the victim's norms; gate and up are rescaled, so that the model computes what it did."""
    layers = {}
    for number, layer in slices.layers.items():
        norm = victim.layers[number].norm
        assert layer.norm is not None
        assert norm is not None
        factors = layer.norm / norm
        layers[number] = replace(layer, norm=norm, gate=gate_of(layer) * factors, up=layer.up * factors)
    return replace(slices, model=name, layers=layers)


def coupled(name: str, seed: int, mixed: float) -> Slices:
    """Gate and up began from one random key: so much of each up is its gate."""
    slices = model(name, seed)
    return replace(
        slices,
        layers={
            number: replace(layer, up=np.float32(mixed) * gate_of(layer) + np.float32(1 - mixed) * layer.up)
            for number, layer in slices.layers.items()
        },
    )


def with_layers(slices: Slices, **changes: object) -> Slices:
    """The same change of every layer."""
    return replace(
        slices,
        layers={n: replace(layer, **changes) for n, layer in slices.layers.items()},  # type: ignore[arg-type]
    )


def first_neurons(slices: Slices, count: int, *, cut: bool) -> Slices:
    """Only these are there, or only these were read."""
    return replace(
        slices,
        layers={
            number: replace(
                layer,
                neurons=layer.neurons[:count],
                gate=gate_of(layer)[:count],
                up=layer.up[:count],
                of=count if cut else layer.of,
            )
            for number, layer in slices.layers.items()
        },
    )


def gate_of(layer: Layer) -> Matrix:
    """Of a layer that has one."""
    assert layer.gate is not None
    return layer.gate


def pair(one: Slices, other: Slices, tokens: int = TOKENS) -> SlicePair:
    """As `slice_pair` makes it, without a lake to look anchors up in."""
    one, other = sorted((one, other), key=lambda slices: slices.model)
    if one.depth == other.depth:
        units = [(0, layer, layer) for layer in READ]
    else:
        units = [(unit, *both) for unit, both in enumerate(product(one.layers, other.layers))]
    return SlicePair(one, other, ANCHORS[:tokens], units)
