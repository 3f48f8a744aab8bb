"""Taking a turn from a form: what was posted, and what a refusal says and which status it has."""

import re
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from games.play.pages.asked import posted, sentence
from games.play.pages.game.choices import request_from
from games.play.services.locking import GameNotStarted
from games.play.services.requests import AnswerUnknown, KeyReused, VersionMissing, VersionStale
from games.play.services.turns import NotSeated
from games.play.telling.refusals import in_words
from games.play.wording import MalformedAction
from games.rules.refusal import CODES_OF_THE_MOMENT, IllegalAction

REFUSALS = (
    IllegalAction, MalformedAction, NotSeated, GameNotStarted,
    VersionStale, VersionMissing, KeyReused, AnswerUnknown,
)  # fmt: skip
"""What a turn may be refused with, beside a game that is not there."""


def posted_action(request: HttpRequest) -> dict[str, Any]:
    """Return what the form of a turn asks for; raises MalformedAction."""
    return request_from(posted(request, "choice"))


def posted_version(request: HttpRequest) -> int | None:
    """Return the version of the game that the form was made for."""
    version = posted(request, "version")
    return int(version) if re.fullmatch(r"[0-9]{1,9}", version) else None


def refused(error: Exception) -> tuple[str, int]:
    """Return the sentence and the status for one of `REFUSALS`."""
    match error:
        case IllegalAction():
            return in_words(error), 409 if error.code in CODES_OF_THE_MOMENT else 422
        case MalformedAction():
            return sentence(error.message), 400
        case NotSeated():
            return sentence(str(error)), 403
        case GameNotStarted():
            return gettext("The game has not started."), 409
        case AnswerUnknown():
            return gettext("The database went away for a moment: look whether your turn is there."), 503
    return moved_on(), 412


def moved_on() -> str:
    """Return what is said to who plays on a board of the past."""
    return gettext(
        "The game has moved on since this page was opened. Nothing was done; here is how it stands now."
    )
