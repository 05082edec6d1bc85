"""Why these two play each other."""

from collections.abc import Mapping, Sequence

from core.club.pairing_pool import Circle


def why(circle: Circle, place: int, other: int, opponents: Mapping[int, int], present: Sequence[str]) -> str:
    """Why the players at these indices of the pool (the better first) meet.

    *opponents* maps each index to the opponent's; *present* are all who are there, best placed first,
    including manual pairs and the bye: the places in the sentence are theirs.
    """
    one, two = (present.index(circle.players[at]) for at in (place, other))
    sentence = f"places {one + 1} and {two + 1} of {len(present)} present"
    if circle.wanted(circle.players[place], circle.players[other]):
        group = circle.plan.groups[circle.players[place]]
        return f"{sentence}; both of group {group}, who meet each other first"
    inside = {circle.players[between]: between for between in range(place + 1, other)}
    nearer = [
        _passed(circle, place, inside[player], opponents)
        if player in inside
        else f"{circle.name(player)} (set by hand or without a game)"
        for player in present[one + 1 : two]
    ]
    if nearer:
        sentence += f"; nearer to {circle.name(circle.players[place])}: {', '.join(nearer)}"
    again = again_note(circle, circle.players[place], circle.players[other])
    return f"{sentence}; {again}" if again else sentence


def _passed(circle: Circle, place: int, between: int, opponents: Mapping[int, int]) -> str:
    nearer = circle.players[between]
    met = circle.history.of_pair(circle.players[place], nearer)
    if met:
        broken = circle.broken(circle.players[place], nearer)
        again = {None: "rather somebody new", "earlier than allowed": "not again so soon"}.get(
            broken, f"not {broken}"
        )
        return f"{circle.name(nearer)} (met in round {met[-1].round}, {again})"
    return f"{circle.name(nearer)} (who plays {circle.name(circle.players[opponents[between]])})"


def again_note(circle: Circle, one: str, other: str) -> str | None:
    """A note that these two have met before, and why they do so again; None if they have not."""
    met = circle.history.of_pair(one, other)
    if not met:
        return None
    broken = circle.broken(one, other)
    reason = (
        f"{broken}, since not everybody could be paired otherwise"
        if broken
        else "others would be too far away in the table"
    )
    return f"meeting number {len(met) + 1}, the last was in round {met[-1].round}: {reason}"
