"""A first configuration, made from the answers to a few questions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = """\
# gamekeeper's configuration. `gamekeeper init --path example.toml` writes an example that explains every key;
# `gamekeeper check-config` says whether a change is right.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The user's answers about themselves and one opponent; an empty answer is left out.

    *accounts* and *opponent_accounts* are ``site:handle`` or URLs of profiles.
    """

    contact: str = ""
    first_name: str = ""
    last_name: str = ""
    accounts: tuple[str, ...] = ()
    opponent: str = ""
    opponent_accounts: tuple[str, ...] = ()

    def toml(self) -> str:
        """The configuration as TOML, with the archive and a folder for PGN files beside it."""
        return "\n".join((_HEAD, *self._daemon(), *self._me(), *self._dossier(), *_FOLDER))

    def _daemon(self) -> Iterator[str]:
        yield from ("[daemon]", 'data_dir = "./gamekeeper-data"')
        if self.contact:
            yield f"contact = {toml_string(self.contact)}"
        yield ""

    def _me(self) -> Iterator[str]:
        yield "[me]"
        for key, value in (("first_name", self.first_name), ("last_name", self.last_name)):
            if value:
                yield f"{key} = {toml_string(value)}"
        yield f"accounts = {_list(self.accounts)}"
        yield ""

    def _dossier(self) -> Iterator[str]:
        if self.opponent:
            yield from ("[[dossier]]", f"name = {toml_string(self.opponent)}")
            # The heading takes in nobody; a user who answers with a name means the person of that name.
            if " " in self.opponent:
                yield f"names = {_list((self.opponent,))}"
            yield from (f"accounts = {_list(self.opponent_accounts)}", "")


_FOLDER = ("# PGN files that you put here are taken in.", "[[pgn]]", 'path = "./gamekeeper-data/pgn"', "")


def toml_string(text: str) -> str:
    """*text* as a TOML string: TOML reads what JSON escapes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(toml_string(text) for text in texts)}]"
