"""The life of the daemon: its parts put together, its clock, its backups, systemd."""
