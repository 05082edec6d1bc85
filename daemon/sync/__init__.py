"""Downloads: when a site is asked, what for, and what its answers mean for the schedule."""
