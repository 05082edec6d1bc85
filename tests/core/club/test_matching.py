"""The pairing of least cost is the one that trying all finds."""

import random

import pytest

from core.club.matching import best_pairs


def _all_pairings(players):
    if not players:
        yield ()
        return
    first, *rest = players
    for other in rest:
        for more in _all_pairings([player for player in rest if player != other]):
            yield ((first, other), *more)


def _total(pairs, costs):
    prices = [costs[pair] for pair in pairs]
    return None if None in prices else sum(prices)


@pytest.mark.parametrize("seed", range(150))
def test_is_as_cheap_as_the_best_of_all(seed):
    """Up to eight players, any pairs forbidden or dearer: the same cost, or None for both."""
    chance = random.Random(seed)
    number = chance.choice([2, 4, 6, 8])
    costs = {
        (one, other): None
        if chance.random() < 0.3
        else (other - one) ** 2 + chance.choice([0, 0, 7, 20, 1000])
        for other in range(number)
        for one in range(other)
    }
    found = best_pairs(number, lambda one, other: costs[one, other])
    best = min(
        (t for p in _all_pairings(list(range(number))) if (t := _total(p, costs)) is not None), default=None
    )
    assert (None if found is None else _total(found, costs)) == best


@pytest.mark.parametrize("seed", range(40))
def test_leaving_out_far_pairs_misses_nothing(seed, monkeypatch):
    """With the smallest first width the result is the same as with all pairs from the start, ties included."""
    chance = random.Random(seed)
    number = 2 * chance.randint(2, 15)
    costs = {
        (one, other): None if chance.random() < 0.4 else (other - one) ** 2 + chance.choice([0, 0, 0, 5, 20])
        for other in range(number)
        for one in range(other)
    }
    found = []
    for width in (1, number):
        monkeypatch.setattr("core.club.matching._FIRST_WIDTH", width)
        pairs = best_pairs(number, lambda one, other: costs[one, other])
        found.append(pairs and (_total(pairs, costs), sum((j - i) * (number - i) for i, j in pairs)))
    assert found[0] == found[1]


def test_nobody_to_pair():
    """No players are paired already."""
    assert best_pairs(0, lambda one, other: 1) == ()
