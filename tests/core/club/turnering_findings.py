"""Short forms of the findings on a turnering.txt."""

from core.club.turnering import check

HEAD = "[Open, Town, Country]\n[2024-01-06]\n"
GOOD = "1 [A][a][2+ 0-]\n2 [B][b][1- 0+]\n"


def found(text, *, head=HEAD, encoding="iso-8859-1", **options):
    """The findings of a file, in short: rule, line, round, and whether it is a note."""
    findings = check((head + text).encode(encoding), **options)
    assert all(one.message and one.mend for one in findings)
    return [(one.rule, one.line, one.round, one.note) for one in findings]


def rules(text, **options):
    """The rules of the findings that are errors."""
    return {rule for rule, *_, note in found(text, **options) if not note}
