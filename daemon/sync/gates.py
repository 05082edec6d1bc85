"""Until when a site must not be asked."""

from daemon.archive.archive import Archive
from daemon.archive.schedule import gates
from daemon.archive.schedule.gates import GateRow
from daemon.sync import pacing
from daemon.sync.pacing import RoundEnd


def gate_until(gate: GateRow, now: float) -> float | None:
    """Until when the site must not be asked (seconds since 1970), None if it may be."""
    until = pacing.heal_gate(gate.not_before / 1000, now=now)
    return until if until > now else None


def ordered_wait(archive: Archive, site: str, now: float) -> float | None:
    """Until when the site has asked us to wait.

    A wait of our own making does not keep a person from trying.
    """
    with archive.reading() as connection:
        gate = gates.gate(connection, site)
    return gate_until(gate, now) if gate.state == RoundEnd.RATE_LIMITED.value else None
