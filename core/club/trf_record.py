"""Reads a FIDE tournament report as a tournament.

What its players, rounds and lines mean (rules C1 and C2).
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from core.club.nations import is_nation, read_nation
from core.club.record import Heading, RecordPlayer, TableKind, TournamentRecord
from core.club.tournament import AbsenceReason, Away, ClubGame, Competitor, GameResult, TournamentRound
from core.club.trf import BYE, DRAWN, LOST, WON, Document, TrfPlayer, TrfTurn
from core.club.trf_days import read_day, round_days
from core.club.trf_shogi import Handicaps, grade_of, handicaps, macmahon_of, spelled_of, with_handicap

KEIZER: Final = "Keizer"
"""What our own files have in 092."""
_REASONS: Final = {"excused": AbsenceReason.EXCUSED, "clubcommitment": AbsenceReason.CLUB}
"""The reasons in the words of "### chesspairing:bye"."""
_UNRATED: Final = frozenset("WDL")


def record(document: Document) -> TournamentRecord:
    """The tournament of a report without errors (`core.club.trf_checks`)."""
    paired = _paired(document)
    reasons, given = _stated_reasons(document), handicaps(document)
    own = _own(document)
    own_rounds = _own_rounds(document)
    kind: TableKind = "keizer" if document.text("092").casefold() == KEIZER.casefold() else "points"
    return TournamentRecord(
        heading=_heading(document, paired),
        entries=tuple(_entry(player, own.get(player.number, {})) for player in document.players),
        rounds=tuple(
            _round(document, number, reasons, given, own=own_rounds is not None)
            for number in range(1, paired + 1)
        ),
        coming=tuple(_coming(document, paired + 1)),
        complete=_complete(document) if own_rounds is not None else None,
        kind=kind,
        settings=_settings(document),
        notes=tuple(_notes(document, paired)),
    )


def _paired(document: Document) -> int:
    """The rounds that were paired: those up to the last with a game or a bye by the pairing program."""
    own = _own_rounds(document)
    if own is not None:
        return min(own, document.played_rounds)
    return max(
        (
            number
            for player in document.players
            for number, turn in enumerate(player.turns, start=1)
            if turn.opponent or turn.result == BYE
        ),
        default=0,
    )


def _own_rounds(document: Document) -> int | None:
    """The number of rounds, as our own files say; then they also give everybody who was away, and why."""
    said = (values.get("rounds") for verb, values in document.own_directives if verb == "tournament")
    return next((number for text in said if (number := whole(text, least=0)) is not None), None)


def _complete(document: Document) -> int | None:
    """How many rounds have their table, as our own files say: all, if they do not."""
    said = (values.get("complete") for verb, values in document.own_directives if verb == "tournament")
    return next(
        (number for text in said if (number := whole(text, least=0)) is not None), _own_rounds(document)
    )


def _heading(document: Document, paired: int) -> Heading:
    days = {number: read_day(text) for number, text in round_days(document).items()}
    return Heading(
        name=document.name,
        city=document.text("022"),
        federation=document.text("032"),
        days=tuple(days.get(number) for number in range(1, max([paired, *days]) + 1)),
        planned_rounds=document.rounds or max(paired, len(days)) or None,
        arbiter=document.text("102"),
        time_control=document.text("122"),
        start=read_day(document.text("042")),
        end=read_day(document.text("052")),
    )


def _entry(player: TrfPlayer, own: dict[str, str]) -> RecordPlayer:
    return RecordPlayer(
        number=player.number,
        player=Competitor(
            str(player.number),
            player.rating or None,
            player.name,
            seed=player.number,
            joined=whole(own.get("joined")) or 1,
            withdrawn=whole(own.get("withdrawn")),
        ),
        fide_id=player.fide_id if player.fide_id.strip("0") else "",
        title=player.title,
        sex=player.sex,
        birth=player.birth,
        category=unquote(own.get("category", "")),
        group=unquote(own.get("group", "")),
        terms=_terms(own.get("terms", "")),
        nation=read_nation(player.federation) if is_nation(player.federation) else "",
        handles=tuple(unquote(one) for one in own.get("handles", "").split(",") if one),
        grade=grade_of(own),
        macmahon=macmahon_of(own),
        spelled=spelled_of(own),
        newcomer=own.get("new") == "yes",
    )


def _own(document: Document) -> dict[int, dict[str, str]]:
    """What our own files say of players beyond TRF's columns, by number."""
    said = [values for verb, values in document.own_directives if verb == "player"]
    return {number: values for values in said if (number := whole(values.get("player"))) is not None}


def _terms(text: str) -> dict[str, str]:
    """The terms of a player: "excused:1/2,paid_absences:3"."""
    pairs = (one.partition(":") for one in text.split(",") if one)
    return {name: unquote(value) for name, _, value in pairs}


def whole(text: str | None, least: int = 1) -> int | None:
    """A number of up to four digits, None for anything else."""
    number = int(text) if text and text.isascii() and text.isdecimal() and len(text) < 5 else -1
    return number if number >= least else None


def _round(
    document: Document,
    number: int,
    reasons: dict[tuple[int, int], AbsenceReason],
    given: Handicaps,
    *,
    own: bool,
) -> TournamentRound:
    games = tuple(with_handicap(game, number, given) for game in _games(document, number))
    playing = {side for game in games for side in (game.white, game.black)}
    away = tuple(
        Away(str(player.number), reason)
        for player in document.players
        if str(player.number) not in playing
        and (reason := reasons.get((number, player.number)) or _reason(_turn(player, number), own=own))
    )
    return TournamentRound(games, away)


def _turn(player: TrfPlayer, number: int) -> TrfTurn:
    return player.turns[number - 1] if number <= len(player.turns) else TrfTurn()


def _games(document: Document, number: int) -> Iterator[ClubGame]:
    """The games of a round, ordered by the better placed of the two; without colours the first has White."""
    done: set[int] = set()
    turns = {player.number: _turn(player, number) for player in document.players}
    for player in document.players:
        turn = turns[player.number]
        if not turn.opponent or player.number in done:
            continue
        done |= {player.number, turn.opponent}
        theirs = turns.get(turn.opponent, TrfTurn())
        white = turn.colour == "w" or (turn.colour == "-" and theirs.colour != "w")
        sides = (player.number, turn.opponent) if white else (turn.opponent, player.number)
        yield ClubGame(str(sides[0]), str(sides[1]), _result(*((turn, theirs) if white else (theirs, turn))))


def _result(white: TrfTurn, black: TrfTurn) -> GameResult | None:
    if white.result in {"+", "-"}:
        if white.result == "+":
            return GameResult.WHITE_FORFEIT
        return GameResult.BLACK_FORFEIT if black.result == "+" else GameResult.BOTH_ABSENT
    if white.result in WON:
        return GameResult.WHITE
    if white.result in DRAWN:
        return GameResult.DRAW
    return GameResult.BLACK if white.result in LOST else None


def _reason(turn: TrfTurn, *, own: bool) -> AbsenceReason | None:
    """What a turn without an opponent means. Our *own* files give the reason for an absence as well."""
    if turn.result in {BYE, "F", "+"}:
        return AbsenceReason.BYE
    if own:
        return None
    return AbsenceReason.UNEXCUSED if turn.result == "-" else AbsenceReason.EXCUSED


def _stated_reasons(document: Document) -> dict[tuple[int, int], AbsenceReason]:
    """Why players were away, by round and number, if a comment says more than the letter."""
    own = [
        {**values, "type": unquote(values.get("reason", ""))}
        for verb, values in document.own_directives
        if verb == "away"
    ]
    others = [values for verb, values in document.directives if verb == "bye"]
    reasons = {**_REASONS, **{reason.value: reason for reason in AbsenceReason}}
    found: dict[tuple[int, int], AbsenceReason] = {}
    for values in (*others, *own):
        number, player = whole(values.get("round")), whole(values.get("player"))
        if number and player and values.get("type") in reasons:
            found[number, player] = reasons[values["type"]]
    return found


def _coming(document: Document, number: int) -> Iterator[Away]:
    """The known absences of the next round."""
    asked = document.absent
    reasons = _stated_reasons(document)
    for player in document.players:
        known = number <= len(player.turns) or (number, player.number) in asked
        if known:
            yield Away(str(player.number), reasons.get((number, player.number), AbsenceReason.EXCUSED))


def _settings(document: Document) -> dict[str, str]:
    """The settings that our own files carry."""
    return {
        name: unquote(text)
        for verb, values in document.own_directives
        if verb == "settings"
        for name, text in values.items()
    }


def _notes(document: Document, paired: int) -> Iterator[str]:
    later = {number for player in document.players for number in range(paired + 2, len(player.turns) + 1)} | {
        number for number, _ in document.absent if number > paired + 1
    }
    if later:
        yield f"byes for round {min(later)} and later are kept in the file, and not set before their round comes"
    if any(turn.result in _UNRATED for player in document.players for turn in player.turns):
        yield "games that are not rated (W, D, L) are shown as wins, draws and losses, and written as they were"
    codes = {field.code for field in document.fields}
    if codes & {"013", "310", "300", "801", "802"}:
        yield "teams are kept in the file and not shown"
