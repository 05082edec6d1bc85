"""One record of chess.com as a game."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import Game
from core.oddities import Odd, Oddity
from fetchers.base import LeftOut, Step, Unread
from fetchers.chesscom.records import read_game

UUID = "95803ef4-ac49-11f1-9b34-e5edf43be751"
STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def record(
    result: str = "1-0", tags: str = "", moves: str = "1. e4 {[%clk 0:10:00]}", **more: Any
) -> dict[str, object]:
    """A game of Rossi against Bianchi in the shape of the Published Data API."""
    fields: dict[str, object] = {
        "url": "https://www.chess.com/game/live/123456",
        "pgn": (
            f'[Event "Live Chess"]\n[Site "Chess.com"]\n[Date "2026.09.09"]\n[Round "-"]\n[White "Mrossi90"]\n'
            f'[Black "BianchiL"]\n[Result "{result}"]\n[Timezone "UTC"]\n[UTCDate "2026.09.09"]\n[UTCTime "12:25:46"]\n'
            f'[WhiteElo "1510"]\n[BlackElo "1490"]\n[TimeControl "600"]\n[Termination "BianchiL won by resignation"]\n'
            f'{tags}[Link "https://www.chess.com/game/live/123456"]\n\n{moves} {result}\n'
        ),
        "time_control": "600",
        "end_time": 1_788_956_938,
        "rated": True,
        "uuid": UUID,
        "initial_setup": STANDARD,
        "fen": "8/8/8/8/8/8/8/8 w - - 0 1",
        "time_class": "rapid",
        "rules": "chess",
        "white": {"rating": 1510, "result": "win", "username": "Mrossi90"},
        "black": {"rating": 1490, "result": "resigned", "username": "BianchiL"},
    }
    return fields | more


def without(fields: dict[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name not in names}


def game(step: Step) -> Game:
    assert isinstance(step, Game), step
    return step


class TestIds:
    """The site's own id of a game (sites trap 37)."""

    @pytest.mark.parametrize(
        ("url", "native_id"),
        [
            ("https://www.chess.com/live/game/123", "live/123"),
            ("https://www.chess.com/daily/game/123", "daily/123"),
            ("https://www.chess.com/game/live/123", "live/123"),
            ("https://www.chess.com/game/daily/123", "daily/123"),
            ("https://www.chess.com/game/computer/123", "computer/123"),
        ],
    )
    def test_three_forms_of_address_give_one_id(self, url: str, native_id: str) -> None:
        """Kind and number: the numbers of the kinds overlap."""
        assert game(read_game(record(url=url))).native_id == native_id

    def test_a_uuid_address_takes_the_number_of_the_link(self) -> None:
        """In 2024 the address held the uuid for a while; the PGN kept the number."""
        odd = game(read_game(record(url=f"https://www.chess.com/game/{UUID}")))
        usual = game(read_game(record()))

        assert odd.native_id == usual.native_id == "live/123456"
        assert odd.other_ids == usual.other_ids == (UUID,)

    def test_without_any_number_the_uuid_is_the_id(self) -> None:
        """From the address if the field is missing."""
        fields = record(url=f"https://www.chess.com/game/{UUID.upper()}")
        fields["pgn"] = str(fields["pgn"]).replace("/game/live/123456", f"/game/{UUID}")

        for form in (fields, without(fields, "uuid")):
            assert (game(read_game(form)).native_id, game(read_game(form)).other_ids) == (UUID, ())

    def test_without_an_address_the_link_counts(self) -> None:
        """It is the same address in all 505 recorded games."""
        fields = game(read_game(without(record(), "url")))

        assert fields.native_id == "live/123456"
        assert fields.url == "https://www.chess.com/game/live/123456"

    def test_without_a_uuid(self) -> None:
        """Payloads of 2020 have none."""
        assert game(read_game(without(record(), "uuid"))).other_ids == ()

    def test_a_coach_is_no_daily_opponent(self) -> None:
        """The number belongs to another game, so the id must not be that of a daily game (sites trap 39)."""
        fields = record(
            url="https://www.chess.com/game/daily/234150048",
            time_control="-",
            time_class="daily",
            black={"rating": 3200, "result": "win", "username": "Coach-Magnus"},
        )
        coached = game(read_game(fields))

        assert coached.native_id == "coach/234150048"
        assert coached.time_class is None

    def test_a_person_called_coach_is_a_person(self) -> None:
        """With a clock it is a game like all others."""
        fields = record(black={"rating": 1490, "result": "resigned", "username": "Coach-Carter"})

        assert game(read_game(fields)).native_id == "live/123456"


class TestFields:
    """What the record says beyond the PGN."""

    def test_times(self) -> None:
        """`end_time` in seconds, UTC; the start from the PGN, or from `start_time` of a daily game."""
        live = game(read_game(record()))
        daily = game(read_game(record(start_time=1_788_900_000, time_class="daily")))

        assert live.ended_at == datetime(2026, 9, 9, 12, 28, 58, tzinfo=UTC)
        assert live.started_at == datetime(2026, 9, 9, 12, 25, 46, tzinfo=UTC)
        assert daily.started_at == datetime.fromtimestamp(1_788_900_000, UTC)
        assert daily.time_class == "daily"

    def test_names_are_those_of_the_pgn(self) -> None:
        """In display case, as handles of the site."""
        fields = game(read_game(record()))

        assert (fields.white.name, fields.black.name, fields.online, fields.source) == (
            "Mrossi90",
            "BianchiL",
            True,
            "chesscom",
        )

    def test_a_rating_that_the_pgn_lacks(self) -> None:
        """The record has it: after the game, as all ratings of the site."""
        fields = record()
        fields["pgn"] = str(fields["pgn"]).replace('[WhiteElo "1510"]\n', "")

        assert game(read_game(fields)).white.rating == 1510

    @pytest.mark.parametrize(
        ("white", "black", "result"),
        [
            ("win", "checkmated", "1-0"),
            ("timeout", "win", "0-1"),
            ("abandoned", "win", "0-1"),
            ("agreed", "agreed", "1/2-1/2"),
            ("repetition", "repetition", "1/2-1/2"),
            ("stalemate", "stalemate", "1/2-1/2"),
            ("insufficient", "insufficient", "1/2-1/2"),
            ("50move", "50move", "1/2-1/2"),
            ("timevsinsufficient", "timevsinsufficient", "1/2-1/2"),
            ("mystery", "mystery", "*"),
        ],
    )
    def test_the_result_by_codes_where_the_pgn_has_none(self, white: str, black: str, result: str) -> None:
        """Never by the text of Termination, which may name an old handle (sites trap 42)."""
        fields = record(
            "*",
            white={"result": white, "username": "Mrossi90"},
            black={"result": black, "username": "BianchiL"},
        )

        assert game(read_game(fields)).result == result

    def test_the_pgns_result_stands(self) -> None:
        """A downloaded file with this PGN must come out as the same game."""
        assert game(read_game(record("0-1"))).result == "0-1"

    def test_raw_is_the_pgn_as_it_came(self) -> None:
        """Byte for byte, but for white space around it."""
        fields = record()

        assert game(read_game(fields)).raw.strip() == str(fields["pgn"]).encode().strip()


class TestStart:
    """Start positions that the PGN does not tell (sites traps 40, 41)."""

    ODD = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"

    def test_comes_from_the_record_if_the_pgn_is_silent(self) -> None:
        """`initial_setup`, never `fen`, which is the end."""
        fields = record(rules="oddschess", initial_setup=self.ODD, moves="1. Kd1 Kd8")
        odd = game(read_game(fields))

        assert odd.start_fen is not None
        assert odd.start_fen.startswith("4k3/pppppppp")
        assert odd.moves == ("e1d1", "e8d8")
        assert odd.oddities == (Oddity(Odd.FROM_RECORD, "SetUp, FEN"),)

    def test_leaves_raw_and_tags_as_they_came(self) -> None:
        """What was added for reading is not kept as if the site had said it."""
        fields = record(rules="oddschess", initial_setup=self.ODD, moves="1. Kd1 Kd8")
        odd = game(read_game(fields))

        assert odd.tag("FEN") is None
        assert odd.tags[0] == ("Event", "Live Chess")
        assert odd.raw.strip() == str(fields["pgn"]).encode().strip()

    def test_the_pgns_own_fen_stands(self) -> None:
        """As in all recorded games with another start."""
        fields = record(
            rules="oddschess",
            initial_setup=STANDARD,
            tags=f'[SetUp "1"]\n[FEN "{self.ODD}"]\n',
            moves="1. Kd1 Kd8",
        )
        odd = game(read_game(fields))

        assert odd.moves == ("e1d1", "e8d8")
        assert odd.oddities == ()

    def test_rules_that_the_pgn_does_not_name(self) -> None:
        """Read as normal chess, a drop would be illegal."""
        fields = record(rules="crazyhouse", moves="1. e4 d5 2. exd5 Qxd5 3. P@e4 Qxe4+")

        assert game(read_game(fields)).variant == "crazyhouse"

    @pytest.mark.parametrize("setup", ["", None, STANDARD, STANDARD.replace("0 1", "5 9")])
    def test_nothing_is_added_for_a_usual_start(self, setup: str | None) -> None:
        """Empty, missing, or the standard position whatever its counters."""
        assert game(read_game(record(initial_setup=setup))).oddities == ()


class TestOddRecords:
    """Records that cannot be told as games."""

    def test_bughouse_is_left_out(self) -> None:
        """No PGN, two boards; counted, not fetched again (sites traps 36, 63)."""
        fields = without(record(rules="bughouse"), "pgn")

        assert read_game(fields) == LeftOut("live/123456", "bughouse")

    def test_another_game_without_pgn_goes_to_quarantine(self) -> None:
        """The whole record is kept, so that nothing is lost."""
        step = read_game(without(record(), "pgn"))

        assert isinstance(step, Unread)
        assert step.native_id == "live/123456"
        assert b'"uuid"' in step.unreadable.raw

    def test_an_unreadable_pgn_keeps_its_place(self) -> None:
        """Raw is what the site sent, not what was added for reading."""
        step = read_game(record(rules="crazyhouse", moves="1. Ke8"))

        assert isinstance(step, Unread)
        assert step.unreadable.raw.startswith(b'[Event "Live Chess"]')
        assert step.url == "https://www.chess.com/game/live/123456"

    @pytest.mark.parametrize("value", [None, 7, "x", [], [record()]])
    def test_what_is_no_object(self, value: object) -> None:
        """It goes to quarantine as it is."""
        assert isinstance(read_game(value), Unread)

    @given(
        st.dictionaries(
            st.sampled_from([*record(), "start_time", "eco"]),
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text()
            | st.lists(st.integers())
            | st.dictionaries(st.text(), st.text()),
        )
    )
    def test_any_fields_give_a_step(self, odd: dict[str, object]) -> None:
        """Whatever kind of value is in whatever field, nothing is raised."""
        assert isinstance(read_game(record() | odd), Game | Unread | LeftOut)
