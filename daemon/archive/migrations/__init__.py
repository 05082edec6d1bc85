"""The revisions of the archive's schema, run by `daemon.archive.database.schema`."""
