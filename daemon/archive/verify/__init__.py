"""`gamekeeper verify`: does everything in the archive say what it should, and what can be repaired?"""
