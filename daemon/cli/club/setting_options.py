"""Reads settings from the command line."""

from collections.abc import Iterable

import click


def settings_of(given: Iterable[str]) -> dict[str, str]:
    """The values of ``name=value`` texts by their names.

    Raises:
        click.UsageError: one has no "=".
    """
    parts = [one.partition("=") for one in given]
    for name, sign, _ in parts:
        if not sign:
            raise click.UsageError(f'"{name}" must be SETTING=VALUE')
    return {name.strip(): value.strip() for name, _, value in parts}


def preset_settings(name: str) -> dict[str, str]:
    """The settings of a kind of club, by its name.

    Raises:
        click.UsageError: there is no such kind.
    """
    from core.club.presets import BY_NAME

    preset = BY_NAME.get(name.strip().lower())
    if preset is None:
        raise click.UsageError(f'there is no preset "{name}": {", ".join(BY_NAME)}')
    return dict(preset.settings)
