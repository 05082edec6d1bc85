"""Undo and redo, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from daemon.archive.archive import Archive
from daemon.archive.club import steps, tournaments
from daemon.archive.club.steps import StoredStep
from daemon.club import undo_without_steps
from daemon.club.change import Change, stepping
from daemon.club.errors import ClubError
from daemon.club.returning_members import make_room, settle

FEW: Final = 3
"""So many parts of a step are shown in one sentence; more have a line each."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What was undone or redone: the command *what*, the number of the step, and a sentence.

    *parts* are what the sentence lists.
    """

    what: str
    step: int
    sentence: str
    parts: tuple[str, ...] = ()


def undo(archive: Archive, slug: str, *, now_ms: int, confirmed: int | None = None) -> Undone:
    """Undo the last step that is not undone, whatever it was (club P18).

    Members who were added since stay; those who were to play "from the next round on" play from the one that
    is the next by then. If a tournament is older than the steps, its last flags, pairing list or table are
    undone.

    Raises:
        ClubError: there is nothing to undo, or it is no longer possible; the text says why.
        Confirm: it has to be confirmed.
    """
    with stepping(archive, slug, now_ms, confirmed) as change:
        step = steps.last_done(change.connection, change.id)
        return _undo_older(change) if step is None else _undo(change, step)


def _undo(change: Change, step: StoredStep) -> Undone:
    done = change.rows()
    fitted, made = make_room(change, step)
    steps.put_back(change.connection, change.known, fitted)
    sentences = [*(step.back or step.sentences), *made, *settle(change, step), *_follow(change, step)]
    _check(change)
    change.confirm(_question(step.sentences or step.back, sentences))
    event = change.note("undo", f"no. {step.n} is undone: {'; '.join(sentences)}")
    taken = replace(step, differences=steps.difference(change.rows(), done))
    steps.take_back(change.connection, change.id, taken, event)
    return Undone(step.what, step.n, f"undone: {'; '.join(sentences)}", tuple(sentences))


def _question(done: Sequence[str], then: Sequence[str]) -> str:
    """Whether to go back: what was done, and how it is then; each on a line of its own where it is much."""
    if max(len(done), len(then)) <= FEW:
        return f"Undo the last step: {'; '.join(done)}? Then: {'; '.join(then)}."
    return "\n  ".join(["The last step is:", *done]) + "\n  ".join(["\nBefore it:", *then]) + "\nUndo it?"


def _named(step: StoredStep) -> str:
    return "; ".join(step.sentences or step.back)


def _follow(change: Change, step: StoredStep) -> list[str]:
    """Who was added since, to play from the next round on, plays from the one that is the next one now."""
    season, sentences = change.again(), []
    for member in season.members:
        if member.n > step.last_member and member.joined > season.next_number:
            tournaments.change_member(change.connection, member.id, {"joined": season.next_number})
            sentences.append(
                f"{season.labels[member.id]}, added since, plays from round {season.next_number} on"
            )
    return sentences


def _check(change: Change) -> None:
    try:
        change.again().tables  # noqa: B018 - raises where there is none
    except ClubError as error:
        raise ClubError(f"this step cannot be undone: {error}") from error


def _undo_older(change: Change) -> Undone:
    if change.season.source is not None:
        raise ClubError("there is nothing to undo: nothing was done since the tournament was imported")
    done = change.rows()
    what, sentence = undo_without_steps.undo(change)
    event = tournaments.version(change.connection, change.id)
    step = StoredStep(event, 0, (sentence,), (), what=what)
    sentence = "; ".join([sentence, *_follow(change, step)])
    step = replace(step, back=(sentence,), differences=steps.difference(change.rows(), done))
    steps.add(change.connection, change.id, step, done=event, undone=event)
    return Undone(what, event, sentence)


def redo(archive: Archive, slug: str, *, now_ms: int, confirmed: int | None = None) -> Undone:
    """Redo what was undone last, if nothing else was done since.

    Raises:
        ClubError: there is nothing to redo.
        Confirm: it has to be confirmed.
    """
    with stepping(archive, slug, now_ms, confirmed) as change:
        step = steps.last_undone(change.connection, change.id)
        if step is None:
            raise ClubError("there is nothing to redo: nothing was undone, or something was done since")
        parts = step.sentences or step.back
        listed = "\n  ".join(["What was undone:", *parts]) + "\nRedo it?"
        change.confirm(listed if len(parts) > FEW else f"Redo what was undone: {_named(step)}?")
        before = change.rows()
        steps.put_back(change.connection, change.known, steps.turned(step.differences))
        sentence = f"redone: {_named(step)}"
        event = change.note("redo", f"no. {step.n} is {sentence}")
        again = replace(step, differences=steps.difference(before, change.rows()))
        steps.do_again(change.connection, change.id, again, event)
        return Undone(step.what, step.n, sentence, tuple(parts))
