"""Derives again what can be derived: nothing that a source has given is changed."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from core import move_bytes
from core.search import sort_text
from daemon.archive.archive import Archive
from daemon.archive.database.bulk import insert_rows, pages, update_rows
from daemon.archive.games.cache import KnownIds, revoke
from daemon.archive.games.game_rows import GAMES
from daemon.archive.games.players import note_names
from daemon.archive.games.prepared import digest
from daemon.archive.games.texts import respell
from daemon.archive.games.words import word_rows
from daemon.archive.rekey.run import rekey
from daemon.archive.tables.main import (
    games,
    player_names,
    player_words,
    players,
    telling_accounts,
    tellings,
    texts,
)
from daemon.archive.verify import references
from daemon.archive.verify.findings import Repair


def repair(archive: Archive, kinds: Collection[Repair]) -> None:
    """Make all of these again, in one transaction, after a copy was made.

    Raises:
        ArchiveError: nothing was changed, except indexes.
    """
    if "indexes" in kinds:
        # Before the copy: one with such indexes would not count as sound.
        archive.complete_indexes()
        with archive.writing() as connection:
            connection.exec_driver_sql("REINDEX")
    with archive.repairing() as connection:
        for kind, mend in (
            ("links", _links),
            ("counts", _counts),
            ("keys", rekey),
            ("words", _words),
            ("texts", _texts),
            ("names", _names),
        ):
            if kind in kinds:
                mend(connection)
        revoke(connection)


def _links(connection: Connection) -> None:
    for table, key in references.references():
        if table in references.LINKS:
            connection.execute(delete(table).where(references.astray(key)))
    its = select(tellings.c.game_id).where(tellings.c.id == telling_accounts.c.telling_id).scalar_subquery()
    connection.execute(update(telling_accounts).where(references.ELSEWHERE).values(game_id=its))


def _counts(connection: Connection) -> None:
    """`ply_count` by the moves, `last_n` by the tellings."""
    for page in pages(connection, select(games.c.id, games.c.moves, games.c.ply_count), games.c.id):
        counted = [(row, len(move_bytes.unpack(row.moves))) for row in page]
        wrong = [{"id": row.id, "ply_count": count} for row, count in counted if row.ply_count != count]
        update_rows(connection, games, wrong)
    highest = select(func.max(tellings.c.n)).where(tellings.c.game_id == games.c.id).scalar_subquery()
    connection.execute(update(games).where(games.c.last_n < highest).values(last_n=highest))


def _words(connection: Connection) -> None:
    connection.execute(delete(player_words))
    for page in pages(connection, select(players.c.id, players.c.name, players.c.folded), players.c.id):
        folded = [(row, sort_text(row.name)) for row in page]
        wrong = [{"id": row.id, "folded": text} for row, text in folded if row.folded != text]
        update_rows(connection, players, wrong)
        words = [word for row in page for word in word_rows(row.id, row.name)]
        insert_rows(connection, player_words, words)


def _texts(connection: Connection) -> None:
    for page in pages(connection, select(texts.c.id, texts.c.kind, texts.c.text, texts.c.digest), texts.c.id):
        made = [(row, digest(f"{row.kind}\0{row.text}".encode())) for row in page]
        update_rows(
            connection, texts, [{"id": row.id, "digest": value} for row, value in made if row.digest != value]
        )
    respell(connection)


def _names(connection: Connection) -> None:
    """The ways in which games write the names of players with a FIDE id."""
    known = KnownIds()
    connection.execute(delete(player_names))
    for page in pages(connection, GAMES, games.c.id):
        note_names(connection, known, _written(page))
        known.trim()


def _written(page: Sequence[Row[*tuple[Any, ...]]]) -> Iterator[tuple[int, str]]:
    for row in page:
        if row.white_fide_id is not None:
            yield row.white_id, row.white_name
        if row.black_fide_id is not None:
            yield row.black_id, row.black_name
