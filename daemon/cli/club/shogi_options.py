"""Options for what shogi clubs store of a member."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from daemon.club.shogi import ShogiFacts

_F = TypeVar("_F", bound=Callable[..., object])

_OPTIONS = (
    click.option("--nation", help="The country for results files: DE or GER."),
    click.option("--grade", help='The grade for results files: "3 Dan".'),
    click.option("--macmahon", metavar="POINTS", help="MacMahon points before the first round."),
    click.option(
        "--spelled", metavar="NAME", help='The name as FESA\'s rating list spells it: "Habu, Yoshiharu".'
    ),
    click.option("--new", "newcomer", flag_value="yes", help="They are new to FESA's rating."),
    click.option("--known", "newcomer", flag_value="no", help="They are in FESA's rating list."),
)


def shogi_options(function: _F) -> _F:
    """The options; the command gets their values by their names."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def shogi_facts(options: dict[str, Any] | dict[str, str | None]) -> "ShogiFacts":
    """The facts in these options, which are taken out of *options*."""
    from daemon.club.shogi import ShogiFacts

    nation, grade, macmahon, spelled = (
        options.pop(name) for name in ("nation", "grade", "macmahon", "spelled")
    )
    newcomer = options.pop("newcomer")
    return ShogiFacts(nation, grade, macmahon, spelled, None if newcomer is None else newcomer == "yes")
