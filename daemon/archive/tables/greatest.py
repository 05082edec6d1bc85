"""The greatest of some values that are not null, which SQLite and PostgreSQL call by different names."""

from typing import Any

from sqlalchemy import Integer
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class Greatest(FunctionElement[int]):
    """The greatest of its arguments."""

    name = "greatest"
    type = Integer()
    inherit_cache = True


@compiles(Greatest)
def _greatest(element: Greatest, compiler: SQLCompiler, **how: Any) -> str:
    return f"greatest({compiler.process(element.clauses, **how)})"


@compiles(Greatest, "sqlite")
def _max(element: Greatest, compiler: SQLCompiler, **how: Any) -> str:
    return f"max({compiler.process(element.clauses, **how)})"
