"""Sign-in codes by mail: looked for before any other mail, since somebody sits and waits for them."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from games.accounts.services import (
    CODE_LIFE,
    WantedCodes,
    end_code_request,
    put_back_code_request,
    take_code_request,
)
from games.mail.frame import compose
from games.mail.message import Letter, letter
from games.mail.posting import NotTaken, Post, Refused, ServerAway
from games.mail.queries import takes_no_codes
from games.mail.rendering import speaking_to
from games.mail.suppressing import REFUSED, suppress

logger = logging.getLogger(__name__)


def send_next(*, now: datetime, post: Post) -> bool:
    """Mail the codes of the oldest request that waits; False if none waits. Raises ServerAway.

    One mail with a code for each member at the address, in the language of the first.
    """
    wanted = take_code_request(now=now)
    if wanted is None:
        return False
    address = wanted.codes[0][0].email
    if takes_no_codes(address):
        end_code_request(request=wanted.request)
        return True
    try:
        post.send(_letter(wanted, address, now))
    except Refused:
        suppress(address=address, reason=REFUSED, now=now)
    except NotTaken as error:
        logger.warning("Codes for request %s could not be sent: %s", wanted.request.pk, error.what)
        put_back_code_request(request=wanted.request, now=now)
        if isinstance(error, ServerAway):
            raise
        return True
    end_code_request(request=wanted.request)
    return True


def _letter(wanted: WantedCodes, address: str, now: datetime) -> Letter:
    request, readers = wanted.request, [member for member, _code in wanted.codes]
    with speaking_to(readers[0]):
        content = compose(
            "code",
            {"codes": wanted.codes, "minutes": str(CODE_LIFE // timedelta(minutes=1))},
            subject=_("Your sign-in code for %(site)s") % {"site": settings.SITE_NAME},
            why=_("You get this mail because somebody asked for a code at this address."),
        )
        return letter(
            content,
            key=f"code:{request.pk}:{request.requested_at.isoformat()}",
            name="",
            address=address,
            text_only=all(reader.wants_text_only for reader in readers),
            now=now,
        )
