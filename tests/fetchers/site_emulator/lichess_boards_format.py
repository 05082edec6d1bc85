"""How lichess writes broadcasts and studies: their PGN, and the JSON of a broadcast."""

import re
from typing import Any, Final

from tests.fetchers.site_emulator.events import Board, Broadcast, BroadcastRound, Person, Study
from tests.fetchers.site_emulator.lichess_format import escape
from tests.fetchers.site_emulator.values import utc

SITE: Final = "https://lichess.org"
_NO_WORD = re.compile(r"[^a-z0-9]+")


def slug(name: str) -> str:
    """The name as a part of an address."""
    return _NO_WORD.sub("-", name.lower()).strip("-") or "-"


def round_url(head: Broadcast, part: BroadcastRound) -> str:
    """The page of a round: the words in it change when somebody renames the event."""
    return f"{SITE}/broadcast/{slug(head.name)}/{slug(part.name)}/{part.id}"


def broadcast_json(head: Broadcast) -> dict[str, Any]:
    """A broadcast with its rounds."""
    info = {"location": head.town} if head.town else {}
    tour: dict[str, Any] = {"id": head.id, "name": head.name, "slug": slug(head.name), "info": info}
    tour |= {"createdAt": head.created, "url": f"{SITE}/broadcast/{slug(head.name)}/{head.id}", "tier": 3}
    tour |= {"dates": [r.starts for r in head.rounds if r.starts is not None]}
    return {"tour": tour, "rounds": [_round_json(head, part) for part in head.rounds]}


def _round_json(head: Broadcast, part: BroadcastRound) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": part.id, "name": part.name, "slug": slug(part.name)}
    fields |= {"createdAt": part.created, "rated": True}
    if part.state == "finished":
        fields |= {"finishedAt": part.finished or part.starts or part.created}
        fields |= {"finished": True} if head.flagged else {}
    fields |= {"ongoing": True} if part.state == "ongoing" else {}
    fields |= {"startsAt": part.starts} if part.starts is not None else {}
    fields |= {"startsAfterPrevious": True} if part.after_previous else {}
    return fields | {"url": round_url(head, part)}


def board_pgn(board: Board, head: Broadcast, part: BroadcastRound) -> str:
    """A board of a broadcast."""
    url = f"{round_url(head, part)}/{board.id}"
    tags = [("Event", board.event or f"{part.name}: {board.title}"), ("Site", board.site or url)]
    tags += _tags(board)
    tags += [("BroadcastName", head.name), ("BroadcastURL", round_url(head, part))]
    return _pgn(tags if board.bare else [*tags, ("GameURL", url)], board)


def chapter_pgn(board: Board, study: Study) -> str:
    """A chapter of a study."""
    url = f"{SITE}/study/{study.id}/{board.id}"
    tags = [("Event", board.event or f"{study.name}: {board.title}"), ("Site", board.site or url)]
    tags += _tags(board)
    tags += [("StudyName", study.name), ("ChapterName", board.title), ("ChapterURL", url)]
    return _pgn([*tags, ("Annotator", f"{SITE}/@/{study.owner}")], board)


def _tags(board: Board) -> list[tuple[str, str]]:
    created = utc(board.created)
    opening = board.line.opening if board.played else None
    tags = [("Date", board.date)] if board.date else []
    tags += [("Round", board.round)] if board.round else []
    tags += [(side, person.name) for side, person in _people(board)]
    tags.append(("Result", board.result))
    for side, person in _people(board):
        tags += _about(side, person)
    tags += [("TimeControl", board.time_control)] if board.time_control else []
    tags += [("Variant", "Standard"), ("ECO", opening.eco if opening else "?")]
    tags += [("Opening", opening.name if opening else "?")]
    tags += [("UTCDate", f"{created:%Y.%m.%d}"), ("UTCTime", f"{created:%H:%M:%S}")]
    return tags + ([("FEN", board.line.start), ("SetUp", "1")] if board.line.start else [])


def _people(board: Board) -> list[tuple[str, Person]]:
    return [(side, person) for side, person in (("White", board.white), ("Black", board.black)) if person]


def _about(side: str, person: Person) -> list[tuple[str, str]]:
    fields = {"Elo": person.rating, "Title": person.title, "FideId": person.fide_id, "Team": person.team}
    return [(f"{side}{name}", str(value)) for name, value in fields.items() if value is not None]


def _pgn(tags: list[tuple[str, str]], board: Board) -> str:
    head = "".join(f'[{name} "{escape(value)}"]\n' for name, value in tags)
    words = [f"{{ {board.comment} }}"] if board.comment else []
    first = board.line.board().ply()
    for index, san in enumerate(board.line.sans[: board.played]):
        ply = first + index
        words += [f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}"] if ply % 2 == 0 or index == 0 else []
        words.append(san)
    return f"{head}\n{' '.join(words)} {board.result}\n\n\n"
