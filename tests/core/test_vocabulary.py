"""The fixed words: each list is what the rest of core really says."""

from core import time_control
from core.game import BLACK_WINS, DRAW, UNFINISHED, WHITE_WINS
from core.pgn.variants import BOARDS, variant_key
from core.vocabulary import RESULTS, TIME_CLASSES, VARIANTS


def test_results_and_variants() -> None:
    """The results are those of games, and the variants those whose rules are known, each under its own name."""
    assert set(RESULTS) == {WHITE_WINS, BLACK_WINS, DRAW, UNFINISHED}
    assert set(VARIANTS) == set(BOARDS)
    assert [variant_key(name) for name in VARIANTS] == list(VARIANTS)


def test_every_time_class_is_known() -> None:
    """Whatever a game's clock says, its class is one of the list."""
    controls = [
        "1/86400",
        "3 days per move",
        *(f"{base}+{more}" for base in range(0, 4000, 10) for more in (0, 9)),
    ]
    said = {
        time_control.time_class(one, None, site, online=True)
        for one in controls
        for site in ("lichess", "chesscom", None)
    }
    events = ("ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence")
    said |= {time_control.time_class(None, f"Rated {one} game", "lichess", online=True) for one in events}
    assert said - {None} == set(TIME_CLASSES)
