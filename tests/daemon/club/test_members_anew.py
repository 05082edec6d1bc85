"""Members when the rules for names have changed: they stay, and are the players that today's rules make them."""

from daemon.archive.reading.players import player
from daemon.club.members import NewMember
from daemon.club.season import Season
from tests.daemon.club.evenings import now, pair_all, results, start
from tests.daemon.other_rules import made_by_others, other_rules
from tests.daemon.seeding import fill, game_between

MEMBERS = [NewMember("Røssi, Mario", 1800), NewMember("m.rossi", 1700), NewMember("Neri, Anna", 1600, "77")]


def shown(archive, season: Season) -> list[tuple[str, int]]:
    with archive.reading() as connection:
        found = [player(connection, member.player_id) for member in season.members]
    return [(one["name"], one["games"]) for one in found if one is not None]


def test_members_stay_when_keys_are_made_anew(archive):
    """With games or without; pairings and results are as they were."""
    with other_rules():
        start(archive, MEMBERS)
        pair_all(archive)
        results(archive, "1-0")
        fill(archive, [game_between("Rossi, Mario", "M.Rossi")])
        before = now(archive)
        made_by_others(archive)

    assert archive.migrate()

    after = now(archive)
    assert [(one.n, one.written, one.rating, one.fide_id) for one in after.members] == [
        (one.n, one.written, one.rating, one.fide_id) for one in before.members
    ]
    assert [one.result for one in after.rounds[0].pairings] == ["1-0"]
    assert [row.points for row in after.tables[-1].rows] == [row.points for row in before.tables[-1].rows]
    # Røssi is Rossi today; the third has no game at all.
    assert shown(archive, after) == [("Rossi, Mario", 1), ("M.Rossi", 1), ("Neri, Anna", 0)]


def test_two_members_who_have_become_one_player(archive):
    """They are told apart by their numbers, and nothing of the tournament is lost."""
    with other_rules():
        start(archive, [NewMember("Røssi, Mario", 1800), NewMember("Rossi, Mario", 1700)])
        made_by_others(archive)
    assert archive.migrate()
    season = now(archive)
    assert len({member.player_id for member in season.members}) == 1
    assert len(set(season.labels.values())) == 2
    assert len(pair_all(archive)) == 1
