"""The values of a configuration that are read from texts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.config import values
from daemon.config.values import WrongValue


def test_an_account_keeps_its_display_form() -> None:
    """The handle is the site's key in lower case; how it was typed is kept."""
    account = values.read_account(" Lichess:MRossi90 ")
    assert (account.site, account.handle, account.display, account.key) == (
        "lichess",
        "mrossi90",
        "MRossi90",
        "lichess:mrossi90",
    )


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("mrossi90", "names no site", 'write "lichess:mrossi90"'),
        ("", "names no site", 'write "lichess:handle"'),
        ("lichss:mrossi90", "unknown site", "did you mean lichess?"),
        ("chess.com:mrossi90", "unknown site", "did you mean chesscom?"),
        ("fics:mrossi90", "unknown site", "known are lichess, chesscom"),
        ("lichess:", "has no handle", 'write "lichess:"'),
        ("lichess: ? ", "has no handle", 'write "lichess:"'),
        ("lichess:Rossi, Mario", "is not a handle", "belongs into names or aliases"),
        ("lichess:mróssi", "is not a handle", "belongs into names or aliases"),
        ("https://lichess.org/study/AbCd1234", "is not the address of an account", "page"),
        ("chesscom:https://lichess.org/@/mrossi90", "names two sites", 'write "lichess:mrossi90"'),
        ("lichess:" + "a" * 65, "longer than 64", None),
    ],
)
def test_a_wrong_account_says_why(text: str, message: str, hint: str | None) -> None:
    """Each way of getting an account wrong has its message and, where there is one, its way out."""
    with pytest.raises(WrongValue, match=message) as wrong:
        values.read_account(text)
    assert hint is None or hint in (wrong.value.hint or "")


@pytest.mark.parametrize(
    ("text", "account"),
    [
        ("https://lichess.org/@/MRossi90", "lichess:MRossi90"),
        ("lichess.org/@/MRossi90/", "lichess:MRossi90"),
        ("http://de.lichess.org/@/MRossi90/all?page=2#x", "lichess:MRossi90"),
        ("https://lichess.org/api/user/MRossi90", "lichess:MRossi90"),
        ("lichess:https://lichess.org/@/MRossi90", "lichess:MRossi90"),
        ("lichess:@MRossi90", "lichess:MRossi90"),
        ("https://www.chess.com/member/Rossi-Mario", "chesscom:Rossi-Mario"),
        ("www.chess.com/de/member/Rossi-Mario/games", "chesscom:Rossi-Mario"),
        ("https://www.chess.com/games/archive/Rossi-Mario?gameOwner=other_game", "chesscom:Rossi-Mario"),
        ("https://api.chess.com/pub/player/rossi-mario", "chesscom:rossi-mario"),
    ],
)
def test_the_address_of_its_page_names_an_account(text: str, account: str) -> None:
    """As one copies it from a browser, in an account and in an alias."""
    read = values.read_account(text)
    assert f"{read.site}:{read.display}" == account
    assert values.alias_account(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "https://lichess.org/study/AbCd1234",
        "https://lishogi.org/@/x",
        "https://www.chess.com/players/magnus-carlsen",
    ],
)
def test_the_address_of_another_page_is_no_account(text: str) -> None:
    """It is said so, with what to copy instead."""
    with pytest.raises(WrongValue, match="is not the address of an account"):
        values.alias_account(text)


@pytest.mark.parametrize("alias", ["icc:mrossi90", "FICS:mrossi90", "playchess:rossi"])
def test_an_alias_on_an_unknown_site_is_a_mistake(alias: str) -> None:
    """It would match nobody, silently."""
    with pytest.raises(WrongValue, match="names an unknown site"):
        values.alias_account(alias)


def test_an_alias_is_an_account_only_with_a_site() -> None:
    """A plain name with a colon is a name; what begins like a site must be an account."""
    assert values.alias_account("Rossi M.") is None
    assert values.alias_account("mrossi90") is None
    assert values.alias_account("Rossi: M") is None
    account = values.alias_account("chesscom:Rossi-Mario")
    assert account is not None
    assert account.key == "chesscom:rossi-mario"
    with pytest.raises(WrongValue, match="unknown site"):
        values.alias_account("lichess.org:mrossi90")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1),
        ("30m", 1800),
        ("6h", 21600),
        ("1d", 86400),
        ("2w", 1209600),
        ("1h30m", 5400),
        ("1 h 30 m", 5400),
    ],
)
def test_a_duration_is_a_number_of_seconds(text: str, seconds: int) -> None:
    """Units are s, m, h, d and w; they may be joined."""
    assert values.read_duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "30", "m", "6 hours", "-1h", "1.5h", "0m", "9999d", "999999999999s", "1H", "１h"]
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    """Nothing is guessed, and no interval is endless."""
    with pytest.raises(WrongValue):
        values.read_duration(text)


@given(st.integers(1, 366 * 86400))
def test_every_number_of_seconds_can_be_written(seconds: int) -> None:
    """A duration in seconds, minutes and days reads back as itself."""
    days, rest = divmod(seconds, 86400)
    assert values.read_duration(f"{days}d{rest // 60}m{rest % 60}s") == seconds


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("127.0.0.1:8470", True),
        ("127.9.9.9:0", True),
        ("[::1]:8470", True),
        ("localhost:8470", True),
        ("unix:/run/gamekeeper/api.sock", True),
        ("0.0.0.0:8470", False),
        ("[::]:8470", False),
        ("192.168.1.5:80", False),
        ("[2001:db8::1]:8470", False),
    ],
)
def test_an_address_knows_who_can_reach_it(text: str, local: bool) -> None:
    """Only loopback and sockets in the file system are local; the text reads back."""
    listen = values.read_listen(text)
    assert listen.local is local
    assert str(listen) == text


@pytest.mark.parametrize(
    "text",
    ["", "8470", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", "::1:8470", "[127.0.0.1]:1", "host:80",
     "unix:", "unix:api.sock", "[::1:8470", "127.0.0.1:８470", "http://127.0.0.1:8470"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    """Names of hosts and halves of addresses are not addresses to listen at."""
    with pytest.raises(WrongValue):
        values.read_listen(text)


def test_paths_start_from_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path starts from the file's folder, ``~`` from home, an absolute one stays."""
    monkeypatch.setenv("HOME", "/home/rossi")
    assert values.read_path("pgn", tmp_path) == tmp_path / "pgn"
    assert values.read_path("~/pgn", tmp_path) == Path("/home/rossi/pgn")
    assert values.read_path("/srv/pgn", tmp_path) == Path("/srv/pgn")


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "~nobody-of-that-name/x"])
def test_what_is_no_path_is_refused(text: str) -> None:
    """An empty path would be the folder of the configuration."""
    with pytest.raises(WrongValue):
        values.read_path(text, Path("/"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lichess.org",
        "ftp://lichess.org",
        "https://",
        "https://u@lichess.org",
        "https://x/?q=1",
        "http://[::1",
    ],
)
def test_what_is_no_site_address_is_refused(text: str) -> None:
    """Only plain addresses of HTTP."""
    with pytest.raises(WrongValue):
        values.read_base_url(text)


def test_a_site_address_loses_its_last_slash() -> None:
    """Paths are joined after it."""
    assert values.read_base_url("https://api.chess.com/pub/") == "https://api.chess.com/pub"


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("http://localhost:3000", "http://localhost:3000"),
        ("https://Club.Example/", "https://club.example"),
        ("http://localhost:80", "http://localhost"),
    ],
)
def test_origins_are_as_browsers_send_them(text: str, origin: str) -> None:
    """An origin has small letters, no slash at its end and no usual port."""
    assert values.read_origin(text) == origin


@pytest.mark.parametrize(
    "text", ["*", "null", "localhost:3000", "http://x/page", "http://u@x", "file:///x", ""]
)
def test_what_is_not_an_origin(text: str) -> None:
    """Every page, a path, a user and other schemes are refused."""
    with pytest.raises(WrongValue):
        values.read_origin(text)
