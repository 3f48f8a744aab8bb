"""The mail that tells of a corrected address, to the old one and to the new one."""

from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.models import Club
from games.mail.frame import compose
from games.mail.kinds import Content, Kind
from games.mail.models import Mail


def render_address(mail: Mail, now: datetime) -> Content | None:
    """Return the mail in the member's language; None once the member or the club is gone."""
    people = User.objects.in_bulk([mail.refs["about"], mail.refs["by"]])
    club = Club.objects.filter(pk=mail.refs["club"]).first()
    member, organiser = people.get(mail.refs["about"]), people.get(mail.refs["by"])
    if member is None or organiser is None or club is None:
        return None
    with translation.override(member.language):
        context = {
            "member": member.get_full_name(),
            "organiser": organiser.get_full_name(),
            "club": club.name,
            "is_old": mail.refs["is_old"],
            "settings_url": "",
        }
        return compose(
            "address",
            context,
            subject=gettext("Your address in %(club)s has changed") % {"club": club.name},
            why=gettext("You get this mail because your address at %(club)s has changed.")
            % {"club": club.name},
        )


KINDS = {"address": Kind(render_address)}
