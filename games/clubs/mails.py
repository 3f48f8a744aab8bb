"""The mail that invites somebody into a club."""

from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.clubs.models import Invitation
from games.mail.frame import compose
from games.mail.kinds import Content, Kind
from games.mail.models import Mail


def render_invitation(mail: Mail, now: datetime) -> Content | None:
    """Return the mail, in the language of who invites; None once it is accepted or too old."""
    invitation = (
        Invitation.objects.select_related("club", "invited_by").filter(pk=mail.refs["invitation"]).first()
    )
    if invitation is None or invitation.accepted_at is not None or invitation.expires_at <= now:
        return None
    by = invitation.invited_by
    with translation.override(settings.LANGUAGE_CODE if by is None else by.language):
        return _invitation(invitation)


def _invitation(invitation: Invitation) -> Content:
    club, by = invitation.club.name, invitation.invited_by
    last = invitation.expires_at if by is None else invitation.expires_at.astimezone(by.zone)
    context = {
        "club": club,
        "who": "" if by is None else by.get_full_name(),
        "link": settings.PUBLIC_URL + reverse("invitation", args=[invitation.code]),
        "last_day": date_format(last, "DATE_FORMAT"),
        "settings_url": "",  # nobody's yet
    }
    return compose(
        "invitation",
        context,
        subject=gettext("Come and play in %(club)s") % {"club": club},
        why=gettext("You get this mail because a member of %(club)s entered your address.") % {"club": club},
    )


KINDS = {"invitation": Kind(render_invitation)}
