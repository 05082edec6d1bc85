"""What is asked for and when: accounts, dossiers, and the history of rounds."""
