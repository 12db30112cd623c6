"""The base of all errors that a person can mend."""


class UserError(Exception):
    """What is wrong and what to do about it: the message is one line for people."""

    exit_code = 1  # of a job that stops with it
