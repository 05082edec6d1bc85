r"""Decodes a game's bytes. The encoding is decided for each piece of text, not once for the whole game.

A piece is what is between two quotation marks or line breaks. What is UTF-8 stays UTF-8; any other piece is
in the encoding that the user named, or else in cp1252. If the user named none, a piece that is mostly UTF-8
stays so, with its stray bytes in cp1252. A byte that the encoding does not know is carried through the text
as a surrogate, as Python does it, and is shown as ``\x81``.
"""

import codecs
import re
from collections.abc import Iterator
from typing import Final

UTF_8: Final = "utf-8"
DEFAULT: Final = "cp1252"

_KEPT: Final = "surrogateescape"
_PIECE = re.compile(rb'[^"\r\n]+')
_IN_UTF_8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_SHOWN: Final = {0xDC00 + byte: f"\\x{byte:02x}" for byte in range(0x80, 0x100)}
_STRAY = re.compile("[\udc80-\udcff]")

# PGN is found by its ASCII signs; an encoding that writes them otherwise, or uses them for other letters by a mode,
# is none for PGN. A backslash and a tilde may be others.
_SIGNS: Final = bytes(set(range(32, 127)) - set(b"\\~")) + b"\r\n\t"
_WITH_MODES: Final = ("iso2022", "hz", "utf_7", "idna", "punycode", "unicode_escape", "raw_unicode_escape")
_NUMBER = re.compile(r"(?i)\A(?:cp|dos|ibm|oem|windows|code ?page)?[-_ ]?(\d{3,4})\Z")


class UnknownEncoding(ValueError):  # noqa: N818 - what is the case
    """No encoding that PGN can be read in has this name."""


def encoding(name: str) -> str:
    """The usual name of an encoding; ``850`` and ``CP-850`` are ``cp850``.

    Raises:
        UnknownEncoding: there is none of this name, or PGN cannot be written in it.
    """
    try:
        found = codecs.lookup(_NUMBER.sub(r"cp\1", name.strip()))
    except (LookupError, ValueError):
        raise UnknownEncoding(f"{name!r} is not the name of an encoding") from None
    if found.name in {"utf-8", "utf-8-sig"}:
        return UTF_8
    if not _has_plain_signs(found) or found.name.replace("-", "_").startswith(_WITH_MODES):
        raise UnknownEncoding(
            f"PGN cannot be read in the encoding {found.name}: its plain signs are not those of ASCII"
        )
    # Users who say Latin-1 mean the letters of cp1252, where Latin-1 has control characters.
    return DEFAULT if found.name == "iso8859-1" else found.name


def _has_plain_signs(codec: codecs.CodecInfo) -> bool:
    try:
        return _SIGNS.decode(codec.name) == _SIGNS.decode("ascii")
    except (LookupError, UnicodeError):  # no encoding of texts, or none of these bytes
        return False


def decode(raw: bytes, said: str | None = None) -> str:
    """The text of *raw*; *said* is the encoding that the user named (an `encoding`) for what is not UTF-8."""
    try:
        return raw.decode(UTF_8)
    except UnicodeDecodeError:
        return "".join(text for text, _, _ in _pieces(raw, said))


def is_utf_8(raw: bytes) -> bool:
    """Whether all of it is UTF-8, so that no other encoding matters."""
    try:
        raw.decode(UTF_8)
    except UnicodeDecodeError:
        return False
    return True


def of(raw: bytes, said: str | None) -> str | None:
    """*said*, if anything of *raw* has to be read in it; else None."""
    return None if said is None or is_utf_8(raw) else said


def as_utf_8(raw: bytes, said: str | None) -> bytes:
    """*raw* as UTF-8 if the user named its encoding; else as it is."""
    return raw if said is None else shown(decode(raw, said)).encode()


def foreign(raw: bytes) -> Iterator[bytes]:
    """The pieces of *raw* that are not UTF-8."""
    return (piece[0] for piece in _not_ascii(raw) if not is_utf_8(piece[0]))


def position(raw: bytes, at: int, said: str | None = None) -> int:
    """The index in *raw* of the character at index *at* of its text."""
    if is_utf_8(raw):
        return len(raw.decode(UTF_8)[:at].encode())
    passed = 0
    for text, piece, name in _pieces(raw, said):
        if at <= len(text):
            return passed + len(text[:at].encode(name, _KEPT))
        at -= len(text)
        passed += len(piece)
    return passed


def before(raw: bytes, end: int, said: str | None = None) -> str:
    """The text of *raw* up to the byte *end*, at which a character begins."""
    if is_utf_8(raw):
        return raw[:end].decode(UTF_8, "ignore")
    found: list[str] = []
    for text, piece, name in _pieces(raw, said):
        if end < len(piece):
            found.append(piece[:end].decode(name, _KEPT))
            break
        found.append(text)
        end -= len(piece)
    return "".join(found)


def shown(text: str) -> str:
    r"""*text* with every stray byte as ``\x81``: so people see it, and every database accepts it."""
    return text.translate(_SHOWN) if _STRAY.search(text) else text


def has_stray_bytes(text: str) -> bool:
    """Whether *text*, as `decode` gives it, contains bytes that the encoding does not know."""
    return _STRAY.search(text) is not None


def _not_ascii(raw: bytes) -> Iterator[re.Match[bytes]]:
    return (piece for piece in _PIECE.finditer(raw) if not piece[0].isascii())


def _pieces(raw: bytes, said: str | None) -> Iterator[tuple[str, bytes, str]]:
    """The text, the bytes and the encoding of each piece, in order."""
    end = 0
    for found in _not_ascii(raw):
        if end < found.start():
            yield raw[end : found.start()].decode("ascii"), raw[end : found.start()], "ascii"
        yield from _piece(found[0], said)
        end = found.end()
    yield raw[end:].decode("ascii"), raw[end:], "ascii"


def _piece(piece: bytes, said: str | None) -> Iterator[tuple[str, bytes, str]]:
    if is_utf_8(piece):
        yield piece.decode(UTF_8), piece, UTF_8
    elif said is None and _is_mostly_utf_8(piece):
        yield from _mixed(piece)
    else:
        name = said or DEFAULT
        yield piece.decode(name, _KEPT), piece, name


def _is_mostly_utf_8(piece: bytes) -> bool:
    inside = sum(len(found) for found in _IN_UTF_8.findall(piece))
    return inside * 2 > len(_NOT_ASCII.findall(piece))


def _mixed(piece: bytes) -> Iterator[tuple[str, bytes, str]]:
    end = 0
    for found in _IN_UTF_8.finditer(piece):
        other = piece[end : found.start()]
        yield other.decode(DEFAULT, _KEPT), other, DEFAULT
        yield found[0].decode(UTF_8), found[0], UTF_8
        end = found.end()
    yield piece[end:].decode(DEFAULT, _KEPT), piece[end:], DEFAULT
