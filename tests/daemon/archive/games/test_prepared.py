"""What is worked out of a game before the archive is asked, and what is refused there."""

from dataclasses import replace

import pytest

from core.game import Game, PartialDate, Side
from daemon.archive.games.prepared import RefusedError, prepare
from tests.daemon.made_up import otb

REFUSED = {
    "NUL": replace(otb(), event="Open\0of Torino"),
    "half a surrogate": replace(otb(), annotator="Neri\udc80"),
    "FIDE id": replace(otb(), white=Side(name="Rossi, Mario", fide_id="1" * 33)),
    "Date": replace(otb(), date=PartialDate(text="x" * 201)),
    "rating": replace(otb(), black=Side(name="Bianchi, Gina", rating=2**31)),
    "native id": replace(otb(), source="lichess", native_id="x" * 65),
    "site": replace(otb(), source="x" * 33),
}


@pytest.mark.parametrize(("reason", "game"), REFUSED.items(), ids=list(REFUSED))
def test_what_no_database_holds(reason: str, game: Game) -> None:
    """A game that a database would refuse is refused before, and the message names what cannot be held."""
    with pytest.raises(RefusedError, match=reason):
        prepare(game)
