"""What is written of a failure: where, and of which kind; never what the mail says or to whom it goes."""

import logging
import traceback

from games.mail.models import Mail

logger = logging.getLogger(__name__)


def note_failure(mail: Mail, error: Exception) -> str:
    """Log that `mail` could not be rendered; return the name of the error.

    An error's own words may hold names, addresses and links: only the lines of code that it came through are
    written.
    """
    what = type(error).__name__
    places = "".join(traceback.format_tb(error.__traceback__))
    logger.error("Mail %s could not be rendered: %s\n%s", mail.key, what, places.rstrip())
    return what
