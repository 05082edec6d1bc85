"""Writes docs/commands.md from the commands themselves: `python -m tests.docs.commands`."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from daemon.cli import main, options
from daemon.cli.context import Context

FILE = Path(__file__).parents[2] / "docs/commands.md"
HEAD = """\
# Commands

Every command of `gamekeeper` with its options. This page is written by `make commands` from the commands themselves; each of
them says the same with `--help`. The [README](../README.md) has the ones that you need first.

**Common options**, before or after the name of any command: `--config PATH` (default: `./gamekeeper.toml`, then the user's and
the system's configuration folder), `--json`, `-v`/`--verbose` (twice: everything), `-q`/`--quiet`, `--debug`, `-h`/`--help`.
Exit codes: 0 done, 1 done with problems or not done, 2 wrong use, 78 configuration or archive unusable.

**On a terminal** tables are as wide as the terminal: where it is too narrow the less important columns leave, texts are cut with
"…", and on a very narrow one each row becomes a list. Times are "in 31 min", "2 h ago" or a local date. Results, states and
errors are coloured, unless `NO_COLOR` is set. **In a pipe** there are all columns, whole and uncoloured, with times in UTC
(RFC 3339). For programs there is `--json`: what the [API](api.md) answers, all of it unless `--limit` says less.

**Dates** are `2024-05-12`, `2024.05.12` or `12.05.2024`; a month (`2024-05`) or a year (`2024`) where an option says so.

**Completion** of commands, options, dossiers, accounts and tournaments comes with click. For bash, put this into `~/.bashrc`:

```
eval "$(_GAMEKEEPER_COMPLETE=bash_source gamekeeper)"
```

zsh has `zsh_source` instead (in `~/.zshrc`); fish: `_GAMEKEEPER_COMPLETE=fish_source gamekeeper | source`.

"""


def document() -> str:
    """The whole page."""
    return HEAD + "\n".join(_sections(main, "gamekeeper")).rstrip() + "\n"


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Every command with its whole name, groups too."""
    yield from _below(main, "gamekeeper")


def own_options(command: click.Command) -> list[click.Option]:
    """Its options but for those that every command has."""
    common = {name for option in options._options() for name in option.opts}
    its = (one for one in command.params if isinstance(one, click.Option))
    return [one for one in its if not common.intersection(one.opts) and not one.hidden]


def _below(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group, info_name=name, obj=Context())
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        yield f"{name} {word}", command
        if isinstance(command, click.Group):
            yield from _below(command, f"{name} {word}")


def _sections(group: click.Group, name: str) -> Iterator[str]:
    for whole, command in _below(group, name):
        level = "##" if whole.count(" ") == 1 else "###"
        usage = " ".join(command.collect_usage_pieces(click.Context(command)))
        yield f"{level} `{whole}`\n"
        yield f"`{whole} {usage}`\n"
        yield _prose(command.help or "") + "\n"
        rows = [_row(one) for one in own_options(command)]
        if rows:
            yield "| option | what |\n|---|---|\n" + "\n".join(rows) + "\n"


def _prose(text: str) -> str:
    """The help as Markdown: its paragraphs, without the blanks in front of them."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\f", "").strip())
    return "\n\n".join(_escaped(" ".join(one.split())) for one in paragraphs)


def _row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag or option.count else f" `{_value(option)}`"
    return (
        f"| {names}{value.replace('|', chr(92) + '|')} | {_escaped(' '.join((option.help or '').split()))} |"
    )


def _value(option: click.Option) -> str:
    number = isinstance(option.type, click.types.IntParamType) and option.metavar is None
    return "N" if number else option.make_metavar(click.Context(main))


def _escaped(text: str) -> str:
    """For Markdown: in code, only what would end a cell of a table."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(re.sub(r"[|]" if one.startswith("`") else r"[|<>*_]", r"\\\g<0>", one) for one in parts)


if __name__ == "__main__":
    FILE.write_text(document())
