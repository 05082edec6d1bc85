"""Says of games of an archive that they are one, without the search for near doubles."""

from daemon.archive.archive import Archive
from daemon.archive.edits.regroup import Regrouped
from daemon.archive.edits.rows import NewEdit, make, source_keys
from tests.daemon.seeding import NOW


def say_same(archive: Archive, one: int, other: int, now_ms: int = NOW) -> Regrouped:
    """Let the user say that *other* is the game *one*."""
    with archive.writing() as connection:
        keys = source_keys(connection, [one, other])
        new = NewEdit(
            kind="same",
            game_id=one,
            other_id=other,
            main_key=keys[one][0],
            keys=[*keys[one], *keys[other]],
        )
        return make(connection, archive.known, [new], now_ms)[0]
