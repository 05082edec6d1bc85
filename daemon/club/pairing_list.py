"""The pairing list of the coming round."""

from dataclasses import replace
from typing import Final

from core.club.pairing import CannotPair, RoundPairing, pair
from core.club.tournament import AbsenceReason
from core.plurals import count_of
from daemon.archive.archive import Archive
from daemon.archive.club import steps, tournaments
from daemon.archive.club.rows import MemberRow, PairingRow, RoundRow
from daemon.club.change import Change, changing
from daemon.club.coming_round import coming
from daemon.club.errors import ClubError
from daemon.club.evening import When, absent, by_hand
from daemon.club.round_end import close
from daemon.club.season import Season

_ONLY_BY_HAND: Final = (
    "only Keizer tournaments are paired here, and this one's table is by points, as its file wants it: pair it with the "
    "program that the file is from, and set its pairs (gamekeeper club pair {slug} --manual A B --first-white), or import "
    "the file with --keizer"
)


def pair_round(
    archive: Archive,
    slug: str,
    when: When | None = None,
    *,
    usual: When | None = None,
    now_ms: int,
    confirmed: int | None = None,
) -> RoundRow:
    """Pair the coming round, by the last table. A pairing list without results is replaced when that is confirmed.

    Args:
        archive: where it is.
        slug: the tournament.
        when: the evening is; None leaves it as it is known.
        usual: the evening, if nothing is known of it.
        now_ms: the time.
        confirmed: see `Confirm`.

    Raises:
        ClubError: it cannot be paired.
        Confirm: there is a pairing list already, or only one is there.
    """
    with changing(archive, slug, now_ms, confirmed) as change:
        again = _to_replace(change)
        season, round_ = coming(change, "pair") if again is None else (change.again(), again)
        paired = _paired_round(season, round_, when or (usual if round_.day is None else None))
        if not paired.pairings:
            change.confirm(
                f"Only one is there: round {paired.n} has no game, only a bye, and is complete at once. Pair it so?"
            )
        tournaments.put_round(change.connection, change.id, paired)
        _note_pairing(change, paired, again)
        if not paired.pairings:
            close(change, paired)
    return paired


def _note_pairing(change: Change, paired: RoundRow, again: RoundRow | None) -> None:
    number, count = paired.n, count_of(len(paired.pairings), "board")
    if again is None:
        back = f"the pairing list of round {number} ({count}) is removed; what was set before it stays"
        change.note("pair", f"round {number} is paired ({count})", back=back)
        return
    before = tournaments.plain(again.pairings, change.season.labels)
    back = f"round {number} has its earlier pairing list again"
    change.note("pair", f"round {number} is paired again ({count})", before, back=back)


def _to_replace(change: Change) -> RoundRow | None:
    """The current round, if it is to be paired again.

    Members who were added since its list was made play in it, too.
    """
    playing = change.season.current
    if playing is None or not playing.pairings or not playing.is_untouched:
        return None
    newer = _added_since(change, playing.n)
    names = ", ".join(change.season.labels[one.id] for one in newer)
    also = f" {names}, added since, can play in it." if newer else ""
    change.confirm(f"Round {playing.n} is paired already. Replace its pairing list?{also}")
    for one in newer:
        tournaments.change_member(change.connection, one.id, {"joined": playing.n})
    return playing


def _added_since(change: Change, number: int) -> list[MemberRow]:
    """Who was added while this pairing list stood, to play from the next round on.

    A list that is older than the steps does not tell, but then nobody joins in another round than the next.
    """
    last = steps.last_member(change.connection, change.id, "pair")
    if last is None and change.season.source is None:
        last = 0
    members = change.season.members
    return [one for one in members if last is not None and one.n > last and one.joined == number + 1]


def _paired_round(season: Season, round_: RoundRow, when: When | None) -> RoundRow:
    flags = {
        member: reason for member, reason in round_.absences.items() if reason != AbsenceReason.BYE.value
    }
    unpaired = replace(round_, absences=flags)
    before = season.evenings(season.complete)
    try:
        found = pair(
            season.order(round_.n),
            before,
            absent=absent(season, unpaired),
            by_hand=by_hand(season, unpaired),
            settings=season.pairing_settings,
            plan=season.plan,
        )
    except CannotPair as error:
        raise ClubError(f"round {round_.n} cannot be paired: {error}{_hint(season, unpaired)}") from error
    if season.kind == "points" and not all(one.by_hand for one in found.boards):
        raise ClubError(_ONLY_BY_HAND.format(slug=season.tournament.slug))
    if found.bye is not None:
        flags[season.by_label[found.bye.player].id] = AbsenceReason.BYE.value
    dated = unpaired if when is None else _on(unpaired, when)
    notes = (*_notes(season, round_.n, found), *_earlier(season, dated))
    return replace(dated, state="paired", pairings=_rows(season, found), absences=flags, notes=notes)


def _hint(season: Season, round_: RoundRow) -> str:
    """How to remove a bye that nobody can have, if there is one."""
    there = sum(member.plays(round_.n) and member.id not in round_.absences for member in season.members)
    if round_.bye_id is None or there % 2:
        return ""
    return f" (`gamekeeper club pair {season.tournament.slug} --bye -` takes that back)"


def _on(round_: RoundRow, when: When) -> RoundRow:
    return replace(round_, day=when.day.isoformat(), begins_at=when.begins_at, ends_at=when.ends_at)


def _rows(season: Season, found: RoundPairing) -> tuple[PairingRow, ...]:
    ids = {label: member.id for label, member in season.by_label.items()}
    return tuple(
        PairingRow(number, ids[one.white], ids[one.black], one.by_hand, one.why, one.why_colours)
        for number, one in enumerate(found.boards, start=1)
    )


def _notes(season: Season, number: int, found: RoundPairing) -> list[str]:
    planned = season.settings.planned_rounds
    beyond = [f"round {number} is beyond the planned {planned}"] if number > planned else []
    bye = [found.bye.why] if found.bye else []
    return [*bye, *found.notes, *beyond]


def _earlier(season: Season, paired: RoundRow) -> list[str]:
    """A note if the day of the round is before that of an earlier one: one of them was mistyped."""
    days = [(one.day, one.n) for one in season.listed if one.n < paired.n and one.day is not None]
    if paired.day is None or not days or paired.day >= max(days)[0]:
        return []
    day, number = max(days)
    return [f"{paired.day} is before round {number} ({day}): `pair` again, with the right --date"]
