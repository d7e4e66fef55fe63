"""Data: tables, targets and weights as the user has them become encoded arrays and a schema."""
