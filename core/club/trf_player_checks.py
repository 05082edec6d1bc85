"""Checks what a TRF says of each player besides the results: numbers, names, titles, ids, dates."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from core.club.findings import FileFinding
from core.club.nations import is_nation
from core.club.trf import Document, TrfPlayer
from core.club.trf_days import is_like_a_day, is_partial, read_day
from core.plurals import count_of

TITLES: Final = frozenset(["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"])
_SHORT_TITLES: Final = frozenset(["G", "M", "F", "C", "WG", "WM", "WF", "WC"])
"""Those that TRF16 allows."""
_WOMEN: Final = "W"
_HIGHEST: Final = 3500
_LOWEST: Final = 100
_OLDEST: Final = 1900
_YEAR: Final = 4


def of(
    player: TrfPlayer, message: str, mend: str, number: int | None = None, *, note: bool = False
) -> FileFinding:
    """A finding on a player's line; *number* is the round."""
    return FileFinding("TRF", message, mend, player.line or None, player.label, number, note)


def check_players(document: Document, today: date | None) -> Iterator[FileFinding]:
    """All that is impossible or improbable in the players' fields."""
    begun = read_day(document.text("042"))
    for player in document.players:
        yield from _name(player)
        yield from _title(player)
        yield from _numbers(player, len(document.players))
        yield from _birth(player, begun, today)
    yield from _names(document)
    yield from _fide_ids(document)
    yield from _ranks(document)


def _name(player: TrfPlayer) -> Iterator[FileFinding]:
    mend = "write it in columns 15 to 47, the last name first"
    if not player.name:
        yield of(player, "there is no name", mend)
    elif not any(char.isalpha() for char in player.name):
        yield of(player, f'"{player.name}" is hardly a name', mend, note=True)
    if player.federation and not is_nation(player.federation):
        message = f'"{player.federation}" is not the code of a federation'
        yield of(player, message, "write its three letters: ITA, GER, …", note=True)
    elif player.federation and (len(player.federation) != 3 or not player.federation.isupper()):
        message = f'the federation "{player.federation}" is not written in three capital letters'
        yield of(player, message, "write ITA, GER, …", note=True)


def _title(player: TrfPlayer) -> Iterator[FileFinding]:
    title = player.title.upper()
    if title and title not in TITLES | _SHORT_TITLES:
        mend = f"write one of {', '.join(sorted(TITLES))}, or leave it blank"
        yield of(player, f'"{player.title}" is not a title of FIDE', mend, note=True)
    elif title.startswith(_WOMEN) and player.sex == "m":
        yield of(
            player, f"{player.title} is a title of women, the sex is m", "correct one of the two", note=True
        )
    if player.sex not in {"", "m", "w"}:
        yield of(
            player, f'"{player.sex}" is not a sex', "write m or w in column 10, or leave it blank", note=True
        )


def _numbers(player: TrfPlayer, players: int) -> Iterator[FileFinding]:
    rating = player.rating
    if rating and not _LOWEST <= rating <= _HIGHEST:
        yield of(player, f"{rating} is hardly a rating", "correct it in columns 49 to 52", note=True)
    if player.rank is not None and player.rank > players:
        message = f"rank {player.rank} of {count_of(players, 'player')}"
        yield of(player, message, "correct it in columns 86 to 89", note=True)


def _birth(player: TrfPlayer, begun: date | None, today: date | None) -> Iterator[FileFinding]:
    text = player.birth
    if not text or set(text) <= set("0/.- "):
        return
    day, mend = read_day(text), "write YYYY/MM/DD, or the year alone"
    year = int(text[:_YEAR]) if is_partial(text) else day.year if day else None
    if year is None:
        impossible = is_like_a_day(text) and not text[-_YEAR:].isdecimal()
        if impossible or not is_like_a_day(text):
            yield of(player, f'"{text}" is not a date of birth', mend, note=not impossible)
        return
    for last, what in ((begun, "the tournament has begun"), (today, "today")):
        if last is not None and (day > last if day else year > last.year):
            yield of(
                player, f"born on {text}, after {what}" if day else f"born in {year}, after {what}", mend
            )
            return
    if year < _OLDEST:
        yield of(player, f"born in {year}", mend, note=True)


def _names(document: Document) -> Iterator[FileFinding]:
    """Two players of one name need different ids."""
    seen: dict[str, TrfPlayer] = {}
    for player in document.players:
        if not player.name or player.fide_id.strip("0"):
            continue
        known = seen.setdefault(player.name.casefold(), player)
        if known is not player:
            message = f"{known.label} has the same name, and neither has a FIDE id"
            yield of(player, message, "tell them apart: write their ids", note=True)


def _fide_ids(document: Document) -> Iterator[FileFinding]:
    """An id is a number, and nobody shares one."""
    seen: dict[int, TrfPlayer] = {}
    for player in document.players:
        if not player.fide_id:
            continue
        if not (player.fide_id.isascii() and player.fide_id.isdecimal()):
            mend = "write its digits in columns 58 to 68, or leave it blank"
            yield of(player, f'"{player.fide_id}" is not a FIDE id', mend)
            continue
        known = seen.setdefault(int(player.fide_id), player)
        # Nought is what some programs write for somebody without an id.
        if known is not player and int(player.fide_id):
            yield of(player, f"{known.label} has the same FIDE id {player.fide_id}", "correct one of the two")


def _ranks(document: Document) -> Iterator[FileFinding]:
    """A rank belongs to one player; some programs share it between those with equal points."""
    seen: dict[int, TrfPlayer] = {}
    for player in document.players:
        if not player.rank:
            continue
        known = seen.setdefault(player.rank, player)
        if known is not player:
            message = f"{known.label} has the rank {player.rank}, too"
            yield of(player, message, "give each their own", note=known.points == player.points)
