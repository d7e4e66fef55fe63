"""A tree drawn: pictures that need no other program, and charts by matplotlib."""
