"""What is asked for and when: accounts, and the history of rounds."""
