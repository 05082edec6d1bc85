"""The database under the archive: its file or server, schema, connections, settings, ids."""
