"""Settings on the command line."""

from collections.abc import Iterable

import click


def settings_of(given: Iterable[str]) -> dict[str, str]:
    """``name=value`` texts by their names.

    Raises:
        click.UsageError: one has no "=".
    """
    parts = [one.partition("=") for one in given]
    for name, sign, _ in parts:
        if not sign:
            raise click.UsageError(f'"{name}" must be SETTING=VALUE')
    return {name.strip(): value.strip() for name, _, value in parts}
