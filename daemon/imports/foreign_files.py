"""Recognises files of other programs with games that are not PGN, and says how to convert them."""

from pathlib import PurePath
from typing import Final

_CHESSBASE: Final = "save its games as PGN in ChessBase, and import that file"
_SCID: Final = "export its games as PGN in Scid (Tools, Export all filter games), and import that file"
_UNPACK: Final = "unpack it first (.gz, .bz2, .zst and .zip are unpacked here)"

_KINDS: Final[dict[str, tuple[str, str]]] = {
    ".cbh": ("a ChessBase database", _CHESSBASE),
    ".cbv": ("a packed ChessBase database", _CHESSBASE),
    ".cbz": ("a packed ChessBase database", _CHESSBASE),
    ".2cbh": ("a ChessBase database", _CHESSBASE),
    ".cbone": ("a ChessBase database", _CHESSBASE),
    ".cbf": ("an old ChessBase database", _CHESSBASE),
    **dict.fromkeys((".cbg", ".cba", ".cbp", ".cbt", ".cbs", ".cbc", ".cbe", ".cbi"), ("a part of a ChessBase database", _CHESSBASE)),
    ".ctg": ("an opening book of ChessBase", "there are no games in it that could be read"),
    **dict.fromkeys((".si3", ".si4", ".si5"), ("a Scid database", _SCID)),
    **dict.fromkeys((".sg3", ".sg4", ".sg5", ".sn3", ".sn4", ".sn5"), ("a part of a Scid database", _SCID)),
    ".scid": ("a Scid database", _SCID),
    ".db3": ("a database of En Croissant", "export its games as PGN there, and import that file"),
    ".lcdb": ("a database of Lucas Chess", "export its games as PGN there, and import that file"),
    ".pgi": ("an index that a program made beside a PGN file", "import the .pgn file itself"),
    ".bin": ("an opening book", "there are no games in it that could be read"),
    ".abk": ("an opening book", "there are no games in it that could be read"),
    ".xz": ("packed with xz", _UNPACK),
    ".lzma": ("packed with lzma", _UNPACK),
    ".7z": ("packed with 7-Zip", _UNPACK),
    ".rar": ("packed with RAR", _UNPACK),
    **dict.fromkeys((".tar", ".tgz", ".tbz2", ".tzst", ".txz"), ("a tar archive", _UNPACK)),
}  # fmt: skip


def what_to_do(name: PurePath | str) -> str | None:
    """What the file of this name is, and what to do with it; None if its name does not show that."""
    lower = str(name).lower()
    suffix = ".tar" if lower.endswith((".tar.gz", ".tar.bz2", ".tar.zst")) else PurePath(lower).suffix
    known = _KINDS.get(suffix)
    return None if known is None else f"{known[0]}; {known[1]}"
