"""Builds what is written in C with the machine's C compiler when the program is installed or packed.

The compiled core (core/native) is a module of Python; packed_rows (daemon/archive/database/native) is an extension of
SQLite. Without a compiler the program is installed all the same, and does in Python what both would do.
GAMEKEEPER_COMPILED=require makes that an error; GAMEKEEPER_COMPILED=never does not even try.
"""

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-fstack-protector-strong")
CORE = Path("core", f"_native{sysconfig.get_config_var('EXT_SUFFIX')}")
PACKED_ROWS = Path("daemon", "archive", "database", "_packed_rows.ext")
"""Not ".so": whoever imports all modules of a package would take it for one."""


def command(root: Path, target: Path) -> list[str]:
    """What compiles the core of the checkout at *root* to *target*."""
    return _command(root / "core" / "native", target, f"-I{sysconfig.get_path('include')}")


def packed_rows_command(root: Path, target: Path) -> list[str]:
    """What compiles the extension of SQLite to *target*. It knows nothing of Python, and needs no headers of SQLite."""
    return _command(root / "daemon" / "archive" / "database" / "native", target)


def _command(folder: Path, target: Path, *include: str) -> list[str]:
    compiler = shlex.split(os.environ.get("CC") or "cc")
    own = shlex.split(os.environ.get("CFLAGS", ""))
    sources = sorted(str(file) for file in folder.glob("*.c"))
    return [*compiler, *FLAGS, *include, *own, *sources, "-o", str(target)]


class Compiled(BuildHookInterface[Any]):
    """Compiles before a wheel is packed, or the checkout is installed as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put what is compiled beside the modules that use it, and into the wheel."""
        del version
        if self.target_name != "wheel" or os.environ.get("GAMEKEEPER_COMPILED") == "never":
            return
        for path, build in ((CORE, command), (PACKED_ROWS, packed_rows_command)):
            target = Path(self.root, path)
            # Under another name first: a program that runs may have the old one open.
            fresh = target.with_name(f".{target.name}.{os.getpid()}")
            if self._compiles(build(Path(self.root), fresh), fresh, target):
                build_data["infer_tag"] = True
                build_data["pure_python"] = False
                build_data["artifacts"].append(f"/{path.as_posix()}")

    def _compiles(self, words: list[str], fresh: Path, target: Path) -> bool:
        try:
            subprocess.run(words, check=True)
            fresh.replace(target)
        except (OSError, subprocess.CalledProcessError) as error:
            fresh.unlink(missing_ok=True)
            target.unlink(missing_ok=True)
            if os.environ.get("GAMEKEEPER_COMPILED") == "require":
                raise
            what = "the compiled core" if target.name == CORE.name else "packed rows"
            self.app.display_warning(f"Python will do without {what}: {error}")
            return False
        return True
