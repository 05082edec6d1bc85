"""Alembic's entry: the caller hands in a connection whose transaction holds all revisions."""

from alembic import context

from daemon.archive.tables.main import metadata

connection = context.config.attributes["connection"]
# SQLite alters tables by copying them (batch). Its DDL is transactional as long as the driver begins nothing itself.
context.configure(
    connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
