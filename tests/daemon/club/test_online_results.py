"""Results picked up from downloaded games: proposed where there is no doubt, shown where there is."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import delete

from core.club.tournament import GameResult
from core.game import PartialDate
from daemon.archive.archive import Archive
from daemon.archive.games.prepared import prepare
from daemon.archive.schedule.accounts import account, sync_accounts
from daemon.archive.tables.main import games, telling_accounts, tellings
from daemon.archive.take_in import Download, Telling, take_in
from daemon.club.errors import ClubError, Confirm
from daemon.club.evening import EveningSetting, set_by_hand
from daemon.club.members import NewMember
from daemon.club.online_results import Search, collect
from daemon.club.pairing_list import pair_round
from daemon.club.results import BoardResult, enter, read_result
from daemon.config.configured import ConfiguredAccount
from tests.daemon.club.evenings import NOW, SLUG, evening_of, now, start
from tests.daemon.seeding import downloaded, fill, follow, game_between, named, online

AT_EIGHT = datetime(2024, 5, 12, 20, 0, tzinfo=UTC)
MEMBERS = [
    NewMember("Rossi, Mario", 1800, handles=("lichess:mrossi90",)),
    NewMember("Bianchi, Laura", 1700, handles=("lichess:LauraB", "laurab64")),
    NewMember("Neri, Anna", 1600),
    NewMember("Verdi, Gino", 1500),
]


@pytest.fixture(name="accounts")
def _accounts(archive: Archive) -> dict[str, int]:
    """A round with Rossi – Bianchi on board 1, Neri – Verdi on board 2."""
    start(archive, MEMBERS)
    pairs = [("rossi", "bianchi"), ("neri", "verdi")]
    set_by_hand(archive, SLUG, EveningSetting(pairs=pairs, first_white=True), now_ms=NOW)
    pair_round(archive, SLUG, evening_of(), now_ms=NOW)
    return follow(archive, ["lichess:mrossi90", "chesscom:laurab64"])


def played(archive, accounts, white="mrossi90", black="laurab", native_id="abcdefgh", **more):
    values = {"started_at": AT_EIGHT, "time_class": "blitz", **more}
    site = values.setdefault("site", "lichess")
    led = accounts["lichess:mrossi90" if site == "lichess" else "chesscom:laurab64"]
    day = PartialDate.parse(values.pop("date", "2024.05.12"))
    game = replace(online(white, black, native_id, **values), date=day)
    taken = downloaded(archive, led, [game])
    return taken.outcomes[0].game_id


def looked(archive, **search):
    return collect(archive, SLUG, Search(**search))


def test_a_game_of_two_handles_is_proposed(archive, accounts):
    """Shown with its result; entering it completes the board and remembers the game."""
    game_id = played(archive, accounts, result="0-1")
    found = looked(archive)
    (proposal,) = found.proposals
    assert (proposal.pairing.board, proposal.entry.result.value) == (1, "0-1")
    assert [one.board for one in found.missing] == [2]
    assert now(archive).current.pairings[0].result is None

    enter(archive, SLUG, {1: proposal.entry}, now_ms=NOW)
    board = now(archive).current.pairings[0]
    assert (board.result, board.game_id) == ("0-1", game_id)
    assert looked(archive).proposals == ()


def test_a_game_of_the_players_themselves_is_proposed(archive, accounts):
    """Also one of a file, which tells only its day."""
    fill(archive, [game_between("Neri, Anna", "Verdi, Gino", "2024.05.12", result="1/2-1/2")])
    (proposal,) = looked(archive).proposals
    assert (proposal.pairing.board, proposal.entry.result.value) == (2, "1/2")


@pytest.mark.parametrize(
    "more",
    [
        {"started_at": datetime(2024, 5, 11, 20, 0, tzinfo=UTC), "date": "2024.05.11"},
        {"started_at": datetime(2024, 5, 13, 0, 0, tzinfo=UTC), "date": "2024.05.13"},
        {"white": "somebody"},
        {"black": "mrossi9"},
    ],
)
def test_other_games_are_none_of_the_evening(archive, accounts, more):
    """Of another day, or of other players."""
    played(archive, accounts, **more)
    assert looked(archive).proposals == looked(archive).unclear == ()


def test_a_file_of_another_day_is_none_of_the_evening(archive, accounts):
    """Nor one whose day is not known."""
    fill(
        archive,
        [
            game_between("Neri, Anna", "Verdi, Gino", day)
            for day in ("2024.05.11", "2024.05.??", "????.??.??")
        ],
    )
    assert looked(archive).proposals == ()


def test_an_evening_beyond_midnight(archive, accounts):
    """The time decides, not the date: a game at one o'clock in the night is of the evening before."""
    played(archive, accounts, started_at=datetime(2024, 5, 13, 1, 0, tzinfo=UTC), date="2024.05.13")
    assert looked(archive).proposals == ()
    late = replace(evening_of(), ends_at=evening_of().ends_at + 4 * 3_600_000)
    assert len(looked(archive, when=late).proposals) == 1


def test_a_handle_counts_on_its_site(archive, accounts):
    """lichess:mrossi90 is nobody of that name elsewhere; a handle without a site counts everywhere."""
    played(archive, accounts, "mrossi90", "laurab64", "live/1", site="chesscom")
    assert looked(archive).proposals == ()
    played(archive, accounts, "mrossi90", "laurab64", "ijklmnop")
    assert len(looked(archive).proposals) == 1


def test_a_handle_with_a_fide_id_behind_it(archive, accounts):
    """On a site the name decides, though the game's player is the one of the id; in a club's file it does not."""
    from_file = [game_between("mrossi90", named("laurab64", "999001238"), "2024.05.12")]
    fill(archive, from_file)
    assert looked(archive).proposals == ()
    played(archive, accounts, black=named("LauraB", "999001238"), result="0-1")
    (proposal,) = looked(archive).proposals
    assert proposal.entry.result.value == "0-1"


def test_two_games_are_shown_and_not_guessed(archive, accounts):
    """Which one counts the director says."""
    first = played(archive, accounts, result="1-0")
    second = played(archive, accounts, native_id="ijklmnop", result="0-1", moves=("d2d4", "d7d5"))
    (unclear,) = looked(archive).unclear
    assert [one.game.id for one in unclear.games] == [first, second]
    assert "2 games of these two" in unclear.why

    (taken,) = collect(archive, SLUG, Search(), take={1: second}).proposals
    assert taken.entry.result.value == "0-1"
    with pytest.raises(ClubError, match="not a game of board 2"):
        collect(archive, SLUG, Search(), take={2: second})
    with pytest.raises(ClubError, match="board 7"):
        collect(archive, SLUG, Search(), take={7: second})


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"result": "*"}, "no result"),
        ({"variant": "atomic"}, "is atomic"),
        ({"moves": ()}, "it has no moves"),
        ({"white": "laurab", "black": "mrossi90"}, "colours exchanged"),
    ],
)
def test_doubtful_games_are_shown_and_not_entered(archive, accounts, more, why):
    """Running, of another variant, without moves, with the colours exchanged."""
    played(archive, accounts, **more)
    found = looked(archive)
    assert found.proposals == ()
    assert why in found.unclear[0].why


def test_exchanged_colours_are_entered_as_they_were_played(archive, accounts):
    """When the director takes the game: colours count for the next pairings."""
    game_id = played(archive, accounts, "laurab", "mrossi90", result="1-0")
    (proposal,) = collect(archive, SLUG, Search(), take={1: game_id}).proposals
    enter(archive, SLUG, {1: proposal.entry}, now_ms=NOW)
    season = now(archive)
    board = season.current.pairings[0]
    assert (season.labels[board.white], board.result) == ("Bianchi, Laura", "1-0")


def test_a_game_without_a_result_cannot_be_taken(archive, accounts):
    """There is nothing to enter."""
    game_id = played(archive, accounts, result="*")
    with pytest.raises(ClubError, match="has no result"):
        collect(archive, SLUG, Search(), take={1: game_id})


def test_only_one_time_class(archive, accounts):
    """Of a blitz game and a rapid game the one that is meant."""
    played(archive, accounts, time_class="bullet", result="1-0")
    played(archive, accounts, native_id="ijklmnop", result="0-1", moves=("d2d4", "d7d5"))
    (proposal,) = looked(archive, time_class="blitz").proposals
    assert proposal.entry.result.value == "0-1"
    assert looked(archive, time_class="classical").proposals == ()


def test_only_games_of_an_arena(archive, accounts):
    """By the key of the event that is followed; one that is not is refused."""
    played(archive, accounts)
    with archive.writing() as connection:
        wanted = [
            ConfiguredAccount(
                "lichess", "arena/AbCd1234", "Club arena", mine=False, every=3600, kind="arena"
            ),
            ConfiguredAccount("lichess", "mrossi90", "mrossi90", mine=True, every=3600),
        ]
        sync_accounts(connection, wanted)
    with pytest.raises(ClubError, match="follows no lichess:swiss/x"):
        looked(archive, account="lichess:swiss/x")
    assert looked(archive, account="lichess:arena/AbCd1234").proposals == ()
    with archive.reading() as connection:
        arena = account(connection, "lichess:arena/AbCd1234")
    game = online("mrossi90", "laurab", "ijklmnop", started_at=AT_EIGHT, moves=("d2d4", "d7d5"), result="0-1")
    take_in(archive, [Telling(prepare(game), Download(arena.id))], now_ms=NOW)
    (proposal,) = looked(archive, account="lichess:arena/AbCd1234").proposals
    assert proposal.entry.result.value == "0-1"


def test_boards_with_a_result_are_left_alone(archive, accounts):
    """What the director entered counts."""
    enter(archive, SLUG, {1: BoardResult(read_result("0-1"))}, now_ms=NOW)
    game_id = played(archive, accounts, result="1-0")
    assert looked(archive).proposals == ()
    with pytest.raises(ClubError, match="board 1 has a result already"):
        collect(archive, SLUG, Search(), take={1: game_id})


def test_a_result_entered_meanwhile_is_asked_for(archive, accounts):
    """Between proposal and confirmation somebody may have entered another."""
    played(archive, accounts, result="1-0")
    (proposal,) = looked(archive).proposals
    enter(archive, SLUG, {1: BoardResult(read_result("0-1"))}, now_ms=NOW)
    with pytest.raises(Confirm):
        enter(archive, SLUG, {1: proposal.entry}, now_ms=NOW)


def test_nothing_is_collected_between_two_rounds(archive):
    """There has to be a round without its table."""
    start(archive, MEMBERS)
    with pytest.raises(ClubError, match="no round is being played"):
        looked(archive)
    pair_round(archive, SLUG, None, now_ms=NOW)
    with pytest.raises(ClubError, match="not known when round 1 was played"):
        looked(archive)


def test_the_result_stays_when_its_game_goes(archive, accounts):
    """A game that turns out to be another one takes no result with it."""
    played(archive, accounts)
    (proposal,) = looked(archive).proposals
    enter(archive, SLUG, {1: proposal.entry}, now_ms=NOW)
    with archive.writing() as connection:
        for table in (telling_accounts, tellings, games):
            connection.execute(delete(table))
    board = now(archive).current.pairings[0]
    assert (board.result, board.now_in) == ("1-0", None)


def test_a_postponed_game_is_found_on_its_day(archive, accounts):
    """Only where its round is named: on the day to which it is postponed, or on the date that is given."""
    game_id = played(archive, accounts, date="2024.05.14", started_at=AT_EIGHT.replace(day=14))
    until = evening_of("2024-05-14").day
    enter(archive, SLUG, {1: BoardResult(None, until=until), 2: BoardResult(GameResult.WHITE)}, now_ms=NOW)
    with pytest.raises(ClubError, match="name with --round"):
        looked(archive)
    found = looked(archive, round=1, day=lambda day: evening_of(day.isoformat()))
    assert [one.found.game.id for one in found.proposals] == [game_id]
    enter(archive, SLUG, {1: BoardResult(None)}, now_ms=NOW)
    with pytest.raises(ClubError, match="not known when board 1 of round 1 is played: give the date"):
        looked(archive, round=1)
    (again,) = looked(archive, round=1, when=evening_of("2024-05-14")).proposals
    assert again.found.game.id == game_id
