"""The complete pairing of least cost, found by networkx."""

from collections.abc import Callable
from math import isqrt

import networkx as nx

Cost = Callable[[int, int], int | None]
"""The cost of a pair at indices i < j: at least the square of j - i, or None if they must not meet."""


def best_pairs(number: int, cost: Cost) -> tuple[tuple[int, int], ...] | None:
    """The pairs (i, j) of an even *number* of players at least cost, sorted; None if not all can be paired.

    Of pairings with equal cost the one whose pairs at the top are closer.

    Pairs far apart in the table are left out at first: so hundreds of players take half a second, not ten.
    The cost that is found limits how far apart a pair of a better pairing can be.
    """
    if not number:
        return ()
    width = min(number - 1, _FIRST_WIDTH)
    while True:
        pairs = _within(number, width, cost)
        needed = 4 * width if pairs is None else _widest(pairs, cost)
        if needed <= width or width == number - 1:
            return pairs
        width = min(number - 1, needed)


_FIRST_WIDTH = 8


def _within(number: int, width: int, cost: Cost) -> tuple[tuple[int, int], ...] | None:
    """The best pairing whose pairs are at most *width* places apart."""
    # The sum of all that decides between equal costs stays below 1.
    unit = number**3
    graph = nx.Graph()
    graph.add_nodes_from(range(number))
    for one in range(number):
        for other in range(one + 1, min(number, one + width + 1)):
            price = cost(one, other)
            if price is not None:
                graph.add_edge(one, other, weight=price * unit + (other - one) * (number - one))
    pairs = sorted((min(pair), max(pair)) for pair in nx.min_weight_matching(graph))
    return tuple(pairs) if 2 * len(pairs) == number else None


def _widest(pairs: tuple[tuple[int, int], ...], cost: Cost) -> int:
    """How far apart a pair can be if all pairs together cost no more than these, and none less than 1."""
    total = sum(cost(one, other) or 0 for one, other in pairs)
    return isqrt(total - len(pairs) + 1)
