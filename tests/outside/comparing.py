"""The record on disk, and a readable difference between it and what the program answers now."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).with_name("answers")
WIDTH: Final = 160
MOST: Final = 40
"""So many differences are shown."""


def write(parts: dict[str, Any]) -> None:
    """Make the record again."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, part in parts.items():
        (FOLDER / f"{name}.json").write_text(_laid_out(part) + "\n")


def _laid_out(value: Any, depth: int = 0) -> str:
    """JSON in which what is short is in one line, so that two records can be compared by eye."""
    flat = json.dumps(value, ensure_ascii=True)
    if len(flat) + depth <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = "\n" + " " * (depth + 1)
    names = [f"{json.dumps(name)}: " for name in value] if isinstance(value, dict) else [""] * len(value)
    values = value.values() if isinstance(value, dict) else value
    lines = [name + _laid_out(one, depth + 1) for name, one in zip(names, values, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + inner + f",{inner}".join(lines) + "\n" + " " * depth + closing


def recorded(name: str) -> Any:
    """One part of the record."""
    return json.loads((FOLDER / f"{name}.json").read_text())


def differences(name: str, now: Any) -> str:
    """Where the answers differ from the record, a line each; nothing where they do not."""
    found = list(compared(recorded(name), json.loads(json.dumps(now)), name))
    more = [f"… and {len(found) - MOST} more"] if len(found) > MOST else []
    return "\n".join([*found[:MOST], *more])


def compared(expected: Any, now: Any, where: str) -> Iterator[str]:
    """Each place where two values of JSON differ, with both values."""
    if isinstance(expected, dict) and isinstance(now, dict):
        yield from _of_objects(expected, now, where)
    elif isinstance(expected, list) and isinstance(now, list):
        yield from _of_lists(expected, now, where)
    elif type(expected) is not type(now) or expected != now:
        yield f"{where}: recorded {_around(expected, now)}, now {_around(now, expected)}"


def _of_objects(expected: dict[str, Any], now: dict[str, Any], where: str) -> Iterator[str]:
    yield from (
        f"{where} / {key}: missing now (recorded {_short(expected[key])})"
        for key in expected
        if key not in now
    )
    yield from (
        f"{where} / {key}: not in the record (now {_short(now[key])})" for key in now if key not in expected
    )
    common = [key for key in expected if key in now]
    if common != [key for key in now if key in expected] and not where.endswith("components / schemas"):
        yield f"{where}: the order of the keys: recorded {common}, now {list(now)}"
    for key in common:
        yield from compared(expected[key], now[key], f"{where} / {key}")


def _of_lists(expected: list[Any], now: list[Any], where: str) -> Iterator[str]:
    if len(expected) != len(now):
        yield f"{where}: recorded {len(expected)} items, now {len(now)}"
    for number, (one, other) in enumerate(zip(expected, now, strict=False)):
        yield from compared(one, other, f"{where} [{number}]")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "…"


def _around(value: Any, other: Any) -> str:
    """A value; of a long text the place where it begins to differ."""
    if not isinstance(value, str) or not isinstance(other, str):
        return _short(value)
    same = next(
        (n for n, (a, b) in enumerate(zip(value, other, strict=False)) if a != b), min(len(value), len(other))
    )
    begin = max(0, same - 40)
    return ("…" if begin else "") + _short(value[begin:])
