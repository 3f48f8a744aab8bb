"""The refusal of an action by a rule."""

from typing import NoReturn


class IllegalAction(ValueError):
    """An action that a rule refuses; `code` and `rule` as in docs/rules.md."""

    def __init__(self, code: str, rule: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.rule, self.detail = code, rule, detail


CODES_OF_THE_MOMENT = ("game_over", "not_your_turn", "not_started", "not_active")
"""Codes of actions that come at the wrong time (409); all others are illegal as such (422)."""


def refuse(code: str, rule: str, detail: str) -> NoReturn:
    """Raise IllegalAction."""
    raise IllegalAction(code, rule, detail)
