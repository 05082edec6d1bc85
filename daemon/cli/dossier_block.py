"""The TOML block of a new dossier. Suggestions from the archive are comments.

Only the user knows who is meant.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from core.plurals import count_of
from daemon.archive.reading import shapes
from daemon.cli.output import printable


def block(
    name: str,
    found: Sequence[shapes.Player],
    accounts: Mapping[int, Sequence[str]],
    named: Sequence[str] = (),
) -> str:
    """The block for *name*.

    Args:
        name: As the user typed it.
        found: The players in the archive that may be meant.
        accounts: By player, the accounts that have their nickname.
        named: The accounts that the user has named.
    """
    lines = ["[[dossier]]", f"name = {_text(name)}"]
    if named:
        lines.append(f"accounts = [{', '.join(map(_text, named))}]")
    suggestions = [line for player in found for line in _lines(player, accounts.get(player["id"], ()))]
    if suggestions:
        lines += ["# found in the archive; remove the # where it is this opponent:", *suggestions]
    else:
        lines += ["# fide_id = 0", "# names = []", *([] if named else ['# accounts = ["lichess:…"]'])]
    return "\n".join(lines) + "\n"


def _lines(player: shapes.Player, accounts: Sequence[str]) -> Iterator[str]:
    remark = f"  # {printable(player['name'])}: {count_of(player['games'], 'game')}"
    if player["kind"] == "fide":
        yield f"# fide_id = {player['fide_id']}{remark}"
    elif player["kind"] == "person":
        yield f"# names = [{_text(player['name'])}]{remark}"
    elif accounts:
        yield f"# accounts = [{', '.join(_text(account) for account in accounts)}]{remark}"
    else:
        yield f"# names = [{_text(player['name'])}]{remark}, in files only"


def _text(text: str) -> str:
    """A TOML string: TOML reads what JSON escapes; other control characters are shown as missing."""
    return json.dumps(printable(text), ensure_ascii=False)
