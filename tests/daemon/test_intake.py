"""What take_in makes of tellings, on both databases."""

from core.game import Game, PartialDate, Side
from daemon.archive.accounts import WantedAccount, all_accounts, sync_accounts
from daemon.archive.archive import Archive
from daemon.intake import Telling, take_in

NOW = 1_700_000_000_000


def accounts(archive: Archive) -> list[int]:
    with archive.writing() as conn:
        sync_accounts(
            conn, [WantedAccount("lichess", h, h, mine=True, every_s=60) for h in ("mrossi90", "gbianchi")]
        )
        return [row.id for row in all_accounts(conn)]


def online(
    native_id: str = "abcdefgh", moves: tuple[str, ...] = ("e2e4", "e7e5"), result: str = "1-0"
) -> Game:
    raw = f'[Site "https://lichess.org/{native_id}"]\n\n{" ".join(moves)} {result}\n'.encode()
    return Game(
        white=Side(name="mrossi90", rating=1500),
        black=Side(name="gbianchi"),
        date=PartialDate(2024, 5, 12),
        result=result,
        moves=moves,
        event="Rated blitz game",
        site=f"https://lichess.org/{native_id}",
        online=True,
        source="lichess",
        native_id=native_id,
        url=f"https://lichess.org/{native_id}",
        raw=raw,
    )


def test_download_twice(archive: Archive) -> None:
    """The same download by another account is the same telling, with both accounts."""
    one, two = accounts(archive)
    first = take_in(archive, [Telling(game=online(), account_id=one)], now_ms=NOW)
    assert (first.read, first.new) == (1, 1)
    again = take_in(archive, [Telling(game=online(), account_id=two)], now_ms=NOW)
    assert (again.read, again.unchanged, again.new) == (1, 1, 0)
    assert again.outcomes[0].game_id == first.outcomes[0].game_id == 1
