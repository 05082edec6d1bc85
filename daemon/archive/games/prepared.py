"""What can be worked out of a game without the archive; pure, so that other processes can do it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Protocol

from core import move_bytes, names, sameness
from core.epoch import milliseconds
from core.game import Game, Side
from core.openings import Opening
from core.players import PlayerKey, identify
from daemon.archive.games.compression import compress
from daemon.openings import book

LONGEST: Final = {"site": 32, "native id": 64, "FIDE id": 32, "Date": 200}
"""The most characters in indexed columns; PostgreSQL refuses longer values."""
_INTEGER: Final = 2**31 - 1
_ONE_WORD: Final = re.compile(r"[A-Za-z0-9_]+")


class RefusedError(ValueError):
    """The archive cannot store this game; the message says why."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game and what is stored of it.

    Attributes:
        key: 16 bytes, `core.sameness.key`.
        moves: 2 bytes a ply, `core.move_bytes.pack`.
        digest: 16 bytes, of the game as it came.
        pgn: The game as it came, compressed.
        unedited: The same without the user's edits; None where there are none. All that is listed above is with them.
        typed: The fields that the user has edited, `core.edits`.
        opening: What the moves say; None too where the source gives code and name.
    """

    game: Game
    key: bytes
    white: PlayerKey
    black: PlayerKey
    moves: bytes
    digest: bytes
    pgn: bytes
    unedited: "Prepared | None" = None
    typed: frozenset[str] = frozenset()
    opening: Opening | None = None

    @property
    def as_given(self) -> "Prepared":
        """The game as its source gives it, without the user's edits."""
        return self.unedited or self

    @property
    def derived_eco(self) -> str | None:
        """The ECO code by the moves, if the source gives none."""
        return self.opening.eco if self.opening is not None and said(self.game.eco) is None else None

    @property
    def derived_opening(self) -> str | None:
        """The name of the opening by the moves, if the source gives none."""
        return self.opening.name if self.opening is not None and said(self.game.opening) is None else None

    @property
    def started_ms(self) -> int | None:
        """When the game started, in milliseconds since 1970."""
        started = self.game.started_at
        return None if started is None else milliseconds(started)


def prepare(game: Game) -> Prepared:
    """All that can be said about the game without the archive.

    Raises:
        RefusedError: a database cannot store a value of it.
    """
    white, black = (identify(side.name, side.fide_id) for side in (game.white, game.black))
    _refuse_texts(game)
    _refuse_lengths(game, white, black)
    return Prepared(
        game=game,
        key=sameness.key(game),
        white=white,
        black=black,
        moves=move_bytes.pack(game.moves),
        digest=content_digest(game.raw),
        pgn=compress(game.raw),
        opening=derived(game),
    )


def derived(game: Game) -> Opening | None:
    """The opening of the moves; None also if the source gives code and name."""
    return None if said(game.eco) and said(game.opening) else book().of(game)


def digest(data: bytes) -> bytes:
    """16 bytes that represent *data*."""
    return blake2b(data, digest_size=16).digest()


def content_digest(raw: bytes) -> bytes:
    """16 bytes by which a telling is known.

    Blank lines after a game do not count: they come when the next game is appended to its file.
    """
    return digest(raw.rstrip())


def content_digests(raws: Iterable[bytes]) -> list[bytes]:
    """`content_digest` of each."""
    return [blake2b(raw.rstrip(), digest_size=16).digest() for raw in raws]


def is_verbatim(name: str, *, online: bool) -> bool:
    """Whether this name is shown as it is written because of its kind (names R16).

    The unknown player is ``?``.
    """
    kind = names.classify(name)
    if kind == "unknown":
        return False
    return online or kind == "nickname" or names.has_account_signs(name)


def said(text: str | None) -> str | None:
    """The text, None if it says nothing."""
    return text if text is not None and text.strip() not in {"", "?"} else None


class Sited(Protocol):
    """What has a Site: a game, or what is known around it."""

    @property
    def site(self) -> str | None:
        """The Site."""

    @property
    def native_id(self) -> str | None:
        """The id at the site that tells it."""

    @property
    def online(self) -> bool:
        """Whether it was played there."""


def divided_site(game: Sited) -> tuple[str | None, str | None]:
    """The Site of a game, and the part after it that is the online game's own id, if it ends so.

    That part is one word, so that a search finds it as it finds the words of the rest.
    """
    place = said(game.site)
    own = game.native_id
    if place is None or not game.online or not own or "://" not in place or not place.endswith("/" + own):
        return place, None
    tail = own.rpartition("/")[2]
    return (place[: -len(tail)], tail) if _ONE_WORD.fullmatch(tail) else (place, None)


def _texts(game: Game) -> tuple[str | None, ...]:
    """Every text of the game that a column stores."""
    white, black = game.white, game.black
    return (
        *(white.name, white.title, white.team, black.name, black.title, black.team),
        *(game.date.text, game.result, game.variant, game.start, game.start_fen),
        *(game.event, game.site, game.round, game.eco, game.opening),
        *(game.time_control, game.time_class, game.termination, game.annotator),
        *(game.source, game.native_id, game.url, *game.other_ids),
    )


def _refuse_texts(game: Game) -> None:
    """Refuse NUL, which PostgreSQL cannot store, and unpaired surrogates. Parsers keep both out.

    This is the last check.
    """
    text = "\n".join(filter(None, _texts(game)))
    if "\0" in text:
        raise RefusedError("a text of the game holds a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RefusedError("a text of the game holds half a surrogate pair") from error


def _refuse_lengths(game: Game, white: PlayerKey, black: PlayerKey) -> None:
    checked = (
        ("site", game.source),
        ("native id", game.native_id),
        *(("native id", identifier) for identifier in game.other_ids),
        ("FIDE id", white.fide_id),
        ("FIDE id", black.fide_id),
        ("Date", game.date.text),
    )
    for what, text in checked:
        if text is not None and len(text) > LONGEST[what]:
            raise RefusedError(f"the {what} has {len(text)} characters, more than {LONGEST[what]}")
    if not all(_fits(side) for side in (game.white, game.black)):
        raise RefusedError("a rating is not a number of usual size")


def _fits(side: Side) -> bool:
    return side.rating is None or abs(side.rating) <= _INTEGER
