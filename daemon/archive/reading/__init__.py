"""What the archive answers: functions that take a connection and give what the API sends."""
