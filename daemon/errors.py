"""What the errors have in common whose text is written for the user."""


class UserError(Exception):
    """Something that the user can do something about. The message is a sentence for them, or several lines of such."""


class UnusableError(UserError):
    """The configuration, the archive or an address cannot be used: somebody must look at it before the next start."""
