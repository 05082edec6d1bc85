"""New tournaments, and their settings."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from difflib import get_close_matches
from typing import Final

from core import names
from core.club.announcement import announcing, read_fesa, read_first_day
from core.club.announcement import reminders as of_round
from core.club.keizer_settings import KeizerSettings
from core.club.manual_pairs import advice_on_rounds
from core.club.pairing_settings import PairingSettings
from core.club.setting_texts import as_texts, from_texts
from daemon.archive.archive import Archive, Connection
from daemon.archive.club import tournaments
from daemon.archive.games.quarantine import storable
from daemon.club.change import changing_field
from daemon.club.errors import ClubError
from daemon.club.season import Season
from daemon.club.short_names import slug_of

KIND: Final = "keizer"
FACTS: Final = ("name", "city", "federation", "arbiter", "time_control", "fesa", "begins")
"""The facts of a tournament besides its rules.

The name first, the day, which a next cycle does not keep, last.
"""
_READERS: Final = {"fesa": read_fesa, "begins": read_first_day}
"""How facts are read that are not just any text."""
_TABLES: Final = "All tables are made again; the pairings stay"
_PAIRING_ONLY: Final = "It holds from the next pairing on"
_LOTS: Final = 10**8
_KEIZER: Final = frozenset(one.name for one in fields(KeizerSettings))
_PAIRING: Final = frozenset(one.name for one in fields(PairingSettings))


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to be made. *settings* are texts by the names of settings, of the table and of the pairing."""

    name: str
    short_name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    city: str = ""
    federation: str = ""
    arbiter: str = ""
    time_control: str = ""
    fesa: str = ""
    begins: str = ""


def found(archive: Archive, founding: NewTournament, *, now_ms: int) -> str:
    """Make a tournament. Returns its slug.

    Raises:
        ClubError: there is one of this short name, it has no name, or settings are wrong.
    """
    with archive.writing() as connection:
        return add_founded(connection, founding, now_ms)[1]


def add_founded(connection: Connection, founding: NewTournament, now_ms: int) -> tuple[int, str]:
    """The same within a change that makes more of it. Returns its id and slug.

    Raises:
        ClubError: as `found`.
    """
    slug = slug_of(founding.short_name)
    facts = {fact: _fact(fact, getattr(founding, fact)) for fact in FACTS}
    if not facts["name"]:
        raise ClubError("a tournament needs a name")
    keizer, pairing = read_settings(founding.settings)
    values: dict[str, object] = {**facts, "slug": slug, "short_name": names.clean(founding.short_name)}
    values |= {"kind": KIND, "settings": as_texts(keizer), "pairing_settings": as_texts(pairing)}
    if tournaments.tournament(connection, slug) is not None:
        raise ClubError(f'there is a tournament "{slug}" already: choose another short name')
    number = tournaments.add_tournament(connection, values, now_ms)
    tournaments.note(connection, number, now_ms, "new", f"{facts['name']} is created")
    return number, slug


def _fact(name: str, text: str) -> str:
    """A fact of the tournament, as stored.

    Raises:
        ClubError: it cannot be that.
    """
    line = names.clean(storable(text) or "")
    try:
        return _READERS[name](line) if name in _READERS else line
    except ValueError as error:
        raise ClubError(str(error)) from error


def reminders(season: Season, today: date) -> list[str]:
    """What is to be done for FESA's rating, if the tournament is for it: when it is created or dated (club T16)."""
    row = season.tournament
    if not row.fesa:
        return []
    begins = date.fromisoformat(row.begins) if row.begins else None
    current = season.listed[-1] if season.listed else None
    if current is None:
        return [announcing(begins, today)]
    day = date.fromisoformat(current.day) if current.day else None
    planned = season.settings.planned_rounds
    return list(of_round(begins, paired=current.n, planned=planned, day=day, today=today))


def _no_setting(name: str) -> str:
    every = sorted(_KEIZER | _PAIRING)
    near = [one for one in every if one.endswith(f"_{name}")] or get_close_matches(name, every)
    like = (
        f"; did you mean {' or '.join(near[:3])}?"
        if near
        else ": `gamekeeper club settings TOURNAMENT` shows all"
    )
    return f'there is no setting "{name}"{like}'


def read_settings(
    texts: Mapping[str, str], old: Mapping[str, str] | None = None
) -> tuple[KeizerSettings, PairingSettings]:
    """Settings of the table and of the pairing from texts; those without one are as in *old*, or usual.

    Raises:
        ClubError: it names everything that is wrong.
    """
    unknown = sorted(set(texts) - _KEIZER - _PAIRING)
    if unknown:
        raise ClubError("\n".join(map(_no_setting, unknown)))
    both = {**(old or {}), **texts}
    wrong: list[str] = []
    try:
        keizer = from_texts(KeizerSettings, {name: both[name] for name in both if name in _KEIZER})
    except ValueError as error:
        wrong.append(str(error))
    try:
        pairing = from_texts(PairingSettings, {name: both[name] for name in both if name in _PAIRING})
    except ValueError as error:
        wrong.append(str(error))
    if wrong:
        raise ClubError("; ".join(wrong))
    return _with_lot(keizer, pairing), pairing


def _with_lot(keizer: KeizerSettings, pairing: PairingSettings) -> KeizerSettings:
    """The settings with a seed for lots, if lots are drawn and there is none."""
    needed = keizer.start_order == "lot" or pairing.first_round == "random"
    return replace(keizer, lot=str(secrets.randbelow(_LOTS))) if needed and not keizer.lot else keizer


def change_settings(
    archive: Archive, slug: str, texts: Mapping[str, str], *, now_ms: int, confirmed: int | None = None
) -> list[str]:
    """Change settings or facts (name, city, …) of a tournament; returns what has changed, a sentence each.

    Raises:
        ClubError: something is wrong.
        Confirm: there is a table or a pairing list that would differ with these settings.
    """
    with changing_field(archive, slug, now_ms, confirmed) as change:
        row = change.season.tournament
        stored = {**row.settings, **row.pairing_settings}
        old = {**{fact: getattr(row, fact) for fact in FACTS}, **_all_texts(stored)}
        _refuse_rules_of_keizer(change.season, texts)
        facts = {name: _fact(name, text) for name, text in texts.items() if name in FACTS}
        rules = {name: text for name, text in texts.items() if name not in FACTS}
        if not facts.get("name", "-"):
            raise ClubError("a tournament needs a name")
        keizer, pairing = read_settings(rules, stored)
        new = {**old, **facts, **as_texts(keizer), **as_texts(pairing)}
        changed = [name for name in new if new[name] != old[name]]
        sentences = _arrows(old, new, changed)
        if not sentences:
            return []
        if any(name in changed for name in rules) and change.season.listed:
            of_table = any(name in changed for name in as_texts(keizer))
            change.confirm(f"Change {', '.join(sentences)}? {_TABLES if of_table else _PAIRING_ONLY}.")
        values = {**facts, "settings": as_texts(keizer), "pairing_settings": as_texts(pairing)}
        tournaments.change_tournament(change.connection, change.id, values)
        back = "; ".join(_arrows(new, old, changed))
        change.note("settings", "; ".join(sentences), {name: old[name] for name in changed}, back=back)
    return sentences


def _all_texts(stored: Mapping[str, str]) -> dict[str, str]:
    """All settings that apply, including those younger than the tournament."""
    keizer, pairing = read_settings({}, stored)
    return {**as_texts(keizer), **as_texts(pairing)}


def _arrows(old: Mapping[str, str], new: Mapping[str, str], names_: Iterable[str]) -> list[str]:
    return [f"{name}: {old[name] or '-'} → {new[name] or '-'}" for name in names_]


def _refuse_rules_of_keizer(season: Season, texts: Mapping[str, str]) -> None:
    """Refuse settings of Keizer's rules in a table by points."""
    other = sorted(set(texts) - {*FACTS, "planned_rounds"})
    if season.kind == "points" and other:
        allowed = ", ".join((*FACTS, "planned_rounds"))
        raise ClubError(
            f"the table of this tournament is by points: {other[0]} is a rule of Keizer's; set {allowed}"
        )


def advice(season: Season) -> list[str]:
    """What a director should think about (club P16)."""
    if season.kind == "points":
        return []
    playing = sum(member.withdrawn is None for member in season.members)
    sentences = advice_on_rounds(playing, season.settings.planned_rounds) if playing > 1 else None
    return [sentences] if sentences else []
