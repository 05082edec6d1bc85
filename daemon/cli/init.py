"""`gamekeeper init`: a commented configuration to start from."""

import os
from pathlib import Path

import click

from daemon.cli.context import Context, pass_context
from daemon.config import example


@click.command()
@click.option(
    "--path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write it (default: --config, else ./gamekeeper.toml).",
)
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
@pass_context
def command(context: Context, path: Path | None, *, force: bool) -> None:
    """Write a commented configuration with every key. It runs as it is; put your own names into it."""
    target = path or context.config_path or Path("gamekeeper.toml")
    try:
        _write(target, example.text(), force=force)
    except FileExistsError as error:
        raise click.ClickException(f"{target} is there already (--force overwrites it)") from error
    if context.json:
        context.emit({"path": str(target)})
    else:
        click.echo(f"{target} is written; edit it, then `gamekeeper check-config --config {target}`")


def _write(target: Path, text: str, *, force: bool) -> None:
    """Write whole or not at all; only the user may read it, for it tells who is tracked."""
    target.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    with open(os.open(target, flags, 0o600), "w", encoding="utf-8") as stream:  # noqa: PTH123 - Path.open takes no descriptor
        stream.write(text)
