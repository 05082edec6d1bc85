"""The archive: its tables, its one writing side and its reading side."""
