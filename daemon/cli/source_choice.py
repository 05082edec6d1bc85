"""Where the reading commands get their answers: from the archive, or from the daemon that has it."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daemon.cli.context import Context
from daemon.cli.sources import AnswerSource, FromApi, FromArchive

if TYPE_CHECKING:
    from daemon.archive.archive import Archive
    from daemon.client import Client
    from daemon.config import Config

_SECONDS = 2.0
"""How long a daemon may take to answer if nobody said that it runs."""


def api_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give *command* the options for the API to ask; they fill the `Context`."""
    address = click.option(
        "--api",
        metavar="URL",
        expose_value=False,
        callback=_set_api,
        help="Ask the API of a running daemon: http://127.0.0.1:8470 or unix:/run/gamekeeper/api.sock. "
        "(Default: read the archive; where only the daemon may, ask it.)",
    )
    token = click.option(
        "--token-file",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="PATH",
        expose_value=False,
        callback=_set_token_file,
        help="The token that this API asks for (default: the configuration's, for its own daemon).",
    )
    return address(token(command))


def _set_api(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    context.ensure_object(Context).api = value


def _set_token_file(context: click.Context, _parameter: click.Parameter, value: Path | None) -> None:
    context.ensure_object(Context).token_file = value


def ask(context: Context, ready: Callable[["Archive"], object] | None = None) -> AnswerSource:
    """The source: the API that is named; else the archive; else, if this user may not read it, its daemon.

    *ready*: what has to be done to an archive first, which is then opened for writing; its daemon does it by
    itself.

    Raises:
        BadParameter: the API's address is not one, or its token cannot be read.
        ClientError: the daemon runs, but refuses.
        ConfigErrors: there is no configuration, and no API was named.
    """
    if context.api is not None:
        return FromApi(context.closing(_client(context, context.api)))
    config = context.config()
    client = _daemon_of(context, config) if _is_hidden(config) else None
    if client is None:
        if context.token_file is not None:
            raise click.UsageError("--token-file needs --api")
        return _from_archive(context, config) if ready is None else _made_ready(context, ready)
    context.note(f"asking the daemon at {client.address}: only it may read {config.data_dir}")
    return FromApi(context.closing(client))


def _made_ready(context: Context, ready: Callable[["Archive"], object]) -> AnswerSource:
    archive = context.archive()
    ready(archive)
    return FromArchive(context, archive)


def _from_archive(context: Context, config: "Config") -> AnswerSource:
    """The archive; or, if it is an older gamekeeper's whose daemon still runs, that daemon.

    Raises:
        SchemaTooOld: it would have to be migrated first, and no daemon runs.
    """
    from daemon.archive.errors import SchemaTooOld

    try:
        return FromArchive(context, context.archive_to_read())
    except SchemaTooOld:
        client = _daemon_of(context, config)
        if client is None:
            raise
    context.note(f"asking the daemon at {client.address}: the archive still has its older version")
    return FromApi(context.closing(client))


def refuse_unknown(source: AnswerSource, slug: str | None, account: str | None) -> None:
    """Refuse unknown names: an empty list would hide that a dossier or an account is misspelt.

    Raises:
        BadParameter: the archive has never had it.
    """
    if slug is not None and source.dossier(slug) is None:
        hint = "`gamekeeper dossier list` lists them"
        raise click.BadParameter(f'there is no dossier "{slug}"; {hint}', param_hint="--dossier")
    if account is not None and not source.has_account(account):
        hint = "`gamekeeper status` lists them"
        raise click.BadParameter(f'there is no account "{account}"; {hint}', param_hint="--account")


def _client(context: Context, api: str) -> "Client":
    from daemon.client import Client

    token = _own_token(context, api) if context.token_file is None else _read(context.token_file)
    try:
        return Client(api, token=token)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--api") from error


def _read(token_file: Path) -> str:
    from daemon.config import tokens
    from daemon.config.values import WrongValue

    try:
        return tokens.read(token_file)
    except WrongValue as wrong:
        hint = f"; {wrong.hint}" if wrong.hint else ""
        raise click.BadParameter(f"{wrong.message}{hint}", param_hint="--token-file") from wrong


def _own_token(context: Context, api: str) -> str | None:
    """The token of the configuration, if *api* is where its daemon listens: nobody else may see it."""
    from daemon.client import address_of
    from daemon.config import ConfigErrors

    try:
        config = context.config()
    except ConfigErrors:
        return None  # an API that is named needs no configuration
    own = api.rstrip("/") in {address_of(config.api.listen), f"http://{config.api.listen}"}
    return config.token("api") if own else None


def _is_hidden(config: "Config") -> bool:
    """Whether the archive is a file of somebody else, such as the system's daemon."""
    from daemon.config import SYSTEM_FILE

    if config.daemon.database is not None:
        return False
    path = Path(config.database_url())
    try:
        path.stat()
    except PermissionError:
        return True
    except OSError:
        # Its daemon has a folder of its own ($STATE_DIRECTORY), which is not this user's.
        return config.file == SYSTEM_FILE
    return not os.access(path, os.R_OK | os.W_OK, effective_ids=True)


def _daemon_of(context: Context, config: "Config") -> "Client | None":
    """The daemon of this configuration, if it runs. Its token may be readable only by itself."""
    from daemon.client import Client, ClientError, Refused, address_of
    from daemon.config import ConfigErrors

    with Client(address_of(config.api.listen), seconds=_SECONDS) as probe:
        try:
            probe.health()
        except Refused:
            pass  # it asks for its token
        except ClientError:
            return None
    if context.token_file is not None:
        return Client(address_of(config.api.listen), token=_read(context.token_file))
    try:
        token = config.token("api")
    except ConfigErrors:
        token = None
    return Client(address_of(config.api.listen), token=token)
