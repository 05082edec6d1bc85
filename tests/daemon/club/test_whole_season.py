"""Nine evenings with twenty members through the use cases, by chance: what must hold after every one of them."""

import os
import random

import pytest

from core.club.keizer import standings
from core.club.manual_pairs import Manual
from core.club.tournament import AbsenceReason
from daemon.archive.archive import open_archive
from daemon.club import views
from daemon.club.evening import EveningSetting, Flags, set_by_hand, set_flags
from daemon.club.files import report, turnering
from daemon.club.members import MemberEdit, NewMember, add_members, edit_member
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.club.undo import undo
from daemon.club.web_page import html
from tests.core.club.keizer_sums import faults
from tests.daemon.club.evenings import NOW, SLUG, evening_of, now, start, yes

RESULTS = ["1-0", "0-1", "1/2", "1-0", "0-1", "1-0f", "0-1f", "0-0f"]
DAYS = [f"2024-{month:02}-{day:02}" for month in (1, 2, 3) for day in (3, 10, 17)]


class Director:
    """Does what happens on evenings, by chance, and looks after each step."""

    def __init__(self, archive, chance):
        self.archive = archive
        self.chance = chance
        names = [f"{last}, {first}" for last in ("Rossi", "Neri", "Verdi", "Galli") for first in "ABCDE"]
        members = [NewMember(name, 1900 - 17 * place) for place, name in enumerate(names)]
        start(archive, members, planned_rounds="9", minimum_games="6")

    def evening(self, day):
        """One evening; sometimes a step back and again."""
        number = now(self.archive).next_number
        present = self._present(number)
        manual = self._by_hand(present)
        boards = self._pair(day, present, manual)
        if self.chance.random() < 0.3:
            yes(lambda version: undo(self.archive, SLUG, now_ms=NOW, confirmed=version))
            assert self._pair(day, present, manual) == boards
        self._results(len(boards))
        self._check_table(number)

    def _present(self, number):
        season = now(self.archive)
        playing = [one for one in season.members if one.plays(number)]
        reasons = [AbsenceReason.EXCUSED, AbsenceReason.UNEXCUSED, AbsenceReason.CLUB]
        away = {f"#{one.n}": self.chance.choice(reasons) for one in playing if self.chance.random() < 0.4}
        away = dict(list(away.items())[: len(playing) - 2])
        set_flags(self.archive, SLUG, Flags(away=away), now_ms=NOW)
        return [season.labels[one.id] for one in playing if f"#{one.n}" not in away]

    def _by_hand(self, present):
        if self.chance.random() < 0.6:
            return None
        one, other = self.chance.sample(present, 2)
        first_white = self.chance.random() < 0.5
        set_by_hand(
            self.archive, SLUG, EveningSetting(pairs=[(one, other)], first_white=first_white), now_ms=NOW
        )
        return Manual(one, other, one if first_white else None)

    def _pair(self, day, present, manual):
        row = pair_round(self.archive, SLUG, evening_of(day), now_ms=NOW)
        season = now(self.archive)
        boards = [(season.labels[one.white], season.labels[one.black]) for one in row.pairings]
        bye = [season.labels[member] for member, reason in row.absences.items() if reason == "bye"]
        assert sorted([*bye, *(name for board in boards for name in board)]) == sorted(present)
        assert len(bye) == len(present) % 2
        if manual:
            assert any({manual.one, manual.other} == set(board) for board in boards)
            assert manual.white is None or any(board[0] == manual.white for board in boards)
        return boards

    def _results(self, count):
        boards = list(range(1, count + 1))
        self.chance.shuffle(boards)
        for board in boards:
            entry = BoardResult(read_result(self.chance.choice(RESULTS)))
            enter(self.archive, SLUG, {board: entry}, now_ms=NOW)

    def _check_table(self, number):
        season = now(self.archive)
        assert len(season.complete) == number
        table = season.tables[-1]
        assert faults(table, season.settings) == []
        played = season.evenings(season.complete)
        assert season.tables == standings(season.players, played, season.settings)
        found = views.standings(season)
        assert [one["place"] for one in found["items"]] == list(range(1, len(found["items"]) + 1))
        assert len(found["items"]) + len(found["withdrawn"]) == len(season.members)

    def between(self):
        """What happens between two evenings."""
        season = now(self.archive)
        if self.chance.random() < 0.2:
            name = f"Conti, {'FGHIJKLMNO'[len(season.complete)]}"
            rating = 2000 + len(season.complete)
            add_members(self.archive, SLUG, [NewMember(name, rating)], now_ms=NOW)
        if self.chance.random() < 0.15:
            one = self.chance.choice(season.members)
            change = MemberEdit(withdrawn=one.withdrawn is None)
            edit_member(self.archive, SLUG, f"#{one.n}", change, now_ms=NOW)
        if season.complete and self.chance.random() < 0.2:
            self._correct(self.chance.choice(season.complete))

    def _correct(self, round_):
        if round_.pairings:
            before = [(one.white, one.black) for one in round_.pairings]
            entry = {1: BoardResult(read_result(self.chance.choice(RESULTS)))}
            yes(
                lambda version: enter(
                    self.archive, SLUG, entry, number=round_.n, now_ms=NOW, confirmed=version
                )
            )
            again = now(self.archive).rounds[round_.n - 1]
            assert [(one.white, one.black) for one in again.pairings] == before

    def check_the_end(self):
        """A member with six games is ranked, and all files can be written."""
        season = now(self.archive)
        found = views.standings(season)
        assert found["final"]
        assert all((one["rank"] is None) == (one["played"] < 6) for one in found["items"])
        turnering(season)
        report(season)
        html(season)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(int(os.environ.get("SEASONS", "1"))))
def test_a_season_of_nine_evenings(archive, seed):
    """Twenty members: late entries, withdrawals, absences, pairs by hand, corrections, steps back."""
    director = Director(archive, random.Random(seed))
    for day in DAYS:
        director.evening(day)
        director.between()
    director.check_the_end()


def test_both_databases_tell_the_same_season(sqlite_path, postgresql_url):
    """The same evenings give the same pairings and tables, down to the last fraction."""
    seasons = []
    for where in (sqlite_path, postgresql_url):
        with open_archive(where) as archive:
            director = Director(archive, random.Random(8))
            for day in DAYS[:3]:
                director.evening(day)
                director.between()
            seasons.append(now(archive))
    one, other = seasons
    assert one.tables == other.tables
    assert one.rounds == other.rounds
    assert one.members == other.members
