"""A whole configuration: what it says, and everything that is wrong with it at once."""

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.players import is_mine
from daemon import logs
from daemon.config import Config, ConfigErrors, ConfigProblem, Listen, example, search_path

REPOSITORY = Path(__file__).parents[3]

GOOD = """
[daemon]
data_dir = "data"
contact = "mario@example.org"
[me]
first_name = "Mario"
last_name = "Rossi"
fide_id = 12345
aliases = ["Rossi M.", "lichess:MRossi90", "old_nick"]
accounts = ["chesscom:rossi-mario"]
[[dossier]]
name = "Ánna  Bianchi-Neri"
names = ["Bianchi, Anna"]
accounts = ["lichess:bianchi", "lichess:mrossi90"]
every = "10m"
[[dossier]]
name = "Carlo Verdi"
fide_id = 99
accounts = ["chesscom:cverdi"]
[sites.lichess]
every = "45m"
"""


def load(tmp_path: Path, text: str | bytes) -> Config:
    file = tmp_path / "gamekeeper.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return Config.load(file)


def problems(tmp_path: Path, text: str | bytes) -> list[ConfigProblem]:
    with pytest.raises(ConfigErrors) as errors:
        load(tmp_path, text)
    return list(errors.value.problems)


def messages(tmp_path: Path, text: str | bytes) -> list[str]:
    """Each problem without the file's name."""
    return [str(problem).removeprefix(f"{problem.file}:") for problem in problems(tmp_path, text)]


def test_accounts_come_from_aliases_accounts_and_dossiers(tmp_path: Path) -> None:
    """Each account once; one that is yours and an opponent's is yours and has the shorter interval."""
    accounts = load(tmp_path, GOOD).accounts()
    assert [(account.key, account.display, account.mine, account.every) for account in accounts] == [
        ("lichess:mrossi90", "MRossi90", True, 600),
        ("chesscom:rossi-mario", "rossi-mario", True, 3600),
        ("lichess:bianchi", "bianchi", False, 600),
        ("chesscom:cverdi", "cverdi", False, 3600),
    ]


def test_a_dossier_has_the_folded_words_of_its_name_as_address(tmp_path: Path) -> None:
    """Accents, case and blanks do not matter in it."""
    first, second = load(tmp_path, GOOD).dossiers()
    assert (first.slug, first.names, first.accounts) == (
        "anna-bianchi-neri",
        ("Bianchi, Anna",),
        ("lichess:bianchi", "lichess:mrossi90"),
    )
    assert (second.slug, second.fide_id) == ("carlo-verdi", 99)


def test_every_account_of_yours_is_an_alias(tmp_path: Path) -> None:
    """So a game in a file under that nickname is yours, too."""
    profile = load(tmp_path, GOOD).profile()
    assert all(
        is_mine(name, None, profile)
        for name in ("Rossi, Mario", "M. Rossi", "mrossi90", "Rossi-Mario", "OLD_NICK")
    )
    assert not is_mine("bianchi", None, profile)


def test_an_empty_file_is_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything has a default; nothing is downloaded."""
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/share")
    config = load(tmp_path, "")
    assert config.accounts() == ()
    assert config.api.listen == Listen("127.0.0.1", 8470)
    assert config.data_dir == Path("/srv/share/gamekeeper")
    assert config.database_url() == "/srv/share/gamekeeper/gamekeeper.sqlite"


def test_systemd_says_where_the_state_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a unit with StateDirectory= the archive goes there."""
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/gamekeeper:/var/lib/other")
    assert load(tmp_path, "").data_dir == Path("/var/lib/gamekeeper")


def test_a_database_on_a_server_is_named_by_its_address(tmp_path: Path) -> None:
    """The short form is completed with the driver."""
    config = load(tmp_path, '[daemon]\ndatabase = "postgresql://gamekeeper@dbhost/games"')
    assert config.database_url() == "postgresql+psycopg://gamekeeper@dbhost/games"


def test_a_configuration_never_changes(tmp_path: Path) -> None:
    """A reload makes another one; equal files are equal."""
    config = load(tmp_path, GOOD)
    with pytest.raises(ValidationError, match="frozen"):
        config.daemon.contact = "other"  # type: ignore[misc] # what must fail
    assert config == load(tmp_path, GOOD)


TEN_MISTAKES = """\
[daemon]
data_dir = 5
contct = "mario@example.org"
[api]
listen = "0.0.0.0:8470"
[me]
aliases = ["mrossi90", "lichss:mrossi90", "Rossi M."]
accounts = ["mrossi90",
  "lichess:Rossi, Mario", "lichess:a", "lichess:A"]
[[dossier]]
fide_id = "12"
[[dossier]]
name = "Anna Bianchi"
every = "6 hours"
[[dossier]]
name = "bianchi, anna"
[[dossier]]
name = "Anna BIANCHI"
[[pgn]]
path = "pgn"
watch = "yes"
[sites.lichess]
token_file = "nowhere"
[sites.liches]
[dosier]
"""


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Each with its place, in the order of the file, and with what helps."""
    assert messages(tmp_path, TEN_MISTAKES) == [
        "2:1: data_dir must be a text in quotes, not a whole number",
        "3:1: unknown key contct in [daemon] (did you mean contact?)",
        (
            "5:1: listening at 0.0.0.0:8470 is open to other machines and needs a token_file "
            '(add token_file = "…" to [api], or listen at 127.0.0.1)'
        ),
        '7:24: the account "lichss:mrossi90" names an unknown site (did you mean lichess?)',
        '8:13: the account "mrossi90" names no site (write "lichess:mrossi90")',
        (
            '9:3: "Rossi, Mario" is not a handle of lichess (a handle has only the letters A-Z, digits, _ and -; '
            "a person's name belongs into names or aliases)"
        ),
        "9:40: the account lichess:a is already named in [me], in line 9 (name it once)",
        '10:1: name is missing in [[dossier]] (add name = "Magnus Carlsen")',
        "11:1: fide_id must be a whole number without quotes, not a text",
        '14:1: "6 hours" is not a duration (write a number and s, m, h, d or w: "30m", "6h", "1d")',
        (
            '18:1: two dossiers have the address "anna-bianchi": "Anna BIANCHI" and "Anna Bianchi", in line 13 '
            "(give one of them another name)"
        ),
        "21:1: watch must be true or false, without quotes, not a text",
        (
            f"23:1: the token file {tmp_path}/nowhere cannot be read: No such file or directory "
            "(write only the token into it, or leave token_file out)"
        ),
        "24:1: unknown site liches (did you mean lichess?)",
        "25:1: unknown table or key dosier (did you mean dossier?)",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[daemon\n", "1:8: this is not TOML: "),
        ("[me]\nfirst_name = Mario\n", "2:14: this is not TOML: invalid value (texts need quotes"),
        ('[me]\naliases = ["a",\n"b"', "3:4: this is not TOML: "),
        ("[me]\n[me]\n", "2:4: this is not TOML: "),
        (b'[me]\nfirst_name = "M\xfcller"\n', "2:16: the file is not written in UTF-8"),
        ("me = 5", "1:1: me must be a table, not a whole number"),
        ("[dossier]\nname = 'A B'", "1:1: dossier must be a list in square brackets, not a table"),
        ('[me]\naliases = "Rossi M."', "2:1: aliases must be a list in square brackets, not a text"),
        ("[me]\naliases = [1, true]", "2:12: aliases must be a text in quotes, not a whole number"),
        ("[me]\naliases = ['?']", '2:12: "?" has no letter and no digit'),
        ("[me]\nfide_id = 0", "2:1: fide_id: input should be greater than 0"),
        ("[me]\nfide_id = true", "2:1: fide_id must be a whole number without quotes, not true or false"),
        ("[me]\nfide_id = 1979-05-27", "2:1: fide_id must be a whole number without quotes, not a date or time"),
        ("[[pgn]]\nwatch = true", '1:1: path is missing in [[pgn]] (add path = "~/chess/pgn")'),
        ("[[pgn]]\npath='a'\n[[pgn]]\npath='./a/'", "4:1: the folder "),
        ("[[pgn]]\npath='a'\nencoding='utf-16'", "3:1: PGN cannot be read in the encoding utf-16"),
        ("[[pgn]]\npath='a'\nencoding='cp9'", "3:1: 'cp9' is not the name of an encoding"),
        ("[me]\naccounts = ['lichess:a']", "1:1: contact is missing"),
        ("[daemon]\ncontact = ''", "2:1: contact is empty"),
        ('[daemon]\ncontact = "a\\nX: y"', "2:1: contact has characters that an HTTP header cannot have"),
        ("[daemon]\ndatabase = 'mysql://x/y'", "2:1: database is not the address of a PostgreSQL database"),
        ("[sites.lichess]\nevery = '5s'", "2:1: every is too short for the public lichess"),
        ("[sites.fics]\nevery = '5m'", "1:1: unknown site fics (known are lichess, chesscom)"),
        ("[api]\nlisten = 'localhost'", '2:1: "localhost" is not an address to listen at'),
    ],
)  # fmt: skip
def test_each_mistake_has_its_message(tmp_path: Path, text: str | bytes, expected: str) -> None:
    """The first problem names place and fault."""
    assert messages(tmp_path, text)[0].startswith(expected)


def test_a_wrong_key_is_told_once(tmp_path: Path) -> None:
    """A contact that is misspelt is not missing as well."""
    text = "[daemon]\ncontat = 'mario@example.org'\n[me]\naccounts = ['lichess:mrossi90']"
    assert len(messages(tmp_path, text)) == 1


@pytest.mark.parametrize(
    ("contact", "good"),
    [
        ("nix", False),
        ("Mario Rossi", False),
        ("mario@localhost", False),
        ("@mario", False),
        ("rossi.it", False),
        ("mario@rossi.example.org", True),
        ("Mario Rossi <mario@rossi.example.org>", True),
        ("https://rossi.example.org", True),
        ("lichess.org/@/mrossi90", True),
        ("www.example.org", True),
    ],
)
def test_a_contact_is_an_address(tmp_path: Path, contact: str, *, good: bool) -> None:
    """What nobody can write to is not a contact."""
    text = f"[daemon]\ncontact = '{contact}'"
    if good:
        assert load(tmp_path, text).daemon.contact == contact
    else:
        assert messages(tmp_path, text)[0].startswith(
            f'2:1: "{contact}" is neither an e-mail nor a web address'
        )


def test_an_alias_by_address_is_an_alias_by_name(tmp_path: Path) -> None:
    """The address of one's page says which handle is one's own, and what is downloaded."""
    config = load(tmp_path, GOOD.replace('"lichess:MRossi90"', '"https://lichess.org/@/MRossi90"'))

    assert config.accounts() == load(tmp_path, GOOD).accounts()
    assert is_mine("mrossi90", None, config.profile())


def test_broadcasts_want_a_token(tmp_path: Path) -> None:
    """Few requests are let through without one; with one nothing is said."""
    text = "[daemon]\ncontact = 'mario@example.org'\n[[broadcast]]\nid = 'Broadca1'\n"
    [hint] = load(tmp_path, text).hints
    token = tmp_path / "token"
    token.write_text("lip_abc")
    token.chmod(0o600)

    assert hint.line == 3
    assert "study:read" in (hint.hint or "")
    assert load(tmp_path, f"{text}[sites.lichess]\ntoken_file = '{token}'").hints == ()


def test_hints_come_with_the_mistakes(tmp_path: Path) -> None:
    """What may not be meant is told at once, too."""
    with pytest.raises(ConfigErrors) as raised:
        load(tmp_path, GOOD.replace("every", "evry"))

    assert [hint.message[:20] for hint in raised.value.hints] == ['the alias "old_nick"']


def test_an_account_stands_once_in_me_and_in_one_dossier(tmp_path: Path) -> None:
    """The same account under two opponents is a mistake, whatever its capitals."""
    text = GOOD.replace('"chesscom:cverdi"', '"lichess:Bianchi"')
    assert messages(tmp_path, text) == [
        '19:13: the account lichess:bianchi is already named in the dossier "Ánna  Bianchi-Neri", in line 14 (name it once)'
    ]


def test_what_is_named_twice_says_where_else(tmp_path: Path) -> None:
    """An event, a folder, an account: both lines are told, whichever of them is to go."""
    text = """[daemon]
contact = "rossi@verdi.org"
[[pgn]]
path = "/games"
[[pgn]]
path = "/games/"
[[study]]
id = "AbCd1234"
[[study]]
id = "AbCd1234"
[[dossier]]
name = "Gina Neri"
accounts = [
  "lichess:gina",
  "lichess:Gina",
]
"""

    assert messages(tmp_path, text) == [
        "6:1: the folder /games is already named, in line 4 (name it once)",
        "10:1: the study AbCd1234 is already named, in line 8 (name it once)",
        '15:3: the account lichess:gina is already named in the dossier "Gina Neri", in line 14 (name it once)',
    ]


def test_a_nickname_without_a_site_is_a_hint(tmp_path: Path) -> None:
    """It may be meant as it is, so it is not a problem."""
    config = load(tmp_path, GOOD)
    assert [(hint.line, hint.column) for hint in config.hints] == [(9, 44)]
    assert 'the alias "old_nick" looks like an account but names no site' in config.hints[0].message


def test_a_pgn_folder_that_is_not_there_is_a_hint(tmp_path: Path) -> None:
    """It may be misspelt. One that is there, or that belongs to us, is none."""
    (tmp_path / "there").mkdir()
    paths = ("there", "their", "data/pgn")
    folders = "".join(f'[[pgn]]\npath = "{path}"\n' for path in paths)
    config = load(tmp_path, '[daemon]\ndata_dir = "data"\n' + folders)
    assert [(hint.line, hint.message) for hint in config.hints] == [(6, f"{tmp_path / 'their'} is not there")]


def test_a_password_in_the_address_of_the_database_is_a_hint(tmp_path: Path) -> None:
    """And the hint does not show it."""
    config = load(tmp_path, '[daemon]\ndatabase = "postgresql://u:geheim@h/n"\n[[pgn]]\npath = "."')
    assert [hint.line for hint in config.hints] == [2]
    assert "geheim" not in str(config.hints[0])


@pytest.mark.parametrize(
    ("content", "mode", "message"),
    [
        (b"abc", 0o640, "is open to other users"),
        (b"abc", 0o604, "is open to other users"),
        (b" \n", 0o600, "is empty"),
        (b"abc def", 0o600, "does not hold one token"),
        (b"abc\ndef", 0o600, "does not hold one token"),
        (b"\xff\xfe", 0o600, "does not hold one token"),
        (b"a" * 5000, 0o600, "does not hold one token"),
    ],
)
def test_a_token_file_must_be_ours_alone(tmp_path: Path, content: bytes, mode: int, message: str) -> None:
    """It is refused while others can read it, and where it holds no token."""
    file = tmp_path / "token"
    file.write_bytes(content)
    file.chmod(mode)
    assert message in messages(tmp_path, "[sites.lichess]\ntoken_file = 'token'")[0]


def test_a_token_is_read_from_its_file(tmp_path: Path) -> None:
    """With it the API may listen to other machines."""
    file = tmp_path / "token"
    file.write_text("abcd1234\n")
    file.chmod(0o600)
    config = load(tmp_path, "[api]\nlisten = '0.0.0.0:8470'\ntoken_file = 'token'")
    assert (config.token("api"), config.token("lichess")) == ("abcd1234", None)
    assert "abcd1234" in logs._secrets
    file.unlink()
    with pytest.raises(ConfigErrors, match="cannot be read"):
        config.token("api")


def test_a_token_never_goes_out_in_the_clear(tmp_path: Path) -> None:
    """A token with an http address is refused, unless that is this machine."""
    (tmp_path / "token").write_text("abcd1234")
    (tmp_path / "token").chmod(0o600)
    text = "[sites.lichess]\ntoken_file = 'token'\nbase_url = 'http://{}'"
    assert "without encryption" in messages(tmp_path, text.format("lila.example.org"))[0]
    assert "without encryption" in messages(tmp_path, text.format("127.0.0.1.example.org"))[0]
    assert load(tmp_path, text.format("127.0.0.1:9663")).token("lichess") == "abcd1234"


def test_systemd_hands_over_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``LoadCredential=lichess_token:…`` needs no key in the configuration."""
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "lichess_token").write_text("cred1234")
    (tmp_path / "lichess_token").chmod(0o440)
    (tmp_path / "api_token").write_text("cred5678")
    config = load(tmp_path, "[api]\nlisten = '[::]:8470'")
    assert (config.token("lichess"), config.token("api"), config.token("chesscom")) == (
        "cred1234",
        "cred5678",
        None,
    )


def test_the_configuration_is_looked_for_in_three_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here, in the user's folder, in the system's; none at all says where it was looked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    user = tmp_path / "xdg" / "gamekeeper" / "gamekeeper.toml"
    assert list(search_path()) == [Path("gamekeeper.toml"), user, Path("/etc/gamekeeper/gamekeeper.toml")]
    with pytest.raises(ConfigErrors, match="init"):
        Config.load()
    user.parent.mkdir(parents=True)
    user.write_text("")
    assert Config.load().file == user
    (tmp_path / "gamekeeper.toml").write_text("")
    assert Config.load().file == tmp_path / "gamekeeper.toml"


def test_a_file_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    """A folder in its place, a file that is not there: said in one line."""
    with pytest.raises(ConfigErrors, match="Is a directory"):
        Config.load(tmp_path)
    with pytest.raises(ConfigErrors, match="init"):
        Config.load(tmp_path / "none.toml")


def test_the_example_is_the_one_at_the_root() -> None:
    """`init` writes the file that the repository shows."""
    assert example.text() == (REPOSITORY / "config.example.toml").read_text(encoding="utf-8")


def test_the_example_can_be_used_as_it_is(tmp_path: Path) -> None:
    """It has an account on each site, a dossier, a watched folder, and writes only beside itself."""
    config = load(tmp_path, example.text())
    assert {account.site for account in config.accounts()} == {"lichess", "chesscom"}
    assert [hint.message.partition(":")[0] for hint in config.hints] == ["no site is asked"]
    assert config.data_dir == tmp_path / "gamekeeper-data"
    assert [(folder.path, folder.watch) for folder in config.pgn] == [
        (tmp_path / "gamekeeper-data" / "pgn", True)
    ]


def test_the_example_shows_every_key(tmp_path: Path) -> None:
    """Each key of each table is in it, active or after a comment sign, below a line that explains it."""
    import re

    from daemon.config.models import KEYS

    lines = [re.sub(r"^# (?=\[\[)", "", line) for line in example.text().splitlines()]
    for table, model in KEYS.items():
        if table in {(), ("sites",)}:
            continue
        title = ".".join(table)
        start = next(number for number, line in enumerate(lines) if line in {f"[{title}]", f"[[{title}]]"})
        end = next(
            (number for number in range(start + 1, len(lines)) if lines[number].startswith("[")), len(lines)
        )
        for key in model.model_fields:
            at = [
                number
                for number in range(start, end)
                if lines[number].removeprefix("# ").startswith(f"{key} = ")
            ]
            assert len(at) == 1, (title, key)
            assert lines[at[0] - 1].startswith("#") or lines[at[0] - 1].startswith("["), (title, key)


def test_commented_keys_of_the_example_are_right(tmp_path: Path) -> None:
    """Removing the comment signs before keys leaves a configuration that only lacks the files it names."""
    import re

    text = re.sub(r"^# (\[\[|[a-z_]+ = )", r"\1", example.text(), flags=re.MULTILINE)
    assert all(
        "token file" in message and "cannot be read" in message for message in messages(tmp_path, text)
    )
    assert os.environ["HOME"] in messages(tmp_path, text)[0]


def test_where_the_system_keeps_its_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's configuration means the system's folder for every user, unless it or systemd names another one."""
    file = tmp_path / "gamekeeper.toml"
    file.write_text("")
    monkeypatch.setattr("daemon.config.SYSTEM_FILE", file)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert Config.load(file).data_dir == Path("/var/lib/gamekeeper")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/other")
    assert Config.load(file).data_dir == Path("/var/lib/other")
    file.write_text('[daemon]\ndata_dir = "/srv/chess"\n')
    assert Config.load(file).data_dir == Path("/srv/chess")
