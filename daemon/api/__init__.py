"""The read API: one module per resource."""
