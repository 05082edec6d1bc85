"""Writes the table of settings in docs/club.md from the settings themselves: `python -m tests.docs.settings`."""

import re
from collections.abc import Iterator
from pathlib import Path

from core.club.keizer_settings import KeizerSettings
from core.club.pairing_settings import PairingSettings
from core.club.presets import PRESETS
from core.club.setting import explained

FILE = Path(__file__).parents[2] / "docs/club.md"
TABLE = re.compile(r"^\| setting \|.*?\n(?=\n|\Z)", re.MULTILINE | re.DOTALL)


PRESET_LINES = re.compile(r"^\| preset \|.*?\n(?=\n|\Z)", re.MULTILINE | re.DOTALL)


def presets() -> str:
    """The table of kinds of clubs: a row for each."""
    rows = (
        f"| `{one.name}` | {one.clubs} | {' '.join(f'`{name}={value}`' for name, value in one.settings.items())} |"
        for one in PRESETS
    )
    return "\n".join(["| preset | for | settings |", "|---|---|---|", *rows]) + "\n"


def table() -> str:
    """The table: a row for each group, and one for each setting."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "| setting | usual | which means | who wants something else |"
    yield "|---|---|---|---|"
    group = ""
    for one in explained(KeizerSettings(), PairingSettings()):
        if one.group != group:
            group = one.group
            yield f"| **{group}** | | | |"
        yield f"| `{one.name}` | {one.usual or '–'} | {one.says} | {one.clubs} |"


if __name__ == "__main__":
    text = TABLE.sub(lambda _: table(), FILE.read_text())
    FILE.write_text(PRESET_LINES.sub(lambda _: presets(), text))
