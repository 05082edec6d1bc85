"""Random evenings: after every undo the tournament is the one that never had the step."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.club.tournament import AbsenceReason
from daemon.archive.archive import open_archive
from daemon.club.errors import ClubError
from daemon.club.evening import EveningSetting
from daemon.club.members import MemberEdit
from tests.daemon.club.evenings import NAMES, now, start
from tests.daemon.club.stepping import POSTPONED, Command, do_again, faults, state, take_back
from tests.examples import examples

RESULTS = st.sampled_from(["1-0", "0-1", "1/2", "1-0f", "0-0f", POSTPONED])
REASONS = st.sampled_from([AbsenceReason.EXCUSED, AbsenceReason.UNEXCUSED, AbsenceReason.CLUB])
SETTINGS = st.sampled_from(
    [{"loss": "1/6"}, {"planned_rounds": "3"}, {"bye": "2/3"}, {"city": "Roma"}, {"withdrawn": "kept"}]
)


class Evenings(RuleBasedStateMachine):
    """A director who makes everything, and takes it back."""

    template: Path
    members = 6

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="gamekeeper-steps-"))
        self.number = 0
        self.done: list[tuple[Command, object]] = []  # with what was before each
        self.undone: list[tuple[Command, object, int]] = []  # with its place among those that are done
        self.archive = self._fresh()
        self._look()

    def teardown(self) -> None:
        self.archive.close()
        shutil.rmtree(self.folder)

    def _fresh(self):
        self.number += 1
        path = shutil.copy(self.template, self.folder / f"{self.number}.sqlite")
        archive = open_archive(Path(path))
        start(archive, self.members)
        return archive

    def _look(self) -> None:
        self.state, self.season = state(self.archive), now(self.archive)

    def _do(self, what: str, *given: object) -> None:
        command, before = Command(what, given), self.season.version
        try:
            command.do(self.archive, before)
        except ClubError:
            assert now(self.archive).version == before
            return
        if now(self.archive).version > before:
            self.done.append((command, self.state))
            self.undone.clear()
            self._look()

    def _who(self, data: st.DataObject, label: str = "who") -> str:
        return f"#{data.draw(st.sampled_from([one.n for one in self.season.members]), label)}"

    @rule(data=st.data(), reason=REASONS)
    def flag(self, data: st.DataObject, reason: AbsenceReason) -> None:
        """Somebody is absent, somebody is there after all."""
        self._do("flag", {self._who(data): reason}, ())

    @rule(data=st.data())
    def here(self, data: st.DataObject) -> None:
        """Somebody is there after all."""
        self._do("flag", {}, (self._who(data),))

    @rule(data=st.data())
    def only(self, data: st.DataObject) -> None:
        """Only three are there."""
        self._do("only", tuple({self._who(data) for _ in range(3)}))

    @rule(data=st.data(), white=st.booleans())
    def by_hand(self, data: st.DataObject, *, white: bool) -> None:
        """Two shall meet."""
        self._do("by hand", EveningSetting(pairs=[(self._who(data), self._who(data))], first_white=white))

    @rule(data=st.data())
    def bye(self, data: st.DataObject) -> None:
        """Somebody shall have the bye, or nobody in particular."""
        self._do("by hand", EveningSetting(bye=data.draw(st.sampled_from(["", self._who(data)]))))

    @rule()
    def pair(self) -> None:
        """The coming round, or the list again."""
        self._do("pair")

    @precondition(lambda self: self.season.listed)
    @rule(data=st.data())
    def result(self, data: st.DataObject) -> None:
        """Some results, of any round; postponed games, corrections."""
        rounds = [one for one in self.season.listed if one.pairings]
        if rounds:
            round_ = data.draw(st.sampled_from(rounds), "round")
            boards = [one.board for one in round_.pairings]
            texts = data.draw(st.dictionaries(st.sampled_from(boards), RESULTS, min_size=1), "results")
            self._do("result", round_.n, texts)

    @precondition(lambda self: self.season.current)
    @rule(data=st.data())
    def all_results(self, data: st.DataObject) -> None:
        """Of the round that is played."""
        boards = [one.board for one in self.season.current.pairings]
        self._do("result", self.season.current.n, {one: data.draw(RESULTS) for one in boards})

    @rule()
    def add(self) -> None:
        """Somebody new, whom no undo takes out."""
        number = sum(one.what == "add" for one, _ in self.done)
        self._do("add", f"Nuovi, Nina {number}", 2000 + number)

    @rule(data=st.data())
    def rename(self, data: st.DataObject) -> None:
        """Another name and rating, which nobody has had."""
        number = sum(one.what == "edit" for one, _ in self.done)
        edit = MemberEdit(name=f"Altri, Aldo {len(self.done)}", rating=3000 + 50 * number + len(self.done))
        self._do("edit", self._who(data), edit)

    @rule(data=st.data(), withdrawn=st.booleans(), without=st.sampled_from([None, 1, 2, 4]))
    def withdraw(self, data: st.DataObject, without: int | None, *, withdrawn: bool) -> None:
        """Somebody leaves, from the next round on or from another; or returns."""
        edit = MemberEdit(withdrawn=withdrawn, without=without if withdrawn else None)
        self._do("edit", self._who(data), edit)

    @rule(data=st.data(), joined=st.integers(1, 4))
    def join(self, data: st.DataObject, joined: int) -> None:
        """Somebody takes part from another round on."""
        self._do("edit", self._who(data), MemberEdit(joined=joined))

    @precondition(lambda self: len(self.season.members) > 2)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """Somebody without a game."""
        self._do("remove", self._who(data))

    @rule(settings=SETTINGS)
    def settings(self, settings: dict[str, str]) -> None:
        """The rules."""
        self._do("settings", settings)

    @precondition(lambda self: self.season.listed)
    @rule(data=st.data(), reason=REASONS)
    def reason(self, data: st.DataObject, reason: AbsenceReason) -> None:
        """Why somebody was absent in a round."""
        number = data.draw(st.integers(1, len(self.season.listed)), "round")
        self._do("reason", number, self._who(data), reason)

    @rule()
    def undo(self) -> None:
        """The last step that was no adding of members goes; everything is as without it."""
        steps = [place for place, (one, _) in enumerate(self.done) if one.what != "add"]
        if not steps:
            with pytest.raises(ClubError, match="nothing to undo"):
                take_back(self.archive)
            return
        take_back(self.archive)
        command, before = self.done.pop(steps[-1])
        self.undone.append((command, before, steps[-1]))
        self._look()
        assert self.state == (before if len(self.done) == steps[-1] else self._again())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        """What was undone last is done again; everything is as with it."""
        do_again(self.archive)
        command, before, place = self.undone.pop()
        self.done.insert(place, (command, before))
        self._look()
        assert self.state == self._again()

    def _again(self) -> object:
        """What a tournament is in which only what is done was ever done."""
        other = self._fresh()
        try:
            for command, _ in self.done:
                command.do(other, now(other).version)
            return state(other)
        finally:
            other.close()

    @invariant()
    def everybody_is_somewhere(self) -> None:
        """Paired, with the bye, absent, or not in the field: exactly one of these in every round."""
        assert faults(self.season) == []


def test_every_step_can_be_taken_back(sqlite_template: Path) -> None:
    """Flags, pairs by hand, lists, results, corrections, postponed games, edits, withdrawals, removals, settings."""
    machine = type("Machine", (Evenings,), {"template": sqlite_template, "members": len(NAMES) - 2})
    run_state_machine_as_test(
        machine,
        settings=examples(
            4, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), database=None
        ),
    )
