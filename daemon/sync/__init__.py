"""Downloads: when a site is asked, what is asked of it, and what its answers mean for the schedule."""
