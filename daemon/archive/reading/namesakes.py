"""Players who have the name of a dossier but are not in it: the heading itself takes nobody in."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from core.players import PlayerKey, account_takes, identify
from core.plurals import count_of
from daemon.archive.reading import shapes
from daemon.archive.reading.dossier_suggestions import handles
from daemon.archive.reading.players import player
from daemon.archive.reading.search.plan import Condition
from daemon.archive.tables.main import player_names, players


@dataclass(frozen=True, slots=True)
class Headed:
    """A dossier as it is configured: its name, and whom it takes in (accounts as ``lichess:mrossi90``)."""

    name: str
    names: Sequence[str]
    fide_id: int | str | None
    accounts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Namesake:
    """A player of that name, and the line of TOML that would take them in."""

    player: shapes.Player
    line: str

    def __str__(self) -> str:
        who = f'"{self.player["name"]}"'
        if self.player["fide_id"] is not None:
            who += f" with the FIDE id {self.player['fide_id']}"
        games = count_of(self.player["games"], "game")
        return f"{who} ({games}) is left out; if it is the same person: {self.line}"


def left_out(connection: Connection, dossier: Headed) -> list[Namesake]:
    """The players with the name of *dossier* who are not taken in, in the order of intake.

    With a FIDE id of its own, a dossier is not about players with other ids, whatever their names.
    """
    key = identify(dossier.name)
    if key.kind not in {"person", "nickname"}:
        return []
    found = select(players.c.id).where(or_(*_alike(dossier, key))).order_by(players.c.id)
    met = (player(connection, number) for number in connection.scalars(found).all())
    return [Namesake(one, _line(connection, one)) for one in met if one is not None and one["games"]]


def _alike(dossier: Headed, key: PlayerKey) -> Iterator[Condition]:
    taken = any(identify(name) == key for name in dossier.names)
    taken = taken or any(account_takes(account, dossier.name) for account in dossier.accounts)
    yield players.c.digest == key.digest if not taken else players.c.id.is_(None)
    if dossier.fide_id is None:
        yield players.c.id.in_(select(player_names.c.player_id).where(player_names.c.identity == key.digest))


def _line(connection: Connection, one: shapes.Player) -> str:
    if one["fide_id"] is not None:
        return f"fide_id = {one['fide_id']}"
    accounts = handles(connection, [one]).get(one["id"])
    texts = accounts or [one["name"]]
    listed = ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)
    return f"{'accounts' if accounts else 'names'} = [{listed}]"
