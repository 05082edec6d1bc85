"""How the parts of a chess.com event hang together (sites §2.1).

    tournament/ID  ▸ rounds ▸ groups ▸ games          club/ID/matches ▸ matches ▸ boards ▸ games

The games of a club are those of its matches; what its members play otherwise is their own.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from fetchers.errors import BadAnswer
from fetchers.http.json_fields import JsonRecord, as_record, inner

Addresses = Callable[[JsonRecord], Iterator[object]]
"""Finds the addresses of the parts in an answer."""


@dataclass(frozen=True, slots=True)
class Tree:
    """One event. A part's key is what follows *branch* in its address: ``1``, ``1/2``, ``live/5833/4``.

    Attributes:
        about: Path of what the site says of the event.
        head: Path of the list of branches.
        branch: What the path of a part begins with.
        link: Finds a key in an address.
        branches, leaves: The parts that the head, or a branch, names.
    """

    about: str
    head: str
    branch: str
    link: re.Pattern[str]
    branches: Addresses
    leaves: Addresses

    def key(self, address: object) -> str:
        """The key of the part with this address.

        Raises:
            BadAnswer: it is not the address of a part.
        """
        found = self.link.search(address) if isinstance(address, str) else None
        if found is None:
            raise BadAnswer(f"the site lists {str(address)[:100]!r}, which is not a part of {self.head}")
        return found[1]


def tree(kind: str, event_id: str) -> Tree:
    """The tree of an event. The id is in lower case, because the site redirects every other spelling.

    Raises:
        ValueError: the site has no such kind of events.
    """
    if kind not in _TREES:
        raise ValueError(f"chess.com has no events of the kind {kind!r}")
    return _TREES[kind](quote(event_id.lower(), safe=""))


def parent(key: str) -> str:
    """The key of the branch that a part belongs to; "" for a branch."""
    above = key.rpartition("/")[0]
    return "" if above == "live" else above


def _listed(*names: str) -> Addresses:
    """The addresses in these lists: items themselves, or their ``@id``."""

    def addresses(record: JsonRecord) -> Iterator[object]:
        for name in names:
            items = record.get(name)
            if not isinstance(items, list):
                raise BadAnswer(f"the site gives no list of {name.replace('_', ' ')}")
            for item in items:
                linked = as_record(item)
                yield item if linked is None else linked.get("@id")

    return addresses


def _boards(match: JsonRecord) -> Iterator[object]:
    """The boards of a match, each named by both its players; a player who has not played has none."""
    teams = inner(match, "teams")
    for team in teams:
        players = inner(teams, team).get("players")
        for player in players if isinstance(players, list) else []:
            board = (as_record(player) or {}).get("board")
            if board is not None:
                yield board


def _tournament(event_id: str) -> Tree:
    path = f"tournament/{event_id}"
    link = re.compile(r"/tournament/[^/]+/(\d+(?:/\d+)?)/?$")
    return Tree(path, path, path, link, _listed("rounds"), _listed("groups"))


def _club(event_id: str) -> Tree:
    path = f"club/{event_id}"
    link = re.compile(r"/match/((?:live/)?\d+(?:/\d+)?)/?$")
    return Tree(path, f"{path}/matches", "match", link, _listed("finished", "in_progress"), _boards)


_TREES: Final[Mapping[str, Callable[[str], Tree]]] = {"tournament": _tournament, "club": _club}
KINDS: Final = frozenset(_TREES)
