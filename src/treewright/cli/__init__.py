"""The command line: one file for each verb, loaded when it is asked for."""
