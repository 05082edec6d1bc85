"""Club evenings: what a tournament director can do, on the archive. The rules are `core.club`'s, the SQL the archive's."""
