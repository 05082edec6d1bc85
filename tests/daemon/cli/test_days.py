"""Days and times that are typed: what is none is told in plain words, by every command."""

import click
import pytest
from click.testing import CliRunner

from daemon.cli import main
from daemon.cli.days import MomentType
from tests.daemon.cli.test_numbers import parameters

DAY, TIME = MomentType(["%Y-%m-%d", "%d.%m.%Y"]), MomentType(["%H:%M"])


def test_no_command_speaks_of_formats() -> None:
    """Every day and time is one of ours."""
    moments = [one for one in parameters(main) if isinstance(one.type, click.DateTime)]
    assert len(moments) > 5
    assert [one.name for one in moments if not isinstance(one.type, MomentType)] == []


@pytest.mark.parametrize(
    ("moment", "text", "reason"),
    [
        (DAY, "tomorrow", "'tomorrow' is not a date: write 2026-11-03 or 03.11.2026"),
        (DAY, "2026-02-30", "'2026-02-30' is not a date: write 2026-11-03 or 03.11.2026"),
        (TIME, "8pm", "'8pm' is not a time: write 19:30"),
        (TIME, "24:30", "'24:30' is not a time: write 19:30"),
    ],
)
def test_what_is_none(moment: MomentType, text: str, reason: str) -> None:
    """What was typed is told, and how it is written."""
    with pytest.raises(click.BadParameter, match=reason):
        moment.convert(text, None, None)


def test_moments() -> None:
    """A day is written in two ways."""
    days = [DAY.convert(text, None, None) for text in ("2026-11-03", "03.11.2026")]
    assert [f"{day:%Y %m %d}" for day in days] == ["2026 11 03", "2026 11 03"]
    assert TIME.convert("19:30", None, None).strftime("%H.%M") == "19.30"


def test_as_a_help_says_it() -> None:
    """Without signs of formats."""
    printed = CliRunner().invoke(main, ["club", "pair", "--help"]).output
    assert "--date DATE" in printed
    assert "--from TIME" in printed
    assert "%" not in printed
