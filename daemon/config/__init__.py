"""The configuration: one TOML file, valid as a whole or refused with all of its problems."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

from pydantic import PrivateAttr

from core.players import Profile
from core.sites import SITE_OF_KIND, SITES
from daemon import visible_paths
from daemon.config import checks, tokens, values
from daemon.config.configured import ConfiguredAccount, ConfiguredDossier
from daemon.config.models import ConfigTables
from daemon.config.problems import ConfigErrors, ConfigProblem
from daemon.config.validation import validate
from daemon.config.values import Listen

__all__ = [
    "Config",
    "ConfigErrors",
    "ConfigProblem",
    "Listen",
    "search_path",
]

FILE_NAME: Final = "gamekeeper.toml"
SYSTEM_FILE: Final = Path("/etc/gamekeeper") / FILE_NAME
"""The configuration of the system's daemon."""
SYSTEM_DATA: Final = Path("/var/lib/gamekeeper")
"""Its data folder, if the configuration names none."""
ARCHIVE_NAME: Final = "gamekeeper.sqlite"


class Config(ConfigTables):
    """A valid configuration. It is immutable; a reload makes a new one."""

    _file: Path | None = PrivateAttr(default=None)
    _hints: tuple[ConfigProblem, ...] = PrivateAttr(default=())

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the configuration at *path*, or the first one on the search path.

        Raises:
            ConfigErrors: there is none, or it has faults (all are reported).
        """
        file = path if path is not None else _find()
        try:
            content = file.read_bytes()
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            hint = (
                "`gamekeeper init` writes one"
                if missing
                else "let this user read it, or name another --config"
            )
            what = f"the configuration cannot be read: {error.strerror}"
            raise ConfigErrors([ConfigProblem(str(file), 0, 0, what, hint)]) from error
        validation = validate(content, str(file), file.absolute().parent)
        if validation.tables is None or validation.problems:
            raise ConfigErrors(validation.problems, validation.hints)
        config = cls.model_construct(**dict(validation.tables))
        config._file = file.absolute()  # noqa: SLF001 - an object of this very class
        config._hints = tuple(validation.hints)  # noqa: SLF001 - as above
        return config

    @property
    def file(self) -> Path | None:
        """Where this configuration was read from."""
        return self._file

    @property
    def is_of_the_system(self) -> bool:
        """Whether this is the configuration of the system's daemon."""
        return self._file == SYSTEM_FILE

    @property
    def hints(self) -> tuple[ConfigProblem, ...]:
        """Warnings: values that can be used, but may be mistakes."""
        return self._hints

    @property
    def data_dir(self) -> Path:
        """The folder of the archive and everything else that the program writes."""
        named = "data_dir" in self.daemon.model_fields_set or os.environ.get("STATE_DIRECTORY")
        if self.is_of_the_system and not named:
            return SYSTEM_DATA  # for commands beside the service: systemd names it to the service alone
        return self.daemon.data_dir

    def database_url(self) -> str:
        """The archive's address for `daemon.archive.archive.open_archive`: a URL, or the path of a SQLite file."""
        return self.daemon.database or str(self.data_dir / ARCHIVE_NAME)

    def backup_folder(self) -> Path:
        """Where backups go."""
        return self.backup.folder or self.data_dir / "backups"

    def accounts(self) -> tuple[ConfiguredAccount, ...]:
        """Every account to be downloaded, once; one that is named in two places has the shorter interval."""
        found: dict[str, ConfiguredAccount] = {}
        for location, account in checks.named_accounts(self):
            mine = location[0] == "me"
            every = self._every(account.site) if mine else self._dossier_every(int(location[1]), account.site)
            known = found.get(account.key)
            if known is not None:
                mine, every = mine or known.mine, min(every, known.every)
            display = known.display if known else account.display
            found[account.key] = ConfiguredAccount(account.site, account.handle, display, mine, every)
        return tuple(found.values())

    def followed(self) -> tuple[ConfiguredAccount, ...]:
        """Every event to follow."""
        found = []
        for _, kind, event in checks.named_events(self):
            site, handle = SITE_OF_KIND[kind], f"{kind}/{event.id}"
            every = event.every or self._every(site)
            found.append(ConfiguredAccount(site, handle, handle, mine=False, every=every, kind=kind))
        return tuple(found)

    @property
    def nobody_asked(self) -> str | None:
        """The reason why no site is asked, in a sentence; None if sites are asked."""
        if not checks.is_placeholder(self.daemon.contact):
            return None
        what = f"no site is asked: contact is still that of the example, {self.daemon.contact}"
        return f"{what}; write your own address into {self.file or FILE_NAME}"

    def dossiers(self) -> tuple[ConfiguredDossier, ...]:
        """Every dossier, in the order of the file."""
        return tuple(
            ConfiguredDossier(
                dossier.name,
                dossier.slug,
                dossier.fide_id,
                dossier.names,
                tuple(account.key for account in dossier.accounts),
            )
            for dossier in self.dossier
        )

    def profile(self) -> Profile:
        """Who the user is, for `core.players.is_mine`."""
        return Profile(
            first_name=self.me.first_name,
            last_name=self.me.last_name,
            aliases=self.me.all_aliases,
            fide_id=self.me.fide_id,
        )

    def token(self, name: str) -> str | None:
        """The token for a site, or for ``api``; None if there is none.

        It is read again each time, and from then on hidden in logs.

        Raises:
            ConfigErrors: its file cannot be used any more.
        """
        given = self.api.token_file if name == "api" else self.site(name).token_file
        file = tokens.file_of(name, given)
        if file is None:
            return None
        try:
            token = tokens.read(file)
        except values.WrongValue as wrong:
            raise ConfigErrors(
                [ConfigProblem(str(self._file or ""), 0, 0, wrong.message, wrong.hint)]
            ) from wrong
        from daemon import logs

        logs.hide(token)
        return token

    def _every(self, site: str) -> int:
        return self.site(site).every or SITES[site].every_s

    def _dossier_every(self, number: int, site: str) -> int:
        return self.dossier[number].every or self._every(site)


def search_path() -> Iterator[Path]:
    """The paths where a configuration is looked for: in the current folder, the user's and the system's."""
    yield Path(FILE_NAME)
    user = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    yield Path(user).expanduser() / "gamekeeper" / FILE_NAME
    yield SYSTEM_FILE


def _find() -> Path:
    hidden = []
    for path in search_path():
        if visible_paths.is_file(path):
            return path
        if visible_paths.is_hidden(path):
            hidden.append(path)
    looked = ", ".join(str(path) for path in search_path())
    hint = f"`gamekeeper init` writes one; looked for {looked}"
    if hidden:
        hint += f"; this user may not look into {hidden[0].parent}"
    raise ConfigErrors([ConfigProblem(FILE_NAME, 0, 0, "there is no configuration", hint)])
