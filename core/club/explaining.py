"""Why these two play each other."""

from collections.abc import Mapping

from core.club.circle import Circle


def why(circle: Circle, place: int, other: int, opponents: Mapping[int, int]) -> str:
    """Why the players on these places (the better first) meet; *opponents* says who plays whom on which place."""
    sentence = f"places {place + 1} and {other + 1} of {len(circle.players)}"
    nearer = [_passed(circle, place, between, opponents) for between in range(place + 1, other)]
    if nearer:
        sentence += f"; nearer to {circle.name(circle.players[place])}: {', '.join(nearer)}"
    again = again_note(circle, circle.players[place], circle.players[other])
    return f"{sentence}; {again}" if again else sentence


def _passed(circle: Circle, place: int, between: int, opponents: Mapping[int, int]) -> str:
    nearer = circle.players[between]
    met = circle.history.of_pair(circle.players[place], nearer)
    if met:
        again = (
            "not again so early" if circle.too_early(circle.players[place], nearer) else "rather somebody new"
        )
        return f"{circle.name(nearer)}, met in round {met[-1].round}, {again}"
    return f"{circle.name(nearer)}, who plays {circle.name(circle.players[opponents[between]])}"


def again_note(circle: Circle, one: str, other: str) -> str | None:
    """That these two have met before, and why they do again; None when they have not."""
    met = circle.history.of_pair(one, other)
    if not met:
        return None
    reason = (
        "earlier than allowed, since not everybody could be paired otherwise"
        if circle.too_early(one, other)
        else "others would be too far away in the table"
    )
    return f"meeting number {len(met) + 1}, the last was in round {met[-1].round}: {reason}"
