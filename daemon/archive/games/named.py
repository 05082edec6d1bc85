"""What a game names: its players and its texts. Needs neither the archive nor SQLAlchemy, so that parsers start quickly."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.players import PlayerKey
from daemon.archive.games.prepared import Prepared, divided_site, said

TextKind = Literal["event", "site", "team", "opening"]
KindAndText = tuple[TextKind, str]


@dataclass(frozen=True, slots=True)
class Named:
    """A player as a game names them. *typed*: the user typed the name. *had*: the id of a player who was there before."""

    key: PlayerKey
    name: str
    online: bool
    typed: bool = False
    had: int | None = None


def named_in(prepared: Prepared) -> tuple[Named, Named]:
    """White and Black as the game names them."""
    game, typed = prepared.game, prepared.typed
    return (
        Named(prepared.white, game.white.name, game.online, "white" in typed or game.typed("white")),
        Named(prepared.black, game.black.name, game.online, "black" in typed or game.typed("black")),
    )


def texts_of(prepared: Prepared) -> Iterable[KindAndText]:
    """The texts that the game's row refers to."""
    game = prepared.game
    found: tuple[tuple[TextKind, str | None], ...] = (
        ("team", said(game.white.team)),
        ("team", said(game.black.team)),
        ("event", said(game.event)),
        ("site", divided_site(game)[0]),
        ("opening", said(game.opening)),
        ("opening", prepared.derived_opening),
    )
    return ((kind, text) for kind, text in found if text is not None)
