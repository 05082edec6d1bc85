"""Club tournaments for the writing side: read whole, written piece by piece."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, RowMapping, Table, delete, func, select, update

from core.club.keizer_settings import EARLIER
from core.club.pairing_settings import PairingSettings
from core.club.setting_texts import as_texts
from core.players import identify
from daemon.archive.club.rows import (
    ByHandRow,
    EventRow,
    MemberRow,
    PairingRow,
    RoundRow,
    SourceRow,
    TournamentRow,
)
from daemon.archive.database import new_ids
from daemon.archive.database.bulk import ColumnValues, insert_rows
from daemon.archive.games import whereabouts
from daemon.archive.games.cache import KnownIds
from daemon.archive.games.named import Named
from daemon.archive.games.players import drop_idle, player_ids
from daemon.archive.games.quarantine import storable
from daemon.archive.tables.club import (
    club_absences,
    club_by_hand,
    club_events,
    club_members,
    club_pairings,
    club_rounds,
    club_sources,
    club_tournaments,
)
from daemon.archive.tables.main import players


def tournament(connection: Connection, slug: str) -> TournamentRow | None:
    """The tournament with this short name, None if there is none."""
    row = connection.execute(select(club_tournaments).where(club_tournaments.c.slug == slug)).first()
    return None if row is None else _tournament(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it


def tournaments(connection: Connection) -> list[TournamentRow]:
    """All tournaments, newest first."""
    rows = connection.execute(select(club_tournaments).order_by(club_tournaments.c.id.desc()))
    return [_tournament(row) for row in rows.mappings()]


def _tournament(row: RowMapping) -> TournamentRow:
    settings = {**_EARLIER, **json.loads(row["settings"])}
    pairing = {**_EARLIER_PAIRING, **json.loads(row["pairing_settings"])}
    return TournamentRow(**{**row, "settings": settings, "pairing_settings": pairing})


_EARLIER: Final = as_texts(EARLIER)
_EARLIER_PAIRING: Final = as_texts(PairingSettings())
"""The value of rules that did not exist when the tournament was stored."""


def source(connection: Connection, tournament_id: int) -> SourceRow | None:
    """The file that the tournament was imported from, None if it was created here."""
    its = select(club_sources.c.kind, club_sources.c.name, club_sources.c.data)
    row = connection.execute(its.where(club_sources.c.tournament_id == tournament_id)).first()
    return None if row is None else SourceRow(row.kind, row.name, bytes(row.data))


def add_source(connection: Connection, tournament_id: int, source: SourceRow) -> None:
    """Keep the file that the tournament is imported from."""
    connection.execute(club_sources.insert().values(tournament_id=tournament_id, **asdict(source)))


def members(connection: Connection, tournament_id: int) -> tuple[MemberRow, ...]:
    """All members, in the order in which they came."""
    its = (
        select(club_members, players.c.name)
        .join(players, players.c.id == club_members.c.player_id)
        .where(club_members.c.tournament_id == tournament_id)
        .order_by(club_members.c.n)
    )
    return tuple(_member(row) for row in connection.execute(its).mappings())


def _member(row: RowMapping) -> MemberRow:
    values = {name: value for name, value in row.items() if name != "tournament_id"}
    shown = {"name": row["called"] or row["name"], "handles": tuple(json.loads(row["handles"]))}
    return MemberRow(**{**values, **shown, "terms": json.loads(row["terms"])})


def rounds(connection: Connection, tournament_id: int) -> tuple[RoundRow, ...]:
    """All rounds, first to last, with what belongs to them."""
    pairings = _by_round(connection, club_pairings, tournament_id, "board")
    absences = _by_round(connection, club_absences, tournament_id, "member_id")
    by_hand = _by_round(connection, club_by_hand, tournament_id, "one_id")
    its = select(club_rounds).where(club_rounds.c.tournament_id == tournament_id).order_by(club_rounds.c.n)
    game_ids = {one["game_id"] for boards in pairings.values() for one in boards}
    places = whereabouts.now(connection, game_ids - {None})
    return tuple(
        RoundRow(
            n=row.n,
            state=row.state,
            day=row.day,
            begins_at=row.begins_at,
            ends_at=row.ends_at,
            bye_id=row.bye_id,
            notes=tuple(json.loads(row.notes)),
            pairings=tuple(_pairing(one, places) for one in pairings.get(row.n, ())),
            absences={one["member_id"]: one["reason"] for one in absences.get(row.n, ())},
            by_hand=tuple(
                ByHandRow(one["one_id"], one["other_id"], one["white_id"]) for one in by_hand.get(row.n, ())
            ),
        )
        for row in connection.execute(its)
    )


def _pairing(row: RowMapping, places: Mapping[int, int]) -> PairingRow:
    return PairingRow(
        board=row["board"],
        white=row["white_id"],
        black=row["black_id"],
        by_hand=row["by_hand"],
        why=row["why"],
        why_colours=row["why_colours"],
        result=row["result"],
        game_id=row["game_id"],
        postponed=row["postponed"],
        postponed_to=row["postponed_to"],
        handicap=row["handicap"],
        giver_id=row["giver_id"],
        now_in=places.get(row["game_id"]),
    )


def _stored_pairing(one: PairingRow) -> ColumnValues:
    """The values of its row, but for those that name the round."""
    values = {name: value for name, value in asdict(one).items() if name not in {"white", "black", "now_in"}}
    return {**values, "white_id": one.white, "black_id": one.black}


def _stored_by_hand(one: ByHandRow) -> ColumnValues:
    return {"one_id": one.one, "other_id": one.other, "white_id": one.white}


def _by_round(
    connection: Connection, table: Table, tournament_id: int, order: str
) -> dict[int, list[RowMapping]]:
    found: dict[int, list[RowMapping]] = {}
    its = select(table).where(table.c.tournament_id == tournament_id).order_by(table.c[order])
    for row in connection.execute(its).mappings():
        found.setdefault(row["n"], []).append(row)
    return found


def version(connection: Connection, tournament_id: int) -> int:
    """The number of the last event."""
    last = select(func.max(club_events.c.n)).where(club_events.c.tournament_id == tournament_id)
    return connection.scalar(last) or 0


def events(connection: Connection, tournament_id: int) -> list[EventRow]:
    """All events, newest first."""
    columns = club_events.c
    its = select(columns.n, columns.at, columns.what, columns.told, columns.step)
    rows = connection.execute(its.where(columns.tournament_id == tournament_id).order_by(columns.n.desc()))
    return [EventRow(*row) for row in rows]


def note(
    connection: Connection,
    tournament_id: int,
    now_ms: int,
    what: str,
    sentence: str,
    before: object = None,
    *,
    step: int | None = None,
) -> int:
    """Note what was done, and what it replaced or removed; *step* is the step it belongs to.

    Returns its number.
    """
    n = version(connection, tournament_id) + 1
    connection.execute(
        club_events.insert().values(
            id=new_ids.take(connection, club_events)[0],
            tournament_id=tournament_id,
            n=n,
            at=now_ms,
            what=what,
            told=storable(sentence),
            before=None if before is None else json.dumps(before, ensure_ascii=False),
            step=step,
        )
    )
    return n


def add_tournament(connection: Connection, values: Mapping[str, object], now_ms: int) -> int:
    """Make a tournament of these values; settings are mappings of texts. Returns its id."""
    (number,) = new_ids.take(connection, club_tournaments)
    stored = _stored_tournament(values)
    connection.execute(club_tournaments.insert().values(id=number, created_at=now_ms, **stored))
    return number


def change_tournament(connection: Connection, tournament_id: int, values: Mapping[str, object]) -> None:
    """Store these values of the tournament."""
    its = update(club_tournaments).where(club_tournaments.c.id == tournament_id)
    connection.execute(its.values(_stored_tournament(values)))


def _stored_tournament(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: json.dumps(dict(value)) if isinstance(value, Mapping) else value
        for name, value in values.items()
    }


def player_of(
    connection: Connection, known: KnownIds, written: str, fide_id: str | None, had: int | None = None
) -> int:
    """The player of this name or id, made if the archive does not have them, with the id that they *had*."""
    key = identify(written, fide_id)
    return player_ids(connection, known, [Named(key, written, online=False, had=had)])[key]


def add_member(connection: Connection, tournament_id: int, values: Mapping[str, object]) -> int:
    """Make a member of these values. Returns their id."""
    n = _next_n(connection, tournament_id)
    return add_members(connection, tournament_id, [{"n": n, **values}])[0]


def add_members(
    connection: Connection, tournament_id: int, members: Sequence[Mapping[str, object]]
) -> Sequence[int]:
    """Make members of these values, each with its number "n" in the tournament. Returns their ids.

    All of them have the same columns.
    """
    if not members:
        return ()
    ids = new_ids.take(connection, club_members, len(members))
    rows = [
        {"id": id_, "tournament_id": tournament_id, **_stored_member(one)}
        for id_, one in zip(ids, members, strict=True)
    ]
    connection.execute(club_members.insert(), rows)
    new_ids.raise_to(connection, _last_n(tournament_id), max(int(str(row["n"])) for row in rows))
    return ids


def _last_n(tournament_id: int) -> str:
    return f"last_member_n:{tournament_id}"


def _next_n(connection: Connection, tournament_id: int) -> int:
    """The next member's number in the tournament: one that nobody has had, not even a removed member."""
    highest = select(func.max(club_members.c.n)).where(club_members.c.tournament_id == tournament_id)
    return max(connection.scalar(highest) or 0, new_ids.last(connection, _last_n(tournament_id))) + 1


def change_member(connection: Connection, member_id: int, values: Mapping[str, object]) -> None:
    """Store these values of the member."""
    its = update(club_members).where(club_members.c.id == member_id)
    connection.execute(its.values(_stored_member(values)))


def _stored_member(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: json.dumps(value, ensure_ascii=False) if name in {"handles", "terms"} else value
        for name, value in values.items()
    }


def stays(member: MemberRow) -> dict[str, object]:
    """What remains true of a member in another tournament, to be stored there."""
    own = {"id", "tournament_id", "n", "joined", "withdrawn", "seed", "newcomer"}
    values = {
        column.name: getattr(member, column.name) for column in club_members.c if column.name not in own
    }
    return {**values, "handles": list(member.handles), "terms": dict(member.terms)}


def remove_member(connection: Connection, member_id: int) -> None:
    """Delete a member who was in no pairing, with their absences."""
    connection.execute(delete(club_absences).where(club_absences.c.member_id == member_id))
    connection.execute(update(club_rounds).where(club_rounds.c.bye_id == member_id).values(bye_id=None))
    connection.execute(delete(club_members).where(club_members.c.id == member_id))


def drop_if_idle(connection: Connection, known: KnownIds, player_id: int) -> None:
    """Delete the player if they have neither a game nor a club any more."""
    drop_idle(connection, known, [player_id])


def put_round(connection: Connection, tournament_id: int, evening: RoundRow) -> None:
    """Store the round as this one, whatever it was."""
    clear_round(connection, tournament_id, evening.n)
    connection.execute(
        club_rounds.insert().values(
            tournament_id=tournament_id,
            n=evening.n,
            state=evening.state,
            day=evening.day,
            begins_at=evening.begins_at,
            ends_at=evening.ends_at,
            bye_id=evening.bye_id,
            notes=json.dumps(list(evening.notes), ensure_ascii=False),
        )
    )
    its = {"tournament_id": tournament_id, "n": evening.n}
    insert_rows(connection, club_pairings, [its | _stored_pairing(one) for one in evening.pairings])
    insert_rows(connection, club_by_hand, [its | _stored_by_hand(one) for one in evening.by_hand])
    absences = [its | {"member_id": member, "reason": reason} for member, reason in evening.absences.items()]
    insert_rows(connection, club_absences, absences)


def clear_round(connection: Connection, tournament_id: int, n: int) -> None:
    """Delete the round with all that belongs to it."""
    for table in (club_pairings, club_by_hand, club_absences, club_rounds):
        its = (table.c.tournament_id == tournament_id) & (table.c.n == n)
        connection.execute(delete(table).where(its))


def plain(rows: Iterable[PairingRow], names: Mapping[int, str]) -> Sequence[Mapping[str, object]]:
    """Pairings for the log, with the players' names."""
    return [{**asdict(one), "white": names[one.white], "black": names[one.black]} for one in rows]
