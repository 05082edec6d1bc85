"""Builds the compiled core (core/native) with the machine's C compiler when the program is installed or packed.

Without a compiler the program is installed all the same, and does in Python what the compiled core would do.
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


def command(root: Path, target: Path) -> list[str]:
    """What compiles the core of the checkout at *root* to *target*."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    include = f"-I{sysconfig.get_path('include')}"
    own = shlex.split(os.environ.get("CFLAGS", ""))
    sources = sorted(str(file) for file in (root / "core" / "native").glob("*.c"))
    return [*compiler, *FLAGS, include, *own, *sources, "-o", str(target)]


class CompiledCore(BuildHookInterface[Any]):
    """Compiles before a wheel is packed, or the checkout is installed as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the compiled core beside core's modules and into the wheel."""
        del version
        wanted = os.environ.get("GAMEKEEPER_COMPILED")
        if self.target_name != "wheel" or wanted == "never":
            return
        target = Path(self.root, "core", f"_native{sysconfig.get_config_var('EXT_SUFFIX')}")
        # Under another name first: a program that runs may have the old one open.
        fresh = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            subprocess.run(command(Path(self.root), fresh), check=True)
            fresh.replace(target)
        except (OSError, subprocess.CalledProcessError) as error:
            fresh.unlink(missing_ok=True)
            target.unlink(missing_ok=True)
            if wanted == "require":
                raise
            self.app.display_warning(f"Python will do without the compiled core: {error}")
            return
        build_data["infer_tag"] = True
        build_data["pure_python"] = False
        build_data["artifacts"].append(f"/core/{target.name}")
