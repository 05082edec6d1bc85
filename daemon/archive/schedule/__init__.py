"""What is asked and when: accounts, dossiers, and the history of rounds."""
