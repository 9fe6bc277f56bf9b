"""Errors that carry an id of their own."""


class Refused(Exception):
    """An error with an id of its own."""

    def __init__(self, error_id, message):
        super().__init__(message)
        self.error_id = error_id
