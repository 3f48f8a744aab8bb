"""The refusals of games, added to the API's table of codes, and what the errors below mean as answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import NotFound

from games.accounts.api_problems import CODES, Problem, invalid
from games.play.queries import NoSuchVersion
from games.play.services.locking import GameNotFound, GameNotStarted
from games.play.services.proposing import BadNonce, NotAllowed, SeatUnavailable
from games.play.services.requests import AnswerUnknown, KeyReused, VersionMissing, VersionStale
from games.play.services.resting import BadDates, LeaveOverlaps, LeaveSpent, RestOver
from games.play.services.turns import NotSeated
from games.play.telling.refusals import detail_of, detail_of_option, option_in_words, reads_english
from games.play.wording import MalformedAction
from games.rules.record import RecordError
from games.rules.refusal import CODES_OF_THE_MOMENT, IllegalAction
from games.rules.ruleset import BadOption

RULE_CODES: dict[str, str | Promise] = {
    "bad_player_count": _("So many seats cannot play"),
    "bad_team_count": _("So many teams cannot play with these seats"),
    "bad_option": _("The option or its value is not known"),
    "game_over": _("The game is over"),
    "not_your_turn": _("It is another seat's turn"),
    "not_started": _("The game has not started"),
    "not_active": _("The seat is not in the game any more"),
    "not_in_hand": _("The card is not in the hand"),
    "card_mismatch": _("The card does not go with the space or the act"),
    "occupied": _("A chip stands on the space"),
    "empty_space": _("No chip stands on the space"),
    "corner": _("A corner takes no chip"),
    "own_chip": _("The chip is the team's own"),
    "locked": _("The chip is locked in a completed line"),
    "bad_claim": _("The lines cannot be claimed so"),
    "not_dead": _("The card is not dead"),
    "swap_limit": _("No more swaps in this turn"),
    "no_replacement": _("There is no card to draw"),
    "must_play": _("There is a legal play or a due swap"),
    "no_draw_right": _("There is no card to draw for this seat"),
    "penalty_due": _("A card is owed first"),
    "no_penalty_due": _("No card is owed"),
    "chip_limit": _("The team has no chip left"),
    "offer_stands": _("A draw is offered already"),
    "no_offer": _("No draw is offered to the team"),
}
"""The codes with which the rules refuse (docs/rules.md), each with its title."""


def status_of(code: str) -> int:
    """Return the status of a refusal by the rules: of the moment (409), or illegal as such (422)."""
    return 409 if code in CODES_OF_THE_MOMENT else 422


CODES.update({code: (status_of(code), title) for code, title in RULE_CODES.items()})
CODES.update(
    {
        "not_seated": (403, _("You hold no seat in this game")),
        "no_such_version": (404, _("The game has no such version")),
        "seat_unavailable": (409, _("The seat cannot be had")),
        "leave_overlaps": (409, _("There is leave on some of these days already")),
        "leave_spent": (409, _("So many days of leave are not left")),
        "rest_over": (409, _("These days have begun or are over")),
        "not_over": (409, _("This is shown when the game is over")),
        "version_stale": (412, _("The game has moved on")),
        "key_reused": (422, _("The idempotency key was used for another request")),
        "bad_record": (422, _("The record is damaged or against the rules")),
        "version_missing": (428, _("Say which version the request is made for")),
    }
)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what services and queries raise into problems; a fault of ours passes through."""
    try:
        yield
    except (GameNotFound, LookupError, PermissionError, ValueError, RuntimeError) as error:
        problem = _problem_of(error)
        if problem is None:
            raise
        raise problem from error


def illegal(error: IllegalAction, **members: Any) -> Problem:
    """Return the refusal of an action by a rule."""
    return Problem(status_of(error.code), error.code, detail_of(error), rule=error.rule, **members)


def _problem_of(error: Exception) -> Exception | None:
    match error:
        case GameNotFound():
            return NotFound()
        case NoSuchVersion():
            return Problem(404, "no_such_version", _sentence(error))
        case GameNotStarted():
            return not_started()
        case NotAllowed():
            return Problem(403, "not_allowed", _sentence(error))
        case NotSeated():
            return Problem(403, "not_seated", gettext("You hold no seat in this game."))
        case SeatUnavailable():
            return Problem(409, "seat_unavailable", _sentence(error))
        case BadNonce():
            return invalid("nonce", _sentence(error))
        case MalformedAction() | BadDates():
            return invalid(error.field, error.message)
        case LeaveOverlaps():
            return Problem(409, "leave_overlaps", _sentence(error))
        case LeaveSpent():
            return Problem(409, "leave_spent", _sentence(error))
        case RestOver():
            return Problem(409, "rest_over", _sentence(error))
        case BadOption():
            return bad_option(error)
        case IllegalAction():
            return illegal(error)
        case _:
            return _problem_of_request(error)


def _problem_of_request(error: Exception) -> Problem | None:
    match error:
        case VersionMissing():
            detail = gettext('Say which version you saw: If-Match: "v41", or expected_version in the body.')
            return Problem(428, "version_missing", detail)
        case VersionStale():
            detail = gettext("The game is at version %(version)s: read it again before you decide.") % {
                "version": str(error.version)
            }
            return Problem(412, "version_stale", detail, version=error.version)
        case KeyReused():
            return Problem(
                422, "key_reused", gettext("This Idempotency-Key was sent with another request before.")
            )
        case AnswerUnknown():
            detail = gettext(
                "The database went away; send the same request with the same Idempotency-Key again."
            )
            return Problem(503, "try_again", detail, headers={"Retry-After": "1"})
        case _:
            return None


def not_started() -> Problem:
    return Problem(409, "not_started", gettext("The game waits for players, or was withdrawn."))


def not_over(detail: str) -> Problem:
    return Problem(409, "not_over", detail)


def bad_record(error: RecordError) -> Problem:
    """Return the refusal of a record, with the turn, the token and the reason."""
    return Problem(
        422,
        "bad_record",
        _sentence(error),
        rule=error.rule or None,
        turn=error.turn,
        token=error.token,
        reason=error.reason,
    )


def bad_option(error: BadOption) -> Problem:
    """Return the refusal of a ruleset, with the field of the request that is wrong."""
    field = error.option if error.option in {"seats", "teams", "edition"} else f"options.{error.option}"
    message = error.detail if reads_english() else option_in_words(error)
    errors = [{"field": field, "message": message}]
    return Problem(422, error.code, detail_of_option(error), rule=error.rule, errors=errors)


def _sentence(error: Exception) -> str:
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
